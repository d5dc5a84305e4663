"""Short ways to ask a memory."""

from __future__ import annotations

from typing import Any

from inscape.memory import Memory


def everything(memory: Memory, user: str = "ana", **filters: Any) -> list[str]:
    """All that is kept, in order."""
    return [item["memory"] for item in memory.get_all(user_id=user, **filters)["results"]]


def ids(memory: Memory, user: str = "ana", **filters: Any) -> list[str]:
    """The ids of all that is kept."""
    return [item["id"] for item in memory.get_all(user_id=user, **filters)["results"]]


def found(memory: Memory, query: str, user: str = "ana", **filters: Any) -> list[str]:
    """What a search gives, best first."""
    return [item["memory"] for item in memory.search(query, user_id=user, **filters)["results"]]
