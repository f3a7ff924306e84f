"""The contracts of shop, bank and business, by their memory back ends."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.errors import ServiceError
from botpsy.services import records
from botpsy.services.bank import Account, Payee
from botpsy.services.bank.iban import grouped, iban, with_check_digits
from botpsy.services.bank.memory import MemoryBank
from botpsy.services.base import Service
from botpsy.services.business import Customer, Invoice, Ticket
from botpsy.services.business.memory import MemoryBusiness
from botpsy.services.money import LARGEST, from_cents, show_money, to_cents
from botpsy.services.shop import CART, Item, Order, Product
from botpsy.services.shop.memory import MemoryShop
from botpsy.services.words import meant, telling
from tests.tools.acting import NOW
from tests.tools.trade import (
    ADDRESSES,
    ANA,
    CUSTOMERS,
    INVOICES,
    MAIN,
    ORDERS,
    PAYMENTS,
    PRODUCTS,
    SAVINGS,
    STRANGER,
    TICKETS,
    TODAY,
    day,
    trade,
)

NAMES = ("shop", "bank", "business")
KEYS = {
    "shop": ("cart", "order:O1", "order:O5"),
    "bank": ("movement:m1", "bill:B1", "card:V1"),
    "business": ("customer:C1", "ticket:T1", "invoice:I1", "refund:R1"),
}


@pytest.mark.parametrize("name", NAMES)
def test_records(name: str) -> None:
    service: Any = trade().get(name)
    assert isinstance(service, Service)
    before = service.dump()
    assert json.loads(json.dumps(before)) == before, "plain JSON"
    for key in ("nothing", "order:none", "card:none", "ticket:none", ":", ""):
        assert service.snapshot(key) is None
        service.restore(key, None)
    for key in KEYS[name]:
        state = service.snapshot(key)
        assert state is not None
        service.restore(key, state)
        service.restore(key, state)
        assert service.snapshot(key) == state
        with pytest.raises(ServiceError):
            service.restore(key, '{"id": 1}')
    assert service.dump() == before


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("bank", "movement:m1"), ("bank", "bill:B1"), ("bank", "card:V1"),
        ("shop", "order:O1"), ("shop", "order:O3"),
        ("business", "customer:C1"), ("business", "refund:R1"), ("business", "invoice:I2"),
    ],
)  # fmt: skip
def test_what_has_happened_stays(name: str, key: str) -> None:
    service: Any = trade().get(name)
    before = service.dump()
    with pytest.raises(ServiceError):
        service.restore(key, None)
    assert service.dump() == before


def test_a_status_cannot_be_put_back() -> None:
    shop: Any = trade().shop
    placed = shop.snapshot("order:O5")
    shop.cancel("O5", NOW)
    with pytest.raises(ServiceError, match="changed back"):
        shop.restore("order:O5", placed)
    delivered = records.to_text(replace(ORDERS[0], id="O9"))
    with pytest.raises(ServiceError, match="changed back"):
        shop.restore("order:O9", delivered)


# --- money and words ----------------------------------------------------------------------------


@given(st.integers(-LARGEST, LARGEST))
def test_cents_survive_their_number(cents: int) -> None:
    assert to_cents(from_cents(cents)) == cents
    assert to_cents(show_money(cents, "").strip()) == cents


@pytest.mark.parametrize(
    "wrong", ["", "ten", "1,5", "0.001", 0.001, float("nan"), float("inf"), "1e30", True, "--1"]
)
def test_no_amount(wrong: Any) -> None:
    with pytest.raises(ValueError, match="not an amount"):
        to_cents(wrong)


def test_money_is_shown() -> None:
    assert [show_money(n, "EUR") for n in (0, 5, -5, 123456, -100)] == [
        "0.00 EUR", "0.05 EUR", "-0.05 EUR", "1234.56 EUR", "-1.00 EUR",
    ]  # fmt: skip
    assert to_cents(19.99) == 1999
    assert (from_cents(5000), from_cents(4999)) == (50, 49.99)


@given(st.text("0123456789", min_size=11, max_size=20), st.integers(0, 40), st.integers(1, 9))
def test_one_wrong_digit_is_no_account_number(account: str, at: int, by: int) -> None:
    number = with_check_digits("DE", account)
    assert iban(grouped(number).lower()) == number
    at = 2 + at % (len(number) - 2)
    wrong = number[:at] + str((int(number[at]) + by) % 10) + number[at + 1 :]
    assert iban(wrong) is None


def test_what_words_mean() -> None:
    def ids(text: str) -> list[str]:
        return [each.id for each in meant(PRODUCTS, text, lambda product: product.name)]

    assert ids("p1") == ["P1"]
    assert ids("the green kettles") == ["P1"]
    assert ids("mug") == ["P2", "P3"]
    assert ids("blue mug") == ["P2"]
    longer = [replace(PRODUCTS[0], id="P6", name="Big green kettle"), *PRODUCTS]
    assert [each.id for each in meant(longer, "green kettle", lambda p: p.name)] == ["P1"]
    assert [ids(text) for text in ("", "the", "…", "red mug", "kett")] == [[]] * 5
    assert telling("Maria's glasses") == ("maria", "glasse")


# --- shop ---------------------------------------------------------------------------------------


def shop_of(*products: Product, bank: MemoryBank | None = None) -> MemoryShop:
    return MemoryShop(products or PRODUCTS, orders=ORDERS, bank=bank)


def buy(shop: MemoryShop, id: str, card: int = 0) -> Order:
    return shop.order(id, shop.cart(), address=ADDRESSES[0], payment=PAYMENTS[card], now=NOW)


def test_searching() -> None:
    shop = shop_of()
    assert [each.id for each in shop.search("mugs")] == ["P3", "P2"], "the best rated first"
    assert [each.id for each in shop.search("kitchen")] == ["P3", "P1", "P2"]
    assert [each.id for each in shop.search("coffee mug")] == ["P2"], "by its description"
    assert shop.search("submarine") == []


def test_a_cart_holds_what_is_in_stock() -> None:
    shop = shop_of()
    assert shop.put_in("P4", 2) == 2
    with pytest.raises(ServiceError, match="Only 3 of Party balloons"):
        shop.put_in("P4", 2)
    with pytest.raises(ServiceError, match="Green mug is out of stock"):
        shop.put_in("P3", 1)
    assert shop.cart() == [Item("P4", 2)]
    with pytest.raises(ServiceError, match="Only 2"):
        shop.take_out("P4", 3)
    assert shop.take_out("P4", 1) == 1
    assert shop.take_out("P4", None) == 0
    with pytest.raises(ServiceError, match="not in the cart"):
        shop.take_out("P4", None)
    with pytest.raises(ServiceError, match="no product"):
        shop.product("P9")


def test_stock_follows_orders() -> None:
    shop = shop_of()
    assert shop.in_stock("P5") == 2, "orders of old are not in it"
    shop.put_in("P5", 2)
    shop.put_in("P2", 1)
    order = buy(shop, "x")
    assert (order.total, order.due, order.title) == (26650, day(6), "2 x Trail shoes, Blue mug")
    assert shop.cart() == [] and shop.in_stock("P5") == 0
    assert buy(shop, "x") == order, "the same again is the same"
    with pytest.raises(ServiceError, match="cart holds other"):
        buy(shop, "y")
    shop.cancel("x", NOW)
    assert shop.cancel("x", NOW).status == "cancelled"
    assert shop.in_stock("P5") == 2


def test_sold_out_between_cart_and_order() -> None:
    shop = shop_of()
    shop.put_in("P5", 2)
    state = shop.snapshot(CART)
    buy(shop, "x")
    shop.restore(CART, state)
    with pytest.raises(ServiceError, match="Trail shoes is out of stock"):
        buy(shop, "y")
    assert [order.id for order in shop.orders()] == ["x", "O5", "O3", "O4", "O1", "O2"]


def test_what_changed_in_the_cart_is_not_bought() -> None:
    shop = shop_of()
    shop.put_in("P1", 1)
    seen = shop.cart()
    shop.put_in("P5", 1)
    with pytest.raises(ServiceError, match="Look at it again"):
        shop.order("x", seen, address=ADDRESSES[0], payment=PAYMENTS[0], now=NOW)


def test_cards_are_charged() -> None:
    services = trade(blocked=True)
    shop: Any = services.shop
    bank: Any = services.bank
    shop.put_in("P5", 2)
    before = (shop.dump(), bank.dump())
    with pytest.raises(ServiceError, match="Visa ending 4242 is blocked"):
        buy(shop, "x")
    assert (shop.dump(), bank.dump()) == before
    order = buy(shop, "x", 1)
    assert bank.balance("A2") == 200100 - order.total
    shop.cancel("x", NOW)
    assert bank.balance("A2") == 200100
    assert [each.cents for each in bank.movements()[:2]] == [order.total, -order.total]


def test_no_money_no_order() -> None:
    services = trade(balance=-4003)
    services.shop.put_in("P1", 2)
    with pytest.raises(ServiceError, match="insufficient funds"):
        buy(services.shop, "x")  # type: ignore[arg-type]
    assert len(services.shop.cart()) == 1


@pytest.mark.parametrize(
    ("order", "product", "quantity", "why"),
    [
        ("O1", "P2", 3, "2 of Blue mug were ordered"),
        ("O1", "P5", 1, "no Trail shoes in it"),
        ("O2", "P5", 1, "could be returned until Fri 16 Oct 2026|could be returned until"),
        ("O3", "P5", 1, "it is shipped"),
        ("O4", "P4", 1, "cannot be returned"),
        ("O5", "P2", 1, "It can be cancelled"),
        ("O9", "P2", 1, "no order"),
    ],
)
def test_what_cannot_be_sent_back(order: str, product: str, quantity: int, why: str) -> None:
    shop = shop_of()
    before = shop.dump()
    with pytest.raises(ServiceError) as refused:
        shop.send_back(order, product, quantity, NOW)
    assert any(part in str(refused.value) for part in why.split("|"))
    assert shop.dump() == before


def test_sending_back() -> None:
    shop = shop_of()
    after = shop.send_back("O1", "P2", 1, NOW)
    assert [line.returned for line in after.lines] == [0, 1]
    shop.send_back("O1", "P2", 1, NOW)
    with pytest.raises(ServiceError, match="2 of them returned"):
        shop.send_back("O1", "P2", 1, NOW)


def test_the_last_day_of_returns() -> None:
    order = replace(ORDERS[0], delivered=day(-30))
    for shift, fine in ((0, True), (-1, False)):
        shop = MemoryShop(PRODUCTS, orders=[replace(order, delivered=day(-30 + shift))])
        if fine:
            shop.send_back("O1", "P1", 1, NOW)
        else:
            with pytest.raises(ServiceError, match="could be returned until"):
                shop.send_back("O1", "P1", 1, NOW)


def test_too_late_to_cancel() -> None:
    shop = shop_of()
    with pytest.raises(ServiceError, match=r"has been shipped.*sent back once it is here"):
        shop.cancel("O3", NOW)
    with pytest.raises(ServiceError, match="has been delivered"):
        shop.cancel("O1", NOW)
    with pytest.raises(ServiceError, match="no order"):
        shop.cancel("O9", NOW)


# --- bank ---------------------------------------------------------------------------------------


def send(bank: Any, id: str, cents: int, to: str = STRANGER, source: str = "A1") -> Any:
    return bank.transfer(id, source, Payee("Somebody", to), cents, text="", now=NOW)


def test_transfers() -> None:
    bank = trade().bank
    assert bank.balance("A1") == 50000, "history is in it already"
    done = send(bank, "x", 20000)
    assert send(bank, "x", 20000) == done, "the same again is the same"
    assert bank.balance("A1") == 30000
    with pytest.raises(ServiceError, match=r"daily limit of 300.00 EUR.* 0.00 EUR can still"):
        send(bank, "y", 1)
    with pytest.raises(ServiceError, match="to itself"):
        send(bank, "y", 1, MAIN)
    assert send(bank, "z", 30000, SAVINGS).kind == "own", "no limit between own accounts"
    assert (bank.balance("A1"), bank.balance("A2")) == (0, 230100)
    assert [each.id for each in bank.movements()[:3]] == ["z", "z.in", "x"]
    with pytest.raises(ServiceError, match=r"insufficient funds: 0.00 EUR and an overdraft of 100"):
        send(bank, "w", 10001, SAVINGS)
    send(bank, "w", 10000, SAVINGS)
    with pytest.raises(ServiceError, match=r"insufficient funds: 2401.00 EUR\."):
        send(bank, "v", 240101, ANA, "A2")


def test_yesterdays_transfers_do_not_count() -> None:
    account = Account("A1", "Main", MAIN, 100000, daily_limit=30000)
    bank = MemoryBank([account])
    for n in range(3):
        now = NOW.replace(day=NOW.day + n)
        bank.transfer(f"x{n}", "A1", Payee("", STRANGER), 30000, text="", now=now)
    assert bank.balance("A1") == 10000


def test_bills() -> None:
    bank: Any = trade().bank
    assert [bill.id for bill in bank.bills()] == ["B4", "B2", "B3", "B1"]
    with pytest.raises(ServiceError, match="paid already"):
        bank.pay_bill("x", "B2", "A1", NOW)
    with pytest.raises(ServiceError, match="no bill"):
        bank.pay_bill("x", "B9", "A1", NOW)
    with pytest.raises(ServiceError, match="daily limit"):
        bank.pay_bill("x", "B3", "A1", NOW)
    done = bank.pay_bill("x", "B3", "A2", NOW)
    assert bank.pay_bill("x", "B3", "A2", NOW) == done
    assert bank.dump()["bill"]["B3"]["paid"] == TODAY.isoformat()


def test_rates_and_shares() -> None:
    bank = trade().bank
    assert bank.rate("USD", "EUR") == Decimal("0.9")
    assert bank.rate("GBP", "JPY") == 200
    assert bank.rate("EUR", "EUR") == 1
    with pytest.raises(ServiceError, match="no rate for XXX"):
        bank.rate("EUR", "XXX")
    assert [share.id for share in bank.shares("acme")] == ["ACM", "ACF"]
    assert [share.id for share in bank.shares("nwd")] == ["NWD"]
    with pytest.raises(ServiceError, match="no card"):
        bank.set_blocked("V9", True)


# --- business -----------------------------------------------------------------------------------


def test_customers() -> None:
    business = trade().business
    assert [each.id for each in business.customers()] == ["C2", "C1", "C3"]
    with pytest.raises(ServiceError, match="belongs to another"):
        business.save_customer(replace(CUSTOMERS[2], email="LOPEZ@mail.example"))
    business.save_customer(replace(CUSTOMERS[0], email="Lopez@mail.example"))
    with pytest.raises(ServiceError, match="no customer"):
        business.save_customer(Customer("C9", "Nobody"))


def test_only_the_right_code_verifies() -> None:
    business = trade().business
    for code in ("", "4712", "47110", "٤٧١١"):
        assert not business.verify("C1", code, TODAY)
    assert not business.verify("C3", "", TODAY), "who has no code cannot be verified"
    assert business.customer("C1").verified is None
    assert business.verify("C1", "4711", TODAY)
    assert business.customer("C1").verified == TODAY


def test_no_more_is_refunded_than_was_paid() -> None:
    business = trade().business
    first = business.refund("x", "S2", 9000, reason="late", now=NOW)
    assert business.refund("x", "S2", 9000, reason="late", now=NOW) == first
    with pytest.raises(ServiceError, match=r"120.00 EUR was paid .* and 110.00 EUR was refunded"):
        business.refund("y", "S2", 1001, reason="late", now=NOW)
    business.refund("y", "S2", 1000, reason="the rest", now=NOW)
    with pytest.raises(ServiceError, match="cancelled"):
        business.refund("z", "S4", 1, reason="", now=NOW)
    with pytest.raises(ServiceError, match="no order"):
        business.refund("z", "S9", 1, reason="", now=NOW)


def test_policy_is_not_enforced() -> None:
    business = trade().business
    business.refund("x", "S2", 5000, reason="70 days after delivery", now=NOW)
    business.save_customer(replace(CUSTOMERS[0], address="not verified"))


def test_one_case_is_one_ticket() -> None:
    business = trade().business
    again = Ticket("x", "C2", "The late parcels", "", NOW)
    with pytest.raises(ServiceError, match="open ticket on this already: T2"):
        business.open_ticket(again)
    assert business.open_ticket(replace(again, customer="C1")).id == "x"
    assert business.open_ticket(replace(again, subject="Else")).subject == "The late parcels"
    business.save_ticket(replace(TICKETS[1], status="closed"))
    assert business.open_ticket(replace(again, id="z")).id == "z", "closed ones do not count"
    with pytest.raises(ServiceError, match="no customer"):
        business.open_ticket(replace(again, id="y", customer="C9"))
    with pytest.raises(ServiceError, match="Nobody on the staff"):
        business.save_ticket(replace(TICKETS[0], assignee="Zed"))
    with pytest.raises(ServiceError, match="no ticket"):
        business.save_ticket(replace(TICKETS[0], id="T9"))


def test_invoices() -> None:
    business = trade().business
    with pytest.raises(ServiceError, match="paid already"):
        business.send_invoice("I1", TODAY)
    with pytest.raises(ServiceError, match="no mail address"):
        business.send_invoice("I3", TODAY)
    assert business.send_invoice("I2", TODAY).sent == (day(-30), TODAY)
    with pytest.raises(ServiceError, match="sent today already"):
        business.send_invoice("I2", TODAY)
    with pytest.raises(ServiceError, match="no invoice"):
        business.send_invoice("I9", TODAY)
    with pytest.raises(ServiceError, match="due before"):
        business.make_invoice(Invoice("x", "C1", "x", 1, TODAY, day(-1)))
    with pytest.raises(ServiceError, match="no customer"):
        business.make_invoice(Invoice("x", "C9", "x", 1, TODAY, TODAY))
    made = business.make_invoice(replace(INVOICES[2], id="x"))
    assert business.make_invoice(replace(made, cents=1)) == made


def test_a_world_that_does_not_hang_together() -> None:
    with pytest.raises(AssertionError):
        MemoryBusiness(CUSTOMERS[:1], tickets=TICKETS)
    with pytest.raises(AssertionError):
        MemoryShop([], cart=[Item("P1", 1)])


def test_a_damaged_record() -> None:
    with pytest.raises(ServiceError, match="stored order is damaged"):
        records.from_text(Order, '{"id": "x", "status": "lost"}')
    order = replace(ORDERS[0], delivered=date(2026, 1, 1))
    assert records.from_text(Order, records.to_text(order)) == order
