"""Inscape's own export: a header line, then one turn a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta, timezone
from pathlib import Path

from inscape.errors import InvalidMessage, InvalidTimestamp, WrongFormat, shown
from inscape.importing.files import Line, lines_of
from inscape.importing.json_elements import as_dict
from inscape.importing.reading import Broken, Format, Mended, Read, Skipped, read_message, undecodable
from inscape.incoming import Defaults
from inscape.records import Message
from inscape.text.dates import read_timestamp

VERSION = 1
LONGEST_RECORD = 16_000_000
"""Characters of one line: 1 MB of text, escaped, and its metadata."""
_HEADER = re.compile(r'\s*\{\s*"inscape_export"\s*:')


def looks_like_inscape(head: str) -> bool:
    """Whether the first line is the header of an export."""
    return _HEADER.match(head) is not None


def read_inscape(path: Path, defaults: Defaults) -> Iterator[Read]:
    """The turns as they were: what they hold wins, and what they lack stays open, so that importing them
    into the same memory stores nothing twice. Ids of turns and changes are the new memory's own.

    Raises WrongFormat when there is no header or a newer inscape wrote it.
    """
    bare = Defaults(owner=defaults.owner)
    lines = lines_of(path, longest=LONGEST_RECORD)
    _check_header(path, next(lines, Line(1, "")))
    for line in lines:
        if line.unreadable:
            yield Mended(where=f"line {line.number}", notice=undecodable(line.unreadable))
        if line.text.strip():
            yield from _read_turn(line, defaults=bare)


def _check_header(path: Path, line: Line) -> None:
    try:
        version = as_dict(json.loads(line.text)).get("inscape_export")
    except ValueError:
        version = None
    if not isinstance(version, int):
        raise WrongFormat(
            f"{path} is no export of inscape: its first line must be a header with inscape_export. "
            "Use a file that `inscape export` wrote, or leave out --format."
        )
    if version > VERSION:
        raise WrongFormat(
            f"{path} was exported in version {version} by a newer inscape; this one reads version {VERSION}. "
            "Upgrade inscape."
        )


def _read_turn(line: Line, *, defaults: Defaults) -> Iterator[Read]:
    where = f"line {line.number}"
    try:
        raw = as_dict(json.loads(line.text))
    except (ValueError, RecursionError) as error:
        yield Broken(where=where, reason=f"The line is not JSON: {error}.")
        return
    if raw.get("set_aside_by") is not None:
        yield Skipped(where=where, reason="deleted before the export")
        return
    if not isinstance(raw.get("text"), str):
        yield Broken(where=where, reason=f"The line is no turn: it has no text ({shown(line.text)}).")
        return
    try:
        message = _as_message(raw)
        offset = _offset(raw)
    except (InvalidMessage, InvalidTimestamp) as error:
        yield Broken(where=where, reason=str(error))
        return
    for read in read_message(message, where=where, defaults=defaults):
        yield replace(read, utc_offset=offset) if isinstance(read, Message) else read


def _as_message(raw: dict[str, object]) -> dict[str, object]:
    moment = None
    if raw.get("said_at") is not None:
        moment, _ = read_timestamp(raw["said_at"])
        moment = moment.astimezone(timezone(timedelta(seconds=_offset(raw))))
    kept = ("role", "speaker", "session_id", "message_id", "captions", "agent_id", "run_id", "metadata")
    return {"content": raw["text"], "timestamp": moment} | {name: raw.get(name) for name in kept}


def _offset(raw: dict[str, object]) -> int:
    offset = raw.get("utc_offset", 0)
    if not isinstance(offset, int) or abs(offset) >= 86_400:
        raise InvalidTimestamp(f"utc_offset must be seconds within a day, not {shown(offset)}.")
    return offset


INSCAPE = Format(
    name="inscape",
    describes="a JSONL file that `inscape export` wrote",
    looks_like=looks_like_inscape,
    reads=read_inscape,
)
