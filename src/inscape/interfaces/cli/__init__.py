"""The command line. Nothing heavy is imported here: `inscape --help` must answer at once."""

from __future__ import annotations

import io


def main() -> None:
    """Entry point of `inscape`."""
    import sys

    from inscape.interfaces.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()
