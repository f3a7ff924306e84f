"""The support tickets of BFCL's multi-turn cases."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

Answer = dict[str, Any]

_FIELDS = ("title", "description", "status", "priority")


class TicketAPI:
    """A queue of tickets, and who is logged in."""

    def __init__(self, config: Mapping[str, Any], long: Mapping[str, Any] | None = None) -> None:
        given = deepcopy(dict(config))
        self.ticket_queue: list[Answer] = given.get("ticket_queue", [])
        self.ticket_counter: int = given.get("ticket_counter", 1)
        self.current_user: str | None = given.get("current_user")

    def ticket_login(self, username: str, password: str) -> Answer:
        if not (username and password):
            return {"success": False}
        self.current_user = username
        return {"success": True}

    def ticket_get_login_status(self) -> Answer:
        return {"login_status": bool(self.current_user)}

    def logout(self) -> Answer:
        known = bool(self.current_user)
        if known:
            self.current_user = None
        return {"success": known}

    def create_ticket(self, title: str, description: str = "", priority: int = 1) -> Answer:
        if not self.current_user:
            return {"error": "User not authenticated. Please log in to create a ticket."}
        if not 1 <= priority <= 5:
            return {"error": "Invalid priority. Priority must be between 1 and 5."}
        ticket = {
            "id": self.ticket_counter,
            "title": title,
            "description": description,
            "status": "Open",
            "priority": priority,
            "created_by": self.current_user,
        }
        self.ticket_queue.append(ticket)
        self.ticket_counter += 1
        return ticket

    def get_ticket(self, ticket_id: int) -> Answer:
        return self._find(ticket_id) or _missing(ticket_id)

    def get_user_tickets(self, status: str | None = None) -> list[Answer]:
        if not self.current_user:
            return [{"error": "User not authenticated. Please log in to view tickets."}]
        mine = [each for each in self.ticket_queue if each["created_by"] == self.current_user]
        if not status:
            return mine
        return [each for each in mine if each["status"].lower() == status.lower()]

    def close_ticket(self, ticket_id: int) -> Answer:
        ticket = self._find(ticket_id)
        if not ticket:
            return _missing(ticket_id)
        if ticket["status"] == "Closed":
            return {"error": f"Ticket with ID {ticket_id} is already closed."}
        ticket["status"] = "Closed"
        return {"status": f"Ticket {ticket_id} has been closed successfully."}

    def resolve_ticket(self, ticket_id: int, resolution: str) -> Answer:
        ticket = self._find(ticket_id)
        if not ticket:
            return _missing(ticket_id)
        if ticket["status"] == "Resolved":
            return {"error": f"Ticket with ID {ticket_id} is already resolved."}
        ticket["status"] = "Resolved"
        ticket["resolution"] = resolution
        return {"status": f"Ticket {ticket_id} has been resolved successfully."}

    def edit_ticket(self, ticket_id: int, updates: Mapping[str, Any]) -> Answer:
        ticket = self._find(ticket_id)
        if not ticket:
            return _missing(ticket_id)
        wrong = [name for name in updates if name not in _FIELDS]
        if wrong:
            return {"error": f"Invalid fields for update: {', '.join(wrong)}"}
        ticket.update({name: value for name, value in updates.items() if value is not None})
        return {"status": f"Ticket {ticket_id} has been updated successfully."}

    def _find(self, ticket_id: int) -> Answer | None:
        return next((each for each in self.ticket_queue if each["id"] == ticket_id), None)


def _missing(ticket_id: int) -> Answer:
    return {"error": f"Ticket with ID {ticket_id} not found."}
