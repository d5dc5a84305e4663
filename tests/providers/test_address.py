"""An embedding model behind an address that may be down, busy, wrong or slow."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

import pytest

from inscape.errors import EmbeddingMismatch, ModelUnreachable, UnknownModel
from inscape.ports import EmbeddingModel
from inscape.providers import embedding
from inscape.providers.embedding import AddressModel
from inscape.testing import EmbeddingContract, WordEmbedding
from tests.ask import everything, found
from tests.conftest import Opens


@dataclass
class Server:
    """An OpenAI-compatible address whose answers are set by the test."""

    url: str = ""
    does: str = "answer"
    dimension: int = 16
    asked: list[str] = field(default_factory=list[str])
    keys: list[str | None] = field(default_factory=list[str | None])
    waits: list[float] = field(default_factory=list[float])
    let_go: threading.Event = field(default_factory=threading.Event)

    @property
    def address(self) -> str:
        return f"{self.url}/v1#some-model"


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            given = json.loads(self.rfile.read(int(self.headers["content-length"])))
            server.asked.append(given["input"])
            server.keys.append(self.headers["authorization"])
            match server.does:
                case "answer":
                    vector = WordEmbedding(server.dimension).embed(given["input"]).sentence
                    self._send(200, json.dumps({"data": [{"embedding": vector.tolist()}]}))
                case "fail":
                    self._send(500, "out of order")
                case "busy once":
                    server.does = "answer"
                    self._send(429, "slow down", ("Retry-After", "0.01"))
                case "busy":
                    self._send(429, "slow down", ("Retry-After", "0"))
                case "refuse":
                    self._send(401, "who are you?")
                case "garbage":
                    self._send(200, "<html>hello</html>")
                case "empty":
                    self._send(200, json.dumps({"data": []}))
                case "nothing finite":
                    self._send(200, '{"data": [{"embedding": [NaN, 1.0]}]}')
                case "hang up":
                    self.connection.close()
                case _:
                    server.let_go.wait(20)

        def _send(self, status: int, body: str, *headers: tuple[str, str]) -> None:
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("content-length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Generator[Server]:
    server = Server()
    monkeypatch.setattr(embedding, "TIMEOUT_SECONDS", 0.3)
    monkeypatch.setattr(embedding, "time", SimpleNamespace(sleep=server.waits.append))
    running = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server))
    running.daemon_threads = True
    server.url = f"http://127.0.0.1:{running.server_address[1]}"
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.let_go.set()
    running.shutdown()
    thread.join()
    running.server_close()


class TestAddressModel(EmbeddingContract):
    @pytest.fixture(autouse=True)
    def _serving(self, server: Server) -> None:
        self.server = server

    def model(self) -> EmbeddingModel:
        return AddressModel(self.server.address)


BROKEN = ["fail", "busy", "refuse", "garbage", "empty", "nothing finite", "hang up", "hang"]


@pytest.mark.parametrize("does", BROKEN)
def test_a_model_that_gives_no_vector_is_an_error_that_names_the_address(server: Server, does: str) -> None:
    model = AddressModel(server.address)
    server.does = does
    with pytest.raises(ModelUnreachable, match=re.escape(f"{server.url}/v1/embeddings")):
        model.embed("hello")


def test_busy_for_a_moment_it_is_asked_again(server: Server) -> None:
    model = AddressModel(server.address)
    server.asked.clear()
    server.does = "busy once"
    assert model.embed("hello").sentence.any()
    assert server.asked == ["hello", "hello"]
    assert server.waits == [0.01]


def test_a_refusal_is_not_asked_again(server: Server) -> None:
    model = AddressModel(server.address)
    server.asked.clear()
    server.does = "refuse"
    with pytest.raises(ModelUnreachable, match="401"):
        model.embed("hello")
    assert server.asked == ["hello"]


def test_the_key_comes_from_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSCAPE_EMBEDDING_KEY", "k-123")
    AddressModel(server.address)
    assert server.keys == ["Bearer k-123"]


def test_an_address_without_a_model_is_an_error(server: Server) -> None:
    with pytest.raises(UnknownModel, match="names no model"):
        AddressModel(f"{server.url}/v1")


def test_a_model_that_was_exchanged_is_an_error(server: Server) -> None:
    model = AddressModel(server.address)
    server.dimension = 24
    with pytest.raises(ModelUnreachable, match="24 numbers"):
        model.embed("hello")


@pytest.mark.parametrize("does", BROKEN)
def test_with_a_dead_model_turns_are_kept_and_found_by_their_words(server: Server, opens: Opens, does: str) -> None:
    memory = opens(embedding=server.address)
    memory.add("I sing in a choir", user_id="ana")
    server.does = does
    receipt = memory.add(["I keep bees in Porto", "We play chess on Sundays", "The roof leaks"], user_id="ana")
    assert len(receipt.stored) == 3
    assert len(receipt.notices) == 3
    assert all("inscape reindex" in notice for notice in receipt.notices)
    assert found(memory, "Who plays chess on Sundays?")[0] == "We play chess on Sundays"
    recall = memory.recall("bees in Porto", user_id="ana")
    assert "I keep bees in Porto" in recall.context
    assert any("only words" in step.result for step in recall.steps)
    server.does = "answer"
    server.let_go.set()
    assert memory.reindex(user_id="ana") == 3
    assert memory.reindex(user_id="ana") == 0
    assert found(memory, "Who plays chess on Sundays?")[0] == "We play chess on Sundays"
    assert memory.recall("chess", user_id="ana").hits[0].found_by.get("dense")


def test_a_dead_model_is_not_asked_for_every_message_of_a_call(server: Server, opens: Opens) -> None:
    memory = opens(embedding=server.address)
    server.does = "refuse"
    server.asked.clear()
    memory.add([f"number {n}" for n in range(50)], user_id="ana")
    assert len(server.asked) == 1
    assert len(everything(memory)) == 50


def test_an_address_that_is_down_at_the_start_is_an_error(opens: Opens) -> None:
    with pytest.raises(ModelUnreachable, match=r"127\.0\.0\.1:9"):
        opens(embedding="http://127.0.0.1:9/v1#m")


def test_reindexing_that_loses_its_model_goes_on_later(server: Server, opens: Opens) -> None:
    opens(embedding="words").add([f"number {n}" for n in range(100)], user_id="ana")
    memory = opens(embedding=server.address)
    with pytest.raises(EmbeddingMismatch):
        found(memory, "number 7")

    def lose_it(done: int, total: int) -> None:
        server.does = "refuse"

    with pytest.raises(ModelUnreachable):
        memory.reindex(user_id="ana", progress=lose_it)
    assert len(found(opens(embedding="words"), "number 7")) == 10
    server.does = "answer"
    assert 0 < memory.reindex(user_id="ana") < 100
    assert len(everything(memory)) == 100
