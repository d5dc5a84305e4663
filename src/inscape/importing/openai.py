"""OpenAI-style messages: one JSON document or JSONL, of messages or of conversations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from inscape.errors import shown
from inscape.importing.files import HEAD_BYTES, Line, lines_of
from inscape.importing.identity import Repeats, name_from
from inscape.importing.json_elements import as_dict, as_text, elements, is_list, prefixes_in
from inscape.importing.reading import Broken, Format, Mended, Read, Skipped, read_message, undecodable
from inscape.incoming import Defaults
from inscape.records import Message

LONGEST_RECORD = 32_000_000
"""Characters of one line of JSONL, a whole conversation."""
_KEYS = (
    "role",
    "content",
    "messages",
    "item.role",
    "item.content",
    "item.messages",
    "item.messages.item.role",
)
_SESSION_KEYS = ("session_id", "id", "conversation_id", "title")


def looks_like_openai(head: str) -> bool:
    """Whether messages or conversations of them are at the top; an empty list is one without messages."""
    return head.strip() == "[]" or not prefixes_in(head).isdisjoint(_KEYS)


def read_openai(path: Path, defaults: Defaults) -> Iterator[Read]:
    """The messages. Session: the message's own, the conversation's id or title, `defaults.session_id`, else
    the file's name, with a number where the file holds several conversations without a name.

    Messages with neither id nor time get an id from their text and place among equals.
    """
    reader = _Reader(path, defaults)
    first, second = _first_two(path)
    if first.text.lstrip().startswith("["):
        yield from reader.array()
    elif path.suffix in (".jsonl", ".ndjson") or _is_record(first, second):
        yield from reader.jsonl()
    else:
        yield from reader.document()


class _Reader:
    def __init__(self, path: Path, defaults: Defaults) -> None:
        self._path = path
        self._defaults = defaults
        self._session = defaults.session_id or name_from(path.stem)
        self._repeats = Repeats("openai")

    def jsonl(self) -> Iterator[Read]:
        for line in lines_of(self._path, longest=LONGEST_RECORD):
            if not line.text.strip():
                continue
            if line.unreadable:
                yield Mended(where=f"line {line.number}", notice=undecodable(line.unreadable))
            try:
                value: object = json.loads(line.text)
            except (ValueError, RecursionError) as error:
                reason = f"longer than {LONGEST_RECORD:,} characters" if line.is_cut else f"not JSON: {error}"
                yield Broken(where=f"line {line.number}", reason=f"The line is {reason}.")
                continue
            yield from self._record(value, where=f"line {line.number}", number=line.number)

    def array(self) -> Iterator[Read]:
        number = 0
        for found in elements(self._path, at={"item"}):
            if isinstance(found, tuple):
                number += 1
                yield from self._record(found[1], where=f"record {number}", number=number)
            else:
                yield found

    def document(self) -> Iterator[Read]:
        """One conversation, read message by message, named by what stands before its messages."""
        around: dict[str, object] = {}
        number = 0
        for found in elements(self._path, at={"messages.item"}, around=_SESSION_KEYS):
            if not isinstance(found, tuple):
                yield found
            elif found[0] in _SESSION_KEYS:
                around[found[0]] = found[1]
            else:
                number += 1
                session = _session(around) or self._session
                yield from self._message(_numbered(found[1], session), where=f"message {number}", session=session)

    def _record(self, value: object, *, where: str, number: int) -> Iterator[Read]:
        conversation: object = value if is_list(value) else as_dict(value).get("messages")
        if conversation is None:
            yield from self._message(value, where=where, session=self._session)
            return
        if not is_list(conversation):
            yield Broken(where=where, reason=f"messages must be a list, not {shown(conversation)}.")
            return
        session = _session(as_dict(value)) or f"{self._session}-{number}"
        for place, message in enumerate(conversation, start=1):
            yield from self._message(_numbered(message, session), where=f"{where}, message {place}", session=session)

    def _message(self, value: object, *, where: str, session: str) -> Iterator[Read]:
        raw = as_dict(value)
        if not raw:
            yield Broken(where=where, reason=f"A message must be an object with role and content, not {shown(value)}.")
            return
        if not raw.get("content", raw.get("text")) and not raw.get("captions") and "role" in raw:
            yield Skipped(where=where, reason="a call of a tool" if raw.get("tool_calls") else "empty")
            return
        for read in read_message(raw, where=where, defaults=replace(self._defaults, session_id=session)):
            yield self._with_id(read) if isinstance(read, Message) else read

    def _with_id(self, message: Message) -> Message:
        if message.message_id is not None or message.said_at is not None:
            return message
        text = "\n".join([message.text, *message.captions])
        message_id = self._repeats.id_for(chat=message.session_id, speaker=message.speaker, time=None, text=text)
        return replace(message, message_id=message_id)


def _numbered(message: object, session: str) -> object:
    """The message with its id made unique where it is a mere number, as each conversation counts anew."""
    id = as_text(as_dict(message).get("id"))
    return {**as_dict(message), "id": f"{session}:{id}"} if id.isdigit() else message


def _session(conversation: dict[str, object]) -> str:
    names = (name_from(as_text(conversation.get(key))) for key in _SESSION_KEYS)
    return next((name for name in names if name), "")


def _first_two(path: Path) -> tuple[Line, Line]:
    """The beginnings of the first two lines that are not blank."""
    lines = (line for line in lines_of(path, longest=HEAD_BYTES) if line.text.strip())
    first, second, *_ = [*islice(lines, 2), Line(0, ""), Line(0, "")]
    return first, second


def _is_record(first: Line, second: Line) -> bool:
    """Whether the first line is a record of its own, sound or not, and not the beginning of a document."""
    end = first.text.rstrip()[-1:]
    if not second.text:
        return "messages" not in prefixes_in(first.text)
    return (end == "}" and not first.is_cut) or (second.text.startswith("{") and end != "[")


OPENAI = Format(
    name="openai",
    describes="JSON or JSONL of messages with role and content, or of conversations with messages",
    looks_like=looks_like_openai,
    reads=read_openai,
)
