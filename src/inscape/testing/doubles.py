"""Stand-ins for tests: a clock that one sets, a model that needs no weights, messages in one line."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inscape.algorithms.ranking import TOKEN_SCALE
from inscape.errors import ModelUnreachable
from inscape.indexing import TextIndexing
from inscape.ports import Embedding, Indexed, Store
from inscape.records import Message, Receipt
from inscape.text.words import terms_of


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, at: datetime = datetime(2024, 5, 1, 12, tzinfo=UTC)) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        """`clock.move(hours=2)`."""
        self.at += timedelta(**by)


class WordEmbedding:
    """A model without weights: a text is the sum of its words, each a direction drawn from its hash.

    Texts that share words are near, all others are not. `is_reachable` is switched off to play a dead model.
    """

    token_dimension = 8

    def __init__(self, dimension: int = 32) -> None:
        self.name = f"words-{dimension}"
        self.dimension = dimension
        self.recipe = f"words/{dimension}"
        self.is_reachable = True

    def embed(self, text: str) -> Embedding:
        if not self.is_reachable:
            raise ModelUnreachable(f"{self.name} was switched off.")
        terms = tuple(terms_of(text))
        if not terms:
            return Embedding(np.zeros(self.dimension, dtype=np.float32), np.zeros((0, 8), dtype=np.int8), ())
        sentence = np.sum([_direction(term, self.dimension) for term in terms], axis=0)
        tokens = np.stack([_direction(term, self.token_dimension) for term in terms])
        return Embedding(
            sentence=(sentence / max(float(np.linalg.norm(sentence)), 1e-12)).astype(np.float32),
            tokens=np.rint(tokens * TOKEN_SCALE).astype(np.int8),
            token_terms=terms,
        )


def said(text: str, **others: Any) -> Message:
    """A message of Ana's in the session `default`, without a time, unless told otherwise."""
    whole: dict[str, Any] = {"text": text, "speaker": "ana", "role": "user", "session_id": "default", **others}
    return Message(**whole)


def keep(store: Store, *messages: Message | str, model: WordEmbedding | None = None) -> Receipt:
    """Store messages with their words and vectors, in one call."""
    indexing = TextIndexing(model or WordEmbedding())
    whole = [said(message) if isinstance(message, str) else message for message in messages]
    if model is not None and not model.is_reachable:
        return store.append(whole, [Indexed(indexing.terms(message), None) for message in whole])
    return store.append(whole, [indexing.indexed(message) for message in whole])


def _direction(word: str, dimension: int) -> NDArray[np.float32]:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest())
    drawn = np.random.default_rng(seed).standard_normal(dimension)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)
