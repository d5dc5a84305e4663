"""`AsyncMemory`: the same as `Memory`, for programs that await."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import wraps
from itertools import islice
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

from inscape.memory import Memory
from inscape.records import Note, Turn

P = ParamSpec("P")
R = TypeVar("R")
_PAGE = 500
"""Records fetched in one go of a thread."""


def _in_thread(
    method: Callable[Concatenate[Memory, P], R],
) -> Callable[Concatenate[AsyncMemory, P], Awaitable[R]]:
    @wraps(method)
    async def call(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.to_thread(method, self.memory, *args, **kwargs)

    return call


class AsyncMemory:
    """`Memory` for programs that await: every call runs in a thread of its own."""

    def __init__(self, memory: Memory) -> None:
        """`memory`: the one to wrap, as in `AsyncMemory(Memory(path))`."""
        self.memory = memory

    add = _in_thread(Memory.add)
    search = _in_thread(Memory.search)
    recall = _in_thread(Memory.recall)
    get = _in_thread(Memory.get)
    get_all = _in_thread(Memory.get_all)
    update = _in_thread(Memory.update)
    delete = _in_thread(Memory.delete)
    delete_all = _in_thread(Memory.delete_all)
    history = _in_thread(Memory.history)
    end_session = _in_thread(Memory.end_session)
    to_erase = _in_thread(Memory.to_erase)
    erase = _in_thread(Memory.erase)
    erasures = _in_thread(Memory.erasures)
    users = _in_thread(Memory.users)
    reindex = _in_thread(Memory.reindex)
    check = _in_thread(Memory.check)
    close = _in_thread(Memory.close)

    async def records(self, *, user_id: str | None = None) -> AsyncIterator[Turn | Note]:
        """All living turns in the order in which they were added, then all living notes, as records."""
        found = await asyncio.to_thread(self.memory.records, user_id=user_id)
        while page := await asyncio.to_thread(lambda: list(islice(found, _PAGE))):
            for record in page:
                yield record

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
