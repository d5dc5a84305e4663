"""Every knob, its default, and where the default comes from."""

from __future__ import annotations

import dataclasses
import tomllib
from dataclasses import dataclass
from pathlib import Path

from inscape.errors import InvalidSetting

MAX_TEXT_BYTES = 1_000_000
"""A longer message is refused (our choice: no chat has one; a pasted file is not a message)."""
MAX_NAME = 200
"""Longest user, agent, run or session id, in characters."""
MAX_DEPTH = 100
"""Deepest metadata, in levels (our choice: SQLite reads no more than 1,000)."""
MOST = 1_000_000
"""No number among the settings reaches it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What a person sets for a folder of memories (`inscape.toml` in it)."""

    embedding: str = "minilm"
    """`minilm` (bundled; the papers' own model), `fastembed:NAME`, or `http://host/v1#model`."""
    tenant: str = "default"
    """Whose server this is; owners of different tenants never meet."""
    silent_hours: float = 6.0
    """A session ends after so many hours without a turn."""
    budget: int = 1000
    """Tokens of context that `recall` packs unless told otherwise."""
    top_k: int = 10
    """Hits that `search` returns unless told otherwise."""
    open_owners: int = 64
    """Stores kept open at once."""


def read_settings(path: Path) -> Settings:
    """Settings from a TOML file; defaults where there is none.

    Raises InvalidSetting for a name that does not exist, a wrong type, or a file that is not TOML.
    """
    if not path.exists():
        return Settings()
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidSetting(f"{path} is not readable as TOML: {error}. Mend or delete it.") from error
    fields = {field.name: field for field in dataclasses.fields(Settings)}
    for name, value in found.items():
        if name not in fields:
            known = ", ".join(sorted(fields))
            raise InvalidSetting(f"{path}: no setting is called {name!r}. The settings are: {known}.")
        default: object = fields[name].default
        wanted = type(default)
        if wanted is float and type(value) is int:
            found[name] = float(value)
        elif type(value) is not wanted:
            raise InvalidSetting(
                f"{path}: {name} must be of type {wanted.__name__}, not {type(value).__name__} ({value!r})."
            )
    settings = Settings(**found)
    for name in ("silent_hours", "budget", "top_k", "open_owners"):
        if not 0 < getattr(settings, name) < MOST:
            raise InvalidSetting(f"{path}: {name} must be above 0 and below {MOST:,}.")
    return settings
