"""The options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

_WHERE = "Where and whose"
_WHICH = "Which memories to look at"

Dir: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--dir",
        metavar="PATH",
        envvar="INSCAPE_HOME",
        show_default="~/.inscape",
        rich_help_panel=_WHERE,
        help="The folder of memories.",
    ),
]
User: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--user",
        metavar="NAME",
        envvar="INSCAPE_USER",
        show_default=False,
        rich_help_panel=_WHERE,
        help="Whose memory it is.",
    ),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document, for programs.")]
DryRun: TypeAlias = Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")]
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]

Agent: TypeAlias = Annotated[str | None, typer.Option("--agent", metavar="NAME", help="The assistant's name.")]
Run: TypeAlias = Annotated[str | None, typer.Option("--run", metavar="NAME", help="The run it belongs to.")]
Session: TypeAlias = Annotated[
    str | None, typer.Option("--session", metavar="NAME", help="The session (chat) it belongs to.")
]
Timezone: TypeAlias = Annotated[
    str | None,
    typer.Option("--timezone", metavar="ZONE", help="Where the speakers were, like Europe/Berlin or +02:00; else UTC."),
]
Metadata: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--metadata", metavar="KEY=VALUE", help="Any number of times. A value that is JSON is read as JSON."),
]

OfSpeaker: TypeAlias = Annotated[
    str | None, typer.Option("--speaker", metavar="NAME", rich_help_panel=_WHICH, help="Said by them only.")
]
OfRole: TypeAlias = Annotated[
    str | None,
    typer.Option("--role", metavar="ROLE", rich_help_panel=_WHICH, help="One of user, assistant, system, tool."),
]
OfSession: TypeAlias = Annotated[
    str | None,
    typer.Option("--session", metavar="NAME", rich_help_panel=_WHICH, help="Of this session (chat) only."),
]
OfAgent: TypeAlias = Annotated[
    str | None, typer.Option("--agent", metavar="NAME", rich_help_panel=_WHICH, help="With this agent only.")
]
OfRun: TypeAlias = Annotated[
    str | None, typer.Option("--run", metavar="NAME", rich_help_panel=_WHICH, help="Of this run only.")
]
Since: TypeAlias = Annotated[
    str | None,
    typer.Option("--since", metavar="TIME", rich_help_panel=_WHICH, help="Said then or later, like 2025-09-30."),
]
Until: TypeAlias = Annotated[
    str | None, typer.Option("--until", metavar="TIME", rich_help_panel=_WHICH, help="Said then or earlier.")
]
OfMetadata: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--metadata",
        metavar="KEY=VALUE",
        rich_help_panel=_WHICH,
        help="With this metadata. Any number of times.",
    ),
]
TopK: TypeAlias = Annotated[
    int | None,
    typer.Option("--top-k", metavar="N", show_default="top_k of inscape.toml", help="At most so many hits."),
]
