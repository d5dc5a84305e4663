"""Does a score mean something? Questions that memory can answer against questions that it cannot."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypedDict, cast

import numpy as np

from inscape.bench.asking import TOP, Asked, data_ids
from inscape.bench.bootstrap import Values, interval, resampled_means
from inscape.bench.building import built_in
from inscape.bench.data import OVERALL, Conversation, read_locomo, sha256_of
from inscape.bench.locomo import basis
from inscape.bench.metric import share_found
from inscape.bench.screen import bar
from inscape.memory import Memory
from inscape.recipes import Recipe

BUDGET = 1000
ANSWERABLE, FOREIGN, ADVERSARIAL = "answerable", "foreign", "adversarial"
_ALL_HITS = 10_000
_QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_BINS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_UNKNOWABLE = Path(__file__).with_name("unknowable.json")


@dataclass(frozen=True, kw_only=True, slots=True)
class Asking:
    """A question for one owner."""

    kind: str
    text: str
    gold: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What came back, with and without the floor."""

    kind: str
    group: int
    """Which owner was asked."""
    best: float
    """Score of the best record, whether shown or not."""
    shown: int
    """Hits above floor and gate."""
    doubted: bool
    """Recall named a gap: nothing, or only loosely related."""
    hits: tuple[tuple[float, bool], ...]
    """Scores of the ten best hits, and whether each is a gold turn."""
    shares: tuple[float, float] | None
    """Of the gold turns in the context: as shipped, and without floor and gate."""


class Figures(TypedDict):
    """The report but for its configuration."""

    kinds: dict[str, dict[str, Any]]
    evidence: dict[str, float]
    """Of answerable questions; empty where there are none."""
    reliability: list[dict[str, float]]


def run(data: Path, recipe: Recipe, *, limit: int | None) -> dict[str, object]:
    """The report."""
    conversations = read_locomo(data, limit=limit)
    with tempfile.TemporaryDirectory(prefix="inscape-bench-") as passing:
        replies = _replies(conversations, recipe, Path(passing) / "floor")
    return {
        **figures(replies),
        "configuration": {
            "data_sha256": sha256_of(data),
            "limit": limit,
            "floor": recipe.floor,
            "gate": recipe.gate,
            "weak": recipe.weak,
            **basis((recipe,), (BUDGET,)),
        },
    }


def askings(conversations: Sequence[Conversation], place: int) -> Iterator[Asking]:
    """What one owner is asked: its own questions, those of the next conversation as they are, and what nobody
    could know. Own questions without evidence are left out."""
    for question in conversations[place].questions:
        if question.category in OVERALL and question.evidence:
            yield Asking(kind=ANSWERABLE, text=question.text, gold=question.evidence)
        elif question.category not in OVERALL:
            yield Asking(kind=ADVERSARIAL, text=question.text)
    if len(conversations) > 1:
        for question in conversations[(place + 1) % len(conversations)].questions:
            if question.category in OVERALL:
                yield Asking(kind=FOREIGN, text=question.text)
    unknowable = cast("Mapping[str, list[str]]", json.loads(_UNKNOWABLE.read_text(encoding="utf-8")))
    for kind, texts in unknowable.items():
        for text in texts:
            yield Asking(kind=kind, text=text)


def figures(replies: Sequence[Reply]) -> Figures:
    """Distributions by kind of question, evidence lost to the floor, and what a score is worth."""
    answerable = np.array([reply.best for reply in replies if reply.kind == ANSWERABLE])
    kinds: dict[str, dict[str, Any]] = {}
    for kind in dict.fromkeys(reply.kind for reply in replies):
        of_kind = [reply for reply in replies if reply.kind == kind]
        best = np.array([reply.best for reply in of_kind])
        kinds[kind] = {
            "questions": len(of_kind),
            "best_score": {str(q): round(float(np.quantile(best, q)), 4) for q in _QUANTILES},
            "returns_nothing": _mean([reply.shown == 0 for reply in of_kind]),
            "nothing_or_loosely_related": _mean([reply.doubted for reply in of_kind]),
            "hits_mean": _mean([min(reply.shown, TOP) for reply in of_kind]),
            "above_floor_mean": _mean([reply.shown for reply in of_kind]),
            **({} if kind == ANSWERABLE else {"auc": round(auc(answerable, best), 4)}),
        }
    return {"kinds": kinds, "evidence": _evidence(replies), "reliability": _reliability(replies)}


def auc(positive: Values, negative: Values) -> float:
    """How often a positive stands above a negative, ties counting half.

    >>> auc(np.array([0.9, 0.5]), np.array([0.5, 0.1]))
    0.875
    """
    if not positive.size or not negative.size:
        return 0.5
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, side="left") + np.searchsorted(ordered, positive, side="right")
    return float(below.mean()) / 2 / negative.size


def _replies(conversations: Sequence[Conversation], recipe: Recipe, folder: Path) -> list[Reply]:
    with bar("adding turns", total=sum(len(one.turns) for one in conversations)) as advance:
        built = built_in(folder, conversations, progress=advance)
    every = [list(askings(conversations, place)) for place in range(len(conversations))]
    replies: list[Reply] = []
    without = replace(recipe, floor=0.0, gate=0.0)
    with (
        Memory(folder, recipe=recipe) as shipped,
        Memory(folder, recipe=without) as ungated,
        bar("asking", total=sum(len(some) for some in every)) as advance,
    ):
        for place, (conversation, owner) in enumerate(zip(conversations, built, strict=True)):
            asked = Asked(owner=owner.owner, turn_ids=owner.turn_ids, turns=conversation.turns)
            for asking in every[place]:
                replies.append(_reply(asking, asked, place, shipped, ungated))
                advance(1)
    return replies


def _reply(asking: Asking, asked: Asked, place: int, shipped: Memory, ungated: Memory) -> Reply:
    shown = shipped.recall(asking.text, user_id=asked.owner, budget=BUDGET, top_k=_ALL_HITS)
    whole = ungated.recall(asking.text, user_id=asked.owner, budget=BUDGET, top_k=_ALL_HITS)
    shares = None
    if asking.gold:
        first, second = (share_found(asking.gold, asked.found(asking.gold, recall)) for recall in (shown, whole))
        shares = (first, second)
    return Reply(
        kind=asking.kind,
        group=place,
        best=max((hit.score for hit in whole.hits), default=0.0),
        shown=len(shown.hits),
        doubted=bool(shown.gaps),
        hits=tuple(
            (hit.score, id in asking.gold) for hit, id in zip(shown.hits[:TOP], data_ids(shown.hits[:TOP]), strict=True)
        ),
        shares=shares,
    )


def _evidence(replies: Sequence[Reply]) -> dict[str, float]:
    scored = [(reply.group, *reply.shares) for reply in replies if reply.shares is not None]
    if not scored:
        return {}
    table = np.array(scored, dtype=np.float64)
    loss = table[:, 2] - table[:, 1]
    lower, upper = interval(resampled_means(loss[:, np.newaxis], table[:, 0].astype(np.int64)))
    return {
        "budget": BUDGET,
        "with_floor": round(float(table[:, 1].mean()), 4),
        "without_floor": round(float(table[:, 2].mean()), 4),
        "lost": round(float(loss.mean()), 4),
        "lower": lower,
        "upper": upper,
    }


def _reliability(replies: Sequence[Reply]) -> list[dict[str, float]]:
    """Of the ten best hits of answerable questions: by score, how many are gold turns."""
    hits = np.array(
        [hit for reply in replies if reply.kind == ANSWERABLE for hit in reply.hits], dtype=np.float64
    ).reshape(-1, 2)
    rows: list[dict[str, float]] = []
    for low, high in pairwise(_BINS):
        inside = hits[(hits[:, 0] >= low) & ((hits[:, 0] < high) | (high == _BINS[-1]))]
        share = round(float(inside[:, 1].mean()), 4) if inside.size else 0.0
        rows.append({"from": low, "to": high, "hits": inside.shape[0], "gold": share})
    return rows


def _mean(values: Sequence[float]) -> float:
    return round(float(np.mean(values)), 4) if values else 0.0
