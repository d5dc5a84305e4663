"""The first of ranking's two stages: which rows are worth a close look."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inscape.algorithms.ranking import Candidates, Floats
from inscape.algorithms.windows import Links, Posting, inverse_frequency, window_words
from inscape.records import Filter
from inscape.storage import index as columns
from inscape.storage.index import Index
from inscape.storage.rows import condition_of

REACH = 4
"""Neighbours that come along on either side."""
TOKEN_REACH = 2
"""Neighbours whose token vectors come along."""


def chosen(
    connection: sqlite3.Connection,
    index: Index,
    *,
    terms: Sequence[str],
    vector: Floats,
    limit: int,
    within: Filter,
) -> Candidates:
    """The best `limit` rows, half by words in a window and half by vector, with their neighbours."""
    postings = index.postings(connection, _term_ids(connection, terms))
    alive = index.alive
    df = np.array([np.count_nonzero(alive[posting.rows]) for posting in postings], dtype=np.float64)
    total = int(np.count_nonzero(alive))
    length = index.column(columns.LENGTH).astype(np.float32)
    links = index.links
    eligible = alive if within.is_open else alive & _passing(connection, index, within)
    postings = [_of_living(posting, alive) for posting in postings]
    cosine = index.cosines(vector)
    mean_length = index.mean_length
    if int(np.count_nonzero(eligible)) <= limit:
        best = np.flatnonzero(eligible)
    else:
        idf = inverse_frequency(df, total)
        words = window_words(postings, idf, length, links, mean_length=mean_length)
        half = limit // 2
        best = np.union1d(_top(words, eligible, half, floor=0.0), _top(cosine, eligible, half, floor=0.0))
    slots = best if best.size == index.count else _with_neighbours(best, links, REACH)
    chosen_mask = _mask(best, index.count)
    near = _mask(_with_neighbours(best, links, TOKEN_REACH), index.count)[slots]
    place_of = np.full(index.count + 1, -1, dtype=np.int32)
    place_of[slots] = np.arange(slots.size, dtype=np.int32)
    tokens = index.tokens(connection, slots[near].astype(np.int32))
    sizes = np.zeros(slots.size, dtype=np.int64)
    sizes[near] = [len(blob) // index.token_dimension for blob in tokens]
    return Candidates(
        numbers=index.column(columns.NUMBER)[slots].astype(np.int64),
        is_note=index.column(columns.NOTE)[slots].astype(np.bool_),
        eligible=chosen_mask[slots],
        links=Links(place_of[links.before[slots]], place_of[links.after[slots]]),
        stretch=index.stretch[slots],
        speaker=index.column(columns.SPEAKER)[slots],
        speakers=tuple(speakers_by_id(connection)),
        from_user=index.column(columns.USER)[slots].astype(np.bool_),
        day=index.column(columns.DAY)[slots],
        cues=index.column(columns.CUES)[slots],
        length=length[slots],
        postings=[_placed(posting, place_of) for posting in postings],
        df=df,
        total=total,
        mean_length=mean_length,
        cosine=cosine[slots],
        readable=index.readable[slots],
        tokens=np.frombuffer(b"".join(tokens), dtype=np.int8).reshape(-1, index.token_dimension),
        token_starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
    )


def speakers_by_id(connection: sqlite3.Connection) -> list[str]:
    """Names at the places of their ids; empty strings between."""
    found: list[tuple[int, str]] = connection.execute("SELECT id, name FROM speaker").fetchall()
    names = [""] * (max((id for id, _ in found), default=0) + 1)
    for id, name in found:
        names[id] = name
    return names


def _term_ids(connection: sqlite3.Connection, terms: Sequence[str]) -> list[int | None]:
    ids: list[int | None] = []
    for term in terms:
        found = connection.execute("SELECT id FROM term WHERE word = ?", (term,)).fetchone()
        ids.append(None if found is None else int(found[0]))
    return ids


def _passing(connection: sqlite3.Connection, index: Index, within: Filter) -> NDArray[np.bool_]:
    condition, values = condition_of(within)
    joins = "FROM turn JOIN session ON session.id = turn.session JOIN speaker ON speaker.id = turn.speaker"
    rows = connection.execute(f"SELECT turn.row {joins} WHERE {condition}", values).fetchall()
    notes = connection.execute(
        "SELECT source.note, min(source.turn) FROM source GROUP BY source.note HAVING min(source.turn) IN "  # noqa: S608
        f"(SELECT turn.row {joins} WHERE {condition})",
        values,
    ).fetchall()
    passing = np.zeros(index.count, dtype=np.bool_)
    passing[index.slots_of(row[0] for row in (*rows, *notes))] = True
    return passing


def _of_living(posting: Posting, alive: NDArray[np.bool_]) -> Posting:
    living = alive[posting.rows]
    return posting if living.all() else Posting(posting.rows[living], posting.tf[living])


def _top(values: Floats, eligible: NDArray[np.bool_], limit: int, *, floor: float) -> NDArray[np.int64]:
    able = np.flatnonzero(eligible & (values > floor))
    if able.size <= limit:
        return able
    return able[np.argpartition(-values[able], limit)[:limit]]


def _with_neighbours(slots: NDArray[np.int64], links: Links, reach: int) -> NDArray[np.int64]:
    found = _mask(slots, links.before.size)
    for direction in (links.before, links.after):
        near: NDArray[np.integer] = slots
        for _ in range(reach):
            near = direction[near]
            near = near[near >= 0]
            found[near] = True
    return np.flatnonzero(found)


def _mask(slots: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    mask = np.zeros(count, dtype=np.bool_)
    mask[slots] = True
    return mask


def _placed(posting: Posting, place_of: NDArray[np.int32]) -> Posting:
    places = place_of[posting.rows]
    here = places >= 0
    return Posting(places[here], posting.tf[here])
