from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.interfaces.command_line import Cli


def held(cli: Cli) -> list[dict[str, Any]]:
    """All living memories without what the memory itself gives them."""
    items: list[dict[str, Any]] = json.loads(cli("export", "--format", "json").out)
    own = ("id", "sources", "added_at", "kind")
    return [{name: value for name, value in item.items() if name not in own} for item in items]


def test_an_export_comes_back_as_it_was_in_another_folder(kept: Cli, tmp_path: Path) -> None:
    kept("add", "-", input=json.dumps({"content": "look", "captions": ["a red boat"], "id": "m1", "run_id": "r"}))
    path = tmp_path / "export.jsonl"
    assert kept("export", "-o", str(path)).out == ""
    other = replace(kept, folder=tmp_path / "other")
    assert other("import", str(path), "--json").json["files"][0]["stored"] == 4
    assert held(other) == held(kept)


def test_an_export_of_the_same_memory_brings_nothing_new(kept: Cli, tmp_path: Path) -> None:
    kept("update", "t1", "I moved to Porto.")
    kept("delete", "t3")
    path = tmp_path / "export.jsonl"
    kept("export", "-o", str(path))
    before = kept("export").out.splitlines()[1:]
    (file,) = kept("import", str(path), "--json").json["files"]
    assert (file["stored"], file["known"], file["broken"]) == (0, 2, 0)
    assert kept("export").out.splitlines()[1:] == before


def test_a_correction_survives_the_move_to_another_folder(kept: Cli, tmp_path: Path) -> None:
    kept("update", "t1", "I moved to Porto.")
    path = tmp_path / "export.jsonl"
    kept("export", "-o", str(path))
    other = replace(kept, folder=tmp_path / "other")
    other("import", str(path))
    texts = [item["memory"] for item in held(other)]
    assert ("I moved to Porto." in texts, "I moved to Lisbon in March." in texts) == (True, False)


def test_markdown_reads_like_a_chat(kept: Cli) -> None:
    assert kept("export", "--format", "markdown").out == (
        "# What is kept of ana\n\n## move\n\n"
        "- 2025-03-04 09:30 **ana**: I moved to Lisbon in March.\n"
        "- 2025-03-04 09:31 **assistant**: How is the light there?\n"
        "\n## drinks\n\n- undated **ana**: I drink green tea.\n"
    )


def test_an_export_can_be_summed_up_in_json(kept: Cli, tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    assert kept("export", "-o", str(path), "--json").json["records"] == 3
    assert kept("export", "--json").error == (2, "InvalidInput")


def test_a_file_appears_whole_or_not_at_all(kept: Cli, tmp_path: Path) -> None:
    assert kept("export", "-o", str(tmp_path / "no" / "export.jsonl")).code == 2
    assert kept("export", "--user", "stranger", "-o", str(tmp_path / "export.jsonl")).code == 2
    assert kept("export", "--format", "pdf", "-o", str(tmp_path / "export.jsonl")).code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["memories"]


def test_all_deleted_is_an_empty_export_not_an_error(cli: Cli) -> None:
    cli("add", "hello")
    cli("delete", "t1")
    assert json.loads(cli("export", "--format", "json").out) == []
