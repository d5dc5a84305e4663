"""What choosing candidates loses: all conversations in one owner, ranked in two stages and ranked whole."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from inscape.bench.asking import ask_everything
from inscape.bench.data import OVERALL, Conversation, Question, read_locomo, sha256_of
from inscape.bench.lines import Lines, hash_of
from inscape.bench.locomo import basis
from inscape.bench.report import report_of
from inscape.recipes import Recipe

EVERYTHING = 1_000_000_000
"""Candidates: more than anybody has turns."""
BUDGETS = (1000,)


def merged(conversations: Sequence[Conversation]) -> Conversation:
    """One conversation of all sessions; questions of categories 1 to 4 keep theirs, for the bootstrap."""
    return Conversation(
        id="merged",
        sessions=tuple(
            replace(
                session,
                id=f"{one.id}-{session.id}",
                turns=tuple(replace(turn, id=f"{one.id}-{turn.id}") for turn in session.turns),
            )
            for one in conversations
            for session in one.sessions
        ),
        questions=tuple(
            _renamed(question) for one in conversations for question in one.questions if question.category in OVERALL
        ),
    )


def run(data: Path, recipe: Recipe, *, limit: int | None) -> dict[str, object]:
    """The report: `two_stages`, `everything`, and the first less the second, per question."""
    conversation = merged(read_locomo(data, limit=limit))
    recipes = (recipe, replace(recipe, name="everything", candidates=EVERYTHING))
    configuration: dict[str, object] = {"data_sha256": sha256_of(data), "limit": limit, **basis(recipes, BUDGETS)}
    configuration["hash"] = hash_of(configuration)
    configuration["candidates"] = recipe.candidates
    lines = Lines(None, configuration=str(configuration["hash"]))
    with tempfile.TemporaryDirectory(prefix="inscape-bench-") as passing:
        ask_everything([conversation], lines, recipes=recipes, budgets=BUDGETS, folder=Path(passing) / "merged")
    return report_of(
        list(lines.questions.values()),
        list(lines.builds.values()),
        configuration=configuration,
        recipes=[one.name for one in recipes],
        budgets=BUDGETS,
    )


def _renamed(question: Question) -> Question:
    evidence = tuple(f"{question.conversation}-{id}" for id in question.evidence)
    return replace(question, evidence=evidence, corrected=evidence)
