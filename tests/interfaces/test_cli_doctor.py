from __future__ import annotations

from pathlib import Path

import pytest

from inscape import Memory
from inscape.errors import EmbeddingMismatch
from tests.interfaces.command_line import Cli


def test_the_doctor_finds_all_well_and_leaves_nothing_behind(kept: Cli) -> None:
    before = sorted(path.name for path in kept.folder.iterdir())
    ran = kept("doctor")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "All is well.")
    told = kept("doctor", "--json").json
    assert told["ok"] is True
    found = {check["name"]: check["found"] for check in told["checks"]}
    assert found["model"].startswith("minilm, 384 dimensions, recipe ")
    assert "1 store file" in found["folder"]
    assert "SQLite 3." in found["store"]
    assert sorted(path.name for path in kept.folder.iterdir()) == before


def test_a_folder_that_is_not_there_is_no_trouble_and_not_made(cli: Cli) -> None:
    ran = cli("doctor")
    assert (ran.code, cli.folder.exists()) == (0, False)
    assert "is not there yet" in ran.out


def test_wrong_settings_are_named(cli: Cli) -> None:
    cli("init")
    (cli.folder / "inscape.toml").write_text("topk = 3")
    ran = cli("doctor")
    assert ran.code == 2
    assert "no setting is called 'topk'" in ran.out


@pytest.mark.parametrize(
    ("embedding", "said"), [("nonsense", "no embedding model"), ("http://127.0.0.1:9/v1#m", "127.0.0.1:9")]
)
def test_a_model_that_cannot_be_used_is_named(cli: Cli, embedding: str, said: str) -> None:
    cli("init")
    (cli.folder / "inscape.toml").write_text(f'embedding = "{embedding}"')
    ran = cli("doctor", "--json")
    wrong = [check for check in ran.json["checks"] if not check["ok"]]
    assert (ran.code, wrong[0]["name"]) == (4, "model")
    assert said in wrong[0]["found"]


def test_a_store_of_another_model_is_named_with_its_mend(kept: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: Memory, **given: object) -> None:
        raise EmbeddingMismatch("This store was embedded by another model. Run `inscape reindex`.")

    monkeypatch.setattr(Memory, "get_all", refused)
    ran = kept("doctor")
    assert ran.code == 3
    assert "WRONG store of ana: This store was embedded by another model. Run `inscape reindex`." in ran.out


def test_damaged_files_are_named(kept: Cli) -> None:
    (store,) = Path(kept.folder / "owners").glob("*.sqlite")
    store.write_bytes(b"no database" * 1000)
    ran = kept("doctor")
    assert ran.code == 3
    assert "WRONG" in ran.out


def test_what_the_check_of_the_files_finds_is_told(kept: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(memory: Memory) -> list[str]:
        return ["row 7 is missing from an index"]

    monkeypatch.setattr(Memory, "check", damaged)
    ran = kept("doctor")
    assert ran.code == 3
    assert "WRONG files: row 7 is missing from an index\n1 thing to mend.\n" in ran.out
