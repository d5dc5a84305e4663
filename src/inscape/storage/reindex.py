"""Indexing a store again under another recipe, in steps that can be interrupted."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from inscape.ports import Indexing
from inscape.records import Note, Turn
from inscape.storage.claim import recipe_id
from inscape.storage.connect import transaction
from inscape.storage.rows import TURN, notes_where, turn_from
from inscape.storage.writing import insert_postings, insert_vectors, numbers, raise_number, set_number

_BATCH = 64


def reindexed(
    connection: sqlite3.Connection,
    path: Path,
    *,
    indexing: Indexing,
    progress: Callable[[int, int], None],
) -> tuple[int, int]:
    """How many texts were embedded, and the number of the recipe that is active now.

    Vectors of the new recipe are written beside those of the old one and take their place in one
    transaction at the end; until then the store works with the old model.
    """
    with transaction(connection, path):
        new = recipe_id(connection, indexing)
    done = last = 0
    while True:
        missing = _missing(connection, new, after=last)
        if not missing and last:
            last = 0
            continue
        if not missing:
            with transaction(connection, path):
                if not _missing(connection, new, after=0):
                    _switch(connection, new, indexing)
                    return done, new
            continue
        batch = [(row, indexing.indexed(record)) for row, record in missing]
        with transaction(connection, path):
            for row, indexed in batch:
                if _exists(connection, row):
                    insert_vectors(connection, row, indexed, recipe=new)
        done += len(batch)
        last = max(row for row, _ in batch)
        progress(done, done + _count_missing(connection, new))


def _switch(connection: sqlite3.Connection, new: int, indexing: Indexing) -> None:
    if numbers(connection).get("recipe") != new:
        for table in ("sentence", "token"):
            connection.execute(f"DELETE FROM {table} WHERE recipe != ?", (new,))  # noqa: S608
        connection.execute("DELETE FROM recipe WHERE id != ?", (new,))
        set_number(connection, "recipe", new)
    written = connection.execute("SELECT value FROM meta WHERE name = 'words'").fetchone()
    if written is None or written[0] != indexing.words:
        _rewrite_words(connection, indexing)
    raise_number(connection, "change", "rebuild")


def _rewrite_words(connection: sqlite3.Connection, indexing: Indexing) -> None:
    connection.execute("DELETE FROM posting")
    connection.execute("DELETE FROM term")
    for table, record_of in (("turn", _turn), ("note", _note)):
        for (row,) in connection.execute(f"SELECT row FROM {table}").fetchall():  # noqa: S608
            terms = indexing.terms(record_of(connection, row))
            connection.execute(f"UPDATE {table} SET length = ? WHERE row = ?", (len(terms), row))  # noqa: S608
            insert_postings(connection, row, terms)
    connection.execute(
        "INSERT INTO meta (name, value) VALUES ('words', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (indexing.words,),
    )


def _turn(connection: sqlite3.Connection, row: int) -> Turn:
    return turn_from(connection.execute(f"{TURN} WHERE turn.row = ?", (row,)).fetchone())


def _note(connection: sqlite3.Connection, row: int) -> Note:
    return notes_where(connection, "note.row = ?", (row,))[0]


def _exists(connection: sqlite3.Connection, row: int) -> bool:
    """Whether the row is still there: it may have been erased while it was embedded."""
    query = "SELECT EXISTS (SELECT 1 FROM turn WHERE row = :row) OR EXISTS (SELECT 1 FROM note WHERE row = :row)"
    return bool(connection.execute(query, {"row": row}).fetchone()[0])


def _missing(connection: sqlite3.Connection, recipe: int, *, after: int) -> list[tuple[int, Turn | Note]]:
    absent = "NOT EXISTS (SELECT 1 FROM sentence WHERE sentence.recipe = ? AND sentence.row = {}.row)"
    turns = connection.execute(
        f"{TURN} WHERE {absent.format('turn')} AND turn.row > ? ORDER BY turn.row LIMIT ?", (recipe, after, _BATCH)
    ).fetchall()
    found: list[tuple[int, Turn | Note]] = [(row[0], turn_from(row)) for row in turns]
    if not found:
        rows = connection.execute(
            f"SELECT row FROM note WHERE {absent.format('note')} LIMIT ?",  # noqa: S608
            (recipe, _BATCH),
        ).fetchall()
        found = [(row, _note(connection, row)) for (row,) in rows]
    return found


def _count_missing(connection: sqlite3.Connection, recipe: int) -> int:
    total, embedded = connection.execute(
        "SELECT (SELECT count(*) FROM turn) + (SELECT count(*) FROM note), "
        "(SELECT count(*) FROM sentence WHERE recipe = ?)",
        (recipe,),
    ).fetchone()
    return max(0, int(total) - int(embedded))
