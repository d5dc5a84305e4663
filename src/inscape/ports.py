"""What inscape asks of a store and of an embedding model. `storage` and `providers` keep these promises.

`testing.StoreContract` runs every promise of `Store`; inherit it to test a store of your own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from inscape.algorithms.ranking import Candidates
from inscape.records import Change, Changes, Erasure, Filter, Message, NewNote, Note, Receipt, Turn

Floats: TypeAlias = NDArray[np.float32]
Int8s: TypeAlias = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Embedding:
    """The vectors of one text."""

    sentence: Floats
    """(dimension,), unit length; all zero where no decision may rest on it."""
    tokens: Int8s
    """(tokens, token_dimension); no rows where the model gives none."""
    token_terms: tuple[str, ...]
    """The term (see `text.words`) that each token vector stands for."""
    notice: str | None = None
    """What was done only in part, in words."""

    @property
    def is_blind(self) -> bool:
        """Whether the model could not read the text."""
        return not self.sentence.any()


class EmbeddingModel(Protocol):
    """Text to vectors. A vector is a function of model and text alone."""

    @property
    def name(self) -> str:
        """How settings name it."""
        ...

    @property
    def dimension(self) -> int:
        """Of sentence vectors."""
        ...

    @property
    def token_dimension(self) -> int:
        """Of token vectors; 1 where the model gives none."""
        ...

    @property
    def recipe(self) -> str:
        """Hash of all that a vector depends on: weights, window, pooling, projection."""
        ...

    def embed(self, text: str) -> Embedding:
        """Embed one text.

        Raises ModelUnreachable when the model gives no answer. Never cuts a text in silence: see
        `Embedding.notice`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Indexed:
    """What a text is found by."""

    terms: Sequence[str]
    embedding: Embedding | None
    """`None` when the model could not be reached: found by words until `reindex`."""


class Indexing(Protocol):
    """How a record becomes words and vectors."""

    @property
    def model(self) -> EmbeddingModel: ...

    @property
    def recipe(self) -> str:
        """Hash of all that words and vectors depend on."""
        ...

    @property
    def words(self) -> str:
        """Which rule made the words; another one means other terms."""
        ...

    def terms(self, record: Message | Turn | NewNote | Note) -> list[str]: ...

    def indexed(self, record: Message | Turn | NewNote | Note) -> Indexed:
        """Raises ModelUnreachable."""
        ...


class Store(Protocol):
    """All that is kept of one owner. Every method is atomic and safe to call from several threads and
    processes; what one wrote the others see at their next call.

    Raises StorageError and its kinds; UnknownId for ids that this owner does not have.
    """

    @property
    def change_number(self) -> int:
        """Rises with every write by whichever process; equal numbers mean equal contents."""
        ...

    def append(self, messages: Sequence[Message], indexed: Sequence[Indexed | None]) -> Receipt:
        """Store turns in the order given, durably, before it returns. `indexed` is None for a message that was known
        a moment ago; it is refused if it no longer is.

        A message is known, and not stored again, when an earlier call stored the same id, or else the
        same session, speaker, text and time (without a time: whatever the time of the stored one).
        Within one call equal messages are different messages. `index` in the receipt is the place here.
        """
        ...

    def known(self, messages: Sequence[Message]) -> list[str | None]:
        """For each message the id of the turn that holds it already, or None. A saving for callers that
        would embed first; `append` decides."""
        ...

    def end_session(self, session_id: str) -> bool:
        """End the open session of that name; whether there was one."""
        ...

    def apply(self, changes: Changes, indexed: Sequence[Indexed] = ()) -> Change:
        """Write all of `changes` or nothing. `indexed`: one for each of `changes.notes`."""
        ...

    def candidates(self, *, terms: Sequence[str], vector: Floats, limit: int, within: Filter) -> Candidates:
        """At most `limit` living turns and notes that match best by words and by vector, with their
        neighbours in the session and what `algorithms.ranking` needs of both."""
        ...

    def records(self, ids: Sequence[str]) -> list[Turn | Note]:
        """The records of these ids, in that order, whether living or not."""
        ...

    def living(self, within: Filter, *, limit: int | None = None) -> Iterator[Turn | Note]:
        """Living turns in order, then living notes; a note passes by its first turn."""
        ...

    def set_aside(self, within: Filter) -> Iterator[Turn]:
        """Turns that were taken off every path and are still on record, in order."""
        ...

    def turns_of_session(self, session_id: str) -> list[str]:
        """Ids of all turns of a session, living or not, in order."""
        ...

    def resting_on(self, turn_ids: Sequence[str]) -> list[Note]:
        """Living notes that rest on these turns and on no others."""
        ...

    def history(self, id: str) -> list[tuple[Change, Turn | Note]]:
        """Every change that touched the record, oldest first, with the record as each left it."""
        ...

    def erase(self, turn_ids: Sequence[str], *, checks: Sequence[str] = ()) -> Erasure:
        """Destroy turns and what rests on them alone, then look for them in every place there is.

        `checks`: further texts that must be gone. Raises StorageError when something is left.
        """
        ...

    def reindex(self, indexing: Indexing, *, progress: Callable[[int, int], None]) -> int:
        """Index everything again and switch to `indexing` at the end; how many texts were embedded.

        Interrupted, it leaves the store as it was and goes on where it stopped when called again.
        `progress(done, total)` is called now and then. Raises ModelUnreachable.
        """
        ...

    def close(self) -> None: ...


class Owners(Protocol):
    """The stores of all owners in one place, and what must outlive a store."""

    def open(self, owner: str) -> Store:
        """The owner's store, made if there is none. Raises StorageError, EmbeddingMismatch."""
        ...

    def find(self, owner: str) -> Store | None:
        """The owner's store; None for an owner of whom nothing is kept."""
        ...

    def names(self) -> list[str]:
        """All owners of the tenant, sorted."""
        ...

    def reindex(self, owner: str, *, progress: Callable[[int, int], None]) -> int:
        """Index an owner's store again by today's settings, whatever model it was made with."""
        ...

    def erase(self, owner: str) -> Erasure:
        """Destroy an owner's store. Raises UnknownId when there is none."""
        ...

    def check(self) -> list[str]:
        """What is wrong with the files, in words; empty when all is well."""
        ...

    def keep(self, erasure: Erasure) -> Erasure:
        """Write a receipt down for good, with an id."""
        ...

    def erasures(self) -> list[Erasure]:
        """All receipts, oldest first."""
        ...

    def close(self) -> None: ...
