from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Reader

DATA = Path(__file__).parent / "data"


def test_text_is_put_together_from_its_entities(read: Reader) -> None:
    assert ("Ben", "look: https://example.org my flat") in read("telegram_chat.json").said


def test_media_become_captions_and_a_poll_becomes_text(read: Reader) -> None:
    everything = read("telegram_chat.json")
    captions = [message.captions for message in everything.messages if message.captions]
    assert captions == [("image",), ("sticker: 🎉",), ("voice message",)]
    assert ("Ben", "Pizza? (yes / no)") in everything.said


def test_the_clock_of_the_exporter_is_told_by_both_times_together(read: Reader) -> None:
    first = read("telegram_chat.json").messages[0]
    assert first.said_at is not None
    assert first.said_at.isoformat() == "2023-12-31T22:59:00+00:00"
    assert first.utc_offset == 3600


def test_names_keep_the_joiners_of_emoji_and_lose_marks_of_direction(read: Reader) -> None:
    assert read("telegram_chat.json").messages[0].session_id == "Ana 👨\u200d👩\u200d👧"


def test_a_deleted_account_is_called_by_its_id_and_a_forward_says_whose_it_is(read: Reader) -> None:
    bye = next(message for message in read("telegram_chat.json").messages if message.text == "bye")
    assert (bye.speaker, bye.metadata) == ("user1", {"forwarded_from": "Carla"})


def test_service_messages_are_skipped_and_broken_ones_reported(read: Reader) -> None:
    everything = read("telegram_chat.json")
    assert everything.skipped == {"a service message": 1, "empty": 1}
    assert [broken.where.rpartition(" ")[2] for broken in everything.broken] == ["8", "9"]


def test_in_a_full_export_two_chats_of_one_name_stay_apart(read: Reader) -> None:
    messages = read("telegram_all.json").messages
    assert [message.session_id for message in messages] == ["Ana", "Saved Messages", "Ana (5)"]
    assert len({message.message_id for message in messages}) == 3


def test_a_damaged_middle_keeps_every_message_before_it(tmp_path: Path, read: Reader) -> None:
    whole = (DATA / "telegram_chat.json").read_text()
    path = tmp_path / "result.json"
    path.write_text(whole.replace("the sea", '"the "sea'))
    everything = read(path)
    assert [text for _, text in everything.said] == ["Happy new year", "look: https://example.org my flat"]
    assert "The 2 records before it" not in everything.broken[-1].reason
    assert "The 3 records before it were read" in everything.broken[-1].reason
    assert everything.broken[-1].where.startswith("line ")
