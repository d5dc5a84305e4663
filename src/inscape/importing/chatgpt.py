"""ChatGPT's conversations.json: each conversation a tree of messages, of which one branch was kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from inscape.errors import shown
from inscape.importing.identity import name_from
from inscape.importing.json_elements import as_dict, as_list, as_text, elements, is_list, prefixes_in
from inscape.importing.reading import Broken, Format, Mended, Read, Skipped, read_message
from inscape.incoming import Defaults

_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201")
"""Marks of sources that the page shows as links; private characters that nobody wrote."""
_UNSAID = {
    "user_editable_context": "standing instructions",
    "model_editable_context": "the model's own memory",
    "thoughts": "the model's reasoning",
    "reasoning_recap": "the model's reasoning",
}


def looks_like_chatgpt(head: str) -> bool:
    """Whether the conversations have a `mapping` of nodes."""
    return not prefixes_in(head).isdisjoint(("item.mapping", "mapping"))


def read_chatgpt(path: Path, defaults: Defaults) -> Iterator[Read]:
    """The messages of the current branch of each conversation. Session: the conversation's id.

    Skipped: other branches, hidden and system messages, reasoning, empty ones.
    """
    number = 0
    one = _holds_one(path)
    for found in elements(path, at={"" if one else "item"}):
        if isinstance(found, tuple):
            number += 1
            yield from _conversation(found[1], where=f"conversation {number}", defaults=defaults)
        else:
            yield found


def _holds_one(path: Path) -> bool:
    """Whether the file is one conversation and not a list of them."""
    with path.open("rb") as file:
        return file.read(1024).decode("utf-8-sig", "ignore").lstrip().startswith("{")


def _conversation(value: object, *, where: str, defaults: Defaults) -> Iterator[Read]:
    conversation = as_dict(value)
    nodes = as_dict(conversation.get("mapping"))
    if "mapping" not in conversation or not isinstance(conversation["mapping"], dict):
        yield Broken(where=where, reason=f"A conversation must have a mapping of nodes; this is {shown(value)}.")
        return
    title = as_text(conversation.get("title"))
    session = name_from(as_text(conversation.get("conversation_id") or conversation.get("id")) or title)
    held = replace(
        defaults,
        session_id=session or defaults.session_id,
        metadata={**defaults.metadata, **({"title": title} if title else {})},
    )
    current, notice = _current(nodes, named=as_text(conversation.get("current_node")))
    if notice:
        yield Mended(where=where, notice=notice)
    branch, gap = _branch(nodes, current=current)
    if gap:
        yield Broken(where=where, reason=gap)
    for place, node_id in enumerate(branch, start=1):
        message = as_dict(nodes[node_id]).get("message")
        if message is not None:
            yield from _message(message, where=f"{where}, message {place}", node_id=node_id, defaults=held)
    left = sum(as_dict(as_dict(node).get("message")) != {} for id, node in nodes.items() if id not in branch)
    for _ in range(left):
        yield Skipped(where=where, reason="on a branch that was left")


def _current(nodes: dict[str, object], *, named: str) -> tuple[str, str]:
    """Id of the node that the conversation ended with, and a notice where it had to be guessed."""
    if named in nodes or not nodes:
        return named, ""
    latest = max(nodes, key=lambda node_id: _time(nodes[node_id]))
    return latest, f"the current node {shown(named)} is missing; the latest message's branch was read instead"


def _branch(nodes: dict[str, object], *, current: str) -> tuple[dict[str, None], str]:
    """Ids of the nodes from the root to the current one, and what is missing between, in words."""
    path: dict[str, None] = {}
    node_id = current
    while node_id in nodes and node_id not in path:
        path[node_id] = None
        node_id = as_text(as_dict(nodes[node_id]).get("parent"))
    gap = f"The node {shown(node_id)} is missing or its own ancestor; the messages before it are lost."
    return dict.fromkeys(reversed(path)), gap if node_id and nodes else ""


def _message(value: object, *, where: str, node_id: str, defaults: Defaults) -> Iterator[Read]:
    message = as_dict(value)
    author, content = as_dict(message.get("author")), as_dict(message.get("content"))
    metadata = as_dict(message.get("metadata"))
    role, kind = author.get("role"), as_text(content.get("content_type"))
    text, captions = _said(content)
    captions += [f"file: {name}" for name in _attachments(metadata)]
    unsaid = _UNSAID.get(kind)
    if role == "system" or metadata.get("is_visually_hidden_from_conversation"):
        yield Skipped(where=where, reason="hidden or of the system")
    elif unsaid:
        yield Skipped(where=where, reason=unsaid)
    elif not text and not captions and content:
        yield Skipped(where=where, reason="empty")
    else:
        recipient = as_text(message.get("recipient")) or "all"
        is_call = role == "assistant" and recipient != "all"
        raw = {
            "role": "tool" if is_call else role,
            "speaker": _speaker(role, author=author, recipient=recipient, owner=defaults.owner),
            "content": text,
            "captions": captions,
            "id": f"chatgpt:{as_text(message.get('id')) or node_id}",
            "timestamp": message.get("create_time"),
        }
        yield from read_message(raw, where=where, defaults=defaults)


def _speaker(role: object, *, author: dict[str, object], recipient: str, owner: str) -> str:
    if role == "user":
        return owner
    if role == "assistant":
        return "ChatGPT" if recipient == "all" else name_from(recipient)
    return name_from(as_text(author.get("name"))) or "tool"


def _said(content: dict[str, object]) -> tuple[str, list[str]]:
    """The text of a message and the captions of what is shown in it."""
    parts = content.get("parts")
    if not is_list(parts):
        texts = [as_text(content.get(key)) for key in ("title", "text", "result", "url")]
        return _CITATION.sub("", "\n".join(text for text in texts if text)).strip(), []
    texts, captions = list[str](), list[str]()
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif as_text(as_dict(part).get("text")):
            texts.append(as_text(as_dict(part).get("text")))
        elif as_dict(part):
            captions.append(_caption(as_dict(part)))
    return _CITATION.sub("", "\n".join(texts)).strip(), captions


def _caption(part: dict[str, object]) -> str:
    kind = as_text(part.get("content_type"))
    word = next((word for word in ("image", "audio", "video") if word in kind), "attachment")
    drawn = as_dict(as_dict(part.get("metadata")).get("dalle")).get("prompt")
    return f"{word}: {drawn}" if isinstance(drawn, str) and drawn else word


def _attachments(metadata: dict[str, object]) -> list[str]:
    names = (as_text(as_dict(file).get("name")) for file in as_list(metadata.get("attachments")))
    return [name for name in names if name]


def _time(node: object) -> float:
    value = as_dict(as_dict(node).get("message")).get("create_time")
    return float(value) if isinstance(value, int | float) else 0.0


CHATGPT = Format(
    name="chatgpt",
    describes="conversations.json from ChatGPT's data export",
    looks_like=looks_like_chatgpt,
    reads=read_chatgpt,
)
