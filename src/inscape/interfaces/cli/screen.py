"""What the command line prints: colour and wrapping on a terminal, plain lines in a pipe, JSON when asked."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, TextIO, TypeAlias

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

Piece: TypeAlias = str | tuple[str, str]
"""Text, or text and its style."""

_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def say(*pieces: Piece, indent: int = 0) -> None:
    """Print one line or several, all of them indented."""
    if sys.stdout.isatty():
        from rich.padding import Padding

        _console(sys.stdout).print(Padding(_text(pieces), (0, 0, 0, indent), expand=False))
    else:
        print(indented(_plain(pieces), indent))


def say_raw(text: str) -> None:
    """Print a block of text as it is: not wrapped, not coloured."""
    sys.stdout.write(visible(text))


def panel(title: str, lines: Sequence[Sequence[Piece]]) -> None:
    """Lines that belong together: in a frame on a terminal, under their title in a pipe."""
    if sys.stdout.isatty():
        from rich.panel import Panel
        from rich.text import Text

        body = Text("\n").join(_text(line) for line in lines)
        framed = Panel(body, title=Text(visible(title), style="bold"), title_align="left", padding=(0, 1))
        _console(sys.stdout).print(framed)
    else:
        print(visible(title))
        for line in lines:
            print(indented(_plain(line), 2))
        print()


def complain(message: str, *, label: str = "error: ") -> None:
    """One line on stderr."""
    one_line = " ".join(visible(message).split())
    if sys.stderr.isatty():
        from rich.text import Text

        text = Text.assemble((label, "bold red"), one_line)
        _console(sys.stderr).print(text, soft_wrap=True)
    else:
        print(f"{label}{one_line}", file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    """One JSON document on stdout."""
    print(json_text(value, indent=2))


def json_text(value: object, *, indent: int | None = None) -> str:
    """JSON in the alphabet that stdout can write."""
    encoding = (sys.stdout.encoding or "ascii").lower()
    return json.dumps(value, ensure_ascii=not encoding.startswith("utf"), indent=indent)


@contextmanager
def progress(what: str, *, unit: Literal["bytes", "turns"]) -> Generator[Callable[[int, int], None]]:
    """A bar on stderr, where that is a terminal; call what you get with how much is done, and of how much."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    amount = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), amount, TimeRemainingColumn())
    with Progress(*columns, console=_console(sys.stderr), transient=True) as bars:
        bar = bars.add_task(visible(what), total=None)
        yield lambda done, total: bars.update(bar, completed=done, total=total)


def visible(text: str) -> str:
    """Text that cannot steer a terminal: control characters stand as their pictures.

    >>> visible("red \\x1b[31m, a bell \\x07")
    'red ␛[31m, a bell ␇'
    """
    return _UNSAFE.sub(lambda found: _picture(ord(found[0])), text.replace("\r\n", "\n"))


def indented(text: str, indent: int) -> str:
    """Every line of it moved to the right.

    >>> indented("a\\nb", 2)
    '  a\\n  b'
    """
    return "\n".join(" " * indent + line if line else "" for line in text.split("\n"))


def _picture(code: int) -> str:
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"


def _plain(pieces: Sequence[Piece]) -> str:
    return visible("".join(piece if isinstance(piece, str) else piece[0] for piece in pieces))


def _text(pieces: Sequence[Piece]) -> Text:
    from rich.text import Text

    return Text.assemble(
        *(visible(piece) if isinstance(piece, str) else (visible(piece[0]), piece[1]) for piece in pieces)
    )


def _console(stream: TextIO) -> Console:
    from rich.console import Console

    return Console(file=stream, highlight=False, markup=False, emoji=False)
