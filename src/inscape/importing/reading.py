"""What reading a file gives, and what a format is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from inscape.errors import InvalidInput, WrongFormat, shown
from inscape.importing.files import head_of
from inscape.incoming import Defaults, message_from
from inscape.records import Message
from inscape.settings import MAX_TEXT_BYTES


@dataclass(frozen=True, kw_only=True, slots=True)
class Broken:
    """A record that could not be read; what follows it was read, unless the reason says otherwise."""

    where: str
    """The place in the file: `line 12`, or `conversation 3, message 7`, counted from 1."""
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Skipped:
    """A record that holds no message, left out on purpose."""

    where: str
    reason: str
    """In few and fixed words, so that it can be counted by reason."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Mended:
    """What was changed in the message that comes next, so that it could be stored."""

    where: str
    notice: str


_PATIENCE = 100
"""Records without a message after which a file that does not look right is refused (our choice)."""

Read: TypeAlias = Message | Broken | Skipped | Mended


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """One way in which chats are exported."""

    name: str
    describes: str
    """The file, in words for a person who looks for it."""
    looks_like: Callable[[str], bool]
    """Whether a file may be of this format, by the first 64 kB of its text."""
    reads: Callable[[Path, Defaults], Iterator[Read]]

    def read(self, path: Path, *, defaults: Defaults) -> Iterator[Read]:
        """The messages of the file in its order, in bounded memory, and what is wrong with the others.

        Raises WrongFormat: at once for what is no text file; while reading for a file in which no message of
        this format is found, or whose days cannot be told from its months.
        """
        head = head_of(path)
        return self._read(path, defaults=defaults, head=head)

    def _read(self, path: Path, *, defaults: Defaults, head: str) -> Iterator[Read]:
        reads = self.reads(path, defaults)
        if not self.looks_like(head):
            doubtful = list[Read]()
            for read in reads:
                doubtful.append(read)
                if isinstance(read, Message) or len(doubtful) >= _PATIENCE:
                    break
            if not any(isinstance(read, Message) for read in doubtful):
                raise WrongFormat(self._refusal(path, head=head, reads=doubtful))
            yield from doubtful
        yield from reads

    def _refusal(self, path: Path, *, head: str, reads: list[Read]) -> str:
        broken = next((f" {read.where}: {read.reason}" for read in reads if isinstance(read, Broken)), "")
        return (
            f"{path} does not look like the format {self.name} ({self.describes}): it starts with "
            f"{shown(head[:60])}.{broken} Leave out --format to have it recognised, or name another."
        )


def read_message(raw: Mapping[str, object], *, where: str, defaults: Defaults) -> Iterator[Read]:
    """A raw message checked and cleaned: what was mended and then the message, or why there is none."""
    try:
        message, mended = message_from(raw, defaults=defaults)
    except InvalidInput as error:
        yield Broken(where=where, reason=str(error))
    except RecursionError:
        yield Broken(where=where, reason="It is nested too deep to be read. Flatten its metadata.")
    else:
        for notice in mended:
            yield Mended(where=where, notice=notice)
        yield message


@dataclass(kw_only=True, slots=True)
class Draft:
    """A message of a text file that grows line by line; beyond the limit it is measured, not kept."""

    where: str
    lines: list[str] = field(default_factory=list[str])
    size: int = 0
    unreadable: int = 0
    """Bytes that could not be decoded."""

    def add(self, line: str, *, unreadable: int = 0) -> None:
        self.size += len(line.encode("utf-8", "replace")) + bool(self.lines)
        self.unreadable += unreadable
        if not self.is_too_long:
            self.lines.append(line)

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip()

    @property
    def is_too_long(self) -> bool:
        return self.size > MAX_TEXT_BYTES

    def read(self, raw: Mapping[str, object], *, defaults: Defaults) -> Iterator[Read]:
        """The message, `raw` holding its content and all else."""
        if self.is_too_long:
            yield Broken(
                where=self.where,
                reason=f"The message has {self.size:,} bytes or more; at most {MAX_TEXT_BYTES:,} are kept. "
                "Split it into several.",
            )
            return
        if self.unreadable:
            yield Mended(where=self.where, notice=undecodable(self.unreadable))
        yield from read_message(raw, where=self.where, defaults=defaults)


def undecodable(count: int) -> str:
    """The notice on bytes that could not be decoded.

    >>> undecodable(1)
    '1 byte that is not UTF-8 replaced by U+FFFD'
    """
    many = count > 1
    return f"{count} byte{'s' * many} that {'are' if many else 'is'} not UTF-8 replaced by U+FFFD"
