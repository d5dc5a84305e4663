"""What the tests of importing share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from inscape.importing.formats import detect, format_named
from inscape.importing.reading import Broken, Mended, Skipped
from inscape.incoming import Defaults
from inscape.records import Message

DATA = Path(__file__).parent / "data"


@dataclass(kw_only=True)
class Everything:
    """All that reading one file gave, sorted by kind."""

    messages: list[Message] = field(default_factory=list[Message])
    broken: list[Broken] = field(default_factory=list[Broken])
    mended: list[Mended] = field(default_factory=list[Mended])
    skipped: Counter[str] = field(default_factory=Counter[str])

    @property
    def said(self) -> list[tuple[str, str]]:
        return [(message.speaker, message.text) for message in self.messages]

    @property
    def ids(self) -> list[str | None]:
        return [message.message_id for message in self.messages]


class Reader:
    """Reads a fixture by name, or any path, as its format is recognised."""

    def __call__(self, file: str | Path, *, format: str | None = None, defaults: Defaults | None = None) -> Everything:
        path = DATA / file
        everything = Everything()
        chosen = format_named(format) if format else detect(path)
        for read in chosen.read(path, defaults=defaults or Defaults(owner="Olga")):
            match read:
                case Message():
                    everything.messages.append(read)
                case Broken():
                    everything.broken.append(read)
                case Mended():
                    everything.mended.append(read)
                case Skipped():
                    everything.skipped[read.reason] += 1
        return everything


@pytest.fixture
def read() -> Reader:
    return Reader()
