"""The formats that can be imported, by name or by the look of a file."""

from __future__ import annotations

from pathlib import Path

from inscape.errors import WrongFormat, shown
from inscape.importing.chatgpt import CHATGPT
from inscape.importing.claude import CLAUDE
from inscape.importing.files import head_of
from inscape.importing.inscape_jsonl import INSCAPE
from inscape.importing.openai import OPENAI
from inscape.importing.plain import PLAIN
from inscape.importing.reading import Format
from inscape.importing.telegram import TELEGRAM
from inscape.importing.whatsapp import WHATSAPP

FORMATS: tuple[Format, ...] = (INSCAPE, CHATGPT, CLAUDE, TELEGRAM, OPENAI, WHATSAPP, PLAIN)
"""In the order in which a file is tried: the most particular first."""


def format_named(name: str) -> Format:
    """The format of that name. Raises WrongFormat with the names there are."""
    for format in FORMATS:
        if format.name == name:
            return format
    raise WrongFormat(f"No format is called {shown(name)}. The formats are: {_names()}.")


def detect(path: Path) -> Format:
    """The format that the first 64 kB of the file look like. Raises WrongFormat."""
    head = head_of(path)
    for format in FORMATS:
        if format.looks_like(head):
            return format
    raise WrongFormat(
        f"{path} is in no format that is recognised: it starts with {shown(head[:60])}. "
        f"If you know what it is, say so with --format ({_names()})."
    )


def _names() -> str:
    return ", ".join(format.name for format in FORMATS)
