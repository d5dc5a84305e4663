"""`inscape doctor`: is all well here, and if not, what to do."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from inscape.errors import InscapeError
from inscape.interfaces.cli.exits import OK, STORE, code_of
from inscape.interfaces.cli.folder import folder_at
from inscape.interfaces.cli.options import AsJson, Dir
from inscape.interfaces.cli.screen import print_json, say
from inscape.interfaces.cli.wording import counted

if TYPE_CHECKING:
    from inscape.memory import Memory
    from inscape.settings import Settings

_PROBE = "The lighthouse keeper repaired the blue lamp on Tuesday."
_QUESTION = "Who repaired the lamp?"
_EXTRAS = {"fastembed": "other embedding models", "matplotlib": "charts of the bench"}
_MOST_SHOWN = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    ok: bool
    found: str
    """What there is, or what is wrong and how to mend it."""
    code: int = OK
    """The exit code it stands for when it is not ok."""


def doctor(folder: Dir = None, as_json: AsJson = False) -> None:
    """Look at the installation, the folder, the model and the files, and say what is wrong and how to mend it.

    Stores a probe in a folder of its own inside, finds it, and removes it. Your memories are only read.
    """
    checks: list[Check] = []
    for check in _checks(folder_at(folder)):
        checks.append(check)
        if not as_json:
            say(
                ("ok   ", "green") if check.ok else ("WRONG", "bold red"), " ", (f"{check.name}: ", "bold"), check.found
            )
    wrong = [check for check in checks if not check.ok]
    if as_json:
        print_json({"ok": not wrong, "checks": [asdict(check) for check in checks]})
    else:
        say("All is well." if not wrong else f"{counted(len(wrong), 'thing')} to mend.")
    if wrong:
        raise typer.Exit(wrong[0].code)


def _checks(folder: Path) -> Iterator[Check]:
    from inscape import __version__

    yield Check(name="inscape", ok=True, found=f"{__version__}, Python {platform.python_version()} on {sys.platform}")
    extras = [f"{name} {'is' if find_spec(name) else 'is not'} installed ({what})" for name, what in _EXTRAS.items()]
    yield Check(name="extras", ok=True, found="; ".join(extras))
    there = folder.exists()
    yield _tried("folder", lambda: _folder_found(folder))
    settings: list[Settings] = []
    yield _tried("settings", lambda: _settings_found(folder, settings))
    if not settings:
        return
    yield _tried("model", lambda: _model_found(settings[0].embedding))
    yield _tried("probe", lambda: _probe_found(folder if there else _nearest(folder), settings[0]))
    if there and (folder / "registry.sqlite").exists():
        yield from _store_checks(folder)


def _tried(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name=name, ok=True, found=look())
    except InscapeError as error:
        return Check(name=name, ok=False, found=str(error), code=code_of(error))
    except OSError as error:
        return Check(name=name, ok=False, found=f"{error}. Check rights and free space.", code=STORE)


def _folder_found(folder: Path) -> str:
    if not folder.exists():
        return f"{folder} is not there yet; `inscape init` or the first `inscape add` makes it"
    from tempfile import NamedTemporaryFile

    with NamedTemporaryFile(dir=folder, prefix=".doctor-"):
        files = list((folder / "owners").glob("*.sqlite"))
    size = sum(file.stat().st_size for file in files)
    return f"{folder} can be written; {counted(len(files), 'store file')}, {size / 1e6:,.1f} MB"


def _settings_found(folder: Path, settings: list[Settings]) -> str:
    from inscape.settings import read_settings

    path = folder / "inscape.toml"
    settings.append(read_settings(path))
    return f"{path} is in order" if path.exists() else "defaults, no inscape.toml"


def _model_found(name: str) -> str:
    from inscape.assemble import embedding_model

    model = embedding_model(name)
    embedding = model.embed(_PROBE)
    tokens = f"{len(embedding.tokens)} token vectors" if len(embedding.tokens) else "no token vectors"
    return f"{model.name}, {model.dimension} dimensions, recipe {model.recipe}; embeds ({tokens})"


def _probe_found(folder: Path, settings: Settings) -> str:
    """Store and find a sentence in a new store on the same disk. Raises OSError, StorageError, ModelError."""
    from tempfile import TemporaryDirectory

    from inscape.memory import Memory

    with (
        TemporaryDirectory(dir=folder, prefix=".doctor-") as apart,
        Memory(apart, settings=settings) as memory,
    ):
        memory.add(_PROBE, user_id="probe")
        found = memory.search(_QUESTION, user_id="probe")["results"]
    if not found or found[0]["memory"] != _PROBE:
        raise OSError("a sentence was stored and could not be found again")
    return "a sentence was stored, found again, and removed"


def _store_checks(folder: Path) -> Iterator[Check]:
    from sqlite3 import sqlite_version

    from inscape.memory import Memory

    try:
        memory = Memory(folder)
    except InscapeError as error:
        yield Check(name="store", ok=False, found=str(error), code=code_of(error))
        return
    with memory:
        yield _tried("store", lambda: f"opens, SQLite {sqlite_version}, {counted(len(memory.users()), 'user')}")
        yield from _owner_checks(memory)
        for problem in memory.check():
            yield Check(name="files", ok=False, found=problem, code=STORE)


def _owner_checks(memory: Memory) -> Iterator[Check]:
    """Every owner's store is opened as a search would open it."""
    try:
        users = memory.users()
    except InscapeError:
        return
    wrong = 0
    for user in users:
        check = _tried(f"store of {user}", lambda user=user: str(len(memory.get_all(user_id=user, limit=1)["results"])))
        if not check.ok:
            wrong += 1
            if wrong <= _MOST_SHOWN:
                yield check
    if wrong > _MOST_SHOWN:
        yield Check(name="stores", ok=False, found=f"{wrong - _MOST_SHOWN:,} more cannot be opened", code=STORE)


def _nearest(folder: Path) -> Path:
    """The folder in which a folder would be made."""
    return next(parent for parent in (folder, *folder.absolute().parents) if parent.is_dir())
