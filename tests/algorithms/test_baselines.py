"""What ours is compared with."""

from __future__ import annotations

import numpy as np
import pytest

from inscape.algorithms.baselines import bimem_formula, bm25, dense, reciprocal_rank_fusion, six_terms
from tests.algorithms.rows import asked, said

QUESTION = asked("green tea")
ROWS = said(QUESTION, "green tea", "black tea", "soup", cosine=np.array([0.2, 0.1, 0.9], dtype=np.float32))


def test_dense_follows_cosine_alone() -> None:
    assert dense(QUESTION, ROWS).order.tolist() == [2, 0, 1]


def test_bm25_follows_words_alone() -> None:
    assert bm25(QUESTION, ROWS).order.tolist() == [0, 1, 2]


def test_rank_fusion_adds_reciprocal_ranks() -> None:
    score = reciprocal_rank_fusion(QUESTION, ROWS).score
    assert score.tolist() == pytest.approx([1 / 61 + 1 / 62, 1 / 62 + 1 / 63, 1 / 63 + 1 / 61])


def test_bimem_s_formula_is_half_mapped_cosine_and_half_scaled_bm25() -> None:
    score = bimem_formula(QUESTION, ROWS).score
    assert score[0] == pytest.approx(0.5 * (0.2 + 1) / 2 + 0.5)
    assert score[2] == pytest.approx(0.5 * (0.9 + 1) / 2)


def test_the_six_terms_are_scaled_by_the_best_of_the_question() -> None:
    terms = six_terms(QUESTION, ROWS).terms
    assert set(terms) == {"words", "tokens", "dense", "speaker", "date", "question"}
    assert max(terms["words"]) == pytest.approx(1)
    assert terms["dense"].tolist() == pytest.approx([0.7 * 2 / 9, 0.7 / 9, 0.7])
