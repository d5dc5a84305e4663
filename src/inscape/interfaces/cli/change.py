"""`inscape update` and `delete`: a person's word about what is kept. Nothing is destroyed."""

from __future__ import annotations

from typing import Annotated

import typer

from inscape.errors import InvalidInput, UnknownId, shown
from inscape.interfaces.cli.folder import memory_in, user_named
from inscape.interfaces.cli.options import AsJson, Dir, DryRun, User
from inscape.interfaces.cli.removal import print_items
from inscape.interfaces.cli.screen import print_json, say
from inscape.interfaces.cli.wording import counted, text_of


def update(
    id: Annotated[str, typer.Argument(metavar="ID", help="As search prints it, like t12.")],
    text: Annotated[list[str], typer.Argument(metavar="TEXT...", help="What is right.")],
    user: User = None,
    folder: Dir = None,
    as_json: AsJson = False,
) -> None:
    """Correct a memory. Your words stand in its place; what was said stays on record (history)."""
    user = user_named(user)
    with memory_in(folder) as memory:
        item = memory.update(id, " ".join(text), user_id=user)
    if as_json:
        print_json(item)
    else:
        say(("corrected", "green"), f" {id} is now {item['id']}: ", text_of(item))


def delete(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", show_default=False, help="As search prints them.")
    ] = None,
    user: User = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="NAME", help="All of this session (chat).")
    ] = None,
    dry_run: DryRun = False,
    folder: Dir = None,
    as_json: AsJson = False,
) -> None:
    """Take memories out of search, recall and lists. They stay on record; erase destroys.

    Name ids, or a session.
    """
    user = user_named(user)
    if bool(ids) == (session is not None):
        raise InvalidInput("Name the ids to delete, or a --session.")
    with memory_in(folder) as memory:
        if session is None:
            items = [memory.get(id, user_id=user) for id in ids or ()]
        else:
            items = memory.get_all(user_id=user, session_id=session)["results"]
        if not items:
            raise UnknownId(f"No session of {shown(user)} is called {shown(session)}. Nothing was deleted.")
        if not dry_run:
            for item in items if session is None else ():
                memory.delete(item["id"], user_id=user)
            if session is not None:
                memory.delete_all(user_id=user, session_id=session)
    if as_json:
        print_json({"dry_run": dry_run, "results": items})
    elif dry_run:
        say(f"{counted(len(items), 'line')} would be deleted (--dry-run):")
        print_items(items)
    else:
        say(("deleted", "green"), f" {counted(len(items), 'line')}; on record until you erase them")
