"""A made-up phone company in the file format of tau2-bench's telecom domain."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

COMPANY = """
[[plans]]
plan_id = "P1"
name = "Small"
data_limit_gb = 2
price_per_month = 9.0
data_refueling_price_per_gb = 1.5

[[devices]]
device_id = "D1"
device_type = "phone"
model = "Brick"
is_esim_capable = false
activation_date = "2024-05-06T07:08:09"

[[lines]]
line_id = "L1"
phone_number = "100"
status = "Active"
plan_id = "P1"
data_used_gb = 1.0
roaming_enabled = false
contract_end_date = "2027-01-01"

[[customers]]
customer_id = "C1"
full_name = "Ada Reed"
date_of_birth = "1990-01-02"
email = "ada@example.org"
phone_number = "100"
line_ids = ["L1"]
bill_ids = ["B1"]
address = { street = "Lane 1", city = "Ham", state = "X", zip_code = "1" }

[[bills]]
bill_id = "B1"
customer_id = "C1"
period_start = "2025-01-01"
period_end = "2025-01-31"
issue_date = "2025-01-05"
total_due = 9
due_date = "2025-01-19"
status = "Paid"
"""
USER = """
[device]
network_signal_strength = "good"
"""


def action(name: str, /, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments, "compare_args": None}


def step(kind: str, name: str, /, **arguments: Any) -> dict[str, Any]:
    return {"env_type": kind, "func_name": name, "arguments": arguments}


def check(kind: str, name: str, /, **arguments: Any) -> dict[str, Any]:
    return {**step(kind, name, **arguments), "assert_value": True}


WHO = step("user", "set_user_info", name="Ada Reed", phone_number="100")
LINE = {"customer_id": "C1", "line_id": "L1"}


def task(
    name: str,
    begins: list[dict[str, Any]],
    actions: list[dict[str, Any]],
    checks: list[dict[str, Any]],
    *,
    calls_count: bool = False,
) -> dict[str, Any]:
    return {
        "id": name,
        "ticket": f"Ada Reed, number 100, has a problem: {name}",
        "initial_state": {"initialization_actions": [WHO, *begins]},
        "evaluation_criteria": {
            "actions": actions,
            "env_assertions": checks,
            "reward_basis": ["ENV_ASSERTION", *(["ACTION"] if calls_count else [])],
        },
    }


TASKS = [
    task(
        "[mobile_data_issue]abroad",
        [
            step("user", "set_user_location", abroad=True),
            step("user", "turn_airplane_mode_on"),
            step("user", "turn_roaming_off"),
            step("user", "turn_data_off"),
            step("user", "turn_data_saver_mode_on"),
            step("user", "break_vpn"),
            step("user", "set_network_mode_preference", mode="2g_only"),
            step("assistant", "disable_roaming", **LINE),
            step("assistant", "set_data_usage", data_used_gb=2.1, **LINE),
        ],
        [
            action("toggle_airplane_mode"),
            action("toggle_roaming"),
            action("toggle_data"),
            action("toggle_data_saver_mode"),
            action("disconnect_vpn"),
            action("set_network_mode_preference", mode="4g_5g_preferred"),
            action("enable_roaming", **LINE),
            action("refuel_data", gb_amount=2.0, **LINE),
        ],
        [
            check("user", "assert_mobile_data_status", expected_status=True),
            check("user", "assert_internet_speed", expected_speed=200, expected_desc="excellent"),
            check("assistant", "assert_data_refueling_amount", expected_amount=2.0, **LINE),
        ],
    ),
    task(
        "[service_issue]unpaid",
        [
            step(
                "assistant",
                "suspend_line_for_overdue_bill",
                new_bill_id="B7",
                contract_ended=False,
                **LINE,
            ),
            step("user", "break_apn_settings"),
            step("user", "unseat_sim_card"),
        ],
        [
            action("reseat_sim_card"),
            action("reset_apn_settings"),
            action("send_payment_request", customer_id="C1", bill_id="B7"),
            action("make_payment"),
            action("resume_line", **LINE),
            action("reboot_device"),
        ],
        [
            check("user", "assert_service_status", expected_status="connected"),
            check("assistant", "assert_no_overdue_bill", overdue_bill_id="B7"),
        ],
    ),
    task(
        "[service_issue]locked",
        [step("user", "lock_sim_card", mode="pin")],
        [{"name": "transfer_to_human_agents", "arguments": {"summary": "?"}, "compare_args": []}],
        [check("user", "assert_service_status", expected_status="no_service")],
        calls_count=True,
    ),
    task(
        "[mms_issue]pictures",
        [
            step("user", "remove_app_permission", app_name="messaging", permission="storage"),
            step("user", "set_wifi_calling", enabled=True, mms_over_wifi=True),
            step("user", "break_apn_mms_setting"),
            step("user", "simulate_network_search"),
            step("user", "turn_roaming_on"),
            step("assistant", "enable_roaming", **LINE),
        ],
        [
            action("grant_app_permission", app_name="messaging", permission="storage"),
            action("toggle_wifi_calling"),
            action("reset_apn_settings"),
            action("reboot_device"),
        ],
        [check("user", "assert_can_send_mms", expected_status=True)],
    ),
]


def write_data(root: Path) -> Path:
    """The folder for ``--data``."""
    folder = root / "tau2/domains/telecom"
    folder.mkdir(parents=True)
    more = task("[mms_issue]not in the split", [], [], [])
    (folder / "tasks.json").write_text(json.dumps([*TASKS, more]))
    (folder / "split_tasks.json").write_text(json.dumps({"base": [each["id"] for each in TASKS]}))
    (folder / "db.toml").write_text(COMPANY)
    (folder / "user_db.toml").write_text(USER)
    (folder / "main_policy_solo.md").write_text("Be good.")
    (folder / "tech_support_manual.md").write_text("Switch it off and on.")
    return root
