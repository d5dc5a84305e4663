"""Large exports in little memory, and the parts below the formats."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inscape.importing.files import lines_of
from inscape.importing.formats import detect
from inscape.importing.identity import Repeats
from inscape.incoming import Defaults
from inscape.records import Message

MEGABYTES = 20
WORDS = "I walked along the river and thought of the house in Lisbon. " * 160


def chatgpt(index: int) -> str:
    message = {
        "id": f"m{index}",
        "author": {"role": "user"},
        "create_time": 1683554160.5 + index,
        "content": {"content_type": "text", "parts": [WORDS]},
    }
    node = {"id": "n", "message": message, "parent": None}
    return json.dumps({"title": "t", "mapping": {"n": node}, "current_node": "n", "id": f"c{index}"})


def telegram(index: int) -> str:
    return json.dumps({"id": index, "type": "message", "date_unixtime": "1704063540", "from": "A", "text": WORDS})


def openai(index: int) -> str:
    return json.dumps({"role": "user", "content": f"{index} {WORDS}"})


def whatsapp(index: int) -> str:
    return f"{13 + index % 10}/01/2024, 10:{index % 60:02} - Ana: {WORDS}\n{WORDS}"


def plain(index: int) -> str:
    return f"Ana: {index} {WORDS}"


SHAPES = [
    ("conversations.json", "[", chatgpt, ",", "]"),
    ("result.json", '{"name": "A", "type": "personal_chat", "id": 1, "messages": [', telegram, ",", "]}"),
    ("one_line.json", '{"messages": [', openai, ",", "]}"),
    ("lines.jsonl", "", openai, "\n", "\n"),
    ("chat.txt", "", whatsapp, "\n", "\n"),
    ("talk.txt", "", plain, "\n", "\n"),
]


@pytest.mark.parametrize(("name", "opens", "record", "between", "closes"), SHAPES)
def test_a_large_export_is_read_in_little_memory(
    tmp_path: Path, name: str, opens: str, record: Callable[[int], str], between: str, closes: str
) -> None:
    path = tmp_path / name
    count = MEGABYTES * 1_000_000 // len(record(0))
    with path.open("w", encoding="utf-8") as file:
        file.write(opens)
        for index in range(count):
            file.write((between if index else "") + record(index))
        file.write(closes)
    read = detect(path).read(path, defaults=Defaults(owner="Olga"))
    tracemalloc.start()
    messages = sum(isinstance(one, Message) for one in read)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert messages == count
    assert peak < 8_000_000


def test_a_line_without_end_is_cut_and_the_next_one_read(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_text("a" * 200_000 + "\nshort\r\n\nlast")
    lines = list(lines_of(path, longest=1000))
    assert [(line.number, len(line.text), line.is_cut) for line in lines] == [
        (1, 1000, True),
        (2, 5, False),
        (3, 0, False),
        (4, 4, False),
    ]


def _ids(repeats: Repeats, texts: Iterator[str], *, time: str | None) -> list[str]:
    return [repeats.id_for(chat="c", speaker="s", time=time, text=text) for text in texts]


def test_ids_stay_unique_when_the_window_is_full() -> None:
    texts = [str(number % 7) for number in range(100)]
    untimed = _ids(Repeats("x", window=3), iter(texts), time=None)
    assert len(set(untimed)) == 100
    assert untimed == _ids(Repeats("x", window=3), iter(texts), time=None)


def test_the_ids_of_a_longer_list_begin_with_those_of_the_shorter() -> None:
    texts = [str(number % 7) for number in range(100)]
    short = _ids(Repeats("x", window=3), iter(texts[:50]), time=None)
    assert _ids(Repeats("x", window=3), iter(texts), time=None)[:50] == short
