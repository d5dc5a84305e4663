"""Dates: the time at which something was said, and the times that a question names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from dateutil import parser as dateutil_parser

from inscape.errors import InvalidTimestamp, shown

_ADVICE = "Write it like 2023-05-08T13:56:00+02:00, or give seconds since 1970."
_WEEKDAY = re.compile(r"\(\s*\w{2,9}\.?\s*\)|（[^）]{1,4}）|(?:星期|周)[一二三四五六日天]")
_CHINESE = re.compile(
    r"(\d{4})年(\d{1,2})月(\d{1,2})[日号]?\s*(上午|下午|晚上|中午|凌晨)?\s*(?:(\d{1,2})[:：点时](\d{1,2})?分?)?"
)
_SLASHED = re.compile(r"(?<!\d)(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)")
_DOTTED = re.compile(r"(?<![\d.])\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})(?!\d)")
_OFFSET = re.compile(r"(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?", re.IGNORECASE)
_UTC_BEFORE_OFFSET = re.compile(r"\b(?:UTC|GMT)\s*(?=[+-]\d)", re.IGNORECASE)
"""dateutil reads GMT+3 as POSIX does, three hours behind; people mean three ahead."""
_MILLISECONDS_FROM = 1e11
"""Larger numbers are milliseconds: as seconds they would lie beyond the year 5138."""


def read_timestamp(value: object, *, zone: str | None = None) -> tuple[datetime, int]:
    """The moment (aware, UTC) and the speaker's offset from UTC in seconds.

    `value`: a datetime, a date, seconds or milliseconds since 1970, or a string in ISO 8601 or as people
    write it. `zone` (IANA name or +HH:MM) is where the speaker was: a time without an offset is read on
    that clock, a time with one is shown on it.

    Raises InvalidTimestamp, naming the value, when it cannot be read or could mean two days.

    >>> read_timestamp("1:56 pm on 8 May, 2023")[0].isoformat()
    '2023-05-08T13:56:00+00:00'
    >>> moment, offset = read_timestamp("2023-05-20T02:00:00Z", zone="-07:00")
    >>> moment.hour, offset
    (2, -25200)
    """
    where = read_zone(zone) if zone is not None else None
    moment = _moment(value)
    try:
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=where or UTC)
        elif where is not None:
            moment = moment.astimezone(where)
        utc = moment.astimezone(UTC)
    except (OverflowError, ValueError) as error:
        raise InvalidTimestamp(f"The timestamp {shown(value)} is out of range. {_ADVICE}") from error
    if not 1900 <= utc.year <= 2200:
        raise InvalidTimestamp(f"The timestamp {shown(value)} is the year {utc.year}. {_ADVICE}")
    return utc, int((moment.utcoffset() or timedelta()).total_seconds())


def is_bare_date(value: object) -> bool:
    """Whether a timestamp names a day and no time of day.

    >>> is_bare_date("2025-09-30"), is_bare_date("2025-09-30 00:00")
    (True, False)
    """
    if isinstance(value, str):
        return bool(re.fullmatch(r"\d{4}[-/]\d{1,2}[-/]\d{1,2}", value.strip()))
    return isinstance(value, date) and not isinstance(value, datetime)


def read_zone(name: str) -> tzinfo:
    """A zone from `Asia/Singapore`, `UTC` or `+08:00`. Raises InvalidTimestamp."""
    offset = _OFFSET.fullmatch(name.strip())
    if offset is not None:
        sign, hours, minutes = offset.groups()
        seconds = int(hours) * 3600 + int(minutes or 0) * 60
        if seconds < 86_400:
            return timezone(timedelta(seconds=-seconds if sign == "-" else seconds))
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError) as error:
        raise InvalidTimestamp(
            f"The time zone {shown(name)} is unknown. Write it like Europe/Berlin or +02:00."
        ) from error


def _moment(value: object) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise InvalidTimestamp(f"The timestamp {shown(value)} is of type {type(value).__name__}. {_ADVICE}")
    if isinstance(value, str):
        return _written(value)
    return _counted(value, value=value)


def _counted(seconds: float, *, value: object) -> datetime:
    try:
        if abs(seconds) >= _MILLISECONDS_FROM:
            seconds /= 1000
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError) as error:
        raise InvalidTimestamp(f"The timestamp {shown(value)} is out of range. {_ADVICE}") from error


def _written(text: str) -> datetime:
    cleaned = _WEEKDAY.sub(" ", text).replace("\u202f", " ").replace("\u200e", "").strip()
    cleaned = _UTC_BEFORE_OFFSET.sub("", cleaned)
    if re.fullmatch(r"-?\d{9,14}(\.\d+)?", cleaned):
        return _counted(float(cleaned), value=text)
    try:
        return datetime.fromisoformat(cleaned)
    except ValueError:
        pass
    chinese = _CHINESE.fullmatch(cleaned)
    if chinese is not None:
        return _from_chinese(chinese, value=text)
    slashed = _SLASHED.search(cleaned)
    day_first = bool(_DOTTED.search(cleaned))
    if slashed is not None:
        first, second = int(slashed[1]), int(slashed[3])
        could_be_the_year = slashed[2] == "-" and len(slashed[4]) == 2
        if could_be_the_year or (first <= 12 and second <= 12 and first != second):
            raise InvalidTimestamp(f"The timestamp {shown(text)} could be two different days. {_ADVICE}")
        day_first = first > 12
    return _parsed(cleaned, day_first=day_first, value=text)


def _from_chinese(found: re.Match[str], *, value: str) -> datetime:
    year, month, day, part, hour, minute = found.groups()
    clock = int(hour or 0)
    if part in ("上午", "凌晨") and clock == 12:
        clock = 0
    elif (part in ("下午", "晚上") and clock < 12) or (part == "中午" and clock < 3):
        clock += 12 * (hour is not None)
    try:
        return datetime(int(year), int(month), int(day), clock, int(minute or 0))
    except ValueError as error:
        raise InvalidTimestamp(f"The timestamp {shown(value)} does not exist: {error}. {_ADVICE}") from error


def _parsed(cleaned: str, *, day_first: bool, value: str) -> datetime:
    """By dateutil; read twice with different defaults, since it fills what a text leaves out."""
    readings: list[datetime] = []
    for default in (datetime(2001, 2, 3), datetime(2004, 5, 6)):
        try:
            readings.append(dateutil_parser.parse(cleaned, default=default, dayfirst=day_first, tzinfos=_written_zone))
        except (ValueError, ArithmeticError, TypeError, IndexError, AttributeError) as error:
            raise InvalidTimestamp(f"The timestamp {shown(value)} cannot be read. {_ADVICE}") from error
    if readings[0] != readings[1]:
        raise InvalidTimestamp(f"The timestamp {shown(value)} has no year, month or day. {_ADVICE}")
    return readings[0]


def _written_zone(name: str | None, offset: int | None) -> tzinfo | None:
    """A zone as dateutil found it. Letters alone (CST) name several, and the machine's own must not count."""
    if offset is not None:
        return timezone(timedelta(seconds=offset))
    if name is not None:
        raise ValueError(f"the time zone {name} is not written as an offset")
    return None


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
            "august aug", "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_NAMED = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<month>{_MONTH})\b\.?"
    r"(?:\s+(?P<late>\d{1,2})(?:st|nd|rd|th)?(?!\d))?(?:,?\s+(?:of\s+)?(?P<year>\d{4})\b)?",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b(?P<year>\d{4})[-/](?P<month>\d{1,2})(?:[-/](?P<day>\d{1,2}))?\b")
_HAN = re.compile(r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?")
_YEAR = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d{2})(?!\d)年?")


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A date as far as a text names it; None where it does not say."""

    year: int | None
    month: int | None
    day: int | None


def dates_in(text: str) -> list[NamedDate]:
    """The calendar dates that a text names; relative words ("last week") are none.

    >>> dates_in("What happened on May 8th, 2023 and in June?")
    [NamedDate(year=2023, month=5, day=8), NamedDate(year=None, month=6, day=None)]
    """
    found: list[NamedDate] = []
    for pattern in (_ISO, _HAN, _NAMED, _YEAR):
        for match in pattern.finditer(text):
            parts = match.groupdict()
            month = parts.get("month") or ""
            if month.lower() in ("may", "mar", "march") and not _is_month(match, text):
                continue
            number = _MONTHS.get(month.lower()) or (int(month) if month else None)
            day = parts.get("day") or parts.get("late")
            named = NamedDate(int(parts["year"]) if parts.get("year") else None, number, int(day) if day else None)
            if _is_possible(named):
                found.append(named)
        text = pattern.sub(" ", text)
    return found


def _is_month(match: re.Match[str], text: str) -> bool:
    """`May` and `March` are also verbs: they count with a day, a year, or a word of time before them."""
    if match["day"] or match["late"] or match["year"]:
        return True
    before = text[: match.start()].rstrip().lower()
    return match["month"][0].isupper() and bool(
        re.search(r"\b(?:in|of|on|since|until|till|by|during|before|after|last|next|this|late|early|mid)$", before)
    )


def _is_possible(named: NamedDate) -> bool:
    return (named.month is None or 1 <= named.month <= 12) and (named.day is None or 1 <= named.day <= 31)
