"""What a person corrects or takes away."""

from __future__ import annotations

from collections.abc import Sequence

from inscape.records import Changes, NewNote, Note, Source, Turn


def correction(record: Turn | Note, text: str) -> Changes:
    """A person's words in place of a record.

    A turn stays as it was said but leaves every path, and a note with the new text rests on it. A note
    gets a new version; the old one stays on record.
    """
    if isinstance(record, Turn):
        note = NewNote(
            text=text,
            subject=record.speaker,
            kind="fact",
            sources=(Source(turn_id=record.id, start=0, end=len(record.text)),),
            valid_from=record.said_at,
            author="person",
        )
        return Changes(verb="update", author="person", notes=(note,), set_aside_turns=(record.id,))
    note = NewNote(
        text=text,
        subject=record.subject,
        kind=record.kind,
        sources=record.sources,
        valid_from=record.valid_from,
        valid_to=record.valid_to,
        author="person",
        revises=record.id,
    )
    return Changes(verb="update", author="person", notes=(note,))


def removal(records: Sequence[Turn | Note]) -> Changes:
    """Take records off every path; they stay on record until they are erased."""
    return Changes(
        verb="delete",
        author="person",
        set_aside_turns=tuple(record.id for record in records if isinstance(record, Turn)),
        close_notes=tuple(record.id for record in records if isinstance(record, Note)),
    )
