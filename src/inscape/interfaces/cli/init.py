"""`inscape init`: a folder with its settings written out."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import textwrap
from pathlib import Path

from inscape.errors import NotAStore, StoreUnwritable
from inscape.interfaces.cli.folder import folder_at, memory_in
from inscape.interfaces.cli.options import AsJson, Dir
from inscape.interfaces.cli.screen import print_json, say
from inscape.settings import Settings

_HEADING = """\
# How memories are kept in this folder. Each setting stands here with its default: take away the
# first # of its line and write another value to change it.
"""


def init(folder: Dir = None, as_json: AsJson = False) -> None:
    """Make a folder for memories, with a commented inscape.toml. Never overwrites one.

    You need not: add and import make the folder too.
    """
    where = folder_at(folder)
    settings = where / "inscape.toml"
    made = _written(settings, settings_text())
    with memory_in(folder, make=True):
        pass
    if as_json:
        print_json({"folder": str(where), "settings": str(settings), "settings_made": made})
        return
    say(f"{where} is ready for memories.")
    say(f"Its settings: {settings}", "" if made else " (was there before, and stays as it is)")
    say()
    at = "" if folder is None else f" --dir {where}"
    say("Next:")
    say(f'inscape add "I moved to Lisbon in March." --user ana{at}', indent=2)
    say(f'inscape search "Where does Ana live?" --user ana{at}', indent=2)
    say(f"inscape import chat-export.json --user ana{at}", indent=2)


def settings_text() -> str:
    """All settings as TOML, each with what it means and commented out at its default."""
    explained = _explained()
    parts = [_HEADING]
    for field in dataclasses.fields(Settings):
        lines = textwrap.wrap(explained[field.name], width=98)
        parts.append("\n".join(f"# {line}" for line in lines) + f"\n# {field.name} = {json.dumps(field.default)}\n")
    return "\n".join(parts)


def _explained() -> dict[str, str]:
    """The docstring below each field of `Settings`: what is written there is what the file says."""
    body = ast.parse(textwrap.dedent(inspect.getsource(Settings))).body[0]
    explained: dict[str, str] = {}
    name = ""
    for node in body.body if isinstance(body, ast.ClassDef) else ():
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and name:
            explained[name] = " ".join(str(node.value.value).split())
    return explained


def _written(path: Path, text: str) -> bool:
    """Write a file that is not there yet; whether it was written. Raises NotAStore, StoreUnwritable."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        if not path.parent.is_dir():
            raise NotAStore(f"{path.parent} is a file. Give a folder for the memories.") from error
        return False
    except NotADirectoryError as error:
        raise NotAStore(f"{path.parent} lies below a file. Give a folder for the memories.") from error
    except OSError as error:
        raise StoreUnwritable(f"{path.parent} cannot be written ({error.strerror}). Choose another folder.") from error
    return True
