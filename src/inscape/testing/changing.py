"""What a store promises about changes, history and sessions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from inscape.errors import UnknownId
from inscape.ports import Store
from inscape.records import Change, Changes, NewNote, Note, Source
from inscape.testing.base import INDEXING, StoreTests, everything, found, holding, living, stretches, texts
from inscape.testing.doubles import Clock, keep, said

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


class ChangingTests(StoreTests):
    """`apply`, `history`, `resting_on`."""

    def test_a_turn_set_aside_is_off_every_path_and_still_on_record(self, store: Store) -> None:
        keep(store, "tea", "chess", "violin")
        change = store.apply(Changes(verb="delete", author="person", set_aside_turns=("t2",)))
        assert living(store) == ["tea", "violin"]
        assert found(store, words="chess", like="chess") == ["t1", "t3"]
        (turn,) = store.records(["t2"])
        assert not isinstance(turn, Note)
        assert turn.set_aside_by == change.id
        assert [step.verb for step, _ in store.history("t2")] == ["add", "delete"]

    def test_a_turn_set_aside_leaves_its_neighbours_side_by_side(self, store: Store) -> None:
        keep(store, "tea", "chess", "violin")
        store.apply(Changes(verb="delete", author="person", set_aside_turns=("t2",)))
        chosen = everything(store)
        ids = [chosen.id_of(row) for row in range(len(chosen.numbers))]
        assert ids[chosen.links.after[ids.index("t1")]] == "t3"

    def test_a_turn_restored_is_back_on_every_path(self, store: Store) -> None:
        keep(store, "tea", "chess")
        store.apply(Changes(verb="delete", author="person", set_aside_turns=("t2",)))
        assert found(store, words="chess") == ["t1"]
        store.apply(Changes(verb="undo", author="person", restore_turns=("t2",)))
        assert living(store) == ["tea", "chess"]
        assert holding(store, "chess") == ["t2"]

    def test_a_note_is_written_with_what_it_rests_on(self, store: Store, clock: Clock) -> None:
        keep(store, "tea", "chess")
        change = written(store, note("Ana drinks tea.", "t1", "t2"))
        (kept,) = store.records(change.note_ids)
        assert isinstance(kept, Note)
        assert (kept.text, kept.turn_ids, kept.version, kept.change_id) == (
            "Ana drinks tea.",
            ("t1", "t2"),
            1,
            change.id,
        )
        assert (kept.believed_from, kept.believed_to, kept.closed_by) == (clock.at, None, None)
        assert (kept.subject, kept.kind, kept.author, kept.confidence) == ("ana", "fact", "rule", 1.0)
        assert living(store) == ["tea", "chess", "Ana drinks tea."]
        assert holding(store, "drinks") == [kept.id]

    def test_a_note_closed_is_off_every_path_and_still_on_record(self, store: Store, clock: Clock) -> None:
        keep(store, "tea")
        (id,) = written(store, note("Ana drinks tea.", "t1")).note_ids
        clock.move(hours=1)
        change = store.apply(Changes(verb="delete", author="person", close_notes=(id,)))
        assert living(store) == ["tea"]
        assert found(store, words="drinks") == ["t1"]
        (kept,) = store.records([id])
        assert isinstance(kept, Note)
        assert (kept.closed_by, kept.believed_to) == (change.id, clock.at)
        assert [step.verb for step, _ in store.history(id)] == ["update", "delete"]

    def test_a_new_version_takes_the_place_of_the_old_one(self, store: Store, clock: Clock) -> None:
        keep(store, "tea")
        (id,) = written(store, note("Ana drinks tea.", "t1")).note_ids
        clock.move(hours=1)
        change = written(store, note("Ana drinks cocoa.", "t1", revises=id))
        assert change.note_ids == (id,)
        (kept,) = store.records([id])
        assert isinstance(kept, Note)
        assert (kept.text, kept.version) == ("Ana drinks cocoa.", 2)
        assert living(store) == ["tea", "Ana drinks cocoa."]
        assert holding(store, "drinks") == [id]
        past = store.history(id)
        assert texts([record for _, record in past]) == ["Ana drinks tea.", "Ana drinks cocoa."]
        first = past[0][1]
        assert isinstance(first, Note)
        assert (first.closed_by, first.believed_to) == (change.id, clock.at)

    def test_notes_that_rest_on_these_turns_alone(self, store: Store) -> None:
        keep(store, "tea", "chess", "violin")
        (alone,) = written(store, note("Tea.", "t1")).note_ids
        (both,) = written(store, note("Tea and chess.", "t1", "t2")).note_ids
        (closed,) = written(store, note("Old tea.", "t1")).note_ids
        store.apply(Changes(verb="delete", author="person", close_notes=(closed,)))
        assert [kept.id for kept in store.resting_on(["t1"])] == [alone]
        assert [kept.id for kept in store.resting_on(["t1", "t2"])] == [alone, both]
        assert store.resting_on(["t3"]) == store.resting_on([]) == []

    @pytest.mark.parametrize(
        "broken",
        [
            Changes(verb="delete", author="person", set_aside_turns=("t1", "t9")),
            Changes(verb="delete", author="person", set_aside_turns=("t1",), close_notes=("n9",)),
            Changes(verb="delete", author="person", set_aside_turns=("t1",), close_notes=("t1",)),
            Changes(verb="undo", author="person", set_aside_turns=("t1",), restore_turns=("t9",)),
        ],
        ids=["turn", "note", "a turn is no note", "restored"],
    )
    def test_changes_that_name_an_unknown_id_change_nothing(self, store: Store, broken: Changes) -> None:
        keep(store, "tea")
        before = store.change_number
        with pytest.raises(UnknownId):
            store.apply(broken)
        assert living(store) == ["tea"]
        assert store.change_number == before

    def test_a_note_on_an_unknown_turn_or_version_changes_nothing(self, store: Store) -> None:
        keep(store, "tea")
        for broken in (note("Tea.", "t9"), note("Tea.", "t1", revises="n9")):
            with pytest.raises(UnknownId):
                written(store, note("Good.", "t1"), broken)
        assert living(store) == ["tea"]

    def test_history_of_an_unknown_id_is_an_error(self, store: Store) -> None:
        with pytest.raises(UnknownId):
            store.history("t1")

    def test_changes_are_numbered_upwards_and_dated_by_the_clock(self, store: Store, clock: Clock) -> None:
        first = keep(store, "tea").change_id
        clock.move(hours=1)
        change = store.apply(Changes(verb="delete", author="person", set_aside_turns=("t1",)))
        assert first is not None
        assert change.id > first
        assert (change.made_at, change.verb, change.author) == (clock.at, "delete", "person")


class SessionTests(StoreTests):
    """When a session ends: told to, by the next one of that agent, or by six silent hours."""

    def test_turns_of_a_session_are_one_stretch(self, store: Store) -> None:
        keep(store, said("1", said_at=NOON), said("2", said_at=NOON + 6 * HOUR))
        keep(store, said("3", said_at=NOON + 12 * HOUR))
        assert stretches(store) == [0, 0, 0]

    def test_six_silent_hours_end_it(self, store: Store) -> None:
        keep(store, said("1", said_at=NOON), said("2", said_at=NOON + 6 * HOUR + timedelta(seconds=1)))
        assert stretches(store) == [0, 1]
        assert store.turns_of_session("default") == ["t1", "t2"]

    def test_silence_is_measured_on_the_clock_where_nobody_said_when(self, store: Store, clock: Clock) -> None:
        keep(store, "1")
        clock.move(hours=5)
        keep(store, "2")
        clock.move(hours=7)
        keep(store, "3")
        assert stretches(store) == [0, 0, 1]

    def test_ending_it_starts_a_new_stretch(self, store: Store) -> None:
        keep(store, said("1", said_at=NOON))
        assert store.end_session("default")
        assert not store.end_session("default")
        assert not store.end_session("no such session")
        keep(store, said("2", said_at=NOON + HOUR))
        assert stretches(store) == [0, 1]

    def test_the_next_session_of_the_same_agent_ends_it(self, store: Store) -> None:
        keep(store, said("1", said_at=NOON, session_id="a"), said("2", said_at=NOON + HOUR, session_id="b"))
        keep(store, said("3", said_at=NOON + 8 * HOUR, session_id="a"))
        assert stretches(store) == [0, 1, 2]

    def test_sessions_told_in_turns_go_on_within_six_hours(self, store: Store) -> None:
        keep(
            store,
            said("1", said_at=NOON, session_id="a"),
            said("2", said_at=NOON + HOUR, session_id="b"),
            said("3", said_at=NOON + 2 * HOUR, session_id="a"),
            said("4", said_at=NOON + 3 * HOUR, session_id="b"),
        )
        assert stretches(store) == [0, 1, 0, 1]

    def test_another_agents_session_ends_nothing(self, store: Store) -> None:
        keep(
            store,
            said("1", said_at=NOON, session_id="a", agent_id="cook"),
            said("2", said_at=NOON, session_id="a", agent_id="coach"),
            said("3", said_at=NOON + 5 * HOUR, session_id="a", agent_id="cook"),
        )
        assert stretches(store) == [0, 1, 0]

    def test_turns_of_an_unknown_session_are_none(self, store: Store) -> None:
        keep(store, "1")
        assert store.turns_of_session("no such session") == []

    def test_turns_of_a_session_are_listed_whether_they_live_or_not(self, store: Store) -> None:
        keep(store, "1", said("2", session_id="other"), "3")
        store.apply(Changes(verb="delete", author="person", set_aside_turns=("t1",)))
        assert store.turns_of_session("default") == ["t1", "t3"]


def note(text: str, *turn_ids: str, revises: str | None = None) -> NewNote:
    """A fact about Ana that rests on the first character of each turn."""
    sources = tuple(Source(turn_id=id, start=0, end=1) for id in turn_ids)
    return NewNote(text=text, subject="ana", kind="fact", sources=sources, revises=revises)


def written(store: Store, *notes: NewNote) -> Change:
    """Notes written in one change."""
    changes = Changes(verb="update", author="person", notes=notes)
    return store.apply(changes, [INDEXING.indexed(note) for note in notes])
