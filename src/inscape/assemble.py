"""Chooses the parts: the only module that names concrete classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from inscape.algorithms import baselines
from inscape.algorithms.ranking import Candidates, Question, Ranking, ranked
from inscape.errors import UnknownModel, shown
from inscape.indexing import TextIndexing
from inscape.pipeline import Pipeline
from inscape.ports import EmbeddingModel, Owners
from inscape.recall.hybrid import Hybrid
from inscape.recipes import Recipe
from inscape.settings import Settings


@dataclass(frozen=True, slots=True)
class Parts:
    """What a `Memory` is made of."""

    owners: Owners
    pipeline: Pipeline
    recall: Hybrid


def parts_of(folder: Path, *, settings: Settings, recipe: Recipe, now: Callable[[], datetime]) -> Parts:
    """The parts for a folder of memories.

    Raises StorageError and its kinds, UnknownModel, MissingExtra, ModelUnreachable.
    """
    from inscape.storage.owners import SqliteOwners

    indexing = TextIndexing(embedding_model(settings.embedding))
    owners = SqliteOwners(
        folder,
        indexing=indexing,
        now=now,
        silent_hours=settings.silent_hours,
        tenant=settings.tenant,
        most_open=settings.open_owners,
    )
    recall = Hybrid(
        model=indexing.model,
        rank=_ranking_of(recipe),
        candidates=recipe.candidates,
        floor=recipe.floor,
        gate=recipe.gate,
        weak=recipe.weak,
    )
    return Parts(owners, Pipeline(indexing), recall)


def embedding_model(name: str) -> EmbeddingModel:
    """The model that settings name. Raises UnknownModel, MissingExtra, ModelUnreachable."""
    if name == "minilm":
        from inscape.providers.minilm import MiniLM

        return MiniLM()
    if name.startswith("fastembed:"):
        from inscape.providers.embedding import FastembedModel

        return FastembedModel(name.removeprefix("fastembed:"))
    if name.startswith(("http://", "https://")):
        from inscape.providers.embedding import AddressModel

        return AddressModel(name)
    raise UnknownModel(
        f"There is no embedding model {shown(name)}. Use minilm (bundled), fastembed:NAME, or http://host/v1#model."
    )


def _ranking_of(recipe: Recipe) -> Callable[[Question, Candidates], Ranking]:
    match recipe.ranking:
        case "terms":
            return lambda question, candidates: ranked(question, candidates, recipe.weights)
        case "dense":
            return baselines.dense
        case "bm25":
            return baselines.bm25
        case "rrf":
            return baselines.reciprocal_rank_fusion
        case "bimem":
            return baselines.bimem_formula
        case "six_terms":
            return baselines.six_terms
