"""Packing lines into a budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inscape.algorithms.packing import packed, tokens_of

lines = st.lists(st.text(alphabet="ab你 ", min_size=1, max_size=60), max_size=30)


@given(lines, st.integers(min_value=1, max_value=80))
def test_a_block_never_costs_more_than_its_budget(texts: list[str], budget: int) -> None:
    taken = list(packed(enumerate(texts), budget=budget))
    assert tokens_of("".join(f"{texts[place]}\n" for place in taken)) <= budget


@given(lines)
def test_with_room_for_all_all_are_taken_in_order(texts: list[str]) -> None:
    assert list(packed(enumerate(texts), budget=10_000)) == list(range(len(texts)))


def test_what_does_not_fit_is_skipped_and_what_follows_still_taken() -> None:
    assert list(packed([(1, "a" * 500), (2, "b")], budget=20)) == [2]
