"""Runs as lines: one a question, one a build. A report is computed from them, and a run that stopped goes on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO, TypedDict, cast

from inscape.errors import InvalidInput


class Outcome(TypedDict):
    """What one recipe did with one question."""

    found: dict[str, list[str]]
    """By budget: the gold turns, published or corrected, whose text stands in the context."""
    tokens: dict[str, int]
    ms: dict[str, float]
    hits: list[str]
    """Data ids of the ten best hits; empty for a note."""


class QuestionLine(TypedDict):
    """One question, asked of every recipe."""

    configuration: str
    conversation: str
    question: int
    category: int
    gold: list[str]
    corrected: list[str]
    recipes: dict[str, Outcome]


class BuildLine(TypedDict):
    """One conversation, added."""

    configuration: str
    built: str
    turns: int
    seconds: float


def hash_of(configuration: Mapping[str, object]) -> str:
    """Twelve digits that stand for a configuration.

    >>> hash_of({"a": 1, "b": 2}) == hash_of({"b": 2, "a": 1})
    True
    """
    return hashlib.sha256(json.dumps(configuration, sort_keys=True).encode()).hexdigest()[:12]


class Lines:
    """The lines of one run, in a file or in memory only."""

    def __init__(self, path: Path | None, *, configuration: str) -> None:
        """Reads what an earlier run left. Raises InvalidInput for lines of another configuration."""
        self.configuration = configuration
        self.questions: dict[tuple[str, int], QuestionLine] = {}
        self.builds: dict[str, BuildLine] = {}
        self._file: TextIO | None = None
        if path is None:
            return
        whole = self._read(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("r+" if path.exists() else "w", encoding="utf-8", newline="\n")
            self._file.truncate(whole)
            self._file.seek(whole)
        except OSError as error:
            raise InvalidInput(f"{path} cannot be written ({error.strerror}). Choose another file.") from error

    def add(self, line: QuestionLine | BuildLine) -> None:
        """Keep a line; it is in the file when this returns."""
        if "built" in line:
            self.builds[line["built"]] = line
        else:
            self.questions[line["conversation"], line["question"]] = line
        if self._file is not None:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _read(self, path: Path) -> int:
        """Take in the whole lines; how many bytes they have. The half of a line that a kill left is dropped."""
        try:
            given = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise InvalidInput(f"{path} cannot be read ({error.strerror}). Choose another file.") from error
        whole = given.rfind(b"\n") + 1
        for number, raw in enumerate(given[:whole].splitlines(), start=1):
            try:
                line = cast("QuestionLine | BuildLine", json.loads(raw))
                theirs = line["configuration"]
            except (ValueError, KeyError, TypeError) as error:
                raise InvalidInput(
                    f"{path}, line {number}, is no line of a benchmark run. Choose another file."
                ) from error
            if theirs != self.configuration:
                raise InvalidInput(
                    f"{path} holds lines of configuration {theirs}, and this run is {self.configuration}: data, "
                    "budgets, recipes, embedding or code differ. Choose another file, or delete it to start over."
                )
            if "built" in line:
                self.builds[line["built"]] = line
            else:
                self.questions[line["conversation"], line["question"]] = line
        return whole
