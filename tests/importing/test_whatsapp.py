from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inscape.errors import WrongFormat
from inscape.importing.whatsapp_lines import opening_of
from inscape.importing.whatsapp_words import captions_in, chat_named_by
from inscape.incoming import Defaults

if TYPE_CHECKING:
    from conftest import Reader

LOCALES = [
    ("whatsapp_en_us.txt", "2023-12-30T23:58", ("Ana Lima", "The movers come at 9:30: be there!"), 5),
    ("whatsapp_de_android.txt", "2023-12-31T23:59", ("Jörg", "Guten Rutsch! 🎉"), 2),
    ("whatsapp_de_iphone.txt", "2023-12-31T23:59", ("Jörg", "Guten Rutsch!"), 2),
    ("whatsapp_es.txt", "2023-12-31T23:59", ("Lucía", "Feliz año, mañana corro en Sevilla"), 2),
    ("whatsapp_fr.txt", "2023-12-31T23:59", ("Chloé", "Bonne année : j'arrive à minuit"), 1),
    ("whatsapp_pt.txt", "2023-12-31T23:59", ("João", "Feliz ano novo! Moro em Recife agora."), 1),
    ("whatsapp_nl.txt", "2023-12-31T23:59", ("Sanne", "Gelukkig nieuwjaar"), 1),
    ("whatsapp_zh.txt", "2023-12-31T23:59", ("李伟", "新年快乐！我搬到杭州了"), 2),
    ("whatsapp_zh_android.txt", "2023-12-31T23:59", ("李伟", "新年快乐！我搬到杭州了"), 2),
]


@pytest.mark.parametrize(("name", "time", "first", "texts"), LOCALES)
def test_each_locale_is_read(read: Reader, name: str, time: str, first: tuple[str, str], texts: int) -> None:
    everything = read(name)
    said_at = everything.messages[0].said_at
    assert said_at is not None
    assert said_at.isoformat().startswith(time)
    assert everything.said[0] == first
    assert len([text for _, text in everything.said if text]) == texts
    assert sum(bool(message.captions) for message in everything.messages) >= 1
    assert not everything.broken
    assert everything.skipped["a line of WhatsApp's own"] >= 1


def test_noon_midnight_and_evening_are_read_on_both_clocks(read: Reader) -> None:
    hours = [m.said_at.hour for m in read("whatsapp_zh.txt").messages if m.said_at is not None]
    assert hours == [23, 0, 12]
    hours = [m.said_at.hour for m in read("whatsapp_en_us.txt").messages if m.said_at is not None]
    assert hours == [23, 23, 23, 0, 0, 0]


def test_a_message_of_several_lines_stays_one(read: Reader) -> None:
    assert ("Ana Lima", "My new address:\n12 Rua das Flores\n1200-192 Lisboa") in read("whatsapp_en_us.txt").said


def test_a_file_with_words_beside_it_keeps_the_words(read: Reader) -> None:
    kitchen = read("whatsapp_en_us.txt").messages[-1]
    assert (kitchen.text, kitchen.captions) == ("the new kitchen", ("file: IMG-20231231-WA0001.jpg",))


def test_on_an_iphone_media_files_edits_and_the_chats_name_are_understood(read: Reader) -> None:
    everything = read("whatsapp_de_iphone.txt")
    assert {message.session_id for message in everything.messages} == {"Familie"}
    assert [message.captions for message in everything.messages if message.captions] == [
        ("image",),
        ("document: Vertrag.pdf",),
        ("file: 00000012-PHOTO-2024-01-01-00-01-02.jpg",),
    ]
    assert everything.said[-1] == ("Jörg", "Ich trinke jetzt lieber Tee")
    assert everything.skipped["a line of WhatsApp's own"] == 3


def test_equal_messages_of_one_minute_are_kept_apart(read: Reader) -> None:
    ids = read("whatsapp_en_us.txt").ids
    assert ids[2] == f"{ids[1]}-2"


def test_a_longer_export_from_a_later_start_gives_old_messages_their_old_ids(tmp_path: Path, read: Reader) -> None:
    lines = [f"{day}/01/2024, 10:00 - Ana: ok\n{day}/01/2024, 10:00 - Ana: ok\n" for day in range(10, 30)]
    path = tmp_path / "WhatsApp Chat with Ana.txt"
    path.write_text("".join(lines[:10]))
    longer = tmp_path / "WhatsApp Chat with Ana (1).txt"
    longer.write_text("".join(lines[5:]))
    before, after = read(path), read(longer)
    assert before.ids[10:] == after.ids[:10]
    assert len(set(before.ids) | set(after.ids)) == 40
    assert before.messages[0].session_id == "Ana"


def test_ids_do_not_depend_on_the_zone(read: Reader) -> None:
    there = read("whatsapp_pt.txt", defaults=Defaults(owner="Olga", timezone="America/Recife"))
    assert there.ids == read("whatsapp_pt.txt").ids
    assert there.messages[0].utc_offset == -3 * 3600


def test_dates_that_could_be_either_are_asked_about(read: Reader) -> None:
    with pytest.raises(WrongFormat, match="day_first=True"):
        read("whatsapp_ambiguous.txt")
    for day_first, month in ((True, 6), (False, 5)):
        said_at = read("whatsapp_ambiguous.txt", defaults=Defaults(owner="Olga", day_first=day_first))
        moment = said_at.messages[0].said_at
        assert moment is not None
        assert moment.month == month


def test_the_order_that_keeps_messages_in_order_is_the_right_one(read: Reader) -> None:
    moments = [message.said_at for message in read("whatsapp_in_order.txt").messages]
    assert [moment.month for moment in moments if moment is not None] == [1, 1, 2, 2]


def test_an_order_that_cannot_be_is_refused(read: Reader) -> None:
    with pytest.raises(WrongFormat, match="day_first=True"):
        read("whatsapp_nl.txt", defaults=Defaults(owner="Olga", day_first=False))


def test_a_date_that_does_not_exist_is_broken_and_the_rest_goes_on(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(
        "30/01/2024, 10:00 - Ana: one\n31/02/2024, 10:00 - Ana: two\n01/03/2024, 25:00 - Ana: x\n"
        "02/03/2024, 10:00 - Ana: three\n"
    )
    everything = read(path)
    assert [text for _, text in everything.said] == ["one", "three"]
    assert [broken.where for broken in everything.broken] == ["line 2", "line 3"]


def test_a_text_that_only_resembles_whatsapps_own_words_is_kept(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "chat.txt"
    kept = [
        "das hab ich weggelassen",
        "Missed voice calls annoy me",
        "is this end-to-end encrypted?",
        "null",
        "I like <b>bold</b> <words>",
    ]
    path.write_text("".join(f"30/01/2024, 10:0{n} - Ana: {text}\n" for n, text in enumerate(kept)))
    assert [text for _, text in read(path).said] == kept


def test_sixteen_bit_exports_and_undecodable_bytes_are_read(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "chat.txt"
    path.write_bytes("30/01/2024, 10:00 - Jörg: hallo 🎉\r\nzwei\r\n".encode("utf-16"))
    assert read(path).said == [("Jörg", "hallo 🎉\nzwei")]
    path.write_bytes("30/01/2024, 10:00 - Ana: Grüße\n".encode("latin-1"))
    everything = read(path)
    assert everything.said == [("Ana", "Gr��e")]
    assert everything.mended[0].where == "line 1"


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("WhatsApp Chat with Ana", "Ana"),
        ("WhatsApp-Chat mit Jörg", "Jörg"),
        ("Chat de WhatsApp con Íñigo", "Íñigo"),
        ("Discussion WhatsApp avec Chloé (2)", "Chloé"),
        ("Conversa do WhatsApp com João", "João"),
        ("WhatsApp-chat met Daan", "Daan"),
        ("与王芳的聊天", "王芳"),
        ("_chat", "_chat"),
    ],
)
def test_the_chats_name_is_read_from_the_files(stem: str, name: str) -> None:
    assert chat_named_by(stem) == name


@given(
    moment=st.datetimes(datetime(2010, 1, 1), datetime(2039, 12, 31)),
    text=st.text(max_size=60).filter(lambda text: "\n" not in text),
    pattern=st.sampled_from(
        [
            ("%d/%m/%Y, %H:%M - ", True),
            ("%m/%d/%y, %I:%M\u202f%p - ", False),
            ("[%d.%m.%y, %H:%M:%S] ", True),
            ("\u200e[%d-%m-%Y %H:%M:%S] ", True),
            ("%Y/%m/%d %H:%M - ", True),
            ("%d/%m/%Y à %H:%M - ", True),
        ]
    ),
)
def test_an_opening_is_always_found_again(moment: datetime, text: str, pattern: tuple[str, bool]) -> None:
    written, day_first = pattern
    opening = opening_of(moment.strftime(written) + "Ana Lima: " + text)
    assert opening is not None
    assert (opening.speaker, opening.text) == ("Ana Lima", text)
    found = opening.moment(day_first=day_first)
    assert found == moment.replace(microsecond=0, second=moment.second if "%S" in written else 0)


@given(st.text(max_size=200))
def test_no_line_makes_the_parsers_fail(line: str) -> None:
    opening = opening_of(line)
    assert opening is None or opening.text in line
    text, captions = captions_in(line)
    assert captions or len(text) <= len(line)
