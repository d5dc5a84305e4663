from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inscape.incoming import Defaults

if TYPE_CHECKING:
    from conftest import Reader


def test_a_list_of_messages_is_read_and_its_broken_ones_reported(read: Reader) -> None:
    everything = read("openai.json")
    assert [text for _, text in everything.said] == ["Be brief.", "I play the cello.", "Nice!", "ok", "ok"]
    assert [broken.where for broken in everything.broken] == ["record 5", "record 8"]
    assert everything.skipped == {"a call of a tool": 1}


def test_equal_messages_without_id_and_time_are_kept_apart(read: Reader) -> None:
    ids = read("openai.json").ids
    assert ids[-1] == f"{ids[-2]}-2"


def test_an_id_of_the_callers_own_is_kept_as_it_is(read: Reader) -> None:
    assert read("openai.json").messages[1].message_id == "msg_1"


def test_mere_numbers_as_ids_are_told_apart_by_their_conversation(read: Reader) -> None:
    ids = read("openai_conversations.jsonl").ids
    assert ids == ["conv-1:1", "conv-1:2", "openai_conversations-2:1"]


def test_a_conversation_is_a_session_by_its_id_its_title_or_its_number(read: Reader) -> None:
    sessions = [message.session_id for message in read("openai_conversations.jsonl").messages]
    assert sessions == ["conv-1", "conv-1", "openai_conversations-2"]
    everything = read("openai_conversations.json")
    assert [message.session_id for message in everything.messages] == ["s1", "Second"]
    assert everything.broken[0].where == "record 3"
    assert {message.session_id for message in read("openai_document.json").messages} == {"Cello"}


def test_the_session_that_was_asked_for_holds_bare_messages(read: Reader) -> None:
    everything = read("openai.json", defaults=Defaults(owner="Olga", session_id="monday"))
    assert {message.session_id for message in everything.messages} == {"monday"}


def test_a_broken_line_is_reported_by_its_number_and_the_rest_goes_on(read: Reader) -> None:
    everything = read("openai_messages.jsonl")
    assert len(everything.messages) == 2
    assert everything.broken[0].where == "line 3"


def test_a_broken_first_line_does_not_make_jsonl_a_document(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "chat.txt"
    path.write_text('{"role": "user", "content": \n{"role": "user", "content": "hi"}\n')
    everything = read(path)
    assert everything.said == [("Olga", "hi")]
    assert everything.broken[0].where == "line 1"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("indent", [None, 2])
def test_every_encoding_with_a_mark_is_read(tmp_path: Path, read: Reader, encoding: str, indent: int | None) -> None:
    path = tmp_path / "chat.json"
    messages = [{"role": "user", "content": "Grüße aus 杭州 🎉"}]
    path.write_bytes(json.dumps(messages, ensure_ascii=False, indent=indent).encode(encoding))
    assert read(path).said == [("Olga", "Grüße aus 杭州 🎉")]


def test_undecodable_bytes_are_replaced_and_reported(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "chat.json"
    path.write_bytes('[{"role": "user", "content": "Grüße"}]'.encode("latin-1"))
    everything = read(path)
    assert everything.said == [("Olga", "Gr��e")]
    assert everything.mended[0].notice == "2 bytes that are not UTF-8 replaced by U+FFFD"


def test_a_text_above_one_megabyte_is_broken_and_the_rest_goes_on(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "chat.jsonl"
    lines = [{"role": "user", "content": "x" * 1_000_001}, {"role": "user", "content": "short"}]
    path.write_text("\n".join(json.dumps(line) for line in lines))
    everything = read(path)
    assert everything.said == [("Olga", "short")]
    assert "1,000,001 bytes" in everything.broken[0].reason


def test_endless_nesting_is_reported_not_a_crash(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "chat.json"
    path.write_text('[{"role": "user", "content": "hi", "metadata": ' + "[" * 100_000)
    assert "nested too deep" in read(path).broken[-1].reason


def test_numbers_beyond_a_float_break_only_their_message(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "chat.json"
    path.write_text('[{"role": "user", "content": "a", "timestamp": 1e400}, {"role": "user", "content": "b"}]')
    everything = read(path)
    assert everything.said == [("Olga", "b")]
    assert everything.broken[0].where == "record 1"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", '{"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]}'),
        ("b.json", '{"messages": [\n{"role": "user", "content": "a"},\n{"role": "user", "content": "b"}]}'),
        ("c.json", '{\n"messages":\n[{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]\n}'),
        ("d.json", '\n\n[{"role": "user", "content": "a"},\n{"role": "user", "content": "b"}]'),
        ("e.json", '{"role": "user", "content": "a"}\n{"role": "user", "content": "b"}'),
        ("f.jsonl", '[{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]'),
        ("g.jsonl", '{"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]}'),
    ],
)
def test_every_layout_of_the_same_messages_is_read(tmp_path: Path, read: Reader, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    everything = read(path)
    assert [text for _, text in everything.said] == ["a", "b"]
    assert not everything.broken


def test_one_message_alone_is_read(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "one.json"
    path.write_text('{"role": "user", "content": "hi"}')
    assert read(path).said == [("Olga", "hi")]
