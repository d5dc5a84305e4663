"""SQLite keeps every promise of the port."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from inscape.indexing import TextIndexing
from inscape.ports import Embedding, Indexing, Owners
from inscape.storage.owners import SqliteOwners
from inscape.testing import Clock, StoreContract, WordEmbedding, keep


def owners(folder: Path, *, indexing: Indexing, now: Callable[[], datetime]) -> Owners:
    return SqliteOwners(folder, indexing=indexing, now=now, silent_hours=6, tenant="default", most_open=64)


class TestSqlite(StoreContract):
    def owners(self, folder: Path, *, indexing: Indexing, now: Callable[[], datetime]) -> Owners:
        return owners(folder, indexing=indexing, now=now)


def asked(folder: Path, query: str) -> int:
    """A number from the file of the only owner."""
    (file,) = (folder / "owners").glob("*.sqlite")
    connection = sqlite3.connect(file)
    (number,) = connection.execute(query).fetchone()
    connection.close()
    return int(number)


def test_after_an_erasure_there_is_no_free_page_and_no_log(tmp_path: Path, clock: Clock) -> None:
    place = owners(tmp_path, indexing=TextIndexing(WordEmbedding()), now=clock)
    keep(place.open("ana"), *(f"number {n} " + "x" * 300 for n in range(100)))
    place.open("ana").erase([f"t{n}" for n in range(1, 90)])
    (log,) = (tmp_path / "owners").glob("*-wal")
    assert b"number 7 " not in log.read_bytes()
    assert asked(tmp_path, "PRAGMA freelist_count") == 0
    place.close()


def test_what_is_erased_while_it_is_embedded_again_leaves_no_vector(tmp_path: Path, clock: Clock) -> None:
    class Erasing(WordEmbedding):
        def embed(self, text: str) -> Embedding:
            if text.endswith("number 7"):
                store.erase(["t8"])
            return super().embed(text)

    old = owners(tmp_path, indexing=TextIndexing(WordEmbedding()), now=clock)
    store = old.open("ana")
    keep(store, *(f"number {n}" for n in range(20)))
    new = owners(tmp_path, indexing=TextIndexing(Erasing(96)), now=clock)
    new.reindex("ana", progress=lambda done, total: None)
    orphans = "SELECT count(*) FROM {} WHERE row NOT IN (SELECT row FROM turn)"
    assert asked(tmp_path, orphans.format("sentence")) == asked(tmp_path, orphans.format("token")) == 0
    assert asked(tmp_path, "SELECT count(*) FROM sentence") == 19
    for place in (old, new):
        place.close()
