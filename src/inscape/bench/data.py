"""Files in LoCoMo's format (Maharana et al. 2024): conversations, questions, evidence, audited corrections."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from inscape.errors import InvalidInput, WrongFormat, shown

CATEGORIES: Mapping[int, str] = {
    1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "adversarial",
}  # fmt: skip
OVERALL = (1, 2, 3, 4)
"""The categories of `overall`, as in every published table: adversarial questions ask what was never said."""
_ID = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")
_CORRECTED = re.compile(r"locomo_(\d+)_qa(\d+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """One turn of a conversation, as the file has it."""

    id: str
    speaker: str
    text: str
    captions: tuple[str, ...] = ()
    role: str = "user"
    timestamp: str | None = None
    """Where it differs from its session's."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """A run of turns at one time."""

    id: str
    timestamp: str | None
    turns: tuple[Said, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A question, and for scoring alone, where its answer stands."""

    conversation: str
    number: int
    """Its place in the conversation's list."""
    text: str
    category: int
    evidence: tuple[str, ...]
    """Ids of gold turns that the conversation has, each once. The system under test never sees them."""
    corrected: tuple[str, ...]
    """The same by the audit, where it has another answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """What two people said to one another, and what is asked of it."""

    id: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...] = ()

    @property
    def turns(self) -> dict[str, Said]:
        """All turns by id."""
        return {turn.id: turn for session in self.sessions for turn in session.turns}


def evidence_ids(given: object) -> list[str]:
    """Turn ids out of an evidence entry, however it is written.

    >>> evidence_ids("D8:6; D9:17"), evidence_ids("D:11:26"), evidence_ids("D30:05"), evidence_ids("D")
    (['D8:6', 'D9:17'], ['D11:26'], ['D30:5'], [])
    """
    if not isinstance(given, str):
        return []
    return [f"D{int(session)}:{int(turn)}" for session, turn in _ID.findall(given)]


def read_locomo(path: Path, *, corrections: Path | None = None, limit: int | None = None) -> list[Conversation]:
    """The conversations of a file; of each the first `limit` questions. Raises InvalidInput, WrongFormat."""
    listed = _json_of(path)
    if not isinstance(listed, list) or not listed:
        raise WrongFormat(f"{path} is not in LoCoMo's format: a list of conversations is expected.")
    mended = {} if corrections is None else _corrections_of(corrections)
    try:
        return [
            _conversation(cast("Mapping[str, object]", raw), place, mended, limit)
            for place, raw in enumerate(cast("list[object]", listed))
        ]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise WrongFormat(
            f"{path} is not in LoCoMo's format ({type(error).__name__}: {error}). Each conversation needs "
            "`conversation` with lists session_1, ... of turns, and `qa`."
        ) from error


def sha256_of(path: Path) -> str:
    """Hash of a file's bytes. Raises InvalidInput."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read ({error.strerror}). Name a file that can.") from error


def _json_of(path: Path) -> object:
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read ({error.strerror}). Name a file that can.") from error
    except ValueError as error:
        raise WrongFormat(f"{path} is not JSON: {error}.") from error


def _conversation(
    raw: Mapping[str, object], place: int, mended: Mapping[tuple[str, int], tuple[str, list[str]]], limit: int | None
) -> Conversation:
    said = cast("Mapping[str, object]", raw["conversation"])
    names = sorted(
        (name for name in said if _SESSION.fullmatch(name) and said[name]), key=lambda name: int(name.split("_")[1])
    )
    sessions = tuple(
        Session(
            id=name,
            timestamp=cast("str | None", said.get(f"{name}_date_time")),
            turns=tuple(_said(turn) for turn in cast("Sequence[Mapping[str, object]]", said[name])),
        )
        for name in names
    )
    id = str(raw.get("sample_id") or f"conversation-{place}")
    known = {turn.id for session in sessions for turn in session.turns}
    questions: list[Question] = []
    for number, asked in enumerate(cast("Sequence[Mapping[str, object]]", raw.get("qa") or ())[:limit]):
        text = str(asked["question"])
        audited = mended.get((id, number)) or mended.get((str(place), number))
        if audited is not None and audited[0] != text:
            raise WrongFormat(
                f"The corrections are for other data: question {number} of {id} is {shown(text)} here and "
                f"{shown(audited[0])} there."
            )
        evidence = _known_ids(cast("Sequence[object]", asked.get("evidence") or ()), known)
        questions.append(
            Question(
                conversation=id,
                number=number,
                text=text,
                category=int(str(asked["category"])),
                evidence=evidence,
                corrected=evidence if audited is None else _known_ids(audited[1], known),
            )
        )
    return Conversation(id=id, sessions=sessions, questions=tuple(questions))


def _said(raw: Mapping[str, object]) -> Said:
    caption = raw.get("blip_caption")
    id = str(raw["dia_id"])
    return Said(
        id=next(iter(evidence_ids(id)), id),
        speaker=str(raw["speaker"]),
        text=str(raw.get("text") or ""),
        captions=(str(caption),) if caption else (),
    )


def _known_ids(given: Sequence[object], known: set[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(id for entry in given for id in evidence_ids(entry) if id in known))


def _corrections_of(path: Path) -> dict[tuple[str, int], tuple[str, list[str]]]:
    """Question and right evidence, by conversation (its sample id, or else its place) and place of the question."""
    found: dict[tuple[str, int], tuple[str, list[str]]] = {}
    try:
        for raw in cast("list[Mapping[str, object]]", _json_of(path)):
            named = _CORRECTED.fullmatch(str(raw["question_id"]))
            evidence = cast("list[str] | None", raw.get("correct_evidence"))
            if named is None:
                raise ValueError(f"question_id {shown(raw['question_id'])}")
            if evidence:
                conversation = str(raw.get("sample_id") or named[1])
                found[conversation, int(named[2])] = (str(raw["question"]), evidence)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise WrongFormat(
            f"{path} is no file of corrections ({type(error).__name__}: {error}). Each needs question_id like "
            "locomo_0_qa12, question and correct_evidence."
        ) from error
    return found
