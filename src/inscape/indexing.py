"""How a record becomes words and vectors: the text that each is made of, in one place."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

from inscape.ports import EmbeddingModel, Indexed
from inscape.records import Message, NewNote, Note, Turn
from inscape.text.words import WORDS_RECIPE, terms_of

_TEMPLATE = "template-1"
"""Rises whenever `spoken` or `dated` would give another text."""


class TextIndexing:
    """Keeps the promises of `ports.Indexing` for one embedding model."""

    words = f"{WORDS_RECIPE}/{_TEMPLATE}"

    def __init__(self, model: EmbeddingModel) -> None:
        self.model = model

    @property
    def recipe(self) -> str:
        return hashlib.sha256(f"{self.model.recipe}/{self.words}".encode()).hexdigest()[:16]

    def terms(self, record: Message | Turn | NewNote | Note) -> list[str]:
        return terms_of(f"{dated(record)} {spoken(record)}")

    def indexed(self, record: Message | Turn | NewNote | Note) -> Indexed:
        return Indexed(self.terms(record), self.model.embed(spoken(record)))


def spoken(record: Message | Turn | NewNote | Note) -> str:
    """`Speaker: text [image: caption]`, what the embedding model reads."""
    if isinstance(record, Message | Turn):
        return f"{record.speaker}: {with_captions(record.text, record.captions)}"
    return f"{record.subject}: {record.text}"


def with_captions(text: str, captions: Sequence[str]) -> str:
    """A text with its images in words, as it is printed and indexed."""
    return " ".join([text, *(f"[image: {caption}]" for caption in captions)]).strip()


def dated(record: Message | Turn | NewNote | Note) -> str:
    """The calendar day in words, so that `8 May` finds it; empty where there is none."""
    if isinstance(record, Message | Turn):
        if record.said_at is None:
            return ""
        day = record.said_at.astimezone(timezone(timedelta(seconds=record.utc_offset)))
    elif record.valid_from is None:
        return ""
    else:
        day = record.valid_from
    return _in_words(day)


def _in_words(day: datetime) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
