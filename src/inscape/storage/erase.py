"""Destroying turns, and proving that nothing of them is left."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from inscape.errors import StorageError, StoreBusy

_LOOKED_FOR = 200
"""At most so many texts are looked for byte by byte, the longest first."""
_TABLES = ("turn", "note", "source", "posting", "sentence", "token")
_TEXTS = {
    "turn": ("text", "captions", "metadata", "message_id", "agent_id", "run_id"),
    "note": ("text",),
    "session": ("name", "agent_id"),
    "speaker": ("name",),
    "term": ("word",),
    "meta": ("value",),
    "sqlite_master": ("sql",),
}
"""Every column that holds words."""


def erased(connection: sqlite3.Connection, rows: Sequence[int]) -> tuple[list[str], int]:
    """Delete turns and the notes that rest on them alone, with all words and vectors of both.

    Runs in a transaction. The texts that are gone, and how many notes.
    """
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS doomed (row INTEGER PRIMARY KEY)")
    connection.execute("DELETE FROM doomed")
    connection.executemany("INSERT OR IGNORE INTO doomed VALUES (?)", [(row,) for row in rows])
    notes = connection.execute(
        "SELECT note FROM source GROUP BY note HAVING sum(turn NOT IN (SELECT row FROM doomed)) = 0"
    ).fetchall()
    texts = [text for (text,) in connection.execute("SELECT text FROM turn WHERE row IN (SELECT row FROM doomed)")]
    connection.execute("DELETE FROM source WHERE turn IN (SELECT row FROM doomed)")
    connection.executemany("INSERT OR IGNORE INTO doomed VALUES (?)", notes)
    texts += [text for (text,) in connection.execute("SELECT text FROM note WHERE row IN (SELECT row FROM doomed)")]
    for table in ("note", "turn", "posting", "sentence", "token"):
        connection.execute(f"DELETE FROM {table} WHERE row IN (SELECT row FROM doomed)")  # noqa: S608
    connection.execute("DELETE FROM doomed")
    connection.execute("DELETE FROM term WHERE id NOT IN (SELECT term FROM posting)")
    connection.execute("DELETE FROM session WHERE id NOT IN (SELECT session FROM turn)")
    connection.execute(
        "DELETE FROM speaker WHERE id NOT IN (SELECT speaker FROM turn) AND id NOT IN (SELECT subject FROM note)"
    )
    connection.execute(
        "DELETE FROM change WHERE id NOT IN (SELECT change_id FROM turn) AND id NOT IN (SELECT change_id FROM note) "
        "AND id NOT IN (SELECT set_aside_by FROM turn WHERE set_aside_by IS NOT NULL) "
        "AND id NOT IN (SELECT closed_by FROM note WHERE closed_by IS NOT NULL)"
    )
    return texts, len(notes)


def swept(connection: sqlite3.Connection, path: Path, texts: Sequence[str]) -> list[str]:
    """Empty the log, rewrite the file without free pages, and look for `texts` in every byte of both.

    Where it looked. Raises StorageError when something is left, StoreBusy when another process still reads
    the old log.
    """
    _checkpoint(connection, path)
    connection.execute("VACUUM")
    _checkpoint(connection, path)
    wanted: list[bytes] = []
    for text in sorted(set(texts), key=len, reverse=True)[:_LOOKED_FOR]:
        piece = text.encode()[:48]
        if len(piece) >= 8 and not _still_said(connection, text):
            wanted.append(piece)
    for file in (path, path.with_name(path.name + "-wal")):
        content = file.read_bytes() if file.exists() else b""
        left = sum(piece in content for piece in wanted)
        if left:
            raise StorageError(
                f"{left} erased texts were still found in {file.name}. Erase the owner to be sure that they are gone."
            )
    return [*_TABLES, "write-ahead log", "free pages", f"file bytes, for {len(wanted)} texts"]


def _still_said(connection: sqlite3.Connection, text: str) -> bool:
    """Whether something that stays holds the start of the text too: a record, or a single word of one."""
    start = text.encode()[:48].decode(errors="ignore")
    for table, columns in _TEXTS.items():
        held = " OR ".join(f"instr({column}, :start)" for column in columns)
        if connection.execute(f"SELECT 1 FROM {table} WHERE {held} LIMIT 1", {"start": start}).fetchone():  # noqa: S608
            return True
    return False


def _checkpoint(connection: sqlite3.Connection, path: Path) -> None:
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise StoreBusy(
            f"The records are erased, but another process still reads the old log of {path.name}. Close it; the log "
            "is emptied when the store is opened next."
        )
