from __future__ import annotations

import json

import pytest

from tests.interfaces.command_line import Cli


def living(cli: Cli) -> list[str]:
    return [item["id"] for item in json.loads(cli("export", "--format", "json").out)]


def test_a_deleted_memory_is_off_every_list_and_on_record(kept: Cli) -> None:
    assert kept("delete", "t1", "t3").out.startswith("deleted 2 lines")
    assert living(kept) == ["t2"]
    assert kept("get", "t1", "--json").json["memory"] == "I moved to Lisbon in March."


def test_a_session_can_be_deleted(kept: Cli) -> None:
    assert kept("delete", "--session", "move").code == 0
    assert living(kept) == ["t3"]


def test_delete_wants_ids_or_a_session(kept: Cli) -> None:
    assert kept("delete", "--json").error == (2, "InvalidInput")
    assert kept("delete", "t1", "--session", "move", "--json").error == (2, "InvalidInput")
    assert kept("delete", "--session", "nothing", "--json").error == (2, "UnknownId")
    assert kept("delete", "t1", "t99", "--json").error == (2, "UnknownId")
    assert living(kept) == ["t1", "t2", "t3"]


@pytest.mark.parametrize(
    "command",
    [
        ("delete", "t1"),
        ("delete", "--session", "move"),
        ("erase", "--id", "t1"),
        ("erase", "--session", "move"),
        ("erase", "--matching", "Lisbon"),
        ("erase", "--all"),
    ],
)
def test_a_dry_run_shows_and_removes_nothing(kept: Cli, command: tuple[str, ...]) -> None:
    ran = kept(*command, "--dry-run")
    assert (ran.code, "(--dry-run)" in ran.out, "I moved to Lisbon in March." in ran.out) == (0, True, True)
    told = kept(*command, "--dry-run", "--json").json
    assert (told["dry_run"], "t1" in [item["id"] for item in told["results"]]) == (True, True)
    assert living(kept) == ["t1", "t2", "t3"]


def test_erase_gives_a_receipt(kept: Cli) -> None:
    ran = kept("erase", "--id", "t1", "--yes")
    assert ran.out.startswith("erased 1 turn and 0 notes\nSearched for what was erased, and found it nowhere:\n")
    assert kept("get", "t1").code == 2
    assert kept("erase", "--session", "move", "--yes", "--json").json["scope"] == "session"
    told = kept("erase", "--all", "--yes", "--json").json
    assert (told["scope"], told["turns"]) == ("owner", 1)
    assert kept("erase", "--all", "--yes", "--json").error == (2, "UnknownId")


def test_where_nobody_can_confirm_nothing_is_erased(kept: Cli) -> None:
    ran = kept("erase", "--all")
    assert (ran.code, "Pass --yes" in ran.err) == (2, True)
    assert kept("erase", "--id", "t1", "--json").error == (2, "InvalidInput")
    assert living(kept) == ["t1", "t2", "t3"]


def test_a_no_keeps_everything_and_a_yes_erases(kept: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inscape.interfaces.cli.removal._is_terminal", lambda: True)
    ran = kept("erase", "--id", "t1", input="n\n")
    assert (ran.code, "nothing was erased" in ran.err) == (0, True)
    assert living(kept) == ["t1", "t2", "t3"]
    assert kept("erase", "--id", "t1", input="y\n").code == 0
    assert living(kept) == ["t2", "t3"]


def test_erase_must_be_told_what(kept: Cli) -> None:
    assert kept("erase", "--yes", "--json").error == (2, "InvalidInput")
    assert kept("erase", "--all", "--id", "t1", "--yes", "--json").error == (2, "InvalidInput")
    assert kept("erase", "--session", "nothing", "--yes", "--json").error == (2, "UnknownId")


def test_reindex_embeds_the_texts_of_one_or_of_all(kept: Cli) -> None:
    kept("add", "hello", "--user", "ben")
    assert set(kept("reindex", "--json").json["embedded"]) == {"ana"}
    assert set(kept("reindex", "--user", "", "--json").json["embedded"]) == {"ana", "ben"}
    assert "ana: " in kept("reindex").out
