from __future__ import annotations

import numpy as np

from inscape.bench.bootstrap import interval, resampled_means

VALUES = np.array([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0]])
GROUPS = np.array([0, 0, 1, 1, 1])


def test_the_same_questions_give_the_same_interval() -> None:
    assert interval(resampled_means(VALUES, GROUPS)[:, 0]) == interval(resampled_means(VALUES, GROUPS)[:, 0])


def test_the_middle_of_the_draws_is_the_mean_where_conversations_are_of_one_size() -> None:
    values, groups = VALUES[:4], GROUPS[:4]
    assert np.allclose(resampled_means(values, groups).mean(axis=0), values.mean(axis=0), atol=0.01)


def test_columns_share_their_draws_so_a_constant_difference_has_no_width() -> None:
    means = resampled_means(np.hstack([VALUES[:, :1], VALUES[:, :1] - 0.25]), GROUPS, draws=500)
    assert interval(means[:, 0] - means[:, 1]) == [0.25, 0.25]


def test_one_conversation_is_resampled_by_question() -> None:
    low, high = interval(resampled_means(VALUES, np.zeros(5, dtype=np.int64))[:, 0])
    assert low < 0.6 < high


def test_conversations_that_differ_widen_the_interval() -> None:
    alike, apart = np.tile([0.0, 1.0], 50), np.repeat([0.0, 1.0], 50)
    groups = np.repeat([0, 1], 50)
    narrow = interval(resampled_means(alike[:, np.newaxis], groups)[:, 0])
    wide = interval(resampled_means(apart[:, np.newaxis], groups)[:, 0])
    assert wide[1] - wide[0] > 3 * (narrow[1] - narrow[0])
