"""A short soak; `make soak` runs a long one."""

from __future__ import annotations

import pytest

from tests.soak.__main__ import soak


@pytest.mark.slow
def test_twenty_kills_lose_nothing_and_double_nothing() -> None:
    assert soak(seed=7, count=20) > 0
