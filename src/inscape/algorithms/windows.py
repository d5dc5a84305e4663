"""Looking past one turn: the best of a turn and its neighbours in the session, as scores over rows.

Rows stand in storage order. The answer often stands in the turn after the one that shares words with the
question, so a match counts for its neighbours too, at a discount.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int32]

WORD_WINDOW: Mapping[int, float] = {
    -4: 0.2, -3: 0.3, -2: 0.4, -1: 0.6, 0: 1.0, 1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1,
}  # fmt: skip
"""What a word counts that stands so many turns away (negative: earlier)."""
TOKEN_WINDOW: Mapping[int, float] = {-2: 0.75, -1: 0.85, 0: 1.0, 1: 0.8, 2: 0.7}
"""The same for the best matching token."""
ITSELF: Mapping[int, float] = {0: 1.0}
"""No window."""
SMALLEST_COLLECTION = 200
"""Frequencies are read as if there were at least so many rows: in a tiny store every word is common."""
_K1, _B = 0.9, 0.4


@dataclass(frozen=True, slots=True)
class Links:
    """The neighbours of each row in its session; -1 for none."""

    before: Ints
    after: Ints


@dataclass(frozen=True, slots=True)
class Posting:
    """Where one term stands: rows, each once, and how often in each."""

    rows: Ints
    tf: Floats


def reached(rows: Ints, links: Links, window: Mapping[int, float]) -> Iterator[tuple[float, Ints, NDArray[np.bool_]]]:
    """For each offset of a window: what it counts, and the rows for which `rows` lie at that offset.

    The mask says which of `rows` have such a row. A turn at offset -1 of its target is the one before it, so
    the target is the row after.
    """
    for sign, links_on in ((-1, links.after), (1, links.before)):
        at = rows
        for distance in range(1, max((sign * offset for offset in window), default=0) + 1):
            at = np.where(at >= 0, links_on[at], np.int32(-1))
            if sign * distance in window:
                yield window[sign * distance], at, at >= 0
    if 0 in window:
        yield window[0], rows, rows >= 0


def inverse_frequency(df: NDArray[np.float64], total: int) -> NDArray[np.float64]:
    """`ln(1 + (N - df + .5) / (df + .5))`: BM25's, never negative.

    >>> [round(float(idf), 2) for idf in inverse_frequency(np.array([0.0, 200.0]), 9)]
    [6.0, 0.0]
    """
    return np.log1p((max(total, SMALLEST_COLLECTION) - df + 0.5) / (df + 0.5))


def saturated(tf: Floats, length: Floats, *, mean_length: float) -> Floats:
    """BM25's term frequency, k1 = 0.9, b = 0.4: 1 for one occurrence in a row of mean length."""
    norm = _K1 * (1 - _B + _B * length / max(mean_length, 1.0))
    return (tf * (1 + _K1) / (tf + norm)).astype(np.float32)


def window_words(
    postings: Sequence[Posting],
    weights: NDArray[np.float64],
    length: Floats,
    links: Links,
    *,
    mean_length: float,
    window: Mapping[int, float] = WORD_WINDOW,
) -> Floats:
    """BM25 in which a term counts once, at its best place in the window, as a share of the sum of weights.

    Summing neighbours' scores would count a repeated term several times. (rows,): about 1 where every term of
    the question stands once.
    """
    total = np.zeros(length.size, dtype=np.float32)
    best = np.empty(length.size, dtype=np.float32)
    whole = max(float(weights.sum()), 1e-9)
    for posting, weight in zip(postings, weights, strict=True):
        if not posting.rows.size:
            continue
        values = saturated(posting.tf, length[posting.rows], mean_length=mean_length)
        best.fill(0)
        for factor, targets, inside in reached(posting.rows, links, window):
            at = targets[inside]
            best[at] = np.maximum(best[at], np.float32(factor) * values[inside])
        total += np.float32(weight / whole) * best
    return total


def window_tokens(
    asked: NDArray[np.int8],
    weights: Floats,
    tokens: NDArray[np.int8],
    starts: NDArray[np.int64],
    links: Links,
    *,
    scale: float,
    window: Mapping[int, float] = TOKEN_WINDOW,
) -> Floats:
    """Late interaction (MaxSim, Khattab and Zaharia 2020) over a window: for each token of the question its
    best cosine in a row or near it, averaged by weight; 0 to 1.

    `asked` (question tokens, d) and `tokens` (all tokens, d) are unit vectors times `scale`; row i owns
    `tokens[starts[i]:starts[i + 1]]`. `weights`: of the question's tokens. (rows,).
    """
    rows = starts.size - 1
    own = np.zeros((rows, asked.shape[0]), dtype=np.float32)
    filled = np.flatnonzero(np.diff(starts))
    query = np.ascontiguousarray(asked.T, dtype=np.float32) / np.float32(scale * scale)
    for low in range(0, filled.size, _BLOCK):
        part = filled[low : low + _BLOCK]
        begin, end = int(starts[part[0]]), int(starts[part[-1] + 1])
        cosines = tokens[begin:end].astype(np.float32) @ query
        own[part] = np.maximum.reduceat(cosines, starts[part] - begin, axis=0)
    np.maximum(own, 0, out=own)
    best = np.zeros_like(own)
    everywhere = np.arange(rows, dtype=np.int32)
    for factor, targets, inside in reached(everywhere, links, window):
        at = targets[inside]
        best[at] = np.maximum(best[at], np.float32(factor) * own[inside])
    return np.asarray(best @ (weights / max(float(weights.sum()), 1e-9)), dtype=np.float32)


_BLOCK = 256
"""Rows scored at once: their tokens stay in the processor's cache."""
