"""From messages to memory: the only module that derives and commits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inscape.errors import InvalidMessage, ModelUnreachable, UnknownId
from inscape.incoming import cleaned
from inscape.ports import Floats, Indexed, Indexing, Store
from inscape.records import (
    Change,
    Changes,
    Erasure,
    Filter,
    Known,
    Message,
    NewNote,
    Note,
    Receipt,
    Refused,
    Turn,
)
from inscape.settings import MAX_TEXT_BYTES
from inscape.text.words import terms_of
from inscape.updating.edit import correction, removal
from inscape.updating.matching import about, holds

_MOST_MATCHES = 20_000
"""Records that one phrase is compared with."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Turns messages into turns, and a person's edits into changes."""

    indexing: Indexing

    def add(self, store: Store, messages: Sequence[tuple[int, Message]]) -> Receipt:
        """Store messages (with their places in the caller's list), durable and searchable when it returns.

        All of one call are committed together. Where the embedding model gives no answer, turns are stored
        all the same, found by words, and the receipt says so; it is not asked again in this call.
        """
        places = [place for place, _ in messages]
        already = store.known([message for _, message in messages])
        indexed: list[Indexed | None] = []
        notices: dict[str, None] = {}
        unreachable: str | None = None
        for (place, message), turn_id in zip(messages, already, strict=True):
            if turn_id is not None:
                indexed.append(None)
                continue
            if unreachable is None:
                found_by, notice = self._indexed(message)
                unreachable = notice if found_by.embedding is None else None
            else:
                found_by, notice = Indexed(self.indexing.terms(message), None), unreachable
            indexed.append(found_by)
            if notice:
                notices[f"messages[{place}]: {notice}"] = None
        receipt = store.append([message for _, message in messages], indexed)
        return replace(
            receipt,
            known=tuple(Known(index=places[k.index], turn_id=k.turn_id, advice=k.advice) for k in receipt.known),
            refused=tuple(Refused(index=places[r.index], reason=r.reason) for r in receipt.refused),
            notices=tuple(notices),
        )

    def update(self, store: Store, id: str, text: str) -> Change:
        """Put a person's words in place of a record. Raises InvalidMessage, UnknownId."""
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidMessage(f"The new text must be a string, not {type(text).__name__}.")
        text, _ = cleaned(text)
        if not text.strip():
            raise InvalidMessage("The new text is empty. To take a record away, use delete.")
        if len(text.encode()) > MAX_TEXT_BYTES:
            raise InvalidMessage(f"The new text is over {MAX_TEXT_BYTES:,} bytes. Shorten it.")
        (record,) = store.records([id])
        if (isinstance(record, Turn) and record.set_aside_by) or (isinstance(record, Note) and record.closed_by):
            last, _ = store.history(record.id)[-1]
            instead = (
                f"{last.note_ids[0]} stands in its place" if last.note_ids else f"history({record.id!r}) tells when"
            )
            raise UnknownId(f"{record.id} was taken away before; {instead}.")
        return self._applied(store, correction(record, text))

    def delete(self, store: Store, ids: Iterable[str]) -> Change:
        """Take records, and what rests on them alone, off every path. Raises UnknownId."""
        records = store.records(list(ids))
        turn_ids = [record.id for record in records if isinstance(record, Turn)]
        return self._applied(store, removal([*records, *store.resting_on(turn_ids)]))

    def delete_all(self, store: Store, within: Filter) -> int:
        """Take every record that passes off every path; how many there were."""
        records = list(store.living(within))
        if records:
            self._applied(store, removal(records))
        return len(records)

    def about(self, store: Store, phrase: str, within: Filter) -> list[str]:
        """Ids of the records, living or set aside, that are about a phrase by themselves."""
        terms = list(dict.fromkeys(terms_of(phrase)))
        found = about(
            terms, store.candidates(terms=terms, vector=self._vector(phrase), limit=_MOST_MATCHES, within=within)
        )
        found += [turn.id for turn in store.set_aside(within) if terms and holds(self.indexing.terms(turn), terms)]
        return found

    def erase(self, store: Store, turns: Sequence[Turn], *, scope: str) -> Erasure:
        """Destroy turns and what rests on them alone, and prove it."""
        checks = [caption for turn in turns for caption in turn.captions if len(caption) > 24]
        erasure = store.erase([turn.id for turn in turns], checks=checks)
        return replace(erasure, scope="session" if scope == "session" else "turns")

    def _vector(self, text: str) -> Floats:
        try:
            return self.indexing.model.embed(text).sentence
        except ModelUnreachable:
            return np.zeros(self.indexing.model.dimension, dtype=np.float32)

    def _applied(self, store: Store, changes: Changes) -> Change:
        return store.apply(changes, [self._indexed(note)[0] for note in changes.notes])

    def _indexed(self, record: Message | NewNote) -> tuple[Indexed, str | None]:
        try:
            found_by = self.indexing.indexed(record)
        except ModelUnreachable as error:
            terms = self.indexing.terms(record)
            return Indexed(terms, None), f"stored and found by its words; `inscape reindex` adds its vectors ({error})"
        return found_by, found_by.embedding.notice if found_by.embedding else None
