"""The stock trading of BFCL's multi-turn cases.

Stock figures and company names are those that the official environment answers with. Time stands
still; a transaction's time is drawn within the day that follows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import datetime, timedelta
from random import Random
from typing import Any

Answer = dict[str, Any]

_NOW = datetime(2024, 9, 1, 10, 30)  # a time in a story
_SYMBOLS = {
    "Apple": "AAPL", "Google": "GOOG", "Tesla": "TSLA", "Microsoft": "MSFT", "Nvidia": "NVDA",
    "Amazon": "AMZN", "Gorilla": "GORI", "Alpha Tech": "ALPH", "Omega Industries": "OMEG",
    "Quasar Ltd.": "QUAS", "Neptune Systems": "NEPT", "Synex Solutions": "SYNX",
    "Zeta Corp": "ZETA",
}  # fmt: skip
_SECTORS = {"Technology": ("AAPL", "GOOG", "MSFT", "NVDA"), "Automobile": ("TSLA", "F", "GM")}
_FIGURES = ("price", "percent_change", "volume", "MA(5)", "MA(20)")
_STOCKS = {
    "AAPL": (227.16, 0.17, 2.552, 227.11, 227.09),
    "GOOG": (2840.34, 0.24, 1.123, 2835.67, 2842.15),
    "TSLA": (667.92, -0.12, 1.654, 671.15, 668.20),
    "MSFT": (310.23, 0.09, 3.234, 309.88, 310.11),
    "NVDA": (220.34, 0.34, 1.234, 220.45, 220.67),
    "ALPH": (1320.45, -0.08, 1.567, 1321.12, 1325.78),
    "OMEG": (457.23, 0.12, 2.345, 456.78, 458.12),
    "QUAS": (725.89, -0.03, 1.789, 726.45, 728.00),
    "NEPT": (88.34, 0.19, 0.654, 88.21, 88.67),
    "SYNX": (345.67, 0.11, 2.112, 345.34, 346.12),
    "ZETA": (22.09, -0.05, 0.789, 22.12, 22.34),
}
_ORDERS = {
    12345: ("Buy", "AAPL", 210.65, 10, "Completed"),
    12446: ("Sell", "GOOG", 2840.56, 5, "Pending"),
}


class TradingBot:
    """An account, its orders and a watch list."""

    def __init__(self, config: Mapping[str, Any], long: Mapping[str, Any] | None = None) -> None:
        given = deepcopy(dict(config))
        self._random = Random(given.get("random_seed", 1053520))  # noqa: S311
        self._long = long
        fields = ("id", "order_type", "symbol", "price", "amount", "status")
        usual: Any = {n: dict(zip(fields, (n, *row), strict=True)) for n, row in _ORDERS.items()}
        orders = given.get("orders", usual)
        self.orders: dict[Any, Answer] = {_number(key): order for key, order in orders.items()}
        self.account_info: Answer = given.get(
            "account_info",
            {"account_id": 12345, "balance": 10000.0, "binding_card": 1974202140965533},
        )
        self.authenticated: bool = given.get("authenticated", False)
        self.market_status: str = given.get("market_status", "Closed")
        self.order_counter: int = given.get("order_counter", 12446)
        self.stocks: dict[str, Answer] = given.get(
            "stocks",
            {name: dict(zip(_FIGURES, row, strict=True)) for name, row in _STOCKS.items()},
        )
        self.watch_list: list[str] = given.get("watch_list", ["NVDA"])
        self.transaction_history: list[Answer] = given.get("transaction_history", [])

    def get_current_time(self) -> Answer:
        return {"current_time": _NOW.strftime("%I:%M %p")}

    def get_symbol_by_name(self, name: str) -> Answer:
        return {"symbol": _SYMBOLS.get(name, "Stock not found")}

    def get_stock_info(self, symbol: str) -> Answer:
        if symbol not in self.stocks:
            return {"error": f"Stock with symbol '{symbol}' not found."}
        if self._long is None:
            return self.stocks[symbol]
        return self.stocks[symbol] | {"MA(5)": self._long["ma_5"], "MA(20)": self._long["ma_20"]}

    def get_available_stocks(self, sector: str) -> Answer:
        more = self._long["sectors"].get(sector, ()) if self._long else ()
        return {"stock_list": [*_SECTORS.get(sector, ()), *more]}

    def filter_stocks_by_price(
        self, stocks: Sequence[str], min_price: float, max_price: float
    ) -> Answer:
        prices = {name: stock["price"] for name, stock in self.stocks.items()}
        found = [each for each in stocks if min_price <= prices.get(each, 0) <= max_price]
        return {"filtered_stocks": found}

    def notify_price_change(self, stocks: Sequence[str], threshold: float) -> Answer:
        found = [
            each
            for each in stocks
            if each in self.stocks and abs(self.stocks[each]["percent_change"]) >= threshold
        ]
        if not found:
            return {"notification": "No significant price changes in the selected stocks."}
        return {"notification": f"Stocks {', '.join(found)} have significant price changes."}

    def trading_login(self, username: str, password: str) -> Answer:
        if self.authenticated:
            return {"status": "Already logged in"}
        self.authenticated = True
        return {"status": "Logged in successfully"}

    def trading_logout(self) -> Answer:
        if not self.authenticated:
            return {"status": "No user is currently logged in"}
        self.authenticated = False
        return {"status": "Logged out successfully"}

    def trading_get_login_status(self) -> Answer:
        return {"status": bool(self.authenticated)}

    def get_account_info(self) -> Answer:
        return self.account_info if self.authenticated else _stranger("view account information")

    def fund_account(self, amount: float) -> Answer:
        if not self.authenticated:
            return _stranger("fund the account")
        if amount <= 0:
            return {"error": "Funding amount must be positive."}
        self._book("deposit", amount, amount)
        return {
            "status": "Account funded successfully",
            "new_balance": self.account_info["balance"],
        }

    def withdraw_funds(self, amount: float) -> Answer:
        if not self.authenticated:
            return _stranger("make a transaction")
        if self.market_status != "Open":
            return {"error": "Market is closed. Transactions are not allowed."}
        if amount <= 0:
            return {"error": "Transaction amount must be positive."}
        if amount > self.account_info["balance"]:
            return {"error": "Insufficient funds for withdrawal."}
        self._book("withdrawal", amount, -amount)
        return {"status": "Withdrawal successful", "new_balance": self.account_info["balance"]}

    def get_transaction_history(
        self, start_date: str | None = None, end_date: str | None = None
    ) -> Answer | list[Answer]:
        if not self.authenticated:
            return [_stranger("view transaction history")]
        start = _day(start_date) if start_date else datetime.min
        end = _day(end_date) if end_date else datetime.max
        found = [each for each in self.transaction_history if start <= _time(each) <= end]
        more = self._long["transactions"] if self._long is not None else []
        return {"transaction_history": [*found, *more]}

    def place_order(self, order_type: str, symbol: str, price: float, amount: int) -> Answer:
        if not self.authenticated:
            return _stranger("place an order")
        if symbol not in self.stocks:
            return {"error": f"Invalid stock symbol: {symbol}"}
        if price <= 0 or amount <= 0:
            return {"error": "Price and amount must be positive values."}
        price = float(price)
        balance = self.account_info["balance"]
        if order_type.lower() == "buy" and price * amount > balance:
            return {
                "error": f"Insufficient funds: required ${price * amount:.2f}"
                f" but only ${balance:.2f} available."
            }
        number = self.order_counter
        order = {"order_type": order_type, "symbol": symbol, "price": price, "amount": amount}
        self.orders[number] = {"id": number, **order, "status": "Open"}
        self.order_counter += 1
        return {
            "order_id": number,
            "order_type": order_type,
            "status": "Pending",
            "price": price,
            "amount": amount,
        }

    def cancel_order(self, order_id: int) -> Answer:
        if order_id not in self.orders:
            return {"error": f"Order with ID {order_id} not found."}
        if self.orders[order_id]["status"] == "Completed":
            return {"error": f"Can't cancel order {order_id}. Order is already completed."}
        self.orders[order_id]["status"] = "Cancelled"
        return {"order_id": order_id, "status": "Cancelled"}

    def get_order_details(self, order_id: int) -> Answer:
        if order_id not in self.orders:
            return {
                "error": f"Order with ID {order_id} not found."
                f"Here is the list of orders_id: {list(self.orders)}"
            }
        order = self.orders[order_id]
        if self._long is None:
            return order
        about = self._long["order_details"].items()
        symbol = order["symbol"]
        return order | {"metadata": {k: text.replace("{symbol}", symbol) for k, text in about}}

    def get_order_history(self) -> Answer | list[Answer]:
        if not self.authenticated:
            return [_stranger("view order history")]
        return {"history": list(self.orders)}

    def get_watchlist(self) -> Answer | list[str]:
        if not self.authenticated:
            return ["Error: User not authenticated. Please log in to view the watchlist."]
        if self._long is not None:
            return [*self.watch_list, *self._long["watch_list"]]
        return {"watchlist": self.watch_list}

    def add_to_watchlist(self, stock: str) -> Answer:
        if stock in self.stocks and stock not in self.watch_list:
            self.watch_list.append(stock)
        return {"watchlist": self.watch_list}

    def remove_stock_from_watchlist(self, symbol: str) -> Answer:
        if not self.authenticated:
            return _stranger("modify the watchlist")
        if symbol not in self.watch_list:
            return {"error": f"Stock {symbol} not found in watchlist."}
        self.watch_list.remove(symbol)
        return {"status": f"Stock {symbol} removed from watchlist successfully."}

    def _book(self, kind: str, amount: float, change: float) -> None:
        self.account_info["balance"] += change
        at = _NOW + timedelta(seconds=self._random.randint(0, 86400))
        self.transaction_history.append(
            {"type": kind, "amount": amount, "timestamp": at.strftime("%Y-%m-%d %H:%M:%S")}
        )


def _number(key: Any) -> Any:
    """JSON knows no numbers for keys; the tools do. Some cases have other keys beside them."""
    return int(key) if isinstance(key, str) and key.isdigit() else key


def _day(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%d")


def _time(entry: Mapping[str, Any]) -> datetime:
    return datetime.strptime(entry["timestamp"], "%Y-%m-%d %H:%M:%S")


def _stranger(doing: str) -> Answer:
    return {"error": f"User not authenticated. Please log in to {doing}."}
