from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Reader


def test_messages_have_their_speakers_sessions_ids_and_times(read: Reader) -> None:
    everything = read("claude.json")
    assert everything.said == [
        ("Olga", "I am allergic to peanuts."),
        ("Claude", "Noted.\nSatay has peanuts."),
        ("Olga", "and I like ramen"),
    ]
    assert {message.session_id for message in everything.messages} == {"c-1"}
    assert everything.ids == ["claude:m-1", "claude:m-2", "claude:m-6"]
    assert everything.messages[2].utc_offset == 3600


def test_attachments_become_captions_with_their_text(read: Reader) -> None:
    captions = read("claude.json").messages[0].captions
    assert captions == ("file: menu.txt\nSatay, Pad Thai", "file: photo.jpg")


def test_reasoning_and_tools_are_skipped_and_counted(read: Reader) -> None:
    skipped = read("claude.json").skipped
    assert skipped == {"the model's reasoning": 1, "a call of a tool": 1, "a tool's answer": 1, "empty": 1}


def test_an_unknown_sender_and_an_unreadable_time_are_broken(read: Reader) -> None:
    broken = read("claude.json").broken
    assert [one.where for one in broken] == ["conversation 1, message 4", "conversation 1, message 5"]
    assert "robot" in broken[0].reason
    assert "yesterday-ish" in broken[1].reason


def test_a_long_attachment_is_cut_and_that_is_said(tmp_path: Path, read: Reader) -> None:
    message = {
        "uuid": "m",
        "text": "please read",
        "sender": "human",
        "created_at": "2024-03-01T10:00:00Z",
        "attachments": [{"file_name": "book.txt", "extracted_content": "x" * 3_000_000}],
    }
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"uuid": "c", "name": "", "chat_messages": [message]}]))
    everything = read(path)
    assert everything.messages[0].text == "please read"
    assert "20,000 of 3,000,000 characters" in everything.mended[0].notice
