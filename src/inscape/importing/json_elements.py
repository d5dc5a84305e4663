"""Large JSON files read element by element, and careful looks into what they hold."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterator
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias, TypeGuard, cast

import ijson

from inscape.importing.files import chunks_of, mended
from inscape.importing.reading import Broken, Mended, undecodable

Event: TypeAlias = tuple[str, str, object]
_STEP = 512
"""Bytes given to the parser at once: as exactly as a damaged place can be told. Within a long string the
steps double, because the parser copies what it has of the string at each."""
_LONGEST_PREFIX = 20_000
"""Characters; a longer path into a file comes of thousands of nested brackets, not of a chat."""
_OPENS = ("start_map", "start_array")
_CLOSES = ("end_map", "end_array")

_events = cast(
    "Callable[..., Iterator[Event]]",
    ijson.parse,  # pyright: ignore[reportUnknownMemberType]
)
_NotJson = cast(
    "type[Exception]",
    ijson.JSONError,  # pyright: ignore[reportUnknownMemberType]
)


def elements(
    path: Path, *, at: Collection[str], around: Collection[str] = ()
) -> Iterator[tuple[str, object] | Broken | Mended]:
    """The whole values at the ijson prefixes `at`, and simple values at those of `around`, in file order.

    Only one value is in memory at a time. At a damaged place a `Broken` tells it, and nothing follows.
    """
    source = _Recoded(chunks_of(path))
    found = 0
    try:
        for prefix, value in _values(source, at=at, around=around):
            if source.unreadable:
                yield Mended(where=f"line {source.line}", notice=undecodable(source.unreadable))
                source.unreadable = 0
            found += prefix in at
            yield prefix, value
    except _NotJson as error:
        yield Broken(
            where=f"line {source.line}, near byte {source.position:,}",
            reason=f"The JSON is damaged here ({_first_line(error)}). The {found:,} records before it were "
            "read, what follows was not. Export the chat again, or mend the place.",
        )


def prefixes_in(head: str) -> frozenset[str]:
    """The ijson prefixes of all values in the beginning of a JSON or JSONL text, as far as it is sound."""
    return _prefixes(head) if head.lstrip()[:1] in ("{", "[") else frozenset()


@lru_cache(maxsize=1)
def _prefixes(head: str) -> frozenset[str]:
    seen: set[str] = set()
    source = io.BytesIO(head.encode("utf-8", "replace"))
    try:
        for prefix, _, _ in _events(source, buf_size=_STEP, multiple_values=True):
            seen.add(prefix)
            if len(prefix) > _LONGEST_PREFIX:
                break
    except _NotJson:
        pass
    return frozenset(seen)


def as_dict(value: object) -> dict[str, object]:
    """The value if it is an object, else an empty one."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """The value if it is an array, else an empty one."""
    return value if is_list(value) else []


def is_list(value: object) -> TypeGuard[list[object]]:
    """Whether it is an array of whatever."""
    return isinstance(value, list)


def as_text(value: object) -> str:
    """The value if it is a string, a number as a string, else an empty string."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else ""


def _values(source: _Recoded, *, at: Collection[str], around: Collection[str]) -> Iterator[tuple[str, object]]:
    depth = 0
    home = ""
    build = _Builder()
    for prefix, event, value in _events(source, buf_size=_STEP):
        source.step = _STEP
        if len(prefix) > _LONGEST_PREFIX:
            raise _NotJson("nested too deep")
        if depth == 0:
            if event in _CLOSES or event == "map_key":
                continue
            if prefix in at and event in _OPENS:
                build, home, depth = _Builder(), prefix, 1
                build.event(event, value)
            elif event not in _OPENS and (prefix in at or prefix in around):
                yield prefix, _plain(value)
            continue
        build.event(event, value)
        if event in _OPENS:
            depth += 1
        elif event in _CLOSES:
            depth -= 1
            if depth == 0:
                yield home, build.value
                build = _Builder()


class _Builder:
    """Grows one value from parser events."""

    def __init__(self) -> None:
        self.value: object = None
        self._open: list[dict[str, object] | list[object]] = []
        self._keys: list[str] = []

    def event(self, event: str, value: object) -> None:
        if event == "map_key":
            self._keys[-1] = str(value)
        elif event in _CLOSES:
            self._open.pop()
            self._keys.pop()
        elif event == "start_map":
            self._enter({})
        elif event == "start_array":
            self._enter([])
        else:
            self._put(_plain(value))

    def _enter(self, container: dict[str, object] | list[object]) -> None:
        self._put(container)
        self._open.append(container)
        self._keys.append("")

    def _put(self, value: object) -> None:
        if not self._open:
            self.value = value
            return
        top = self._open[-1]
        if isinstance(top, list):
            top.append(value)
        else:
            top[self._keys[-1]] = value


class _Recoded:
    """A file of bytes for the parser: UTF-8 whatever the encoding of the chunks, with its place known."""

    def __init__(self, chunks: Iterator[str]) -> None:
        self._chunks = chunks
        self._held = b""
        self._start = 0
        self.step = _STEP
        """Bytes of the next piece; doubles until it is set back."""
        self.position = 0
        """Bytes handed out."""
        self.line = 1
        self.unreadable = 0
        """Undecodable bytes since it was last set to 0."""

    def read(self, size: int = -1) -> bytes:
        """The next `step` bytes, or what is left; the parser takes whatever it gets."""
        if size == 0:
            return b""
        while len(self._held) - self._start < self.step:
            chunk = next(self._chunks, None)
            if chunk is None:
                break
            text, unreadable = mended(chunk)
            self.unreadable += unreadable
            self._held, self._start = self._held[self._start :] + text.encode("utf-8", "replace"), 0
        piece = self._held[self._start : self._start + self.step]
        self.step *= 2
        self._start += len(piece)
        self.position += len(piece)
        self.line += piece.count(b"\n")
        return piece


def _plain(value: object) -> object:
    return float(value) if isinstance(value, Decimal) else value


def _first_line(error: Exception) -> str:
    said: object = error.args[0] if error.args else ""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return text.partition("\n")[0].strip()
