"""Plain transcripts: `Speaker: text` lines, with or without times and headers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta, timezone
from pathlib import Path

from inscape.errors import InvalidTimestamp, shown
from inscape.importing.files import Line, lines_of
from inscape.importing.identity import Repeats, name_from
from inscape.importing.reading import Broken, Draft, Format, Read, Skipped
from inscape.incoming import Defaults
from inscape.records import Role
from inscape.text.dates import read_timestamp

_SESSION = re.compile(r"#+\s*session\b[\s:#.–—-]*(?P<name>.*)", re.IGNORECASE)
_RULE = re.compile(r"(?:-{3,}|={3,})\s*(?P<when>[^-=\s].*?)\s*(?:-{3,}|={3,})")
_TIME = re.compile(
    r"(?:\[(?P<bracketed>[^\[\]]{0,50}\d[^\[\]]{0,50})\]"
    r"|(?P<iso>\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)"
    r"|\((?P<round>[^()]{0,50}\d[^()]{0,50})\))\s*[-–—:]?\s*"
)
_LABEL = re.compile(r"^\w+\s*[:,.(–—-]+\s*")
_SLASHED = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})\b")
_CLOCK = re.compile(r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?")
_SPEAKER = re.compile(
    r"(?P<speaker>(?:[^\W_]|[+@])[^:：.?!,;\"“”<>{}\[\]/\\|=]{0,59}?\.?)\s?(?::(?=\s|$)|：)\s*(?P<text>.*)"
)
_WORDS_OF_A_NAME = 4
_LONGEST_HEADER = 200
_PARTICLES = re.compile(r"al|and|bin|d[aeiou]|das|del|della|de[nr]|dos|e|el|l[ae]|te[nr]|v[ao]n|y|zu")
_MEMBERS = 8
"""With more lines than this, mostly of different speakers, a file is a list of keys and not a chat."""
_NO_NAME = re.compile(
    r"(?:note|notes|hint|tip|warning|example|step|edit|update|source|link|subject|re|fyi|ps|todo|answer|question|"
    r"result|summary|hinweis|beispiel|schritt|nota|ejemplo|paso|exemple|exemplo|étape)(?:\s*\d+)?",
    re.IGNORECASE,
)
"""Words that open a paragraph with a colon and are nobody's name."""
_ROLES: dict[str, Role] = {
    "user": "user", "human": "user", "me": "user",
    "assistant": "assistant", "ai": "assistant", "bot": "assistant", "model": "assistant",
    "chatgpt": "assistant", "claude": "assistant", "gemini": "assistant", "copilot": "assistant",
    "system": "system", "tool": "tool",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    """A line that opens a message."""

    speaker: str
    text: str
    when: str | None
    """As it stands in the line."""


def said_in(line: str) -> Said | None:
    """The opening of a message; None for a line that goes on with the one before.

    A name has at most four words, capitalised when there are several, no punctuation, and a space after its
    colon.

    >>> said_in("[2023-05-08 13:56] Ana Lima: I moved to Lisbon.")
    Said(speaker='Ana Lima', text='I moved to Lisbon.', when='2023-05-08 13:56')
    >>> said_in("see https://example.org: it is nice") is None
    True
    """
    timed = _TIME.match(line)
    when = next((text for text in timed.groups() if text), None) if timed else None
    found = _SPEAKER.fullmatch(line[timed.end() :] if timed else line)
    if found is None or not _is_name(found["speaker"]):
        return None
    name = name_from(found["speaker"])
    return Said(name, found["text"], when) if name else None


def _is_name(written: str) -> bool:
    """One word of any case, or up to four that begin like names: `Ana de Sá`, not `It has hills`."""
    words = written.split()
    if len(words) > _WORDS_OF_A_NAME or _NO_NAME.fullmatch(written):
        return False
    return len(words) == 1 or all(not word[0].islower() or _PARTICLES.fullmatch(word) for word in words)


def looks_like_plain(head: str) -> bool:
    """Whether it begins with a speaker, every tenth line at least does, and speakers come again."""
    lines = [line for line in head.splitlines()[:500] if line.strip() and not _is_header(line)]
    if not lines or head.lstrip()[:1] in ("{", "<") or said_in(lines[0]) is None:
        return False
    speakers = [said.speaker for said in map(said_in, lines) if said is not None]
    is_list = len(speakers) > _MEMBERS and 3 * len(set(speakers)) > 2 * len(speakers)
    return 10 * len(speakers) >= len(lines) and not is_list


def read_plain(path: Path, defaults: Defaults) -> Iterator[Read]:
    """The messages. Session: `defaults.session_id` or the file's name, and the name in a `# session` header.

    `--- 8 May 2023 ---` dates the messages that follow and have at most a clock time of their own.
    """
    reader = _Reader(path, defaults)
    for line in lines_of(path):
        yield from reader.take(line)
    yield from reader.finish()


class _Reader:
    def __init__(self, path: Path, defaults: Defaults) -> None:
        self._defaults = defaults
        self._chat = defaults.session_id or name_from(path.stem) or "chat"
        self._session = self._chat
        self._sessions = 0
        self._day: datetime | None = None
        self._repeats = Repeats("plain")
        self._draft: Draft | None = None
        self._said = Said("", "", None)

    def take(self, line: Line) -> Iterator[Read]:
        if _is_header(line.text):
            yield from self.finish()
            self._turn_to(line.text)
            return
        said = said_in(line.text)
        if said is not None:
            yield from self.finish()
            self._said = said
            self._draft = Draft(where=f"line {line.number}")
            self._draft.add(said.text, unreadable=line.unreadable)
        elif self._draft is not None:
            self._draft.add(line.text, unreadable=line.unreadable)
        elif line.text.strip():
            yield Skipped(where=f"line {line.number}", reason="before the first speaker")

    def finish(self) -> Iterator[Read]:
        draft, self._draft = self._draft, None
        if draft is None:
            return
        if not draft.text and not draft.is_too_long:
            yield Skipped(where=draft.where, reason="empty")
            return
        role = _ROLES.get(self._said.speaker.lower(), "user")
        is_owner = role == "user" and self._said.speaker.lower() in _ROLES
        speaker = self._defaults.owner if is_owner else self._said.speaker
        try:
            moment = self._moment()
        except InvalidTimestamp as error:
            yield Broken(where=draft.where, reason=str(error))
            return
        raw: dict[str, object] = {
            "role": role,
            "speaker": speaker,
            "content": draft.text,
            "timestamp": moment,
            "id": self._repeats.id_for(
                chat=self._session,
                speaker=self._said.speaker,
                time=None if moment is None else str(moment),
                text=draft.text,
            ),
        }
        yield from draft.read(raw, defaults=replace(self._defaults, session_id=self._session))

    def _turn_to(self, header: str) -> None:
        """Begin a session, or a day, as the header says; a session's header may hold its date."""
        session = _SESSION.fullmatch(header.strip())
        rule = _RULE.fullmatch(header.strip())
        if session is not None:
            self._sessions += 1
            self._session = name_from(f"{self._chat} {session['name'] or self._sessions}")
            self._day = _day(session["name"])
        elif rule is not None:
            self._day = _day(rule["when"])

    def _moment(self) -> str | datetime | None:
        when = self._said.when
        if when is None:
            return self._day
        clock = _CLOCK.fullmatch(when)
        if clock is None:
            return _written(when, day_first=self._defaults.day_first)
        if self._day is None:
            raise InvalidTimestamp(
                f"The time {shown(when)} has no day. Put `--- 2023-05-08 ---` above, or write the day too."
            )
        try:
            at = time(int(clock["hour"]), int(clock["minute"]), int(clock["second"] or 0))
        except ValueError as error:
            raise InvalidTimestamp(f"The time {shown(when)} does not exist: {error}.") from error
        return self._day.replace(hour=at.hour, minute=at.minute, second=at.second)


def _is_header(line: str) -> bool:
    bare = line.strip()
    if bare[:1] not in ("#", "-", "=") or len(bare) > _LONGEST_HEADER:
        return False
    rule = _RULE.fullmatch(bare)
    return _SESSION.fullmatch(bare) is not None or (rule is not None and _day(rule["when"]) is not None)


def _day(written: str) -> datetime | None:
    """The day (and time, if any) of a header, also behind a number or a name; None if it names none."""
    for text in (written, _LABEL.sub("", written).rstrip(") ")):
        try:
            moment, offset = read_timestamp(text)
        except InvalidTimestamp:
            continue
        return moment.astimezone(timezone(timedelta(seconds=offset))) if offset else moment.replace(tzinfo=None)
    return None


def _written(when: str, *, day_first: bool | None) -> str:
    """The time with 05/06/2023 put in the order that was asked for."""
    found = _SLASHED.search(when)
    if day_first is None or found is None:
        return when
    day, month = (found[1], found[2]) if day_first else (found[2], found[1])
    year = found[3] if len(found[3]) == 4 else f"20{found[3]}"
    return f"{when[: found.start()]}{year}-{month:0>2}-{day:0>2}{when[found.end() :]}"


PLAIN = Format(
    name="plain",
    describes="a text of lines `Speaker: text`, with or without times in [brackets]",
    looks_like=looks_like_plain,
    reads=read_plain,
)
