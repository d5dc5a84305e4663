"""How a command ends: one line on what went wrong, and an exit code that a script can use."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from inscape.errors import InscapeError, InvalidInput, ModelError, StorageError, UnknownId
from inscape.interfaces.cli.screen import complain, print_json

OK = 0
NOTHING_FOUND = 1
REFUSED = 1
WRONG_INPUT = 2
STORE = 3
MODEL = 4
INTERRUPTED = 130

EPILOG = "\n\n".join(
    (
        "Exit codes: 0 done.",
        "1 nothing found (search, recall), or something was refused (add, import).",
        "2 wrong input.   3 trouble with the store.   4 trouble with the model.   130 interrupted.",
    )
)

_CODES: tuple[tuple[type[InscapeError], int], ...] = (
    (InvalidInput, WRONG_INPUT),
    (UnknownId, WRONG_INPUT),
    (StorageError, STORE),
    (ModelError, MODEL),
)


def code_of(error: InscapeError) -> int:
    """The exit code that stands for a kind of error."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), WRONG_INPUT)


def error_json(error: Exception, message: str | None = None) -> dict[str, dict[str, str]]:
    """An error as `--json` prints it."""
    return {"error": {"kind": type(error).__name__, "message": str(error) if message is None else message}}


class CommandsThatEndWell(TyperGroup):
    """Runs a command and turns what inscape raises into a sentence and an exit code."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[_WANTS_JSON] = wants_json(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        as_json = bool(ctx.meta.get(_WANTS_JSON))
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except InscapeError as error:
            _report(error_json(error), as_json=as_json)
            raise typer.Exit(code_of(error)) from error
        except (KeyboardInterrupt, typer.Abort) as error:
            complain("interrupted. Nothing that was reported as stored is lost.", label="")
            raise typer.Exit(INTERRUPTED) from error
        except Exception as error:
            message = _usage(error)
            if message is None or not as_json:
                raise
            print_json(error_json(error, message))
            raise typer.Exit(WRONG_INPUT) from error
        return result


def wants_json(args: Sequence[str]) -> bool:
    """Whether `--json` is among the options; that of `bench` names a file and does not count.

    >>> wants_json(["add", "--json", "x"]), wants_json(["add", "--", "--json"])
    (True, False)
    """
    options = args[: args.index("--")] if "--" in args else args
    return "--json" in options and options[0] != "bench"


_WANTS_JSON = "inscape.wants_json"


def _report(error: dict[str, dict[str, str]], *, as_json: bool) -> None:
    if as_json:
        print_json(error)
    else:
        complain(error["error"]["message"])


def _usage(error: Exception) -> str | None:
    """The message of Typer's own errors, whose common class has another home in each of its versions."""
    formatted = getattr(error, "format_message", None)
    return str(formatted()) if callable(formatted) else None
