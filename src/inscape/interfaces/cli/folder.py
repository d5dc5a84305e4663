"""Which folder and which user a command is about."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

from inscape.errors import InvalidInput, InvalidOwner, NotAStore, StoreUnwritable, UnknownId, shown

if TYPE_CHECKING:
    from inscape.memory import Memory
    from inscape.records import Json


def folder_at(folder: Path | None) -> Path:
    """The folder that was named, or the usual one."""
    from inscape.memory import default_folder

    return (folder or default_folder()).expanduser()


@contextmanager
def memory_in(folder: Path | None, *, make: bool = False) -> Generator[Memory]:
    """The memory in a folder. Without `make` the folder must hold one: a question leaves no folder behind.

    Raises NotAStore, StoreUnwritable and what `Memory` raises.
    """
    from inscape.memory import Memory

    where = folder_at(folder)
    if not make and not _holds_memories(where):
        raise NotAStore(
            f"No memories are kept in {where} yet. Check --dir, or begin with `inscape init` or `inscape add`."
        )
    with Memory(where) as memory:
        yield memory


def user_named(user: str | None) -> str:
    """The user, who must be named. Raises InvalidOwner."""
    if not user:
        raise InvalidOwner("Whose memory is it? Pass --user NAME, or set INSCAPE_USER.")
    return user


def metadata_of(pairs: Sequence[str] | None) -> dict[str, Json]:
    """`key=value` as metadata; a value that is JSON is read as such, any other is a string.

    Raises InvalidInput.

    >>> metadata_of(["topic=work", "year=2025"])
    {'topic': 'work', 'year': 2025}
    """
    found: dict[str, Json] = {}
    for pair in pairs or ():
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise InvalidInput(f"--metadata {shown(pair)} is not KEY=VALUE. Write it like --metadata topic=work.")
        try:
            found[key] = cast("Json", json.loads(value))
        except (ValueError, RecursionError):
            found[key] = value
    return found


def check_kept(memory: Memory, user: str) -> None:
    """Raises UnknownId when nothing was ever kept of the user, or all of it erased."""
    if not memory.get_all(user_id=user, limit=1)["results"] and user not in memory.users():
        raise UnknownId(f"Nothing is kept of {shown(user)}. `inscape show --user ''` names the users there are.")


def _holds_memories(where: Path) -> bool:
    try:
        return where.is_file() or (where / "registry.sqlite").exists()
    except OSError as error:
        raise StoreUnwritable(f"{where} cannot be read ({error.strerror}). Check its rights.") from error
