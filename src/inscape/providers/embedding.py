"""Embedding models other than the bundled one: fastembed's, and any OpenAI-compatible address."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable
from typing import Protocol, cast

import httpx
import numpy as np
from numpy.typing import NDArray

from inscape.errors import MissingExtra, ModelUnreachable, UnknownModel
from inscape.ports import Embedding
from inscape.providers.quiet import quietly_imported
from inscape.text.sentences import ranges_within, sentence_spans

PIECE_CHARACTERS = 1000
"""Longer texts are split at sentence ends into pieces of at most this, and averaged by length."""
TIMEOUT_SECONDS = 15.0
ATTEMPTS = 2
LONGEST_WAIT = 20.0
KEY_VARIABLE = "INSCAPE_EMBEDDING_KEY"


class FastembedModel:
    """A model of fastembed's list, run on this machine. Sentence vectors only."""

    token_dimension = 1

    def __init__(self, model: str) -> None:
        """Raises MissingExtra, UnknownModel, ModelUnreachable (when the model cannot be downloaded)."""
        try:
            fastembed = quietly_imported("fastembed")
        except ImportError as error:
            raise MissingExtra(f"fastembed:{model} needs fastembed. Run: pip install 'inscape[fastembed]'.") from error
        library = cast("_Library", fastembed.TextEmbedding)
        listed = {str(entry["model"]): entry for entry in library.list_supported_models()}
        if model not in listed:
            raise UnknownModel(
                f'fastembed knows no embedding model {model!r}. `python -c "from fastembed import TextEmbedding; '
                'print(TextEmbedding.list_supported_models())"` lists them.'
            )
        self.name = f"fastembed:{model}"
        self.dimension = int(str(listed[model]["dim"]))
        try:
            self._model = library(model, threads=1)
        except (ValueError, OSError, RuntimeError) as error:
            raise ModelUnreachable(
                f"fastembed could not load {model!r}: {str(error).rstrip('.')}. It downloads a model at its first use: "
                "check the network, or point FASTEMBED_CACHE_PATH at a folder that holds it."
            ) from error

    @property
    def recipe(self) -> str:
        return _recipe(self.name, self.dimension)

    def embed(self, text: str) -> Embedding:
        pieces = _pieces(text)
        return _pooled(pieces, [next(iter(self._model.embed([piece]))) for piece in pieces])


class _Fastembed(Protocol):
    def embed(self, documents: list[str]) -> Iterable[NDArray[np.float32]]: ...


class _Library(Protocol):
    """What we use of fastembed.TextEmbedding."""

    def list_supported_models(self) -> list[dict[str, object]]: ...

    def __call__(self, model_name: str, *, threads: int) -> _Fastembed: ...


class AddressModel:
    """A model behind an OpenAI-compatible address, `http://host/v1#model`. Sentence vectors only."""

    token_dimension = 1

    def __init__(self, address: str) -> None:
        """Asks once for the dimension. The key, if one is needed, is read from INSCAPE_EMBEDDING_KEY.

        Raises UnknownModel for an address without a model, ModelUnreachable.
        """
        base, _, model = address.partition("#")
        if not model:
            raise UnknownModel(f"{address} names no model. Write http://host/v1#model.")
        self.name = address
        self._url = base.rstrip("/") + "/embeddings"
        self._model = model
        key = os.environ.get(KEY_VARIABLE)
        self._client = httpx.Client(timeout=TIMEOUT_SECONDS, headers={"Authorization": f"Bearer {key}"} if key else {})
        self.dimension = len(self._asked("dimension"))

    @property
    def recipe(self) -> str:
        return _recipe(self.name, self.dimension)

    def embed(self, text: str) -> Embedding:
        pieces = _pieces(text)
        vectors = [self._asked(piece) for piece in pieces]
        for vector in vectors:
            if len(vector) != self.dimension:
                raise ModelUnreachable(
                    f"{self._url} gave {len(vector)} numbers where it gave {self.dimension} before. Check which "
                    "model it serves; after a change of model run `inscape reindex`."
                )
        return _pooled(pieces, vectors)

    def _asked(self, text: str) -> NDArray[np.float32]:
        problem = "no attempt"
        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer = self._client.post(self._url, json={"model": self._model, "input": text})
            except httpx.HTTPError as error:
                problem = f"{type(error).__name__}: {error}"
            else:
                if answer.status_code == 200:
                    return _vector_of(answer, self._url)
                problem = f"HTTP {answer.status_code}: {answer.text[:200]}"
                if answer.status_code not in (408, 429) and answer.status_code < 500:
                    break
                wait = answer.headers.get("retry-after", "")
                time.sleep(min(float(wait) if wait.replace(".", "", 1).isdigit() else 0.5 * attempt, LONGEST_WAIT))
        raise ModelUnreachable(
            f"The embedding model at {self._url} gave no vector ({problem}). Check the address, the model's name "
            f"and {KEY_VARIABLE}."
        )


def _vector_of(answer: httpx.Response, url: str) -> NDArray[np.float32]:
    try:
        body = cast("dict[str, list[dict[str, list[float]]]]", answer.json())
        vector = np.array(body["data"][0]["embedding"], dtype=np.float32)
    except (json.JSONDecodeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise ModelUnreachable(
            f"{url} answered, but not with an embedding ({type(error).__name__}: {error}). Check that the address "
            "ends in /v1 and serves an embedding model."
        ) from error
    if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all():
        raise ModelUnreachable(f"{url} gave a vector that is empty or not finite. Check the model it serves.")
    return vector


def _recipe(name: str, dimension: int) -> str:
    return hashlib.sha256(f"{name}/{dimension}/{PIECE_CHARACTERS}".encode()).hexdigest()[:16]


def _pieces(text: str) -> list[str]:
    """The text in pieces of whole sentences; a sentence that is too long is cut at its length."""
    ends = [end for _, end in sentence_spans(text)]
    ranges = ranges_within(len(text), ends, most=PIECE_CHARACTERS)
    return [text[begin:end] for begin, end in ranges if text[begin:end].strip()] or [text]


def _pooled(pieces: list[str], vectors: list[NDArray[np.float32]]) -> Embedding:
    total = np.sum(
        [
            len(piece) * vector / max(float(np.linalg.norm(vector)), 1e-12)
            for piece, vector in zip(pieces, vectors, strict=True)
        ],
        axis=0,
    )
    return Embedding(
        sentence=(total / max(float(np.linalg.norm(total)), 1e-12)).astype(np.float32),
        tokens=np.zeros((0, 1), dtype=np.int8),
        token_terms=(),
    )
