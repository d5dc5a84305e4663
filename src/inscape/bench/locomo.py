"""LoCoMo: does the evidence survive the budget? Built and asked through `Memory`, scored from lines."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inscape import __version__, assemble
from inscape.bench.asking import TOP, ask_everything
from inscape.bench.building import code_hash
from inscape.bench.data import read_locomo, sha256_of
from inscape.bench.lines import Lines, hash_of
from inscape.bench.report import report_of
from inscape.indexing import TextIndexing
from inscape.recipes import Recipe
from inscape.settings import Settings


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What to run."""

    data: Path
    budgets: tuple[int, ...]
    recipes: tuple[Recipe, ...]
    """The one that is measured, then the baselines."""
    corrections: Path | None = None
    limit: int | None = None
    """Of each conversation the first so many questions."""

    def configuration(self) -> dict[str, object]:
        """All that a line depends on."""
        return {
            "protocol": "blind",
            "overall": "categories 1 to 4; adversarial questions (5) by category only",
            "data_sha256": sha256_of(self.data),
            "corrections_sha256": None if self.corrections is None else sha256_of(self.corrections),
            "limit": self.limit,
            **basis(self.recipes, self.budgets),
        }


def basis(recipes: Sequence[Recipe], budgets: Sequence[int]) -> dict[str, object]:
    """What every evidence figure depends on, whatever the data."""
    embedding = Settings().embedding
    return {
        "metric": "a gold turn is found when 90 % of its text stands in the context",
        "budgets": list(budgets),
        "top_k": TOP,
        "recipe": recipes[0].name,
        "recipe_hashes": {recipe.name: recipe.hash for recipe in recipes},
        "embedding": embedding,
        "embedding_recipe": TextIndexing(assemble.embedding_model(embedding)).recipe,
        "version": __version__,
        "code": code_hash(),
    }


def run(plan: Plan, *, lines_in: Path | None, workdir: Path | None) -> dict[str, object]:
    """Ask every question that has no line yet; the report of all lines."""
    conversations = read_locomo(plan.data, corrections=plan.corrections, limit=plan.limit)
    configuration = plan.configuration()
    configuration["hash"] = hash_of(configuration)
    lines = Lines(lines_in, configuration=str(configuration["hash"]))
    asked = [question for one in conversations for question in one.questions]
    try:
        if any((question.conversation, question.number) not in lines.questions for question in asked):
            store = hash_of({name: configuration[name] for name in ("data_sha256", "embedding_recipe", "code")})
            with tempfile.TemporaryDirectory(prefix="inscape-bench-") as passing:
                folder = (workdir or Path(passing)) / f"locomo-{store}"
                ask_everything(conversations, lines, recipes=plan.recipes, budgets=plan.budgets, folder=folder)
    finally:
        lines.close()
    return report_of(
        list(lines.questions.values()),
        list(lines.builds.values()),
        configuration=configuration,
        recipes=[recipe.name for recipe in plan.recipes],
        budgets=plan.budgets,
    )
