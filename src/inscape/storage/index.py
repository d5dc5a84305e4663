"""The owner's turns and notes as arrays in memory: what choosing candidates needs, and no text.

A slot is a place in these arrays; slots stand in the order of their rows in the file. The index carries
the store's change numbers and follows what other processes write.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from inscape.algorithms.windows import Links, Posting
from inscape.storage.vectors import sentence_from

Kind = TypeVar("Kind", bound=np.generic)

KEPT_POSTINGS = 4_000_000
"""Postings kept in memory (8 bytes each); beyond it the terms used longest ago are dropped."""
KEPT_TOKEN_BYTES = 24_000_000
"""Token vectors kept in memory; enough that small owners are read from disk once."""

_OVERHEAD = 120
"""Bytes that a cached blob costs besides its own."""
_BLOCK = 4096
"""Sentence vectors stand in blocks of so many, so that a growing store never copies them."""

_TURNS = "SELECT row, session, speaker, role = 'user', day, cues, length, 0, row, size FROM turn WHERE row > ?"
_NOTES = (
    "SELECT row, -row, subject, 1, ifnull(valid_from / 86400000000 + 719163, 0), 0, length, 1, number, 0 "
    "FROM note WHERE row > ?"
)
_DEAD = (
    "SELECT row FROM turn WHERE set_aside_by IS NOT NULL UNION ALL "
    "SELECT row FROM note WHERE closed_by IS NOT NULL ORDER BY row"
)
ROW, SESSION, SPEAKER, USER, DAY, CUES, LENGTH, NOTE, NUMBER, SIZE = range(10)

LONGEST_NEIGHBOUR = 120
"""A turn of more tokens stands alone: it neither lends words to its neighbours nor borrows theirs."""
LONGEST_STRETCH = 1500
"""Tokens after which a session counts as another stretch for what its turns have in common."""


class Index:
    """Arrays over one owner's rows for one embedding recipe. Not safe for threads by itself."""

    def __init__(self, *, recipe: int, dimension: int, token_dimension: int) -> None:
        self.recipe = recipe
        self.dimension = dimension
        self.token_dimension = token_dimension
        self.count = 0
        self._columns = np.zeros((10, 0), dtype=np.int32)
        self._blocks: list[NDArray[np.float32]] = []
        self._readable = np.zeros(0, dtype=np.bool_)
        self._alive = np.zeros(0, dtype=np.bool_)
        self._before = np.zeros(0, dtype=np.int32)
        self._after = np.zeros(0, dtype=np.int32)
        self._stretch = np.zeros(0, dtype=np.int32)
        self._stretches = 0
        self._end_of: dict[int, tuple[int, int, int]] = {}
        self._postings: OrderedDict[int, tuple[int, Posting]] = OrderedDict()
        self._kept_postings = 0
        self._tokens: OrderedDict[int, bytes] = OrderedDict()
        self._kept_token_bytes = 0

    def column(self, which: int) -> NDArray[np.int32]:
        """(count,) one column of all slots."""
        return self._columns[which, : self.count]

    def cosines(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """(count,) cosine of each slot's sentence vector; 0 where a text could not be read or is not embedded yet."""
        found = np.zeros(len(self._blocks) * _BLOCK, dtype=np.float32)
        for place, block in enumerate(self._blocks):
            found[place * _BLOCK : (place + 1) * _BLOCK] = block @ vector
        return found[: self.count]

    @property
    def readable(self) -> NDArray[np.bool_]:
        """Which slots have a sentence vector."""
        return self._readable[: self.count]

    @property
    def alive(self) -> NDArray[np.bool_]:
        return self._alive[: self.count]

    @property
    def links(self) -> Links:
        return Links(self._before[: self.count], self._after[: self.count])

    @property
    def stretch(self) -> NDArray[np.int32]:
        """A number for each slot, equal within a stretch of a session."""
        return self._stretch[: self.count]

    @property
    def mean_length(self) -> float:
        lengths = self.column(LENGTH)[self.alive]
        return float(lengths.mean()) if lengths.size else 1.0

    def follow(self, connection: sqlite3.Connection, *, dead_changed: bool) -> None:
        """Take in rows that are new in the file and, where asked, which rows still live."""
        last = int(self._columns[ROW, self.count - 1]) if self.count else 0
        fresh = np.concatenate([*_pages(connection, _TURNS, last), *_pages(connection, _NOTES, last), _NO_ROWS]).T
        first_new = self.count
        if fresh.size:
            fresh = fresh[:, np.argsort(fresh[ROW])]
            self._grow(fresh.shape[1])
            self._columns[:, first_new : self.count] = fresh
            self._alive[first_new : self.count] = True
            self._read_sentences(connection, last)
        if dead_changed:
            dead = np.array([row for (row,) in connection.execute(_DEAD)], dtype=np.int32)
            alive = ~np.isin(self.column(ROW), dead)
            if not np.array_equal(alive[:first_new], self._alive[:first_new]):
                first_new = 0
                self._end_of.clear()
            self._alive[: self.count] = alive
        self._link(first_new)

    def postings(self, connection: sqlite3.Connection, term_ids: Sequence[int | None]) -> list[Posting]:
        """Where each term stands, as slots, living or not; an empty one for a term that is unknown."""
        return [self._posting(connection, term) for term in term_ids]

    def tokens(self, connection: sqlite3.Connection, slots: NDArray[np.int32]) -> list[bytes]:
        """The token vectors of each slot, int8, row after row; empty where there are none."""
        rows: list[int] = self.column(ROW)[slots].tolist()
        missing = [row for row in rows if row not in self._tokens]
        fetched = dict(self._fetch_tokens(connection, missing))
        for row in missing:
            self._tokens[row] = fetched.get(row, b"")
            self._kept_token_bytes += len(self._tokens[row]) + _OVERHEAD
        found: list[bytes] = []
        for row in rows:
            self._tokens.move_to_end(row)
            found.append(self._tokens[row])
        while self._kept_token_bytes > KEPT_TOKEN_BYTES:
            _, blob = self._tokens.popitem(last=False)
            self._kept_token_bytes -= len(blob) + _OVERHEAD
        return found

    def slots_of(self, rows: Iterable[int]) -> NDArray[np.int64]:
        """The slots of rows that are known to be in the file."""
        return np.searchsorted(self.column(ROW), np.fromiter(rows, dtype=np.int32))

    def _grow(self, more: int) -> None:
        wanted = self.count + more
        if wanted > self._alive.size:
            size = wanted if self.count == 0 else wanted + wanted // 4 + 256
            self._columns = _resized(self._columns, (10, size))
            self._readable = _resized(self._readable, (size,))
            self._alive = _resized(self._alive, (size,))
            self._before = _resized(self._before, (size,))
            self._after = _resized(self._after, (size,))
            self._stretch = _resized(self._stretch, (size,))
        self.count = wanted
        while len(self._blocks) * _BLOCK < wanted:
            self._blocks.append(np.zeros((_BLOCK, self.dimension), dtype=np.float32))

    def _read_sentences(self, connection: sqlite3.Connection, last_row: int) -> None:
        rows: list[int] = []
        blobs: list[bytes] = []
        for row, blob in connection.execute(
            "SELECT row, vector FROM sentence WHERE recipe = ? AND row > ? AND vector != x''",
            (self.recipe, last_row),
        ):
            rows.append(row)
            blobs.append(blob)
            if len(blobs) == 8192:
                self._place(rows, blobs)
                rows, blobs = [], []
        self._place(rows, blobs)

    def _place(self, rows: list[int], blobs: list[bytes]) -> None:
        if rows:
            slots = self.slots_of(rows)
            self._readable[slots] = True
            vectors = sentence_from(blobs, dimension=self.dimension)
            for block in np.unique(slots // _BLOCK):
                inside = slots // _BLOCK == block
                self._blocks[block][slots[inside] % _BLOCK] = vectors[inside]

    def _link(self, first: int) -> None:
        """Tie each living turn from slot `first` on to the one before it in its session, unless one of the two
        is long, and number the stretches."""
        self._before[first : self.count] = -1
        self._after[first : self.count] = -1
        sessions: list[int] = self.column(SESSION)[first:].tolist()
        sizes: list[int] = self.column(SIZE)[first:].tolist()
        living: list[bool] = self.alive[first:].tolist()
        for slot, (session, size, is_alive) in enumerate(zip(sessions, sizes, living, strict=True), start=first):
            if not is_alive:
                continue
            before, filled, stretch = self._end_of.get(session, (-1, LONGEST_STRETCH, 0))
            if before >= 0 and max(size, self._columns[SIZE, before]) <= LONGEST_NEIGHBOUR:
                self._before[slot] = before
                self._after[before] = slot
            if filled >= LONGEST_STRETCH:
                self._stretches += 1
                filled, stretch = 0, self._stretches
            self._stretch[slot] = stretch
            self._end_of[session] = (slot, filled + size, stretch)

    def _posting(self, connection: sqlite3.Connection, term: int | None) -> Posting:
        if term is None:
            return _NOWHERE
        last = int(self._columns[ROW, self.count - 1]) if self.count else 0
        upto, kept = self._postings.pop(term, (0, _NOWHERE))
        self._kept_postings -= kept.rows.size
        if upto < last:
            found = connection.execute(
                "SELECT row, tf FROM posting WHERE term = ? AND row > ?", (term, upto)
            ).fetchall()
            if found:
                fresh = np.array(found, dtype=np.int32)
                slots = np.searchsorted(self.column(ROW), fresh[:, 0]).astype(np.int32)
                kept = Posting(
                    np.concatenate([kept.rows, slots]),
                    np.concatenate([kept.tf, fresh[:, 1].astype(np.float32)]),
                )
        self._postings[term] = (last, kept)
        self._kept_postings += kept.rows.size
        while self._kept_postings > KEPT_POSTINGS and len(self._postings) > 1:
            _, (_, dropped) = self._postings.popitem(last=False)
            self._kept_postings -= dropped.rows.size
        return kept

    def _fetch_tokens(self, connection: sqlite3.Connection, rows: list[int]) -> Iterable[tuple[int, bytes]]:
        for at in range(0, len(rows), 500):
            part = rows[at : at + 500]
            marks = ",".join("?" * len(part))
            yield from connection.execute(
                f"SELECT row, vectors FROM token WHERE recipe = ? AND row IN ({marks})",  # noqa: S608
                (self.recipe, *part),
            )


_NOWHERE = Posting(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32))


_NO_ROWS = np.zeros((0, 10), dtype=np.int32)


def _pages(connection: sqlite3.Connection, query: str, last: int) -> Iterator[NDArray[np.int32]]:
    """Rows of ten columns in arrays of some thousands, so that a long table is never a list of Python numbers."""
    cursor = connection.execute(query, (last,))
    while rows := cursor.fetchmany(8192):
        yield np.array(rows, dtype=np.int32)


def _resized(array: NDArray[Kind], shape: tuple[int, ...]) -> NDArray[Kind]:
    larger = np.zeros(shape, dtype=array.dtype)
    larger[tuple(slice(0, size) for size in array.shape)] = array
    return larger
