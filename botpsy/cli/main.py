"""``botpsy``: every command, each loading what it needs only when it runs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from botpsy import __version__
from botpsy.cli import (
    ask,
    audit,
    chat,
    data,
    doctor,
    evals,
    model,
    policy,
    remind,
    serve,
    tools,
    train,
    undo,
)
from botpsy.errors import BotpsyError

app = typer.Typer(
    name="botpsy",
    help="A private assistant on your own machine: you say it, you permit it, it does it.",
    epilog="Exit codes: 0 done, 1 failed, 2 wrong use, 3 not permitted.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"botpsy {__version__}")
        raise typer.Exit


# What the data extra brings, as it is imported.
_DATA_PACKAGES = ("datasketch", "pyarrow", "tokenizers", "yaml")


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


app.command("ask")(ask.ask)
app.command("chat")(chat.chat)
app.command("serve")(serve.serve)
app.command("tools")(tools.tools)
app.command("undo")(undo.undo)
app.command("remind")(remind.remind)
app.command("doctor")(doctor.doctor)
app.command("train")(train.train)
app.add_typer(model.app, name="model")
app.add_typer(policy.app, name="policy")
app.add_typer(audit.app, name="audit")
app.add_typer(data.app, name="data")
app.add_typer(evals.app, name="eval")


def main() -> None:
    """Run the command line; an error a user can act on is printed in words, without a traceback."""
    try:
        app()
    except BotpsyError as error:
        from botpsy.cli.common import console, safe_line

        out = console(stderr=True)
        out.print(f"[bold red]botpsy:[/] {safe_line(error.message)}")
        if error.hint:
            out.print(f"  {safe_line(error.hint)}")
        sys.exit(error.exit_code)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _DATA_PACKAGES:
            raise
        from botpsy.cli.common import console

        out = console(stderr=True)
        out.print(f"[bold red]botpsy:[/] This needs the package {package}.")
        out.print("  Install botpsy with its data extra: pip install 'botpsy\\[data]'.")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader went away (``botpsy audit show | head``); there is nobody to tell.
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        from botpsy.cli.common import console, safe_line

        where = f" ({safe_line(str(error.filename))})" if error.filename else ""
        what = safe_line(error.strerror or str(error))
        console(stderr=True).print(f"[bold red]botpsy:[/] {what}{where}")
        sys.exit(1)
