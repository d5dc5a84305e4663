"""The bundled model: its vectors are a function of the text alone, in every process."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np
import pytest

from inscape.ports import EmbeddingModel
from inscape.providers.minilm import MiniLM
from inscape.testing import EmbeddingContract
from inscape.testing.embedding import TEXTS, bytes_of

FINGERPRINT = """
import sys, hashlib
from inscape.providers.minilm import MiniLM
from inscape.testing.embedding import TEXTS, bytes_of
model = MiniLM()
for text in TEXTS if sys.argv[1] == "forwards" else TEXTS[::-1]:
    print(text[:9], hashlib.sha256(repr(bytes_of(model.embed(text))).encode()).hexdigest())
"""
_shared: list[MiniLM] = []


class TestMiniLM(EmbeddingContract):
    @pytest.fixture(autouse=True)
    def _loaded(self, minilm: MiniLM) -> None:
        _shared[:] = [minilm]

    def model(self) -> EmbeddingModel:
        return _shared[0]


@pytest.mark.parametrize("order", ["forwards", "backwards"])
def test_a_fresh_process_gives_the_same_bytes(minilm: MiniLM, order: str) -> None:
    minilm.embed("something else before, of quite another length, to be sure")
    here = {f"{text[:9]} {hashlib.sha256(repr(bytes_of(minilm.embed(text))).encode()).hexdigest()}" for text in TEXTS}
    there = subprocess.run(
        [sys.executable, "-c", FINGERPRINT, order], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert set(there) == here


def test_two_objects_share_a_recipe(minilm: MiniLM) -> None:
    assert MiniLM().recipe == minilm.recipe


@pytest.mark.parametrize("text", ["我喜欢喝咖啡，不喜欢茶。", "今天天气很好"])
def test_it_is_blind_to_chinese(minilm: MiniLM, text: str) -> None:
    assert minilm.embed(text).is_blind


def test_it_reads_english_with_a_few_foreign_signs(minilm: MiniLM) -> None:
    assert not minilm.embed("My friend 王 lives in Lisbon and keeps bees").is_blind


def test_near_in_meaning_is_near_in_vectors(minilm: MiniLM) -> None:
    def cosine(one: str, other: str) -> float:
        return float(minilm.embed(one).sentence @ minilm.embed(other).sentence)

    assert cosine("I own a cat", "My kitten sleeps") > cosine("I own a cat", "The stock market fell") + 0.2


def test_token_terms_are_those_that_words_are_found_by(minilm: MiniLM) -> None:
    made = minilm.embed("The beekeepers were moving to Lisbon")
    assert {"beekeep", "move", "lisbon"} <= set(made.token_terms)
    assert "the" not in made.token_terms


def test_a_text_of_many_windows_says_which_part_made_its_vectors(minilm: MiniLM) -> None:
    long = minilm.embed("We talked about the weather for hours. " * 800)
    assert long.notice is not None
    assert "24" in long.notice
    assert minilm.embed("We talked about the weather. " * 200).notice is None
    assert np.isfinite(long.sentence).all()
