"""What a store promises about keeping turns: order, durability, and what counts as the same message."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from inscape.errors import UnknownId
from inscape.ports import Owners, Store
from inscape.records import Changes, Filter, Message, Turn
from inscape.testing.base import OpenPlace, StoreTests, found, holding, living, texts
from inscape.testing.doubles import Clock, WordEmbedding, keep, said

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


class KeepingTests(StoreTests):
    """`append`, `known`, `records`, `living`, `change_number`."""

    def test_turns_are_kept_in_the_order_given(self, store: Store) -> None:
        receipt = keep(store, "one", "two", "three")
        keep(store, "four")
        assert texts(store.records(receipt.stored)) == ["one", "two", "three"]
        assert living(store) == ["one", "two", "three", "four"]

    def test_every_field_of_a_turn_comes_back_as_it_was_given(self, store: Store, clock: Clock) -> None:
        message = said(
            "Salut 👋🏽 — שלום", speaker="Élodie", role="assistant", session_id="s 1", message_id="m/1", said_at=NOON,
            utc_offset=-25_200, captions=("a dog", ""), agent_id="gpt-4.1", run_id="r", infer=False,
            metadata={"a": [1, 2.5, None, True], "größe": {"x": "y"}},
        )  # fmt: skip
        (turn,) = store.records(keep(store, message).stored)
        assert isinstance(turn, Turn)
        for name in Message.__dataclass_fields__:
            assert getattr(turn, name) == getattr(message, name), name
        assert turn.added_at == clock.at
        assert turn.set_aside_by is None

    def test_what_was_stored_is_there_when_the_place_is_opened_again(
        self, store: Store, place: Owners, open_place: OpenPlace
    ) -> None:
        keep(store, "I keep bees", "I play chess")
        place.close()
        again = open_place().open("ana")
        assert living(again) == ["I keep bees", "I play chess"]
        assert holding(again, "bees") == ["t1"]
        assert keep(again, "I keep bees").known[0].turn_id == "t1"

    def test_a_write_raises_the_change_number_and_nothing_else_does(self, store: Store) -> None:
        before = store.change_number
        keep(store, "hello")
        after = store.change_number
        assert after > before
        keep(store, "hello")
        found(store, words="hello")
        living(store)
        store.end_session("no such session")
        assert store.change_number == after

    def test_the_same_id_is_the_same_message(self, store: Store) -> None:
        (id,) = keep(store, said("hello", message_id="m1", said_at=NOON)).stored
        receipt = keep(store, said("hello", message_id="m1", said_at=NOON + timedelta(days=1)))
        assert (receipt.stored, [known.turn_id for known in receipt.known]) == ((), [id])
        assert keep(store, said("hello", message_id="m1", session_id="another")).known
        assert living(store) == ["hello"]

    def test_an_id_with_another_text_is_refused_and_the_reason_names_both(self, store: Store) -> None:
        keep(store, said("hello", message_id="m1"))
        receipt = keep(store, said("good-bye", message_id="m1"), said("see you", message_id="m2"))
        assert [refused.index for refused in receipt.refused] == [0]
        assert "m1" in receipt.refused[0].reason
        assert "t1" in receipt.refused[0].reason
        assert living(store) == ["hello", "see you"]

    def test_an_id_with_another_caption_is_refused(self, store: Store) -> None:
        keep(store, said("look", message_id="m1", captions=("a dog",)))
        assert keep(store, said("look", message_id="m1", captions=("a cat",))).refused

    def test_an_id_taken_in_the_same_call_is_known_or_refused(self, store: Store) -> None:
        receipt = keep(store, *(said(text, message_id="m1") for text in ("hello", "hello", "good-bye")))
        assert (len(receipt.stored), [k.index for k in receipt.known], [r.index for r in receipt.refused]) == (
            1,
            [1],
            [2],
        )

    def test_the_same_session_speaker_text_and_time_is_the_same_message(self, store: Store) -> None:
        keep(store, said("hello", said_at=NOON))
        receipt = keep(store, said("hello", said_at=NOON))
        assert receipt.stored == ()
        assert receipt.known[0].turn_id == "t1"
        assert receipt.known[0].advice
        assert receipt.change_id is None

    @pytest.mark.parametrize(
        "other",
        [
            said("hello", said_at=NOON + timedelta(microseconds=1)),
            said("hello", said_at=NOON, speaker="ben"),
            said("hello", said_at=NOON, session_id="another"),
            said("Hello", said_at=NOON),
            said("hello", said_at=NOON, captions=("a wave",)),
            said("hello", said_at=NOON, message_id="m1"),
        ],
        ids=["time", "speaker", "session", "text", "caption", "id"],
    )
    def test_a_message_that_differs_in_one_of_them_is_another(self, store: Store, other: Message) -> None:
        keep(store, said("hello", said_at=NOON))
        assert len(keep(store, other).stored) == 1

    def test_without_a_time_an_earlier_call_decides(self, store: Store) -> None:
        keep(store, "ok")
        keep(store, said("hello", said_at=NOON))
        assert keep(store, "ok").stored == ()
        assert keep(store, "hello").known[0].turn_id == "t2"

    def test_equal_messages_of_one_call_stay_apart(self, store: Store) -> None:
        assert len(keep(store, "ok", "ok", "ok").stored) == 3
        assert len(keep(store, said("yes", said_at=NOON), said("yes", said_at=NOON)).stored) == 2
        assert keep(store, "ok", "ok").stored == ()

    def test_index_in_the_receipt_is_the_place_in_the_call(self, store: Store) -> None:
        keep(store, "two")
        receipt = keep(store, "one", "two", "three")
        assert [known.index for known in receipt.known] == [1]
        assert texts(store.records(receipt.stored)) == ["one", "three"]

    def test_known_names_the_turn_that_holds_each_message(self, store: Store) -> None:
        keep(store, "one", said("two", message_id="m2"))
        asked = [said("two", message_id="m2"), said("three"), said("one"), said("other", message_id="m2")]
        assert store.known(asked) == ["t2", None, "t1", None]

    def test_a_message_taken_away_before_is_known_and_the_advice_says_so(self, store: Store) -> None:
        keep(store, "I live in Lisbon")
        store.apply(Changes(verb="delete", author="person", set_aside_turns=("t1",)))
        receipt = keep(store, "I live in Lisbon")
        assert receipt.stored == ()
        assert "deleted" in receipt.known[0].advice
        assert living(store) == []

    def test_records_come_in_the_order_asked_for(self, store: Store) -> None:
        keep(store, "one", "two", said("three", message_id="mine"))
        assert texts(store.records(["t3", "t1", "t2", "t1"])) == ["three", "one", "two", "one"]
        assert texts(store.records(["mine"])) == ["three"]
        assert store.records([]) == []

    @pytest.mark.parametrize("id", ["t2", "t0", "n1", "x", "", "t", "t1.5", "t-1", "T1", "t99999999999999999999", "'"])
    def test_an_unknown_id_is_an_error_that_names_it(self, store: Store, id: str) -> None:
        keep(store, "one")
        with pytest.raises(UnknownId, match="no record") as caught:
            store.records([id])
        assert repr(id)[:20] in str(caught.value)

    def test_living_goes_through_more_than_a_page(self, store: Store) -> None:
        keep(store, *(f"number {n}" for n in range(1203)))
        assert living(store) == [f"number {n}" for n in range(1203)]
        for limit in (1, 500, 501, 1203, 5000):
            assert len(list(store.living(Filter(), limit=limit))) == min(limit, 1203)

    def test_a_turn_without_vectors_is_found_by_its_words(self, store: Store) -> None:
        dead = WordEmbedding()
        dead.is_reachable = False
        keep(store, "I keep bees", "I play chess", model=dead)
        assert holding(store, "bees") == ["t1"]
        assert living(store) == ["I keep bees", "I play chess"]

    def test_an_empty_call_stores_nothing(self, store: Store) -> None:
        receipt = store.append([], [])
        assert (receipt.stored, receipt.change_id) == ((), None)
