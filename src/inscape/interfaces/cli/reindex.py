"""`inscape reindex`: vectors and words again, by today's settings."""

from __future__ import annotations

from inscape.interfaces.cli.folder import memory_in
from inscape.interfaces.cli.options import AsJson, Dir, User
from inscape.interfaces.cli.screen import print_json, progress, say
from inscape.interfaces.cli.wording import counted


def reindex(user: User = None, folder: Dir = None, as_json: AsJson = False) -> None:
    """Embed all memories again, after another embedding model was set. Without --user: of all users.

    Until it is done, memories are found by the model they had. Stop it when you like: it goes on where it
    stopped.
    """
    embedded: dict[str, int] = {}
    with memory_in(folder) as memory:
        for name in [user] if user else memory.users():
            with progress(name, unit="turns") as seen:
                embedded[name] = memory.reindex(user_id=name, progress=seen)
    if as_json:
        print_json({"embedded": embedded})
        return
    for name, count in embedded.items():
        say((name, "bold"), f": {counted(count, 'text')} embedded again")
    if not embedded:
        say("Nothing is kept of anybody, so there was nothing to do.")
