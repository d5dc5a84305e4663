"""Runs the command line for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from inscape.interfaces.cli.app import app

COMMAND = (sys.executable, "-c", "from inscape.interfaces.cli import main; main()")


@dataclass(frozen=True, kw_only=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> tuple[int, str]:
        """Exit code and kind of an error that `--json` printed."""
        return self.code, self.json["error"]["kind"]


@dataclass(frozen=True, kw_only=True)
class Cli:
    """Runs commands over a folder of their own, for the user ana unless told otherwise."""

    folder: Path
    user: str = "ana"

    @property
    def environment(self) -> dict[str, str]:
        return {"INSCAPE_HOME": str(self.folder), "INSCAPE_USER": self.user}

    def __call__(self, *args: str, input: str | None = None) -> Ran:
        result = CliRunner().invoke(app, list(args), input=input, env=self.environment)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(code=result.exit_code, out=result.stdout, err=result.stderr)

    def apart(self, *args: str, input: str | None = None, **environment: str) -> Ran:
        """The same in a process of its own."""
        done = subprocess.run(
            [*COMMAND, *args],
            input=input,
            env={**os.environ, **self.environment, **environment},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        return Ran(code=done.returncode, out=done.stdout, err=done.stderr)
