"""Whose file it is, and by which recipe it was indexed."""

from __future__ import annotations

import sqlite3

from inscape.errors import EmbeddingMismatch
from inscape.ports import Indexing
from inscape.storage.writing import numbers, set_number


def claimed(
    connection: sqlite3.Connection, indexing: Indexing, *, owner: str, tenant: str
) -> tuple[int, dict[str, int]]:
    """The number of the recipe that is active, and the file's counters. A new file is given to its owner and to
    `indexing` first. Runs in a transaction."""
    found = numbers(connection)
    active = found.get("recipe")
    if active is None:
        active = recipe_id(connection, indexing)
        set_number(connection, "recipe", active)
        connection.executemany(
            "INSERT OR IGNORE INTO meta (name, value) VALUES (?, ?)",
            [("owner", owner), ("tenant", tenant), ("words", indexing.words)],
        )
    return active, found


def recipe_id(connection: sqlite3.Connection, indexing: Indexing) -> int:
    """The number of a recipe, written down if it is new."""
    connection.execute(
        "INSERT OR IGNORE INTO recipe (model, dimension, hash) VALUES (?, ?, ?)",
        (indexing.model.name, indexing.model.dimension, indexing.recipe),
    )
    return int(connection.execute("SELECT id FROM recipe WHERE hash = ?", (indexing.recipe,)).fetchone()[0])


def check_hash(connection: sqlite3.Connection, indexing: Indexing) -> None:
    """Raises EmbeddingMismatch when the active recipe is another one."""
    query = "SELECT hash FROM recipe WHERE id = (SELECT value FROM meta WHERE name = 'recipe')"
    if connection.execute(query).fetchone()[0] != indexing.recipe:
        raise recipe_mismatch(connection, indexing)


def recipe_mismatch(connection: sqlite3.Connection, indexing: Indexing) -> EmbeddingMismatch:
    """What to raise, in words that say what to do."""
    model, dimension = connection.execute(
        "SELECT model, dimension FROM recipe WHERE id = (SELECT value FROM meta WHERE name = 'recipe')"
    ).fetchone()
    wanted = indexing.model
    return EmbeddingMismatch(
        f"This store was embedded by {model} ({dimension} dimensions), the settings name {wanted.name} "
        f"({wanted.dimension} dimensions{', another recipe' if wanted.name == model else ''}). Run `inscape "
        f'reindex` to embed it again, or set embedding = "{model}" in inscape.toml to go on as before.'
    )
