"""What all tests share: no network, a clock that one sets, memories in a folder of the test."""

from __future__ import annotations

import socket
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from inscape import assemble
from inscape.memory import Memory
from inscape.ports import EmbeddingModel
from inscape.providers.minilm import MiniLM
from inscape.recipes import INSCAPE, Recipe
from inscape.settings import Settings
from inscape.testing import Clock, WordEmbedding

Opens = Callable[..., Memory]

UNGATED = Recipe(name="ungated", floor=0, gate=0)
"""Shows whatever was looked at: gates are set for the model that ships."""
_LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Generator[None]:
    """Whoever reaches beyond this machine fails."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex"):
            patch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))
        yield


def _guarded(connect: Callable[[socket.socket, Any], Any]) -> Callable[[socket.socket, Any], Any]:
    def guarded(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not str(address[0]).startswith(_LOOPBACK):
            raise AssertionError(f"A test reached for the network: {address}.")
        return connect(self, address)

    return guarded


@pytest.fixture(autouse=True)
def no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches the memories of whoever runs it."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("INSCAPE_HOME", str(tmp_path / "home" / "inscape"))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    """The bundled model, loaded once."""
    return MiniLM()


@pytest.fixture
def models(minilm: MiniLM, monkeypatch: pytest.MonkeyPatch) -> dict[str, EmbeddingModel]:
    """Models by the names that settings may use: `minilm`, `words`, and whatever a test puts in."""
    known: dict[str, EmbeddingModel] = {"minilm": minilm, "words": WordEmbedding()}
    real = assemble.embedding_model

    def model_of(name: str) -> EmbeddingModel:
        return known[name] if name in known else real(name)

    monkeypatch.setattr(assemble, "embedding_model", model_of)
    return known


@pytest.fixture
def opens(tmp_path: Path, clock: Clock, models: dict[str, EmbeddingModel]) -> Generator[Opens]:
    """Opens memories, by default in the test's own folder and with the fast model; closes them after the test."""
    opened: list[Memory] = []

    def opens(path: Path | None = None, *, embedding: str = "words", **settings: Any) -> Memory:
        memory = Memory(
            path or tmp_path / "memories",
            settings=Settings(embedding=embedding, **settings),
            recipe=UNGATED if embedding == "words" else INSCAPE,
            now=clock,
        )
        opened.append(memory)
        return memory

    yield opens
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(opens: Opens) -> Memory:
    """A memory with the fast model, for tests in which vectors are no matter."""
    return opens()


@pytest.fixture
def real_memory(opens: Opens) -> Memory:
    """A memory with the model that ships."""
    return opens(embedding="minilm")
