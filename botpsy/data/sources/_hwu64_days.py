"""HWU64 by the clock: alarms, the calendar, reminders, the time elsewhere."""

from __future__ import annotations

import re
from datetime import timedelta

from botpsy.data.sources._annotated import Item
from botpsy.data.sources._cases import (
    Case,
    clock_text,
    day_of,
    gaps,
    moment,
    name_of,
    plan,
    title_case,
)
from botpsy.data.types import UnusableError
from botpsy.errors import TimePhraseError
from botpsy.worlds.acts import ask, both, call, got, say, says
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding import pools

_HOURS = ("6:30 am", "7 am", "quarter to eight", "8:15 in the morning", "5:45 am", "at nine")
_AFTERNOON = ("at 3 pm", "10:30 am", "noon", "4:15 pm", "at half past two", "6 pm")


def _clocked(item: Item) -> bool:
    """Whether it says a time of day, not only a day."""
    return any(slot.name == "time" for slot in item.slots)


# --- alarms ---------------------------------------------------------------------------------------


@plan("lifestyle", "alarm/set")
def set_alarm(s: Scene, item: Item) -> Case:
    """An alarm; without a time, the time is asked for."""
    item.only("date", "time", "timeofday", "event_name", "alarm_type")
    item.need(r"\balarm\b|\bwake (me|us)\b|get me up|\balert me\b",
              r"\brepeat|snooze|\bhow\b|what|change|reminder|before|\bafter\b|until|\bif\b"
              r"|turn off|radio"
              r"|\bor\b|song|music")  # fmt: skip
    phrase, label = item.when(), item.value("event_name")
    s.bare("reminders")
    answer = s.choose(
        ("The alarm rings {rings}.", "Alarm set: {rings}.", "Done, it rings {rings}.")
    )
    if _clocked(item):
        moment(s, phrase)
        return Case(
            [call("set_alarm", time=phrase, label=label or None), say(answer)],
            barred=["set_reminder", "create_event"],
            gaps=gaps(item, time=phrase),
        )
    if phrase:
        day_of(s, phrase)
    said = s.choose(_HOURS)
    time = f"{phrase} {said}" if said.startswith("at ") else f"{phrase} at {said}"
    time = time.strip().removeprefix("at ")
    moment(s, time)
    question = s.choose(("What time should it ring?", "For what time?", "When should it ring?"))
    return Case(
        [ask(question, "time"), call("set_alarm", time=time, label=label or None), say(answer)],
        kind="missing",
        barred=["set_reminder", "create_event"],
        facts={"time": said},
    )


@plan("lifestyle", "alarm/query")
def show_alarms(s: Scene, item: Item) -> Case:
    """Which alarms are set, of all or on a day."""
    item.only("date")
    item.need(
        r"\balarms?\b",
        r"\blast\b|\bif\b|change|remind|\bset (it|an|the|me)\b|turn|off\b|sound|days|settings",
    )
    phrase = item.when("date")
    s.bare("reminders")
    day = day_of(s, phrase) if phrase else None
    ahead = (day - s.now.date()).days if day else 1
    at = s.midnight(ahead) + timedelta(
        hours=s.choose((6, 7, 20, 21)), minutes=s.choose((0, 15, 30))
    )
    other = s.midnight(ahead + 1) + timedelta(hours=8, minutes=s.choose((0, 10, 45)))
    wanted = s.chance(0.7) and at > s.now
    if wanted:
        s.ringing("alarm", "", at)
    if not day or not wanted or s.chance(0.4):
        s.ringing("alarm", s.choose(("", "gym", "train")), other)
    if day and not wanted:
        answer = s.choose((f"No alarm is set for {phrase}.", f"There is none for {phrase}."))
    elif day or not wanted:
        shown = clock_text(at if wanted else other)
        answer = s.choose((f"There is one: {shown}.", f"One alarm: {shown}.", f"It rings {shown}."))
    else:
        answer = f"There are two: {clock_text(at)}, and {clock_text(other)}."
    answer = answer.replace("tomorrow's", "tomorrow").replace("today's", "today")
    return Case([call("list_reminders", kind="alarm"), says(answer)], barred=["find_events"],
                offer=["set_alarm", "cancel_reminder"])  # fmt: skip


@plan("lifestyle", "alarm/remove")
def cancel_alarm(s: Scene, item: Item) -> Case:
    """The one alarm, the one of a day or time after a look, or all of them after a look."""
    item.only("date", "time", "timeofday", "alarm_type")
    item.need(r"\b(cancel|remove|delete|turn off|stop|clear|erase|get rid|take away|disable"
              r"|unset)\b",
              r"change|snooze|weekly|settings|\bset\b(?! (for|at|on))|ringing|noise|first|last"
              r"|permanent|\band\b|except|next|until|today .*alarms|\bday\b|week|days")  # fmt: skip
    item.need(r"\balarms?\b")
    phrase = item.when()
    several = bool(re.search(r"\balarms\b|\ball\b", item.text))
    s.bare("reminders")
    other = s.midnight(s.rng.randint(3, 5)) + timedelta(hours=s.choose((5, 6, 9)), minutes=20)
    if phrase and not several:
        at = moment(s, phrase)
        if not _clocked(item):
            at = at.replace(hour=s.choose((6, 7)) if at.hour < 12 else 18, minute=30)
            if at <= s.now:
                raise UnusableError("a time that has passed")
        s.ringing("alarm", "", at)
        s.ringing("alarm", "", other)
        look = call("list_reminders", kind="alarm")
        stop = call("cancel_reminder", which=got("set.0.id" if at < other else "set.1.id"))
        stop = stop.because(f"{phrase} → {clock_text(at)}")
        return Case([look, stop, say("Cancelled: {cancelled}.")], kind="multi_step")
    if phrase:
        raise UnusableError("several alarms of one day")
    at = s.midnight(1) + timedelta(hours=s.choose((6, 7, 8)), minutes=s.choose((0, 15, 30)))
    s.ringing("alarm", "", at)
    if several:
        s.ringing("alarm", "", other)
        stop = both(
            call("cancel_reminder", which=got("set.0.id")),
            call("cancel_reminder", which=got("set.1.id")),
        )
        answer = f"Both alarms are off: {clock_text(at)} and {clock_text(other)}."
        return Case([call("list_reminders", kind="alarm"), stop, says(answer)], kind="multi_step")
    if s.chance(0.5):
        s.ringing("reminder", s.pick(pools.CHORES), s.midnight(2) + timedelta(hours=10))
    return Case([call("cancel_reminder", which="alarm"), say("Cancelled: {cancelled}.")],
                barred=["delete_event"])  # fmt: skip


# --- the calendar ---------------------------------------------------------------------------------


def _titled(item: Item) -> str:
    title = item.value("event_name").removeprefix("my ").removesuffix("'s")
    if title in ("event", "events", "reminder", "reminders", "appointment", "appointments"):
        return ""
    return title


@plan("calendar", "calendar/set")
def schedule(s: Scene, item: Item) -> Case:
    """An event, or a reminder where that is asked for; the time or the matter may be missing."""
    item.only("date", "time", "timeofday", "event_name", "person", "relation", "place_name",
              "meal_type")  # fmt: skip
    item.need(
        r"\b(add|schedule|create|put|set|make|book|remind|mark|plan)\b",
        r"\brepeat|recur|every\b|\beach\b|weekly|yearly|annual|birthday|before|\bafter\b|update"
        r"|\bnext "
        r"\d|alarm|notif|invite|send|change|move|reschedule|delete|\bif\b|how|find|\bto do\b|until"
        r"|minutes prior|days prior|leave|list\b|this (item|event)|not\b",
    )
    title = _titled(item) or item.value("meal_type")
    phrase = item.when()
    if phrase:
        (moment if _clocked(item) else day_of)(s, phrase)
    who = [name_of(slot.value) for slot in item.all("person")]
    who += [name_of(slot.value) for slot in item.all("relation")]
    place = item.value("place_name")
    remind = bool(re.search(r"remind", item.text))
    s.bare("calendar")
    barred = ["create_note", "add_to_list", "set_alarm"]
    if remind:
        if who or place or (not phrase and not title):
            raise UnusableError("a reminder that no slot says whole")
        barred.append("create_event")
        answer = s.choose(("I'll remind you {rings}: {text}.", "Reminder set for {rings}: {text}."))
        if not title:
            text = s.pick(pools.CHORES)
            if not _clocked(item):
                raise UnusableError("neither what nor when")
            question = s.choose(("What should I remind you of?", "What is the reminder about?"))
            return Case(
                [ask(question, "text"), call("set_reminder", text=text, when=phrase), say(answer)],
                kind="missing",
                barred=barred,
                facts={"text": text},
            )
        tool, names, text = "set_reminder", {"text": title}, "when"
    else:
        if not title:
            raise UnusableError("an event without a title")
        item.need(
            r"calendar|schedule|meeting|appointment|event|plan|book|lunch|dinner|party|set up"
        )
        if title == "meeting" and not who and not place and s.chance(0.5):
            raise UnusableError("a meeting of which nothing is said")
        answer = s.choose(("{title} is in your calendar for {start}.", "Added: {title}, {start}.",
                           "Done: {title}, {start}."))  # fmt: skip
        barred += ["set_reminder"]
        tool, names, text = "create_event", {"title": title}, "start"
        if who:
            names["attendees"] = who  # type: ignore[assignment]
        if place:
            names["location"] = place
    if _clocked(item) or item.value("timeofday") in ("noon", "midnight"):
        made = gaps(item, **{text: phrase})
        return Case([call(tool, **names, **{text: phrase}), say(answer)], barred=barred, gaps=made)
    said = s.choose(_AFTERNOON)
    if item.value("timeofday"):
        raise UnusableError("a part of the day")
    at = said if said.startswith("at ") else f"at {said}"
    if not phrase:
        day = s.choose(("Thursday", "tomorrow", "next Monday"))
        said, at = f"{day} {at}", f"{day} {at}"
    full = f"{phrase} {at}".strip()
    moment(s, full)
    question = s.choose(("What time?", "At what time?") if phrase else ("When is it?", "For when?"))
    return Case(
        [ask(question, "time"), call(tool, **names, **{text: full}), say(answer)],
        kind="missing",
        barred=barred,
        facts={"time": said},
    )


@plan("calendar", "calendar/query")
def look_up(s: Scene, item: Item) -> Case:
    """What is on in a stretch of time, or when an event is."""
    item.only("date", "event_name", "timeofday")
    item.need(
        r"\bwhat|\bwhen|\bdo i\b|\bis there\b|\bare there\b|show|list|check|tell|any\b|which|give",
        r"remind|free|available|how (many|long|much)|notif|near|city|local|\bset\b|where|weather"
        r"|next (event|meeting)|birthday|holiday|fall|open|rescheduled|over a|with|conflict|confirm"
        r"|alarm|last|did|\bwas\b|end|important|world|news|movie|plan a|place|town|music|area",
    )
    title = _titled(item)
    query = title.removesuffix("s") if title.endswith(("ings", "ments", "nces")) else title
    phrase = item.when("date", "timeofday")
    if not phrase and not query:
        item.need(r"calendar|schedule|appointment")
    if phrase and not query:
        item.need(
            r"calendar|schedule|event|appointment|plan|agenda|have|meeting|happening|going on"
        )
    s.bare("calendar")
    if phrase:
        try:
            start, end = s.clock.period(phrase)
        except TimePhraseError:
            raise UnusableError("words of time that the clock does not read") from None
        at = max(start, s.now).replace(minute=0) + timedelta(hours=2)
        at = max(at, start + timedelta(hours=min(15, (end - start).total_seconds() // 7200)))
        if at <= s.now or at + timedelta(hours=1) > end:
            raise UnusableError("a time that has passed")
        phrase = phrase.removesuffix("'s")
    else:
        at = s.midnight(s.rng.randint(1, 6)) + timedelta(hours=s.rng.randint(9, 17))
    name = s.pick(pools.MEETINGS if s.chance(0.5) else pools.APPOINTMENTS)
    if query:
        name = title_case(query) if len(query.split()) > 1 else f"{title_case(query)} with the team"
    there = bool(query) or s.chance(0.75)
    if there:
        s.event(name, at)
    s.event(s.pick(pools.LEISURE), s.midnight(9) + timedelta(hours=18))
    when = f"{at.hour:02}:00" if phrase else clock_text(at)
    if not there:
        answer = f"Nothing is in the calendar for {phrase or 'the coming days'}."
        if not phrase or re.match(r"\w+day\b(?<!today)", phrase):
            raise UnusableError("an answer that would not read well")
    elif query:
        answer = s.choose((f"{name} is {clock_text(at)}.", f"There is {name}, {clock_text(at)}."))
    else:
        answer = s.choose((f"There is one: {name}, {when}.", f"{name}, {when}. That is all."))
        answer = answer.replace(when, clock_text(at))
        if not phrase:
            answer = f"Next is {name}, {clock_text(at)}."
    return Case(
        [call("find_events", period=phrase or None, query=query or None), says(answer)],
        barred=["find_free_time", "list_reminders"],
        offer=["create_event", "delete_event"],
    )


@plan("calendar", "calendar/remove")
def remove_event(s: Scene, item: Item) -> Case:
    """One event, by its words and its day."""
    item.only("date", "event_name", "person", "meal_type")
    item.need(r"\b(cancel|remove|delete|clear|erase|get rid|take|drop)\b",
              r"\ball\b|\bevery|\bnext\b|calendar (completely|is)|reminder|list\b|week\b|month\b"
              r"|and\b|last|my day|except|repeat")  # fmt: skip
    title = _titled(item) or item.value("meal_type")
    if not title or title.endswith("s"):
        raise UnusableError("no event that can be told from others")
    phrase = item.when("date")
    who = name_of(item.value("person")) if item.value("person") else ""
    day = day_of(s, phrase) if phrase else None
    ahead = (day - s.now.date()).days if day else s.rng.randint(2, 8)
    at = s.midnight(ahead) + timedelta(hours=s.choose((17, 18, 19)))
    s.bare("calendar")
    if at <= s.now:
        raise UnusableError("a time that has passed")
    if who and f"{who}'s {title}" in item.text:
        said = f"{who}'s {title}"
        s.event(title_case(said), at)
    else:
        said = f"{title} with {who}" if who and f"{title} with {who}" in item.text else title
        if who and said == title:
            raise UnusableError("a person who is not part of the title")
        s.event(title_case(title) if not who else f"{title_case(title)} with {title_case(who)}", at)
    s.event(s.pick(pools.LEISURE), s.midnight(9) + timedelta(hours=11))
    if day:
        if s.chance(0.5):
            s.event(title_case(title), at + timedelta(days=3))
        said = f"{said} {phrase.removesuffix(chr(39) + 's')}"
    answer = s.choose(("Deleted: {deleted}.", "It is out of the calendar: {deleted}."))
    return Case([call("delete_event", event=said), say(answer)], barred=["cancel_reminder"],
                offer=["find_events", "update_event"],
                gaps=gaps(item, event=said))  # fmt: skip


# --- the time -------------------------------------------------------------------------------------


@plan("lifestyle", "datetime/query")
def the_time(s: Scene, item: Item) -> Case:
    """The date or time, here or in a place."""
    item.only("date", "place_name")
    item.need(r"\btime\b|\bdate\b|\bday\b|\bclock\b",
              r"zone|sun(rise|set)|how (many|long)|difference|\bfall|comes|week of|set\b|alarm"
              r"|format|train|arriv|when|leave|meeting|last")  # fmt: skip
    if any(slot.value.removesuffix("'s") not in ("today", "todays", "date") for slot in item.all(
        "date")):  # fmt: skip
        raise UnusableError("another day than today")
    if re.search(r"\bon\b.*(day|date)", item.text):
        raise UnusableError("another day than today")
    place = item.value("place_name").removesuffix("'s")
    if place in ("city", "here", "my city", "country", "location", "my location"):
        raise UnusableError("a place without a name")
    if place:
        answer = s.choose((f"In {title_case(place)} it is {{there}}.",
                           f"It is {{there}} in {title_case(place)}."))  # fmt: skip
    else:
        answer = s.choose(("It is {here}.", "Now it is {here}.", "Here it is {here}."))
    return Case([call("current_time", place=place or None), say(answer)],
                offer=["get_weather", "list_reminders"])  # fmt: skip
