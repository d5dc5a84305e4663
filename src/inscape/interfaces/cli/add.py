"""`inscape add`: messages from the command line or from stdin."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, cast

import typer

from inscape.errors import InvalidMessage
from inscape.interfaces.cli.exits import REFUSED
from inscape.interfaces.cli.folder import memory_in, metadata_of, user_named
from inscape.interfaces.cli.options import Agent, AsJson, Dir, Metadata, Run, Session, Timezone, User
from inscape.interfaces.cli.screen import print_json, say
from inscape.interfaces.cli.wording import counted

if TYPE_CHECKING:
    from inscape.records import Receipt

_JSON = re.compile(r'\s*(\[\s*[{"]|\{\s*")')
"""How stdin begins when it is meant as JSON; `[laughs] well` is not."""


def add(
    text: Annotated[list[str], typer.Argument(metavar="TEXT...", help="The message, or - to read it from stdin.")],
    user: User = None,
    session: Session = None,
    speaker: Annotated[
        str | None, typer.Option("--speaker", metavar="NAME", help="Who said it; else the user.")
    ] = None,
    role: Annotated[
        str | None, typer.Option("--role", metavar="ROLE", help="user (default), assistant, system or tool.")
    ] = None,
    timestamp: Annotated[
        str | None,
        typer.Option("--timestamp", metavar="TIME", help="When it was said, like 2025-09-02T18:31; else undated."),
    ] = None,
    timezone: Timezone = None,
    agent: Agent = None,
    run: Run = None,
    metadata: Metadata = None,
    folder: Dir = None,
    as_json: AsJson = False,
) -> None:
    """Keep a message. It can be found when this returns.

    Several words make one message. From stdin (-) comes plain text, which is one message, or JSON: a message
    with role and content, a list of them, or one of them a line.
    """
    user = user_named(user)
    messages = _with_defaults(_messages(text), speaker=speaker, role=role)
    with memory_in(folder, make=True) as memory:
        receipt = memory.add(
            messages, user_id=user, session_id=session, agent_id=agent, run_id=run, timestamp=timestamp,
            timezone=timezone, metadata=metadata_of(metadata),
        )  # fmt: skip
    if as_json:
        print_json(asdict(receipt))
    else:
        _print_receipt(receipt)
    if receipt.refused:
        raise typer.Exit(REFUSED)


def _messages(words: list[str]) -> list[object]:
    if words != ["-"]:
        return [" ".join(words)]
    try:
        given = sys.stdin.read()
    except UnicodeDecodeError as error:
        raise InvalidMessage(f"What came from stdin is no text in UTF-8: {error}. Convert it first.") from error
    if not _JSON.match(given):
        return [given.strip("\r\n")]
    try:
        found = _json_in(given)
    except (ValueError, RecursionError) as error:
        raise InvalidMessage(
            f"What came from stdin begins like JSON and is none: {error}. Mend it; nothing was stored."
        ) from error
    if isinstance(found, list):
        return cast("list[object]", found)
    held = cast("dict[str, object]", found).get("messages") if isinstance(found, dict) else None
    return cast("list[object]", held) if isinstance(held, list) else [found]


def _json_in(given: str) -> object:
    """One JSON document, or one a line."""
    try:
        return json.loads(given)
    except ValueError as whole:
        lines = [line for line in given.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        try:
            return [json.loads(line) for line in lines]
        except ValueError:
            raise whole from None


def _with_defaults(messages: list[object], *, speaker: str | None, role: str | None) -> list[object]:
    """Messages that say who speaks, where the command line does and they do not."""
    given = {name: value for name, value in (("speaker", speaker), ("role", role)) if value is not None}
    if not given:
        return messages
    filled: list[object] = []
    for message in messages:
        if isinstance(message, str):
            filled.append({"content": message, **given})
        elif isinstance(message, Mapping):
            own = cast("Mapping[str, object]", message)
            defaults = {k: v for k, v in given.items() if not (k == "speaker" and "name" in own)}
            filled.append({**defaults, **own})
        else:
            filled.append(message)
    return filled


def _print_receipt(receipt: Receipt) -> None:
    if receipt.stored:
        say(("stored", "green"), f" {counted(len(receipt.stored), 'turn')}: {', '.join(receipt.stored)}")
    for known in receipt.known:
        say(("known", "yellow"), f" message {known.index + 1} is turn {known.turn_id} already. {known.advice}")
    for refused in receipt.refused:
        say(("refused", "red"), f" message {refused.index + 1}: {refused.reason}")
    for notice in receipt.notices:
        say(("notice", "yellow"), f" {notice}")
