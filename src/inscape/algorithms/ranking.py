"""Which turns answer a question: a sum of terms over candidate rows, the same over every store.

No term is divided by a maximum or a range of this question's scores, so a store of one turn and one of a
hundred thousand are scored alike. Weights and what each term brings: docs/benchmarks.md. A weight of 0
switches a term off.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from inscape.algorithms.windows import Links, Posting, inverse_frequency, window_tokens, window_words
from inscape.text.cues import Cue
from inscape.text.dates import NamedDate
from inscape.text.words import fold

Floats: TypeAlias = NDArray[np.float32]
TOKEN_SCALE = 127.0
"""Token vectors are unit vectors times this, as eight-bit numbers."""
_SCORE_SLOPE, _SCORE_MIDDLE = 1.5, 2.2
"""From a sum of terms to a score: at the middle the best hit is as likely to belong to a question that memory can
answer as to one about something else (docs/benchmarks.md, the floor)."""
_EPOCH_ORDINAL = 719_163
"""The proleptic ordinal of 1 January 1970."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A question as ranking sees it."""

    words: frozenset[str]
    """Folded words, stop words included."""
    terms: tuple[str, ...]
    """Distinct terms, in order."""
    vector: Floats
    """(dimension,); all zero when the model cannot read it."""
    tokens: NDArray[np.int8]
    """(tokens, token dimension)."""
    token_terms: tuple[str, ...]
    """The term that each token is part of."""
    about_asker: bool
    wants: Cue
    dates: tuple[NamedDate, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidates:
    """Rows in storage order: candidates, and neighbours that only lend them context."""

    numbers: NDArray[np.int64]
    """(rows,) the number in each record's id."""
    is_note: NDArray[np.bool_]
    eligible: NDArray[np.bool_]
    """False for rows that are here as neighbours only."""
    links: Links
    stretch: NDArray[np.int32]
    """Equal within a stretch of a session."""
    speaker: NDArray[np.int32]
    """Place in `speakers`."""
    speakers: tuple[str, ...]
    """All of the owner's; empty strings for places that nobody has."""
    from_user: NDArray[np.bool_]
    day: NDArray[np.int32]
    """Local calendar day as a proleptic ordinal; 0 for none."""
    cues: NDArray[np.int32]
    """`text.cues.Cue` of each row."""
    length: Floats
    """Terms in the row's text."""
    postings: Sequence[Posting]
    """One for each term of the question."""
    df: NDArray[np.float64]
    """In how many of the owner's rows each term stands."""
    total: int
    mean_length: float
    cosine: Floats
    """Of the question's sentence vector."""
    readable: NDArray[np.bool_]
    """Whether the row has vectors that a decision may rest on."""
    tokens: NDArray[np.int8]
    """(all tokens, token dimension), row after row."""
    token_starts: NDArray[np.int64]
    """(rows + 1,) where each row's tokens begin."""

    def id_of(self, row: int) -> str:
        return f"{'n' if self.is_note[row] else 't'}{self.numbers[row]}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """What each term counts; 0 switches it off."""

    words: float = 1.0
    """BM25 over a window of turns, as a share of what the question asks."""
    tokens: float = 2.0
    """Late interaction over a window of turns."""
    dense: float = 0.75
    """Cosine of the sentence vectors."""
    speaker: float = -0.4
    """The question names exactly one speaker, and another one said it."""
    asker: float = -0.2
    """The question is about the one who asks ("my ..."), and it was not a user who said it."""
    date: float = 0.4
    """Said in a month or year that the question names."""
    question: float = -0.1
    """It asks rather than tells."""
    when: float = 0.15
    """A time is asked for, and it tells one."""
    name: float = 0.15
    """A person or place is asked for, and it holds a name."""
    reply: float = 0.15
    """It replies to a question, as far as that question matches."""
    session: float = 0.2
    """The best such sum in its stretch of a session."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Eligible rows best first, and why."""

    order: NDArray[np.int64]
    """Eligible rows, best first."""
    score: Floats
    """(rows,) 0 to 1, comparable between questions and stores."""
    terms: Mapping[str, Floats] = field(default_factory=dict[str, Floats])
    """(rows,) what each term gave; `order` follows their sum."""


def ranked(question: Question, candidates: Candidates, weights: Weights) -> Ranking:
    """Rank candidates by the sum of all terms."""
    c = candidates
    named = named_speaker(question, c.speakers)
    words = word_share(c)
    cosine = _neutral(c.cosine, c.readable)
    by_words = np.minimum(_WORDS_ALONE * words, 1).astype(np.float32)
    if question.tokens.size:
        tokens = np.where(c.readable, token_match(question, c), by_words)
    else:  # a model without token vectors, or a question that it cannot read
        tokens = ((words + cosine) / 2).astype(np.float32) if question.vector.any() else by_words
    asks = (c.cues & Cue.ASKS) > 0
    before = c.links.before
    terms = {
        "words": weights.words * words,
        "tokens": weights.tokens * tokens,
        "dense": weights.dense * cosine,
        "speaker": weights.speaker * ((named >= 0) & (c.speaker != named)),
        "asker": weights.asker * (((named < 0) & question.about_asker) & ~c.from_user),
        "date": weights.date * on_named_date(question.dates, c.day),
        "question": weights.question * asks,
        "when": weights.when * _has(c, question, Cue.TELLS_TIME),
        "name": weights.name * _has(c, question, Cue.HOLDS_NAME),
        "reply": weights.reply * (tokens[before] * ((before >= 0) & asks[before]) if before.size else tokens),
    }
    total = np.zeros(c.numbers.size, dtype=np.float32)
    for values in terms.values():
        total += values
    terms["session"] = weights.session * _best_of_stretch(total, c.stretch)
    total += terms["session"]
    rows = np.flatnonzero(c.eligible)
    return Ranking(
        order=rows[np.argsort(-total[rows], kind="stable")],
        score=score_of(total),
        terms={name: np.asarray(values, dtype=np.float32) for name, values in terms.items()},
    )


def score_of(total: Floats) -> Floats:
    """A sum of terms as a number between 0 and 1.

    >>> [round(float(score), 2) for score in score_of(np.array([0.0, 2.2, 4.0], dtype=np.float32))]
    [0.04, 0.5, 0.94]
    """
    return (1 / (1 + np.exp(-_SCORE_SLOPE * (total - _SCORE_MIDDLE)))).astype(np.float32)


def gate_for(rows: int, gate: float) -> float:
    """The score that the best of so many rows must reach: `gate` from about 600 on, less than half of it for one. The
    best of many unrelated rows looks better than the best of few.

    >>> [round(gate_for(rows, 0.25), 2) for rows in (1, 10, 100, 1000)]
    [0.11, 0.16, 0.21, 0.25]
    """
    return gate * min(1.0, 0.44 + 0.2 * math.log10(max(rows, 1)))


def named_speaker(question: Question, speakers: Sequence[str]) -> int:
    """The place of the one speaker whose name, or part of it, stands in the question; -1 for none or several."""
    found = [place for place, name in enumerate(speakers) if question.words.intersection(fold(name).split())]
    return found[0] if len(found) == 1 else -1


def word_share(c: Candidates) -> Floats:
    """(rows,) how much of the question's words stands in a row or near it, by idf."""
    idf = inverse_frequency(c.df, c.total)
    return window_words(c.postings, idf, c.length, c.links, mean_length=c.mean_length)


def token_match(question: Question, c: Candidates) -> Floats:
    """(rows,) how well the question's tokens are matched in a row or near it, by idf; 0 without token vectors."""
    if not question.tokens.size or not c.tokens.size:
        return np.zeros(c.numbers.size, dtype=np.float32)
    idf = dict(zip(question.terms, inverse_frequency(c.df, c.total), strict=True))
    unseen = float(inverse_frequency(np.zeros(1), c.total)[0])
    weight = np.array([idf.get(term, unseen) for term in question.token_terms], dtype=np.float32)
    return window_tokens(question.tokens, weight, c.tokens, c.token_starts, c.links, scale=TOKEN_SCALE)


_WORDS_ALONE = 4.4
"""What words count in place of tokens where question or row cannot be read. A question in signs and pairs of signs
finds about a quarter of them in the turn that answers it, one in stems nearly all (docs/benchmarks.md, Chinese)."""


def _neutral(values: Floats, readable: NDArray[np.bool_]) -> Floats:
    """Rows that the model cannot read get the median of those it can: neither help nor harm."""
    if readable.all():
        return values
    middle = float(np.median(values[readable])) if readable.any() else 0.0
    return np.where(readable, values, np.float32(middle)).astype(np.float32)


def on_named_date(dates: Sequence[NamedDate], day: NDArray[np.int32]) -> NDArray[np.bool_]:
    """(rows,) whether a row was said in a year and month that the question names."""
    found = np.zeros(day.size, dtype=np.bool_)
    if dates:
        months = (day - _EPOCH_ORDINAL).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
        year, month = months // 12 + 1970, months % 12 + 1
        for named in dates:
            found |= (
                (day > 0)
                & ((year == named.year) if named.year is not None else True)
                & ((month == named.month) if named.month is not None else True)
            )
    return found


def _has(c: Candidates, question: Question, cue: Cue) -> NDArray[np.bool_]:
    return (c.cues & cue) > 0 if cue in question.wants else np.zeros(c.cues.size, dtype=np.bool_)


def _best_of_stretch(total: Floats, stretch: NDArray[np.int32]) -> Floats:
    _, place = np.unique(stretch, return_inverse=True)
    best = np.full(int(place.max(initial=-1)) + 1, -np.inf, dtype=np.float32)
    np.maximum.at(best, place, total)
    return best[place]
