"""`Memory`: what a program talks to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self, Unpack

from inscape.assemble import parts_of
from inscape.errors import InvalidInput, InvalidMessage, UnknownId, shown
from inscape.filters import Filters, filter_from
from inscape.incoming import (
    Defaults,
    cleaned,
    messages_from,
    metadata_from,
    name_from,
    owner_name,
    plain_string,
)
from inscape.items import Event, Item, Results, events_of, item_of, item_of_hit
from inscape.ports import Store
from inscape.recipes import INSCAPE, Recipe
from inscape.records import Change, Erasure, Filter, Json, Message, Note, Recall, Receipt, Turn
from inscape.settings import Settings, read_settings

HOME_VARIABLE = "INSCAPE_HOME"
_MOST_HITS = 10_000
_LONGEST_QUESTION = 20_000


def default_folder() -> Path:
    """Where memories are kept unless told otherwise: $INSCAPE_HOME, else ~/.inscape."""
    return Path(os.environ.get(HOME_VARIABLE) or Path.home() / ".inscape")


def _folder(path: str | Path) -> Path:
    """Raises InvalidInput for what names no folder."""
    if not isinstance(path, str | Path) or not str(path) or not cleaned(str(path))[0] == str(path):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidInput(f"path must name a folder, not {shown(path)}.")
    return Path(path).expanduser()


def _unwatched(_done: int, _total: int) -> None:
    """Progress that nobody looks at."""


class Memory:
    """Long-term memory in a folder. Safe to use from several threads and several processes at once.

    >>> from tempfile import mkdtemp
    >>> memory = Memory(mkdtemp())
    >>> receipt = memory.add("I moved to Lisbon in March.", user_id="ana")
    >>> memory.search("Where does Ana live?", user_id="ana")["results"][0]["memory"]
    'I moved to Lisbon in March.'
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        settings: Settings | None = None,
        embedding: str | None = None,
        recipe: Recipe = INSCAPE,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`path`: the folder, made if missing; `default_folder()` unless given. `settings`: read from its
        inscape.toml unless given; `embedding` overrides the one named there. `now`: the clock.

        Raises InvalidSetting, StorageError and its kinds, ModelError and its kinds.
        """
        self.folder = default_folder() if path is None else _folder(path)
        self.settings = settings or read_settings(self.folder / "inscape.toml")
        if embedding is not None:
            self.settings = replace(self.settings, embedding=embedding)
        parts = parts_of(self.folder, settings=self.settings, recipe=recipe, now=now)
        self._owners, self._pipeline, self._recall = parts.owners, parts.pipeline, parts.recall

    def add(
        self,
        messages: str | Message | Turn | Mapping[str, object] | Sequence[object],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        session_id: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        timestamp: object = None,
        timezone: str | None = None,
        infer: bool = True,
    ) -> Receipt:
        """Keep messages. They are durable, and found by `search`, when this returns.

        `messages`: a string (said by the user), OpenAI-style messages (`role`, `content`, and if you like
        `name`, `timestamp`, `id`, `captions`, `metadata`, `timezone`), or turns. `timestamp`: when they were
        said, unless a message says so itself; without one no date is invented. `infer`: False keeps them as
        they are and never derives anything from them.

        Adding the same again changes nothing: see `Receipt.known`. Raises InvalidOwner, InvalidMessage,
        InvalidTimestamp, InvalidInput, StorageError.
        """
        owner = owner_name(user_id)
        defaults = Defaults(
            owner=owner,
            agent_id=name_from(agent_id, "agent_id"),
            run_id=name_from(run_id, "run_id"),
            session_id=name_from(session_id, "session_id"),
            timestamp=timestamp,
            timezone=timezone,
            metadata=metadata_from(metadata or {}),
            infer=infer,
        )
        accepted, refused, notices = messages_from(messages, defaults=defaults)
        receipt = self._pipeline.add(self._owners.open(owner), accepted)
        if receipt.refused and not receipt.stored and not receipt.known and not refused:
            raise InvalidMessage(receipt.refused[0].reason)
        return replace(
            receipt,
            refused=tuple(sorted((*refused, *receipt.refused), key=lambda one: one.index)),
            notices=(*notices, *receipt.notices),
        )

    def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        top_k: int | None = None,
        **within: Unpack[Filters],
    ) -> Results:
        """The best `top_k` memories, best first; fewer or none when nothing is close enough.

        `within`: see `filters.Filters`. Raises InvalidOwner, InvalidInput, InvalidTimestamp, StorageError.
        """
        owner = owner_name(user_id)
        found = self._recalled(query, owner, filter_from(within), top_k, budget=None)
        return {"results": [item_of_hit(hit, owner) for hit in found.hits], "gaps": list(found.gaps)}

    def recall(
        self,
        question: str,
        *,
        user_id: str | None = None,
        budget: int | None = None,
        top_k: int | None = None,
        **within: Unpack[Filters],
    ) -> Recall:
        """The evidence for a question: hits, and the block of context that fits into `budget` tokens.

        Filters and errors as in `search`.
        """
        owner = owner_name(user_id)
        return self._recalled(
            question, owner, filter_from(within), top_k, budget=_positive(budget, self.settings.budget, "budget")
        )

    def get(self, id: str, *, user_id: str | None = None) -> Item:
        """One memory by its id, also one that was deleted. Raises UnknownId."""
        owner = owner_name(user_id)
        store = self._kept(owner)
        (record,) = store.records([plain_string(id, "id")])
        return item_of(record, _turn_of(record, store), owner)

    def get_all(
        self,
        *,
        user_id: str | None = None,
        limit: int | None = None,
        **within: Unpack[Filters],
    ) -> Results:
        """All living memories that pass the filters, in the order in which they were added."""
        owner = owner_name(user_id)
        most = None if limit is None else _positive(limit, 1, "limit")
        return {"results": list(self._items(owner, filter_from(within), most))}

    def update(self, id: str, text: str, *, user_id: str | None = None) -> Item:
        """Correct a memory; the new one. A person's word: it stands in place of the old one on every path.

        What was said stays on record (`history`). Raises UnknownId, InvalidMessage.
        """
        owner = owner_name(user_id)
        store = self._kept(owner)
        change = self._pipeline.update(store, plain_string(id, "id"), text)
        return self.get(change.note_ids[0], user_id=owner)

    def delete(self, id: str, *, user_id: str | None = None) -> Change:
        """Take one memory off every path at once; it stays on record until `erase`. Raises UnknownId."""
        return self._pipeline.delete(self._kept(owner_name(user_id)), [plain_string(id, "id")])

    def delete_all(
        self,
        *,
        user_id: str | None = None,
        **within: Unpack[Filters],
    ) -> int:
        """Take all memories that pass off every path; how many. To destroy them, use `erase`."""
        store = self._owners.find(owner_name(user_id))
        return 0 if store is None else self._pipeline.delete_all(store, filter_from(within))

    def history(self, id: str, *, user_id: str | None = None) -> list[Event]:
        """What became of a memory, oldest first: what was said, corrected, taken away. Raises UnknownId."""
        store = self._kept(owner_name(user_id))
        (record,) = store.records([plain_string(id, "id")])
        past = store.history(record.id)
        if isinstance(record, Note):
            return events_of([*store.history(record.turn_ids[0])[:1], *past])
        replaced_by = past[-1][0].note_ids
        return events_of([*past[:1], *store.history(replaced_by[0])] if replaced_by else past)

    def end_session(self, session_id: str, *, user_id: str | None = None) -> bool:
        """Say that a session is over; what comes next under its id is a new stretch. Whether it was open."""
        store = self._owners.find(owner_name(user_id))
        return False if store is None else store.end_session(plain_string(session_id, "session_id"))

    def to_erase(
        self,
        *,
        user_id: str | None = None,
        ids: Sequence[str] | None = None,
        session_id: str | None = None,
        matching: str | None = None,
    ) -> list[Item]:
        """What `erase` with the same arguments would destroy."""
        owner = owner_name(user_id)
        turns = self._turns_to_erase(owner, ids=ids, session_id=session_id, matching=matching)
        return [item_of(turn, turn, owner) for turn in turns]

    def erase(
        self,
        *,
        user_id: str | None = None,
        ids: Sequence[str] | None = None,
        session_id: str | None = None,
        matching: str | None = None,
    ) -> Erasure:
        """Destroy turns and all that rests on them, prove it, and keep a receipt without text or name.

        `ids`: of turns, or of notes with the turns they rest on. `matching`: in plain words; look at `to_erase`
        first. With `user_id` alone the whole owner goes, file and all. Raises UnknownId when there is nothing
        to erase.
        """
        owner = owner_name(user_id)
        if ids is None and session_id is None and matching is None:
            return self._owners.erase(owner)
        turns = self._turns_to_erase(owner, ids=ids, session_id=session_id, matching=matching)
        if not turns:
            raise UnknownId("Nothing that is kept of this owner matches, so nothing was erased.")
        scope = "session" if session_id is not None else "turns"
        return self._owners.keep(self._pipeline.erase(self._kept(owner), turns, scope=scope))

    def erasures(self) -> list[Erasure]:
        """The receipts of all erasures in this folder, oldest first."""
        return self._owners.erasures()

    def users(self) -> list[str]:
        """Whose memories are kept here, sorted."""
        return self._owners.names()

    def reindex(self, *, user_id: str | None = None, progress: Callable[[int, int], None] = _unwatched) -> int:
        """Embed an owner's memories again by today's settings; how many texts were embedded.

        Can be interrupted and called again; until it is done the store works with the model it had.
        """
        return self._owners.reindex(owner_name(user_id), progress=progress)

    def records(self, *, user_id: str | None = None) -> Iterator[Turn | Note]:
        """All living turns in the order in which they were added, then all living notes, as records."""
        store = self._owners.find(owner_name(user_id))
        return iter(()) if store is None else store.living(Filter())

    def check(self) -> list[str]:
        """What is wrong with the files of this folder, in words; empty when all is well."""
        return self._owners.check()

    def close(self) -> None:
        """Let go of all files. Nothing is lost without it."""
        self._owners.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _recalled(self, question: str, owner: str, within: Filter, top_k: int | None, *, budget: int | None) -> Recall:
        question = _phrase(question, "query")
        wanted = min(_positive(top_k, self.settings.top_k, "top_k"), _MOST_HITS)
        store = self._owners.find(owner)
        if store is None:
            return Recall(
                question=question, hits=(), context="", context_tokens=0, context_ids=(), steps=(),
                gaps=("nothing is kept of this user",),
            )  # fmt: skip
        return self._recall(question, store, within=within, top_k=wanted, budget=budget)

    def _items(self, owner: str, within: Filter, limit: int | None) -> Iterator[Item]:
        store = self._owners.find(owner)
        if store is not None:
            for record in store.living(within, limit=limit):
                yield item_of(record, _turn_of(record, store), owner)

    def _kept(self, owner: str) -> Store:
        store = self._owners.find(owner)
        if store is None:
            raise UnknownId(f"Nothing is kept of {shown(owner)}.")
        return store

    def _turns_to_erase(
        self, owner: str, *, ids: Sequence[str] | None, session_id: str | None, matching: str | None
    ) -> list[Turn]:
        if ids is not None and (isinstance(ids, str) or not isinstance(ids, Sequence)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidInput(f"ids must be a list of ids, not {shown(ids)}.")
        if ids is not None and (session_id is not None or matching is not None):
            raise InvalidInput("Pass ids alone: they already say which records are meant.")
        store = self._kept(owner)
        found = [plain_string(id, "id") for id in ids or ()]
        within = filter_from({"session_id": session_id})
        if matching is not None:
            found = self._pipeline.about(store, _phrase(matching, "matching"), within)
        elif within.session_id is not None:
            found = store.turns_of_session(within.session_id)
        turn_ids = dict.fromkeys(id for record in store.records(found) for id in _turn_ids(record))
        return [turn for turn in store.records(list(turn_ids)) if isinstance(turn, Turn)]


def _phrase(value: str, what: str) -> str:
    """A question or a phrase, cleaned. Raises InvalidInput."""
    phrase = plain_string(value, what)
    if not phrase.strip():
        raise InvalidInput(f"The {what} is empty. Write something.")
    if len(phrase) > _LONGEST_QUESTION:
        raise InvalidInput(f"The {what} has {len(phrase):,} characters; at most {_LONGEST_QUESTION:,} are read.")
    return phrase


def _turn_of(record: Turn | Note, store: Store) -> Turn:
    """The turn itself, or the first one that a note rests on."""
    if isinstance(record, Turn):
        return record
    return next(turn for turn in store.records(record.turn_ids[:1]) if isinstance(turn, Turn))


def _turn_ids(record: Turn | Note) -> tuple[str, ...]:
    return (record.id,) if isinstance(record, Turn) else record.turn_ids


def _positive(value: int | None, default: int, name: str) -> int:
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidInput(f"{name} must be a whole number above 0, not {shown(value)}.")
    return value
