from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inscape.errors import WrongFormat
from inscape.importing.formats import FORMATS, detect, format_named
from inscape.incoming import Defaults

if TYPE_CHECKING:
    from conftest import Reader

DATA = Path(__file__).parent / "data"

FIXTURES = sorted(path.name for path in DATA.iterdir())


@pytest.mark.parametrize("name", FIXTURES)
def test_every_fixture_is_recognised(name: str) -> None:
    assert detect(DATA / name).name == name.partition(".")[0].partition("_")[0]


def test_every_format_has_a_fixture() -> None:
    recognised = {detect(DATA / name).name for name in FIXTURES}
    assert recognised == {format.name for format in FORMATS}


def test_a_format_is_found_by_its_name() -> None:
    for format in FORMATS:
        assert format_named(format.name) is format


def test_an_unknown_name_is_answered_with_the_names_there_are() -> None:
    with pytest.raises(WrongFormat, match="inscape, chatgpt, claude, telegram, openai, whatsapp, plain"):
        format_named("icq")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b" \n\n\t", "nothing but white space"),
        (b"%PDF-1.7\n", "is a PDF"),
        (b"\x89PNG\r\n\x1a\n", "is a PNG image"),
        (b"\xff\xd8\xff\xe0", "is a JPEG image"),
        (b"PK\x03\x04....", "Unpack it"),
        (b"SQLite format 3\x00", "a SQLite database"),
        (b"\x00\x01\x02\x03", "a binary file"),
        (b"<!DOCTYPE html><html>", "an HTML page"),
        (b"Dear diary, it rained.\nThen it did not.\n", "in no format that is recognised"),
        (b'{"a": 1}', "--format"),
        (b"host: a\nport: 1\nuser: b\npass: c\nname: d\nmode: e\nsize: f\ncolor: g\nfont: h\n", "--format"),
    ],
)
def test_a_wrong_file_is_refused_with_advice(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "export"
    path.write_bytes(content)
    with pytest.raises(WrongFormat, match=said) as refusal:
        detect(path)
    assert str(path) in str(refusal.value)


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongFormat, match="is a folder"):
        detect(tmp_path)
    with pytest.raises(WrongFormat, match="There is no file"):
        detect(tmp_path / "gone.json")


@pytest.mark.parametrize("format", [format.name for format in FORMATS])
def test_a_picture_is_refused_at_once_whatever_format_is_named(tmp_path: Path, format: str) -> None:
    path = tmp_path / "chat.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(WrongFormat, match="PNG"):
        format_named(format).read(path, defaults=Defaults(owner="Olga"))


@pytest.mark.parametrize("format", [format.name for format in FORMATS if format.name not in ("plain", "openai")])
def test_a_file_of_another_format_is_refused_not_found_empty(read: Reader, format: str) -> None:
    with pytest.raises(WrongFormat, match="--format"):
        read("plain.txt", format=format)
    if format != "claude":
        with pytest.raises(WrongFormat, match="--format"):
            read("claude.json", format=format)


def test_an_empty_list_is_an_export_without_messages(tmp_path: Path, read: Reader) -> None:
    path = tmp_path / "export.json"
    path.write_text("[]")
    everything = read(path)
    assert (everything.messages, everything.broken) == ([], [])


@pytest.mark.parametrize("name", [name for name in FIXTURES if name != "whatsapp_ambiguous.txt"])
def test_reading_a_file_twice_gives_the_same_messages_and_ids(read: Reader, name: str) -> None:
    first, second = read(name), read(name)
    assert first.messages == second.messages
    assert first.messages
    given = [id for id in first.ids if id is not None]
    assert len(set(given)) == len(given)
