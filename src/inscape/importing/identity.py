"""Names and ids for messages that come without their own, the same at every import."""

from __future__ import annotations

import hashlib
import json

from inscape.incoming import JOINERS, readable_name
from inscape.settings import MAX_NAME


class Repeats:
    """Gives equal messages of one file different ids, and every message the same id at each import.

    A message with a time is numbered among its equals of the same time, so an export that starts earlier or
    ends later gives it the same id. One without a time is numbered among all its equals in the chat.
    Of either kind the last `window` different ones are remembered: repeats of one time stand close together,
    and messages without a time begin a new count, part of the id, when so many are full.
    """

    def __init__(self, format: str, *, window: int = 20_000) -> None:
        self._format = format
        self._window = window
        self._timed: dict[str, int] = {}
        self._untimed: dict[str, int] = {}
        self._count = 0

    def id_for(self, *, chat: str, speaker: str, time: str | None, text: str) -> str:
        """The id of the next message of the file; `time` as the file writes it, whatever the zone."""
        key = _digest([chat, speaker, time, text])
        nth = self._nth_untimed(key) if time is None else self._nth_timed(key)
        count = f"~{self._count}" if time is None and self._count else ""
        return f"{self._format}:{key}" + (f"-{nth}" if nth > 1 else "") + count

    def _nth_timed(self, key: str) -> int:
        nth = self._timed.pop(key, 0) + 1
        self._timed[key] = nth
        if len(self._timed) > self._window:
            del self._timed[next(iter(self._timed))]
        return nth

    def _nth_untimed(self, key: str) -> int:
        if len(self._untimed) >= self._window and key not in self._untimed:
            self._untimed.clear()
            self._count += 1
        nth = self._untimed.get(key, 0) + 1
        self._untimed[key] = nth
        return nth


def name_from(written: str) -> str:
    """A speaker's or a chat's name as memory keeps names: printable, single spaces, at most 200 characters.

    Marks of writing direction go; what can be read stays.

    >>> name_from("\\u200e~\\u202fAna\\u00a0 Lima")
    'Ana Lima'
    """
    spaced = readable_name(" ".join(written.split()))
    readable = "".join(sign for sign in spaced if sign.isprintable() or sign in JOINERS)
    return " ".join(readable.removeprefix("~").split())[:MAX_NAME].strip()


def _digest(parts: list[str | None]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]
