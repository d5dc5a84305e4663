"""`inscape show`, `get` and `history`: what is kept, as it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from inscape.errors import InvalidInput, UnknownId, shown
from inscape.interfaces.cli.folder import check_kept, memory_in, user_named
from inscape.interfaces.cli.options import AsJson, Dir, User
from inscape.interfaces.cli.screen import json_text, print_json, say
from inscape.interfaces.cli.wording import counted, date_of, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inscape.items import Item
    from inscape.memory import Memory

_AROUND = 3
"""Memories shown before and after the one that `show ID` names."""


@dataclass(kw_only=True, slots=True)
class Chat:
    """A session in numbers."""

    session_id: str
    turns: int = 0
    notes: int = 0
    speakers: list[str] = field(default_factory=list[str])
    first: str | None = None
    last: str | None = None

    def count(self, item: Item) -> None:
        if item["kind"] == "turn":
            self.turns += 1
        else:
            self.notes += 1
        if item["speaker"] not in self.speakers:
            self.speakers.append(item["speaker"])
        self.first = _outer(self.first, item["created_at"], earlier=True)
        self.last = _outer(self.last, item["created_at"], earlier=False)


def show(
    id: Annotated[
        str | None, typer.Argument(metavar="[ID]", show_default=False, help="A memory, shown where it stands.")
    ] = None,
    user: User = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="NAME", help="Print all of this session (chat).")
    ] = None,
    folder: Dir = None,
    as_json: AsJson = False,
) -> None:
    """Show what is kept: of whom, in which sessions, from when, or one session in full.

    Without --user (or with an empty one) it names the users.
    """
    if id is not None and session is not None:
        raise InvalidInput("Name an id or a session, not both.")
    with memory_in(folder) as memory:
        if not user:
            if id is not None or session is not None:
                user_named(user)
            _show_users(memory.users(), as_json=as_json)
            return
        if id is not None:
            items = _around(memory, id, user)
        elif session is not None:
            items = memory.get_all(user_id=user, session_id=session)["results"]
        else:
            _show_overview(memory, user, as_json=as_json)
            return
    if not items:
        raise UnknownId(f"No session of {shown(user)} is called {shown(session)}. `inscape show` lists them.")
    if as_json:
        print_json({"results": items})
    else:
        _print_turns(items, marked=id)


def get(
    id: Annotated[str, typer.Argument(metavar="ID", help="As search prints it, like t12.")],
    user: User = None,
    folder: Dir = None,
    as_json: AsJson = False,
) -> None:
    """Show all that is kept of one memory, also of one that was deleted."""
    user = user_named(user)
    with memory_in(folder) as memory:
        item = memory.get(id, user_id=user)
    if as_json:
        print_json(item)
        return
    say((text_of(item), "bold"))
    for name, value in item.items():
        if name not in ("memory", "captions") and value not in (None, [], {}):
            say((f"{name}: ", "dim"), value if isinstance(value, str) else json_text(value), indent=2)


def history(
    id: Annotated[str, typer.Argument(metavar="ID", help="As search prints it, like t12.")],
    user: User = None,
    folder: Dir = None,
    as_json: AsJson = False,
) -> None:
    """Tell what became of a memory: when it was said, corrected, taken away, and by whom."""
    user = user_named(user)
    with memory_in(folder) as memory:
        events = memory.history(id, user_id=user)
    if as_json:
        print_json({"results": events})
        return
    for event in events:
        say((date_of(event["created_at"]), "cyan"), f"  {event['event']} by {event['author']}, as {event['id']}")
        say(event["memory"], indent=3)


def _show_users(names: list[str], *, as_json: bool) -> None:
    if as_json:
        print_json({"users": names})
    elif names:
        say(f"{counted(len(names), 'user')}:")
        for name in names:
            say(name, indent=2)
    else:
        say("Nothing is kept of anybody yet. `inscape add` and `inscape import` begin.")


def _show_overview(memory: Memory, user: str, *, as_json: bool) -> None:
    chats: dict[str, Chat] = {}
    speakers: Counter[str] = Counter()
    for item in memory.get_all(user_id=user)["results"]:
        chats.setdefault(item["session_id"], Chat(session_id=item["session_id"])).count(item)
        speakers[item["speaker"]] += 1
    if not chats:
        check_kept(memory, user)
    first, last = None, None
    for chat in chats.values():
        first, last = _outer(first, chat.first, earlier=True), _outer(last, chat.last, earlier=False)
    turns, notes = sum(chat.turns for chat in chats.values()), sum(chat.notes for chat in chats.values())
    if as_json:
        sessions = [asdict(chat) for chat in chats.values()]
        print_json(
            {"user": user, "turns": turns, "notes": notes, "first": first, "last": last,
             "speakers": dict(speakers), "sessions": sessions}
        )  # fmt: skip
        return
    say((user, "bold"), f": {counted(turns, 'turn')} and {counted(notes, 'note')} in {counted(len(chats), 'session')}")
    if first is not None:
        say(f"from {date_of(first)} to {date_of(last)}", indent=2)
    said = ", ".join(f"{name} {count:,}" for name, count in speakers.most_common())
    say(f"said by {said}" if said else "nothing living: what was kept is deleted", indent=2)
    for chat in chats.values():
        when = date_of(chat.first) if chat.first else "undated"
        say((chat.session_id, "bold"), f"  {counted(chat.turns + chat.notes, 'line')}  ", (when, "cyan"), indent=2)


def _around(memory: Memory, id: str, user: str) -> list[Item]:
    """A memory and those next to it in its session; alone where it was deleted."""
    item = memory.get(id, user_id=user)
    session = memory.get_all(user_id=user, session_id=item["session_id"])["results"]
    place = next((at for at, one in enumerate(session) if one["id"] == item["id"]), None)
    return [item] if place is None else session[max(0, place - _AROUND) : place + _AROUND + 1]


def _print_turns(items: Sequence[Item], *, marked: str | None) -> None:
    for item in items:
        bold = "bold" if item["id"] == marked else ""
        say(
            (">" if bold else " ", "green") if marked else "",
            (f"{item['id']:>5}", "dim"), "  ", (date_of(item["created_at"]), "cyan"), "  ",
            (f"{item['speaker']}: ", "bold"), (text_of(item).replace("\n", "\n  "), bold),
        )  # fmt: skip


def _outer(held: str | None, other: str | None, *, earlier: bool) -> str | None:
    """The earlier (or the later) of two ISO times with offsets; the one that there is."""
    from datetime import datetime

    if held is None or other is None:
        return held or other
    return (min if earlier else max)(held, other, key=datetime.fromisoformat)
