"""Documentation that can go stale is a test."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import inscape
from tests import cli_page

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "inscape"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def python_blocks() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for page in PAGES:
        for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)):
            found.append((f"{page.name}-{number}", block))
    return found


@pytest.mark.parametrize(("name", "code"), python_blocks())
def test_the_python_in_the_documentation_runs(name: str, code: str, tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_the_examples_run(script: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, env={**os.environ, "HOME": str(tmp_path)}, capture_output=True,
        text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_papers_map_names_modules_and_tests_that_exist() -> None:
    rows = re.findall(
        r"^\|[^|]*\|[^|]*\| `([^`]+)` \| `([^`]+)` \|$", (ROOT / "docs/papers.md").read_text(), re.MULTILINE
    )
    assert rows
    for module, test in rows:
        assert (SOURCE / module).exists(), module
        assert (ROOT / test).exists(), test


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "AGENTS.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} -> {target}"


def test_the_public_names_are_sorted_and_all_there() -> None:
    assert sorted(inscape.__all__, key=lambda name: (not name.isupper(), name)) == inscape.__all__
    for name in inscape.__all__:
        assert getattr(inscape, name) is not None


def test_the_core_asks_nobody_for_the_time_for_chance_or_for_the_environment() -> None:
    allowed = {"memory.py", "storage/owners.py", "providers/embedding.py", "providers/quiet.py"}
    forbidden = {"now", "utcnow", "today", "uuid4", "random", "getenv", "environ"}
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        if name in allowed or name.startswith(("interfaces/", "bench/", "testing")):
            continue
        used = {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}
        assert not used & forbidden, name


def test_help_and_import_load_nothing_heavy() -> None:
    code = "import inscape.interfaces.cli, sys; print(sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for heavy in ("numpy", "onnxruntime", "tokenizers", "httpx", "pydantic", "matplotlib"):
        assert f"'{heavy}'" not in loaded


def test_the_page_on_the_command_line_is_what_help_says() -> None:
    assert cli_page.PAGE.read_text(encoding="utf-8") == cli_page.page(), "run: python -m tests.cli_page"
