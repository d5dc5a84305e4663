"""Bad input: an error that names what is wrong and what to do, and nothing changed."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, cast

import pytest

from inscape.errors import InvalidInput, InvalidMessage, InvalidOwner, InvalidTimestamp
from inscape.memory import Memory
from inscape.records import Message
from tests.ask import everything


def deep(levels: int) -> dict[str, Any]:
    """A mapping in a mapping in a mapping."""
    whole: dict[str, Any] = {}
    for _ in range(levels):
        whole = {"in": whole}
    return whole


MESSAGES: dict[str, tuple[Any, str, str]] = {
    "no messages": ([], "no messages", "Pass a string"),
    "nothing": (None, "NoneType", "list of messages"),
    "bytes": (b"hello", "bytes", "string"),
    "a number": (5, "int", "string"),
    "a set": ({"hello"}, "set", "list"),
    "a number in a list": ([5], "int", "role and content"),
    "bytes in a list": ([b"x"], "bytes", "role and content"),
    "an empty text": ("", "no content", "Give it text"),
    "white space": (" \n\t ", "no content", "Give it text"),
    "no content": ({"role": "user"}, "no content", "Give it text"),
    "empty captions": ({"content": "", "captions": ["", " "]}, "no content", "caption"),
    "an unknown role": ({"role": "wizard", "content": "x"}, "'wizard'", "user, assistant"),
    "a role that is no string": ({"role": ["user"], "content": "x"}, "['user']", "user, assistant"),
    "no role": ({"role": None, "content": "x"}, "None", "user, assistant"),
    "content of another type": ({"content": 5}, "content", "string or a list of parts"),
    "content as a mapping": ({"content": {"text": "x"}}, "content", "string or a list of parts"),
    "content as bytes": ({"content": b"x"}, "content", "string or a list of parts"),
    "a part of another type": ({"content": [5]}, "int", "mapping"),
    "a part with a text of another type": ({"content": [{"text": 5}]}, "int", "string"),
    "captions as a string": ({"content": "x", "captions": "a dog"}, "captions", "list of strings"),
    "a caption of another type": ({"content": "x", "captions": [5]}, "caption", "string"),
    "an id of another type": ({"content": "x", "id": 1.5}, "id", "1.5"),
    "an id that is true": ({"content": "x", "id": True}, "id", "True"),
    "a name of another type": ({"content": "x", "name": {}}, "name", "string"),
    "a name with NUL": ({"content": "x", "name": "A\x00na"}, "name", "unprintable"),
    "a name with a lone surrogate": ({"content": "x", "name": "A\ud800"}, "name", "unprintable"),
    "a name of two lines": ({"content": "x", "name": "Ana\nsystem"}, "name", "unprintable"),
    "a name of 300 characters": ({"content": "x", "name": "x" * 300}, "300 characters", "200"),
    "a session of 300 characters": ({"content": "x", "session_id": "x" * 300}, "300 characters", "200"),
    "metadata as a list": ({"content": "x", "metadata": [1]}, "metadata", "mapping"),
    "metadata that is no JSON": ({"content": "x", "metadata": {"a": object()}}, "metadata", "JSON"),
    "metadata that is not finite": ({"content": "x", "metadata": {"a": float("nan")}}, "metadata", "JSON"),
    "metadata that is too deep": ({"content": "x", "metadata": deep(200)}, "metadata", "Flatten"),
    "metadata that is far too deep": ({"content": "x", "metadata": deep(5000)}, "metadata", "metadata"),
    "metadata that is too large": ({"content": "x", "metadata": {"a": "x" * 1_000_001}}, "metadata", "elsewhere"),
    "text of over a megabyte": ("x" * 1_000_001, "1,000,001 bytes", "Split"),
    "text of over a megabyte in other letters": ("é" * 500_001, "1,000,002 bytes", "Split"),
    "captions of over a megabyte": ({"content": "", "captions": ["x" * 1_000_001]}, "1,000,001 bytes", "Split"),
    "an unreadable time": ({"content": "x", "timestamp": "soonish"}, "'soonish'", "2023-05-08T"),
    "a time of another type": ({"content": "x", "timestamp": [2024]}, "[2024]", "2023-05-08T"),
    "a time that is true": ({"content": "x", "timestamp": True}, "True", "2023-05-08T"),
    "a time that is not finite": ({"content": "x", "timestamp": float("inf")}, "inf", "2023-05-08T"),
    "a time beyond all years": ({"content": "x", "timestamp": 10**400}, "1000", "2023-05-08T"),
    "a time in the year 1": ({"content": "x", "timestamp": "0001-01-01"}, "0001-01-01", "2023-05-08T"),
    "an ambiguous time": ({"content": "x", "timestamp": "05/06/2023"}, "05/06/2023", "2023-05-08T"),
    "an ambiguous time with dashes": ({"content": "x", "timestamp": "05-06-2023"}, "05-06-2023", "2023-05-08T"),
    "a time without a year": ({"content": "x", "timestamp": "8 May"}, "8 May", "2023-05-08T"),
    "a time without a day": ({"content": "x", "timestamp": "May 2023"}, "May 2023", "2023-05-08T"),
    "a day that does not exist": ({"content": "x", "timestamp": "2023-02-30"}, "2023-02-30", "2023-05-08T"),
    "letters for a zone": ({"content": "x", "timestamp": "8 May 2023 10:00 CST"}, "CST", "2023-05-08T"),
    "an unknown zone": ({"content": "x", "timestamp": 0, "timezone": "Mars/Base"}, "Mars/Base", "Europe/Berlin"),
    "an unknown zone without a time": ({"content": "x", "timezone": "Mars/Base"}, "Mars/Base", "Europe/Berlin"),
    "a zone of another type": ({"content": "x", "timezone": 2}, "int", "Europe/Berlin"),
    "a message record without text": (
        Message(text="", speaker="ana", role="user", session_id="s"), "no content", "Give it text",
    ),
    "a message record with an odd offset": (
        Message(text="x", speaker="ana", role="user", session_id="s", said_at=datetime(2024, 1, 1), utc_offset=10**9),
        "utc_offset", "local time",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_that_cannot_be_kept(memory: Memory, name: str) -> None:
    given, named, advice = MESSAGES[name]
    with pytest.raises(InvalidInput) as caught:
        memory.add(given, user_id="ana")
    assert named in str(caught.value)
    assert advice in str(caught.value)
    assert len(str(caught.value)) < 400
    assert memory.users() == []


@pytest.mark.parametrize("name", [name for name in MESSAGES if name not in ("no messages", "nothing")])
def test_in_a_list_it_is_refused_and_the_rest_is_kept(memory: Memory, name: str) -> None:
    given, named, _ = MESSAGES[name]
    bad: Any = cast("list[Any]", given)[0] if isinstance(given, list) else given
    receipt = memory.add(["before", bad, "after"], user_id="ana")
    assert [refused.index for refused in receipt.refused] == [1]
    assert named in receipt.refused[0].reason or type(bad).__name__ in receipt.refused[0].reason
    assert everything(memory) == ["before", "after"]


@pytest.mark.parametrize(
    "user",
    [
        None, "", "a/b", "a\\b", "../etc", "a.b", "ana@example.org", ".", "x" * 300, 5, 1.5, True, b"ana", ["ana"],
        " ana", "ana ", "a\x00b", "a\nb", "\ud800", "\u202eana", "\x7f",
    ],
)  # fmt: skip
def test_a_user_id_that_cannot_name_an_owner(memory: Memory, user: Any) -> None:
    calls = [
        lambda: memory.add("x", user_id=user),
        lambda: memory.search("x", user_id=user),
        lambda: memory.recall("x", user_id=user),
        lambda: memory.get("t1", user_id=user),
        lambda: memory.get_all(user_id=user),
        lambda: memory.update("t1", "x", user_id=user),
        lambda: memory.delete("t1", user_id=user),
        lambda: memory.delete_all(user_id=user),
        lambda: memory.history("t1", user_id=user),
        lambda: memory.end_session("s", user_id=user),
        lambda: memory.to_erase(user_id=user),
        lambda: memory.erase(user_id=user),
        lambda: memory.reindex(user_id=user),
    ]
    for call in calls:
        with pytest.raises(InvalidOwner, match="user_id"):
            call()
    assert memory.users() == []


@pytest.mark.parametrize("user", ["ana", "Ana_1-2", "王小明", "zoë", "a b", "x" * 200, "🙂", "O'Brien; DROP TABLE"])
def test_a_user_id_that_can(memory: Memory, user: str) -> None:
    memory.add("I keep bees", user_id=user)
    assert everything(memory, user) == ["I keep bees"]
    assert memory.users() == [user]


ARGUMENTS: dict[str, tuple[dict[str, Any], str]] = {
    "agent of another type": ({"agent_id": 1.5}, "agent_id"),
    "run of 300 characters": ({"run_id": "x" * 300}, "run_id"),
    "session with NUL": ({"session_id": "a\x00"}, "session_id"),
    "metadata as a string": ({"metadata": "x"}, "metadata"),
    "metadata that is no JSON": ({"metadata": {"a": {1, 2}}}, "metadata"),
    "a time that cannot be read": ({"timestamp": "soonish"}, "soonish"),
    "a zone that nobody knows": ({"timezone": "Mars/Base"}, "Mars/Base"),
    "a zone of another type": ({"timezone": 5}, "timezone"),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_an_argument_of_add_that_is_off(memory: Memory, name: str) -> None:
    given, named = ARGUMENTS[name]
    with pytest.raises(InvalidInput, match=named):
        memory.add("hello", user_id="ana", **given)
    assert memory.users() == []


QUERIES: dict[str, tuple[Any, dict[str, Any], str]] = {
    "empty": ("", {}, "empty"),
    "white space": (" \n", {}, "empty"),
    "another type": (5, {}, "int"),
    "nothing": (None, {}, "NoneType"),
    "bytes": (b"x", {}, "bytes"),
    "too long": ("x" * 20_001, {}, "20,000"),
    "no hits wanted": ("x", {"top_k": 0}, "top_k"),
    "hits below zero": ("x", {"top_k": -1}, "top_k"),
    "hits as text": ("x", {"top_k": "3"}, "top_k"),
    "hits as truth": ("x", {"top_k": True}, "top_k"),
    "a speaker of another type": ("x", {"speaker": 5}, "speaker"),
    "an unknown role": ("x", {"role": "wizard"}, "wizard"),
    "an unreadable bound": ("x", {"since": "soonish"}, "soonish"),
    "metadata of another type": ("x", {"metadata": [1]}, "metadata"),
}


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_that_is_off(memory: Memory, name: str) -> None:
    memory.add("hello", user_id="ana")
    query, given, named = QUERIES[name]
    for call in (memory.search, memory.recall):
        with pytest.raises(InvalidInput, match=named):
            call(query, user_id="ana", **given)


@pytest.mark.parametrize("budget", [0, -5, 1.5, "100", True])
def test_a_budget_that_is_off(memory: Memory, budget: Any) -> None:
    with pytest.raises(InvalidInput, match="budget"):
        memory.recall("x", user_id="ana", budget=budget)


@pytest.mark.parametrize(
    "query",
    ["\ud800", "a\x00b", "?", "。。。", "'\"%;--", "🙂", "\u202eשלום", "SELECT * FROM turn", "{}", "x" * 20_000],
)
def test_no_query_is_too_odd(real_memory: Memory, query: str) -> None:
    real_memory.add("hello there", user_id="ana")
    real_memory.search(query, user_id="ana")
    real_memory.recall(query, user_id="ana", speaker="\ud800", session_id="\x00")


def test_since_after_until_is_refused(memory: Memory) -> None:
    memory.add("hello", user_id="ana", timestamp="2024-01-01")
    with pytest.raises(InvalidInput, match="Swap them"):
        memory.search("hello", user_id="ana", since="2024-02-01", until="2023-01-01")


@pytest.mark.parametrize("metadata", ["", 0, [], False])
def test_an_empty_filter_of_the_wrong_type_is_no_filter_at_all(memory: Memory, metadata: Any) -> None:
    memory.add("hello", user_id="ana")
    with pytest.raises(InvalidInput, match="metadata"):
        memory.delete_all(user_id="ana", metadata=metadata)
    assert everything(memory) == ["hello"]


def test_a_filter_of_another_library_is_refused_with_the_names_there_are(memory: Memory) -> None:
    unknown: dict[str, Any] = {"limit": 3}
    with pytest.raises(InvalidInput, match="top_k"):
        memory.search("hello", user_id="ana", **unknown)


@pytest.mark.parametrize("ids", [5, True, "t1", {"t1": 1}])
def test_ids_to_erase_must_be_a_list(memory: Memory, ids: Any) -> None:
    memory.add("hello", user_id="ana")
    with pytest.raises(InvalidInput, match="list of ids"):
        memory.erase(user_id="ana", ids=ids)


@pytest.mark.parametrize("path", ["", 1.5, b"x", "a\x00b", "\ud800"])
def test_what_names_no_folder_is_refused(path: Any) -> None:
    with pytest.raises(InvalidInput, match="folder"):
        Memory(path)


def test_a_home_folder_is_written_with_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with Memory("~/kept") as memory:
        assert memory.folder == tmp_path / "kept"


def test_a_number_of_thousands_of_digits_is_named_shortly(memory: Memory) -> None:
    digits: Any = 10**5000
    with pytest.raises(InvalidInput, match="very long int"):
        memory.add("hello", user_id=digits)


@pytest.mark.parametrize("text", ["", "  ", "x" * 1_000_001, None, 5])
def test_a_new_text_that_is_off_changes_nothing(memory: Memory, text: Any) -> None:
    memory.add("hello", user_id="ana")
    with pytest.raises(InvalidMessage, match="new text"):
        memory.update("t1", text, user_id="ana")
    assert everything(memory) == ["hello"]


def test_an_id_of_another_type(memory: Memory) -> None:
    memory.add("hello", user_id="ana")
    odd: Any = 5
    for call in (memory.get, memory.delete, memory.history):
        with pytest.raises(InvalidInput, match="id must be a string"):
            call(odd, user_id="ana")
    with pytest.raises(InvalidInput, match="list of ids"):
        memory.erase(user_id="ana", ids="t1")
    with pytest.raises(InvalidInput, match="id must be a string"):
        memory.erase(user_id="ana", ids=[odd])
    with pytest.raises(InvalidInput, match="session_id"):
        memory.end_session(odd, user_id="ana")
    assert everything(memory) == ["hello"]


def test_a_limit_of_zero(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="limit"):
        memory.get_all(user_id="ana", limit=0)


def test_lone_surrogates_and_nul_are_kept_as_replacement_signs_with_a_notice(memory: Memory) -> None:
    receipt = memory.add(["cut \ud83d emoji", "a\x00b\x00c", "fine 🙂", "whole \ud83d\ude42"], user_id="ana")
    assert everything(memory) == ["cut \ufffd emoji", "a\ufffdb\ufffdc", "fine 🙂", "whole 🙂"]
    assert [notice.split(":")[0] for notice in receipt.notices] == ["messages[0]", "messages[1]", "messages[3]"]
    assert "2 NUL" in receipt.notices[1]
    memory.add("x", user_id="ana", metadata={"k\ud800": "v\ud800"})
    assert memory.get("t5", user_id="ana")["metadata"] == {"k\ufffd": "v\ufffd"}


def test_errors_are_of_python_too(memory: Memory) -> None:
    with pytest.raises(ValueError, match="soonish") as caught:
        memory.add("x", user_id="ana", timestamp="soonish")
    assert isinstance(caught.value, InvalidTimestamp)
    memory.add("x", user_id="ana")
    with pytest.raises(KeyError, match="no record"):
        memory.get("t9", user_id="ana")
