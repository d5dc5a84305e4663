"""What a store promises to several threads and several openings of one place."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from inscape.ports import Store
from inscape.records import Changes
from inscape.testing.base import OpenPlace, StoreTests, everything, found, holding, living
from inscape.testing.doubles import keep


class SharingTests(StoreTests):
    """Each sees at its next call what the other wrote."""

    def test_two_stores_of_one_owner_see_each_others_writes(self, store: Store, open_place: OpenPlace) -> None:
        other = open_place().open("ana")
        keep(store, "tea", "chess")
        assert holding(other, "tea") == ["t1"]
        keep(other, "violin")
        assert holding(store, "violin") == ["t3"]
        assert keep(store, "violin").known[0].turn_id == "t3"
        assert store.change_number == other.change_number

    def test_what_one_takes_away_the_other_no_longer_finds(self, store: Store, open_place: OpenPlace) -> None:
        other = open_place().open("ana")
        keep(store, "tea", "chess", "violin")
        assert found(other, words="chess") == ["t1", "t2", "t3"]
        store.apply(Changes(verb="delete", author="person", set_aside_turns=("t2",)))
        assert found(other, words="chess") == ["t1", "t3"]
        store.erase(["t3"])
        assert found(other, words="violin") == ["t1"]
        assert everything(other, words="violin").df.tolist() == [0]

    def test_two_places_open_an_owner_at_once(self, open_place: OpenPlace) -> None:
        places = [open_place() for _ in range(4)]
        with ThreadPoolExecutor(4) as pool:
            opened = [future.result() for future in [pool.submit(place.open, "ana") for place in places]]
        keep(opened[0], "tea")
        assert [living(store) for store in opened] == [["tea"]] * 4

    def test_threads_may_share_a_store(self, store: Store) -> None:
        def work(number: int) -> None:
            (id,) = keep(store, f"topic{number} and tea").stored
            assert id in found(store, words=f"topic{number}")
            store.records([id])
            store.apply(Changes(verb="delete", author="person", set_aside_turns=(id,)))
            assert id not in found(store, words=f"topic{number}")
            keep(store, f"kept{number}")

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(24)))
        assert sorted(living(store)) == sorted(f"kept{number}" for number in range(24))

    def test_the_same_message_from_many_threads_is_stored_once(self, store: Store, open_place: OpenPlace) -> None:
        stores = [store, *(open_place().open("ana") for _ in range(3))]

        def tell(one: Store) -> int:
            return len(keep(one, "I moved to Lisbon").stored)

        with ThreadPoolExecutor(4) as pool:
            assert sum(pool.map(tell, stores * 3)) == 1
        assert living(store) == ["I moved to Lisbon"]
