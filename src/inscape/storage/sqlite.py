"""The embedded store: one SQLite file an owner."""

from __future__ import annotations

import json
import threading
import weakref
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

from inscape.algorithms.ranking import Candidates
from inscape.errors import StorageError, StoreBusy, UnknownId
from inscape.ports import Floats, Indexed, Indexing
from inscape.records import Change, Changes, Erasure, Filter, Known, Message, Note, Receipt, Refused, Turn
from inscape.storage import writing
from inscape.storage.candidates import chosen
from inscape.storage.claim import check_hash, claimed, recipe_mismatch
from inscape.storage.connect import opened, remove, transaction, translated
from inscape.storage.erase import erased, swept
from inscape.storage.index import Index
from inscape.storage.reindex import reindexed
from inscape.storage.rows import TURN, condition_of, micros, moment, notes_where, number_of, turn_from

_FRESH = {"change": -1, "removal": -1, "rebuild": -1}
_ANY_ROW = 1 << 62


class SqliteStore:
    """Keeps the promises of `ports.Store` for one owner in one file."""

    def __init__(
        self,
        path: Path,
        *,
        indexing: Indexing,
        now: Callable[[], datetime],
        silent_hours: float,
        owner: str,
        tenant: str,
        make: bool,
        check_recipe: bool = True,
    ) -> None:
        """`make` the file where it is missing. `check_recipe`: False opens a store of any embedding recipe, to
        read it or to reindex it. Raises StorageError and its kinds."""
        self.path = path
        self._indexing = indexing
        self._now = now
        self._silence = timedelta(hours=silent_hours) // timedelta(microseconds=1)
        self._lock = threading.RLock()
        self._connection = opened(path, kind="owner", make=make)
        self._closing = weakref.finalize(self, self._connection.close)
        self._check_recipe = check_recipe
        self.is_erased = False
        """Whether the owner is being erased: all that is left to do with the store is `destroy`."""
        try:
            with transaction(self._connection, self.path):
                self._recipe, numbers = claimed(self._connection, indexing, owner=owner, tenant=tenant)
                self.is_erased = bool(numbers.get("erased"))
                if check_recipe and not self.is_erased:
                    check_hash(self._connection, indexing)
            if numbers.get("unswept") and not self.is_erased:
                with suppress(StoreBusy):
                    self._swept([])
        except BaseException:
            self._closing()
            raise
        self._reset_index()

    @property
    def change_number(self) -> int:
        with self._reading() as numbers:
            return numbers.get("change", 0)

    @property
    def owner(self) -> tuple[str, str]:
        """Tenant and user."""
        with self._reading():
            found = dict(self._connection.execute("SELECT name, value FROM meta WHERE name IN ('tenant', 'owner')"))
        return found["tenant"], found["owner"]

    def append(self, messages: Sequence[Message], indexed: Sequence[Indexed | None]) -> Receipt:
        stored: list[str] = []
        known: list[Known] = []
        refused: list[Refused] = []
        change: int | None = None
        with self._writing() as numbers:
            first_new = row = numbers.get("next_row", 1)
            added_at = micros(self._now())
            for place, (message, found_by) in enumerate(zip(messages, indexed, strict=True)):
                earlier = writing.earlier_turn(self._connection, message, before=first_new)
                if earlier is None and found_by is None:
                    refused.append(
                        Refused(index=place, reason="It was erased while it was added again. Add it once more.")
                    )
                elif earlier is None and found_by is not None:
                    if change is None:
                        change = writing.new_change(self._connection, verb="add", author="import", made_at=added_at)
                    writing.insert_turn(
                        self._connection, row, message, found_by,
                        recipe=self._recipe, change=change, added_at=added_at, silence=self._silence,
                    )  # fmt: skip
                    stored.append(f"t{row}")
                    row += 1
                elif earlier is not None and earlier[1] is None:
                    refused.append(Refused(index=place, reason=_other_text(message, earlier[0])))
                elif earlier is not None and earlier[1] is not None:
                    known.append(Known(index=place, turn_id=f"t{earlier[0]}", advice=earlier[1]))
            if change is not None:
                writing.set_number(self._connection, "next_row", row)
                writing.raise_number(self._connection, "change")
        return Receipt(stored=tuple(stored), known=tuple(known), refused=tuple(refused), change_id=change)

    def known(self, messages: Sequence[Message]) -> list[str | None]:
        with self._reading():
            found = [writing.earlier_turn(self._connection, message, before=_ANY_ROW) for message in messages]
        return [f"t{held[0]}" if held is not None and held[1] is not None else None for held in found]

    def end_session(self, session_id: str) -> bool:
        with self._writing():
            ended = self._connection.execute(
                "UPDATE session SET ended_by = 'caller' WHERE name = ? AND ifnull(ended_by, 'next') = 'next'",
                (session_id,),
            ).rowcount
            if ended:
                writing.raise_number(self._connection, "change")
        return ended > 0

    def apply(self, changes: Changes, indexed: Sequence[Indexed] = ()) -> Change:
        with self._writing() as numbers:
            made_at = micros(self._now())
            change = writing.new_change(self._connection, verb=changes.verb, author=changes.author, made_at=made_at)
            for id in changes.set_aside_turns:
                self._connection.execute(
                    "UPDATE turn SET set_aside_by = ? WHERE row = ? AND set_aside_by IS NULL",
                    (change, self._number(id, "t")),
                )
            for id in changes.restore_turns:
                self._connection.execute("UPDATE turn SET set_aside_by = NULL WHERE row = ?", (self._number(id, "t"),))
            for id in changes.close_notes:
                writing.close_note(self._connection, self._number(id, "n"), change=change, at=made_at)
            row = numbers.get("next_row", 1)
            written: list[int] = []
            for note, found_by in zip(changes.notes, indexed, strict=True):
                for source in note.sources:
                    self._number(source.turn_id, "t")
                written.append(
                    writing.insert_note(
                        self._connection,
                        row,
                        note,
                        found_by,
                        recipe=self._recipe,
                        change=change,
                        made_at=made_at,
                    )
                )
                row += 1
            writing.set_number(self._connection, "next_row", row)
            writing.raise_number(self._connection, "change", "removal")
        return Change(
            id=change,
            verb=changes.verb,
            author=changes.author,
            made_at=moment(made_at),
            note_ids=tuple(f"n{number}" for number in written),
        )

    def candidates(self, *, terms: Sequence[str], vector: Floats, limit: int, within: Filter) -> Candidates:
        with self._reading() as numbers:
            self._follow(numbers)
            return chosen(self._connection, self._index, terms=terms, vector=vector, limit=limit, within=within)

    def records(self, ids: Sequence[str]) -> list[Turn | Note]:
        with self._reading():
            return [self._record(id) for id in ids]

    def living(self, within: Filter, *, limit: int | None = None) -> Iterator[Turn | Note]:
        condition, values = condition_of(within)
        page = f"{TURN} WHERE turn.set_aside_by IS NULL AND turn.row > ? AND {condition} ORDER BY turn.row LIMIT ?"
        left = _ANY_ROW if limit is None else limit
        last = 0
        while left > 0:
            size = min(500, left)
            with self._reading():
                rows = self._connection.execute(page, (last, *values, size)).fetchall()
            yield from map(turn_from, rows)
            left -= len(rows)
            if len(rows) < size:
                break
            last = rows[-1][0]
        if left > 0:
            rows_passing = f"SELECT turn.row {TURN[TURN.index('FROM turn') :]} WHERE {condition}"
            first_turn = "(SELECT min(turn) FROM source WHERE source.note = note.row)"
            with self._reading():
                notes = notes_where(
                    self._connection, f"note.closed_by IS NULL AND {first_turn} IN ({rows_passing})", values
                )
            yield from notes[:left]

    def set_aside(self, within: Filter) -> Iterator[Turn]:
        condition, values = condition_of(within)
        with self._reading():
            rows = self._connection.execute(
                f"{TURN} WHERE turn.set_aside_by IS NOT NULL AND {condition} ORDER BY turn.row", values
            ).fetchall()
        yield from map(turn_from, rows)

    def turns_of_session(self, session_id: str) -> list[str]:
        query = "SELECT turn.row FROM turn JOIN session ON session.id = turn.session WHERE session.name = ? ORDER BY 1"
        with self._reading():
            return [f"t{row}" for (row,) in self._connection.execute(query, (session_id,))]

    def resting_on(self, turn_ids: Sequence[str]) -> list[Note]:
        rows = json.dumps([int(id[1:]) for id in turn_ids])
        alone = (
            "note.closed_by IS NULL AND note.row IN (SELECT note FROM source GROUP BY note "
            "HAVING sum(turn NOT IN (SELECT value FROM json_each(?))) = 0)"
        )
        with self._reading():
            return notes_where(self._connection, alone, (rows,)) if turn_ids else []

    def history(self, id: str) -> list[tuple[Change, Turn | Note]]:
        with self._reading():
            record = self._record(id)
            if isinstance(record, Turn):
                return [
                    (self._change(change), record)
                    for change in (record.change_id, record.set_aside_by)
                    if change is not None
                ]
            versions = notes_where(self._connection, "note.number = ?", (int(record.id[1:]),))
            found: list[tuple[Change, Turn | Note]] = [(self._change(note.change_id), note) for note in versions]
            closed_by = versions[-1].closed_by
            if closed_by is not None:
                found.append((self._change(closed_by), versions[-1]))
            return found

    def erase(self, turn_ids: Sequence[str], *, checks: Sequence[str] = ()) -> Erasure:
        with self._lock:
            with self._writing():
                rows = [self._number(id, "t") for id in turn_ids]
                texts, notes = erased(self._connection, rows)
                writing.set_number(self._connection, "unswept", 1)
                writing.raise_number(self._connection, "change", "rebuild")
            self._reset_index()
            checked = self._swept([*texts, *checks])
        return Erasure(
            id="",
            scope="turns",
            turns=len(set(rows)),
            notes=notes,
            made_at=self._now(),
            checked=tuple(checked),
        )

    def reindex(self, indexing: Indexing, *, progress: Callable[[int, int], None]) -> int:
        with self._lock, translated(self.path):
            done, self._recipe = reindexed(self._connection, self.path, indexing=indexing, progress=progress)
            self._indexing = indexing
            self._reset_index()
        return done

    def destroy(self) -> tuple[int, int]:
        """Erase everything and remove the file; how many turns and notes there were. Can be done again when it
        was interrupted."""
        with self._lock:
            with transaction(self._connection, self.path):
                turns, notes = self._connection.execute(
                    "SELECT (SELECT count(*) FROM turn), (SELECT count(*) FROM note)"
                ).fetchone()
                writing.set_number(self._connection, "erased", 1)
            with translated(self.path):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._closing()
            remove(self.path)
        return int(turns), int(notes)

    def close(self) -> None:
        with self._lock:
            self._closing()

    @contextmanager
    def _reading(self) -> Generator[dict[str, int]]:
        """One consistent view of the file, with its counters."""
        with self._lock, translated(self.path):
            self._connection.execute("BEGIN")
            try:
                numbers = writing.numbers(self._connection)
                self._check(numbers)
                yield numbers
            finally:
                self._connection.execute("COMMIT")

    @contextmanager
    def _writing(self) -> Generator[dict[str, int]]:
        """A write transaction, with the counters at its start."""
        with self._lock, transaction(self._connection, self.path):
            numbers = writing.numbers(self._connection)
            self._check(numbers)
            yield numbers

    def _check(self, numbers: dict[str, int]) -> None:
        if numbers.get("erased"):
            self.is_erased = True
            raise StorageError("This owner was erased by another process a moment ago. Try again.")
        if self._check_recipe and numbers.get("recipe") != self._recipe:
            raise recipe_mismatch(self._connection, self._indexing)

    def _swept(self, texts: Sequence[str]) -> list[str]:
        """Finish an erasure: leave nothing in the log and in free pages, and look for `texts`. Where it looked."""
        with translated(self.path):
            checked = swept(self._connection, self.path, texts)
        with transaction(self._connection, self.path):
            writing.set_number(self._connection, "unswept", 0)
        return checked

    def _reset_index(self) -> None:
        model = self._indexing.model
        self._index = Index(recipe=self._recipe, dimension=model.dimension, token_dimension=model.token_dimension)
        self._seen = dict(_FRESH)

    def _follow(self, numbers: dict[str, int]) -> None:
        now = {name: numbers.get(name, 0) for name in _FRESH}
        if now == self._seen:
            return
        if now["rebuild"] != self._seen["rebuild"]:
            self._reset_index()
        self._index.follow(self._connection, dead_changed=now["removal"] != self._seen["removal"])
        self._seen = now

    def _number(self, id: str, kind: str) -> int:
        found, number = number_of(id, self._connection)
        if found != kind:
            raise UnknownId(f"{id} is no {'turn' if kind == 't' else 'note'}.")
        return number

    def _record(self, id: str) -> Turn | Note:
        kind, number = number_of(id, self._connection)
        if kind == "t":
            return turn_from(self._connection.execute(f"{TURN} WHERE turn.row = ?", (number,)).fetchone())
        return notes_where(self._connection, "note.number = ?", (number,))[-1]

    def _change(self, id: int) -> Change:
        verb, author, made_at = self._connection.execute(
            "SELECT verb, author, made_at FROM change WHERE id = ?", (id,)
        ).fetchone()
        notes = self._connection.execute("SELECT DISTINCT number FROM note WHERE change_id = ?", (id,)).fetchall()
        return Change(
            id=id,
            verb=verb,
            author=author,
            made_at=moment(made_at),
            note_ids=tuple(f"n{n}" for (n,) in notes),
        )


def _other_text(message: Message, row: int) -> str:
    return (
        f"The id {message.message_id!r} belongs to t{row}, which says something else. Use another id, or "
        f'update("t{row}", ...) to correct it.'
    )
