"""A path that tells how far a file has been read, whoever reads it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    ConcretePath = Path
else:
    ConcretePath = type(Path())


class WatchedPath(ConcretePath):
    """`WatchedPath(path)`, with `seen(bytes read, bytes in all)` called at every read."""

    seen: Callable[[int, int], None] | None = None

    def open(self, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if mode != "rb" or self.seen is None:
            return super().open(mode, *args, **kwargs)
        return _Watched(self, self.seen)


class _Watched(io.FileIO):
    def __init__(self, path: Path, seen: Callable[[int, int], None]) -> None:
        super().__init__(path, "rb")
        self._size = path.stat().st_size
        self._seen = seen

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(-1 if size is None else size)
        self._seen(self.tell(), self._size)
        return data
