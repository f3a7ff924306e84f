"""The workspace messages of BFCL's multi-turn cases.

An entry of the inbox is an object of which only the first pair counts: receiver and message.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from random import Random
from typing import Any

Answer = dict[str, Any]

_NOBODY = "No user is currently logged in."


class MessageAPI:
    """Users, and the messages that whoever is logged in has sent."""

    def __init__(self, config: Mapping[str, Any], long: Mapping[str, Any] | None = None) -> None:
        given = deepcopy(dict(config))
        self._random = Random(given.get("random_seed", 200191))  # noqa: S311
        self.generated_ids: set[int] = set(given.get("generated_ids", ()))
        self.user_count: int = given.get("user_count", 4)
        self.user_map: dict[str, str] = given.get(
            "user_map",
            {"Alice": "USR001", "Bob": "USR002", "Catherine": "USR003", "Daniel": "USR004"},
        )
        self.inbox: list[dict[str, Any]] = given.get(
            "inbox",
            [
                {"USR002": "My name is Alice. I want to connect."},
                {"USR003": "Could you upload the file?"},
                {"USR004": "Could you upload the file?"},
            ],
        )
        self.message_count: int = given.get("message_count", 3)
        self.current_user: str | None = given.get("current_user")

    def list_users(self) -> Answer:
        return {"user_list": list(self.user_map)}

    def get_user_id(self, user: str) -> Answer:
        if user not in self.user_map:
            return {"error": f"User '{user}' not found in the workspace."}
        return {"user_id": self.user_map[user]}

    def message_login(self, user_id: str) -> Answer:
        if user_id not in self.user_map.values():
            return {"login_status": False, "message": f"User ID '{user_id}' not found."}
        self.current_user = user_id
        return {"login_status": True, "message": f"User '{user_id}' logged in successfully."}

    def message_get_login_status(self) -> Answer:
        return {"login_status": bool(self.current_user)}

    def add_contact(self, user_name: str) -> Answer:
        if user_name in self.user_map:
            return {"error": f"User name '{user_name}' already exists."}
        self.user_count += 1
        user_id = f"USR{self.user_count:03d}"
        if user_id in self.user_map.values():
            return {"error": f"User ID '{user_id}' already exists."}
        self.user_map[user_name] = user_id
        told = f"Contact '{user_name}' added successfully."
        return {"added_status": True, "user_id": user_id, "message": told}

    def send_message(self, receiver_id: str, message: str) -> Answer:
        if not self.current_user:
            return {"error": _NOBODY}
        if receiver_id not in self.user_map.values():
            return {"error": f"Receiver ID '{receiver_id}' not found."}
        new_id = self._random.randint(10000, 99999)
        while new_id in self.generated_ids:
            new_id = self._random.randint(10000, 99999)
        self.generated_ids.add(new_id)
        self.inbox.append({receiver_id: message})
        self.message_count += 1
        told = f"Message sent to '{receiver_id}' successfully."
        return {"sent_status": True, "message_id": {"new_id": new_id}, "message": told}

    def delete_message(self, receiver_id: str) -> Answer:
        if not self.current_user:
            return {"error": _NOBODY}
        for at in range(len(self.inbox) - 1, -1, -1):
            if self._first(at)[0] == receiver_id:
                del self.inbox[at]
                told = f"Receiver {receiver_id}'s latest message deleted successfully."
                return {"deleted_status": True, "receiver_id": receiver_id, "message": told}
        return {"error": f"Receiver ID {receiver_id} not found."}

    def view_messages_sent(self) -> Answer:
        if not self.current_user:
            return {"error": _NOBODY}
        sent: dict[str, list[Any]] = {}
        for at in range(len(self.inbox)):
            receiver, message = self._first(at)
            sent.setdefault(receiver, []).append(message)
        return {"messages": sent}

    def search_messages(self, keyword: str) -> Answer:
        if not self.current_user:
            return {"error": _NOBODY}
        found, wanted = [], keyword.lower()
        for at in range(len(self.inbox)):
            receiver, message = self._first(at)
            if wanted in message.lower():
                found.append({"receiver_id": receiver, "message": message})
        return {"results": found}

    def get_message_stats(self) -> Answer:
        if not self.current_user:
            return {"error": _NOBODY}
        contacts = {self._first(at)[0] for at in range(len(self.inbox))}
        return {"stats": {"received_count": len(self.inbox), "total_contacts": len(contacts)}}

    def _first(self, at: int) -> tuple[str, Any]:
        return next(iter(self.inbox[at].items()))
