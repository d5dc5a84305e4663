"""The `hybrid` strategy while others write."""

from __future__ import annotations

from typing import Any

import pytest

from inscape.memory import Memory
from inscape.storage.sqlite import SqliteStore
from tests.ask import found


def test_what_is_erased_between_ranking_and_reading_is_left_out(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.add([f"tea number {n}" for n in range(80)], user_id="ana")
    id = memory.update("t3", "tea, corrected", user_id="ana")["id"]
    real = SqliteStore.candidates
    erased: list[int] = []

    def candidates(self: SqliteStore, **asked: Any) -> Any:
        chosen = real(self, **asked)
        if not erased:
            erased.append(memory.erase(user_id="ana", ids=["t1", id, "t80"]).turns)
        return chosen

    monkeypatch.setattr(SqliteStore, "candidates", candidates)
    hits = found(memory, "tea number", top_k=200)
    assert erased == [3]
    assert sorted(hits) == sorted(f"tea number {n}" for n in range(80) if n not in (0, 2, 79))
    assert memory.recall("tea number", user_id="ana", budget=10_000).context.count("\n") == 77
