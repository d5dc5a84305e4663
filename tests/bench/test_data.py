from __future__ import annotations

from pathlib import Path

import pytest

from inscape.bench.data import evidence_ids, read_locomo
from inscape.errors import InvalidInput, WrongFormat
from tests.bench.conversations import write_corrections, write_data


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        ("D8:6; D9:17", ["D8:6", "D9:17"]),
        ("D8:6 D9:17", ["D8:6", "D9:17"]),
        ("D:11:26", ["D11:26"]),
        ("D30:05", ["D30:5"]),
        ("D", []),
        ("", []),
        (None, []),
        (7, []),
    ],
)
def test_malformed_evidence_ids_are_normalised(given: object, ids: list[str]) -> None:
    assert evidence_ids(given) == ids


def test_a_file_is_read_with_captions_times_and_known_evidence_only(tmp_path: Path) -> None:
    hike, boat = read_locomo(write_data(tmp_path))
    assert [session.id for session in hike.sessions] == ["session_1", "session_2"]
    assert hike.sessions[0].timestamp == "1:56 pm on 8 May, 2023"
    assert hike.turns["D1:3"].captions == ("a photo of a bakery",)
    assert [one.evidence for one in hike.questions] == [
        ("D1:1",), ("D1:3",), ("D2:1", "D1:1", "D2:2"), ("D2:1",), (), ("D1:1",),
    ]  # fmt: skip
    assert boat.id == "conv-2"


def test_limit_takes_the_first_questions_of_each_conversation(tmp_path: Path) -> None:
    assert [len(one.questions) for one in read_locomo(write_data(tmp_path), limit=2)] == [2, 2]


def test_corrections_stand_beside_the_published_evidence(tmp_path: Path) -> None:
    hike, _ = read_locomo(write_data(tmp_path), corrections=write_corrections(tmp_path))
    assert (hike.questions[1].evidence, hike.questions[1].corrected) == (("D1:3",), ("D1:2",))
    assert hike.questions[0].corrected == hike.questions[0].evidence


def test_corrections_without_a_sample_id_go_by_place(tmp_path: Path) -> None:
    corrections = write_corrections(tmp_path, sample_id=None)
    hike, _ = read_locomo(write_data(tmp_path), corrections=corrections)
    assert hike.questions[1].corrected == ("D1:2",)


def test_corrections_of_other_data_are_refused(tmp_path: Path) -> None:
    corrections = write_corrections(tmp_path, question="Where did Olga move?")
    with pytest.raises(WrongFormat, match="corrections are for other data"):
        read_locomo(write_data(tmp_path), corrections=corrections)


@pytest.mark.parametrize("text", ["{}", "[]", "[1]", "[{}]", "nonsense", '[{"conversation": {"session_1": [3]}}]'])
def test_files_of_another_format_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(WrongFormat):
        read_locomo(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"missing\.json cannot be read"):
        read_locomo(tmp_path / "missing.json")
