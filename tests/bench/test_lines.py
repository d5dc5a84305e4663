from __future__ import annotations

from pathlib import Path

import pytest

from inscape.bench.lines import BuildLine, Lines, QuestionLine
from inscape.errors import InvalidInput


def question_line(number: int, configuration: str = "abc") -> QuestionLine:
    return {
        "configuration": configuration,
        "conversation": "conv-1",
        "question": number,
        "category": 4,
        "gold": ["D1:1"],
        "corrected": ["D1:1"],
        "recipes": {},
    }


BUILD: BuildLine = {"configuration": "abc", "built": "conv-1", "turns": 5, "seconds": 0.5}


def test_lines_are_there_again_for_the_same_configuration(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "lines.jsonl"
    first = Lines(path, configuration="abc")
    first.add(BUILD)
    first.add(question_line(0))
    first.close()
    again = Lines(path, configuration="abc")
    again.add(question_line(1))
    again.close()
    assert list(again.questions) == [("conv-1", 0), ("conv-1", 1)]
    assert again.builds == {"conv-1": BUILD}


def test_lines_of_another_configuration_are_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    lines = Lines(path, configuration="abc")
    lines.add(question_line(0))
    lines.close()
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match="holds lines of configuration abc, and this run is def"):
        Lines(path, configuration="def")
    assert path.read_bytes() == before


def test_half_a_line_left_by_a_kill_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    lines = Lines(path, configuration="abc")
    lines.add(question_line(0))
    lines.close()
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:20])
    again = Lines(path, configuration="abc")
    again.add(question_line(1))
    again.close()
    assert path.read_bytes().startswith(whole)
    assert path.read_bytes().count(b"\n") == 2


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{"some": "thing"}\n')
    with pytest.raises(InvalidInput, match="line 1, is no line of a benchmark run"):
        Lines(path, configuration="abc")
