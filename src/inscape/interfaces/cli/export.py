"""`inscape export`: all that is kept of a user, in a file that others can read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TextIO

import typer

from inscape.errors import InvalidInput, shown
from inscape.interfaces.cli.folder import check_kept, memory_in, user_named
from inscape.interfaces.cli.options import AsJson, Dir, User
from inscape.interfaces.cli.screen import json_text, print_json, visible
from inscape.interfaces.cli.wording import date_of, text_of

if TYPE_CHECKING:
    from inscape.items import Item
    from inscape.memory import Memory
    from inscape.records import Note, Turn

NOTE_MARK = "inscape-note:"
"""How the message id of an exported note begins. Imported elsewhere a note is a turn with the corrected words;
imported where it came from it is known."""

Format = Literal["jsonl", "json", "markdown"]


def export(
    user: User = None,
    format: Annotated[
        str,
        typer.Option("--format", metavar="NAME", help="jsonl (import reads it again), json, or markdown."),
    ] = "jsonl",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write it; else to stdout."),
    ] = None,
    folder: Dir = None,
    as_json: AsJson = False,
) -> None:
    """Write out all that is kept of a user and not deleted.

    The file appears under its name when it is whole. --json prints a summary, and needs -o.
    """
    user = user_named(user)
    lines_in = _FORMATS.get(format)
    if lines_in is None:
        raise InvalidInput(f"There is no export format {shown(format)}. Use {', '.join(_FORMATS)}.")
    if as_json and output is None:
        raise InvalidInput("--json prints a summary, so the export needs a file: add -o FILE.")
    with memory_in(folder) as memory:
        check_kept(memory, user)
        count = 0
        with _written(output) as file:
            for line, is_record in lines_in(memory, user):
                file.write(line)
                count += is_record
    if as_json:
        print_json({"user": user, "format": format, "file": str(output), "records": count})


def _jsonl(memory: Memory, user: str) -> Iterator[tuple[str, bool]]:
    yield json_text({"inscape_export": 1, "exported_at": datetime.now(UTC).isoformat()}) + "\n", False
    for record in memory.records(user_id=user):
        yield json_text(_plain(record, memory, user)) + "\n", True


def _json(memory: Memory, user: str) -> Iterator[tuple[str, bool]]:
    start = "["
    for item in _items(memory, user):
        yield f"{start}\n{json_text(item)}", True
        start = ","
    yield ("\n]\n" if start == "," else "[]\n"), False


def _markdown(memory: Memory, user: str) -> Iterator[tuple[str, bool]]:
    yield visible(f"# What is kept of {user}\n"), False
    session: str | None = None
    for item in _items(memory, user):
        if item["session_id"] != session:
            session = item["session_id"]
            yield visible(f"\n## {session}\n\n"), False
        said = visible(text_of(item)).replace("\n", "\n  ")
        kind = " (corrected)" if item["kind"] == "note" else ""
        yield f"- {date_of(item['created_at'])} **{visible(item['speaker'])}**{kind}: {said}\n", True


_FORMATS: dict[str, Callable[[Memory, str], Iterator[tuple[str, bool]]]] = {
    "jsonl": _jsonl,
    "json": _json,
    "markdown": _markdown,
}


def _plain(record: Turn | Note, memory: Memory, user: str) -> dict[str, object]:
    """A record as `importing.inscape_jsonl` reads it: a turn field by field, a note like a turn with its words."""
    from inscape.records import Turn

    if isinstance(record, Turn):
        return {field.name: _value(getattr(record, field.name)) for field in fields(record)}
    item = memory.get(record.id, user_id=user)
    said_at = None if item["created_at"] is None else datetime.fromisoformat(item["created_at"])
    offset = None if said_at is None else said_at.utcoffset()
    return {
        "id": record.id,
        "kind": "note",
        "message_id": f"{NOTE_MARK}{record.id}",
        "text": record.text,
        "speaker": record.subject,
        "said_at": None if said_at is None else said_at.astimezone(UTC).isoformat(),
        "utc_offset": 0 if offset is None else int(offset.total_seconds()),
        "sources": item["sources"],
        **{name: item[name] for name in ("role", "session_id", "agent_id", "run_id", "metadata", "added_at")},
    }


def _value(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value


def _items(memory: Memory, user: str) -> Iterator[Item]:
    from inscape.items import item_of
    from inscape.records import Turn

    for record in memory.records(user_id=user):
        yield item_of(record, record, user) if isinstance(record, Turn) else memory.get(record.id, user_id=user)


@contextmanager
def _written(path: Path | None) -> Generator[TextIO]:
    """Stdout, or a file that takes its name when it is whole. Raises InvalidInput."""
    if path is None or str(path) == "-":
        yield sys.stdout
        return
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written ({error.strerror}). Choose another file.") from error
    finally:
        part.unlink(missing_ok=True)
