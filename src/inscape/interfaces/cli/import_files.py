"""`inscape import`: chats that were exported elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inscape.errors import InscapeError, InvalidMessage, UnknownId
from inscape.interfaces.cli.exits import REFUSED, code_of, error_json
from inscape.interfaces.cli.export import NOTE_MARK
from inscape.interfaces.cli.folder import memory_in, user_named
from inscape.interfaces.cli.import_report import FileReport, ImportReport, print_report
from inscape.interfaces.cli.options import Agent, AsJson, Dir, DryRun, Session, Timezone, User
from inscape.interfaces.cli.screen import print_json, progress
from inscape.interfaces.cli.watched_path import WatchedPath

if TYPE_CHECKING:
    from inscape.importing.reading import Format
    from inscape.incoming import Defaults
    from inscape.memory import Memory
    from inscape.records import Message, Receipt

_BATCH = 64
"""Messages committed at once: an import that is killed repeats at most so many."""


def import_(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="What another program exported.")],
    user: User = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="inscape, chatgpt, claude, telegram, openai, whatsapp or plain; else recognised.",
        ),
    ] = None,
    session: Session = None,
    agent: Agent = None,
    timezone: Timezone = None,
    day_first: Annotated[
        bool | None,
        typer.Option("--day-first/--month-first", help="How the file means 05/06/2023; else found out."),
    ] = None,
    dry_run: DryRun = False,
    folder: Dir = None,
    as_json: AsJson = False,
) -> None:
    """Bring in chats from files: ChatGPT, Claude, Telegram, WhatsApp, OpenAI-style JSON, text, inscape's own.

    What is broken is reported with its place and left out, the rest is stored. Stop it whenever you like:
    run again, it knows what it has.
    """
    from inscape.importing.formats import detect, format_named
    from inscape.incoming import Defaults, owner_name

    owner = owner_name(user_named(user))
    defaults = Defaults(owner=owner, session_id=session, agent_id=agent, timezone=timezone, day_first=day_first)
    formats = [(path, format_named(format) if format else detect(path)) for path in files]
    report = ImportReport(dry_run=dry_run)
    if dry_run:
        _import(formats, None, defaults=defaults, report=report, as_json=as_json)
        return
    with memory_in(folder, make=True) as memory:
        _import(formats, memory, defaults=defaults, report=report, as_json=as_json)


def _import(
    files: Sequence[tuple[Path, Format]],
    memory: Memory | None,
    *,
    defaults: Defaults,
    report: ImportReport,
    as_json: bool,
) -> None:
    """Read all files, into memory where there is one, and print what came of it whatever happens."""
    failed: InscapeError | None = None
    try:
        for path, format in files:
            report.files.append(FileReport(file=str(path), format=format.name))
            with progress(path.name, unit="bytes") as seen:
                _import_file(path, format, memory, defaults=defaults, report=report.files[-1], seen=seen)
    except KeyboardInterrupt:
        report.interrupted = True
        raise
    except InscapeError as error:
        failed = error
        if not as_json:
            raise
    finally:
        if as_json:
            print_json({**asdict(report), **(error_json(failed) if failed else {})})
        elif failed is None or len(files) > 1 or any(file.messages for file in report.files):
            print_report(report)
    if failed is not None:
        raise typer.Exit(code_of(failed)) from failed
    if report.broken:
        raise typer.Exit(REFUSED)


def _import_file(
    path: Path,
    format: Format,
    memory: Memory | None,
    *,
    defaults: Defaults,
    report: FileReport,
    seen: Callable[[int, int], None],
) -> None:
    from inscape.importing.reading import Broken, Mended, Skipped

    watched = WatchedPath(path)
    watched.seen = seen
    batch: list[Message] = []
    for read in format.read(watched, defaults=defaults):
        match read:
            case Broken():
                report.break_at(read.where, read.reason)
            case Skipped():
                report.skipped[read.reason] = report.skipped.get(read.reason, 0) + 1
            case Mended():
                report.mended += 1
                report.notice(read.notice)
            case _:
                report.messages += 1
                if memory is not None:
                    batch.append(read)
        if memory is not None and len(batch) == _BATCH:
            _store(batch, memory, user=defaults.owner, report=report)
            batch = []
    if memory is not None and batch:
        _store(batch, memory, user=defaults.owner, report=report)
    report.done = True


def _store(batch: list[Message], memory: Memory, *, user: str, report: FileReport) -> None:
    new = [message for message in batch if not _is_kept_note(message, memory, user=user)]
    report.known += len(batch) - len(new)
    if not new:
        return
    try:
        receipt = memory.add(new, user_id=user)
    except InvalidMessage as error:
        if len(new) == 1:
            report.break_at(_place_of(new[0]), str(error))
            return
        for message in new:
            _store([message], memory, user=user, report=report)
        return
    _count(receipt, new, report)


def _count(receipt: Receipt, messages: list[Message], report: FileReport) -> None:
    report.stored += len(receipt.stored)
    report.known += len(receipt.known)
    for refused in receipt.refused:
        report.break_at(_place_of(messages[refused.index]), refused.reason)
    for notice in receipt.notices:
        report.notice(notice)


def _is_kept_note(message: Message, memory: Memory, *, user: str) -> bool:
    """Whether it is a note that came from this very memory (see `export`)."""
    if message.message_id is None or not message.message_id.startswith(NOTE_MARK):
        return False
    try:
        kept = memory.get(message.message_id.removeprefix(NOTE_MARK), user_id=user)
    except UnknownId:
        return False
    return kept["memory"] == message.text


def _place_of(message: Message) -> str:
    if message.message_id is not None:
        return f"message {message.message_id}"
    return f"message of {message.speaker} in {message.session_id}"
