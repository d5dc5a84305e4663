"""Sentences, in English and in scripts with full-width stops."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？；])[”’」』）]*|\n+")
_ABBREVIATION = re.compile(r"(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no)|\b[A-Z])\.$", re.IGNORECASE)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence; together they hold every character that is not white space.

    >>> text = "I met Dr. Lee. 今天很好。走吧！"
    >>> [text[start:end] for start, end in sentence_spans(text)]
    ['I met Dr. Lee.', '今天很好。', '走吧！']
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for gap in _END.finditer(text):
        if _ABBREVIATION.search(text[max(0, gap.start() - 8) : gap.start()]) and "\n" not in gap.group():
            continue
        _append(spans, text, start, gap.end())
        start = gap.end()
    _append(spans, text, start, len(text))
    return spans


def ranges_within(length: int, ends: Sequence[int], *, most: int) -> list[tuple[int, int]]:
    """Ranges of at most `most` that cover 0 to `length`, each cut at the last of `ends` (sorted) that fits, or at its
    full size where none does.

    >>> ranges_within(10, [3, 5, 9], most=5)
    [(0, 5), (5, 10)]
    >>> ranges_within(11, [3], most=5)
    [(0, 3), (3, 8), (8, 11)]
    """
    ranges: list[tuple[int, int]] = []
    begin = 0
    while length - begin > most:
        at = bisect_right(ends, begin + most)
        end = ends[at - 1] if at and ends[at - 1] > begin else begin + most
        ranges.append((begin, end))
        begin = end
    if begin < length:
        ranges.append((begin, length))
    return ranges


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))
