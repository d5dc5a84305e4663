from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from inscape.incoming import Defaults

if TYPE_CHECKING:
    from conftest import Reader

DATA = Path(__file__).parent / "data"


def test_only_the_branch_that_was_kept_is_read(read: Reader) -> None:
    everything = read("chatgpt.json")
    assert "Pack nothing." not in [text for _, text in everything.said]
    assert everything.skipped["on a branch that was left"] == 1


def test_each_conversation_is_a_session_with_native_ids_times_and_speakers(read: Reader) -> None:
    first = read("chatgpt.json").messages[0]
    assert first.said_at is not None
    assert (first.session_id, first.message_id) == ("6459-lisbon", "chatgpt:u1")
    assert (first.speaker, first.role, first.metadata) == ("Olga", "user", {"title": "Moving to Lisbon"})
    assert first.said_at.isoformat() == "2023-05-08T13:56:01.250000+00:00"


def test_marks_of_citations_go_and_the_assistant_is_called_chatgpt(read: Reader) -> None:
    assert ("ChatGPT", "Pack a rain coat.") in read("chatgpt.json").said


def test_pictures_and_files_become_captions(read: Reader) -> None:
    cat = next(message for message in read("chatgpt.json").messages if "Miso" in message.text)
    assert cat.captions == ("image", "file: miso.png")


def test_tools_and_calls_of_tools_have_the_role_tool(read: Reader) -> None:
    tools = [message for message in read("chatgpt.json").messages if message.role == "tool"]
    assert [(tool.speaker, tool.text) for tool in tools] == [("python", "print(1)"), ("python", "1")]


def test_what_nobody_said_is_skipped_and_counted(read: Reader) -> None:
    skipped = read("chatgpt.json").skipped
    assert skipped["hidden or of the system"] == 2
    assert skipped["the model's reasoning"] == 1
    assert skipped["empty"] == 1


def test_a_broken_message_or_conversation_leaves_the_rest(read: Reader) -> None:
    everything = read("chatgpt.json")
    assert [broken.where for broken in everything.broken] == ["conversation 2, message 3", "conversation 3"]
    assert ("Olga", "I run on Sundays.") in everything.said
    assert [mended.where for mended in everything.mended] == ["conversation 4"]


def test_a_message_is_shown_on_the_clock_of_the_given_zone(read: Reader) -> None:
    defaults = Defaults(owner="Olga", timezone="Asia/Singapore")
    assert read("chatgpt.json", defaults=defaults).messages[0].utc_offset == 8 * 3600


def test_a_circle_or_a_gap_among_the_nodes_is_reported(tmp_path: Path, read: Reader) -> None:
    conversations: list[dict[str, object]] = json.loads((DATA / "chatgpt.json").read_text())[:1]
    nodes = conversations[0]["mapping"]
    assert isinstance(nodes, dict)
    nodes["u1"]["parent"] = "a2"
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(conversations))
    everything = read(path)
    assert "messages before it are lost" in everything.broken[0].reason
    assert ("ChatGPT", "What a lovely cat!") in everything.said


def test_a_damaged_middle_keeps_what_came_before_and_tells_the_place(tmp_path: Path, read: Reader) -> None:
    whole = (DATA / "chatgpt.json").read_text()
    cut = whole.index('"conversation_id": "6461-run"')
    path = tmp_path / "conversations.json"
    path.write_text(whole[:cut] + "}}}" + whole[cut:])
    everything = read(path)
    assert ("Olga", "Ich trinke gern Kaffee.") in everything.said
    assert "damaged" in everything.broken[-1].reason
    assert "near byte" in everything.broken[-1].where
    place = int(everything.broken[-1].where.rpartition(" ")[2].replace(",", ""))
    assert abs(place - len(whole[:cut].encode())) <= 512


def test_a_file_cut_short_keeps_what_came_before(tmp_path: Path, read: Reader) -> None:
    whole = (DATA / "chatgpt.json").read_text()
    path = tmp_path / "conversations.json"
    path.write_text(whole[: whole.index("6461-run")])
    everything = read(path)
    assert len(everything.messages) == 7
    assert "what follows was not" in everything.broken[-1].reason
