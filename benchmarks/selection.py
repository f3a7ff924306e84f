"""How often the tool a request needs is among the few offered, and how long choosing takes.

    python benchmarks/selection.py path/to/hwu64/train.jsonl

The utterances are those of HWU64 (Liu, Eshghi, Swietojanski, Rieser 2019, CC BY 4.0), whose
(scenario, intent) pairs are mapped below to the tools that would do as an answer. Pairs for which
botpsy has no tool (music, transport, small talk ...) are left out. The corpus has errors of
labelling, which are left in. Example requests of the tools were written with a look at the odd half
(odd answer ids, and those without one); the even half is for reporting. An utterance that is, but
for politeness, also an example of a tool is left out of both.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter, defaultdict
from pathlib import Path

from botpsy.assistant.selection import rank, select, words_of
from botpsy.services.bundle import ONLY_IN_WORLDS
from botpsy.tools import catalogue

ACCEPTED: dict[tuple[str, str], tuple[str, ...]] = {
    ("alarm", "query"): ("list_reminders",),
    ("alarm", "remove"): ("cancel_reminder",),
    ("alarm", "set"): ("set_alarm",),
    ("audio", "volume_down"): ("set_volume",),
    ("audio", "volume_mute"): ("mute", "set_volume"),
    ("audio", "volume_up"): ("set_volume",),
    ("calendar", "query"): ("find_events", "find_free_time", "list_reminders"),
    ("calendar", "remove"): ("delete_event", "cancel_reminder"),
    ("calendar", "set"): ("create_event", "set_reminder"),
    ("datetime", "convert"): ("convert_time", "current_time"),
    ("datetime", "query"): ("current_time", "convert_time"),
    ("email", "addcontact"): ("add_contact", "update_contact"),
    ("email", "query"): ("search_mail", "read_mail"),
    ("email", "querycontact"): ("find_contact",),
    ("email", "sendemail"): ("send_mail", "draft_mail", "reply_to_mail"),
    ("iot", "cleaning"): ("start_cleaning",),
    ("iot", "coffee"): ("start_appliance",),
    ("iot", "hue_lightchange"): ("set_light",),
    ("iot", "hue_lightdim"): ("set_light",),
    ("iot", "hue_lightoff"): ("turn_off",),
    ("iot", "hue_lighton"): ("turn_on", "set_light"),
    ("iot", "hue_lightup"): ("set_light", "turn_on"),
    ("iot", "wemo_off"): ("turn_off",),
    ("iot", "wemo_on"): ("turn_on",),
    ("lists", "createoradd"): ("add_to_list",),
    ("lists", "query"): ("show_list",),
    ("lists", "remove"): ("remove_from_list", "delete_list"),
    ("qa", "definition"): ("web_search",),
    ("qa", "factoid"): ("web_search",),
    ("qa", "maths"): ("calculate",),
}


def utterances(path: Path) -> list[tuple[str, tuple[str, str], bool]]:
    """(text, (scenario, intent), whether it is of the even half), once each."""
    examples = {" ".join(words_of(e)) for tool in catalogue().values() for e in tool.examples}
    found = {}
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            pair = row["scenario"], row["intent"]
            if pair in ACCEPTED:
                text = row["answer_from_user"]
                text = row["answer_from_anno"] if text == "null" else text
                even = row["answerid"].isdigit() and int(row["answerid"]) % 2 == 0
                if " ".join(words_of(text)) not in examples:
                    found[text, pair] = even
    return [(text, pair, even) for (text, pair), even in found.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="HWU64 as JSON lines")
    parser.add_argument("--all", action="store_true", help="also tools that only worlds have")
    parser.add_argument("--limit", type=int, default=8)
    parser.add_argument("--misses", action="store_true", help="show the odd half's misses")
    arguments = parser.parse_args()
    known = catalogue().values()
    tools = [tool for tool in known if arguments.all or tool.service not in ONLY_IN_WORLDS]
    names = {tool.name for tool in tools}
    assert all(name in names for wanted in ACCEPTED.values() for name in wanted)
    data = utterances(arguments.data)
    for even in (False, True):
        rows = [row for row in data if row[2] == even]
        hits: Counter[tuple[str, str]] = Counter()
        at: Counter[int] = Counter()
        totals = Counter(pair for _, pair, _ in rows)
        misses = defaultdict(list)
        for text, pair, _ in rows:
            chosen = {tool.name for tool in select(text, tools, limit=arguments.limit)}
            hits[pair] += bool(chosen & set(ACCEPTED[pair]))
            if not chosen & set(ACCEPTED[pair]):
                misses[pair].append(text)
            order = [tool.name for tool in rank(text, tools)]
            at[min(order.index(name) for name in ACCEPTED[pair])] += 1
        print(f"\n{'even (reported)' if even else 'odd'} half, {len(rows)} utterances")
        for pair, total in sorted(totals.items()):
            print(f"  {'/'.join(pair):24} {hits[pair] / total:6.3f}  of {total}")
            if arguments.misses and not even:
                for text in misses[pair]:
                    print(f"      {text}")
        macro = statistics.mean(hits[pair] / total for pair, total in totals.items())
        print(
            f"  recall@{arguments.limit}: micro {hits.total() / len(rows):.4f}, macro {macro:.4f}"
        )
        # Later in a conversation: other tools were offered before, the likely ones push in.
        others = [tool.name for tool in tools if tool.service == "files"][: arguments.limit]
        late = sum(
            bool({t.name for t in select(text, tools, recent=others)} & set(ACCEPTED[pair]))
            for text, pair, _ in rows
        )
        print(f"  after a turn about files: micro {late / len(rows):.4f}")
        for k in (1, 3, 5):
            share = sum(count for place, count in at.items() if place < k) / len(rows)
            print(f"  recall@{k}: micro {share:.4f}")
    texts = [text for text, _, _ in data[:500]]
    select(texts[0], tools)
    started = time.perf_counter()
    for text in texts:
        select(text + "!", tools)
    spent = (time.perf_counter() - started) / len(texts)
    print(f"\n{spent * 1000:.2f} ms a choice among {len(tools)} tools")


if __name__ == "__main__":
    main()
