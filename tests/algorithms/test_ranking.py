"""The sum of terms: what each brings, and that it can be switched off."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import date
from typing import Any

import numpy as np
import pytest

from inscape.algorithms.ranking import Candidates, Question, Weights, ranked
from tests.algorithms.rows import asked, said


def best(question: Question, candidates: Candidates, weights: Weights | None = None) -> str:
    ranking = ranked(question, candidates, weights or Weights())
    return candidates.id_of(int(ranking.order[0]))


def test_the_turn_that_shares_the_words_comes_first() -> None:
    question = asked("Which pool did she try?")
    assert best(question, said(question, "We had soup.", "I tried the pool today.")) == "t2"


def test_the_turn_that_is_closest_in_meaning_comes_first_where_words_say_nothing() -> None:
    question = asked("beverage")
    cosine = np.array([0.1, 0.6], dtype=np.float32)
    assert best(question, said(question, "I walked home.", "Tea, please.", cosine=cosine)) == "t2"


@pytest.mark.parametrize(
    ("text", "columns", "term"),
    [
        ("What does Ben eat?", {"speaker": np.array([1, 2], dtype=np.int32)}, "speaker"),
        ("What do I eat?", {"from_user": np.array([False, True])}, "asker"),
        (
            "What did they eat in May 2023?",
            {"day": np.array([date(2023, 4, 8).toordinal(), date(2023, 5, 8).toordinal()], dtype=np.int32)},
            "date",
        ),
        ("Do they eat rice?", {"cues": np.array([1, 0], dtype=np.int32)}, "question"),
        ("When do they eat rice?", {"cues": np.array([0, 2], dtype=np.int32)}, "when"),
        ("Where do they eat rice?", {"cues": np.array([0, 4], dtype=np.int32)}, "name"),
    ],
)
def test_a_cue_breaks_a_tie_and_can_be_switched_off(text: str, columns: dict[str, Any], term: str) -> None:
    question = asked(text)
    candidates = said(question, "They eat rice", "They eat rice", **columns)
    assert best(question, candidates) == "t2"
    assert best(question, candidates, replace(Weights(), **{term: 0.0})) == "t1"


def test_every_term_has_a_weight_and_order_follows_their_sum() -> None:
    question = asked("Who ate rice with Ben in May?")
    ranking = ranked(question, said(question, "Ben ate rice", "no", "rice?"), Weights())
    assert set(ranking.terms) == {field.name for field in fields(Weights)}
    total = np.sum(list(ranking.terms.values()), axis=0)
    assert ranking.order.tolist() == np.argsort(-total, kind="stable").tolist()
    assert (np.diff(ranking.score[ranking.order]) <= 0).all()


def test_a_speaker_counts_only_when_exactly_one_is_named() -> None:
    question = asked("What did Ana and Ben cook?")
    ranking = ranked(question, said(question, "Ana and Ben cook"), Weights())
    assert not ranking.terms["speaker"].any()


def test_a_score_is_the_same_however_many_other_turns_there_are() -> None:
    question = asked("Which pool did she try?")
    few = ranked(question, said(question, "I tried the pool today."), Weights())
    many = ranked(question, said(question, "I tried the pool today.", *["She cooked the soup today."] * 150), Weights())
    assert few.score[0] == pytest.approx(many.score[0], abs=0.05)
    assert few.score[0] > 0.25 > many.score[1]


def test_a_turn_that_the_model_cannot_read_is_neither_helped_nor_harmed_by_vectors() -> None:
    question = asked("soup")
    cosine = np.array([0.1, 0.3, 0.5, 0.0], dtype=np.float32)
    readable = np.array([True, True, True, False])
    ranking = ranked(question, said(question, "a", "b", "c", "我", cosine=cosine, readable=readable), Weights())
    assert ranking.terms["dense"][3] == pytest.approx(0.75 * 0.3)


def test_where_the_model_cannot_read_the_question_words_alone_decide() -> None:
    question = asked("她喝什么茶", vector=(0.0, 0.0))
    candidates = said(question, "我今天喝了绿茶", "我们去游泳", cosine=np.array([0.0, 0.9], dtype=np.float32))
    ranking = ranked(question, replace(candidates, cosine=np.zeros(2, dtype=np.float32)), Weights())
    assert candidates.id_of(int(ranking.order[0])) == "t1"
    assert ranking.score[1] < 0.1


def test_rows_that_only_lend_context_are_never_hits() -> None:
    question = asked("soup")
    ranking = ranked(question, said(question, "soup", "bread", eligible=np.array([False, True])), Weights())
    assert ranking.order.tolist() == [1]


def test_an_empty_store_gives_an_empty_ranking() -> None:
    question = asked("soup")
    ranking = ranked(question, said(question), Weights())
    assert ranking.order.size == ranking.score.size == 0
