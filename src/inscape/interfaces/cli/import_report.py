"""What an import did, file by file, in numbers and in words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from inscape.interfaces.cli.screen import say
from inscape.interfaces.cli.wording import counted

MOST_SHOWN = 20
"""Reasons that are printed in full; the others are counted."""
_PLACE = re.compile(r"^messages\[\d+\]: ")


@dataclass(kw_only=True, slots=True)
class FileReport:
    """One file."""

    file: str
    format: str
    messages: int = 0
    """That could be read."""
    stored: int = 0
    known: int = 0
    broken: int = 0
    """Records that could not be read or were refused."""
    reasons: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    """Of the first of them, each with its place in the file."""
    skipped: dict[str, int] = field(default_factory=dict[str, int])
    """Records that hold no message, by reason."""
    mended: int = 0
    notices: list[str] = field(default_factory=list[str])
    """The first of them, each once."""
    done: bool = False
    """Whether the file was read to its end."""

    def break_at(self, where: str, reason: str) -> None:
        self.broken += 1
        if len(self.reasons) < MOST_SHOWN:
            self.reasons.append({"where": where, "reason": reason})

    def notice(self, notice: str) -> None:
        notice = _PLACE.sub("", notice)
        if notice not in self.notices and len(self.notices) < MOST_SHOWN:
            self.notices.append(notice)


@dataclass(kw_only=True, slots=True)
class ImportReport:
    """All files of one command."""

    dry_run: bool
    files: list[FileReport] = field(default_factory=list[FileReport])
    interrupted: bool = False

    @property
    def broken(self) -> int:
        return sum(file.broken for file in self.files)


def print_report(report: ImportReport) -> None:
    """The report in words."""
    for file in report.files:
        _print_file(file, dry_run=report.dry_run)
    if report.interrupted and not report.dry_run:
        stored = counted(sum(file.stored for file in report.files), "turn")
        say(f"Stopped. {stored} stored by now are safe; run the same command again and it goes on from there.")


def _print_file(file: FileReport, *, dry_run: bool) -> None:
    say((file.file, "bold"), f" ({file.format})")
    if dry_run:
        say(f"{counted(file.messages, 'message')} can be read; nothing was stored (--dry-run)", indent=2)
    else:
        say((f"{counted(file.stored, 'turn')} stored", "green"), f", {file.known:,} known already", indent=2)
    for reason, count in sorted(file.skipped.items(), key=lambda one: -one[1]):
        say(f"{count:,} left out: {reason}", indent=2)
    if file.mended:
        say(f"{counted(file.mended, 'message')} mended", indent=2)
    for notice in file.notices:
        say(notice, indent=4)
    if file.broken:
        say((f"{counted(file.broken, 'record')} broken", "red"), indent=2)
    for broken in file.reasons:
        place = broken["where"].removeprefix("line ")
        say(f"{file.file}:{place}: {broken['reason']}", indent=4)
    if file.broken > len(file.reasons):
        say(f"and {file.broken - len(file.reasons):,} more", indent=4)
