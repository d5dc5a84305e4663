"""The one evidence metric (design section 10): a gold turn is found when its own text stands in the context.

A note that cites a turn finds nothing by itself. Dates, speakers and ids count towards the budget, not towards
what is found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

ENOUGH = 0.9
"""Share of a turn's characters that must stand in the context."""
SHORT = 20
"""A shorter text ("Thanks!") is looked for in the line of its own turn only, since it may stand anywhere."""
_SMALLEST_BLOCK = 8
"""Characters; shorter agreements are chance."""
_RECORD = re.compile(r"^([tn]\d+) ")


def normalised(text: str) -> str:
    """Every run of white space as one space: how the context breaks lines does not matter.

    >>> normalised(" one\\n  two ")
    'one two'
    """
    return " ".join(text.split())


def printed_records(context: str) -> dict[str, str]:
    """What a context prints of each record, by its id: the text after `id date speaker: `, normalised.

    >>> printed_records("t1 2023-05-08 Ana: one\\n  two\\nn2 undated Bo: three\\n")
    {'t1': 'one two', 'n2': 'three'}
    """
    parts: dict[str, list[str]] = {}
    current: list[str] = []
    for line in context.splitlines():
        started = _RECORD.match(line)
        if started:
            current = parts.setdefault(started[1], [])
            line = line.partition(": ")[2]
        current.append(line)
    return {id: normalised(" ".join(lines)) for id, lines in parts.items()}


def is_found(text: str, records: dict[str, str], *, own: str | None) -> bool:
    """Whether at least 90 % of a turn's text stands in the context. `own`: the id that memory gave the turn.

    >>> is_found("I moved to Lisbon.", {"t1": "Well! I moved to Lisbon."}, own="t1")
    True
    >>> is_found("Yes!", {"t2": "Yes! Of course."}, own="t1")
    False
    """
    gold = normalised(text)
    line = records.get(own or "", "")
    if not gold:
        return False
    if gold in line or (len(gold) >= SHORT and any(gold in other for other in records.values())):
        return True
    return bool(line) and _shared(gold, line) >= ENOUGH * len(gold)


def _shared(gold: str, line: str) -> int:
    blocks = SequenceMatcher(None, gold, line, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size >= _SMALLEST_BLOCK)


def share_found(gold: Sequence[str], found: Sequence[str]) -> float:
    """Share of the gold turns that were found.

    >>> share_found(["D1:1", "D1:2"], ["D1:2", "D9:9"])
    0.5
    """
    return sum(id in found for id in gold) / len(gold)
