"""What the tests of benchmarks share."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from inscape.bench.command import app
from inscape.ports import EmbeddingModel
from tests.bench.conversations import write_data

Runs = Callable[..., dict[str, Any]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path)


@pytest.fixture
def runs(tmp_path: Path, models: dict[str, EmbeddingModel]) -> Runs:
    """Runs a command of `inscape bench`; the JSON that it wrote, and under `printed` what it printed."""

    def runs(*words: str | Path) -> dict[str, Any]:
        out = tmp_path / "report.json"
        given = [str(word) for word in (*words, "--json", out)]
        result = CliRunner().invoke(app, given, catch_exceptions=False, standalone_mode=False)
        if result.exception is not None:
            raise result.exception
        return {**json.loads(out.read_text()), "printed": result.stdout}

    return runs
