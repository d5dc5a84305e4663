"""`inscape search` and `inscape recall`: what memory holds on a question."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from inscape.interfaces.cli.exits import NOTHING_FOUND
from inscape.interfaces.cli.folder import memory_in, metadata_of, user_named
from inscape.interfaces.cli.options import (
    AsJson,
    Dir,
    OfAgent,
    OfMetadata,
    OfRole,
    OfRun,
    OfSession,
    OfSpeaker,
    Since,
    TopK,
    Until,
    User,
)
from inscape.interfaces.cli.screen import print_json, say, say_raw
from inscape.interfaces.cli.wording import counted, date_of, found_by, text_of

if TYPE_CHECKING:
    from inscape.items import Item

NOT_IN_MEMORY = "not in memory"


def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A question, or words to look for.")],
    user: User = None,
    top_k: TopK = None,
    speaker: OfSpeaker = None,
    role: OfRole = None,
    session: OfSession = None,
    agent: OfAgent = None,
    run: OfRun = None,
    since: Since = None,
    until: Until = None,
    metadata: OfMetadata = None,
    folder: Dir = None,
    as_json: AsJson = False,
) -> None:
    """Find what was said on a question, best first, with how it was found."""
    user = user_named(user)
    with memory_in(folder) as memory:
        found = memory.search(
            query, user_id=user, top_k=top_k, speaker=speaker, role=role, session_id=session, agent_id=agent,
            run_id=run, since=since, until=until, metadata=metadata_of(metadata),
        )  # fmt: skip
    if as_json:
        print_json(found)
    elif not found["results"]:
        say(NOT_IN_MEMORY)
    else:
        if found.get("gaps"):
            say(f"{NOT_IN_MEMORY}; the nearest lines, only loosely related:")
        for place, item in enumerate(found["results"], start=1):
            _print_hit(place, item)
    if not found["results"] or found.get("gaps"):
        raise typer.Exit(NOTHING_FOUND)


def recall(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What the model is asked.")],
    user: User = None,
    budget: Annotated[
        int | None,
        typer.Option("--budget", metavar="TOKENS", show_default="budget of inscape.toml", help="Size of the context."),
    ] = None,
    top_k: TopK = None,
    speaker: OfSpeaker = None,
    role: OfRole = None,
    session: OfSession = None,
    agent: OfAgent = None,
    run: OfRun = None,
    since: Since = None,
    until: Until = None,
    metadata: OfMetadata = None,
    folder: Dir = None,
    as_json: AsJson = False,
) -> None:
    """Print the context for a question: the block of text to hand to a model, within a budget of tokens."""
    user = user_named(user)
    with memory_in(folder) as memory:
        found = memory.recall(
            question, user_id=user, budget=budget, top_k=top_k, speaker=speaker, role=role, session_id=session,
            agent_id=agent, run_id=run, since=since, until=until, metadata=metadata_of(metadata),
        )  # fmt: skip
    if as_json:
        from inscape.items import item_of_hit

        print_json(
            {
                "question": found.question,
                "context": found.context,
                "context_tokens": found.context_tokens,
                "context_ids": found.context_ids,
                "hits": [item_of_hit(hit, user) for hit in found.hits],
                "steps": [asdict(step) for step in found.steps],
                "gaps": found.gaps,
            }
        )
    elif found.found:
        say_raw(found.context)
        if sys.stdout.isatty():
            lines = counted(len(found.context_ids), "line")
            say((f"{lines}, {counted(found.context_tokens, 'token')}", "dim"))
    else:
        say(NOT_IN_MEMORY)
    if not found.found:
        raise typer.Exit(NOTHING_FOUND)


def _print_hit(place: int, item: Item) -> None:
    say(
        (f"{place}. ", "bold"), (f"{item.get('score', 0.0):.2f}", "green"), "  ",
        (date_of(item["created_at"]), "cyan"), "  ", (item["speaker"], "bold"), f"  {item['id']}",
        (f"  session {item['session_id']}", "dim"),
    )  # fmt: skip
    say(text_of(item), indent=3)
    say((f"found by {found_by(item.get('found_by', {}))}", "dim"), indent=3)
