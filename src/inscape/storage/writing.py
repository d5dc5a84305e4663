"""The statements that write an owner's file. All run inside a transaction that the store opens."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from inscape.algorithms.packing import tokens_of
from inscape.errors import StorageError, UnknownId
from inscape.ports import Indexed
from inscape.records import Message, NewNote
from inscape.storage.rows import local_day, micros, same_digest
from inscape.storage.vectors import sentence_blob
from inscape.text.cues import cues_of

_TAKEN_AWAY = " It was corrected or deleted since, and stays so."
_KNOWN_BY_ID = "Its id was stored before."
_KNOWN_BY_TIME = "To keep it as a message of its own, pass an id."
_KNOWN_BY_TEXT = "To keep it as a message of its own, pass a timestamp or an id."
Number = Literal["change", "removal", "rebuild"]


def numbers(connection: sqlite3.Connection) -> dict[str, int]:
    """The counters of the file: `change` rises with every write, `removal` when rows left or came back,
    `rebuild` when an index in memory must start again; `recipe` is the active one, `next_row` the next. `erased`
    says that the owner is being erased, `unswept` that an erasure has not yet emptied the log."""
    found = connection.execute("SELECT name, value FROM meta WHERE name IN (?, ?, ?, ?, ?, ?, ?)", _NUMBERS)
    return {name: int(value) for name, value in found}


_NUMBERS = ("change", "removal", "rebuild", "recipe", "next_row", "erased", "unswept")


def set_number(connection: sqlite3.Connection, name: str, value: int) -> None:
    connection.execute(
        "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, str(value)),
    )


def raise_number(connection: sqlite3.Connection, *names: Number) -> None:
    """Count a write."""
    now = numbers(connection)
    for name in names:
        set_number(connection, name, now.get(name, 0) + 1)


def new_change(connection: sqlite3.Connection, *, verb: str, author: str, made_at: int) -> int:
    """Record a step; its id."""
    change = connection.execute(
        "INSERT INTO change (verb, author, made_at) VALUES (?, ?, ?)", (verb, author, made_at)
    ).lastrowid
    if change is None:
        raise StorageError("SQLite gave no id for a change. `inscape doctor` checks a folder.")
    return change


def earlier_turn(connection: sqlite3.Connection, message: Message, *, before: int) -> tuple[int, str | None] | None:
    """The turn that holds this message already, with what to do to keep another; None where there is none.

    The advice is None where the id is taken by a turn that says something else. Only rows under `before`
    count, so that equal messages of one call stay apart; an id counts always.
    """
    if message.message_id is not None:
        held = connection.execute(
            "SELECT row, set_aside_by, text = ? AND captions = ? FROM turn WHERE message_id = ?",
            (message.text, _json(message.captions), message.message_id),
        ).fetchone()
        advice = _KNOWN_BY_ID if held is not None and held[2] else None
    else:
        query = "SELECT row, set_aside_by FROM turn WHERE same = ? AND row < ?"
        given: list[object] = [same_digest(message), before]
        if message.said_at is not None:
            query += " AND said_at = ?"
            given.append(micros(message.said_at))
        held = connection.execute(f"{query} ORDER BY set_aside_by IS NOT NULL, row LIMIT 1", given).fetchone()
        advice = _KNOWN_BY_TEXT if message.said_at is None else _KNOWN_BY_TIME
    if held is None:
        return None
    return held[0], advice + _TAKEN_AWAY if advice and held[1] is not None else advice


def insert_turn(
    connection: sqlite3.Connection,
    row: int,
    message: Message,
    indexed: Indexed,
    *,
    recipe: int,
    change: int,
    added_at: int,
    silence: int,
) -> None:
    """Store one message with its words and vectors."""
    said_at = None if message.said_at is None else micros(message.said_at)
    session = _session(connection, message, at=added_at if said_at is None else said_at, silence=silence)
    connection.execute(
        "INSERT INTO turn (row, session, speaker, role, day, cues, length, size, said_at, utc_offset, added_at, "
        "agent_id, run_id, infer, message_id, same, change_id, captions, metadata, text) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            row, session, _speaker(connection, message.speaker), message.role, local_day(message),
            int(cues_of(message.text)), len(indexed.terms), tokens_of(message.text), said_at, message.utc_offset,
            added_at, message.agent_id, message.run_id, message.infer, message.message_id, same_digest(message), change,
            _json(message.captions), _json(message.metadata), message.text,
        ),
    )  # fmt: skip
    insert_postings(connection, row, indexed.terms)
    insert_vectors(connection, row, indexed, recipe=recipe)


def insert_note(
    connection: sqlite3.Connection,
    row: int,
    note: NewNote,
    indexed: Indexed,
    *,
    recipe: int,
    change: int,
    made_at: int,
) -> int:
    """Store a note, or the next version of one; the number of its id."""
    number, version = row, 1
    if note.revises is not None:
        number = int(note.revises[1:])
        latest = connection.execute("SELECT max(version) FROM note WHERE number = ?", (number,)).fetchone()[0]
        if latest is None:
            raise UnknownId(f"There is no note {note.revises} to revise.")
        version = latest + 1
        close_note(connection, number, change=change, at=made_at)
    connection.execute(
        "INSERT INTO note (row, number, version, subject, kind, length, valid_from, valid_to, believed_from, "
        "confidence, author, change_id, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            row, number, version, _speaker(connection, note.subject), note.kind, len(indexed.terms),
            None if note.valid_from is None else micros(note.valid_from),
            None if note.valid_to is None else micros(note.valid_to),
            made_at, note.confidence, note.author, change, note.text,
        ),
    )  # fmt: skip
    connection.executemany(
        'INSERT INTO source (note, turn, start, "end") VALUES (?, ?, ?, ?)',
        [(row, int(source.turn_id[1:]), source.start, source.end) for source in note.sources],
    )
    insert_postings(connection, row, indexed.terms)
    insert_vectors(connection, row, indexed, recipe=recipe)
    return number


def close_note(connection: sqlite3.Connection, number: int, *, change: int, at: int) -> None:
    """Close the living version of a note; nothing where it is closed."""
    connection.execute(
        "UPDATE note SET closed_by = ?, believed_to = ? WHERE number = ? AND closed_by IS NULL",
        (change, at, number),
    )


def insert_postings(connection: sqlite3.Connection, row: int, terms: Sequence[str]) -> None:
    """Which terms a row holds, and how often each."""
    counts = Counter(terms)
    connection.executemany("INSERT OR IGNORE INTO term (word) VALUES (?)", [(term,) for term in counts])
    connection.executemany(
        "INSERT INTO posting (term, row, tf) SELECT id, ?, ? FROM term WHERE word = ?",
        [(row, count, term) for term, count in counts.items()],
    )


def insert_vectors(connection: sqlite3.Connection, row: int, indexed: Indexed, *, recipe: int) -> None:
    """A row's vectors under one recipe; nothing where the model could not be reached."""
    if indexed.embedding is None:
        return
    connection.execute(
        "INSERT OR REPLACE INTO sentence (recipe, row, vector) VALUES (?, ?, ?)",
        (recipe, row, sentence_blob(indexed.embedding.sentence)),
    )
    if indexed.embedding.tokens.size:
        connection.execute(
            "INSERT OR REPLACE INTO token (recipe, row, vectors) VALUES (?, ?, ?)",
            (recipe, row, indexed.embedding.tokens.tobytes()),
        )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _speaker(connection: sqlite3.Connection, name: str) -> int:
    found = connection.execute("SELECT id FROM speaker WHERE name = ?", (name,)).fetchone()
    if found is None:
        connection.execute("INSERT INTO speaker (name) VALUES (?)", (name,))
        return _speaker(connection, name)
    return int(found[0])


def _session(connection: sqlite3.Connection, message: Message, *, at: int, silence: int) -> int:
    """The stretch of the session that takes this message: the latest of its name, unless the caller ended
    it or it has been silent for too long. A new stretch ends the others of that agent."""
    latest = connection.execute(
        "SELECT id, last_at, ended_by FROM session WHERE name = ? AND agent_id IS ? ORDER BY id DESC LIMIT 1",
        (message.session_id, message.agent_id),
    ).fetchone()
    if latest is not None and latest[2] in (None, "next") and abs(at - latest[1]) <= silence:
        session = int(latest[0])
        connection.execute("UPDATE session SET last_at = max(last_at, ?), ended_by = NULL WHERE id = ?", (at, session))
        if latest[2] is None:
            return session
    else:
        if latest is not None:
            connection.execute(
                "UPDATE session SET ended_by = 'silence' WHERE id = ? AND ended_by IS NULL", (latest[0],)
            )
        session = (
            connection.execute(
                "INSERT INTO session (name, agent_id, last_at) VALUES (?, ?, ?)",
                (message.session_id, message.agent_id, at),
            ).lastrowid
            or 0
        )
    connection.execute(
        "UPDATE session SET ended_by = 'next' WHERE agent_id IS ? AND ended_by IS NULL AND id != ?",
        (message.agent_id, session),
    )
    return session
