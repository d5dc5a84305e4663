"""Words and tokens over a window of turns."""

from __future__ import annotations

import numpy as np
import pytest

from inscape.algorithms.windows import (
    ITSELF,
    Links,
    Posting,
    inverse_frequency,
    saturated,
    window_tokens,
    window_words,
)

CHAIN = Links(np.array([-1, 0, 1, 2], dtype=np.int32), np.array([1, 2, 3, -1], dtype=np.int32))
"""Four turns of one session."""
LENGTH = np.full(4, 10, dtype=np.float32)


def posting(*rows: int) -> Posting:
    return Posting(np.array(rows, dtype=np.int32), np.ones(len(rows), dtype=np.float32))


def words(*postings: Posting, links: Links = CHAIN) -> list[float]:
    weights = np.ones(len(postings))
    found = window_words(postings, weights, LENGTH, links, mean_length=10)
    return [round(float(value), 2) for value in found]


def test_a_word_counts_for_the_turns_around_it_more_for_those_that_follow() -> None:
    assert words(posting(1)) == [0.4, 1.0, 0.6, 0.4]


def test_a_word_that_is_repeated_nearby_counts_once_where_it_counts_most() -> None:
    assert words(posting(0, 1, 2)) == [1.0, 1.0, 1.0, 0.6]


def test_a_window_ends_with_the_session() -> None:
    two_sessions = Links(np.array([-1, 0, -1, 2], dtype=np.int32), np.array([1, -1, 3, -1], dtype=np.int32))
    assert words(posting(1), links=two_sessions) == [0.4, 1.0, 0.0, 0.0]


def test_a_missing_word_lowers_the_share_of_all() -> None:
    assert words(posting(1), posting()) == [0.2, 0.5, 0.3, 0.2]


def test_without_a_window_a_turn_stands_for_itself() -> None:
    found = window_words([posting(1)], np.ones(1), LENGTH, CHAIN, mean_length=10, window=ITSELF)
    assert found.tolist() == pytest.approx([0, 1, 0, 0])


def test_no_terms_and_no_rows_give_nothing() -> None:
    assert window_words([], np.zeros(0), LENGTH, CHAIN, mean_length=10).tolist() == [0, 0, 0, 0]
    none = np.zeros(0, dtype=np.int32)
    assert window_words([posting()], np.ones(1), none.astype(np.float32), Links(none, none), mean_length=0).size == 0


def test_a_frequent_word_says_less_and_a_tiny_store_has_no_frequent_words() -> None:
    rare, common = inverse_frequency(np.array([1.0, 150.0]), 200)
    assert rare > 4 > 1 > common > 0
    assert inverse_frequency(np.array([1.0]), 1) == pytest.approx(inverse_frequency(np.array([1.0]), 200))


def test_a_repeated_word_counts_more_and_more_slowly_and_less_in_a_long_turn() -> None:
    once, twice, often = saturated(np.array([1, 2, 50], dtype=np.float32), np.full(3, 10.0, np.float32), mean_length=10)
    assert pytest.approx(once) == 1
    assert once < twice < often < 1.9
    assert saturated(np.ones(1, np.float32), np.full(1, 100.0, np.float32), mean_length=10) < once


def test_a_token_is_matched_by_its_best_match_in_the_turn_or_near_it() -> None:
    axes = (np.eye(3) * 127).astype(np.int8)
    starts = np.array([0, 2, 3, 3, 3], dtype=np.int64)  # the first turn has two tokens, the second one, the rest none
    found = window_tokens(axes[:1], np.ones(1, np.float32), axes[[1, 0, 2]], starts, CHAIN, scale=127.0)
    assert found.tolist() == pytest.approx([1.0, 0.85, 0.75, 0.0])


def test_tokens_count_by_their_weight_and_opposites_count_nothing() -> None:
    axes = (np.eye(2) * 127).astype(np.int8)
    starts = np.array([0, 1], dtype=np.int64)
    alone = Links(np.array([-1], dtype=np.int32), np.array([-1], dtype=np.int32))
    weights = np.array([3.0, 1.0], dtype=np.float32)
    assert window_tokens(axes, weights, axes[:1], starts, alone, scale=127.0).tolist() == pytest.approx([0.75])
    assert window_tokens(axes, weights, -axes[:1], starts, alone, scale=127.0).tolist() == [0.0]
