"""``botpsy serve``: the model as an OpenAI-compatible endpoint."""

from __future__ import annotations

from typing import Annotated

import typer

from botpsy.cli.common import HomeOption, ModelOption, console, safe
from botpsy.errors import UsageError


def serve(
    model: ModelOption = "",
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=0, max=65535)] = 8642,
    api_key: Annotated[
        str,
        typer.Option(
            envvar="BOTPSY_API_KEY", help="Demanded from clients. Needed beyond loopback."
        ),
    ] = "",
    home: HomeOption = None,
) -> None:
    """Serve the model on /v1/chat/completions: template, thinking and sampling already right.

    It completes chats and returns tool calls; it executes nothing. Ctrl-C stops it.
    """
    from ipaddress import ip_address

    import uvicorn

    from botpsy.assistant.home import open_home
    from botpsy.engines import load
    from botpsy.engines.serve import app

    try:
        loopback = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback and not api_key:
        raise UsageError(
            f"{host} can be reached by others, so clients must show a key.",
            hint="Give one with --api-key or BOTPSY_API_KEY, or leave the host at 127.0.0.1.",
        )
    engine = load(model or open_home(home).config.model)
    out = console(stderr=True)
    if engine.info.note:
        out.print(f"[dim]{safe(engine.info.note)}[/]")
    out.print(f"Serving {safe(engine.info.name)} on http://{host}:{port}/v1 (Ctrl-C stops)")
    try:
        uvicorn.run(
            app(engine, api_key=api_key or None),
            host=host,
            port=port,
            log_level="warning",
            timeout_graceful_shutdown=2,  # Ctrl-C does not wait for a long completion
        )
    finally:
        engine.close()
