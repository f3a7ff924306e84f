"""A home: the folder that holds all that botpsy knows, may do, and has done for one user.

    config.toml   what may be reached            policy.toml   what is permitted
    grants.json   what was approved to last      ledger.sqlite what was done
    calendar.ics, contacts.vcf, mail/, notes/, files/, ...     where actions land

A home is made at first use. In a home that exists, a missing policy means deny: somebody removed
it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from botpsy.assistant import config as configuration
from botpsy.assistant.config import Config
from botpsy.assistant.execute import Executor
from botpsy.assistant.grants import GrantStore
from botpsy.assistant.ledger import Ledger
from botpsy.assistant.policy import Policy, starter_policy
from botpsy.assistant.types import Action, Answer, Approver, Decision
from botpsy.clock import Clock
from botpsy.errors import ConfigError, UsageError
from botpsy.services.bundle import Services
from botpsy.services.storage import write_atomically


def home_path(given: Path | None = None) -> Path:
    """The home's folder: the one given, else ``BOTPSY_HOME``, else ``~/.botpsy``."""
    if given is not None:
        return given.expanduser().absolute()
    return Path(os.environ.get("BOTPSY_HOME") or "~/.botpsy").expanduser().absolute()


@dataclass(frozen=True)
class Home:
    """An open home. ``created`` says that it was made just now."""

    path: Path
    config: Config
    created: bool = False

    @property
    def policy_path(self) -> Path:
        return self.path / "policy.toml"

    def policy(self) -> Policy:
        """The policy as it stands in the file now."""
        return Policy.load(self.policy_path)

    def grants(self) -> GrantStore:
        """The remembered approvals."""
        return GrantStore(self.path / "grants.json")

    def ledger(self) -> Ledger:
        """The ledger.

        Raises:
            LedgerError: it cannot be opened.
        """
        return Ledger(self.path / "ledger.sqlite")

    def clock(self, tz: str = "", now: str = "") -> Clock:
        """The user's clock; ``now`` fixes the present (ISO 8601; local where it has no offset).

        Raises:
            UsageError: no such zone, or not a date and time.
        """
        zone = configuration.zone(tz or self.config.timezone)
        if not now:
            return Clock(zone)
        try:
            fixed = datetime.fromisoformat(now)
        except ValueError:
            raise UsageError(
                f"--now {now!r} is not a date and time.", hint="Write it like 2026-12-01T09:30."
            ) from None
        return Clock(zone, fixed if fixed.tzinfo else fixed.replace(tzinfo=zone))

    def executor(
        self,
        services: Services,
        clock: Clock,
        ledger: Ledger,
        *,
        approver: Approver | None,
        dry_run: bool = False,
    ) -> Executor:
        """Execution control under this home's policy, which is read anew for every call."""
        grants = self.grants()

        def judge(action: Action) -> Decision:
            now = clock.now()
            decision = self.policy().decide(action, now, grants.all())
            if decision.rule.startswith("grant:") and not dry_run:
                grants.used(decision.rule.removeprefix("grant:"), now)
            return decision

        def remember(action: Action, answer: Answer) -> None:
            grants.remember(action, answer, clock.now())

        return Executor(ledger, services, clock, judge, remember, approver, dry_run)


def open_home(path: Path | None = None) -> Home:
    """Open the home, making it at first use.

    Raises:
        ConfigError: the folder cannot be made, is not a folder, or its config.toml is wrong.
    """
    folder = home_path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # What a crash left of the first start counts for nothing.
        created = all(entry.name.endswith(".tmp") for entry in folder.iterdir())
        if created:
            folder.chmod(0o700)
            # The policy first: a home that has anything but no policy permits nothing.
            write_atomically(folder / "policy.toml", starter_policy().encode())
            write_atomically(folder / "config.toml", configuration.STARTER.encode())
    except OSError as error:
        raise ConfigError(
            f"The home {folder} cannot be used: {error.strerror}.",
            hint="Name another with --home or BOTPSY_HOME.",
        ) from None
    return Home(folder, configuration.load(folder / "config.toml"), created)
