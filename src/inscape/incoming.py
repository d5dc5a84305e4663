"""What a caller hands in, read into messages: a string, OpenAI-style messages, or turns.

Pydantic is not needed at this border: the shapes are few, and each refusal must name the message and
the mend.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta, timezone
from typing import TypeGuard, cast

from inscape.errors import InvalidInput, InvalidMessage, InvalidOwner, InvalidTimestamp, shown
from inscape.records import ROLES, Json, Message, Refused, Role, Turn
from inscape.settings import MAX_DEPTH, MAX_NAME, MAX_TEXT_BYTES
from inscape.text.dates import read_timestamp, read_zone

_OTHER_ROLES: Mapping[str, Role] = {
    "human": "user",
    "ai": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "developer": "system",
    "function": "tool",
}
_IMAGE_PARTS = ("image", "image_url", "input_image")


@dataclass(frozen=True, kw_only=True, slots=True)
class Defaults:
    """What holds for a message that does not say otherwise."""

    owner: str
    """Speaker of messages of role user that name nobody."""
    agent_id: str | None = None
    run_id: str | None = None
    session_id: str | None = None
    timestamp: object = None
    timezone: str | None = None
    """Where the speakers were, as IANA name or +HH:MM."""
    day_first: bool | None = None
    """How files that write 05/06/2023 mean it; None: found out from the file."""
    metadata: Mapping[str, Json] = field(default_factory=dict[str, Json])
    infer: bool = True


def messages_from(given: object, *, defaults: Defaults) -> tuple[list[tuple[int, Message]], list[Refused], list[str]]:
    """The messages with their places in `given`, what was refused, and notices on what was mended.

    Raises InvalidMessage when nothing can be stored: no messages, or every one refused.
    """
    listed = _listed(given)
    if not listed:
        raise InvalidMessage("There are no messages. Pass a string, a message, or a list of messages.")
    accepted: list[tuple[int, Message]] = []
    refused: list[Refused] = []
    notices: list[str] = []
    first_error: InvalidInput | None = None
    for index, raw in enumerate(listed):
        try:
            message, mended = message_from(raw, defaults=defaults)
        except InvalidInput as error:
            first_error = first_error or error
            refused.append(Refused(index=index, reason=str(error)))
            continue
        accepted.append((index, message))
        notices.extend(f"messages[{index}]: {what}" for what in mended)
    if first_error is not None and not accepted:
        raise first_error
    return accepted, refused, notices


def message_from(raw: object, *, defaults: Defaults) -> tuple[Message, tuple[str, ...]]:
    """One message, checked and cleaned, with what was mended in words.

    Raises InvalidMessage, InvalidTimestamp.
    """
    infer = defaults.infer
    if isinstance(raw, Message | Turn):
        infer = infer and raw.infer
        raw = _mapping_of(raw)
    if isinstance(raw, str):
        raw = {"role": "user", "content": raw}
    if not is_mapping(raw):
        raise InvalidMessage(
            f"A message must be a string or a mapping with role and content, not {type(raw).__name__}."
        )
    role = role_from(raw.get("role", "user"))
    content, captions = _content(raw)
    text, mended = cleaned(content)
    captions = tuple(cleaned(caption)[0].strip() for caption in captions)
    if not text.strip() and not any(captions):
        raise InvalidMessage("The message has no content. Give it text or an image caption.")
    size = len(text.encode()) + sum(len(caption.encode()) for caption in captions)
    if size > MAX_TEXT_BYTES:
        raise InvalidMessage(
            f"The message has {size:,} bytes; at most {MAX_TEXT_BYTES:,} are kept. Split it into several."
        )
    agent_id = _name(raw, "agent_id") or defaults.agent_id
    run_id = _name(raw, "run_id") or defaults.run_id
    session_id = _name(raw, "session_id") or defaults.session_id or run_id or "default"
    zone = raw.get("timezone") or defaults.timezone
    if zone is not None and not isinstance(zone, str):
        raise InvalidTimestamp(f"timezone must be a string, not {type(zone).__name__}. Write it like Europe/Berlin.")
    given_time = raw.get("timestamp", raw.get("created_at", raw.get("said_at")))
    given_time = defaults.timestamp if given_time is None else given_time
    said_at, offset = (None, 0)
    if given_time is not None:
        said_at, offset = read_timestamp(given_time, zone=zone)
    elif zone is not None:
        read_zone(zone)
    return Message(
        text=text,
        speaker=_name(raw, "speaker") or _name(raw, "name") or _speaker(role, agent_id, defaults.owner),
        role=role,
        session_id=session_id,
        message_id=_name(raw, "id") or _name(raw, "message_id"),
        said_at=said_at,
        utc_offset=offset,
        captions=captions,
        agent_id=agent_id,
        run_id=run_id,
        metadata={**defaults.metadata, **metadata_from(raw.get("metadata") or {})},
        infer=infer,
    ), mended


def owner_name(user_id: object, *, what: str = "user_id") -> str:
    """A user id that can name an owner, as it is.

    Raises InvalidOwner. Slashes, backslashes and dots are refused, so that a name can never be taken for
    a path; for an e-mail address use a stable id or its hash.
    """
    if user_id is None or user_id == "":
        raise InvalidOwner(f"{what} is missing. Memory belongs to somebody: pass {what}=...")
    if not isinstance(user_id, str):
        raise InvalidOwner(f"{what} must be a string, not {type(user_id).__name__} ({shown(user_id)}).")
    if len(user_id) > MAX_NAME:
        raise InvalidOwner(f"{what} has {len(user_id)} characters; at most {MAX_NAME} are allowed.")
    if any(sign in "/\\." or not sign.isprintable() for sign in user_id) or user_id != user_id.strip():
        raise InvalidOwner(
            f"{what} {shown(user_id)} has a slash, a backslash, a dot, outer spaces or an unprintable sign. Use "
            "letters, digits, - and _ (for an e-mail address: a stable id, or its hash)."
        )
    return user_id


def plain_string(value: object, what: str) -> str:
    """A string as stores can hold it (see `cleaned`). Raises InvalidInput for anything else."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be a string, not {type(value).__name__} ({shown(value)}).")
    return cleaned(value)[0]


def name_from(value: object, what: str) -> str | None:
    """A caller's name for a session, an agent, a run or a speaker; None where it is empty. Raises InvalidMessage."""
    return _name({what: value}, what)


def metadata_from(value: object) -> dict[str, Json]:
    """Metadata as plain JSON of at most MAX_TEXT_BYTES and MAX_DEPTH levels. Raises InvalidInput for anything else."""
    if not is_mapping(value):
        raise InvalidInput(f"metadata must be a mapping of strings to JSON values, not {type(value).__name__}.")
    try:
        text, _ = cleaned(json.dumps(value, ensure_ascii=False, allow_nan=False))
        plain = cast("dict[str, Json]", json.loads(text))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"metadata must be JSON values: {error}.") from error
    if len(text.encode()) > MAX_TEXT_BYTES:
        raise InvalidInput(f"metadata has over {MAX_TEXT_BYTES:,} bytes. Keep the large parts elsewhere.")
    if not _is_shallow(plain, MAX_DEPTH):
        raise InvalidInput(f"metadata is nested more than {MAX_DEPTH} levels deep. Flatten it.")
    return {cleaned(key)[0]: _without_nul(part) for key, part in plain.items()}


def _without_nul(value: Json) -> Json:
    """NUL is escaped in JSON, so it is looked for in the values."""
    if isinstance(value, str):
        return cleaned(value)[0]
    if isinstance(value, dict):
        return {cleaned(key)[0]: _without_nul(part) for key, part in value.items()}
    return [_without_nul(part) for part in value] if isinstance(value, list) else value


def _is_shallow(value: Json, levels: int) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels > 0 and all(_is_shallow(part, levels - 1) for part in parts)


def is_mapping(value: object) -> TypeGuard[Mapping[str, object]]:
    """Whether it is a mapping; its keys are looked up by name only."""
    return isinstance(value, Mapping)


def cleaned(text: str) -> tuple[str, tuple[str, ...]]:
    """Text that every store can hold, and what was mended: lone surrogates and NUL become U+FFFD.

    >>> cleaned("a\\x00b")
    ('a�b', ('1 NUL character replaced by U+FFFD',))
    """
    mended: list[str] = []
    nuls = text.count("\x00")
    if nuls:
        text = text.replace("\x00", "\ufffd")
        mended.append(f"{nuls} NUL character{'s' * (nuls > 1)} replaced by U+FFFD")
    if not text.isascii():
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        lone = sum("\ud800" <= sign <= "\udfff" for sign in text) if whole != text else 0
        if lone:
            mended.append(f"{lone} surrogate character{'s' * (lone > 1)} joined or replaced by U+FFFD")
        text = whole
    return text, tuple(mended)


def _listed(given: object) -> Sequence[object]:
    if isinstance(given, str | Turn | Message) or is_mapping(given):
        return [given]
    if isinstance(given, bytes) or not isinstance(given, Sequence):
        raise InvalidMessage(f"messages must be a string, a message or a list of messages, not {type(given).__name__}.")
    return cast("Sequence[object]", given)


def _mapping_of(turn: Message | Turn) -> dict[str, object]:
    try:
        local_time = turn.said_at and turn.said_at.astimezone(timezone(timedelta(seconds=turn.utc_offset)))
    except (OverflowError, TypeError, ValueError) as error:
        raise InvalidTimestamp(f"said_at and utc_offset do not make a local time: {error}.") from error
    return {
        "role": turn.role,
        "content": turn.text,
        "speaker": turn.speaker,
        "session_id": turn.session_id,
        "id": turn.message_id,
        "timestamp": local_time,
        "captions": list(turn.captions),
        "agent_id": turn.agent_id,
        "run_id": turn.run_id,
        "metadata": turn.metadata,
    }


def role_from(value: object) -> Role:
    folded = value.lower() if isinstance(value, str) else value
    for role in ROLES:
        if folded == role:
            return role
    if isinstance(folded, str) and folded in _OTHER_ROLES:
        return _OTHER_ROLES[folded]
    raise InvalidMessage(f"The role {shown(value)} is unknown. Use one of {', '.join(ROLES)}.")


def _speaker(role: Role, agent_id: str | None, owner: str) -> str:
    if role == "user":
        return owner
    return (agent_id or "assistant") if role == "assistant" else role


def _name(raw: Mapping[str, object], key: str) -> str | None:
    value = raw.get(key)
    if value is None or value == "":
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise InvalidMessage(f"{key} must be a string, not {type(value).__name__} ({shown(value)}).")
    if len(value) > MAX_NAME:
        raise InvalidMessage(f"{key} has {len(value)} characters; at most {MAX_NAME} are allowed.")
    clean, mended = cleaned(value)
    clean = readable_name(clean)
    if mended or not all(sign.isprintable() or sign in JOINERS for sign in clean):
        raise InvalidMessage(f"{key} {shown(value)} holds unprintable characters. Remove them.")
    return clean or None


def readable_name(written: str) -> str:
    """A name without marks of writing direction and with plain spaces; joiners of emoji and letters stay.

    >>> readable_name("\u200eAna\u00a0Lima")
    'Ana Lima'
    """
    return "".join(sign for sign in written if sign not in _DIRECTION_MARKS).translate(_SPACES).strip()


JOINERS = "\u200c\u200d"
_DIRECTION_MARKS = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_SPACES = str.maketrans(dict.fromkeys("\u00a0\u202f\u2007", " "))


def _content(raw: Mapping[str, object]) -> tuple[str, tuple[str, ...]]:
    content = raw.get("content", raw.get("text"))
    given = raw.get("captions") or ()
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InvalidMessage(f"captions must be a list of strings, not {type(given).__name__}.")
    captions = [_string(caption, "caption") for caption in cast("Sequence[object]", given)]
    if content is None:
        return "", tuple(captions)
    if isinstance(content, str):
        return content, tuple(captions)
    if isinstance(content, bytes) or not isinstance(content, Sequence):
        raise InvalidMessage(f"content must be a string or a list of parts, not {type(content).__name__}.")
    texts: list[str] = []
    for part in cast("Sequence[object]", content):
        if isinstance(part, str):
            texts.append(part)
        elif is_mapping(part):
            kind = part.get("type", "text")
            if kind in _IMAGE_PARTS:
                captions.append(_string(part.get("caption") or part.get("alt") or "an image", "caption"))
            elif "text" in part:
                texts.append(_string(part["text"], "text"))
            else:
                captions.append(f"an attachment of type {kind}")
        else:
            raise InvalidMessage(f"A part of content must be a mapping, not {type(part).__name__}.")
    return "\n".join(texts), tuple(captions)


def _string(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidMessage(f"{what} must be a string, not {type(value).__name__}.")
    return value
