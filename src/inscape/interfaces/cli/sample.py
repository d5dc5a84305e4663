"""The sample life that `inscape demo` tells: four months of invented chats, and seven questions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question, with what its author expects. Looked at only after memory has answered."""

    question: str
    answer: str
    evidence: frozenset[tuple[str, str]]
    """Session and text of each line that bears the answer; empty where nobody ever said it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Chat:
    """One session."""

    session_id: str
    agent_id: str | None
    messages: tuple[Mapping[str, object], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """A life in chats."""

    title: str
    about: str
    owner: str
    chats: tuple[Chat, ...]
    questions: tuple[Asked, ...]

    @property
    def turns(self) -> int:
        return sum(len(chat.messages) for chat in self.chats)


def sample_life() -> Sample:
    """The sample that ships with inscape."""
    from importlib import resources

    raw: dict[str, Any] = json.loads(
        resources.files("inscape.interfaces").joinpath("sample_life.json").read_text(encoding="utf-8")
    )
    chats = tuple(
        Chat(session_id=chat["session_id"], agent_id=chat["agent_id"], messages=tuple(_messages(chat)))
        for chat in raw["sessions"]
    )
    return Sample(
        title=raw["title"],
        about=raw["about"],
        owner=raw["owner"],
        chats=chats,
        questions=tuple(_asked(raw["questions"], chats)),
    )


def _text(chat: Chat, turn: int) -> str:
    return str(chat.messages[turn]["text"])


def _messages(chat: dict[str, Any]) -> list[Mapping[str, object]]:
    return cast("list[Mapping[str, object]]", chat["turns"])


def _asked(questions: list[dict[str, Any]], chats: tuple[Chat, ...]) -> Iterator[Asked]:
    by_name = {chat.session_id: chat for chat in chats}
    for one in questions:
        places = [(place["session_id"], place["turn"]) for place in one["evidence"]]
        yield Asked(
            question=one["question"],
            answer=one["answer"],
            evidence=frozenset((session, _text(by_name[session], turn)) for session, turn in places),
        )
