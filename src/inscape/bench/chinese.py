"""Chinese: 300 turns and 100 questions that ship with inscape, since the bundled model reads English only."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict, cast

from inscape.bench.asking import ask_everything
from inscape.bench.data import Conversation, Question, Said, Session
from inscape.bench.lines import Lines, hash_of
from inscape.bench.locomo import basis
from inscape.bench.report import report_of
from inscape.recipes import Recipe

BUDGETS = (500, 1000)
_FILE = Path(__file__).with_name("chinese.json")


class _Turn(TypedDict):
    speaker: str
    role: str
    text: str
    timestamp: str


class _Session(TypedDict):
    session_id: str
    turns: list[_Turn]


class _Evidence(TypedDict):
    session_id: str
    turn: int


class _Question(TypedDict):
    question: str
    evidence: list[_Evidence]


def read_chinese() -> Conversation:
    """The conversation that ships with inscape."""
    given = cast("Mapping[str, object]", json.loads(_FILE.read_text(encoding="utf-8")))
    return Conversation(
        id="chinese",
        sessions=tuple(_session(one) for one in cast("list[_Session]", given["sessions"])),
        questions=tuple(
            _question(one, number) for number, one in enumerate(cast("list[_Question]", given["questions"]))
        ),
    )


def run(recipes: Sequence[Recipe], *, limit: int | None) -> dict[str, object]:
    """The report. Its intervals are by question: there is one conversation."""
    whole = read_chinese()
    conversation = Conversation(id=whole.id, sessions=whole.sessions, questions=whole.questions[:limit])
    configuration: dict[str, object] = {"limit": limit, **basis(recipes, BUDGETS)}
    configuration["hash"] = hash_of(configuration)
    lines = Lines(None, configuration=str(configuration["hash"]))
    with tempfile.TemporaryDirectory(prefix="inscape-bench-") as passing:
        ask_everything([conversation], lines, recipes=recipes, budgets=BUDGETS, folder=Path(passing) / "chinese")
    report = report_of(
        list(lines.questions.values()),
        list(lines.builds.values()),
        configuration=configuration,
        recipes=[recipe.name for recipe in recipes],
        budgets=BUDGETS,
    )
    del report["by_category"]
    return report


def _session(given: _Session) -> Session:
    return Session(
        id=given["session_id"],
        timestamp=None,
        turns=tuple(
            Said(
                id=f"{given['session_id']}/{place}",
                speaker=turn["speaker"],
                role=turn["role"],
                text=turn["text"],
                timestamp=turn["timestamp"],
            )
            for place, turn in enumerate(given["turns"])
        ),
    )


def _question(given: _Question, number: int) -> Question:
    evidence = tuple(f"{one['session_id']}/{one['turn']}" for one in given["evidence"])
    return Question(
        conversation="chinese", number=number, text=given["question"], category=4, evidence=evidence, corrected=evidence
    )
