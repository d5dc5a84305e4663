"""SQLite connections: opened with full durability, migrated, their errors in our words."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import Literal

from inscape.errors import NotAStore, StorageError, StoreBusy, StoreTooNew, StoreUnwritable

APPLICATION_ID = 0x1A5CA9E
"""Marks our files in SQLite's header."""
LOCK_SECONDS = 30.0
_NAP = 0.02


def opened(path: Path, *, kind: Literal["owner", "registry"], make: bool) -> sqlite3.Connection:
    """A connection in autocommit mode to a file of the newest schema; `make` the file where it is missing.

    A file that is refused stays as it was. Raises NotAStore, StoreTooNew, StoreUnwritable, StoreBusy.
    """
    with translated(path):
        if make:
            with suppress(OSError):  # SQLite says better what is wrong with the folder
                path.touch(mode=0o600)
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={'rwc' if make else 'rw'}", uri=True, timeout=LOCK_SECONDS,
            isolation_level=None, check_same_thread=False, cached_statements=256,
        )  # fmt: skip
        try:
            _check_kind(connection, path)
            _use_write_ahead_log(connection)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA temp_store = MEMORY")
            _migrate(connection, path, kind)
        except BaseException:
            connection.close()
            raise
        return connection


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """SQLite does not wait for a lock when it changes the journal's mode, so we do: two processes may make a file at
    the same moment."""
    for _ in range(int(LOCK_SECONDS / _NAP)):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(_NAP)
        else:
            return
    connection.execute("PRAGMA journal_mode = WAL")


def remove(path: Path) -> None:
    """Remove a file of ours and its log. The file goes last: until then the removal can be done again."""
    for ending in ("-wal", "-shm", ""):
        path.with_name(path.name + ending).unlink(missing_ok=True)


@contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Generator[None]:
    """A write transaction: all or nothing, durable at its end."""
    with translated(path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


@contextmanager
def translated(path: Path) -> Generator[None]:
    """SQLite's errors as ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise _in_our_words(error, path) from error


def integrity_problems(connection: sqlite3.Connection) -> list[str]:
    """What SQLite's own check finds wrong; empty when all is well."""
    try:
        found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [] if found == ["ok"] else found


def _in_our_words(error: sqlite3.Error, path: Path) -> StorageError:
    text = str(error)
    if "closed database" in text:
        return StorageError("This memory was closed. Open a new one to go on: Memory(path).")
    if "not a database" in text or "malformed" in text:
        return NotAStore(
            f"{path} is not a readable inscape store ({text}). Move it away or restore it from a copy; "
            "`inscape doctor` checks a folder."
        )
    if "full" in text:
        return StoreUnwritable(
            f"The disk is full: {path} could not be written. Nothing that was acknowledged is lost; free "
            "some space and try again."
        )
    if "readonly" in text or "unable to open" in text or "read-only" in text or "disk I/O error" in text:
        return StoreUnwritable(
            f"{path} cannot be written ({text}). Check that its folder exists and may be written, or choose "
            "another folder."
        )
    if "locked" in text or "busy" in text:
        return StoreBusy(f"Another process held {path} for over {LOCK_SECONDS:.0f} seconds. Try again when it is done.")
    return StorageError(f"{path}: {text}. `inscape doctor` checks a folder.")


def _migrate(connection: sqlite3.Connection, path: Path, kind: str) -> None:
    folder = resources.files("inscape.storage") / "sql" / kind
    scripts = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name)
    if _version(connection) == len(scripts):
        return
    connection.execute("BEGIN EXCLUSIVE")
    try:
        version = _version(connection)
        if version > len(scripts):
            raise StoreTooNew(
                f"{path} was written by a newer inscape (schema {version}, this one knows {len(scripts)}). "
                "Upgrade: pip install -U inscape."
            )
        for script in scripts[version:]:
            for statement in _statements(script.read_text(encoding="utf-8")):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(scripts)}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _check_kind(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file of another program before anything is written to it. Both facts are read in one view: another
    process may be making the file just now."""
    connection.execute("BEGIN")
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    connection.execute("COMMIT")
    if tables and not ours:
        raise NotAStore(f"{path} is an SQLite file of something else. Choose another folder.")


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
