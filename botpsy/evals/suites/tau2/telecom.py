"""tau2-bench telecom without a user: tickets that an agent solves with the company's tools and the
customer's phone in its hands.

Source: Barres et al. (Sierra Research), tau2-bench (MIT), domain ``telecom``, its no-user mode.
Rules and tools are rebuilt; see docs/evals/tau2.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from botpsy.chat.types import Message, ToolCall, ToolSpec
from botpsy.errors import ConfigError
from botpsy.evals.case import Case, Leaf, Suite, Talk, Verdict, passed
from botpsy.evals.data import open_data
from botpsy.evals.suites.tau2.records import Company, User, read_toml
from botpsy.evals.suites.tau2.tasks import Gold, data, missing, read_json, read_text
from botpsy.evals.suites.tau2.telecom_world import CHECKS, STEPS, TelecomWorld
from botpsy.evals.suites.tau2.tools import well_formed

MAX_REPLIES = 100
"""The last one has to be ``done``: the official bound of 200 steps counts replies and results."""
MAX_ERRORS = 10
DONE = ToolSpec("done", "Call it when the ticket is solved.", {"type": "object", "properties": {}})
INSTRUCTION = (
    "You work in customer service. The user's turn is a ticket with a customer's problem. Solve it"
    " by calling tools, in keeping with the policy. Nobody reads what you write besides calls. When"
    " you are through with the ticket, call done, and nothing else in that turn."
)

_TASKS = data("domains/telecom/tasks.json")
_SPLITS = data("domains/telecom/split_tasks.json")
_POLICY = data("domains/telecom/main_policy_solo.md")
_MANUAL = data("domains/telecom/tech_support_manual.md")
_COMPANY = data("domains/telecom/db.toml")
_USER = data("domains/telecom/user_db.toml")
CATEGORIES = ("service_issue", "hand_over", "mobile_data_issue", "mms_issue")
"""``hand_over``: service issues that only a person can solve."""


def cases(folder: Path) -> Iterator[Case]:
    """The 114 tasks of the split ``base``, in the order of the task file.

    Raises:
        ConfigError: a file is missing or cannot be read.
    """
    company = read_toml(open_data(folder, _COMPANY), Company)
    user = read_toml(open_data(folder, _USER), User)
    tools = (*TelecomWorld(company, user).toolbox.specs, DONE)
    policy, manual = (read_text(open_data(folder, each)) for each in (_POLICY, _MANUAL))
    system = (
        f"{INSTRUCTION}\n\n<main_policy>\n{policy}\n</main_policy>\n"
        f"<tech_support_policy>\n{manual}\n</tech_support_policy>"
    )
    try:
        base = set(read_json(open_data(folder, _SPLITS))["base"])
        for task in read_json(open_data(folder, _TASKS)):
            if task["id"] in base:
                yield _case(task, company, user, tools, system)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigError(f"{folder / _TASKS.path} cannot be read: {error!r}.") from None


def _case(
    task: Mapping[str, Any],
    company: Company,
    user: User,
    tools: Sequence[ToolSpec],
    system: str,
) -> Case:
    criteria = task["evaluation_criteria"]
    begins = [
        (each["func_name"], each["arguments"])
        for each in (task["initial_state"] or {}).get("initialization_actions") or ()
    ]
    checks = [
        (each["func_name"], each["arguments"], each["assert_value"])
        for each in criteria["env_assertions"] or ()
    ]
    unknown = {name for name, _ in begins} - STEPS | {name for name, *_ in checks} - CHECKS
    basis = set(criteria["reward_basis"])
    if unknown or not basis <= {"ENV_ASSERTION", "ACTION"}:
        raise ValueError(f"{task['id']} has {sorted(unknown) or sorted(basis)}")
    return Case(
        task["id"],
        "hand_over" if "ACTION" in basis else task["id"].split("]")[0].lstrip("["),
        {
            "company": company,
            "user": user,
            "tools": tools,
            "messages": (Message("system", system), Message("user", task["ticket"])),
            "begins": begins,
            "checks": checks if "ENV_ASSERTION" in basis else [],
            "gold": [Gold.of(each) for each in criteria["actions"] or ()],
            "calls_count": "ACTION" in basis,
        },
    )


def world_of(case: Case) -> TelecomWorld:
    """As the task begins."""
    world = TelecomWorld(case.data["company"], case.data["user"])
    for name, arguments in case.data["begins"]:
        world.prepare(name, arguments)
    return world


def play(case: Case, talk: Talk) -> Verdict:
    """Call by call until ``done``; then the state has to be as asked, and where the task says so
    the gold calls have to be among those that were made."""
    world = world_of(case)
    calls, wrong = work(world, case, talk)
    return passed(not (wrong := wrong or judge(world, case, calls)), wrong)


def work(world: TelecomWorld, case: Case, talk: Talk) -> tuple[list[ToolCall], str]:
    """The calls up to ``done``, and why it never came."""
    messages, calls, errors = list(case.data["messages"]), list[ToolCall](), 0
    for _ in range(MAX_REPLIES):
        reply = talk.ask(messages, case.data["tools"], required=True)
        if reply.problem and well_formed(reply):
            messages.append(
                Message("user", f"[Your last calls were not carried out: {reply.problem}]")
            )
            errors += 1
        elif reply.problem or not reply.message.calls:
            return calls, f"no call that can be read: {reply.problem or reply.message.content}"
        elif any(each.name == DONE.name for each in reply.message.calls):
            return calls, ""
        else:
            messages.append(reply.message)
            for each in reply.message.calls:
                text, failed = world.toolbox.call(each.name, each.arguments)
                messages.append(Message("tool", text, call_id=each.id, name=each.name))
                errors += failed
            calls.extend(reply.message.calls)
        if errors >= MAX_ERRORS:
            return calls, f"{errors} calls that failed"
    return calls, f"not done after {MAX_REPLIES} replies"


def judge(world: TelecomWorld, case: Case, calls: Sequence[ToolCall]) -> str:
    """What is wrong at the end; empty when nothing is."""
    for name, arguments, value in case.data["checks"]:
        if world.holds(name, arguments) != value:
            return f"{name} {dict(arguments)} does not hold"
    left_out = missing(case.data["gold"], calls) if case.data["calls_count"] else ""
    return f"never called {left_out}" if left_out else ""


def gold(case: Case) -> Sequence[Message]:
    """The gold calls, one a reply, and ``done``."""
    calls = [each.call for each in case.data["gold"]] + [ToolCall(DONE.name, {})]
    return [Message("assistant", calls=(each,)) for each in calls]


SUITE = Suite(
    name="tau2-telecom-solo",
    title="tau2-bench Telecom, without a user",
    about=(
        "Customers' tickets about service, mobile data and picture messages, each with several"
        " faults at once. The agent has the company's tools and the customer's phone, and has to"
        " say when it is done. The phone's state decides (internet at full speed, picture messages"
        " work, the bill is paid); where nothing can be done, the call to a person does, so that"
        " handing over every ticket earns 20 of the 114. This is the benchmark's own no-user mode,"
        " easier than talking a user through it, and not to be held against its telecom numbers."
        " The tools' descriptions are our own words."
    ),
    cases=cases,
    play=play,
    gold=gold,
    scores=(
        Leaf("telecom_solo", CATEGORIES),
        Leaf("service_issue", ("service_issue", "hand_over")),
        Leaf("mobile_data_issue"),
        Leaf("mms_issue"),
        Leaf("hand_over"),
    ),
    data=(_TASKS, _SPLITS, _POLICY, _MANUAL, _COMPANY, _USER),
)
