"""Candidates made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from inscape.algorithms.ranking import Candidates, Question
from inscape.algorithms.windows import Links, Posting
from inscape.text.cues import cues_of, is_about_asker, wanted_cues
from inscape.text.dates import dates_in
from inscape.text.words import fold, terms_of

SPEAKERS = ("", "Ana", "Ben")


def asked(text: str, *, vector: Sequence[float] = (1.0, 0.0)) -> Question:
    """A question without token vectors."""
    return Question(
        words=frozenset(fold(text).replace("?", " ").split()),
        terms=tuple(dict.fromkeys(terms_of(text))),
        vector=np.array(vector, dtype=np.float32),
        tokens=np.zeros((0, 1), dtype=np.int8),
        token_terms=(),
        about_asker=is_about_asker(text),
        wants=wanted_cues(text),
        dates=tuple(dates_in(text)),
    )


def said(question: Question, *texts: str, by: str = "Ana", **columns: Any) -> Candidates:
    """Turns of one speaker, each in a session of its own; any column may be given."""
    count = len(texts)
    terms = [terms_of(text) for text in texts]
    postings = [
        Posting(
            np.array([row for row in range(count) if term in terms[row]], dtype=np.int32),
            np.array([held.count(term) for held in terms if term in held], dtype=np.float32),
        )
        for term in question.terms
    ]
    nobody = np.full(count, -1, dtype=np.int32)
    made = Candidates(
        numbers=np.arange(1, count + 1),
        is_note=np.zeros(count, dtype=np.bool_),
        eligible=np.ones(count, dtype=np.bool_),
        links=Links(nobody, nobody),
        stretch=np.arange(count, dtype=np.int32),
        speaker=np.full(count, SPEAKERS.index(by), dtype=np.int32),
        speakers=SPEAKERS,
        from_user=np.ones(count, dtype=np.bool_),
        day=np.zeros(count, dtype=np.int32),
        cues=np.array([int(cues_of(text)) for text in texts], dtype=np.int32),
        length=np.array([len(held) for held in terms], dtype=np.float32),
        postings=postings,
        df=np.array([posting.rows.size for posting in postings], dtype=np.float64),
        total=count,
        mean_length=float(np.mean([len(held) for held in terms])) if count else 1.0,
        cosine=np.zeros(count, dtype=np.float32),
        readable=np.ones(count, dtype=np.bool_),
        tokens=np.zeros((0, 1), dtype=np.int8),
        token_starts=np.zeros(count + 1, dtype=np.int64),
    )
    return replace(made, **columns)
