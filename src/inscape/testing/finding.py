"""What a store promises about candidates and filters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from inscape.ports import Store
from inscape.records import Changes, Filter
from inscape.testing.base import StoreTests, everything, found, holding, living, nearest
from inscape.testing.changing import note, written
from inscape.testing.doubles import keep, said

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)

FILTERS: dict[str, tuple[Filter, list[int]]] = {
    "speaker": (Filter(speaker="ben"), [2, 5]),
    "speaker in another case": (Filter(speaker="BEN"), [2, 5]),
    "session": (Filter(session_id="trip"), [3, 4]),
    "agent": (Filter(agent_id="cook"), [4]),
    "run": (Filter(run_id="r1"), [5]),
    "role": (Filter(role="assistant"), [6]),
    "since, included": (Filter(since=NOON + DAY), [2, 3, 4, 5, 6]),
    "until, included": (Filter(until=NOON + DAY), [1, 2]),
    "a window of one moment": (Filter(since=NOON + DAY, until=NOON + DAY), [2]),
    "two at once": (Filter(speaker="ben", run_id="r1"), [5]),
    "nobody": (Filter(speaker="eva"), []),
    "a word": (Filter(metadata={"topic": "food"}), [1, 2]),
    "a number": (Filter(metadata={"stars": 5}), [3]),
    "a number is not its text": (Filter(metadata={"stars": "5"}), [4]),
    "true": (Filter(metadata={"stars": True}), [5]),
    "null": (Filter(metadata={"stars": None}), [6]),
    "a list": (Filter(metadata={"tags": ["a", "ü"]}), [2]),
    "a mapping": (Filter(metadata={"place": {"city": "Zürich"}}), [3]),
    "an odd key": (Filter(metadata={'k."ü': 1}), [4]),
    "two keys": (Filter(metadata={"topic": "food", "tags": ["a", "ü"]}), [2]),
    "an absent key": (Filter(metadata={"colour": "red"}), []),
}


class FindingTests(StoreTests):
    """`candidates` and the filters of `living`."""

    def fill(self, store: Store) -> None:
        """Six turns, each of which differs from the others in something that one can ask for."""
        keep(
            store,
            said("tea", said_at=NOON, metadata={"topic": "food"}),
            said("tea", said_at=NOON + DAY, speaker="ben", metadata={"topic": "food", "tags": ["a", "ü"]}),
            said("tea", said_at=NOON + 2 * DAY, session_id="trip",
                 metadata={"stars": 5, "place": {"city": "Zürich"}}),
            said("tea", said_at=NOON + 3 * DAY, session_id="trip", agent_id="cook",
                 metadata={"stars": "5", 'k."ü': 1}),
            said("tea", said_at=NOON + 4 * DAY, speaker="ben", run_id="r1", metadata={"stars": True}),
            said("tea", said_at=NOON + 5 * DAY, speaker="bot", role="assistant", metadata={"stars": None}),
        )  # fmt: skip

    @pytest.mark.parametrize("name", FILTERS)
    def test_a_filter_lets_through_what_it_names(self, store: Store, name: str) -> None:
        self.fill(store)
        within, numbers = FILTERS[name]
        wanted = [f"t{number}" for number in numbers]
        assert [record.id for record in store.living(within)] == wanted
        assert found(store, words="tea", within=within) == wanted
        assert found(store, within=within) == wanted

    def test_a_turn_without_a_time_counts_by_when_it_was_added(self, store: Store) -> None:
        keep(store, "tea")
        assert living(store, Filter(since=NOON)) == ["tea"]
        assert living(store, Filter(since=NOON + DAY)) == []

    def test_a_note_passes_by_its_first_turn(self, store: Store) -> None:
        keep(store, "tea", said("coffee", speaker="ben"))
        written(store, note("Both drink.", "t2", "t1"))
        assert [record.id for record in store.living(Filter(speaker="ana"))] == ["t1", "n3"]
        assert [record.id for record in store.living(Filter(speaker="ben"))] == ["t2"]
        assert found(store, within=Filter(speaker="ana")) == ["t1", "n3"]

    def test_candidates_by_words(self, store: Store) -> None:
        keep(store, *(f"filler number {n}" for n in range(40)), "The violin is in Cremona", "We play chess")
        assert found(store, words="Where is the violin?", limit=2) == ["t41"]

    def test_candidates_by_meaning(self, store: Store) -> None:
        keep(store, *(f"filler number {n}" for n in range(40)), "The violin is in Cremona", "We play chess")
        assert nearest(store, "violin Cremona") == "t41"

    def test_no_more_candidates_than_the_limit(self, store: Store) -> None:
        keep(store, *(f"tea number {n}" for n in range(60)))
        assert len(found(store, words="tea", like="tea", limit=10)) <= 10
        assert len(found(store, words="tea", like="tea", limit=60)) == 60

    def test_neighbours_lend_context_without_being_candidates(self, store: Store) -> None:
        keep(store, *(f"filler number {n}" for n in range(40)), "The violin is in Cremona", "That is far")
        chosen = everything(store, words="violin", limit=2)
        ids = [chosen.id_of(row) for row in range(len(chosen.numbers))]
        place = ids.index("t41")
        assert ids[chosen.links.after[place]] == "t42"
        assert ids[chosen.links.before[place]] == "t40"
        assert not chosen.eligible[ids.index("t42")]

    def test_what_is_written_later_is_a_candidate_at_once(self, store: Store) -> None:
        for n in range(30):
            keep(store, f"filler nr{n}")
            assert holding(store, f"nr{n}") == [f"t{n + 1}"]

    def test_frequencies_count_living_records_only(self, store: Store) -> None:
        keep(store, "tea", "tea and cake", "chess")
        store.apply(Changes(verb="delete", author="person", set_aside_turns=("t1",)))
        chosen = everything(store, words="tea chess unheard")
        assert chosen.df.tolist() == [1, 1, 0]
        assert chosen.total == 2

    def test_an_empty_store_has_no_candidates(self, store: Store) -> None:
        assert found(store, words="tea", like="tea") == []
