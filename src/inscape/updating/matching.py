"""Which records are about a phrase by themselves, whatever stands beside them: what may be erased by it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inscape.algorithms.ranking import Candidates

MORE_THAN = 0.5
"""A record must hold a greater share of the phrase's terms (our choice: "my old address" is not met by a new one)."""
ENOUGH_COSINE = 0.5
"""Or the cosine of its sentence vector must be as great (our choice)."""


def about(phrase: Sequence[str], candidates: Candidates) -> list[str]:
    """Ids of the candidates that hold more than half of the phrase's terms, or mean much the same; in either case
    with every number of the phrase, so that 12 Rose Street is not 9 Hill Road.

    `phrase`: the terms of the candidates' postings.
    """
    rows = candidates.numbers.size
    held = np.zeros(rows)
    has_numbers = np.ones(rows, dtype=np.bool_)
    for term, posting in zip(phrase, candidates.postings, strict=True):
        here = np.zeros(rows, dtype=np.bool_)
        here[posting.rows] = True
        held += here
        if _is_number(term):
            has_numbers &= here
    enough: NDArray[np.bool_] = (held > MORE_THAN * len(phrase)) | (candidates.cosine >= ENOUGH_COSINE)
    return [candidates.id_of(int(row)) for row in np.flatnonzero(candidates.eligible & has_numbers & enough)]


def holds(terms: Sequence[str], phrase: Sequence[str]) -> bool:
    """The same for a record that is found by no search: by its terms alone.

    >>> holds(["old", "address", "12"], ["old", "address"]), holds(["address", "12"], ["old", "address", "13"])
    (True, False)
    """
    held = set(terms)
    numbers = {term for term in phrase if _is_number(term)}
    return numbers <= held and len(held & set(phrase)) > MORE_THAN * len(set(phrase))


def _is_number(term: str) -> bool:
    return any(sign.isdigit() for sign in term)
