"""Files as text: their first 64 kB, and their lines one at a time, in bounded memory."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from inscape.errors import WrongFormat, shown

HEAD_BYTES = 65_536
CHUNK_BYTES = 65_536
LONGEST_LINE = 2_000_000
"""Characters of one line that are kept: more than a message may have bytes."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_UNPACK = "Unpack it and import the chat inside (conversations.json, result.json or the .txt)."
_KINDS = (
    (b"%PDF", "a PDF", "Export the chat as JSON or text."),
    (b"\x89PNG", "a PNG image", "Export the chat as JSON or text; a screenshot cannot be read."),
    (b"\xff\xd8\xff", "a JPEG image", "Export the chat as JSON or text; a screenshot cannot be read."),
    (b"GIF8", "a GIF image", "Export the chat as JSON or text."),
    (b"PK\x03\x04", "a ZIP archive", _UNPACK),
    (b"\x1f\x8b", "a gzip archive", _UNPACK),
    (b"SQLite format 3", "a SQLite database", "Export the chats as JSON or text."),
)
_UNDECODED = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text file, without its end."""

    number: int
    """Counted from 1."""
    text: str
    unreadable: int = 0
    """Bytes that could not be decoded and stand as U+FFFD."""
    is_cut: bool = False
    """Whether it was longer than is kept."""


def head_of(path: Path) -> str:
    """The first 64 kB as text.

    Raises WrongFormat for whatever is no readable text file, with what to do instead.
    """
    head = _first_bytes(path)
    if not head:
        raise WrongFormat(f"{path} is empty. Export the chat again.")
    for magic, kind, advice in _KINDS:
        if head.startswith(magic):
            raise WrongFormat(f"{path} is {kind}, not an exported chat. {advice}")
    encoding = _encoding(head)
    if encoding == "utf-8" and b"\x00" in head[:1024]:
        raise WrongFormat(f"{path} is a binary file, not an exported chat. Export the chat as JSON or text.")
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head)
    if re.match(r"\s*<(?:!doctype|html|\?xml)", text, re.IGNORECASE):
        raise WrongFormat(
            f"{path} is an HTML page, not an exported chat. Export it as JSON (Telegram: machine-readable "
            "JSON; ChatGPT: conversations.json, not chat.html)."
        )
    if not text.strip():
        raise WrongFormat(f"{path} holds nothing but white space. Export the chat again.")
    return text


def chunks_of(path: Path) -> Iterator[str]:
    """The file's text in pieces. Bytes that are not UTF-8 stand as U+DC80 to U+DCFF (see `mended`)."""
    with path.open("rb") as file:
        chunk = file.read(CHUNK_BYTES)
        encoding = _encoding(chunk)
        errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
        decoder = codecs.getincrementaldecoder(encoding)(errors)
        while chunk:
            yield decoder.decode(chunk)
            chunk = file.read(CHUNK_BYTES)
        yield decoder.decode(b"", final=True)


def mended(text: str) -> tuple[str, int]:
    """Text of `chunks_of` with U+FFFD for what could not be decoded, and how many bytes that were.

    >>> mended("caf\\udce9")
    ('caf�', 1)
    """
    return (text, 0) if text.isascii() else _UNDECODED.subn("\ufffd", text)


def lines_of(path: Path, *, longest: int = LONGEST_LINE) -> Iterator[Line]:
    """The lines; of one that has more than `longest` characters only so many are kept."""
    number, held, size = 0, list[str](), 0
    for chunk in chunks_of(path):
        *ended, rest = chunk.split("\n")
        for piece in ended:
            number += 1
            yield _line(number, [*held, piece] if held else [piece], size + len(piece), longest)
            held, size = [], 0
        if rest:
            size += len(rest)
            if size - len(rest) < longest:
                held.append(rest)
    if held:
        yield _line(number + 1, held, size, longest)


def _line(number: int, pieces: list[str], size: int, longest: int) -> Line:
    text, unreadable = mended("".join(pieces)[:longest].removesuffix("\r"))
    return Line(number, text, unreadable, size > longest)


def _first_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise WrongFormat(f"{path} is a folder. Name the file inside that holds the chat.")
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except FileNotFoundError as error:
        raise WrongFormat(f"There is no file {path}. Check its name.") from error
    except (OSError, ValueError) as error:
        raise WrongFormat(f"{shown(str(path))} cannot be opened: {error}. Check its rights.") from error


def _encoding(head: bytes) -> str:
    return next((name for bom, name in _BOMS if head.startswith(bom)), "utf-8")
