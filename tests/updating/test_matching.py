"""What may be erased by a phrase."""

from __future__ import annotations

import pytest

from inscape.errors import UnknownId
from inscape.memory import Memory
from tests.ask import everything

SAID = [
    "My previous address was 7 Quince Lane in York.",
    "I keep bees and play chess on Sundays.",
    "The roof leaks.",
    "Before Lisbon I used to live in a flat in York.",
]


def test_a_neighbour_of_what_matches_is_not_erased(real_memory: Memory) -> None:
    real_memory.add(SAID, user_id="ana")
    real_memory.erase(user_id="ana", matching="previous address")
    assert everything(real_memory) == SAID[1:]


def test_what_means_the_same_in_other_words_is_shown(real_memory: Memory) -> None:
    real_memory.add(SAID, user_id="ana")
    shown = [item["memory"] for item in real_memory.to_erase(user_id="ana", matching="where I lived in York before")]
    assert SAID[3] in shown
    assert SAID[1] not in shown
    assert SAID[2] not in shown


def test_a_phrase_that_nothing_is_about_erases_nothing(real_memory: Memory) -> None:
    real_memory.add(SAID, user_id="ana")
    with pytest.raises(UnknownId, match="nothing was erased"):
        real_memory.erase(user_id="ana", matching="the piano lessons of my nephew")
    assert everything(real_memory) == SAID


def test_other_numbers_are_other_things(real_memory: Memory) -> None:
    said = ["My old address is 12 Rose Street.", "My new address is 9 Hill Road.", "Phone 555-1234", "Phone 555-1243"]
    real_memory.add(said, user_id="ana")

    def matched(phrase: str) -> list[str]:
        return [item["memory"] for item in real_memory.to_erase(user_id="ana", matching=phrase)]

    assert matched("12 Rose Street") == said[:1]
    assert matched("my old address")[0] == said[0]
    assert matched("555-1234") == said[2:3]


def test_what_was_deleted_or_corrected_before_is_erased_too(real_memory: Memory) -> None:
    real_memory.add(["The code is 7781 plutonium", "The old pin is 4411", "bees"], user_id="ana")
    real_memory.delete("t1", user_id="ana")
    real_memory.update("t2", "No pin any more", user_id="ana")
    assert real_memory.erase(user_id="ana", matching="7781 plutonium").turns == 1
    assert real_memory.erase(user_id="ana", matching="old pin 4411").turns == 1
    assert everything(real_memory) == ["bees"]


def test_a_correction_that_matches_takes_what_it_rests_on(memory: Memory) -> None:
    memory.add(["I live somewhere", "I keep bees"], user_id="ana")
    memory.update("t1", "My address is Quince Lane", user_id="ana")
    memory.erase(user_id="ana", matching="address Quince Lane")
    assert everything(memory) == ["I keep bees"]
