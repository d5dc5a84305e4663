"""Memories out of conversations, made with `Memory.add` as a user would make them."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from inscape.bench.data import Conversation, Said, Session
from inscape.memory import Memory

_PACKAGE = Path(__file__).parent.parent
_OUTSIDE = ("bench", "interfaces", "importing")
"""Rooms that no figure depends on."""
_MARK = "built.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class Built:
    """One owner, made out of a conversation."""

    owner: str
    turn_ids: dict[str, str]
    """The data's id of each turn to the id that memory gave it: for joining afterwards."""
    seconds: float


def messages_of(session: Session) -> list[dict[str, object]]:
    """A session's turns as messages: speaker, text and captions, and nothing that is scored."""
    return [_message(turn) for turn in session.turns if turn.text.strip() or turn.captions]


def build(
    memory: Memory, conversation: Conversation, *, owner: str, progress: Callable[[int], None] = lambda _turns: None
) -> Built:
    """Add a conversation session by session."""
    turn_ids: dict[str, str] = {}
    began = time.perf_counter()
    for session in conversation.sessions:
        messages = messages_of(session)
        if messages:
            receipt = memory.add(messages, user_id=owner, session_id=session.id, timestamp=session.timestamp)
            if len(receipt.stored) == len(messages):
                turn_ids |= {str(m["id"]): id for m, id in zip(messages, receipt.stored, strict=True)}
            else:
                turn_ids |= _one_by_one(receipt.stored, messages, {k.index for k in (*receipt.known, *receipt.refused)})
        progress(len(session.turns))
    return Built(owner=owner, turn_ids=turn_ids, seconds=round(time.perf_counter() - began, 3))


def built_in(
    folder: Path,
    conversations: Sequence[Conversation],
    *,
    progress: Callable[[int], None] = lambda _turns: None,
) -> list[Built]:
    """An owner for each conversation in `folder`; one that is complete from an earlier run is used again."""
    mark = folder / _MARK
    if mark.exists():
        return [Built(**entry) for entry in json.loads(mark.read_text())]
    if folder.exists():
        shutil.rmtree(folder)
    with Memory(folder) as memory:
        memory.search("warm up", user_id="nobody")
        built = [
            build(memory, conversation, owner=f"conversation-{place}", progress=progress)
            for place, conversation in enumerate(conversations)
        ]
    mark.write_text(json.dumps([asdict(entry) for entry in built]))
    return built


def code_hash() -> str:
    """Hash of inscape's own sources as far as figures depend on them: stands for the commit, edits included."""
    whole = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*")):
        room = path.relative_to(_PACKAGE).parts[0]
        if path.suffix in {".py", ".sql"} and room not in _OUTSIDE:
            whole.update(str(path.relative_to(_PACKAGE)).encode() + path.read_bytes())
    return whole.hexdigest()[:12]


def _message(turn: Said) -> dict[str, object]:
    message: dict[str, object] = {
        "role": turn.role,
        "name": turn.speaker,
        "content": turn.text,
        "captions": list(turn.captions),
        "id": turn.id,
    }
    if turn.timestamp is not None:
        message["timestamp"] = turn.timestamp
    return message


def _one_by_one(stored: Sequence[str], messages: Sequence[dict[str, object]], others: set[int]) -> dict[str, str]:
    kept = [message for index, message in enumerate(messages) if index not in others]
    return {str(message["id"]): id for message, id in zip(kept, stored, strict=True)}
