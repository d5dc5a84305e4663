"""Rankings to compare with: cosine, BM25, their rank fusion, Bi-Mem's formula, and where ours began."""

from __future__ import annotations

import numpy as np

from inscape.algorithms.ranking import (
    Candidates,
    Floats,
    Question,
    Ranking,
    named_speaker,
    on_named_date,
    token_match,
    word_share,
)
from inscape.algorithms.windows import ITSELF, inverse_frequency, window_words
from inscape.text.cues import Cue

_FUSION_CONSTANT = 60
"""k of reciprocal rank fusion (Cormack, Clarke and Buettcher 2009)."""


def dense(question: Question, candidates: Candidates) -> Ranking:  # noqa: ARG001 - one signature for all
    """Cosine of the sentence vectors."""
    return _ranking(candidates, cosine=candidates.cosine)


def bm25(question: Question, candidates: Candidates) -> Ranking:  # noqa: ARG001
    """BM25 of each row by itself: date, stems, no stop words."""
    return _ranking(candidates, words=_words(candidates))


def reciprocal_rank_fusion(question: Question, candidates: Candidates) -> Ranking:  # noqa: ARG001
    """Sum of 1 / (60 + rank) over cosine and BM25."""
    return _ranking(
        candidates,
        cosine=_reciprocal(candidates.cosine, candidates),
        words=_reciprocal(_words(candidates), candidates),
    )


def bimem_formula(question: Question, candidates: Candidates) -> Ranking:  # noqa: ARG001
    """`0.5 (cos + 1) / 2 + 0.5 BM25`, BM25 scaled to 0..1 over the candidates (Bi-Mem 4.3, alpha 0.5)."""
    return _ranking(
        candidates,
        cosine=np.float32(0.25) * (candidates.cosine + np.float32(1)),
        words=np.float32(0.5) * _spread(_words(candidates)),
    )


def six_terms(question: Question, candidates: Candidates) -> Ranking:
    """Where ours began: words and tokens in a window and cosine, each scaled by its maximum or range over the
    candidates, with speaker, date and question (docs/log.md, 2026-12-01)."""
    c = candidates
    words = word_share(c)
    named = named_speaker(question, c.speakers)
    before = c.links.before
    pair = np.where(before >= 0, c.cosine[before], np.float32(0)) if before.size else c.cosine
    return _ranking(
        c,
        words=words / max(float(words.max(initial=0)), 1e-9),
        tokens=_spread(token_match(question, c)),
        dense=np.float32(0.7) * _spread(c.cosine + pair),
        speaker=np.float32(0.4) * ((named >= 0) & (c.speaker == named)),
        date=np.float32(0.2) * on_named_date(question.dates, c.day),
        question=np.float32(-0.1) * ((c.cues & Cue.ASKS) > 0),
    )


def _spread(values: Floats) -> Floats:
    """Values from 0 for the least to 1 for the greatest."""
    low, high = float(values.min(initial=0)), float(values.max(initial=0))
    return (values - low) / max(high - low, 1e-9)


def _words(candidates: Candidates) -> Floats:
    idf = inverse_frequency(candidates.df, candidates.total)
    return window_words(
        candidates.postings,
        idf,
        candidates.length,
        candidates.links,
        mean_length=candidates.mean_length,
        window=ITSELF,
    )


def _reciprocal(values: Floats, candidates: Candidates) -> Floats:
    rows = np.flatnonzero(candidates.eligible)
    found = np.zeros(values.size, dtype=np.float32)
    ranks = np.arange(rows.size, dtype=np.float32)
    found[rows[np.argsort(-values[rows], kind="stable")]] = 1 / (_FUSION_CONSTANT + 1 + ranks)
    return found


def _ranking(candidates: Candidates, **terms: Floats) -> Ranking:
    total = np.sum(list(terms.values()), axis=0).astype(np.float32)
    rows = np.flatnonzero(candidates.eligible)
    return Ranking(rows[np.argsort(-total[rows], kind="stable")], total, terms)
