"""Intervals: questions of one conversation resemble one another, so conversations are drawn first."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

DRAWS = 10_000
SEED = 20230508
Values: TypeAlias = NDArray[np.float64]


def resampled_means(
    values: Values, groups: NDArray[np.int64], *, draws: int = DRAWS, seed: int = SEED
) -> NDArray[np.float64]:
    """(draws, columns): means of `values` (questions, columns) over resampled questions.

    Each draw takes as many conversations as there are, with replacement, and of each taken one as many
    questions as it has, with replacement; with one conversation that is a bootstrap by question. All columns
    see the same draws, so differences of columns are paired.

    >>> resampled_means(np.array([[1.0], [1.0]]), np.array([0, 1]), draws=2).tolist()
    [[1.0], [1.0]]
    """
    chance = np.random.default_rng(seed)
    names, sizes = np.unique(groups, return_counts=True)
    taken = chance.multinomial(names.size, np.full(names.size, 1 / names.size), size=draws)
    sums = np.zeros((draws, values.shape[1]))
    for place, (name, size) in enumerate(zip(names, sizes, strict=True)):
        times = chance.multinomial(taken[:, place] * size, np.full(size, 1 / size))
        sums += times.astype(np.float64) @ values[groups == name]
    return sums / (taken @ sizes)[:, np.newaxis]


def interval(means: NDArray[np.float64]) -> list[float]:
    """The middle 95 % of resampled means, rounded to four places.

    >>> interval(np.linspace(0, 1, 1001))
    [0.025, 0.975]
    """
    return [round(float(bound), 4) for bound in np.quantile(means, [0.025, 0.975])]
