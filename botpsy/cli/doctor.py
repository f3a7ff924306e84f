"""``botpsy doctor``: what works here, what does not, and what to do about it."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from botpsy.cli.common import HomeOption, JsonOption, ModelOption, console, print_json, safe
from botpsy.errors import BotpsyError

if TYPE_CHECKING:
    from botpsy.assistant.home import Home
    from botpsy.services.bundle import Services


@dataclass(frozen=True)
class Check:
    """One finding. ``warn`` works but wants attention; ``fail`` does not work."""

    name: str
    state: Literal["ok", "warn", "fail"]
    text: str


def doctor(
    model: ModelOption = "",
    quick: Annotated[bool, typer.Option("--quick", help="Do not load and time the model.")] = False,
    json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Check the home, policy, ledger, connectors, model and speed. Exit code 1 if one fails."""
    checks = []
    for check in _all(home, model, quick):
        checks.append(check)
        if not json:
            mark = {"ok": "[green]ok  [/]", "warn": "[yellow]warn[/]", "fail": "[red]FAIL[/]"}
            console().print(f"{mark[check.state]} [bold]{check.name}[/]: {safe(check.text)}")
    if json:
        rows = [{"name": c.name, "state": c.state, "text": c.text} for c in checks]
        print_json({"checks": rows})
    raise typer.Exit(1 if any(check.state == "fail" for check in checks) else 0)


def _all(path: HomeOption, model: str, quick: bool) -> Iterator[Check]:
    from botpsy import __version__
    from botpsy.assistant.home import open_home

    python = platform.python_version()
    yield Check("botpsy", "ok", f"{__version__}, Python {python} on {sys.platform}")
    try:
        home = open_home(path)
    except BotpsyError as error:
        yield Check("home", "fail", str(error))
        return
    for name, check in (("home", _home), ("policy", _policy), ("grants", _grants)):
        yield _guarded(name, check, home)
    yield _guarded("ledger", _ledger, home)
    yield from _connectors(home)
    yield _guarded("model", lambda home: _model(home, model), home)
    if not quick:
        yield _guarded("speed", lambda home: _speed(home, model), home)


def _guarded(name: str, check: Callable[[Home], Check], home: Home) -> Check:
    try:
        return check(home)
    except BotpsyError as error:
        return Check(name, "fail", str(error))


def _home(home: Home) -> Check:
    clock = home.clock()
    loose = home.path.stat().st_mode & 0o077
    if loose:
        return Check("home", "warn", f"{home.path} can be read by others: chmod 700 it.")
    return Check("home", "ok", f"{home.path}, time zone {clock.tz.key}, now {clock.now():%c}")


def _policy(home: Home) -> Check:
    from botpsy.assistant import policy_edit
    from botpsy.tools import catalogue

    policy = home.policy()
    if policy.problem:
        return Check("policy", "fail", policy.problem)
    slips = policy_edit.check(policy, list(catalogue().values()))
    if slips:
        return Check("policy", "warn", " ".join(slips))
    return Check("policy", "ok", f"{len(policy.rules)} rules in {home.policy_path}")


def _grants(home: Home) -> Check:
    store = home.grants()
    found = store.all()
    if store.problem:
        return Check("grants", "warn", store.problem)
    return Check("grants", "ok", f"{len(found)} approvals on file")


def _ledger(home: Home) -> Check:
    ledger = home.ledger()
    try:
        head = ledger.verify()
        count = ledger.head()[0]
        cut_off = [e for e in ledger.pending() if e.body["effect"] != "read"]
    finally:
        ledger.close()
    if cut_off:
        actions = ", ".join(entry.action for entry in cut_off)
        return Check("ledger", "warn", f"cut off and not yet looked at: {actions}")
    return Check("ledger", "ok", f"{count} entries, unbroken, head {head[:16]}")


def _connectors(home: Home) -> Iterator[Check]:
    from dataclasses import fields

    from botpsy.assistant.connect import connect
    from botpsy.services.bundle import ONLY_IN_WORLDS, Services

    try:
        services = connect(home, home.clock())
    except BotpsyError as error:
        yield Check("services", "fail", str(error))
        return
    for name in [f.name for f in fields(Services) if f.name not in ONLY_IN_WORLDS]:
        if not services.has(name):
            yield Check(name, "warn", "not connected; see config.toml")
            continue
        service = services.get(name)
        try:
            service.snapshot(_missing(services, name))  # the cheapest honest read
            yield Check(name, "ok", f"answers ({type(service).__name__})")
        except BotpsyError as error:
            yield Check(name, "fail", str(error))


def _missing(services: Services, name: str) -> str:
    """The key of a record that is not there, in the form this service has for keys."""
    if name == "files":
        return f"{services.files.roots[0]}/doctor"
    return "note/doctor" if name == "notes" else "doctor"


def _model(home: Home, model: str) -> Check:
    from botpsy.engines import store

    name = model or home.config.model
    if name.startswith(("http://", "https://")):
        return Check("model", "ok", name)
    found = store.resolve(name)
    return Check(
        "model", "warn" if found.note else "ok", f"{found.path}. {found.note}".removesuffix(". ")
    )


def _speed(home: Home, model: str) -> Check:
    from botpsy.chat.types import Message, Sampling
    from botpsy.engines import load
    from botpsy.engines.embedded import Embedded
    from botpsy.engines.untrained import Guided

    engine = load(model or home.config.model)
    if isinstance(engine, Guided) and isinstance(engine.model, Embedded):
        engine = engine.model  # what it does without being asked anything tells no speed
    try:
        text = "Reading this text shows how quickly the model takes in a prompt. " * 20
        completion = engine.complete(
            [Message("user", text)], sampling=Sampling(max_tokens=48, tool_choice="none")
        )
    finally:
        engine.close()
    usage, spent = completion.usage, completion.timings
    if not spent.prefill_s or not spent.decode_s:
        return Check("speed", "ok", f"{spent.total_s:.1f} s for {usage.completion_tokens} tokens")
    read = (usage.prompt_tokens - usage.cached_tokens) / spent.prefill_s
    written = usage.completion_tokens / spent.decode_s
    return Check("speed", "ok", f"reads {read:.0f} and writes {written:.0f} tokens a second")
