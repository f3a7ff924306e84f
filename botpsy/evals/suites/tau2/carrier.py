"""The telecom company's tools: customers, lines, bills, data, roaming.

Result texts are the official ones, since what an agent reads is part of the task; the descriptions
are our own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Annotated, Any, TypeVar

from botpsy.evals.suites.tau2.records import (
    TODAY,
    Bill,
    Company,
    Customer,
    Line,
    LineItem,
    Plan,
    Record,
)
from botpsy.evals.suites.tau2.tools import ToolError

CustomerId = Annotated[str, "The customer's id"]
LineId = Annotated[str, "Id of one of the customer's lines"]
R = TypeVar("R", bound=Record)


class Books:
    """The company's records, and what is done with them."""

    def __init__(self, company: Company) -> None:
        self._company = company

    def customer(self, id: str) -> Customer:
        return _found(self._company.customers, "customer_id", id, "Customer")

    def line(self, id: str) -> Line:
        return _found(self._company.lines, "line_id", id, "Line")

    def bill(self, id: str) -> Bill:
        return _found(self._company.bills, "bill_id", id, "Bill")

    def plan(self, id: str) -> Plan:
        return _found(self._company.plans, "plan_id", id, "Plan")

    def owned(self, customer_id: str, line_id: str) -> Line:
        if line_id not in self.customer(customer_id).line_ids:
            raise ToolError(f"Line {line_id} not found for customer {customer_id}")
        return self.line(line_id)

    def numbered(self, phone_number: str) -> Line:
        return _found(self._company.lines, "phone_number", phone_number, "Line")

    def awaiting(self, customer: Customer) -> list[Bill]:
        bills = [self.bill(each) for each in customer.bill_ids]
        return [bill for bill in bills if bill.status == "Awaiting Payment"]

    def set_roaming(self, customer_id: str, line_id: str, on: bool) -> str:
        line = self.owned(customer_id, line_id)
        word = "enabled" if on else "disabled"
        if line.roaming_enabled == on:
            return f"Roaming was already {word}"
        line.roaming_enabled = on
        return f"Roaming {word} successfully"

    def charge(self, customer_id: str, amount: float, description: str) -> None:
        """Put a charge on the draft of the next bill; make one where there is none."""
        customer = self.customer(customer_id)
        bills = [self.bill(each) for each in customer.bill_ids]
        draft = next((bill for bill in bills if bill.status == "Draft"), None)
        if draft is None:
            start = _month_after(TODAY)
            draft = Bill(
                bill_id=f"B{len(self._company.bills):08x}",  # officially a random one
                customer_id=customer_id,
                period_start=start,
                period_end=_month_after(start) - dt.timedelta(days=1),
                issue_date=start,
                total_due=0,
                due_date=start + dt.timedelta(days=14),
            )
            self._add(customer, draft)
        _put(draft, amount, description)

    def put_overdue(self, customer_id: str, bill_id: str, amount: float, description: str) -> Bill:
        """Give a customer a bill of last month that was not paid."""
        last = TODAY.replace(day=1) - dt.timedelta(days=1)
        first = last.replace(day=1)
        bill = Bill(
            bill_id=bill_id,
            customer_id=customer_id,
            period_start=first,
            period_end=last,
            issue_date=first,
            total_due=0,
            due_date=first + dt.timedelta(days=14),
            status="Overdue",
        )
        _put(bill, amount, description)
        self._add(self.customer(customer_id), bill)
        return bill

    def _add(self, customer: Customer, bill: Bill) -> None:
        self._company.bills.append(bill)
        customer.bill_ids.append(bill.bill_id)


class Carrier(Books):
    """Its public methods are the tools."""

    def get_customer_by_phone(
        self, phone_number: Annotated[str, "Contact number, or that of a line"]
    ) -> Customer:
        """Look up the customer that a phone number belongs to."""
        for customer in self._company.customers:
            numbers = [self.line(each).phone_number for each in customer.line_ids]
            if phone_number in (customer.phone_number, *numbers):
                return customer
        raise ToolError(f"Customer with phone number {phone_number} not found")

    def get_customer_by_id(self, customer_id: CustomerId) -> Customer:
        """Look up a customer by id."""
        return self.customer(customer_id)

    def get_customer_by_name(
        self,
        full_name: Annotated[str, "First and last name"],
        dob: Annotated[str, "Date of birth, YYYY-MM-DD"],
    ) -> list[Customer]:
        """Look up customers by full name and date of birth; there may be several, or none."""
        return [
            each
            for each in self._company.customers
            if each.full_name.lower() == full_name.lower() and each.date_of_birth == dob
        ]

    def get_details_by_id(
        self, id: Annotated[str, "Id of a customer, line, device, bill or plan"]
    ) -> Record:
        """Show the record that has this id: of a customer, line, device, bill or plan."""
        match id[:1]:
            case "L":
                return self.line(id)
            case "D":
                return _found(self._company.devices, "device_id", id, "Device")
            case "B":
                return self.bill(id)
            case "C":
                return self.customer(id)
            case "P":
                return self.plan(id)
        raise ToolError(f"Unknown ID format or type: {id}")

    def suspend_line(
        self,
        customer_id: CustomerId,
        line_id: LineId,
        reason: Annotated[str, "Why it is suspended"],
    ) -> dict[str, Any]:
        """Suspend an active line, for six months at most."""
        line = self.owned(customer_id, line_id)
        if line.status != "Active":
            raise ToolError("Line must be active to suspend")
        line.status = "Suspended"
        line.suspension_start_date = TODAY
        text = "Line suspended successfully. $5/month holding fee will apply."
        return {"message": text, "line": line}

    def resume_line(self, customer_id: CustomerId, line_id: LineId) -> dict[str, Any]:
        """Make a line active that is suspended or waits for its activation."""
        line = self.owned(customer_id, line_id)
        if line.status not in ("Suspended", "Pending Activation"):
            raise ToolError("Line must be suspended to resume")
        line.status = "Active"
        line.suspension_start_date = None
        return {"message": "Line resumed successfully", "line": line}

    def get_bills_for_customer(
        self,
        customer_id: CustomerId,
        limit: Annotated[int, "Not more bills than this"] = 12,
    ) -> list[Bill]:
        """List a customer's bills, the latest first."""
        bills = [self.bill(each) for each in self.customer(customer_id).bill_ids]
        return sorted(bills, key=lambda bill: bill.issue_date, reverse=True)[:limit]

    def send_payment_request(
        self, customer_id: CustomerId, bill_id: Annotated[str, "Id of the bill to be paid"]
    ) -> str:
        """Ask a customer to pay a bill, which awaits payment from then on. Only one bill of a
        customer may do so at a time. Whether the bill is paid already is not checked."""
        customer = self.customer(customer_id)
        if self.awaiting(customer):
            raise ToolError("A bill is already awaiting payment for this customer")
        if bill_id not in customer.bill_ids:
            raise ToolError(f"Bill {bill_id} not found for customer {customer_id}")
        self.bill(bill_id).status = "Awaiting Payment"
        return f"Payment request sent to the customer for bill {bill_id}"

    def get_data_usage(self, customer_id: CustomerId, line_id: LineId) -> dict[str, Any]:
        """Show how much data a line has used in this billing cycle, its limit, what was refueled,
        and when the cycle ends."""
        line = self.owned(customer_id, line_id)
        return {
            "line_id": line_id,
            "data_used_gb": line.data_used_gb,
            "data_limit_gb": self.plan(line.plan_id).data_limit_gb,
            "data_refueling_gb": line.data_refueling_gb,
            "cycle_end_date": _month_after(TODAY) - dt.timedelta(days=1),
        }

    def enable_roaming(self, customer_id: CustomerId, line_id: LineId) -> str:
        """Let a line be used abroad."""
        return self.set_roaming(customer_id, line_id, True)

    def disable_roaming(self, customer_id: CustomerId, line_id: LineId) -> str:
        """No longer let a line be used abroad."""
        return self.set_roaming(customer_id, line_id, False)

    def transfer_to_human_agents(
        self, summary: Annotated[str, "What the customer's problem is"]
    ) -> str:
        """Hand the customer over to a person. Only if the customer asks for one, or if policy and
        tools do not allow to solve the problem."""
        return "Transfer successful"

    def refuel_data(
        self,
        customer_id: CustomerId,
        line_id: LineId,
        gb_amount: Annotated[float, "Gigabytes to be added"],
    ) -> dict[str, Any]:
        """Add data to a line, at the price of its plan, on the customer's next bill."""
        line = self.owned(customer_id, line_id)
        if gb_amount <= 0:
            raise ToolError("Refuel amount must be positive")
        price = self.plan(line.plan_id).data_refueling_price_per_gb
        charge = gb_amount * price
        line.data_refueling_gb += gb_amount
        self.charge(customer_id, charge, f"Data refueling: {gb_amount} GB at ${price}/GB")
        text = f"Successfully added {gb_amount} GB of data for line {line_id} for ${charge:.2f}"
        return {
            "message": text,
            "new_data_refueling_gb": line.data_refueling_gb,
            "charge": charge,
        }


def _put(bill: Bill, amount: float, description: str) -> None:
    kind = "Credit" if amount < 0 else "Charge"
    bill.line_items.append(
        LineItem(description=description, amount=amount, date=TODAY, item_type=kind)
    )
    bill.total_due += amount


def _found(records: Iterable[R], key: str, value: str, what: str) -> R:
    for each in records:
        if getattr(each, key) == value:
            return each
    by = "phone number" if key == "phone_number" else "ID"
    raise ToolError(f"{what} with {by} {value} not found")


def _month_after(day: dt.date) -> dt.date:
    return (day.replace(day=1) + dt.timedelta(days=32)).replace(day=1)
