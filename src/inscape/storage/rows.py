"""Between records and rows of the file."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from inscape.errors import UnknownId, shown
from inscape.records import Filter, Message, Note, Source, Turn

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

TURN = (
    "SELECT turn.row, turn.text, speaker.name, turn.role, session.name, turn.message_id, turn.said_at, "
    "turn.utc_offset, turn.captions, turn.agent_id, turn.run_id, turn.metadata, turn.added_at, turn.infer, "
    "turn.change_id, turn.set_aside_by FROM turn JOIN session ON session.id = turn.session "
    "JOIN speaker ON speaker.id = turn.speaker "
)
NOTE = (
    "SELECT note.row, note.number, note.version, note.text, speaker.name, note.kind, note.valid_from, "
    "note.valid_to, note.believed_from, note.believed_to, note.confidence, note.author, note.change_id, "
    "note.closed_by, note.pinned FROM note JOIN speaker ON speaker.id = note.subject "
)


def micros(moment: datetime) -> int:
    """Microseconds since 1970, UTC."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def moment(at: int) -> datetime:
    return EPOCH + timedelta(microseconds=at)


def _moment_or_none(at: int | None) -> datetime | None:
    return None if at is None else moment(at)


def local_day(message: Message) -> int:
    """The day on the speaker's calendar, as a proleptic ordinal; 0 without a time."""
    if message.said_at is None:
        return 0
    return (message.said_at + timedelta(seconds=message.utc_offset)).toordinal()


def same_digest(message: Message) -> bytes:
    """Equal for messages of the same session, speaker, text and captions."""
    parts = [message.session_id, message.speaker, message.text, *message.captions]
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).digest()


def turn_from(row: Sequence[Any]) -> Turn:
    """A turn from a row of TURN."""
    (number, text, speaker, role, session, message_id, said_at, offset, captions, agent, run, metadata, added, infer,
     change, set_aside) = row  # fmt: skip
    return Turn(
        id=f"t{number}",
        text=text,
        speaker=speaker,
        role=role,
        session_id=session,
        message_id=message_id,
        said_at=_moment_or_none(said_at),
        utc_offset=offset,
        captions=tuple(json.loads(captions)),
        agent_id=agent,
        run_id=run,
        metadata=json.loads(metadata),
        added_at=moment(added),
        infer=bool(infer),
        change_id=change,
        set_aside_by=set_aside,
    )


def note_from(row: Sequence[Any], sources: tuple[Source, ...]) -> Note:
    """A note version from a row of NOTE."""
    (_, number, version, text, subject, kind, valid_from, valid_to, believed_from, believed_to, confidence,
     author, change, closed, pinned) = row  # fmt: skip
    return Note(
        id=f"n{number}",
        version=version,
        text=text,
        subject=subject,
        kind=kind,
        sources=sources,
        valid_from=_moment_or_none(valid_from),
        valid_to=_moment_or_none(valid_to),
        believed_from=moment(believed_from),
        believed_to=_moment_or_none(believed_to),
        confidence=confidence,
        author=author,
        change_id=change,
        closed_by=closed,
        pinned=bool(pinned),
    )


def notes_where(connection: sqlite3.Connection, condition: str, given: Sequence[object]) -> list[Note]:
    """Note versions by an SQL condition of ours, oldest first."""
    found: list[Note] = []
    for row in connection.execute(f"{NOTE} WHERE {condition} ORDER BY note.row", given).fetchall():
        sources = tuple(
            Source(turn_id=f"t{turn}", start=start, end=end)
            for turn, start, end in connection.execute(
                'SELECT turn, start, "end" FROM source WHERE note = ? ORDER BY turn, start', (row[0],)
            )
        )
        found.append(note_from(row, sources))
    return found


def number_of(id: str, connection: sqlite3.Connection) -> tuple[str, int]:
    """Kind (`t` or `n`) and number of an id; a caller's own message id is found too.

    Raises UnknownId.
    """
    kind, digits = id[:1], id[1:]
    if kind in ("t", "n") and re.fullmatch(r"[1-9][0-9]{0,10}", digits):
        column = "row" if kind == "t" else "number"
        table = "turn" if kind == "t" else "note"
        query = f"SELECT 1 FROM {table} WHERE {column} = ?"  # noqa: S608
        if connection.execute(query, (int(digits),)).fetchone():
            return kind, int(digits)
    by_message = connection.execute("SELECT row FROM turn WHERE message_id = ?", (id,)).fetchone()
    if by_message is not None:
        return "t", int(by_message[0])
    raise UnknownId(
        f"This owner has no record {shown(id)}. Ids come from add, search and get_all, and belong to one owner."
    )


def condition_of(within: Filter) -> tuple[str, list[object]]:
    """A filter as an SQL condition on turn, session and speaker, with its values."""
    clauses: list[str] = ["1"]
    values: list[object] = []

    def require(clause: str, value: object, as_value: Callable[[object], object] = lambda value: value) -> None:
        if value is not None:
            clauses.append(clause)
            values.append(as_value(value))

    require("speaker.name = ? COLLATE NOCASE", within.speaker)
    require("session.name = ?", within.session_id)
    require("turn.agent_id = ?", within.agent_id)
    require("turn.run_id = ?", within.run_id)
    require("turn.role = ?", within.role)
    if within.since is not None:
        require("ifnull(turn.said_at, turn.added_at) >= ?", micros(within.since))
    if within.until is not None:
        require("ifnull(turn.said_at, turn.added_at) <= ?", micros(within.until))
    for key, value in within.metadata.items():
        clauses.append(
            "EXISTS (SELECT 1 FROM json_each(turn.metadata) AS m JOIN json_each(?) AS w ON m.key = w.key "
            "AND m.type = w.type AND m.value IS w.value)"
        )
        values.append(json.dumps({key: value}, ensure_ascii=False))
    return " AND ".join(clauses), values
