"""Kill writers at random moments and look at what is left.

python -m tests.soak --seed 1 --count 200
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from inscape.errors import EmbeddingMismatch
from inscape.items import Item
from tests.soak.worker import USER, opened

ROOT = Path(__file__).parent.parent.parent
FRESH_AFTER = 25
"""Kills after which a new folder is begun, so that opening one new is killed too."""
VERBS = ("add", "add", "import", "two at once", "reindex")


@dataclass
class Soak:
    """One folder, what was acknowledged in it, and the model that it should have."""

    folder: Path
    model: str = "small"
    wants: str = "small"
    acknowledged: dict[str, str] = field(default_factory=dict[str, str])
    kills: int = 0

    def round(self, verb: str, chance: random.Random) -> None:
        """Start one or two writers, kill them, check."""
        self.kills += 1
        if verb == "reindex" and not self.acknowledged:
            verb = "add"
        if verb == "reindex" or self.wants != self.model:
            verb, self.wants = "reindex", "large" if self.model == "small" else "small"
        names = [f"w{self.kills}a", f"w{self.kills}b"] if verb == "two at once" else [f"w{self.kills}a"]
        logs = [self.folder.parent / name for name in names]
        model = self.wants if verb == "reindex" else self.model
        writers = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.soak.worker", self.folder, log, verb.split()[0], model, name], cwd=ROOT
            )
            for log, name in zip(logs, names, strict=True)
        ]
        try:
            if chance.random() < 0.85:
                for log, writer in zip(logs, writers, strict=True):
                    _wait_for(log, writer)
                time.sleep(chance.random() ** 2 * 0.4)
            else:
                time.sleep(chance.random() * 0.5)
        finally:
            for writer in writers:
                writer.send_signal(signal.SIGKILL)
            codes = [writer.wait() for writer in writers]
        failed = [code for code in codes if code not in (0, -signal.SIGKILL)]
        assert not failed, f"a writer failed by itself: {failed}"
        for log in logs:
            for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
                id, tab, text = line.partition("\t")
                if tab and text.endswith("here"):
                    self.acknowledged[text] = id
        self.check()

    def check(self) -> None:
        """Nothing acknowledged is lost, nothing is there twice, the file is sound, all of it is found."""
        if not (self.folder / "owners").exists():
            assert not self.acknowledged
            return
        with opened(self.folder, self.model) as memory:
            try:
                self._check_texts(memory.get_all(user_id=USER)["results"])
            except EmbeddingMismatch:
                self.model = self.wants
        with opened(self.folder, self.model) as memory:
            kept = memory.get_all(user_id=USER)["results"]
            self._check_texts(kept)
            for item in kept[-3:]:
                word = item["memory"].split()[3]
                best = memory.search(word, user_id=USER, top_k=1)["results"]
                assert [hit["id"] for hit in best] == [item["id"]], f"{word} is not found"
        for file in [self.folder / "registry.sqlite", *(self.folder / "owners").glob("*.sqlite")]:
            connection = sqlite3.connect(file)
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            connection.close()
        assert len(list((self.folder / "owners").glob("*.sqlite"))) <= 1

    def _check_texts(self, kept: list[Item]) -> None:
        held = {item["memory"]: item["id"] for item in kept}
        assert len(held) == len(kept), "something is stored twice"
        lost = [text for text, id in self.acknowledged.items() if held.get(text) != id]
        assert not lost, f"acknowledged and lost: {lost[:3]} and {len(lost)} in all"

    def finish(self) -> None:
        """An interrupted reindex goes on and completes."""
        if self.wants == self.model or not self.acknowledged:
            return
        with opened(self.folder, self.wants) as memory:
            memory.reindex(user_id=USER)
            self.model = self.wants
        self.check()


def soak(seed: int, count: int) -> int:
    """So many kills; how many messages were acknowledged. The seed names the moments as far as a clock allows."""
    chance = random.Random(seed)
    written = 0
    for begin in range(0, count, FRESH_AFTER):
        place = Path(tempfile.mkdtemp(prefix="inscape-soak-"))
        one = Soak(place / "memories")
        for _ in range(min(FRESH_AFTER, count - begin)):
            one.round(chance.choice(VERBS), chance)
        one.finish()
        written += len(one.acknowledged)
        shutil.rmtree(place)
    return written


def _wait_for(log: Path, writer: subprocess.Popen[bytes]) -> None:
    """Until the writer has opened the memory."""
    until = time.monotonic() + 30
    while not log.exists() or not log.stat().st_size:
        assert writer.poll() is None, "a writer failed by itself"
        assert time.monotonic() < until, "a writer did not start"
        time.sleep(0.005)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    given = parser.parse_args()
    started = time.monotonic()
    total = soak(given.seed, given.count)
    print(f"{given.count} kills, {total} acknowledged messages all there, {time.monotonic() - started:.0f} s")
