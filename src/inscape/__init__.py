"""Long-term memory for assistants built on language models."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inscape.async_memory import AsyncMemory
    from inscape.errors import InscapeError
    from inscape.memory import Memory
    from inscape.recipes import INSCAPE, Recipe
    from inscape.records import Erasure, Hit, Message, Note, Recall, Receipt, Turn
    from inscape.settings import Settings

__all__ = [
    "INSCAPE",
    "AsyncMemory",
    "Erasure",
    "Hit",
    "InscapeError",
    "Memory",
    "Message",
    "Note",
    "Recall",
    "Receipt",
    "Recipe",
    "Settings",
    "Turn",
]
__version__ = "0.1.0"

_ROOMS = {
    "async_memory": ("AsyncMemory",),
    "errors": ("InscapeError",),
    "memory": ("Memory",),
    "recipes": ("INSCAPE", "Recipe"),
    "records": ("Erasure", "Hit", "Message", "Note", "Recall", "Receipt", "Turn"),
    "settings": ("Settings",),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> object:
    """Load a name when it is first used, so that `inscape --help` need not load numpy."""
    if name in _ROOM_OF:
        return getattr(import_module(f"inscape.{_ROOM_OF[name]}"), name)
    raise AttributeError(f"module 'inscape' has no attribute {name!r}")
