from __future__ import annotations

import json

import pytest

from tests.interfaces.command_line import Cli


def test_words_make_one_message_and_the_receipt_says_where_it_is(cli: Cli) -> None:
    assert cli("add", "I", "like", "tea").out == "stored 1 turn: t1\n"
    assert cli("get", "t1", "--json").json["memory"] == "I like tea"


def test_the_same_again_is_known(kept: Cli) -> None:
    ran = kept("add", "I drink green tea.", "--session", "drinks")
    assert ran.code == 0
    assert ran.out.startswith("known message 1 is turn t3 already.")


def test_all_that_the_options_say_is_kept(cli: Cli) -> None:
    cli(
        *("add", "Good morning", "--speaker", "Ben", "--role", "assistant", "--agent", "a1", "--run", "r1"),
        *("--session", "s1", "--timestamp", "2025-03-04 09:00", "--timezone", "+02:00"),
        *("--metadata", "topic=tea", "--metadata", "year=2025"),
    )
    item = cli("get", "t1", "--json").json
    assert item["metadata"] == {"topic": "tea", "year": 2025}
    assert [item[name] for name in ("speaker", "role", "agent_id", "run_id", "session_id", "created_at")] == [
        *("Ben", "assistant", "a1", "r1", "s1", "2025-03-04T09:00:00+02:00")
    ]


@pytest.mark.parametrize(
    ("given", "texts"),
    [
        ("two\nlines\n", ["two\nlines"]),
        ("[laughs] not JSON", ["[laughs] not JSON"]),
        ('{"role": "user", "content": "one"}', ["one"]),
        ('[{"content": "one"}, "two"]', ["one", "two"]),
        ('{"messages": [{"content": "one"}]}', ["one"]),
        ('{"content": "one"}\n{"content": "two"}\n', ["one", "two"]),
    ],
)
def test_stdin_may_be_text_or_json(cli: Cli, given: str, texts: list[str]) -> None:
    assert cli("add", "-", input=given).code == 0
    assert [item["memory"] for item in cli("show", "--session", "default", "--json").json["results"]] == texts


def test_broken_json_is_not_kept_as_text(cli: Cli) -> None:
    ran = cli("add", "-", input='[{"content": "one"},')
    assert (ran.code, cli.folder.exists()) == (2, False)


def test_bytes_that_are_no_text_are_refused(cli: Cli) -> None:
    ran = cli.apart("add", "-", "--json", input="Grüße", PYTHONIOENCODING="ascii:strict")
    assert ran.error == (2, "InvalidMessage")


def test_messages_that_name_their_speaker_keep_it(cli: Cli) -> None:
    cli("add", "-", "--speaker", "Ben", input='[{"content": "one", "name": "Eva"}, {"content": "two"}]')
    session = cli("show", "--session", "default", "--json").json["results"]
    assert [item["speaker"] for item in session] == ["Eva", "Ben"]


def test_a_refused_message_is_told_and_the_others_are_stored(cli: Cli) -> None:
    ran = cli("add", "-", input='[{"content": "one"}, {"role": "king", "content": "two"}]')
    assert (ran.code, ran.out.splitlines()[0]) == (1, "stored 1 turn: t1")
    assert "refused message 2: The role 'king' is unknown" in ran.out
    assert cli("add", "-", "--json", input='[{"role": "king", "content": "two"}]').error == (2, "InvalidMessage")


def test_search_shows_score_date_speaker_text_and_how_it_was_found(kept: Cli) -> None:
    lines = kept("search", "Where did I move to?").out.splitlines()
    assert lines[0].split("  ")[1:] == ["2025-03-04 09:30", "ana", "t1", "session move"]
    assert lines[1] == "   I moved to Lisbon in March."
    assert lines[2].startswith("   found by the meaning of its words")


def test_search_in_json_is_what_memory_returns(kept: Cli) -> None:
    (first, *_) = kept("search", "Lisbon", "--json", "--top-k", "1").json["results"]
    assert (first["id"], first["session_id"]) == ("t1", "move")
    assert first["found_by"]


@pytest.mark.parametrize(
    "filters",
    [
        ("--session", "drinks"),
        ("--metadata", "topic=tea"),
        ("--since", "2025-04-01"),
    ],
)
def test_filters_narrow_the_search(kept: Cli, filters: tuple[str, str]) -> None:
    found = kept("search", "I drink green tea", "--json", *filters).json["results"]
    assert [item["id"] for item in found] == ["t3"]


def test_what_is_not_there_is_not_in_memory(kept: Cli) -> None:
    ran = kept("search", "tea", "--speaker", "Nobody")
    assert (ran.code, ran.out) == (1, "not in memory\n")
    ran = kept("search", "tea", "--user", "stranger", "--json")
    assert (ran.code, ran.json) == (1, {"results": [], "gaps": ["nothing is kept of this user"]})
    ran = kept("recall", "tea", "--user", "stranger")
    assert (ran.code, ran.out) == (1, "not in memory\n")


def test_lines_that_are_only_loosely_related_are_said_to_be_so(kept: Cli) -> None:
    ran = kept("search", "Which dentist does Eve recommend?")
    assert ran.code == 1
    assert ran.out.startswith("not in memory")


def test_wrong_filters_are_wrong_input(kept: Cli) -> None:
    assert kept("search", "tea", "--since", "soon", "--json").error == (2, "InvalidTimestamp")
    assert kept("search", "tea", "--metadata", "topic", "--json").error == (2, "InvalidInput")
    assert kept("search", "tea", "--top-k", "0", "--json").error == (2, "InvalidInput")


def test_recall_prints_the_context_within_the_budget(kept: Cli) -> None:
    ran = kept("recall", "I moved to Lisbon", "--budget", "14")
    assert ran.out == "t1 2025-03-04 ana: I moved to Lisbon in March.\n"
    told = kept("recall", "I moved to Lisbon", "--budget", "14", "--json").json
    assert (told["context"], told["context_tokens"], told["context_ids"]) == (ran.out, 12, ["t1"])


def test_a_text_cannot_steer_the_terminal(cli: Cli) -> None:
    cli("add", "-", input=json.dumps({"content": "red \x1b[31m alert \x07"}))
    for command in (("search", "red alert"), ("show", "--session", "default"), ("recall", "red alert"), ("get", "t1")):
        assert "red ␛[31m alert ␇" in cli(*command).out
