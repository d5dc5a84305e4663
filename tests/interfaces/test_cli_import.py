from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from inscape import Memory, Receipt
from tests.interfaces.command_line import COMMAND, Cli


def chat(path: Path, count: int) -> Path:
    """A file of OpenAI-style messages, one a line."""
    lines = (json.dumps({"role": "user", "content": f"I counted sheep number {at}."}) for at in range(count))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def broken(path: Path, count: int) -> Path:
    """An export of inscape in which every line but one is no turn."""
    header = '{"inscape_export": 1}'
    turn = '{"text": "I live in Lisbon.", "speaker": "Ana", "role": "user", "session_id": "s1"}'
    path.write_text("\n".join([header, turn, *(f'{{"id": "t{at}"}}' for at in range(count))]), encoding="utf-8")
    return path


def test_a_file_is_read_and_known_the_second_time(cli: Cli, tmp_path: Path) -> None:
    path = chat(tmp_path / "chat.jsonl", 3)
    assert cli("import", str(path)).out.splitlines() == [f"{path} (openai)", "  3 turns stored, 0 known already"]
    ran = cli("import", str(path), "--json")
    assert ran.code == 0
    (file,) = ran.json["files"]
    assert [file[name] for name in ("format", "messages", "stored", "known", "broken")] == ["openai", 3, 0, 3, 0]


def test_broken_lines_are_reported_with_their_place(cli: Cli, tmp_path: Path) -> None:
    path = broken(tmp_path / "export.jsonl", 25)
    ran = cli("import", str(path))
    assert ran.code == 1
    assert "  1 turn stored, 0 known already\n  25 records broken\n" in ran.out
    assert f"    {path}:3: The line is no turn" in ran.out
    assert ran.out.count("no turn") == 20
    assert ran.out.endswith("    and 5 more\n")
    told = cli("import", str(path), "--json").json["files"][0]
    assert (told["broken"], told["reasons"][0]["where"]) == (25, "line 3")


def test_what_is_left_out_is_counted_by_reason(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    turn = {"text": "gone", "speaker": "Ana", "role": "user", "session_id": "s1", "set_aside_by": 4}
    path.write_text("\n".join(['{"inscape_export": 1}', json.dumps(turn), json.dumps(turn)]))
    assert "  2 left out: deleted before the export\n" in cli("import", str(path)).out
    assert cli("import", str(path), "--json").json["files"][0]["skipped"] == {"deleted before the export": 2}


def test_a_dry_run_stores_nothing(cli: Cli, tmp_path: Path) -> None:
    path = chat(tmp_path / "chat.jsonl", 3)
    ran = cli("import", str(path), "--dry-run")
    assert (ran.code, cli.folder.exists()) == (0, False)
    assert "3 messages can be read; nothing was stored" in ran.out


def test_a_message_that_changed_under_its_id_is_refused(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text('{"role": "user", "id": "m1", "content": "I like tea."}')
    assert cli("import", str(path)).code == 0
    path.write_text('{"role": "user", "id": "m1", "content": "I like mud."}')
    ran = cli("import", str(path))
    assert ran.code == 1
    assert "1 record broken" in ran.out
    assert f"{path}:message m1: " in ran.out


def test_a_wrong_file_stops_before_anything_is_stored(cli: Cli, tmp_path: Path) -> None:
    good, wrong = chat(tmp_path / "chat.jsonl", 1), tmp_path / "photo.json"
    wrong.write_bytes(b"\x89PNG\r\n")
    assert cli("import", str(good), str(wrong), "--json").error == (2, "WrongFormat")
    assert cli("import", str(tmp_path / "missing"), "--json").error == (2, "WrongFormat")
    assert cli("import", str(good), "--format", "nonsense", "--json").error == (2, "WrongFormat")
    assert not cli.folder.exists()


def test_the_options_reach_the_messages(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text('{"role": "assistant", "content": "Hello", "timestamp": "2025-03-04T09:00"}')
    cli("import", str(path), "--session", "s1", "--agent", "iris", "--timezone", "+02:00")
    item = cli("get", "t1", "--json").json
    assert [item[name] for name in ("session_id", "agent_id", "created_at")] == [
        *("s1", "iris", "2025-03-04T09:00:00+02:00")
    ]


def test_ctrl_c_keeps_what_was_acknowledged(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = chat(tmp_path / "chat.jsonl", 200)
    stored: list[Receipt] = []
    add = Memory.add

    def interrupted(self: Memory, messages: list[object], *, user_id: str) -> Receipt:
        if len(stored) == 2:
            raise KeyboardInterrupt
        stored.append(add(self, messages, user_id=user_id))
        return stored[-1]

    with monkeypatch.context() as patched:
        patched.setattr(Memory, "add", interrupted)
        ran = cli("import", str(path))
    assert ran.code == 130
    assert "128 turns stored by now are safe" in ran.out
    assert "Nothing that was reported as stored is lost" in ran.err
    again = cli("import", str(path), "--json").json["files"][0]
    assert (again["known"], again["stored"]) == (128, 72)


@pytest.mark.skipif(os.name == "nt", reason="sends SIGINT")
def test_a_real_ctrl_c_ends_with_a_report(cli: Cli, tmp_path: Path) -> None:
    path = chat(tmp_path / "chat.jsonl", 20_000)
    with subprocess.Popen(
        [*COMMAND, "import", str(path), "--json"],
        env={**os.environ, **cli.environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        deadline = time.monotonic() + 30
        while not list(cli.folder.glob("owners/*.sqlite")) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, "Traceback" in err) == (130, False)
    report = json.loads(out)
    assert report["interrupted"] is True
    assert cli("show", "--json").json["turns"] >= report["files"][0]["stored"]
