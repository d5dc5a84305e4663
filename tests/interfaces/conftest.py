"""What the tests of the command line share."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from inscape import assemble
from inscape.ports import EmbeddingModel
from inscape.providers.minilm import MiniLM
from tests.interfaces.command_line import Cli


@pytest.fixture(autouse=True)
def model_loaded_once(minilm: MiniLM, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of this process uses one bundled model."""
    load = assemble.embedding_model

    def embedding_model(name: str) -> EmbeddingModel:
        return minilm if name == "minilm" else load(name)

    monkeypatch.setattr(assemble, "embedding_model", embedding_model)


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(folder=tmp_path / "memories")


@pytest.fixture(scope="session")
def three_turns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cli = Cli(folder=tmp_path_factory.mktemp("three-turns"))
    messages = [
        {"role": "user", "content": "I moved to Lisbon in March.", "timestamp": "2025-03-04T09:30:00+01:00"},
        {"role": "assistant", "content": "How is the light there?", "timestamp": "2025-03-04T09:31:00+01:00"},
    ]
    assert cli("add", "-", "--session", "move", input=json.dumps(messages)).code == 0
    assert cli("add", "I drink green tea.", "--session", "drinks", "--metadata", "topic=tea").code == 0
    return cli.folder


@pytest.fixture
def kept(cli: Cli, three_turns: Path) -> Cli:
    """A folder that holds three turns in two sessions."""
    shutil.copytree(three_turns, cli.folder)
    return cli
