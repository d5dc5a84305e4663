"""Owners of any size out of a few conversations, for measuring speed.

The first copy is the data as it is. In every later one

- dates move on by 180 days a copy, and sessions and messages have ids of their own;
- speakers get other names, also where they are spoken of;
- numbers rise by the number of the copy;
- one content word in five (five or more small letters) is another one out of the whole data.

So hardly any two turns are equal, but for short ones ("Thanks!") as in any chat, and words keep their frequencies.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from inscape.bench.data import Conversation, Said, Session
from inscape.text.dates import read_timestamp

_DAYS = 180
_COPIES = 300
"""After so many, dates and numbers begin again: no date may lie beyond 2200."""
_WORD = re.compile(r"\b[a-z]{5,}\b")
_NUMBER = re.compile(r"\b\d{1,4}\b")
_CHANGED = 0.2
_NAMES = tuple(
    "Ada Ben Cleo Dan Eva Finn Gina Hugo Ivy Jonas Kim Leo Mia Nils Olga Paul Rosa Sven Tess Umar Vera Walt Xenia "
    "Yann Zoe Amir Bella Carl Dora Emil Flora Gus Hana Igor June Karl Lena Max Nora Otto Pia Remy Sara Theo Uma".split()
)


def enlarged(conversations: Sequence[Conversation], turns: int, *, first_copy: int = 0) -> Iterator[Session]:
    """Sessions of together exactly `turns` turns; the same ones every time. `first_copy`: 0 begins with the data
    as it is."""
    words = [word for one in conversations for turn in one.turns.values() for word in _WORD.findall(turn.text)]
    left = turns
    copy = first_copy
    while left > 0 and any(one.turns for one in conversations):
        for one in conversations:
            for session in _copied(one, copy, words):
                if left <= 0:
                    return
                yield replace(session, turns=session.turns[:left])
                left -= len(session.turns)
        copy += 1


def _copied(conversation: Conversation, copy: int, words: Sequence[str]) -> Iterator[Session]:
    chance = random.Random(f"{conversation.id}/{copy}")  # noqa: S311 - not for secrets
    speakers = sorted({turn.speaker for turn in conversation.turns.values()})
    names = dict(zip(speakers, chance.sample(_NAMES, min(len(speakers), len(_NAMES))), strict=False)) if copy else {}
    for session in conversation.sessions:
        yield Session(
            id=f"{conversation.id}-{copy}-{session.id}",
            timestamp=_later(session.timestamp, _DAYS * (copy % _COPIES)),
            turns=tuple(
                _varied(turn, f"{conversation.id}-{copy}", copy, names, words, chance) for turn in session.turns
            ),
        )


def _varied(
    turn: Said, prefix: str, copy: int, names: Mapping[str, str], words: Sequence[str], chance: random.Random
) -> Said:
    turn = replace(turn, id=f"{prefix}-{turn.id}", timestamp=None)
    if not copy:
        return turn

    def vary(text: str) -> str:
        for name, other in names.items():
            text = re.sub(rf"\b{re.escape(name)}\b", other, text)
        text = _NUMBER.sub(lambda found: str(int(found[0]) + copy % _COPIES), text)
        return _WORD.sub(lambda found: chance.choice(words) if chance.random() < _CHANGED else found[0], text)

    return replace(
        turn,
        speaker=names.get(turn.speaker, turn.speaker),
        text=vary(turn.text),
        captions=tuple(vary(caption) for caption in turn.captions),
    )


def _later(timestamp: str | None, days: int) -> str | None:
    if timestamp is None:
        return None
    return (read_timestamp(timestamp)[0] + timedelta(days=days)).isoformat()
