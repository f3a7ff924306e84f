import sqlite3
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.assistant.ledger import Ledger, canonical, new_action_id
from botpsy.chat.types import JsonObject
from botpsy.errors import LedgerError


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "ledger.sqlite")


CALL: JsonObject = {"tool": "t", "effect": "write", "arguments": {}, "decision": "allow"}


def fill(ledger: Ledger, n: int = 5) -> list[str]:
    ids = [f"action{i}" for i in range(n)]
    for action in ids:
        ledger.append("intent", action, {**CALL, "n": [1, None, "ä\ud800"]})
        ledger.append("outcome", action, {"status": "done"})
    return ids


def tamper(ledger: Ledger, sql: str) -> None:
    with sqlite3.connect(ledger.path) as db:
        db.execute(sql)


def test_an_untouched_ledger_verifies(ledger: Ledger) -> None:
    fill(ledger)
    count, head = ledger.head()
    assert count == 10
    assert ledger.verify() == head
    assert ledger.verify(head) == head


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE entries SET body = replace(body, '\"t\"', '\"u\"') WHERE seq = 3", "entry 3"),
        ("UPDATE entries SET at = '2020-01-01' WHERE seq = 4", "entry 4"),
        ("UPDATE entries SET kind = 'denied' WHERE seq = 5", "entry 5"),
        ("UPDATE entries SET action = 'x' WHERE seq = 1", "entry 1"),
        ("DELETE FROM entries WHERE seq = 6", "entry 6"),
        ("DELETE FROM entries WHERE seq = 1", "entry 1"),
        (
            "INSERT INTO entries SELECT 11, at, kind, action, body, prev, hash FROM entries "
            "WHERE seq = 10",
            "entry 11",
        ),
    ],
)
def test_any_change_is_found(ledger: Ledger, sql: str, says: str) -> None:
    fill(ledger)
    tamper(ledger, sql)
    with pytest.raises(LedgerError, match=says):
        ledger.verify()


def test_a_cut_tail_is_found_by_a_noted_head(ledger: Ledger) -> None:
    fill(ledger)
    _, head = ledger.head()
    tamper(ledger, "DELETE FROM entries WHERE seq = 10")
    ledger.verify()  # the chain alone cannot tell
    with pytest.raises(LedgerError, match="cut or rewritten"):
        ledger.verify(head)


def test_a_field_cannot_borrow_from_its_neighbour(ledger: Ledger) -> None:
    ledger.append("intent", "ab", CALL)
    tamper(ledger, "UPDATE entries SET kind = 'intenta', action = 'b'")
    with pytest.raises(LedgerError):
        ledger.verify()


def test_pending_are_intents_without_outcome(ledger: Ledger) -> None:
    fill(ledger, 2)
    ledger.append("intent", "lost", CALL)
    assert [entry.action for entry in ledger.pending()] == ["lost"]


def test_find_by_beginning(ledger: Ledger) -> None:
    ledger.append("intent", "abc1", CALL)
    ledger.append("intent", "abd2", CALL)
    assert ledger.find("abc") == "abc1"
    assert ledger.find("ABD") == "abd2"
    for wrong in ("ab", "zz", "", "%", "_b"):
        with pytest.raises(LedgerError, match="audit show"):
            ledger.find(wrong)


def test_last_entries_in_order(ledger: Ledger) -> None:
    fill(ledger)
    assert [entry.seq for entry in ledger.entries(last=3)] == [8, 9, 10]
    assert [entry.kind for entry in ledger.entries(action="action1")] == ["intent", "outcome"]


def test_threads_and_handles_write_one_chain(ledger: Ledger) -> None:
    other = Ledger(ledger.path)

    def write(target: Ledger) -> None:
        for _ in range(20):
            target.append("denied", new_action_id(), {})

    threads = [threading.Thread(target=write, args=(t,)) for t in (ledger, ledger, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ledger.head()[0] == 60
    ledger.verify()


def test_one_at_a_time(ledger: Ledger) -> None:
    other = Ledger(ledger.path)
    with ledger.exclusive() as first, other.exclusive(wait=False) as second:
        assert (first, second) == (True, False)
    with other.exclusive(wait=False) as third:
        assert third


def test_what_is_not_a_ledger_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    path.write_text("my diary")
    with pytest.raises(LedgerError, match="cannot be opened"):
        Ledger(path)
    assert path.read_text() == "my diary"


def test_only_the_user_can_read_it(ledger: Ledger) -> None:
    assert ledger.path.stat().st_mode & 0o077 == 0


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), json_values, max_size=4))
def test_canonical_is_one_text_per_value(value: dict[str, object]) -> None:
    shuffled = dict(reversed(list(value.items())))
    assert canonical(value) == canonical(shuffled)  # type: ignore[arg-type]
    assert canonical(value).isascii()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "damage",
    [
        "body = '{'",
        "body = '[]'",
        "body = '{}'",
        "body = x'ff00'",
        "body = replace(body, '\"effect\"', '\"e\"'), kind = 'intent'",
        "kind = 'other'",
        "action = x'00'",
    ],
)
def test_a_damaged_entry_is_an_error_in_words(ledger: Ledger, damage: str) -> None:
    fill(ledger, 1)
    tamper(ledger, f"UPDATE entries SET {damage}")
    with pytest.raises(LedgerError, match="damaged"):
        ledger.entries()


def test_a_lock_that_cannot_be_had_is_an_error_in_words(ledger: Ledger) -> None:
    ledger.path.with_suffix(".lock").mkdir()
    with pytest.raises(LedgerError, match="lock"), ledger.exclusive():
        pass
