"""WhatsApp's text exports, from Android and iPhone, in its languages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

from inscape.errors import WrongFormat
from inscape.importing.files import Line, lines_of
from inscape.importing.identity import Repeats, name_from
from inscape.importing.reading import Broken, Draft, Format, Read, Skipped
from inscape.importing.whatsapp_lines import Opening, opening_of
from inscape.importing.whatsapp_words import captions_in, chat_named_by, is_encryption_notice, is_notice
from inscape.incoming import Defaults

_LATE = timedelta(days=1)
"""How far back a message may be dated after its forerunner: phones without a net deliver late."""


def looks_like_whatsapp(head: str) -> bool:
    """Whether one of the first lines opens a message."""
    return any(opening_of(line) is not None for line in head.splitlines()[:20])


def read_whatsapp(path: Path, defaults: Defaults) -> Iterator[Read]:
    """The messages. Session: `defaults.session_id`, else the chat's name from the file or its name.

    The file is read twice: first for the order of day and month. Skipped: what WhatsApp itself says.

    Raises WrongFormat when the dates do not tell that order, or contradict `defaults.day_first`.
    """
    survey = _Survey()
    for line in lines_of(path):
        opening = opening_of(line.text)
        if opening is not None:
            survey.take(opening)
    day_first = survey.day_first(path, asked=defaults.day_first)
    chat = survey.chat or defaults.session_id or name_from(chat_named_by(path.stem)) or "WhatsApp"
    reader = _Reader(chat=chat, is_named=survey.chat is not None, day_first=day_first, defaults=defaults)
    for line in lines_of(path):
        yield from reader.take(line)
    yield from reader.finish()


class _Survey:
    """What only the whole file tells."""

    def __init__(self) -> None:
        self.chat: str | None = None
        """The chat's name, where the file gives it."""
        self._above_12 = [0, 0]
        self._is_dotted = False
        self._differs = False
        self._setbacks = {True: 0, False: 0}
        self._last: dict[bool, date | None] = {True: None, False: None}

    def take(self, opening: Opening) -> None:
        if self.chat is None and opening.speaker and is_encryption_notice(opening.text):
            self.chat = name_from(opening.speaker) or None
        if opening.is_year_first:
            return
        self._is_dotted = self._is_dotted or opening.is_dotted
        self._above_12[0] += opening.a > 12
        self._above_12[1] += opening.b > 12
        if opening.is_open_to_both:
            self._differs = self._differs or opening.a != opening.b
            for day_first in (True, False):
                self._follow(opening, day_first=day_first)

    def _follow(self, opening: Opening, *, day_first: bool) -> None:
        try:
            day = opening.moment(day_first=day_first).date()
        except ValueError:
            return
        last = self._last[day_first]
        self._setbacks[day_first] += last is not None and day < last - _LATE
        self._last[day_first] = day

    def day_first(self, path: Path, *, asked: bool | None) -> bool:
        """Whether the day stands before the month: by numbers above 12, by dots, by what keeps the messages
        in order. Raises WrongFormat when nothing tells it, or what is asked for cannot be."""
        seen = self._seen()
        if asked is not None:
            if self._above_12[1 if asked else 0] and not self._above_12[0 if asked else 1]:
                order = "day before month" if asked else "month before day"
                raise WrongFormat(
                    f"{path} cannot be read with {order}: it has dates that are none in that order. "
                    f"Pass day_first={not asked}, or leave it out."
                )
            return asked
        if seen is None:
            raise WrongFormat(
                f"{path} does not tell whether 05/06 is 5 June or May 6. Pass day_first=True for 5 June "
                "(`--day-first`), or day_first=False for May 6 (`--month-first`)."
            )
        return seen

    def _seen(self) -> bool | None:
        days, months = self._above_12
        if days != months:
            return days > months
        if self._is_dotted or not self._differs:
            return True
        if self._setbacks[True] != self._setbacks[False]:
            return self._setbacks[True] < self._setbacks[False]
        return None


@dataclass(kw_only=True, slots=True)
class _Open:
    opening: Opening
    draft: Draft


class _Reader:
    def __init__(self, *, chat: str, is_named: bool, day_first: bool, defaults: Defaults) -> None:
        self._chat = chat
        self._is_named = is_named
        self._day_first = day_first
        self._defaults = replace(defaults, session_id=defaults.session_id or chat)
        self._repeats = Repeats("whatsapp")
        self._open: _Open | None = None

    def take(self, line: Line) -> Iterator[Read]:
        opening = opening_of(line.text)
        if opening is not None:
            yield from self.finish()
            self._open = _Open(opening=opening, draft=Draft(where=f"line {line.number}"))
            self._open.draft.add(opening.text, unreadable=line.unreadable)
        elif self._open is not None:
            self._open.draft.add(line.text, unreadable=line.unreadable)
        elif line.text.strip():
            yield Skipped(where=f"line {line.number}", reason="before the first message")

    def finish(self) -> Iterator[Read]:
        held, self._open = self._open, None
        if held is None:
            return
        opening, where = held.opening, held.draft.where
        speaker = name_from(opening.speaker or "")
        text, captions = captions_in(held.draft.text)
        if not speaker or is_notice(opening.text) or (not captions and self._is_of_the_chat(opening, speaker)):
            yield Skipped(where=where, reason="a line of WhatsApp's own")
            return
        if not text and not captions and not held.draft.is_too_long:
            yield Skipped(where=where, reason="empty")
            return
        try:
            moment = opening.moment(day_first=self._day_first)
        except ValueError as error:
            yield Broken(where=where, reason=f"The date {opening.a}-{opening.b}-{opening.c} cannot be read: {error}.")
            return
        message_id = self._repeats.id_for(
            chat=self._chat,
            speaker=speaker,
            time=moment.isoformat(),
            text="\n".join([text, *captions]),
        )
        raw = {
            "role": "user",
            "speaker": speaker,
            "content": text,
            "captions": captions,
            "timestamp": moment,
            "id": message_id,
        }
        yield from held.draft.read(raw, defaults=self._defaults)

    def _is_of_the_chat(self, opening: Opening, speaker: str) -> bool:
        """Whether an iPhone lets the chat itself speak: `Ana was added` in the name of the group."""
        return self._is_named and speaker == self._chat and opening.is_marked


WHATSAPP = Format(
    name="whatsapp",
    describes="the .txt of a chat exported from WhatsApp",
    looks_like=looks_like_whatsapp,
    reads=read_whatsapp,
)
