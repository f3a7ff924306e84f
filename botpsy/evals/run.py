"""Cases in flight: so many at once, resumable, with the engine's failures kept apart from wrong
answers.

What fails because of the engine is tried again, at once and later. Where nothing gets through any
more, the run waits for the engine and says so, for as long as it takes. What fails because of us is
a ``fault``: it is kept with its traceback, and the run goes on.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from random import Random
from typing import TypeVar
from zlib import crc32

from botpsy.chat.types import Message, Sampling
from botpsy.engines.base import Engine
from botpsy.engines.scripted import Scripted, always_call, do_nothing
from botpsy.errors import EngineError
from botpsy.evals.case import MODEL, Case, Suite, Verdict
from botpsy.evals.record import Record, Records
from botpsy.evals.talk import Live, Replay

TRIES = 3
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0

T = TypeVar("T")
Progress = Callable[[Record, int, int], None]
"""Told of each record: the record, how many there are, of how many."""
Say = Callable[[str], None]
Submit = Callable[[Case, int, int], Future[Record]]
"""Begins to play a case: the case, its trial, and the how manieth to be played it is."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a suite is run.

    Attributes:
        limit: cases, drawn from all categories alike; 0: all.
        trials: of each case.
        concurrency: cases in flight.
    """

    sampling: Sampling = Sampling()
    limit: int = 0
    seed: int = 0
    trials: int = 1
    concurrency: int = 1


def chosen(cases: Iterable[Case], limit: int, seed: int) -> list[Case]:
    """So many cases, from each category its share (at least one); all of them with no limit.

    The same for everybody with the same seed. A larger limit only adds cases.
    """
    listed = list(cases)
    if not 0 < limit < len(listed):
        return listed
    by_category: defaultdict[str, list[Case]] = defaultdict(list)
    for case in listed:
        by_category[case.category].append(case)
    places: dict[str, tuple[bool, float, str]] = {}
    for name, mine in by_category.items():
        order = sorted(mine, key=lambda case: Random(f"{seed}:{case.id}").random())  # noqa: S311
        # Each category's first comes before anybody's second; then all in proportion.
        places |= {case.id: (n > 0, (n + 0.5) / len(order), name) for n, case in enumerate(order)}
    kept = set(sorted(places, key=places.__getitem__)[:limit])
    return [case for case in listed if case.id in kept]


def run(
    suite: Suite,
    cases: Sequence[Case],
    engines: Mapping[str, Sequence[Engine]],
    records: Records,
    settings: Settings,
    *,
    progress: Progress = lambda record, done, total: None,
    say: Say = lambda text: None,
    elsewhere: Submit | None = None,
) -> None:
    """Run what has no verdict yet.

    Args:
        engines: by role; several of one role have the same weights and share the cases.
        say: told when the run waits for an engine, and when it goes on.
        elsewhere: plays cases on other machines; in threads of this process by default.
    """
    settled = {(each.case, each.trial) for each in records.last() if each.verdict is not None}
    everything = [(case, trial) for trial in range(settings.trials) for case in cases]
    todo = [(case, trial) for case, trial in everything if (case.id, trial) not in settled]
    total = len(everything)
    done = total - len(todo)
    health = Health(say)
    pool = ThreadPoolExecutor(settings.concurrency)

    def here(case: Case, trial: int, n: int) -> Future[Record]:
        mine = share(engines, n)
        return pool.submit(tried, suite, case, trial, mine, settings=settings, health=health)

    submit = elsewhere or here
    try:
        waiting: set[Future[Record]] = set()
        queue = iter(enumerate(todo))
        while True:
            while len(waiting) < settings.concurrency:
                following = next(queue, None)
                if following is None:
                    break
                n, (case, trial) = following
                waiting.add(submit(case, trial, n))
            if not waiting:
                return
            ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ended:
                record = future.result()
                records.add(record)
                done += 1
                progress(record, done, total)
    finally:
        health.stop.set()
        pool.shutdown(wait=False, cancel_futures=True)


def share(engines: Mapping[str, Sequence[T]], n: int) -> dict[str, T]:
    """Who plays the n-th case, by role."""
    return {role: some[n % len(some)] for role, some in engines.items()}


def again(suite: Suite, case: Case, record: Record) -> Record:
    """The record, played once more without the model. A verdict that differs is another record."""
    return _played(suite, case, record.trial, Replay(record.turns))


def seed_of(case: Case, trial: int, seed: int) -> int:
    """Of the first reply; the case's own, whatever else is run."""
    return crc32(f"{seed}:{case.id}:{trial}".encode()) & 0x7FFFFFFF


class Health:
    """Says once that engines are waited for, and once that they answer again."""

    def __init__(self, say: Say) -> None:
        self.stop = threading.Event()
        self._say = say
        self._lock = threading.Lock()
        self._waiting = False

    def answered(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting = False
                self._say("The engine answers again; the run goes on.")

    def waits(self, error: EngineError) -> None:
        with self._lock:
            if not self._waiting:
                self._waiting = True
                self._say(f"Waiting for the engine: {error.message} Stop with Ctrl-C.")


def _dead(engines: Mapping[str, Engine]) -> EngineError | None:
    """Why not even a greeting is answered; None if it is, so that it is the case that fails."""
    try:
        for engine in engines.values():
            engine.complete([Message("user", "Hello.")], (), Sampling(max_tokens=1))
    except EngineError as error:
        return error
    return None


def tried(
    suite: Suite,
    case: Case,
    trial: int,
    engines: Mapping[str, Engine],
    *,
    settings: Settings,
    health: Health,
) -> Record:
    """A case's record; the engine's failures are tried again."""
    began, pause, tries = time.monotonic(), FIRST_WAIT_S, 0
    while True:
        talk = Live(engines, settings.sampling, seed_of(case, trial, settings.seed))
        try:
            record = _played(suite, case, trial, talk)
        except EngineError as error:
            tries += 1
            dead = _dead(engines) if tries >= TRIES else None
            if dead:
                health.waits(dead)
            over = tries >= TRIES and not dead
            if over or health.stop.wait(pause):
                return _record(case, trial, talk, began, error=f"{type(error).__name__}: {error}")
            pause = min(2 * pause, LONGEST_WAIT_S)
        else:
            health.answered()
            return record


def _played(suite: Suite, case: Case, trial: int, talk: Live | Replay) -> Record:
    """Play a case.

    Raises:
        EngineError: the engine failed.
    """
    began = time.monotonic()
    try:
        verdict = suite.play(case, talk)
    except EngineError:
        raise
    except Exception:
        return _record(case, trial, talk, began, fault=traceback.format_exc())
    return _record(case, trial, talk, began, verdict=verdict)


def _record(
    case: Case,
    trial: int,
    talk: Live | Replay,
    began: float,
    *,
    verdict: Verdict | None = None,
    error: str = "",
    fault: str = "",
) -> Record:
    return Record(
        case.id,
        trial,
        case.category,
        case.group,
        case.domain,
        tuple(talk.turns),
        verdict,
        error,
        fault,
        round(time.monotonic() - began, 3),
    )


def bounds(suite: Suite, cases: Sequence[Case]) -> dict[str, list[Record]]:
    """What agents get that know nothing, or everything: ``do-nothing``, ``always-call``, ``gold``.

    Empty where a suite needs other models, and without ``gold`` where nobody can say the answer.
    """
    if suite.roles:
        return {}
    found = {
        name: [_bound(suite, case, make()) for case in cases]
        for name, make in (("do-nothing", do_nothing), ("always-call", always_call))
    }
    known = [(case, suite.gold(case)) for case in cases]
    gold = [_bound(suite, case, Scripted(said)) for case, said in known if said is not None]
    return found | ({"gold": gold} if gold else {})


def _bound(suite: Suite, case: Case, engine: Engine) -> Record:
    talk = Live({MODEL: engine}, Sampling(), 0)
    try:
        return _played(suite, case, 0, talk)
    except EngineError as error:  # a script that is over
        return _record(case, 0, talk, time.monotonic(), error=str(error))
