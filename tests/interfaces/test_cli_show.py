from __future__ import annotations

from tests.interfaces.command_line import Cli


def test_show_gives_one_user_in_numbers(kept: Cli) -> None:
    lines = kept("show").out.splitlines()
    assert lines[0] == "ana: 3 turns and 0 notes in 2 sessions"
    assert lines[1:] == [
        "  from 2025-03-04 09:30 to 2025-03-04 09:31",
        "  said by ana 2, assistant 1",
        "  move  2 lines  2025-03-04 09:30",
        "  drinks  1 line  undated",
    ]
    told = kept("show", "--json").json
    assert [told[name] for name in ("turns", "notes", "speakers")] == [3, 0, {"ana": 2, "assistant": 1}]
    assert [session["session_id"] for session in told["sessions"]] == ["move", "drinks"]


def test_without_a_user_show_names_the_users(kept: Cli) -> None:
    kept("add", "hello", "--user", "ben")
    assert kept("show", "--user", "").out.splitlines() == ["2 users:", "  ana", "  ben"]
    assert kept("show", "--user", "", "--json").json == {"users": ["ana", "ben"]}


def test_show_prints_a_session_in_order(kept: Cli) -> None:
    assert kept("show", "--session", "move").out.splitlines() == [
        "   t1  2025-03-04 09:30  ana: I moved to Lisbon in March.",
        "   t2  2025-03-04 09:31  assistant: How is the light there?",
    ]


def test_show_prints_a_turn_where_it_stands(kept: Cli) -> None:
    lines = kept("show", "t2").out.splitlines()
    assert [line[:6] for line in lines] == ["    t1", ">   t2"]


def test_what_nobody_keeps_is_said_to_be_unknown(kept: Cli) -> None:
    for command in (("show", "t99"), ("show", "--session", "x"), ("get", "t99"), ("history", "t99")):
        assert kept(*command, "--json").error == (2, "UnknownId")
    assert kept("show", "--user", "stranger", "--json").error == (2, "UnknownId")
    assert kept("show", "t1", "--session", "move", "--json").error == (2, "InvalidInput")


def test_a_correction_takes_the_place_of_what_was_said(kept: Cli) -> None:
    assert kept("update", "t1", "I", "moved to Porto.").out == "corrected t1 is now n4: I moved to Porto.\n"
    found = kept("search", "Where did I move to?", "--json").json["results"]
    assert (found[0]["id"], found[0]["sources"][0]) == ("n4", "t1")
    assert "t1" not in [item["id"] for item in found]


def test_history_tells_who_did_what(kept: Cli) -> None:
    kept("update", "t1", "I moved to Porto.")
    lines = kept("history", "n4").out.splitlines()
    assert [line.strip().split("  ")[-1] for line in lines] == [
        "ADD by import, as t1",
        "I moved to Lisbon in March.",
        "UPDATE by person, as n4",
        "I moved to Porto.",
    ]
    assert [event["event"] for event in kept("history", "n4", "--json").json["results"]] == ["ADD", "UPDATE"]
