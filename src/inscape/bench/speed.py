"""How fast, how large: owners of several sizes, measured through `Memory` and in processes of their own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, cast

import numpy as np

from inscape.bench.building import build
from inscape.bench.data import Conversation, read_locomo, sha256_of
from inscape.bench.enlarge import enlarged
from inscape.bench.locomo import basis
from inscape.bench.probe import WARM
from inscape.bench.screen import bar
from inscape.memory import Memory
from inscape.recipes import INSCAPE

OWNER = "big"
_WARM_UPS, _ADDS, _RSS_QUESTIONS = 10, 50, 20
STARTS = 3
"""Fresh processes; the median counts."""
_ADDED = "added-one-by-one"
_HELD_OUT_COPY = 1_000_000
"""Of `enlarge`: messages that no owner holds."""


class Sizes(TypedDict, total=False):
    """Figures for one size of owner."""

    turns: int
    import_seconds: float
    import_turns_per_second: float
    search_ms: dict[str, float]
    add_ms: dict[str, float]
    search_after_add_ms: dict[str, float]
    erase_added_seconds: float
    cold_start_seconds: float
    cold_open_and_search_seconds: float
    cli_search_seconds: float
    resident_bytes_a_turn: float
    resident_bytes_before: int
    resident_bytes_after: int
    file_bytes_a_turn: float


def run(data: Path, turns: Sequence[int], *, queries: int, reuse: Path | None) -> dict[str, object]:
    """The report. Owners are kept in `reuse`, if given, and used again by the next run."""
    conversations = read_locomo(data)
    questions = spread_questions(conversations, queries + _WARM_UPS)
    few = min(_WARM_UPS, len(questions) // 2)
    warm_ups, asked = questions[:few], questions[few:]
    sizes: dict[str, Sizes] = {}
    with tempfile.TemporaryDirectory(prefix="inscape-bench-") as passing:
        for size in turns:
            folder = (reuse or Path(passing)) / f"turns-{size}"
            sizes[str(size)] = _measured(folder, conversations, size, warm_ups, asked)
    return {
        "sizes": sizes,
        "configuration": {
            "data_sha256": sha256_of(data),
            "queries": len(asked),
            "machine": {"processors": os.cpu_count(), "platform": sys.platform, "python": sys.version.split()[0]},
            "threads": os.environ.get("OMP_NUM_THREADS"),
            **basis((INSCAPE,), ()),
        },
    }


def spread_questions(conversations: Sequence[Conversation], count: int) -> list[str]:
    """Distinct questions, evenly spread over the data."""
    texts = list(dict.fromkeys(question.text for one in conversations for question in one.questions))
    count = min(count, len(texts))
    return [texts[place * len(texts) // count] for place in range(count)]


def _measured(
    folder: Path, conversations: Sequence[Conversation], size: int, warm_ups: Sequence[str], questions: Sequence[str]
) -> Sizes:
    seconds = built(folder, conversations, size)
    found: Sizes = {
        "turns": size,
        "import_seconds": seconds,
        "import_turns_per_second": round(size / seconds, 1),
        "file_bytes_a_turn": round(_file_bytes(folder) / size, 1),
    }
    found |= _cold(folder, warm_ups[0])
    found |= _resident(folder, size, questions[:_RSS_QUESTIONS])
    with Memory(folder) as memory:
        for question in warm_ups:
            memory.search(question, user_id=OWNER)
        found["search_ms"] = _summary([_ms_of_search(memory, question) for question in questions])
        found |= _adds(memory, conversations, questions)
    return found


def built(folder: Path, conversations: Sequence[Conversation], size: int) -> float:
    """Build an owner unless it is there; the seconds that building took, then or now. Half an owner, left by a run
    that was stopped, is made anew."""
    mark = folder / "built.json"
    if mark.exists():
        return float(json.loads(mark.read_text()))
    if (folder / "registry.sqlite").exists():
        shutil.rmtree(folder)
    with Memory(folder) as memory, bar(f"adding {size:,} turns", total=size) as advance:
        memory.add("A turn to warm up with.", user_id=WARM)
        memory.search("warm up", user_id=WARM)
        whole = Conversation(id=OWNER, sessions=tuple(enlarged(conversations, size)))
        seconds = build(memory, whole, owner=OWNER, progress=advance).seconds
    mark.write_text(json.dumps(seconds))
    return seconds


def _adds(memory: Memory, conversations: Sequence[Conversation], questions: Sequence[str]) -> Sizes:
    """Single messages, each followed by a search; erased in the end, so that the owner can be used again."""
    adding: list[float] = []
    asking: list[float] = []
    fresh = [
        turn for session in enlarged(conversations, _ADDS, first_copy=_HELD_OUT_COPY) for turn in session.turns
    ]  # fmt: skip
    for place, turn in enumerate(fresh):
        began = time.perf_counter()
        memory.add({"role": "user", "name": turn.speaker, "content": turn.text}, user_id=OWNER, session_id=_ADDED)
        adding.append(1000 * (time.perf_counter() - began))
        asking.append(_ms_of_search(memory, questions[place % len(questions)]))
    began = time.perf_counter()
    memory.erase(user_id=OWNER, session_id=_ADDED)
    return {
        "add_ms": _summary(adding),
        "search_after_add_ms": _summary(asking),
        "erase_added_seconds": round(time.perf_counter() - began, 2),
    }


def _cold(folder: Path, question: str) -> Sizes:
    """Wall clock of a fresh process from its start to its end."""
    walls: list[float] = []
    inside: list[float] = []
    for _ in range(STARTS):
        began = time.perf_counter()
        figures = _probed(folder, [question])
        walls.append(time.perf_counter() - began)
        inside.append(figures["open_and_search_seconds"])
    found: Sizes = {
        "cold_start_seconds": round(float(np.median(walls)), 3),
        "cold_open_and_search_seconds": round(float(np.median(inside)), 3),
    }
    command = Path(sys.executable).with_name("inscape")
    if command.exists():
        times: list[float] = []
        for _ in range(STARTS):
            began = time.perf_counter()
            subprocess.run(  # noqa: S603 - our own command
                [command, "search", question, "--user", OWNER, "--dir", folder], capture_output=True, check=False
            )
            times.append(time.perf_counter() - began)
        found["cli_search_seconds"] = round(float(np.median(times)), 3)
    return found


def _resident(folder: Path, size: int, questions: Sequence[str]) -> Sizes:
    figures = _probed(folder, questions)
    return {
        "resident_bytes_before": int(figures["before"]),
        "resident_bytes_after": int(figures["after"]),
        "resident_bytes_a_turn": round((figures["after"] - figures["before"]) / size, 1),
    }


def _probed(folder: Path, questions: Sequence[str]) -> dict[str, float]:
    done = subprocess.run(  # noqa: S603 - this interpreter, our own module
        [sys.executable, "-m", "inscape.bench.probe", folder, OWNER],
        input=json.dumps(questions),
        capture_output=True,
        check=True,
        text=True,
    )
    return cast("dict[str, float]", json.loads(done.stdout))


def _file_bytes(folder: Path) -> int:
    """The owner's file; the other owner in the folder has one turn."""
    return max(path.stat().st_size for path in (folder / "owners").glob("*.sqlite"))


def _ms_of_search(memory: Memory, question: str) -> float:
    began = time.perf_counter()
    memory.search(question, user_id=OWNER)
    return 1000 * (time.perf_counter() - began)


def _summary(times: Sequence[float]) -> dict[str, float]:
    return {
        name: round(float(np.quantile(times, at)), 2) for name, at in (("median", 0.5), ("p90", 0.9), ("p99", 0.99))
    }
