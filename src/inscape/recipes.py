"""Named settings: which stages run, with which numbers. Read by `assemble` alone."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from json import dumps
from typing import Literal

from inscape.algorithms.ranking import Weights

NEVER = -1.0
"""As floor or gate: nothing is under it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """How memory is formed and read. Its hash goes with every benchmark figure."""

    name: str
    ranking: Literal["terms", "dense", "bm25", "rrf", "bimem", "six_terms"] = "terms"
    """Our sum of terms, or one of the baselines: see `algorithms.ranking` and `algorithms.baselines`."""
    weights: Weights = field(default_factory=Weights)
    candidates: int = 1000
    """Rows that the second stage of ranking looks at."""
    floor: float = 0.1
    """Score under which a hit is not worth showing."""
    gate: float = 0.235
    """Score that the best hit of many must reach for anything to be shown (`ranking.gate_for`)."""
    weak: float = 0.36
    """Score of the best hit under which recall shows few hits and says that they are only loosely related."""

    @property
    def hash(self) -> str:
        return hashlib.sha256(dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:12]


INSCAPE = Recipe(name="inscape")
"""Our default."""
DENSE = Recipe(name="dense", ranking="dense", floor=NEVER, gate=NEVER, weak=NEVER)
"""Baseline: cosine of sentence vectors."""
BM25 = Recipe(name="bm25", ranking="bm25", floor=NEVER, gate=NEVER, weak=NEVER)
"""Baseline: words alone, without windows."""
RRF = Recipe(name="rrf", ranking="rrf", floor=NEVER, gate=NEVER, weak=NEVER)
"""Baseline: reciprocal rank fusion of the two, k = 60."""
BIMEM_FORMULA = Recipe(name="bimem-formula", ranking="bimem", floor=NEVER, gate=NEVER, weak=NEVER)
"""Baseline: Bi-Mem's hybrid score, alpha 0.5 (paper 4.3)."""
SIX_TERMS = Recipe(name="six-terms", ranking="six_terms", floor=NEVER, gate=NEVER, weak=NEVER)
"""Baseline: the ranking that ours began with."""

RECIPES = {recipe.name: recipe for recipe in (INSCAPE, DENSE, BM25, RRF, BIMEM_FORMULA, SIX_TERMS)}
