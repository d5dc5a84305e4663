from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inscape.importing.plain import said_in
from inscape.incoming import Defaults

if TYPE_CHECKING:
    from conftest import Reader

WORD = st.text("abcdeÄßé杭", min_size=1, max_size=8)


def test_lines_without_a_speaker_go_on_with_the_message_before(read: Reader) -> None:
    everything = read("plain.txt")
    assert everything.said[0] == (
        "Ana",
        "I moved to Lisbon.\nIt has a river.\n\nIt has hills: seven of them",
    )
    assert everything.said[3] == ("Assistant", "Noted:\nStep 1: boil water")


def test_user_is_the_owner_and_assistant_the_assistant(read: Reader) -> None:
    messages = read("plain.txt").messages
    assert (messages[2].speaker, messages[2].role) == ("Olga", "user")
    assert messages[3].role == "assistant"


def test_equal_messages_are_kept_apart(read: Reader) -> None:
    ids = read("plain.txt").ids
    assert ids[-1] == f"{ids[-2]}-2"


def test_headers_give_session_and_day(read: Reader) -> None:
    messages = read("plain_timed.txt").messages
    times = [message.said_at.isoformat() for message in messages if message.said_at is not None]
    assert times == [
        "2023-05-08T13:56:00+00:00",
        "2023-05-08T13:58:00+00:00",
        "2023-05-08T00:00:00+00:00",
        "2023-05-25T09:00:00+00:00",
        "2023-05-26T08:00:00+00:00",
    ]
    assert [message.session_id.partition(" ")[2][:1] for message in messages] == ["1", "1", "1", "2", "2"]


def test_an_unreadable_time_is_broken_and_the_rest_goes_on(read: Reader) -> None:
    broken = read("plain_timed.txt").broken
    assert [one.where for one in broken] == ["line 7", "line 9"]
    assert "25:00" in broken[0].reason


def test_a_time_is_read_on_the_clock_of_the_given_zone(read: Reader) -> None:
    defaults = Defaults(owner="Olga", timezone="Europe/Berlin")
    first = read("plain_timed.txt", defaults=defaults).messages[0]
    assert first.said_at is not None
    assert (first.said_at.hour, first.utc_offset) == (11, 7200)


def test_the_order_of_day_and_month_can_be_asked_for(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("(05/06/2023 10:00) Ana: hi\n")
    assert "two different days" in read(path).broken[0].reason
    for day_first, month in ((True, 6), (False, 5)):
        said_at = read(path, defaults=Defaults(owner="Olga", day_first=day_first)).messages[0].said_at
        assert said_at is not None
        assert said_at.month == month


def test_a_longer_transcript_of_the_same_chat_gives_the_old_messages_their_old_ids(
    tmp_path: Path, read: Reader
) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("Ana: ok\nBen: ok\nAna: ok\n")
    before = read(path).ids
    path.write_text("Ana: ok\nBen: ok\nAna: ok\nAna: ok\nBen: bye\n")
    after = read(path).ids
    assert after[:3] == before
    assert len(set(after)) == 5


def test_what_stands_before_the_first_speaker_is_skipped_and_counted(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("Notes of the meeting\n\nAna: hi\n")
    everything = read(path, format="plain")
    assert everything.said == [("Ana", "hi")]
    assert everything.skipped == {"before the first speaker": 1}


def test_a_message_of_many_lines_above_one_megabyte_is_broken(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("Ana: hi\n" + ("y" * 99 + "\n") * 10_100 + "Ben: hello\nAna: " + "z" * 2_500_000)
    everything = read(path, format="plain")
    assert everything.said == [("Ben", "hello")]
    assert [broken.where for broken in everything.broken] == ["line 1", "line 10103"]


@pytest.mark.parametrize(
    "line",
    [
        "https://example.org: nice",
        "It has hills: seven",
        "12:30 is fine",
        'He said "stop": I did',
        "Note: remember",
        "- item: one",
        "",
        ":",
        "[laughs] Ana: hi",
    ],
)
def test_such_lines_open_no_message(line: str) -> None:
    assert said_in(line) is None


@given(speaker=WORD, text=st.text(max_size=50))
def test_a_speaker_and_a_text_are_always_found_again(speaker: str, text: str) -> None:
    text = text.replace("\n", " ").replace("\r", " ").strip()
    said = said_in(f"{speaker}: {text}")
    assert said is None or (said.speaker, said.text, said.when) == (speaker, text, None)
    assert said is not None or speaker in ("e", "re")


@given(st.text(max_size=200))
def test_no_line_makes_the_parser_fail(line: str) -> None:
    said = said_in(line)
    assert said is None or (said.speaker and said.speaker.isprintable())
