"""The flights, cards and insurances of BFCL's multi-turn cases.

Airports, fares and exchange rates are those that the official environment answers with.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from datetime import date, datetime
from random import Random
from typing import Any

Answer = dict[str, Any]

_TODAY = date(2026, 3, 23)
"""For ages. The official environment asks the clock; here the same is right on every day."""
_AIRPORTS = {
    "Rivermist": "RMS", "Stonebrook": "SBK", "Maplecrest": "MPC", "Silverpine": "SVP",
    "Shadowridge": "SHD", "Paris": "CDG", "London": "LHR", "Sunset Valley": "SSV",
    "Oakendale": "OKD", "Willowbend": "WLB", "Beijing": "PEK", "Tokyo": "HND",
    "Hong Kong": "HKG", "Rome": "CIA", "Crescent Hollow": "CRH", "Autumnville": "ATV",
    "Pinehaven": "PHV", "Greenfield": "GFD", "San Francisco": "SFO", "Los Angeles": "LAX",
    "New York": "JFK", "Chicago": "ORD", "Boston": "BOS",
}  # fmt: skip
_CODES = list(_AIRPORTS.values())
_FARES = (
    "SFO LAX 200 JFK 500 ORD 400 BOS 450 RMS 300 SBK 350 MPC 370 SVP 320 SHD 330 SSV 340 OKD 360"
    " WLB 310 CRH 380 ATV 390 PHV 420 GFD 430 CIA 700",
    "LAX SFO 100 JFK 600 ORD 500 BOS 550 RMS 310 SBK 320 MPC 330 SVP 340 SHD 350 SSV 360 OKD 370"
    " WLB 380 CRH 390 ATV 400 PHV 410 GFD 420 HND 430",
    "JFK ORD 300 BOS 250 RMS 450 SBK 460 MPC 470 SVP 480 SHD 490 SSV 500 OKD 510 WLB 520 CRH 530"
    " ATV 540 PHV 550 GFD 560 LAX 570 HND 800 PVG 950 PEK 1000",
    "ORD LAX 180 BOS 200 RMS 350 SBK 360 MPC 370 SVP 380 SHD 390 SSV 400 OKD 410 WLB 420 CRH 430"
    " ATV 440 PHV 450 GFD 460",
    "BOS RMS 400 SBK 410 MPC 420 SVP 430 SHD 440 SSV 450 OKD 460 WLB 470 CRH 480 ATV 490 PHV 500"
    " GFD 510",
    "RMS BOS 200 JFK 210 SBK 220 MPC 230 SVP 240 SHD 250 SSV 260 OKD 270 WLB 280 CRH 290 ATV 300"
    " PHV 310 GFD 320 LAX 330",
    "SBK MPC 200 SVP 210 SHD 220 SSV 230 OKD 240 WLB 250 CRH 260 ATV 270 PHV 280 GFD 290",
    "MPC SVP 210 SHD 220 SSV 230 OKD 240 WLB 250 CRH 260 ATV 270 PHV 280 GFD 290",
    "SVP SHD 230 SSV 240 OKD 250 WLB 260 CRH 270 ATV 280 PHV 290 GFD 300",
    "SHD SSV 220 OKD 230 WLB 240 CRH 250 ATV 260 PHV 270 GFD 280",
    "SSV OKD 240 WLB 250 CRH 260 ATV 270 PHV 280 GFD 290",
    "OKD WLB 230 CRH 240 ATV 250 PHV 260 GFD 270",
    "WLB CRH 250 ATV 260 PHV 270 GFD 280",
    "CRH ATV 240 PHV 250 GFD 260 SFO 270 RMS 280 HKG 290 JFK 300",
    "ATV PHV 230 GFD 240",
    "PHV GFD 220",
    "LHR CDG 100",
    "OKD LAX 220",
)
"""Economy, one way: from, then pairs of to and dollars."""
_COST = {
    (start, end): float(cost)
    for start, *rest in map(str.split, _FARES)
    for end, cost in zip(rest[::2], rest[1::2], strict=True)
}
_CLASSES = {"economy": 1, "business": 2, "first": 5}
_CHOICES = "{'economy', 'business', 'first'}"
"""The official order is another in every process."""
_PER_DOLLAR = {
    "RMB": 7.0, "EUR": 0.8, "JPY": 110.0, "GBP": 0.7, "CAD": 1.3, "AUD": 1.4, "INR": 70.0,
    "RUB": 60.0, "BRL": 3.8, "MXN": 20.0,
}  # fmt: skip
_BAD_TOKEN = "Invalid access token"  # noqa: S105
_NO_ROUTE = "No available route for the given airports."


class TravelAPI:
    """One traveller: token, cards, bookings and a budget."""

    def __init__(self, config: Mapping[str, Any], long: Mapping[str, Any] | None = None) -> None:
        given = deepcopy(dict(config))
        self._random = Random(given.get("random_seed", 141053))  # noqa: S311
        self._long = long
        self.credit_card_list: dict[str, Answer] = given.get("credit_card_list", {})
        self.booking_record: dict[str, Answer] = given.get("booking_record", {})
        self.access_token: str | None = given.get("access_token")
        self.token_type: str | None = given.get("token_type")
        self.token_expires_in: int | None = given.get("token_expires_in")
        self.token_scope: str | None = given.get("token_scope")
        self.user_first_name: str | None = given.get("user_first_name")
        self.user_last_name: str | None = given.get("user_last_name")
        self.budget_limit: float | None = given.get("budget_limit")
        if long is not None:
            self.credit_card_list |= deepcopy(long["cards"])
            self.booking_record |= deepcopy(long["bookings"])

    def authenticate_travel(  # noqa: PLR0917
        self,
        client_id: str,
        client_secret: str,
        refresh_token: str,
        grant_type: str,
        user_first_name: str,
        user_last_name: str,
    ) -> Answer:
        self.access_token = self._number(6)
        self.token_type, self.token_expires_in, self.token_scope = "Bearer", 2, grant_type
        self.user_first_name, self.user_last_name = user_first_name, user_last_name
        return {
            "expires_in": 2,
            "access_token": self.access_token,
            "token_type": "Bearer",
            "scope": grant_type,
        }

    def travel_get_login_status(self) -> Answer:
        return {"status": self.access_token is not None}

    def get_budget_fiscal_year(
        self,
        lastModifiedAfter: str | None = None,  # noqa: N803
        includeRemoved: str | None = None,  # noqa: N803
    ) -> Answer:
        return {"budget_fiscal_year": "2018"}

    def set_budget_limit(self, access_token: str, budget_limit: float) -> Answer:
        if access_token != self.access_token:
            return {"error": _BAD_TOKEN}
        self.budget_limit = float(budget_limit)
        return {"budget_limit": self.budget_limit}

    def list_all_airports(self) -> list[str]:
        return _CODES

    def get_nearest_airport_by_city(self, location: str) -> Answer:
        return {"nearest_airport": _AIRPORTS.get(location, "Unknown")}

    def compute_exchange_rate(
        self, base_currency: str, target_currency: str, value: float
    ) -> Answer:
        if base_currency == "USD" and target_currency in _PER_DOLLAR:
            return {"exchanged_value": value * _PER_DOLLAR[target_currency]}
        if target_currency == "USD" and base_currency in _PER_DOLLAR:
            return {"exchanged_value": round(value / _PER_DOLLAR[base_currency], 2)}
        raise ValueError("No available exchange rate for the given currencies.")

    def get_flight_cost(
        self, travel_from: str, travel_to: str, travel_date: str, travel_class: str
    ) -> Answer:
        cost = _fare(travel_from, travel_to, travel_date, travel_class)
        if self._long is None:
            return {"travel_cost_list": [cost]}
        every = [_fare(*route, travel_date, travel_class) for route in _COST]
        return {"travel_cost_list": every}

    def register_credit_card(
        self,
        access_token: str,
        card_number: str,
        expiration_date: str,
        cardholder_name: str,
        card_verification_number: int,
    ) -> Answer:
        if self.access_token is None:
            return {"error": "Token not initialized"}
        if access_token != self.access_token:
            return {"error": _BAD_TOKEN}
        if card_number in self.credit_card_list:
            return {"error": "Card already registered"}
        card_id = self._number(12)
        self.credit_card_list[card_id] = {
            "card_number": card_number,
            "expiration_date": expiration_date,
            "cardholder_name": cardholder_name,
            "card_verification_number": card_verification_number,
            "balance": self._random.randint(10000, 99999),
        }
        return {"card_id": card_id}

    def get_credit_card_balance(self, access_token: str, card_id: str) -> Answer:
        if access_token != self.access_token:
            return {"error": _BAD_TOKEN}
        if card_id not in self.credit_card_list:
            known = list(self.credit_card_list)
            return {"error": f"Card not registered. Here are a list of card_id's: {known}"}
        return {"card_balance": self.credit_card_list[card_id]["balance"]}

    def get_all_credit_cards(self) -> Answer:
        return {"credit_card_list": self.credit_card_list}

    def book_flight(  # noqa: PLR0917
        self,
        access_token: str,
        card_id: str,
        travel_date: str,
        travel_from: str,
        travel_to: str,
        travel_class: str,
    ) -> Answer:
        if access_token != self.access_token:
            return _unbooked(_BAD_TOKEN)
        card = self.credit_card_list.get(card_id)
        if card is None:
            return _unbooked("Card not registered")
        if "balance" not in card:
            return _unbooked("Balance not found")
        if travel_from not in _CODES:
            return _unbooked(f"Invalid departure airport code: {travel_from}")
        if travel_to not in _CODES:
            return _unbooked(f"Invalid destination airport code: {travel_to}")
        if not _is_day(travel_date):
            return _unbooked("Invalid date format. Use YYYY-MM-DD.")
        if travel_class not in _CLASSES:
            return _unbooked(f"Invalid travel class. Must be one of {_CHOICES}")
        try:
            cost = _fare(travel_from, travel_to, travel_date, travel_class)
        except ValueError as error:
            return _unbooked(str(error))
        if card["balance"] < cost:
            return _unbooked("Insufficient funds")
        if self.budget_limit is not None and card["balance"] < self.budget_limit:
            return _unbooked("Balance is less than budget limit")
        card["balance"] -= cost
        booking_id, transaction_id = self._number(7), self._number(8)
        self.booking_record[booking_id] = {
            "card_id": card_id,
            "travel_date": travel_date,
            "travel_from": travel_from,
            "travel_to": travel_to,
            "travel_class": travel_class,
            "travel_cost": cost,
            "transaction_id": transaction_id,
        }
        return {
            "booking_id": booking_id,
            "transaction_id": transaction_id,
            "booking_status": True,
            "booking_history": {} if self._long is None else self.booking_record,
        }

    def get_booking_history(self, access_token: str) -> Answer:
        if access_token != self.access_token:
            return {"error": _BAD_TOKEN}
        return {"booking_history": self.booking_record}

    def retrieve_invoice(
        self, access_token: str, booking_id: str | None = None, insurance_id: str | None = None
    ) -> Answer:
        if access_token != self.access_token:
            return {"error": _BAD_TOKEN}
        if booking_id is None or booking_id not in self.booking_record:
            return {"error": "Booking not found"}
        booking = self.booking_record[booking_id]
        fields = ("date", "from", "to", "class", "cost")
        invoice = {"booking_id": booking_id}
        invoice |= {f"travel_{each}": booking[f"travel_{each}"] for each in fields}
        return {"invoice": invoice | {"transaction_id": booking["transaction_id"]}}

    def cancel_booking(self, access_token: str, booking_id: str) -> Answer:
        if access_token != self.access_token:
            return {"cancel_status": False, "error": _BAD_TOKEN}
        if booking_id not in self.booking_record:
            return {"cancel_status": False, "error": "Booking not found"}
        booking = self.booking_record[booking_id]
        card_id, cost = booking["card_id"], booking["travel_cost"]
        self.credit_card_list[card_id]["balance"] += cost
        del self.booking_record[booking_id]
        return {"cancel_status": True}

    def purchase_insurance(
        self,
        access_token: str,
        insurance_type: str,
        booking_id: str,
        insurance_cost: float,
        card_id: str,
    ) -> Answer:
        if access_token != self.access_token:
            return {"insurance_status": False, "error": _BAD_TOKEN}
        if self.budget_limit is not None and self.budget_limit < insurance_cost:
            return {"insurance_status": False, "error": "Exceeded budget limit"}
        if booking_id not in self.booking_record:
            return {"insurance_status": False, "error": "Booking not found"}
        if card_id not in self.credit_card_list:
            return {"insurance_status": False, "error": "Credit card not registered"}
        self.credit_card_list[card_id]["balance"] -= insurance_cost
        return {"insurance_id": self._number(9), "insurance_status": True}

    def contact_customer_support(self, booking_id: str, message: str) -> Answer:
        if booking_id not in self.booking_record:
            return {"error": "Booking not found"}
        return {
            "customer_support_message": "Thank you for contacting customer support. Your message"
            " has been received and we will get back to you shortly."
        }

    def verify_traveler_information(
        self, first_name: str, last_name: str, date_of_birth: str, passport_number: str
    ) -> Answer:
        why = self._unfit(first_name, last_name, date_of_birth, passport_number)
        if why:
            return {"verification_status": False, "verification_failure": why}
        return {"verification_status": True}

    def _unfit(self, first: str, last: str, birth: str, passport: str) -> str:
        if (first, last) != (self.user_first_name, self.user_last_name):
            return (
                "Cannot book flight information for another user."
                f"Expected {self.user_first_name} {self.user_last_name}, got {first} {last}"
            )
        if not _is_day(birth):
            return "Invalid date of birth format. Please use YYYY-MM-DD."
        born = datetime.strptime(birth, "%Y-%m-%d")
        years = _TODAY.year - born.year
        if years - ((_TODAY.month, _TODAY.day) < (born.month, born.day)) < 18:
            return "Traveler must be at least 18 years old."
        return "" if passport.startswith("US") else "Passport must be issued by the United States."

    def _number(self, digits: int) -> str:
        return str(self._random.randint(10 ** (digits - 1), 10**digits - 1))


def _fare(start: str, end: str, day: str, seat: str) -> float:
    """Dollars; twice as many on days whose digits have an even sum."""
    if (start, end) not in _COST:
        raise ValueError(_NO_ROUTE)
    if seat not in _CLASSES:
        raise ValueError("Invalid travel class. Options are: economy, business, first.")
    digits = sum(int(each) for each in day if each.isdigit())
    return _COST[start, end] * _CLASSES[seat] * (2 if digits % 2 == 0 else 1)


def _is_day(text: str) -> bool:
    try:
        datetime.strptime(text, "%Y-%m-%d")
    except ValueError:
        return False
    return True


def _unbooked(why: str) -> Answer:
    return {"booking_status": False, "error": why}
