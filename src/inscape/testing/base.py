"""What all parts of the store's contract share: a folder, a clock, a model, and short ways to ask."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest

from inscape.algorithms.ranking import Candidates
from inscape.indexing import TextIndexing
from inscape.ports import EmbeddingModel, Indexing, Owners, Store
from inscape.records import Filter, Note, Turn
from inscape.testing.doubles import Clock, WordEmbedding
from inscape.text.words import terms_of

MODEL = WordEmbedding()
INDEXING = TextIndexing(MODEL)


class OpenPlace(Protocol):
    """Opens a place of owners."""

    def __call__(self, indexing: Indexing = INDEXING) -> Owners: ...


class StoreTests:
    """Fixtures and shorthands; the promises are in the classes that inherit it."""

    def owners(self, folder: Path, *, indexing: Indexing, now: Callable[[], datetime]) -> Owners:
        """Your `Owners` over a place that `folder` names; called again for the same place, another one over it.

        Sessions end after six silent hours.
        """
        raise NotImplementedError

    def remains(self, folder: Path) -> bytes:
        """All that is on disk for a place, byte by byte."""
        return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())

    @pytest.fixture
    def clock(self) -> Clock:
        return Clock()

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        return tmp_path / "memories"

    @pytest.fixture
    def open_place(self, folder: Path, clock: Clock) -> Generator[OpenPlace]:
        """Opens the place once more, under the same indexing or another, and closes it after the test."""
        with ExitStack() as closing:

            def opened(indexing: Indexing = INDEXING) -> Owners:
                place = self.owners(folder, indexing=indexing, now=clock)
                closing.callback(place.close)
                return place

            yield opened

    @pytest.fixture
    def place(self, open_place: OpenPlace) -> Owners:
        return open_place()

    @pytest.fixture
    def store(self, place: Owners) -> Store:
        return place.open("ana")


def everything(
    store: Store,
    *,
    words: str = "",
    like: str = "",
    limit: int = 100_000,
    within: Filter | None = None,
    model: EmbeddingModel = MODEL,
) -> Candidates:
    """The candidates by words, by meaning, or by neither (all that pass), with their neighbours."""
    vector = model.embed(like).sentence if like else np.zeros(model.dimension, dtype=np.float32)
    return store.candidates(terms=terms_of(words), vector=vector, limit=limit, within=within or Filter())


def found(
    store: Store, *, words: str = "", like: str = "", limit: int = 100_000, within: Filter | None = None
) -> list[str]:
    """Ids of the candidates, in storage order."""
    chosen = everything(store, words=words, like=like, limit=limit, within=within)
    return [chosen.id_of(row) for row in np.flatnonzero(chosen.eligible).tolist()]


def holding(store: Store, word: str) -> list[str]:
    """Ids of the living records in which the word stands."""
    chosen = everything(store, words=word)
    return [chosen.id_of(row) for row in chosen.postings[0].rows.tolist() if chosen.eligible[row]]


def nearest(store: Store, text: str) -> str:
    """Id of the living record whose vector is nearest to the text's."""
    chosen = everything(store, like=text)
    return chosen.id_of(int(np.where(chosen.eligible, chosen.cosine, -2).argmax()))


def stretches(store: Store) -> list[int]:
    """The stretch that each living turn belongs to, in storage order, numbered 0, 1, ... as they first appear."""
    before: list[int] = everything(store).links.before.tolist()
    found: list[int] = []
    for row in before:
        found.append(found[row] if row >= 0 else max(found, default=-1) + 1)
    return found


def texts(records: Sequence[Turn | Note]) -> list[str]:
    """What the records say."""
    return [record.text for record in records]


def living(store: Store, within: Filter | None = None) -> list[str]:
    """What living records say, in order."""
    return texts(list(store.living(within or Filter())))
