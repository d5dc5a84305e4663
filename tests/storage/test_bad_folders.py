"""Folders and files that are no store, cannot be written, or are written by somebody else at the same time."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from inscape.errors import InvalidSetting, NotAStore, StorageError, StoreTooNew, StoreUnwritable
from inscape.memory import Memory
from inscape.settings import Settings
from inscape.testing import WordEmbedding
from tests.ask import everything, found
from tests.conftest import Opens


def owner_file(folder: Path) -> Path:
    """The file of the only owner."""
    (file,) = (folder / "owners").glob("*.sqlite")
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "memories"


@pytest.fixture
def kept(opens: Opens, folder: Path) -> Path:
    """A folder in which Ana keeps bees, closed."""
    with opens(folder) as memory:
        memory.add("I keep bees", user_id="ana")
    return folder


@pytest.mark.parametrize("which", ["registry", "owner"])
def test_a_newer_schema_is_refused_and_untouched(kept: Path, opens: Opens, which: str) -> None:
    file = kept / "registry.sqlite" if which == "registry" else owner_file(kept)
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(StoreTooNew, match="pip install -U inscape"):
        found(opens(kept), "bees")
    assert file.read_bytes() == before


@pytest.mark.parametrize("which", ["registry", "owner"])
@pytest.mark.parametrize("content", [b"no database at all, but long enough to look like one" * 50, b"\x00" * 4096])
def test_a_file_that_is_no_database(kept: Path, opens: Opens, which: str, content: bytes) -> None:
    file = kept / "registry.sqlite" if which == "registry" else owner_file(kept)
    file.write_bytes(content)
    with pytest.raises(NotAStore) as caught:
        found(opens(kept), "bees")
    assert file.name in str(caught.value)
    assert file.read_bytes() == content


@pytest.mark.parametrize("version", [0, 1, 7])
def test_somebody_elses_database_is_refused_and_untouched(folder: Path, opens: Opens, version: int) -> None:
    folder.mkdir()
    with sqlite3.connect(folder / "registry.sqlite") as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    before = (folder / "registry.sqlite").read_bytes()
    with pytest.raises(NotAStore, match="something else"):
        opens(folder)
    assert (folder / "registry.sqlite").read_bytes() == before


def test_a_damaged_file_is_an_error_and_not_an_empty_memory(opens: Opens, folder: Path) -> None:
    with opens(folder) as memory:
        memory.add([f"number {n} " + "x" * 200 for n in range(200)], user_id="ana")
    file = owner_file(folder)
    content = bytearray(file.read_bytes())
    content[4096 : len(content)] = os.urandom(len(content) - 4096)
    file.write_bytes(content)
    with pytest.raises(StorageError):
        everything(opens(folder))


def test_a_damaged_owner_can_still_be_erased(kept: Path, opens: Opens) -> None:
    owner_file(kept).write_bytes(b"no database at all" * 100)
    memory = opens(kept)
    assert memory.erase(user_id="ana").scope == "owner"
    assert list((kept / "owners").iterdir()) == []
    memory.add("I am back", user_id="ana")
    assert everything(memory) == ["I am back"]


def test_a_folder_that_is_a_file(tmp_path: Path, opens: Opens) -> None:
    (tmp_path / "file").write_text("hello")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(NotAStore, match="is a file"):
            opens(path)
    assert (tmp_path / "file").read_text() == "hello"


def test_a_lost_key_is_an_error_and_not_an_empty_memory(kept: Path, opens: Opens) -> None:
    (kept / "registry.key").unlink()
    with pytest.raises(NotAStore, match="Restore it"):
        opens(kept)
    assert not (kept / "registry.key").exists()


def test_what_is_kept_is_for_its_owner_alone_to_read(kept: Path) -> None:
    assert (kept / "registry.key").stat().st_mode & 0o077 == 0
    assert (kept / "owners").stat().st_mode & 0o077 == 0


def test_the_registry_holds_no_name_and_no_text(kept: Path) -> None:
    content = (kept / "registry.sqlite").read_bytes()
    assert b"bees" not in content
    assert b"ana" not in content


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Generator[Path]:
    """A file system of 700 kB."""
    path = tmp_path / "disk"
    path.mkdir()
    _mounted("-t", "tmpfs", "-o", "size=700k", "tmpfs", str(path))
    yield path
    subprocess.run(["umount", "-l", str(path)], check=True)


def _mounted(*arguments: str) -> None:
    if os.geteuid() != 0 or subprocess.run(["mount", *arguments], check=False, capture_output=True).returncode:
        pytest.skip("mounting a file system needs root")


def test_on_a_full_disk_nothing_acknowledged_is_lost(tiny_disk: Path, opens: Opens) -> None:
    memory = opens(tiny_disk / "memories")
    acknowledged: list[str] = []

    def fill() -> None:
        for n in range(10_000):
            memory.add(f"number {n} " + "x" * 500, user_id="ana")
            acknowledged.append(f"number {n} " + "x" * 500)

    with pytest.raises(StoreUnwritable, match="full"):
        fill()
    assert len(acknowledged) > 3
    assert everything(memory) == acknowledged
    assert len(found(memory, "number 7", top_k=1)) == 1
    subprocess.run(["mount", "-o", "remount,size=4m", str(tiny_disk)], check=True)
    memory.add("there is room again", user_id="ana")
    assert everything(memory) == [*acknowledged, "there is room again"]
    assert everything(opens(tiny_disk / "memories")) == [*acknowledged, "there is room again"]
    memory.close()


def test_on_a_full_disk_the_first_word_of_a_new_owner_leaves_no_trace(tiny_disk: Path, opens: Opens) -> None:
    memory = opens(tiny_disk / "memories")
    memory.add("I keep bees", user_id="ana")
    filler = tiny_disk / "filler"
    with pytest.raises(OSError, match="No space"):
        filler.write_bytes(b"x" * 1_000_000)
    for _ in range(3):
        with pytest.raises(StoreUnwritable):
            memory.add("I play chess", user_id="ben")
    assert len(list((tiny_disk / "memories" / "owners").glob("*.sqlite"))) == 1
    filler.unlink()
    memory.add("I play chess", user_id="ben")
    assert everything(memory, "ben") == ["I play chess"]
    memory.close()


@pytest.mark.parametrize("is_new", [True, False])
def test_a_folder_that_cannot_be_written(kept: Path, opens: Opens, tmp_path: Path, is_new: bool) -> None:
    place = tmp_path / "disk"
    place.mkdir()
    source = tmp_path / "empty" if is_new else kept
    source.mkdir(exist_ok=True)
    _mounted("--bind", str(source), str(place))
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(place)], check=True)
        with pytest.raises(StoreUnwritable, match="another folder"):
            opens(place).add("I play chess", user_id="ana")
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)
    if not is_new:
        assert everything(opens(kept)) == ["I keep bees"]


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("colour = 'red'", "colour"),
        ("top_k = 'many'", "top_k"),
        ("top_k = 1.5", "top_k"),
        ("top_k = true", "top_k"),
        ("budget = 0", "budget"),
        ("open_owners = -1", "open_owners"),
        ("silent_hours = inf", "silent_hours"),
        ("silent_hours = nan", "silent_hours"),
        ("embedding = 5", "embedding"),
        ("this is not toml", "TOML"),
    ],
)
def test_settings_that_are_off(tmp_path: Path, written: str, named: str) -> None:
    (tmp_path / "inscape.toml").write_text(written)
    with pytest.raises(InvalidSetting, match=named) as caught:
        Memory(tmp_path)
    assert "inscape.toml" in str(caught.value)


def test_settings_are_read_from_the_folder(tmp_path: Path, models: dict[str, Any]) -> None:
    (tmp_path / "inscape.toml").write_text('embedding = "words"\ntop_k = 3\nsilent_hours = 2\n')
    with Memory(tmp_path) as memory:
        assert memory.settings == Settings(embedding="words", top_k=3, silent_hours=2.0)
    with Memory(tmp_path, embedding="minilm") as memory:
        assert memory.settings.embedding == "minilm"


def test_a_store_let_go_of_while_a_thread_uses_it_goes_on(opens: Opens, models: dict[str, Any]) -> None:
    """With one store open at most, asking for Ben's lets go of Ana's, which another thread is using."""
    using, may_go_on = threading.Event(), threading.Event()

    class Slow(WordEmbedding):
        def embed(self, text: str) -> Any:
            if "slowly" in text:
                using.set()
                assert may_go_on.wait(20)
            return super().embed(text)

    models["words"] = Slow()
    memory = opens(open_owners=1)
    memory.add("first", user_id="ana")
    failures: list[BaseException] = []

    def tell() -> None:
        try:
            memory.add("slowly", user_id="ana")
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=tell)
    thread.start()
    assert using.wait(20)
    for user in ("ben", "eva", "ben", "ana"):
        memory.add("hello", user_id=user)
    may_go_on.set()
    thread.join()
    assert failures == []
    assert everything(memory) == ["first", "hello", "slowly"]


def test_many_threads_and_owners_with_one_store_open_at_most(opens: Opens) -> None:
    memory = opens(open_owners=1)
    failures: list[BaseException] = []

    def work(user: str) -> None:
        try:
            for n in range(15):
                memory.add(f"{user} {n}", user_id=user)
                assert f"{user} {n}" in found(memory, f"{n}", user, top_k=100)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(user,)) for user in ("ana", "ben", "eva", "ana2")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert everything(memory) == [f"ana {n}" for n in range(15)]


def test_no_more_files_stay_open_than_settings_say(opens: Opens) -> None:
    memory = opens(open_owners=2)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for n in range(20):
        memory.add("hello", user_id=f"user{n}")
    assert len(list(Path("/proc/self/fd").iterdir())) - before <= 2 * 3 + 3


def test_an_erasure_that_was_killed_in_between_is_finished_at_the_next_call(kept: Path, opens: Opens) -> None:
    with sqlite3.connect(owner_file(kept)) as connection:
        connection.execute("INSERT INTO meta (name, value) VALUES ('erased', '1')")
    connection.close()
    memory = opens(kept)
    assert memory.users() == []
    assert everything(memory) == []
    assert list((kept / "owners").iterdir()) == []
    memory.add("I am back", user_id="ana")
    assert everything(memory) == ["I am back"]


def test_an_erasure_that_left_the_log_is_finished_when_the_store_is_opened(opens: Opens, folder: Path) -> None:
    memory = opens(folder)
    memory.add(["my zeppelin-9 secret", "I keep bees"], user_id="ana")
    reader = sqlite3.connect(owner_file(folder), isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM turn").fetchone()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("inscape.storage.connect.LOCK_SECONDS", 0.1)
        impatient = opens(folder)
        with pytest.raises(StorageError, match="opened next"):
            impatient.erase(user_id="ana", ids=["t1"])
    assert everything(memory) == ["I keep bees"]
    shutil.copytree(folder, folder.with_name("killed"))
    reader.close()
    again = opens(folder.with_name("killed"))
    assert everything(again) == ["I keep bees"]
    assert b"zeppelin" not in b"".join(file.read_bytes() for file in (again.folder / "owners").iterdir())
