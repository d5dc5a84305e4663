"""What a benchmark prints: a bar on stderr where that is a terminal, a table on stdout, JSON in a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from inscape.errors import InvalidInput


@contextmanager
def bar(what: str, *, total: int) -> Generator[Callable[[int], None]]:
    """A progress bar; call what you get with how many more are done."""
    if not sys.stderr.isatty():
        yield lambda _more: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=total)
        yield lambda more: bars.advance(task, more)


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows under a heading, columns aligned, the first to the left.

    >>> print(table(["", "500"], [["dense", "52.8"], ["ours", "9"]]))
            500
    dense  52.8
    ours      9
    """
    every = [heading, *rows]
    widths = [max(len(row[column]) for row in every) for column in range(len(heading))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in every
    )


def percent(share: float) -> str:
    """A share as it stands in a table.

    >>> percent(0.876)
    '87.6'
    """
    return f"{100 * share:.1f}"


def write_json(report: Mapping[str, object], path: Path | None) -> None:
    """Write a report to a file, whole or not at all. Raises InvalidInput."""
    if path is None:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.new")
        fresh.write_text(json.dumps(report, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written ({error.strerror}). Choose another file.") from error
