"""The commands of `inscape`, in the order in which `--help` shows them."""

from __future__ import annotations

from typing import Annotated

import typer

from inscape.interfaces.cli.add import add
from inscape.interfaces.cli.ask import recall, search
from inscape.interfaces.cli.bench import bench
from inscape.interfaces.cli.change import delete, update
from inscape.interfaces.cli.demo import demo
from inscape.interfaces.cli.doctor import doctor
from inscape.interfaces.cli.erase import erase
from inscape.interfaces.cli.exits import EPILOG, CommandsThatEndWell
from inscape.interfaces.cli.export import export
from inscape.interfaces.cli.import_files import import_
from inscape.interfaces.cli.init import init
from inscape.interfaces.cli.reindex import reindex
from inscape.interfaces.cli.show import get, history, show

app = typer.Typer(
    name="inscape",
    cls=CommandsThatEndWell,
    epilog=EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_PANELS = {
    "Begin": {"demo": demo, "init": init, "doctor": doctor},
    "Remember": {"add": add, "import": import_},
    "Ask": {"search": search, "recall": recall},
    "Look": {"show": show, "get": get, "history": history, "export": export},
    "Correct and remove": {"update": update, "delete": delete, "erase": erase},
    "Look after": {"reindex": reindex},
}
for _panel, _commands in _PANELS.items():
    for _name, _command in _commands.items():
        app.command(_name, rich_help_panel=_panel, epilog=EPILOG)(_command)
app.command(
    "bench",
    rich_help_panel="Look after",
    add_help_option=False,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)(bench)


def _print_version(wanted: bool) -> None:
    if wanted:
        from inscape import __version__

        typer.echo(f"inscape {__version__}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Long-term memory for assistants: keeps what was said, finds it again, and erases it when told to."""
