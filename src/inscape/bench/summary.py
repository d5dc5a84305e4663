"""Reports as people read them on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inscape.bench.report import AT_TOP
from inscape.bench.screen import percent, table


def locomo_summary(report: Mapping[str, Any]) -> str:
    """The report of a LoCoMo run in tables."""
    budgets = list(report["overall"]["evidence_recall"])
    parts = [
        "Categories 1 to 4",
        evidence_summary(report),
        "By category, %",
        table(
            ["", "questions", *_columns(budgets)],
            [
                [name, str(block["questions"]), *_shares(block)]
                for name, block in report["by_category"].items()
                if block["questions"]
            ],
        ),
    ]
    if "corrected" in report:
        blocks = {
            "overall": report["corrected"]["overall"],
            **{name: found["overall"] for name, found in report["corrected"]["baselines"].items()},
        }
        rows = [[name, *_shares(block)] for name, block in blocks.items()]
        parts += ["By the corrected evidence, %", table(["", *_columns(budgets)], rows)]
    return "\n\n".join(parts)


def evidence_summary(report: Mapping[str, Any]) -> str:
    """Evidence, what it is more than each baseline's, and what it costs."""
    configuration, cost, overall = report["configuration"], report["cost"], report["overall"]
    budgets = list(overall["evidence_recall"])
    blocks = {str(configuration["recipe"]): report, **report["baselines"]}
    rows = [[name, *_shares(found["overall"])] for name, found in blocks.items()]
    rows[1:1] = [["  95 % interval", *_bounds(overall, budgets)]]
    parts = [
        f"Gold turns in the context, % of each question's, mean of {overall['questions']} questions",
        table(["", *_columns(budgets)], rows),
        "Questions whose gold turns all are: "
        + f"R@10 {percent(overall['all_at_10'])} %, "
        + ", ".join(f"{budget} tokens {percent(share)} %" for budget, share in overall["evidence_all"].items()),
    ]
    if report["baselines"]:
        rows = [
            [name, *(_difference(found["paired"][column]) for column in (AT_TOP, *budgets))]
            for name, found in report["baselines"].items()
        ]
        parts += ["Points more than each (95 % interval)", table(["", *_columns(budgets)], rows)]
    parts.append(
        f"Built {cost['turns']:,} turns in {cost['build_seconds']} s ({cost['turns_per_second']} a second). "
        f"Recall {cost['recall_ms_p50']} ms median, {cost['recall_ms_p99']} ms p99. "
        f"Budget exceeded: {report['budget_exceeded']}. Configuration {configuration['hash']}."
    )
    return "\n\n".join(parts)


def floor_summary(report: Mapping[str, Any]) -> str:
    """Scores by kind of question, what the floor loses, and what a score is worth."""
    rows = [
        [
            kind,
            str(found["questions"]),
            *(f"{found['best_score'][q]:.3f}" for q in ("0.05", "0.5", "0.95")),
            percent(found["returns_nothing"]),
            percent(found["nothing_or_loosely_related"]),
            f"{found['hits_mean']:.1f}",
            f"{found['auc']:.3f}" if "auc" in found else "",
        ]
        for kind, found in report["kinds"].items()
    ]
    heading = ["", "questions", "best 5 %", "median", "95 %", "nothing %", "or loosely %", "hits of 10", "AUC"]
    bins = [[f"{row['from']} to {row['to']}", str(row["hits"]), percent(row["gold"])] for row in report["reliability"]]
    parts = ["Score of the best record, and what is shown", table(heading, rows)]
    if report["evidence"]:
        lost = report["evidence"]
        parts.append(
            f"Evidence in {lost['budget']} tokens: {percent(lost['with_floor'])} %, without floor and gate "
            f"{percent(lost['without_floor'])} %: {100 * lost['lost']:.2f} points lost "
            f"({100 * lost['lower']:+.2f} to {100 * lost['upper']:+.2f})."
        )
    return "\n\n".join([*parts, "Hits of answerable questions", table(["score", "hits", "gold %"], bins)])


def speed_summary(report: Mapping[str, Any]) -> str:
    """Figures by size of owner."""
    wanted = {
        "search ms, median": ("search_ms", "median"),
        "search ms, p90": ("search_ms", "p90"),
        "search ms, p99": ("search_ms", "p99"),
        "add one message ms, median": ("add_ms", "median"),
        "search after an add ms, median": ("search_after_add_ms", "median"),
        "erase 50 turns, s": ("erase_added_seconds",),
        "cold start, s": ("cold_start_seconds",),
        "  of it open and search, s": ("cold_open_and_search_seconds",),
        "inscape search, s": ("cli_search_seconds",),
        "memory, bytes a turn": ("resident_bytes_a_turn",),
        "disk, bytes a turn": ("file_bytes_a_turn",),
        "import, turns a second": ("import_turns_per_second",),
    }
    sizes = report["sizes"]
    rows = [[label, *(_at(found, path) for found in sizes.values())] for label, path in wanted.items()]
    return table(["turns", *(f"{int(size):,}" for size in sizes)], rows)


def _at(found: Any, path: tuple[str, ...]) -> str:
    for key in path:
        if key not in found:
            return ""
        found = found[key]
    return f"{found:,}"


def _columns(budgets: list[str]) -> list[str]:
    return ["R@10", *(f"{budget} tokens" for budget in budgets)]


def _shares(block: Mapping[str, Any]) -> list[str]:
    return [percent(block[AT_TOP]), *(percent(share) for share in block["evidence_recall"].values())]


def _bounds(block: Mapping[str, Any], budgets: list[str]) -> list[str]:
    bounds = [block["ci95"][AT_TOP], *(block["ci95"]["evidence_recall"][budget] for budget in budgets)]
    return [f"{percent(low)}-{percent(high)}" for low, high in bounds]


def _difference(paired: Mapping[str, float]) -> str:
    return f"{100 * paired['difference']:+.1f} ({100 * paired['lower']:+.1f} to {100 * paired['upper']:+.1f})"
