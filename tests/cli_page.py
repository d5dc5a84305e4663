"""docs/cli.md, made from `--help`: `python -m tests.cli_page` writes it, a test compares it."""

from __future__ import annotations

from pathlib import Path

import typer
from typer.cli import get_docs_for_click

from inscape.interfaces.cli.app import app

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"


def page() -> str:
    """The whole page."""
    command = typer.main.get_command(app)
    context = command.make_context("inscape", [], resilient_parsing=True)
    text = get_docs_for_click(obj=command, ctx=context, name="inscape", title="inscape")  # pyright: ignore[reportArgumentType]
    return "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
