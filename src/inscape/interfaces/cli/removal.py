"""What a removal is about, printed before it happens, and the question whether it shall."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from inscape.errors import InvalidInput
from inscape.interfaces.cli.screen import say
from inscape.interfaces.cli.wording import date_of, text_of

if TYPE_CHECKING:
    from inscape.items import Item

_MOST_SHOWN = 50
_LONGEST = 100


def print_items(items: Sequence[Item], *, most: int = _MOST_SHOWN) -> None:
    """One line each, the first of them."""
    for item in items[:most]:
        text = " ".join(text_of(item).split())
        text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
        say(
            item["id"],
            "  ",
            (date_of(item["created_at"]), "cyan"),
            "  ",
            (item["speaker"], "bold"),
            f": {text}",
            indent=2,
        )
    if len(items) > most:
        say(f"and {len(items) - most:,} more", indent=2)


def confirm(question: str, *, yes: bool) -> bool:
    """Whether it shall happen: said so before, or answered on a terminal.

    Raises InvalidInput where nobody can answer.
    """
    if yes:
        return True
    if not _is_terminal():
        raise InvalidInput("Nobody can confirm this here, so nothing was removed. Pass --yes to go ahead.")
    return typer.confirm(question, err=True)


def _is_terminal() -> bool:
    return sys.stdin.isatty()
