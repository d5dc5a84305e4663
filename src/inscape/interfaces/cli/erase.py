"""`inscape erase`: destroy, and prove it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from inscape.errors import InvalidInput, UnknownId
from inscape.interfaces.cli.folder import check_kept, memory_in, user_named
from inscape.interfaces.cli.options import AsJson, Dir, DryRun, User, Yes
from inscape.interfaces.cli.removal import confirm, print_items
from inscape.interfaces.cli.screen import complain, print_json, say
from inscape.interfaces.cli.wording import counted

if TYPE_CHECKING:
    from inscape.items import Item
    from inscape.memory import Memory
    from inscape.records import Erasure


def erase(
    user: User = None,
    ids: Annotated[
        list[str] | None, typer.Option("--id", metavar="ID", help="This memory. Any number of times.")
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="NAME", help="All of this session (chat).")
    ] = None,
    matching: Annotated[
        str | None, typer.Option("--matching", metavar="WORDS", help="What search finds for these words.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All that is kept of the user.")] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    folder: Dir = None,
    as_json: AsJson = False,
) -> None:
    """Destroy turns and all that rests on them, look for what is left of them, and give a receipt.

    Shows what would go and asks first. Name --id, --session, --matching (within a --session, if you like)
    or --all.
    """
    user = user_named(user)
    if everything == any((ids, session is not None, matching is not None)):
        raise InvalidInput("Say what to erase: --id, --session or --matching, or --all alone.")
    with memory_in(folder) as memory:
        if everything and yes and not dry_run:
            _print_receipt(memory.erase(user_id=user), as_json=as_json)
            return
        items = _to_erase(memory, user, ids=ids, session=session, matching=matching, everything=everything)
        if not items and not everything:
            raise UnknownId("Nothing that is kept matches, so nothing was erased.")
        if dry_run or not (as_json or yes):
            _show(items, user, everything=everything, dry_run=dry_run, as_json=as_json)
        if dry_run:
            return
        if not confirm("Erase this for good?", yes=yes):
            complain("nothing was erased.", label="")
            return
        if everything:
            erasure = memory.erase(user_id=user)
        elif session is not None and not ids and matching is None:
            erasure = memory.erase(user_id=user, session_id=session)
        else:
            erasure = memory.erase(user_id=user, ids=[item["id"] for item in items])
    _print_receipt(erasure, as_json=as_json)


def _to_erase(
    memory: Memory,
    user: str,
    *,
    ids: list[str] | None,
    session: str | None,
    matching: str | None,
    everything: bool,
) -> list[Item]:
    if everything:
        check_kept(memory, user)
        return memory.get_all(user_id=user)["results"]
    return memory.to_erase(user_id=user, ids=ids, session_id=session, matching=matching)


def _show(items: list[Item], user: str, *, everything: bool, dry_run: bool, as_json: bool) -> None:
    if as_json:
        print_json({"dry_run": dry_run, "all": everything, "results": items})
        return
    would = " (--dry-run)" if dry_run else ""
    what = f"All that is kept of {user}: {counted(len(items), 'line')}, what was deleted, and the file"
    say(what if everything else counted(len(items), "turn"), f" would be erased{would}:")
    print_items(items)


def _print_receipt(erasure: Erasure, *, as_json: bool) -> None:
    if as_json:
        print_json({**asdict(erasure), "made_at": erasure.made_at.isoformat()})
        return
    say(("erased", "green"), f" {counted(erasure.turns, 'turn')} and {counted(erasure.notes, 'note')}")
    say("Searched for what was erased, and found it nowhere:")
    for place in erasure.checked:
        say(f"- {place}", indent=2)
    say(f"Receipt {erasure.id}, kept without text or name.")
