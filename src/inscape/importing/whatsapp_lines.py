"""Lines of a WhatsApp export: where a message opens, and when it was said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

_MORNING = ("上午", "凌晨", "早上", "清晨", "午前", "오전", "ص", "vorm")
_NOON = ("中午",)
_EVENING = ("下午", "晚上", "傍晚", "午後", "오후", "م", "nachm")
_WORD = "|".join((*_MORNING, *_NOON, *_EVENING))
_PART = rf"[aApP]\.?\s?[mM]\.?|{_WORD}"
_DATE = r"(?P<a>\d{1,4})\s?[./\-年]\s?(?P<b>\d{1,2})\s?[./\-月]\s?(?P<c>\d{1,4})[.日]?"
_TIME = (
    rf"(?:(?P<before>{_WORD})\s?)?(?P<hour>\d{{1,2}})[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d))?"
    rf"(?:\s?(?P<after>{_PART})\.?)?"
)
_BETWEEN = r",?\s(?:(?:à|às|um|om|kl\.?|at|a las)\s)?"
_ANDROID = re.compile(rf"{_DATE}{_BETWEEN}{_TIME}\s[-–]\s(?P<rest>.*)", re.DOTALL)
_IPHONE = re.compile(rf"\[(?!\d{{4}}-\d\d-\d\d[ T]\d){_DATE}{_BETWEEN}{_TIME}\]\s?(?P<rest>.*)", re.DOTALL)
"""A bracketed ISO time without a comma is no iPhone's; it stands in plain transcripts."""
_SPEAKER = re.compile(r"(?P<speaker>[^:\n]{1,120}):(?:\s(?P<text>.*)|)", re.DOTALL)
_MARKS = "\u200e\u200f\u202a\u202b\u202c\ufeff"
"""Signs of writing direction, which WhatsApp puts around names and before its own words."""
_SHAPES = {(4, 1), (4, 2), (1, 2), (2, 2), (1, 4), (2, 4)}
"""Digits of the first and the last number of a date."""
_QUOTES = re.compile('["“”„«»]')


@dataclass(frozen=True, kw_only=True, slots=True)
class Opening:
    """The first line of a message, its date as it is written."""

    a: int
    b: int
    c: int
    """The three numbers of the date, in their order."""
    is_year_first: bool
    is_dotted: bool
    hour: int
    minute: int
    second: int
    speaker: str | None
    """As written; None in a line of WhatsApp's own."""
    text: str

    @property
    def is_marked(self) -> bool:
        """Whether the text begins with the mark that iPhones put before what WhatsApp itself says."""
        return self.text.startswith("\u200e")

    @property
    def is_open_to_both(self) -> bool:
        """Whether the date is a date in either order of day and month."""
        return not self.is_year_first and self.a <= 12 and self.b <= 12

    def moment(self, *, day_first: bool) -> datetime:
        """The time on the exporter's clock. Raises ValueError for what is no date."""
        if self.is_year_first:
            year, month, day = self.a, self.b, self.c
        else:
            year, month, day = self.c, *((self.b, self.a) if day_first else (self.a, self.b))
        return datetime(year + 2000 if year < 100 else year, month, day, self.hour, self.minute, self.second)


def opening_of(line: str) -> Opening | None:
    """What a line opens; None for a line that goes on with the message before.

    >>> opening = opening_of("31/12/2023, 23:59 - Ana: happy new year")
    >>> opening.speaker, opening.text, opening.moment(day_first=True).isoformat()
    ('Ana', 'happy new year', '2023-12-31T23:59:00')
    """
    bare = line.lstrip(_MARKS)
    if not bare or not (bare[0] == "[" or bare[0].isdecimal()):
        return None
    found = (_IPHONE if bare[0] == "[" else _ANDROID).fullmatch(bare)
    if found is None or (len(found["a"]), len(found["c"])) not in _SHAPES:
        return None
    speaker, text = _said(found["rest"])
    return Opening(
        a=int(found["a"]),
        b=int(found["b"]),
        c=int(found["c"]),
        is_year_first=len(found["a"]) == 4,
        is_dotted=bare[: found.end("c")].count(".") == 2,
        hour=_hour(int(found["hour"]), found["before"] or found["after"] or ""),
        minute=int(found["minute"]),
        second=int(found["second"] or 0),
        speaker=speaker,
        text=text,
    )


def _said(rest: str) -> tuple[str | None, str]:
    found = _SPEAKER.fullmatch(rest)
    if found is None or _QUOTES.search(found["speaker"]):
        return None, rest
    return found["speaker"], found["text"] or ""


def _hour(hour: int, part: str) -> int:
    """The hour of 24; hours above 12 are so already.

    >>> _hour(12, "AM"), _hour(11, "p. m."), _hour(12, "下午"), _hour(1, "中午")
    (0, 23, 12, 13)
    """
    if not part or hour > 12:
        return hour
    word = part.lower()
    if word in _NOON:
        return hour + 12 if hour < 10 else hour
    is_evening = word.startswith("p") or word in _EVENING
    return hour % 12 + (12 if is_evening else 0)
