"""`inscape bench`: the figures of docs/benchmarks.md, each by one command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from inscape.errors import InvalidInput

if TYPE_CHECKING:
    from inscape.recipes import Recipe

app = typer.Typer(
    name="bench",
    help="Measure it: on LoCoMo, for speed, in Chinese. Every figure is made through Memory, as a user would.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Data: TypeAlias = Annotated[Path, typer.Option("--data", metavar="FILE", help="A file in LoCoMo's format.")]
Json: TypeAlias = Annotated[Path | None, typer.Option("--json", metavar="OUT", help="Write the figures there.")]
Limit: TypeAlias = Annotated[
    int | None,
    typer.Option("--limit", metavar="N", min=1, help="Ask the first N questions of each conversation only."),
]
Workdir: TypeAlias = Annotated[
    Path | None,
    typer.Option("--workdir", metavar="DIR", help="Keep the memories that are built there, and use them again."),
]


@app.command()
def locomo(
    data: Data,
    protocol: Annotated[
        str, typer.Option("--protocol", metavar="blind", help="blind: no label or gold answer reaches the memory.")
    ] = "blind",
    budget: Annotated[
        str, typer.Option("--budget", metavar="TOKENS,...", help="Sizes of the context.")
    ] = "500,1000,2000,4000",
    metrics: Annotated[str, typer.Option("--metrics", metavar="evidence", help="What is measured.")] = "evidence",
    corrections: Annotated[
        Path | None,
        typer.Option("--corrections", metavar="FILE", help="Audited evidence: reported beside the published."),
    ] = None,
    limit: Limit = None,
    json: Json = None,
    chart: Annotated[
        list[Path] | None,
        typer.Option(
            "--chart", metavar="OUT", help="Draw a .png or .svg; may be given twice. Needs the extra `bench`."
        ),
    ] = None,
    lines: Annotated[
        Path | None,
        typer.Option("--lines", metavar="FILE", help="Keep a line for each question there; a stopped run goes on."),
    ] = None,
    recipe: Annotated[str, typer.Option("--recipe", metavar="NAME", help="The recipe that is measured.")] = "inscape",
    baselines: Annotated[
        bool,
        typer.Option(
            "--baselines/--no-baselines", help="Measure dense, bm25, rrf, bimem-formula and six-terms as well."
        ),
    ] = True,
    workdir: Workdir = None,
) -> None:
    """Evidence on LoCoMo: which gold turns stand in the context, at each budget, against four baselines.

    The overall figures are of categories 1 to 4; adversarial questions are reported by category alone.

    Questions without evidence are left out.
    """
    from inscape.bench.chart import check_chart, draw
    from inscape.bench.locomo import Plan, run
    from inscape.bench.screen import write_json
    from inscape.bench.summary import locomo_summary

    if protocol != "blind":
        raise InvalidInput(
            f"--protocol {protocol}: evidence is measured blind only. The papers' help by gold category concerns "
            "the writing of answers, which this command does not measure."
        )
    if metrics != "evidence":
        raise InvalidInput(f"--metrics {metrics}: only evidence is measured here.")
    for path in chart or ():
        check_chart(path)
    plan = Plan(
        data=data,
        budgets=_numbers(budget, "--budget"),
        recipes=_recipes(recipe, baselines=baselines),
        corrections=corrections,
        limit=limit,
    )
    report = run(plan, lines_in=lines, workdir=workdir)
    write_json(report, json)
    for path in chart or ():
        draw(report, path)
    typer.echo(locomo_summary(report))


@app.command()
def speed(
    data: Data,
    turns: Annotated[
        str, typer.Option("--turns", metavar="N,...", help="Sizes of the owners that are made out of the data.")
    ] = "700,10000,100000",
    queries: Annotated[int, typer.Option("--queries", metavar="N", min=1, help="Distinct questions for each.")] = 100,
    json: Json = None,
    reuse: Annotated[
        Path | None, typer.Option("--reuse", metavar="DIR", help="Keep the owners there, and use them again.")
    ] = None,
) -> None:
    """How fast and how large: search, add, cold start, memory, disk, import.

    Building an owner embeds every turn: 100,000 of them take about ten minutes.
    """
    from inscape.bench.screen import write_json
    from inscape.bench.speed import run
    from inscape.bench.summary import speed_summary

    report = run(data, _numbers(turns, "--turns"), queries=queries, reuse=reuse)
    write_json(report, json)
    typer.echo(speed_summary(report))


@app.command()
def chinese(json: Json = None, limit: Limit = None) -> None:
    """Evidence in Chinese, on 300 turns and 100 questions that ship with inscape."""
    from inscape.bench.chinese import run
    from inscape.bench.screen import write_json
    from inscape.bench.summary import evidence_summary

    report = run(_recipes("inscape", baselines=True), limit=limit)
    write_json(report, json)
    typer.echo(evidence_summary(report))


@app.command()
def floor(data: Data, json: Json = None, limit: Limit = None) -> None:
    """What a score is worth: questions that memory can answer against questions that it cannot."""
    from inscape.bench.floor import run
    from inscape.bench.screen import write_json
    from inscape.bench.summary import floor_summary
    from inscape.recipes import INSCAPE

    report = run(data, INSCAPE, limit=limit)
    write_json(report, json)
    typer.echo(floor_summary(report))


@app.command()
def stages(data: Data, json: Json = None, limit: Limit = None) -> None:
    """What choosing candidates loses against ranking every turn, all conversations in one owner."""
    from inscape.bench.screen import write_json
    from inscape.bench.stages import run
    from inscape.bench.summary import evidence_summary
    from inscape.recipes import INSCAPE

    report = run(data, INSCAPE, limit=limit)
    write_json(report, json)
    typer.echo(evidence_summary(report))


def _recipes(measured: str, *, baselines: bool) -> tuple[Recipe, ...]:
    """The recipe of that name and, if wanted, the baselines it is measured against."""
    from inscape.recipes import BIMEM_FORMULA, BM25, DENSE, RECIPES, RRF, SIX_TERMS

    if measured not in RECIPES:
        raise InvalidInput(f"No recipe is called {measured!r}. The recipes are: {', '.join(RECIPES)}.")
    others = (DENSE, BM25, RRF, BIMEM_FORMULA, SIX_TERMS) if baselines else ()
    return (RECIPES[measured], *(one for one in others if one.name != measured))


def _numbers(given: str, option: str) -> tuple[int, ...]:
    try:
        numbers = tuple(sorted({int(part) for part in given.split(",")}))
    except ValueError:
        numbers = ()
    if not numbers or numbers[0] < 1:
        raise InvalidInput(f"{option} {given}: write whole numbers above 0 with commas between, like 500,1000.")
    return numbers
