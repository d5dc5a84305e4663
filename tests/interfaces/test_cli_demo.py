from __future__ import annotations

from pathlib import Path

from inscape.interfaces.cli.sample import sample_life
from tests.interfaces.command_line import Cli


def test_the_demo_asks_seven_questions_and_leaves_nothing_behind(cli: Cli) -> None:
    ran = cli.apart("demo", TERM="xterm-256color")
    assert (ran.code, cli.folder.exists(), "\x1b" in ran.out) == (0, False, False)
    assert [one.question for one in sample_life().questions if one.question not in ran.out] == []
    assert "no key, no network" in ran.out
    assert "inscape add" in ran.out
    assert "from inscape import Memory" in ran.out


def test_the_demo_says_no_more_than_it_shows(cli: Cli, tmp_path: Path) -> None:
    told = cli("demo", "--json", "--dir", str(tmp_path / "maya")).json
    assert (told["turns"], told["sessions"]) == (sample_life().turns, 16)
    for one in told["questions"]:
        shown = {item["id"] for item in one["hits"]}
        assert len(shown) <= 3
        assert one["shows_expected_line"] == bool(shown.intersection(one["expected_ids"]))
        assert one["declined"] == (not shown)
    assert max(one["context_tokens"] for one in told["questions"]) < told["history_tokens"]


def test_a_named_folder_keeps_the_sample_life(cli: Cli, tmp_path: Path) -> None:
    folder = str(tmp_path / "maya")
    ran = cli("demo", "--dir", folder)
    assert f"--user maya --dir {folder}" in ran.out
    assert cli("show", "--dir", folder, "--user", "maya", "--json").json["turns"] == sample_life().turns


def test_every_expected_line_is_in_the_sample() -> None:
    sample = sample_life()
    said = {(chat.session_id, message["text"]) for chat in sample.chats for message in chat.messages}
    assert all(one.evidence <= said for one in sample.questions)
    assert sum(not one.evidence for one in sample.questions) == 1
