from __future__ import annotations

import os
import re
import subprocess

import pytest

from tests.interfaces.command_line import COMMAND, Cli

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")


def on_terminal(cli: Cli, *args: str, **environment: str) -> str:
    """What a command prints to a terminal of eighty columns."""
    import pty

    ours, theirs = pty.openpty()
    wanted = {"TERM": "xterm-256color", "COLUMNS": "80", **cli.environment, **environment}
    inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen([*COMMAND, *args], stdout=theirs, stderr=theirs, env={**inherited, **wanted}):
        os.close(theirs)
        printed = b""
        try:
            while piece := os.read(ours, 65_536):
                printed += piece
        except OSError:
            pass
        os.close(ours)
    return printed.decode()


def test_a_terminal_gets_colour_unless_it_is_not_wanted(kept: Cli) -> None:
    assert "\x1b[36m2025-03-04" in on_terminal(kept, "search", "Lisbon")
    assert "\x1b[36m" not in on_terminal(kept, "search", "Lisbon", NO_COLOR="1")


def test_long_texts_are_wrapped_and_whole_on_a_terminal(cli: Cli) -> None:
    text = " ".join(f"word{at}" for at in range(60))
    cli("add", text)
    printed = on_terminal(cli, "search", "word7", NO_COLOR="1")
    assert all(f"word{at}" in printed for at in range(60))
    plain = re.sub(r"\x1b\[[0-9;]*m", "", printed)
    assert max(map(len, plain.splitlines())) <= 80


@pytest.mark.parametrize(
    "command", [("search", "Lisbon"), ("show",), ("doctor",), ("get", "t99"), ("--help",), ("search",)]
)
def test_a_pipe_gets_no_colour(kept: Cli, command: tuple[str, ...]) -> None:
    ran = kept.apart(*command, TERM="xterm-256color")
    assert "\x1b" not in ran.out + ran.err


def test_a_pipe_gets_long_texts_in_one_line(cli: Cli) -> None:
    text = " ".join(f"word{at}" for at in range(60))
    cli("add", text)
    assert f"   {text}\n" in cli("search", "word7").out


def test_a_pipe_that_closes_early_is_no_error(cli: Cli) -> None:
    cli("add", "-", input="羊" * 100_000)
    with subprocess.Popen(
        [*COMMAND, "export"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **cli.environment},
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


def test_output_survives_a_narrow_alphabet(cli: Cli) -> None:
    ran = cli.apart("add", "Grüße aus 杭州", "--json", PYTHONIOENCODING="ascii")
    assert ran.code == 0
    assert cli.apart("get", "t1", "--json", PYTHONIOENCODING="ascii").json["memory"] == "Grüße aus 杭州"
    assert cli.apart("search", "Grüße", PYTHONIOENCODING="ascii").code in (0, 1)
