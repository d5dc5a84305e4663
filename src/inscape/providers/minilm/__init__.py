"""The bundled embedding model: all-MiniLM-L6-v2, eight bits, run by onnxruntime.

A vector is a function of model and text alone: one text a run, no padding, never a batch, one thread.
Dynamic eight-bit quantisation scales by the whole tensor, so a neighbour in a batch would change a vector.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from inscape.algorithms.ranking import TOKEN_SCALE
from inscape.ports import Embedding, Floats
from inscape.providers.quiet import quietly_imported
from inscape.text.sentences import ranges_within, sentence_spans
from inscape.text.words import fold, term_of

WINDOW = 256
"""Word pieces the model sees at once, its two marks included."""
MOST_WINDOWS = 24
"""Of a longer text so many windows, evenly spread, stand for the rest; said in `Embedding.notice`."""
TOKEN_DIMENSION = 64
MOST_UNKNOWN = 0.2
"""Share of [UNK] above which no decision rests on a text's vectors."""
_CLS, _SEP, _UNK = 101, 102, 100
_HERE = "inscape.providers.minilm"
_RECIPE = "minilm-int8/1"


class _Session(Protocol):
    """What we use of onnxruntime.InferenceSession."""

    def run(self, output_names: None, input_feed: dict[str, NDArray[np.int64]]) -> list[Floats]: ...


class _Options(Protocol):
    """What we use of onnxruntime.SessionOptions."""

    intra_op_num_threads: int
    inter_op_num_threads: int


class _Runtime(Protocol):
    """What we use of onnxruntime."""

    def SessionOptions(self) -> _Options: ...  # noqa: N802 - its own name

    def InferenceSession(self, path: Path, options: _Options, *, providers: list[str]) -> _Session: ...  # noqa: N802


class MiniLM:
    """`ports.EmbeddingModel` for English, 384 dimensions, with 64-dimensional token vectors."""

    name = "minilm"
    dimension = 384
    token_dimension = TOKEN_DIMENSION

    @property
    def recipe(self) -> str:
        numbers = f"{_RECIPE}/{WINDOW}/{MOST_WINDOWS}/{MOST_UNKNOWN}/{TOKEN_SCALE}"
        return hashlib.sha256(numbers.encode() + self._projection.tobytes()).hexdigest()[:16]

    def embed(self, text: str) -> Embedding:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        if not encoding.ids or encoding.ids.count(_UNK) > MOST_UNKNOWN * len(encoding.ids):
            return Embedding(
                sentence=np.zeros(self.dimension, dtype=np.float32),
                tokens=np.zeros((0, TOKEN_DIMENSION), dtype=np.int8),
                token_terms=(),
            )
        windows = _windows(text, encoding.offsets)
        notice = None
        if len(windows) > MOST_WINDOWS:
            notice = (
                f"a text of {len(text):,} characters has {len(windows)} windows; {MOST_WINDOWS} of them make "
                "its vectors, all of it is found by its words"
            )
            windows = [windows[at * (len(windows) - 1) // (MOST_WINDOWS - 1)] for at in range(MOST_WINDOWS)]
        sentence, states, terms = self._pooled(text, encoding, windows)
        projected = _unit(states @ self._projection)
        return Embedding(
            sentence=sentence,
            tokens=np.rint(projected * TOKEN_SCALE).astype(np.int8),
            token_terms=terms,
            notice=notice,
        )

    def token_states(self, text: str) -> Floats:
        """(tokens, 384) unit vectors of the tokens that say something, before projection."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return self._pooled(text, encoding, _windows(text, encoding.offsets))[1]

    def _pooled(
        self, text: str, encoding: Encoding, windows: list[tuple[int, int]]
    ) -> tuple[Floats, Floats, tuple[str, ...]]:
        """The mean of all states, by length of window; the states of telling tokens, and their terms."""
        ids, spans, word_ids = encoding.ids, encoding.offsets, encoding.word_ids
        total = np.zeros(self.dimension, dtype=np.float32)
        kept: list[Floats] = []
        found: list[str] = []
        for start, end in windows:
            states = self._states(ids[start:end])
            total += _unit(states.mean(axis=0)) * np.float32(end - start)
            places, terms = _telling(text, spans, word_ids, start, end)
            kept.append(states[1:-1][places])
            found.extend(terms)
        return _unit(total), _unit(np.concatenate(kept)), tuple(found)

    def _states(self, ids: list[int]) -> Floats:
        """(tokens + 2, 384) last hidden states of one window."""
        pieces = np.array([[_CLS, *ids, _SEP]], dtype=np.int64)
        given = {
            "input_ids": pieces,
            "attention_mask": np.ones_like(pieces),
            "token_type_ids": np.zeros_like(pieces),
        }
        (states,) = self._session.run(None, given)
        return states[0]

    @cached_property
    def _projection(self) -> Floats:
        """(384, 64), fitted once on text that is nobody's; see README.md beside it."""
        with resources.as_file(resources.files(_HERE) / "projection.npy") as path:
            return np.load(path)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        tokenizer = Tokenizer.from_str((resources.files(_HERE) / "tokenizer.json").read_text(encoding="utf-8"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> _Session:
        runtime = cast("_Runtime", quietly_imported("onnxruntime"))
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        with resources.as_file(resources.files(_HERE) / "model_quantized.onnx") as path:
            return runtime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _windows(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges of word pieces that fit the model, cut at sentence ends where there are any."""
    if len(spans) <= WINDOW - 2:
        return [(0, len(spans))]
    starts = [start for start, _ in spans]
    ends = [bisect_left(starts, end) for _, end in sentence_spans(text)]
    return ranges_within(len(spans), ends, most=WINDOW - 2)


def _telling(
    text: str, spans: list[tuple[int, int]], word_ids: list[int | None], start: int, end: int
) -> tuple[list[int], list[str]]:
    """Places in a window of pieces whose word is no stop word, and that word's term for each."""
    places: list[int] = []
    terms: list[str] = []
    at = start
    while at < end:
        stop = at + 1
        while stop < end and word_ids[stop] == word_ids[at]:
            stop += 1
        spelled = fold(text[spans[at][0] : spans[stop - 1][1]])
        term = term_of(spelled) if any(sign.isalnum() for sign in spelled) else None
        if term is not None:
            places.extend(range(at - start, stop - start))
            terms.extend([term] * (stop - at))
        at = stop
    return places, terms


def _unit(vectors: Floats) -> Floats:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), np.float32(1e-12))
