"""`inscape bench`: handed on to `inscape.bench.command`, which is loaded only when it is called."""

from __future__ import annotations

import typer


def bench(context: typer.Context) -> None:
    """Measure it: on LoCoMo, for speed, in Chinese. `inscape bench --help` says more."""
    from inscape.bench.command import app

    code: object = app(args=list(context.args), prog_name="inscape bench", standalone_mode=False)
    if isinstance(code, int) and code:
        raise typer.Exit(code)
