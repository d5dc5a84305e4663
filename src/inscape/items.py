"""Memories as plain JSON, in the field names of the ecosystem: what `Memory` returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from inscape.records import Change, Hit, Json, Note, Turn


class Item(TypedDict):
    """One memory as plain JSON, in the field names of the ecosystem."""

    id: str
    memory: str
    """The text: of the turn as it was said, or of the note."""
    kind: Literal["turn", "note"]
    user_id: str
    agent_id: str | None
    run_id: str | None
    session_id: str
    message_id: str | None
    """The caller's own id of the turn, where one was given."""
    speaker: str
    role: str
    created_at: str | None
    """When it was said, ISO 8601 on the speaker's clock; None where nobody said when."""
    added_at: str
    captions: list[str]
    metadata: Mapping[str, Json]
    sources: list[str]
    """Ids of the turns that a note rests on; a turn's own id."""
    score: NotRequired[float]
    found_by: NotRequired[Mapping[str, float]]


class Results(TypedDict):
    """What `search` and `get_all` return."""

    results: list[Item]
    gaps: NotRequired[list[str]]
    """What was missing, in words; `search` only. Not empty when nothing close was found."""


class Event(TypedDict):
    """One step in the history of a memory."""

    id: str
    memory: str
    event: Literal["ADD", "UPDATE", "DELETE"]
    old_memory: str | None
    new_memory: str | None
    author: str
    change_id: int
    created_at: str


def item_of(record: Turn | Note, turn: Turn, owner: str) -> Item:
    """A record as an item; `turn` is itself, or the first turn that a note rests on."""
    local = turn.local_time
    return {
        "id": record.id,
        "memory": record.text,
        "kind": "turn" if isinstance(record, Turn) else "note",
        "user_id": owner,
        "agent_id": turn.agent_id,
        "run_id": turn.run_id,
        "session_id": turn.session_id,
        "message_id": turn.message_id,
        "speaker": record.speaker if isinstance(record, Turn) else record.subject,
        "role": turn.role,
        "created_at": None if local is None else local.isoformat(),
        "added_at": (record.added_at if isinstance(record, Turn) else record.believed_from).isoformat(),
        "captions": list(turn.captions),
        "metadata": turn.metadata,
        "sources": [turn.id] if isinstance(record, Turn) else list(record.turn_ids),
    }


def item_of_hit(hit: Hit, owner: str) -> Item:
    """A hit as an item with its score and how it was found."""
    item = item_of(hit.record, hit.turn, owner)
    item["score"] = hit.score
    item["found_by"] = hit.found_by
    return item


def events_of(past: Sequence[tuple[Change, Turn | Note]]) -> list[Event]:
    """Changes and the records they left, as events with the text before and after."""
    events: list[Event] = []
    text: str | None = None
    for change, record in past:
        gone = change.id != record.change_id
        events.append(
            {
                "id": record.id,
                "memory": record.text,
                "event": "ADD" if text is None else "DELETE" if gone else "UPDATE",
                "old_memory": text,
                "new_memory": None if gone else record.text,
                "author": change.author,
                "change_id": change.id,
                "created_at": change.made_at.isoformat(),
            }
        )
        text = record.text
    return events
