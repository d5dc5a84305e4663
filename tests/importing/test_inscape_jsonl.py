from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inscape.errors import WrongFormat
from inscape.importing.formats import format_named
from inscape.incoming import Defaults, cleaned, readable_name
from inscape.records import Message

if TYPE_CHECKING:
    from conftest import Reader

TEXT = st.text(max_size=40).map(lambda text: cleaned(text)[0])
NAME = st.text("abc Äß杭", min_size=1, max_size=10)


def test_a_turn_comes_back_with_all_that_it_held(read: Reader) -> None:
    first = read("inscape.jsonl").messages[0]
    assert first == Message(
        text="I live in Lisbon.",
        speaker="Ana",
        role="user",
        session_id="s1",
        message_id="m-1",
        said_at=datetime(2023, 5, 8, 11, 56, tzinfo=UTC),
        utc_offset=7200,
        captions=("a river",),
        agent_id="a",
        run_id="r",
        metadata={"k": [1, {"x": None}]},
    )


def test_what_a_turn_lacked_stays_open_whatever_the_defaults(read: Reader) -> None:
    defaults = Defaults(
        owner="Olga",
        agent_id="x",
        run_id="y",
        session_id="z",
        timestamp="2020-01-01",
        timezone="Asia/Tokyo",
        metadata={"m": 1},
    )
    assert read("inscape.jsonl", defaults=defaults).messages == read("inscape.jsonl").messages
    second = read("inscape.jsonl", defaults=defaults).messages[1]
    assert (second.message_id, second.said_at, second.agent_id, second.metadata) == (None, None, None, {})


def test_a_turn_that_was_deleted_does_not_come_back(read: Reader) -> None:
    everything = read("inscape.jsonl")
    assert "gone" not in [text for _, text in everything.said]
    assert everything.skipped == {"deleted before the export": 1}


def test_broken_lines_are_reported_by_number(read: Reader) -> None:
    assert [broken.where for broken in read("inscape.jsonl").broken] == ["line 5", "line 6"]


def test_an_export_of_a_newer_inscape_is_refused(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "export.jsonl"
    path.write_text('{"inscape_export": 2}\n')
    with pytest.raises(WrongFormat, match="Upgrade inscape"):
        read(path)


@given(
    text=TEXT.filter(lambda text: bool(text.strip())),
    speaker=NAME.filter(lambda name: bool(name) and readable_name(name) == name),
    moment=st.none() | st.datetimes(datetime(1950, 1, 1), datetime(2100, 1, 1)),
    offset=st.integers(-50_000, 50_000),
    captions=st.lists(NAME.map(str.strip), max_size=2),
)
def test_the_round_trip_keeps_everything(
    tmp_path_factory: pytest.TempPathFactory,
    text: str,
    speaker: str,
    moment: datetime | None,
    offset: int,
    captions: list[str],
) -> None:
    path = tmp_path_factory.getbasetemp() / "round.jsonl"
    said_at = None if moment is None else moment.replace(tzinfo=UTC)
    turn = {
        "id": "t",
        "text": text,
        "speaker": speaker,
        "role": "user",
        "session_id": "s",
        "message_id": None,
        "said_at": None if said_at is None else said_at.isoformat(),
        "utc_offset": offset,
        "captions": captions,
        "metadata": {"text": text},
    }
    path.write_text('{"inscape_export": 1}\n' + json.dumps(turn, ensure_ascii=False) + "\n", encoding="utf-8")
    (message,) = format_named("inscape").read(path, defaults=Defaults(owner="Olga"))
    assert message == Message(
        text=text,
        speaker=speaker,
        role="user",
        session_id="s",
        said_at=said_at,
        utc_offset=offset,
        captions=tuple(captions),
        metadata={"text": text},
    )
    assert timedelta(seconds=offset) < timedelta(days=1)
