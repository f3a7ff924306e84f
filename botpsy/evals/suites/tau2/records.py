"""What the telecom company and the customer's phone know: the data files' records, typed.

Field names are the files' own, in the order in which the tools show them. Dates are days and times
of the company's one time zone.
"""

from __future__ import annotations

import datetime as dt
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from botpsy.errors import ConfigError

TODAY = dt.date(2025, 2, 25)
"""The day on which all tasks play."""


class Record(BaseModel):
    """Knows its fields and no others."""

    model_config = ConfigDict(extra="forbid")


R = TypeVar("R", bound=Record)


@lru_cache(maxsize=8)
def read_toml(path: Path, kind: type[R]) -> R:
    """The record in a file; not to be changed, only copied.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        return kind.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from None


# The company


class Address(Record):
    street: str
    city: str
    state: str
    zip_code: str


class Plan(Record):
    plan_id: str
    name: str
    data_limit_gb: float
    price_per_month: float
    data_refueling_price_per_gb: float


class Device(Record):
    device_id: str
    device_type: Literal["phone", "router", "tablet", "watch", "other"]
    model: str
    imei: str | None = None
    is_esim_capable: bool
    activated: bool = False
    activation_date: dt.datetime | None = None
    last_esim_transfer_date: dt.datetime | None = None


class Line(Record):
    line_id: str
    phone_number: str
    status: Literal["Active", "Suspended", "Pending Activation", "Closed"] = "Pending Activation"
    plan_id: str
    device_id: str | None = None
    data_used_gb: float = 0.0
    data_refueling_gb: float = 0.0
    roaming_enabled: bool = False
    contract_end_date: dt.date | None = None
    last_plan_change_date: dt.date | None = None
    last_sim_replacement_date: dt.date | None = None
    suspension_start_date: dt.date | None = None


class LineItem(Record):
    description: str
    amount: float
    date: dt.date
    item_type: str


class Bill(Record):
    bill_id: str
    customer_id: str
    period_start: dt.date
    period_end: dt.date
    issue_date: dt.date
    total_due: float
    due_date: dt.date
    line_items: list[LineItem] = []
    status: Literal["Draft", "Issued", "Awaiting Payment", "Paid", "Overdue", "Disputed"] = "Draft"


class PaymentMethod(Record):
    method_type: Literal["Credit Card", "Debit Card", "PayPal"]
    account_number_last_4: str
    expiration_date: str


class Customer(Record):
    customer_id: str
    full_name: str
    date_of_birth: str
    email: str
    phone_number: str
    address: Address
    account_status: Literal["Active", "Suspended", "Pending Verification", "Closed"] = (
        "Pending Verification"
    )
    payment_methods: list[PaymentMethod] = []
    line_ids: list[str] = []
    bill_ids: list[str] = []
    created_at: dt.datetime | dt.date = dt.date(2025, 1, 1)
    last_extension_date: dt.date | None = None
    goodwill_credit_used_this_year: float = 0.0


class Company(Record):
    """All that the company's tools reach."""

    plans: list[Plan] = []
    customers: list[Customer] = []
    lines: list[Line] = []
    bills: list[Bill] = []
    devices: list[Device] = []


# The phone

Technology = Literal["none", "2G", "3G", "4G", "5G"]
Signal = Literal["none", "poor", "fair", "good", "excellent"]
Mode = Literal["4g_5g_preferred", "4g_only", "3g_only", "2g_only"]


class Apn(Record):
    """How the phone reaches the carrier's data network and its picture messages."""

    apn_name: Literal["internet", "broken"] = "internet"
    reset_at_reboot: bool = False
    mms_apn: str | None = "mms"
    mmsc_url: str | None = "http://mms.carrier.com/mms/wapenc"
    mms_proxy: str | None = None
    mms_port: int | None = None


class Vpn(Record):
    server_address: str | None = None
    protocol: str | None = None
    server_performance: Literal["unknown", "poor", "fair", "good", "excellent"] = "unknown"


class Permissions(Record):
    sms: bool = False
    storage: bool = False
    phone: bool = False
    network: bool = False


class App(Record):
    app_name: str
    permissions: Permissions = Permissions()


class Phone(Record):
    """The state of the phone."""

    sim_card_status: Literal["active", "missing", "locked_pin", "locked_puk"] = "active"
    sim_card_missing: bool = False
    airplane_mode: bool = False
    network_signal_strength: Signal = "good"
    network_technology_connected: Technology = "5G"
    network_connection_status: Literal["connected", "searching", "no_service", "emergency_only"] = (
        "connected"
    )
    battery_level: int = 80
    data_enabled: bool = True
    roaming_enabled: bool = False
    network_mode_preference: Mode = "4g_5g_preferred"
    active_apn_settings: Apn = Apn()
    wifi_enabled: bool = False
    wifi_connected: bool = False
    wifi_ssid: str | None = None
    wifi_signal_strength: Signal = "none"
    wifi_calling_enabled: bool = False
    wifi_calling_mms_over_wifi: bool = False
    data_saver_mode: bool = False
    vpn_enabled_setting: bool = False
    vpn_connected: bool = False
    vpn_details: Vpn | None = None
    app_statuses: dict[str, App] = {
        "messaging": App(
            app_name="messaging", permissions=Permissions(sms=True, storage=True, phone=True)
        ),
        "browser": App(app_name="browser", permissions=Permissions(storage=True, network=True)),
    }


class PaymentRequest(Record):
    bill_id: str
    amount_due: float
    paid: bool = False


class Surroundings(Record):
    """Where the phone is, and what the company lets it do."""

    name: str | None = None
    phone_number: str | None = None
    is_abroad: bool = False
    roaming_allowed: bool = False
    signal_strength: dict[Technology, Signal] = {
        "2G": "poor",
        "3G": "fair",
        "4G": "good",
        "5G": "excellent",
    }
    mobile_data_usage_exceeded: bool = False
    line_active: bool = True
    payment_request: PaymentRequest | None = None


class User(Record):
    """The customer's phone and where it is."""

    device: Phone = Phone()
    surroundings: Surroundings = Surroundings()
