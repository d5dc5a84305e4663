"""What a store and its owners promise about erasure: nothing is left, in any place."""

from __future__ import annotations

from pathlib import Path

import pytest

from inscape.errors import StorageError, UnknownId
from inscape.ports import Owners, Store
from inscape.records import Changes
from inscape.testing.base import OpenPlace, StoreTests, everything, found, living
from inscape.testing.changing import note, written
from inscape.testing.doubles import Clock, keep, said

RARE = "The quagmire code is xylophone-77"
"""Words that stand nowhere else."""


class ErasingTests(StoreTests):
    """`erase` of turns and of owners."""

    def traces(self, folder: Path, *words: str) -> list[str]:
        """Which of the words are still on disk."""
        remains = self.remains(folder)
        return [word for word in words if word.encode() in remains]

    def test_an_erased_turn_is_in_no_place(self, store: Store, folder: Path) -> None:
        keep(
            store,
            "We play chess",
            said(RARE, speaker="Quentin", session_id="quarry", message_id="quirk-1", agent_id="quokka",
                 run_id="quiche", captions=("a quilted quail",), metadata={"where": "quicksand"}),
            "The violin is in Cremona",
        )  # fmt: skip
        words = ("xylophone", "quagmire", "Quentin", "quarry", "quirk-1", "quokka", "quiche", "quilt", "quicksand")
        assert self.traces(folder, *words) == list(words)
        erasure = store.erase(["t2"])
        assert (erasure.turns, erasure.notes) == (1, 0)
        assert erasure.checked
        assert self.traces(folder, *words) == []
        assert living(store) == ["We play chess", "The violin is in Cremona"]
        assert found(store, words="xylophone", like=RARE) == ["t1", "t3"]
        assert "Quentin" not in everything(store).speakers
        with pytest.raises(UnknownId):
            store.records(["t2"])
        with pytest.raises(UnknownId):
            store.history("t2")

    def test_a_turn_that_was_set_aside_is_erased_too(self, store: Store, folder: Path) -> None:
        keep(store, RARE, "chess")
        store.apply(Changes(verb="delete", author="person", set_aside_turns=("t1",)))
        store.erase(["t1"])
        assert self.traces(folder, "xylophone", "quagmire") == []

    def test_what_rests_on_it_alone_goes_with_every_version(self, store: Store, folder: Path) -> None:
        keep(store, "a turn", "another")
        (id,) = written(store, note(RARE, "t1")).note_ids
        written(store, note("The code was changed to zeppelin-9.", "t1", revises=id))
        erasure = store.erase(["t1"])
        assert erasure.notes == 2
        assert self.traces(folder, "xylophone", "zeppelin") == []
        assert living(store) == ["another"]
        with pytest.raises(UnknownId):
            store.records([id])

    def test_what_also_rests_on_other_turns_stays_without_it(self, store: Store) -> None:
        keep(store, "tea", "more tea")
        (id,) = written(store, note("Ana drinks tea.", "t1", "t2")).note_ids
        store.erase(["t1"])
        (kept,) = store.records([id])
        assert kept.text == "Ana drinks tea."
        assert getattr(kept, "turn_ids", None) == ("t2",)

    def test_a_further_text_that_others_still_say_is_no_trace(self, store: Store) -> None:
        keep(store, RARE, "the zeppelin-9 note that everybody keeps", "chess")
        store.erase(["t1"], checks=["the zeppelin-9 note that everybody keeps", "a text that never was here"])
        assert living(store) == ["the zeppelin-9 note that everybody keeps", "chess"]

    def test_a_word_that_others_still_say_is_no_trace(self, store: Store) -> None:
        keep(store, "kangaroo", "Kangaroo meat is what we eat", said("chess-club", session_id="chess-club"))
        keep(store, said("I was there", session_id="chess-club"))
        store.erase(["t1", "t3"])
        assert living(store) == ["Kangaroo meat is what we eat", "I was there"]

    def test_an_unknown_id_erases_nothing(self, store: Store) -> None:
        keep(store, "tea")
        with pytest.raises(UnknownId):
            store.erase(["t1", "t9"])
        assert living(store) == ["tea"]

    def test_erasing_frees_its_id_for_nobody(self, store: Store) -> None:
        keep(store, "tea", "chess")
        store.erase(["t2"])
        assert keep(store, "violin").stored == ("t3",)

    def test_what_was_erased_can_be_said_again(self, store: Store) -> None:
        keep(store, said("tea", message_id="m1"))
        store.erase(["t1"])
        assert len(keep(store, said("tea", message_id="m1")).stored) == 1

    def test_erasing_an_owner_leaves_nothing_of_that_owner_and_all_of_others(self, place: Owners, folder: Path) -> None:
        keep(place.open("quentin"), RARE, "second")
        keep(place.open("ben"), "Ben plays chess")
        erasure = place.erase("quentin")
        assert (erasure.scope, erasure.turns) == ("owner", 2)
        assert erasure.id
        assert erasure.checked
        assert self.traces(folder, "xylophone", "quagmire", "quentin", "second") == []
        assert place.find("quentin") is None
        assert place.names() == ["ben"]
        ben = place.find("ben")
        assert ben is not None
        assert living(ben) == ["Ben plays chess"]

    def test_an_erased_owner_can_begin_again(self, place: Owners) -> None:
        keep(place.open("ana"), RARE)
        place.erase("ana")
        assert living(place.open("ana")) == []
        keep(place.open("ana"), "I am back")
        assert living(place.open("ana")) == ["I am back"]

    def test_a_store_that_another_place_erased_says_so(self, place: Owners, open_place: OpenPlace) -> None:
        store = place.open("ana")
        keep(store, "tea")
        open_place().erase("ana")
        with pytest.raises(StorageError, match="erased"):
            keep(store, "chess")
        with pytest.raises(StorageError, match="erased"):
            living(store)
        assert place.find("ana") is None
        assert living(place.open("ana")) == []

    def test_erasing_an_unknown_owner_is_an_error(self, place: Owners) -> None:
        with pytest.raises(UnknownId):
            place.erase("nobody")
        assert place.erasures() == []

    def test_receipts_outlive_what_they_tell_of(self, place: Owners, open_place: OpenPlace, clock: Clock) -> None:
        store = place.open("ana")
        keep(store, RARE, "chess")
        first = place.keep(store.erase(["t1"]))
        clock.move(seconds=1)
        second = place.erase("ana")
        assert first.id != second.id
        assert open_place().erasures() == [first, second]

    def test_names_are_those_of_owners_that_are_kept(self, place: Owners, open_place: OpenPlace) -> None:
        assert place.names() == []
        assert place.find("zoë") is None
        for name in ("zoë", "ana"):
            place.open(name)
        assert place.names() == open_place().names() == ["ana", "zoë"]

    def test_owners_never_meet(self, place: Owners) -> None:
        ana, ben = place.open("ana"), place.open("ben")
        keep(ana, said("I live in Lisbon", message_id="m1"))
        keep(ben, said("I live in Lyon", message_id="m1"))
        assert (living(ana), living(ben)) == (["I live in Lisbon"], ["I live in Lyon"])
        assert everything(ben, words="Lisbon").df.tolist() == [0]
