"""Company and phone of one telecom task: how it begins, what calls do, what holds at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from botpsy.evals.suites.tau2.carrier import Carrier
from botpsy.evals.suites.tau2.handset import Handset
from botpsy.evals.suites.tau2.phone import LivePhone
from botpsy.evals.suites.tau2.records import TODAY, Company, Mode, PaymentRequest, User
from botpsy.evals.suites.tau2.tools import Toolbox


class TelecomWorld:
    """One company and one customer's phone, which follow each other.

    Attributes:
        toolbox: the tools of both.
    """

    def __init__(self, company: Company, user: User) -> None:
        """Both are copied."""
        self.company = company.model_copy(deep=True)
        self.user = user.model_copy(deep=True)
        self.carrier = Carrier(self.company)
        self.phone = LivePhone(self.user)
        self.toolbox = Toolbox(self.carrier, Handset(self.phone), after=self.sync)

    def sync(self) -> None:
        """The phone learns what became of its line, the company what was paid."""
        around = self.user.surroundings
        if around.phone_number is None:
            return
        line = self.carrier.numbered(around.phone_number)
        plan = self.carrier.plan(line.plan_id)
        around.line_active = line.status == "Active"
        around.roaming_allowed = line.roaming_enabled
        available = plan.data_limit_gb + line.data_refueling_gb
        around.mobile_data_usage_exceeded = line.data_used_gb >= available
        request = around.payment_request
        if request is not None and request.paid:
            self.carrier.bill(request.bill_id).status = "Paid"
            request = around.payment_request = None
        if request is None:
            owner = self.carrier.get_customer_by_phone(around.phone_number)
            for bill in self.carrier.awaiting(owner)[:1]:
                around.payment_request = PaymentRequest(
                    bill_id=bill.bill_id, amount_due=bill.total_due
                )

    def prepare(self, name: str, arguments: Mapping[str, Any]) -> None:
        """One step of how a task begins.

        Raises:
            KeyError: no such step.
        """
        _STEPS[name](self, **arguments)
        self.sync()

    def holds(self, name: str, arguments: Mapping[str, Any]) -> bool:
        """Whether something is so at the end.

        Raises:
            KeyError: nothing of this name can be asked.
        """
        return _CHECKS[name](self, **arguments)


# How tasks begin, by the names in the task file


def _set_user_info(world: TelecomWorld, name: str, phone_number: str) -> None:
    world.user.surroundings.name = name
    world.user.surroundings.phone_number = phone_number


def _set_user_location(world: TelecomWorld, abroad: bool) -> None:
    world.user.surroundings.is_abroad = abroad


def _airplane_mode_on(world: TelecomWorld) -> None:
    while not world.phone.toggle_airplane_mode():
        pass


def _roaming(on: bool) -> Callable[[TelecomWorld], None]:
    def step(world: TelecomWorld) -> None:
        while world.phone.toggle_roaming() != on:
            pass

    return step


def _data_off(world: TelecomWorld) -> None:
    while world.phone.toggle_data():
        pass


def _data_saver_on(world: TelecomWorld) -> None:
    while not world.phone.toggle_data_saver():
        pass


def _unseat_sim_card(world: TelecomWorld) -> None:
    world.user.device.sim_card_missing = True
    world.phone.search()


def _lock_sim_card(world: TelecomWorld, mode: str) -> None:
    world.user.device.sim_card_status = "locked_pin" if mode == "pin" else "locked_puk"
    world.phone.search()


def _break_apn_settings(world: TelecomWorld) -> None:
    world.user.device.active_apn_settings.apn_name = "broken"
    world.phone.search()


def _break_apn_mms_setting(world: TelecomWorld) -> None:
    world.user.device.active_apn_settings.mmsc_url = None


def _set_wifi_calling(
    world: TelecomWorld, enabled: bool, mms_over_wifi: bool | None = None
) -> None:
    world.user.device.wifi_calling_enabled = enabled
    if mms_over_wifi is not None:
        world.user.device.wifi_calling_mms_over_wifi = mms_over_wifi


def _break_vpn(world: TelecomWorld) -> None:
    if not world.user.device.vpn_connected:
        world.phone.connect_vpn()
    if world.user.device.vpn_details is not None:
        world.user.device.vpn_details.server_performance = "poor"


def _set_network_mode(world: TelecomWorld, mode: Mode) -> None:
    world.user.device.network_mode_preference = mode
    world.phone.search()


def _remove_app_permission(world: TelecomWorld, app_name: str, permission: str) -> None:
    setattr(world.user.device.app_statuses[app_name].permissions, permission, False)


def _set_data_usage(
    world: TelecomWorld, customer_id: str, line_id: str, data_used_gb: float
) -> None:
    world.carrier.owned(customer_id, line_id).data_used_gb = data_used_gb


def _suspend_for_overdue_bill(
    world: TelecomWorld, customer_id: str, line_id: str, new_bill_id: str, contract_ended: bool
) -> None:
    line = world.carrier.line(line_id)
    amount = world.carrier.plan(line.plan_id).price_per_month
    bill = world.carrier.put_overdue(customer_id, new_bill_id, amount, f"Charge for line {line_id}")
    line.status = "Suspended"
    line.suspension_start_date = TODAY
    if contract_ended:
        line.contract_end_date = bill.period_end


_STEPS: dict[str, Callable[..., Any]] = {
    "set_user_info": _set_user_info,
    "set_user_location": _set_user_location,
    "simulate_network_search": lambda world: world.phone.search(),
    "set_network_mode_preference": _set_network_mode,
    "turn_airplane_mode_on": _airplane_mode_on,
    "turn_roaming_on": _roaming(True),
    "turn_roaming_off": _roaming(False),
    "turn_data_off": _data_off,
    "turn_data_saver_mode_on": _data_saver_on,
    "unseat_sim_card": _unseat_sim_card,
    "lock_sim_card": _lock_sim_card,
    "break_apn_settings": _break_apn_settings,
    "break_apn_mms_setting": _break_apn_mms_setting,
    "set_wifi_calling": _set_wifi_calling,
    "break_vpn": _break_vpn,
    "remove_app_permission": _remove_app_permission,
    "enable_roaming": lambda world, **line: world.carrier.enable_roaming(**line),
    "disable_roaming": lambda world, **line: world.carrier.disable_roaming(**line),
    "set_data_usage": _set_data_usage,
    "suspend_line_for_overdue_bill": _suspend_for_overdue_bill,
}

# What is asked at the end, by the names in the task file


def _service(world: TelecomWorld, expected_status: str) -> bool:
    return world.user.device.network_connection_status == expected_status


def _speed(world: TelecomWorld, expected_speed: float, expected_desc: str | None = None) -> bool:
    speed, word, _ = world.phone.speed() or (0.0, "No Connection", "")
    return speed >= expected_speed and (
        expected_desc is None or word.lower() == expected_desc.lower()
    )


def _refueled(world: TelecomWorld, customer_id: str, line_id: str, expected_amount: float) -> bool:
    line = world.carrier.owned(customer_id, line_id)
    return abs(line.data_refueling_gb - expected_amount) < 1e-6


def _no_overdue_bill(world: TelecomWorld, overdue_bill_id: str) -> bool:
    bills = [each for each in world.company.bills if each.bill_id == overdue_bill_id]
    return all(each.status == "Paid" for each in bills[:1])


_CHECKS: dict[str, Callable[..., bool]] = {
    "assert_can_send_mms": lambda world, expected_status: world.phone.mms() == expected_status,
    "assert_mobile_data_status": lambda world, expected_status: (
        world.phone.online() == expected_status
    ),
    "assert_internet_speed": _speed,
    "assert_service_status": _service,
    "assert_data_refueling_amount": _refueled,
    "assert_no_overdue_bill": _no_overdue_bill,
}

STEPS, CHECKS = frozenset(_STEPS), frozenset(_CHECKS)
