"""Telegram's result.json: one chat, or a full export with a list of chats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from inscape.errors import InvalidTimestamp, shown
from inscape.importing.identity import name_from
from inscape.importing.json_elements import as_dict, as_list, as_text, elements, is_list, prefixes_in
from inscape.importing.reading import Broken, Format, Read, Skipped, read_message
from inscape.incoming import Defaults
from inscape.text.dates import read_timestamp

_ONE, _MANY = "messages.item", "chats.list.item.messages.item"
_AROUND = tuple(f"{place}{key}" for place in ("", "chats.list.item.") for key in ("name", "type", "id"))
_KINDS = {
    "sticker": "sticker",
    "voice_message": "voice message",
    "video_message": "video message",
    "video_file": "video",
    "audio_file": "audio",
    "animation": "animation",
}
_QUARTER_HOUR = 900


def looks_like_telegram(head: str) -> bool:
    """Whether it is one chat with typed messages, or an export of the whole account."""
    seen = prefixes_in(head)
    is_chat = {"type", "id", "messages"} <= seen and "messages.item.role" not in seen
    return is_chat or "chats.list" in seen or {"about", "personal_information"} <= seen


def read_telegram(path: Path, defaults: Defaults) -> Iterator[Read]:
    """The messages of each chat, read one by one. Session: the chat's name.

    Skipped: service messages, empty ones.
    """
    chats = _Chats()
    chat, number = _Chat(), 0
    for found in elements(path, at={_ONE, _MANY}, around=_AROUND):
        if not isinstance(found, tuple):
            yield found
            continue
        prefix, value = found
        if prefix not in (_ONE, _MANY):
            key = prefix.rpartition(".")[2]
            if number or key in chat.facts:
                chat, number = _Chat(), 0
            chat.facts[key] = as_text(value)
            continue
        number += 1
        held = replace(defaults, session_id=chats.session_of(chat))
        where = f"chat {shown(chat.name)}, message {number}"
        yield from _message(value, where=where, chat=chat, defaults=held)


@dataclass(slots=True)
class _Chat:
    facts: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        if self.facts.get("type") == "saved_messages":
            return "Saved Messages"
        return name_from(self.facts.get("name", "")) or f"telegram {self.facts.get('id', 'chat')}"


class _Chats:
    """Gives two chats of one name two sessions."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    def session_of(self, chat: _Chat) -> str:
        id = chat.facts.get("id", "")
        return chat.name if self._ids.setdefault(chat.name, id) == id else name_from(f"{chat.name[:150]} ({id})")


def _message(value: object, *, where: str, chat: _Chat, defaults: Defaults) -> Iterator[Read]:
    message = as_dict(value)
    kind = message.get("type")
    if kind == "service":
        yield Skipped(where=where, reason="a service message")
        return
    if kind != "message":
        yield Broken(where=where, reason=f"A message must have the type message or service, not {shown(kind)}.")
        return
    text, captions = _text(message), _captions(message)
    if not text and not captions:
        yield Skipped(where=where, reason="empty")
        return
    try:
        moment = _moment(message)
    except InvalidTimestamp as error:
        yield Broken(where=where, reason=str(error))
        return
    id = as_text(message.get("id"))
    raw = {
        "role": "user",
        "speaker": name_from(as_text(message.get("from"))) or as_text(message.get("from_id")) or "Deleted account",
        "content": text,
        "captions": captions,
        "id": f"telegram:{chat.facts.get('id', chat.name)}:{id}" if id else None,
        "timestamp": moment,
        "metadata": {key: message[key] for key in ("forwarded_from",) if message.get(key)},
    }
    yield from read_message(raw, where=where, defaults=defaults)


def _moment(message: dict[str, object]) -> object:
    """The time with the offset of the exporter's clock, which `date` shows and `date_unixtime` does not."""
    shown_time, counted = message.get("date"), message.get("date_unixtime")
    if counted is None:
        return shown_time
    moment, _ = read_timestamp(counted)
    try:
        local = datetime.fromisoformat(as_text(shown_time)).replace(tzinfo=UTC)
    except ValueError:
        return moment
    offset = round((local - moment).total_seconds() / _QUARTER_HOUR) * _QUARTER_HOUR
    if abs(offset) > timedelta(hours=14).total_seconds():
        return moment
    return moment.astimezone(timezone(timedelta(seconds=offset)))


def _text(message: dict[str, object]) -> str:
    written = message.get("text")
    pieces = written if is_list(written) else [written]
    texts = [as_text(piece) or as_text(as_dict(piece).get("text")) for piece in pieces]
    poll = as_dict(message.get("poll"))
    if poll:
        answers = (as_text(as_dict(answer).get("text")) for answer in as_list(poll.get("answers")))
        texts.append(f"{as_text(poll.get('question'))} ({' / '.join(answers)})")
    return "".join(texts).strip()


def _captions(message: dict[str, object]) -> list[str]:
    captions: list[str] = []
    kind = _KINDS.get(as_text(message.get("media_type")))
    name = as_text(message.get("file_name"))
    if message.get("photo"):
        captions.append("image")
    elif kind or message.get("file"):
        said = as_text(message.get("sticker_emoji")) or as_text(message.get("title")) or name
        captions.append(f"{kind or 'file'}: {said}" if said else kind or "file")
    place = as_dict(message.get("location_information"))
    if place:
        venue = as_text(message.get("place_name"))
        spot = f"{place.get('latitude')}, {place.get('longitude')}"
        captions.append(f"place: {venue or spot}")
    contact = as_dict(message.get("contact_information"))
    if contact:
        names = (as_text(contact.get(key)) for key in ("first_name", "last_name", "phone_number"))
        captions.append("contact: " + " ".join(part for part in names if part))
    return captions


TELEGRAM = Format(
    name="telegram",
    describes="result.json from Telegram Desktop, of one chat or of all",
    looks_like=looks_like_telegram,
    reads=read_telegram,
)
