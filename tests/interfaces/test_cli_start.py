from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from inscape import Settings
from inscape.errors import InscapeError, ModelUnreachable, StoreBusy, UnknownId
from inscape.interfaces.cli.exits import code_of
from inscape.interfaces.cli.init import settings_text
from inscape.settings import read_settings
from tests.interfaces.command_line import Cli

COMMANDS = "demo init doctor add import search recall show get history export update delete erase reindex bench".split()


def test_help_names_every_command_and_the_exit_codes(cli: Cli) -> None:
    shown = cli("--help").out
    assert [name for name in COMMANDS if f" {name} " not in shown] == []
    assert "Exit codes: 0 done." in shown


@pytest.mark.parametrize("command", COMMANDS[:-1])
def test_each_command_explains_itself(cli: Cli, command: str) -> None:
    ran = cli(command, "--help")
    assert ran.code == 0
    assert "--json" in ran.out


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys; sys.argv = ['inscape', '--help']\n"
        "from inscape.interfaces.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print('LOADED', *sorted({name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    loaded = set(done.stdout.rpartition("LOADED ")[2].split())
    assert "inscape" in loaded
    assert loaded.isdisjoint({"numpy", "onnxruntime", "tokenizers", "httpx", "pydantic", "ijson", "sqlite3"})


def test_the_version_is_printed(cli: Cli) -> None:
    assert cli("--version").out.startswith("inscape 0.")


def test_a_completion_script_is_printed(cli: Cli) -> None:
    ran = cli.apart("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert (ran.code, "complete -o default" in ran.out) == (0, True)


def test_a_missing_user_is_asked_for(cli: Cli) -> None:
    ran = cli("add", "hello", "--user", "")
    assert (ran.code, ran.err) == (2, "error: Whose memory is it? Pass --user NAME, or set INSCAPE_USER.\n")


def test_a_question_makes_no_folder(cli: Cli) -> None:
    ran = cli("search", "tea")
    assert ran.code == 3
    assert "No memories are kept in" in ran.err
    assert not cli.folder.exists()


def test_a_file_is_no_folder_of_memories(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for command in (("add", "hello"), ("search", "tea"), ("init",)):
        assert cli(*command, "--dir", str(tmp_path / "file"), "--json").error == (3, "NotAStore")


@pytest.mark.parametrize(("error", "code"), [(StoreBusy(), 3), (ModelUnreachable(), 4), (UnknownId("x"), 2)])
def test_the_exit_code_tells_the_kind_of_error(error: InscapeError, code: int) -> None:
    assert code_of(error) == code


def test_an_unknown_model_ends_with_the_code_of_models(cli: Cli) -> None:
    cli("init")
    (cli.folder / "inscape.toml").write_text('embedding = "nonsense"')
    assert cli("add", "hello", "--json").error == (4, "UnknownModel")


def test_errors_are_one_line_without_a_traceback(kept: Cli) -> None:
    ran = kept.apart("get", "t99")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith("error: ")


def test_wrong_usage_is_json_too_when_asked(cli: Cli) -> None:
    assert cli("search", "--json").code == 2
    assert cli("search", "tea", "--nonsense", "--json").json["error"]["message"].startswith("No such option")


def test_bench_is_loaded_when_called_and_given_all_arguments(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []

    def app(**given: object) -> int:
        calls.append(given["args"])
        return 4

    module = ModuleType("inscape.bench.command")
    module.__dict__.update(vars(SimpleNamespace(app=app)))
    monkeypatch.setitem(sys.modules, "inscape.bench.command", module)
    assert cli("bench", "locomo", "--data", "x.json", "--help").code == 4
    assert calls == [["locomo", "--data", "x.json", "--help"]]


def test_init_explains_all_settings_at_their_defaults(cli: Cli) -> None:
    ran = cli("init", "--json")
    assert ran.json["settings_made"] is True
    assert read_settings(cli.folder / "inscape.toml") == Settings()
    values = [line[2:] for line in settings_text().splitlines() if " = " in line]
    assert Settings(**tomllib.loads("\n".join(values))) == Settings()


def test_init_never_overwrites(cli: Cli) -> None:
    cli("init")
    (cli.folder / "inscape.toml").write_text("top_k = 3\n")
    ran = cli("init")
    assert "stays as it is" in ran.out
    assert (cli.folder / "inscape.toml").read_text() == "top_k = 3\n"
