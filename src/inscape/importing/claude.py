"""Claude's conversations.json: each conversation a list of messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from inscape.errors import shown
from inscape.importing.identity import name_from
from inscape.importing.json_elements import as_dict, as_list, as_text, elements, is_list, prefixes_in
from inscape.importing.reading import Broken, Format, Mended, Read, Skipped, read_message
from inscape.incoming import Defaults

KEPT_OF_A_FILE = 20_000
"""Characters of a pasted file's text that its caption keeps (our choice: it was attached, not said)."""
_UNSAID = {
    "thinking": "the model's reasoning",
    "redacted_thinking": "the model's reasoning",
    "tool_use": "a call of a tool",
    "tool_result": "a tool's answer",
}


def looks_like_claude(head: str) -> bool:
    """Whether the conversations have `chat_messages`."""
    return not prefixes_in(head).isdisjoint(("item.chat_messages", "chat_messages"))


def read_claude(path: Path, defaults: Defaults) -> Iterator[Read]:
    """The messages of each conversation in order. Session: the conversation's uuid.

    Skipped: reasoning, tools and their answers, empty messages. Attached files become captions.
    """
    number = 0
    for found in elements(path, at={"item"}, around={"chat_messages"}):
        if isinstance(found, tuple):
            number += 1
            yield from _conversation(found[1], where=f"conversation {number}", defaults=defaults)
        else:
            yield found


def _conversation(value: object, *, where: str, defaults: Defaults) -> Iterator[Read]:
    conversation = as_dict(value)
    messages = conversation.get("chat_messages")
    if not is_list(messages):
        yield Broken(where=where, reason=f"A conversation must have chat_messages; this is {shown(value)}.")
        return
    title = as_text(conversation.get("name"))
    held = replace(
        defaults,
        session_id=name_from(as_text(conversation.get("uuid")) or title) or defaults.session_id,
        metadata={**defaults.metadata, **({"title": title} if title else {})},
    )
    for place, message in enumerate(messages, start=1):
        yield from _message(as_dict(message), where=f"{where}, message {place}", defaults=held)


def _message(message: dict[str, object], *, where: str, defaults: Defaults) -> Iterator[Read]:
    blocks = [as_dict(block) for block in as_list(message.get("content"))]
    for block in blocks:
        unsaid = _UNSAID.get(as_text(block.get("type")))
        if unsaid:
            yield Skipped(where=where, reason=unsaid)
    said = [as_text(block.get("text")) for block in blocks if block.get("type") == "text"]
    text = ("\n".join(said) if blocks else as_text(message.get("text"))).strip()
    captions, notices = _captions(message)
    if not text and not captions and "sender" in message:
        if not blocks or said:
            yield Skipped(where=where, reason="empty")
        return
    for notice in notices:
        yield Mended(where=where, notice=notice)
    is_human = message.get("sender") == "human"
    uuid = as_text(message.get("uuid"))
    raw = {
        "role": message.get("sender"),
        "speaker": defaults.owner if is_human else "Claude",
        "content": text,
        "captions": captions,
        "id": f"claude:{uuid}" if uuid else None,
        "timestamp": message.get("created_at"),
    }
    yield from read_message(raw, where=where, defaults=defaults)


def _captions(message: dict[str, object]) -> tuple[list[str], list[str]]:
    """What was attached, each with its text as far as it is kept, and notices on what was cut."""
    captions, notices = list[str](), list[str]()
    for file in (as_dict(file) for file in as_list(message.get("attachments"))):
        name = as_text(file.get("file_name")) or "pasted text"
        content = as_text(file.get("extracted_content")).strip()
        if len(content) > KEPT_OF_A_FILE:
            notices.append(f"of the attached {shown(name)} {KEPT_OF_A_FILE:,} of {len(content):,} characters were kept")
        captions.append(f"file: {name}" + (f"\n{content[:KEPT_OF_A_FILE]}" if content else ""))
    for file in (as_dict(file) for file in as_list(message.get("files"))):
        captions.append(f"file: {as_text(file.get('file_name')) or 'without a name'}")
    return captions, notices


CLAUDE = Format(
    name="claude",
    describes="conversations.json from Claude's data export",
    looks_like=looks_like_claude,
    reads=read_claude,
)
