"""Run in a process of its own by `inscape bench speed`: how long a cold start takes, and how much memory.

`python -m inscape.bench.probe FOLDER OWNER`, questions as JSON on stdin, figures as JSON on stdout.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from pathlib import Path

WARM = "warm"
"""An owner of one turn in the same folder."""
_STATM = Path("/proc/self/statm")


def main() -> None:
    """One question: time from here to its answer. Several: how much the process grows by opening and asking."""
    folder, owner = sys.argv[1:3]
    questions: list[str] = json.load(sys.stdin)
    figures = _cold_start(folder, owner, questions[0]) if len(questions) == 1 else _growth(folder, owner, questions)
    print(json.dumps(figures))


def _cold_start(folder: str, owner: str, question: str) -> dict[str, float]:
    began = time.perf_counter()
    from inscape.memory import Memory

    imported = time.perf_counter()
    with Memory(folder) as memory:
        memory.search(question, user_id=owner)
        found = time.perf_counter()
    return {"import_seconds": imported - began, "open_and_search_seconds": found - imported}


def _growth(folder: str, owner: str, questions: list[str]) -> dict[str, int]:
    """The model is warm before, by asking another owner, so that only this owner counts."""
    from inscape.memory import Memory

    with Memory(folder) as memory:
        for question in questions:
            memory.search(question, user_id=WARM)
        before = resident_bytes()
        for question in questions:
            memory.search(question, user_id=owner)
        return {"before": before, "after": resident_bytes()}


def resident_bytes() -> int:
    """This process's resident memory; 0 where the system does not say."""
    gc.collect()
    return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if _STATM.exists() else 0


if __name__ == "__main__":
    main()
