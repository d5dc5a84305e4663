"""From the lines of a run to its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

import numpy as np

from inscape.bench.bootstrap import Values, interval, resampled_means
from inscape.bench.data import CATEGORIES, OVERALL
from inscape.bench.lines import BuildLine, QuestionLine
from inscape.bench.metric import share_found

Key = Literal["gold", "corrected"]
"""Which evidence counts: as published, or as audited."""
AT_TOP = "recall_at_10"


class Block(TypedDict):
    """Figures over a set of questions; shares, 0 to 1, keyed by budget."""

    evidence_recall: dict[str, float]
    evidence_all: dict[str, float]
    recall_at_10: float
    all_at_10: float
    ci95: dict[str, dict[str, list[float]] | list[float]]
    questions: int


class Paired(TypedDict):
    """How much more of the evidence our recipe finds, per question."""

    difference: float
    lower: float
    upper: float


class Comparison(TypedDict):
    """A recipe's figures and, for a baseline, ours less its."""

    overall: Block
    by_category: dict[str, Block]
    paired: NotRequired[dict[str, Paired]]


def report_of(
    questions: Sequence[QuestionLine],
    builds: Sequence[BuildLine],
    *,
    configuration: Mapping[str, object],
    recipes: Sequence[str],
    budgets: Sequence[int],
) -> dict[str, object]:
    """The report of a run. The first of `recipes` is the one that is measured, the others are baselines."""
    names = [str(budget) for budget in budgets]
    figures = _figures(questions, "gold", recipes, names)
    report: dict[str, object] = {
        "overall": figures[recipes[0]]["overall"],
        "by_category": figures[recipes[0]]["by_category"],
        "baselines": {name: figures[name] for name in recipes[1:]},
    }
    if configuration.get("corrections_sha256"):
        corrected = _figures(questions, "corrected", recipes, names)
        report["corrected"] = {
            "overall": corrected[recipes[0]]["overall"],
            "by_category": corrected[recipes[0]]["by_category"],
            "baselines": {name: corrected[name] for name in recipes[1:]},
        }
    report["budget_exceeded"] = sum(
        tokens > int(budget)
        for line in questions
        for outcome in line["recipes"].values()
        for budget, tokens in outcome["tokens"].items()
    )
    report["cost"] = _cost(questions, builds, recipes[0], names)
    report["configuration"] = configuration
    return report


def _figures(
    questions: Sequence[QuestionLine], key: Key, recipes: Sequence[str], budgets: Sequence[str]
) -> dict[str, Comparison]:
    scored = [line for line in questions if line[key]]
    overall = _blocks([line for line in scored if line["category"] in OVERALL], key, recipes, budgets)
    found: dict[str, Comparison] = {
        recipe: {"overall": block, "by_category": {}, "paired": paired} for recipe, (block, paired) in overall.items()
    }
    found[recipes[0]].pop("paired")
    for category, name in CATEGORIES.items():
        of_category = [line for line in scored if line["category"] == category]
        for recipe, (block, _) in _blocks(of_category, key, recipes, budgets).items():
            found[recipe]["by_category"][name] = block
    return found


def _blocks(
    lines: Sequence[QuestionLine], key: Key, recipes: Sequence[str], budgets: Sequence[str]
) -> dict[str, tuple[Block, dict[str, Paired]]]:
    columns = (*budgets, AT_TOP)
    shares = {recipe: _shares(lines, key, recipe, budgets) for recipe in recipes}
    places = {name: place for place, name in enumerate(dict.fromkeys(line["conversation"] for line in lines))}
    groups = np.array([places[line["conversation"]] for line in lines], dtype=np.int64)
    width = len(columns)
    if lines:
        means = resampled_means(np.hstack([shares[recipe] for recipe in recipes]), groups)
    else:
        means = np.zeros((1, width * len(recipes)))
    found: dict[str, tuple[Block, dict[str, Paired]]] = {}
    for place, recipe in enumerate(recipes):
        own = means[:, place * width : (place + 1) * width]
        ours = means[:, :width]
        paired = {
            column: _paired(shares[recipes[0]][:, at] - shares[recipe][:, at], ours[:, at] - own[:, at])
            for at, column in enumerate(columns)
        }
        found[recipe] = (_block(shares[recipe], own, budgets), paired)
    return found


def _shares(lines: Sequence[QuestionLine], key: Key, recipe: str, budgets: Sequence[str]) -> Values:
    """(questions, budgets and one): share of the gold turns in each context, and among the ten best hits."""
    rows = [
        [share_found(line[key], line["recipes"][recipe]["found"][budget]) for budget in budgets]
        + [share_found(line[key], line["recipes"][recipe]["hits"])]
        for line in lines
    ]
    return np.array(rows, dtype=np.float64).reshape(len(lines), len(budgets) + 1)


def _block(shares: Values, means: Values, budgets: Sequence[str]) -> Block:
    recall, every = _mean(shares), _mean(shares == 1)
    return {
        "evidence_recall": dict(zip(budgets, recall[:-1], strict=True)),
        "evidence_all": dict(zip(budgets, every[:-1], strict=True)),
        "recall_at_10": recall[-1],
        "all_at_10": every[-1],
        "ci95": {
            "evidence_recall": {budget: interval(means[:, at]) for at, budget in enumerate(budgets)},
            AT_TOP: interval(means[:, -1]),
        },
        "questions": shares.shape[0],
    }


def _mean(shares: np.ndarray[tuple[int, int], np.dtype[np.float64 | np.bool_]]) -> list[float]:
    if not shares.shape[0]:
        return [0.0] * shares.shape[1]
    return [round(float(value), 4) for value in shares.mean(axis=0)]


def _paired(difference: Values, means: Values) -> Paired:
    lower, upper = interval(means)
    return {
        "difference": round(float(difference.mean()), 4) if difference.size else 0.0,
        "lower": lower,
        "upper": upper,
    }


def _cost(
    questions: Sequence[QuestionLine], builds: Sequence[BuildLine], recipe: str, budgets: Sequence[str]
) -> dict[str, object]:
    seconds, turns = sum(line["seconds"] for line in builds), sum(line["turns"] for line in builds)
    outcomes = [line["recipes"][recipe] for line in questions]
    times = [ms for outcome in outcomes for ms in outcome["ms"].values()] or [0.0]
    return {
        "build_seconds": round(seconds, 2),
        "turns": turns,
        "turns_per_second": round(turns / seconds, 1) if seconds else 0.0,
        "recall_ms_p50": round(float(np.quantile(times, 0.5)), 2),
        "recall_ms_p99": round(float(np.quantile(times, 0.99)), 2),
        "context_tokens_mean": {
            budget: round(float(np.mean([outcome["tokens"][budget] for outcome in outcomes] or [0])), 1)
            for budget in budgets
        },
    }
