from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inscape.bench.metric import is_found, normalised, printed_records, share_found

LONG = "I have been painting landscapes since I was seven years old, mostly lakes and hills."


def test_white_space_does_not_count() -> None:
    assert normalised("a \n\n b\tc\u2028d ") == "a b c d"


def test_a_context_is_read_as_records_with_their_further_lines() -> None:
    context = "t12 2023-05-08 Ana: first line\n  t13 second: line\n  \n  last\nn3 undated Bo: other\n"
    assert printed_records(context) == {"t12": "first line t13 second: line last", "n3": "other"}


def test_a_text_with_line_breaks_is_found_where_the_context_indents_them() -> None:
    records = printed_records("t1 2023-05-08 Ana: Hello there!\n  \n  It is me, Ana, at last. [image: a lake]\n")
    assert is_found("Hello there!\n\nIt is me, Ana, at last.\n", records, own="t1")


def test_ninety_percent_of_a_text_is_enough_and_less_is_not() -> None:
    whole = len(LONG)
    assert is_found(LONG, {"t1": LONG[: whole - whole // 10] + "..."}, own="t1")
    assert not is_found(LONG, {"t1": LONG[: whole - whole // 5] + "..."}, own="t1")


def test_a_gap_in_the_middle_counts_only_what_is_missing() -> None:
    assert is_found(LONG, {"t1": LONG[:40] + LONG[45:]}, own="t1")
    assert not is_found(LONG, {"t1": LONG[:30] + LONG[45:]}, own="t1")


def test_a_long_text_is_found_in_any_record_and_a_short_one_in_its_own_only() -> None:
    assert is_found(LONG, {"n1": f"She said: {LONG}"}, own="t1")
    assert not is_found("Thanks!", {"t2": "Thanks! See you."}, own="t1")
    assert is_found("Thanks!", {"t1": "Thanks!"}, own="t1")


def test_a_note_that_only_cites_a_turn_finds_nothing() -> None:
    assert not is_found(LONG, {"n1": "Ana paints landscapes."}, own="t1")


def test_a_speaker_or_date_is_no_text() -> None:
    assert not is_found("Ana", printed_records("t1 2023-05-08 Ana: Good morning.\n"), own="t1")


def test_nothing_is_found_in_an_empty_context_and_no_empty_text_is_found() -> None:
    assert not is_found(LONG, printed_records(""), own="t1")
    assert not is_found(" \n", {"t1": "something"}, own="t1")


@given(st.text(min_size=1), st.integers(1, 9))
def test_whatever_stands_whole_in_its_own_line_is_found(text: str, number: int) -> None:
    line = f"t{number} 2023-05-08 Ana: " + "\n  ".join(text.splitlines()) + "\n"
    assert is_found(text, printed_records(line), own=f"t{number}") == bool(text.strip())


def test_recall_is_the_share_of_gold_turns() -> None:
    assert share_found(["a", "b", "c", "d"], ["b", "d", "x"]) == 0.5
