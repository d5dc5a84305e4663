"""The chart of a LoCoMo run: evidence against budget, and by category."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from inscape.errors import InvalidInput, MissingExtra

SUFFIXES = (".png", ".svg")
_LOOK = {
    "inscape": "#1b5e9e",
    "dense": "#9a9a9a",
    "bm25": "#c98a2b",
    "rrf": "#6a9f58",
    "bimem-formula": "#a5527a",
    "six-terms": "#6fa8dc",
}


def check_chart(path: Path) -> None:
    """See before a long run whether its chart can be drawn. Raises InvalidInput, MissingExtra."""
    if path.suffix not in SUFFIXES:
        raise InvalidInput(f"{path} must end in .png or .svg to say what kind of chart is wanted.")
    _pyplot()


def draw(report: Mapping[str, Any], path: Path) -> None:
    """Draw a report into a file; its suffix says which kind. Raises InvalidInput, MissingExtra."""
    check_chart(path)
    figure, (by_budget, by_category) = _pyplot().subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    own = str(report["configuration"]["recipe"])
    blocks = {own: report, **report["baselines"]}
    for name, found in blocks.items():
        overall = found["overall"]
        budgets = [int(budget) for budget in overall["evidence_recall"]]
        shares = [100 * share for share in overall["evidence_recall"].values()]
        bounds = [[100 * bound for bound in pair] for pair in overall["ci95"]["evidence_recall"].values()]
        width = 2.6 if name == own else 1.3
        by_budget.plot(budgets, shares, marker="o", markersize=4, linewidth=width, color=_LOOK.get(name), label=name)
        if name == own:
            low, high = zip(*bounds, strict=True)
            by_budget.fill_between(budgets, low, high, color=_LOOK.get(name), alpha=0.15, linewidth=0)
    by_budget.set_xscale("log")
    by_budget.set_ylim(0, 100)
    by_budget.set_xticks(budgets := [int(budget) for budget in report["overall"]["evidence_recall"]])
    by_budget.set_xticklabels([f"{budget:,}" for budget in budgets])
    by_budget.minorticks_off()
    by_budget.set(
        xlabel="tokens of context", ylabel="gold turns in the context, %", title="Evidence that survives the budget"
    )
    by_budget.legend(frameon=False)
    _draw_categories(by_category, blocks, "1000" if 1000 in budgets else str(budgets[-1]))
    for axes in (by_budget, by_category):
        axes.grid(axis="y", alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written ({error.strerror}). Choose another file.") from error
    finally:
        _pyplot().close(figure)


def _draw_categories(axes: Any, blocks: Mapping[str, Any], budget: str) -> None:
    categories = [name for name in next(iter(blocks.values()))["by_category"] if name != "adversarial"]
    width = 0.8 / len(blocks)
    for place, (name, found) in enumerate(blocks.items()):
        shares = [100 * found["by_category"][category]["evidence_recall"][budget] for category in categories]
        at = [number + (place - (len(blocks) - 1) / 2) * width for number in range(len(categories))]
        axes.bar(at, shares, width, color=_LOOK.get(name), label=name)
    axes.set_xticks(range(len(categories)))
    axes.set_xticklabels([category.replace("_", "-") for category in categories])
    axes.set_ylim(0, 100)
    axes.set(ylabel=f"gold turns in {int(budget):,} tokens, %", title="By category")


def _pyplot() -> Any:
    try:
        import matplotlib as mpl

        mpl.use("Agg")
        from matplotlib import pyplot
    except ImportError as error:
        raise MissingExtra("A chart needs matplotlib. Run: pip install 'inscape[bench]'.") from error
    return cast("Any", pyplot)
