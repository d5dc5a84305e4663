"""What memory is made of: frozen records that do no I/O.

A turn is what was said and never changes. Everything above a turn names the turns it rests on and
carries two intervals: when it holds in the world (`valid_*`) and when memory believed it (`believed_*`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Literal, TypeAlias

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
Role: TypeAlias = Literal["user", "assistant", "system", "tool"]
Author: TypeAlias = Literal["import", "person", "model", "rule"]

ROLES: tuple[Role, ...] = ("user", "assistant", "system", "tool")


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """A message as it comes in, read and checked, not yet stored."""

    text: str
    speaker: str
    role: Role
    session_id: str
    message_id: str | None = None
    """The caller's own id; the same id is the same message."""
    said_at: datetime | None = None
    """Aware, UTC. `None`: no time was given, and none is invented."""
    utc_offset: int = 0
    """Seconds east of UTC on the speaker's clock."""
    captions: tuple[str, ...] = ()
    agent_id: str | None = None
    run_id: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict[str, Json])
    infer: bool = True
    """False: kept as it is, nothing is ever derived from it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One message as it was said. Never changed; set aside by `delete`, destroyed by `erase`."""

    id: str
    text: str
    speaker: str
    role: Role
    session_id: str
    message_id: str | None
    said_at: datetime | None
    utc_offset: int
    captions: tuple[str, ...]
    agent_id: str | None
    run_id: str | None
    metadata: Mapping[str, Json]
    added_at: datetime
    infer: bool
    change_id: int
    set_aside_by: int | None = None
    """The change that took it off every path, if one did."""

    @property
    def local_time(self) -> datetime | None:
        """When it was said, on the speaker's own clock."""
        if self.said_at is None:
            return None
        return self.said_at.astimezone(timezone(timedelta(seconds=self.utc_offset)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A stretch of a turn: characters `start` to `end` of its text."""

    turn_id: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """One thing worth remembering, in one sentence; one version of it."""

    id: str
    version: int
    text: str
    subject: str
    """Whose it is: a speaker's name."""
    kind: Literal["fact", "preference", "profile"]
    sources: tuple[Source, ...]
    """Where it was said. Never empty: a note without evidence is a rumour."""
    valid_from: datetime | None
    valid_to: datetime | None
    believed_from: datetime
    believed_to: datetime | None
    confidence: float
    author: Author
    change_id: int
    closed_by: int | None = None
    pinned: bool = False

    @property
    def turn_ids(self) -> tuple[str, ...]:
        """The turns it rests on, each once, in order."""
        return tuple(dict.fromkeys(source.turn_id for source in self.sources))


@dataclass(frozen=True, kw_only=True, slots=True)
class NewNote:
    """A note to be written; the store gives it an id, a version and its belief interval."""

    text: str
    subject: str
    kind: Literal["fact", "preference", "profile"]
    sources: tuple[Source, ...]
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    confidence: float = 1.0
    author: Author = "rule"
    revises: str | None = None
    """Id of the note of which this is the next version."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Changes:
    """All that one step writes, applied in one transaction or not at all."""

    verb: str
    """What was done, in one word of the glossary: `update`, `delete`, ..."""
    author: Author
    notes: tuple[NewNote, ...] = ()
    close_notes: tuple[str, ...] = ()
    set_aside_turns: tuple[str, ...] = ()
    restore_turns: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One step on record."""

    id: int
    verb: str
    author: Author
    made_at: datetime
    note_ids: tuple[str, ...] = ()
    """Notes that it wrote."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """Which turns a question may look at. `None` and empty mean any."""

    speaker: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    role: Role | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Both bounds included. A turn without a time counts by when it was added."""
    metadata: Mapping[str, Json] = field(default_factory=dict[str, Json])

    @property
    def is_open(self) -> bool:
        """Whether it lets everything through."""
        return self == Filter()


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """A message that memory held already."""

    index: int
    turn_id: str
    advice: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Refused:
    """A message that was not stored, and why."""

    index: int
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Receipt:
    """What `add` did. Each message is in exactly one of `stored`, `known`, `refused`."""

    stored: tuple[str, ...]
    """Ids of the new turns, durable and searchable."""
    known: tuple[Known, ...] = ()
    refused: tuple[Refused, ...] = ()
    notices: tuple[str, ...] = ()
    """What was mended or done only in part, in words."""
    change_id: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """Something recalled."""

    record: Turn | Note
    score: float
    """0 to 1: how far the words and the meaning of the question are met (see docs/benchmarks.md)."""
    found_by: Mapping[str, float]
    """What each term of the ranking gave."""
    turn: Turn
    """The turn itself, or the first one that the note rests on: it dates and places the hit."""

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def text(self) -> str:
        return self.record.text


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One thing that recall did, and what came of it."""

    did: str
    result: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Recall:
    """The evidence for one question."""

    question: str
    hits: tuple[Hit, ...]
    """Best first."""
    context: str
    """The block for a model: one record a line with id, date and speaker, in reading order."""
    context_tokens: int
    """ceil(UTF-8 bytes / 4) of `context`."""
    context_ids: tuple[str, ...]
    """The records whose whole text stands in `context`, in reading order."""
    steps: tuple[Step, ...]
    gaps: tuple[str, ...] = ()
    """What was missing, in words. Not empty when nothing, or only something loosely related, was found."""
    is_weak: bool = False
    """Whether even the best hit is only loosely related to the question."""

    @property
    def found(self) -> bool:
        """Whether memory holds something that is more than loosely related to the question."""
        return bool(self.hits) and not self.is_weak


@dataclass(frozen=True, kw_only=True, slots=True)
class Erasure:
    """What an erasure removed and where it looked afterwards. Holds no text and no name."""

    id: str
    scope: Literal["owner", "session", "turns"]
    turns: int
    notes: int
    made_at: datetime
    checked: tuple[str, ...]
    """The places that were searched for what was erased, all clean."""
