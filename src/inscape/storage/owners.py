"""A folder of memories: one file an owner, named by chance, and the registry that knows whose it is."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from inscape.errors import NotAStore, StorageError, StoreUnwritable, UnknownId
from inscape.ports import Indexing
from inscape.records import Erasure
from inscape.storage.connect import integrity_problems, opened, remove, transaction, translated
from inscape.storage.rows import micros, moment
from inscape.storage.sqlite import SqliteStore


class SqliteOwners:
    """Keeps the promises of `ports.Owners` in one folder."""

    def __init__(
        self,
        folder: Path,
        *,
        indexing: Indexing,
        now: Callable[[], datetime],
        silent_hours: float,
        tenant: str,
        most_open: int,
    ) -> None:
        """Makes the folder if it is missing. Raises NotAStore, StoreUnwritable."""
        self.folder = folder
        self._indexing = indexing
        self._now = now
        self._silent_hours = silent_hours
        self._tenant = tenant
        self._most_open = most_open
        self._lock = threading.RLock()
        self._stores: weakref.WeakValueDictionary[str, SqliteStore] = weakref.WeakValueDictionary()
        self._recent: OrderedDict[str, SqliteStore] = OrderedDict()
        """Keeps stores open; one that is let go of closes when its last user is done with it."""
        try:
            (folder / "owners").mkdir(mode=0o700, parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise NotAStore(f"{folder} is a file. Give a folder for the memories.") from error
        except OSError as error:
            raise StoreUnwritable(f"{folder} cannot be made ({error.strerror}). Choose another folder.") from error
        self._registry_path = folder / "registry.sqlite"
        self._registry = opened(self._registry_path, kind="registry", make=True)
        self._closing = weakref.finalize(self, self._registry.close)
        try:
            self._key = self._read_key(folder / "registry.key")
        except BaseException:
            self._closing()
            raise

    def open(self, owner: str) -> SqliteStore:
        with self._lock:
            found = self.find(owner)
            if found is not None:
                return found
            with transaction(self._registry, self._registry_path):
                file = self._file_of(owner)
                if file is None or not self._path(file).exists():
                    file = f"{secrets.token_hex(16)}.sqlite"
                    self._registry.execute(
                        "INSERT OR REPLACE INTO owner (key, file, created_at) VALUES (?, ?, ?)",
                        (self._hashed(owner), file, micros(self._now())),
                    )
            return self._made(file, owner) or self.open(owner)

    def _made(self, file: str, owner: str) -> SqliteStore | None:
        """The store of an entry that is safe on disk, so that no file is ever without one; None where another
        process erased the entry since."""
        with transaction(self._registry, self._registry_path):
            if self._file_of(owner) != file:
                return None
            is_new = not self._path(file).exists()
            try:
                return self._store(file, owner, make=True)
            except BaseException:
                if is_new:
                    remove(self._path(file))
                raise

    def find(self, owner: str) -> SqliteStore | None:
        with self._lock:
            file = self._file_of(owner)
            if file is None or not self._path(file).exists():
                return None
            try:
                store = self._store(file, owner, make=False)
            except StoreUnwritable:
                if self._path(file).exists():
                    raise
                return None
            if store.is_erased:
                self._destroy(file, owner)
                return None
            return store

    def names(self) -> list[str]:
        with self._lock, translated(self._registry_path):
            files = [file for (file,) in self._registry.execute("SELECT file FROM owner")]
        found: list[str] = []
        for file in files:
            path = self._path(file)
            if not path.exists():
                continue
            connection = opened(path, kind="owner", make=False)
            try:
                with translated(path):
                    meta = dict(
                        connection.execute(
                            "SELECT name, value FROM meta WHERE name IN ('tenant', 'owner', 'erased')"
                        ).fetchall()
                    )
            finally:
                connection.close()
            if meta.get("tenant") == self._tenant and "erased" not in meta:
                found.append(meta["owner"])
        return sorted(found)

    def reindex(self, owner: str, *, progress: Callable[[int, int], None]) -> int:
        with self._lock:
            file = self._file_of(owner)
            if file is None or not self._path(file).exists():
                raise UnknownId(f"Nothing is kept of {owner!r}.")
            store = self._opened(file, owner, make=False, check_recipe=False)
        try:
            return store.reindex(self._indexing, progress=progress)
        finally:
            store.close()

    def erase(self, owner: str) -> Erasure:
        with self._lock:
            file = self._file_of(owner)
            if file is None:
                raise UnknownId(f"Nothing is kept of {owner!r}.")
            turns, notes = self._destroy(file, owner)
            erasure = Erasure(
                id="",
                scope="owner",
                turns=turns,
                notes=notes,
                made_at=self._now(),
                checked=(
                    "the owner's file is removed",
                    "its write-ahead log is removed",
                    "the registry's entry is removed",
                ),
            )
            return self.keep(erasure)

    def check(self) -> list[str]:
        with self._lock, translated(self._registry_path):
            files = [file for (file,) in self._registry.execute("SELECT file FROM owner ORDER BY file")]
        problems = [f"{self._registry_path.name}: {problem}" for problem in integrity_problems(self._registry)]
        for file in files:
            try:
                connection = opened(self._path(file), kind="owner", make=False)
            except StorageError as error:
                problems.append(f"{file}: {error}")
                continue
            problems += [f"{file}: {problem}" for problem in integrity_problems(connection)]
            if connection.execute("SELECT 1 FROM meta WHERE name = 'unswept' AND value != '0'").fetchone():
                problems.append(
                    f"{file}: an erasure could not empty the log, since another process was reading it. Close that "
                    "process; the next program that opens the owner finishes the erasure."
                )
            connection.close()
        return problems

    def keep(self, erasure: Erasure) -> Erasure:
        kept = replace(erasure, id=f"e{secrets.token_hex(6)}")
        with self._lock, transaction(self._registry, self._registry_path):
            self._registry.execute(
                "INSERT INTO erasure (id, scope, turns, notes, made_at, checked) VALUES (?, ?, ?, ?, ?, ?)",
                (kept.id, kept.scope, kept.turns, kept.notes, micros(kept.made_at), json.dumps(kept.checked)),
            )
        return kept

    def erasures(self) -> list[Erasure]:
        with self._lock, translated(self._registry_path):
            rows = self._registry.execute(
                "SELECT id, scope, turns, notes, made_at, checked FROM erasure ORDER BY made_at"
            ).fetchall()
        return [
            Erasure(
                id=id,
                scope=scope,
                turns=turns,
                notes=notes,
                made_at=moment(at),
                checked=tuple(json.loads(checked)),
            )
            for id, scope, turns, notes, at, checked in rows
        ]

    def close(self) -> None:
        with self._lock:
            for store in list(self._stores.values()):
                store.close()
            self._stores.clear()
            self._recent.clear()
            self._closing()

    def _hashed(self, owner: str) -> bytes:
        """Keyed, so that a registry without its key file names nobody."""
        name = json.dumps([self._tenant, owner]).encode()
        return hmac.new(self._key, name, hashlib.sha256).digest()

    def _file_of(self, owner: str) -> str | None:
        with translated(self._registry_path):
            found = self._registry.execute("SELECT file FROM owner WHERE key = ?", (self._hashed(owner),)).fetchone()
        return None if found is None else str(found[0])

    def _path(self, file: str) -> Path:
        return self.folder / "owners" / file

    def _store(self, file: str, owner: str, *, make: bool) -> SqliteStore:
        store = self._stores.get(file)
        if store is None:
            store = self._opened(file, owner, make=make, check_recipe=True)
            self._stores[file] = store
        self._recent[file] = store
        self._recent.move_to_end(file)
        while len(self._recent) > self._most_open:
            self._recent.popitem(last=False)
        return store

    def _destroy(self, file: str, owner: str) -> tuple[int, int]:
        """Remove an owner's file and entry; how many turns and notes there were. No other process makes the
        owner anew in between, since that needs the registry too."""
        with transaction(self._registry, self._registry_path):
            self._stores.pop(file, None)
            self._recent.pop(file, None)
            path = self._path(file)
            turns = notes = 0
            if path.exists():
                try:
                    turns, notes = self._opened(file, owner, make=False, check_recipe=False).destroy()
                except NotAStore:
                    remove(path)
            self._registry.execute("DELETE FROM owner WHERE key = ? AND file = ?", (self._hashed(owner), file))
        return turns, notes

    def _opened(self, file: str, owner: str, *, make: bool, check_recipe: bool) -> SqliteStore:
        return SqliteStore(
            self._path(file),
            indexing=self._indexing,
            now=self._now,
            silent_hours=self._silent_hours,
            owner=owner,
            tenant=self._tenant,
            make=make,
            check_recipe=check_recipe,
        )

    def _read_key(self, path: Path) -> bytes:
        """The folder's key, made and safe on disk before the first owner is. Raises NotAStore, StoreUnwritable."""
        try:
            if not path.exists():
                with transaction(self._registry, self._registry_path):
                    if not path.exists():
                        self._make_key(path)
            return path.read_bytes()
        except OSError as error:
            raise StoreUnwritable(
                f"{path} cannot be made or read ({error.strerror}). Check the folder's permissions."
            ) from error

    def _make_key(self, path: Path) -> None:
        if self._registry.execute("SELECT count(*) FROM owner").fetchone()[0]:
            raise NotAStore(
                f"{path} is missing, and without it nobody's memories in {self.folder} can be found. Restore it "
                "from a copy of the folder."
            )
        fresh = path.with_name(f"{path.name}.new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(secrets.token_bytes(32))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
