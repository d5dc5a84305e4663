"""Records and hits in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inscape.items import Item

_FOUND_BY = {
    "words": "its words",
    "tokens": "the meaning of its words",
    "dense": "the meaning of the whole",
    "speaker": "the speaker who is named",
    "date": "the date that is named",
    "question": "it asks rather than tells",
    "when": "it tells a time",
    "name": "it holds a name",
    "reply": "it replies to a question like this",
    "session": "its session",
}


def found_by(terms: Mapping[str, float], *, most: int | None = None) -> str:
    """How a hit was found: what each term of the ranking gave, the largest first.

    >>> found_by({"words": 0.4, "tokens": 1.528, "question": -0.1})
    'the meaning of its words 1.53, its words 0.40, it asks rather than tells -0.10'
    """
    ordered = sorted(terms.items(), key=lambda term: -term[1])[:most]
    return ", ".join(f"{_FOUND_BY.get(name, name)} {value:.2f}" for name, value in ordered)


def counted(number: int, noun: str) -> str:
    """A number and its noun.

    >>> counted(1, "turn"), counted(2_000, "turn")
    ('1 turn', '2,000 turns')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def date_of(created_at: str | None) -> str:
    """When something was said, on the speaker's clock.

    >>> date_of("2025-09-02T18:31:34+02:00"), date_of(None)
    ('2025-09-02 18:31', 'undated')
    """
    return "undated" if created_at is None else f"{datetime.fromisoformat(created_at):%Y-%m-%d %H:%M}"


def text_of(item: Item) -> str:
    """What was said, and what its images show."""
    from inscape.indexing import with_captions

    return with_captions(item["memory"], item["captions"] if item["kind"] == "turn" else ())
