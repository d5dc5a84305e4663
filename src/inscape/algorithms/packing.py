"""Fitting ranked lines into a budget of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
SMALLEST = 16
"""Bytes under which no line is worth looking for: an id, a date and a word."""


def tokens_of(text: str) -> int:
    """Tokens a text costs: ceil(UTF-8 bytes / 4), the same for every model.

    >>> tokens_of("abcde"), tokens_of("")
    (2, 0)
    """
    return -(-len(text.encode()) // 4)


def packed(lines: Iterable[tuple[Item, str]], *, budget: int) -> Iterator[Item]:
    """Items whose lines fit together into `budget` tokens, going down the ranking; what does not fit is
    skipped. The whole block counts, each line with its line break.

    >>> list(packed([("a", "four"), ("b", "a line that is far too long"), ("c", "more ")], budget=7))
    ['a', 'c']
    """
    room = 4 * budget
    for item, line in lines:
        size = len(line.encode()) + 1
        if size <= room:
            yield item
            room -= size
        if room < SMALLEST:
            return
