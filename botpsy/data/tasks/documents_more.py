"""More kinds of documents (see ``documents``)."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from botpsy.chat.types import JsonObject
from botpsy.data.tasks.documents import (
    FIRMS,
    GOODS,
    PEOPLE,
    TOWNS,
    Document,
    amount,
    day,
    flag,
    kind,
    listed,
    money,
    of,
    price,
    some_day,
    text,
    told,
    whole,
)


@kind
def flat(rng: Random) -> Document:
    town, rooms, size = rng.choice(TOWNS), rng.randint(1, 6), rng.randint(28, 160)
    rent, floor = rng.randrange(400, 2_400, 10), rng.randint(0, 7)
    pets = rng.choice((True, False, None))
    value: JsonObject = {"town": town, "rooms": rooms, "square_metres": size, "rent": rent,
                         "floor": floor}  # fmt: skip
    facts = [
        f"To let in {town}: {rooms} room{'s' * (rooms > 1)} on {size} m².",
        f"The rent is {rent} euros a month.",
        f"It is on floor {floor}." if floor else "It is on the ground floor.",
    ]
    if pets is not None:
        value["pets"] = pets
        facts.append("Pets are welcome." if pets else "Pets cannot be kept.")
    return Document(
        facts=facts,
        noise=("The windows look onto a chestnut tree.", "The cellar is dry.",
               "Viewings are on Saturdays."),
        properties={
            "town": text(), "rooms": whole(), "square_metres": whole(),
            "rent": whole("euros a month"), "floor": whole("0 is the ground floor"),
            "pets": flag("whether pets are allowed; leave out if it is not said"),
        },
        value=value,
    )  # fmt: skip


@kind
def weather(rng: Random) -> Document:
    town, when = rng.choice(TOWNS), some_day(rng)
    low = rng.randint(-12, 18)
    high = low + rng.randint(2, 14)
    rain, wind = rng.choice((0, 0.4, 2.5, 7.8, 12.6)), rng.randint(3, 80)
    side = rng.choice(("north", "east", "south", "west"))
    return Document(
        facts=(
            f"Station {town} reports for {told(rng, when)}:",
            f"the night went down to {low} °C, the day up to {high} °C.",
            f"{rain:g} mm of rain fell." if rain else "It stayed dry all day.",
            f"Wind blew from the {side} with gusts of up to {wind} km/h.",
        ),
        noise=("The station was last serviced in spring.", "Readings are taken by hand.",
               "Fog was seen over the river."),
        properties={
            "station": text(), "date": day(),
            "temperature": of({"low": whole("°C"), "high": whole("°C")}),
            "rain_mm": amount("0 if it stayed dry", minimum=0),
            "wind": of({"from": text(among=("north", "east", "south", "west")),
                        "gusts_kmh": whole()}),
        },
        value={"station": town, "date": when.isoformat(),
               "temperature": {"low": low, "high": high}, "rain_mm": rain,
               "wind": {"from": side, "gusts_kmh": wind}},
    )  # fmt: skip


@kind
def match(rng: Random) -> Document:
    one, other = rng.sample(TOWNS, 2)
    goals = [rng.randint(0, 4), rng.randint(0, 4)]
    when, crowd = some_day(rng), rng.randrange(200, 24_000)
    result = "draw" if goals[0] == goals[1] else "home" if goals[0] > goals[1] else "away"
    scorers = rng.sample(PEOPLE, rng.randint(1, 3)) if sum(goals) >= 3 else []
    facts = [
        f"{one} played {other} at home on {told(rng, when)}.",
        f"It ended {goals[0]} to {goals[1]} before {crowd} spectators.",
    ]
    value: JsonObject = {"home": one, "away": other, "date": when.isoformat(),
                         "score": {"home": goals[0], "away": goals[1]}, "winner": result,
                         "spectators": crowd}  # fmt: skip
    if scorers:
        facts.append(f"Among those who scored: {', '.join(scorers)}.")
        value["scorers"] = [*scorers]
    return Document(
        facts=facts,
        noise=("The pitch was heavy after the rain.", "The second half began late.",
               "A dog ran across the field."),
        properties={
            "home": text(), "away": text(), "date": day(),
            "score": of({"home": whole(), "away": whole()}),
            "winner": text(among=("home", "away", "draw")), "spectators": whole(),
            "scorers": listed(text(), "those who are named; leave out if nobody is"),
        },
        value=value,
    )  # fmt: skip


@kind
def course(rng: Random) -> Document:
    name = rng.choice(("Pottery for Beginners", "Bookkeeping I", "Spanish A2", "Bicycle Repair"))
    teacher, first = rng.choice(PEOPLE), some_day(rng)
    evenings, fee, seats = rng.randint(2, 12), price(rng, 20, 240), rng.randint(6, 24)
    level = rng.choice(("beginner", "intermediate", "advanced"))
    told_level = {"beginner": "No knowledge is needed.",
                  "intermediate": "Some practice is expected.",
                  "advanced": "It is meant for people with long experience."}[level]  # fmt: skip
    return Document(
        facts=(
            f"{teacher} teaches {name}, starting on {told(rng, first)}.",
            f"The course has {evenings} evenings and costs {money(fee)} euros.",
            f"{told_level} There are {seats} places.",
        ),
        noise=("Bring an apron.", "Tea is offered in the break.",
               "The room is on the second floor."),
        properties={
            "course": text(), "teacher": text(), "starts_on": day(), "evenings": whole(),
            "fee": amount("euros"), "level": text(among=("beginner", "intermediate", "advanced")),
            "places": whole(),
        },
        value={"course": name, "teacher": teacher, "starts_on": first.isoformat(),
               "evenings": evenings, "fee": fee, "level": level, "places": seats},
    )  # fmt: skip


@kind
def invoice(rng: Random) -> Document:
    firm, client, when = rng.choice(FIRMS), rng.choice(PEOPLE), some_day(rng)
    days, net = rng.choice((7, 10, 14, 30)), price(rng, 50, 900)
    rate = rng.choice((0, 7, 10, 19, 20))
    paid = rng.random() < 0.4
    number = f"{when.year}-{rng.randint(100, 999)}"
    return Document(
        facts=(
            f"Invoice {number} of {told(rng, when)}, from {firm} to {client}.",
            f"Net amount: {money(net)} euros.",
            f"Tax of {rate} % is added." if rate else "No tax is charged.",
            f"It is payable within {days} days."
            + (" The amount was received, with thanks." if paid else " It has not been settled."),
        ),
        noise=("Please quote the number when you pay.", "Our office is closed on Fridays.",
               "Prices are reviewed once a year."),
        properties={
            "number": text(), "seller": text(), "buyer": text(), "issued": day(),
            "due": day("YYYY-MM-DD, the day of issue plus the days to pay"),
            "net": amount("euros"), "tax_percent": whole("0 if there is none"), "paid": flag(),
        },
        value={"number": number, "seller": firm, "buyer": client, "issued": when.isoformat(),
               "due": (when + timedelta(days=days)).isoformat(), "net": net, "tax_percent": rate,
               "paid": paid},
    )  # fmt: skip


@kind
def recall(rng: Random) -> Document:
    firm, item = rng.choice(FIRMS), rng.choice(GOODS)
    batches = [f"{rng.choice('KLMN')}{rng.randint(100, 999)}" for _ in range(rng.randint(1, 3))]
    batches = list(dict.fromkeys(batches))
    risk = rng.choice(("fire", "injury", "electric shock"))
    why = {"fire": "may catch fire", "injury": "may cut the hand",
           "electric shock": "may give an electric shock"}[risk]  # fmt: skip
    start, sold = some_day(rng), rng.randrange(100, 9_000)
    end = start + timedelta(days=rng.randint(20, 200))
    return Document(
        facts=(
            f"{firm} calls back its {item}, because it {why}.",
            f"Concerned {'are batches' if len(batches) > 1 else 'is batch'} {', '.join(batches)}, "
            f"sold between {told(rng, start)} and {told(rng, end)}.",
            f"{sold} pieces were sold.",
        ),
        noise=("Nobody has been hurt so far.", "Shops refund the price in full.",
               "Other goods of ours are safe."),
        properties={
            "maker": text(), "product": text(),
            "risk": text(among=("fire", "injury", "electric shock")),
            "batches": listed(text()), "sold": of({"from": day(), "to": day()}),
            "pieces": whole(),
        },
        value={"maker": firm, "product": item, "risk": risk, "batches": [*batches],
               "sold": {"from": start.isoformat(), "to": end.isoformat()}, "pieces": sold},
    )  # fmt: skip


@kind
def incident(rng: Random) -> Document:
    reporter, town = rng.choice(PEOPLE), rng.choice(TOWNS)
    when, hour, minute = some_day(rng), rng.randint(0, 23), rng.choice((5, 10, 20, 40, 55))
    system = rng.choice(
        ("mail server", "ticket shop", "door lock", "phone line", "heating control")
    )
    level = rng.choice(("low", "medium", "high"))
    down, people = rng.randint(3, 240), rng.randrange(2, 900)
    solved = rng.random() < 0.6
    value: JsonObject = {
        "system": system, "site": town, "reported_by": reporter, "severity": level,
        "started": f"{when.isoformat()}T{hour:02d}:{minute:02d}", "people_affected": people,
        "solved": solved,
    }  # fmt: skip
    if solved:
        value["minutes_down"] = down
    return Document(
        facts=(
            f"{reporter} reports from {town}: the {system} failed on {told(rng, when)} "
            f"at {hour:02d}:{minute:02d}.",
            f"{people} people could not work. Severity was set to {level}.",
            f"It ran again after {down} minutes." if solved else "It is still down.",
        ),
        noise=("The cause is being looked into.", "A similar case was seen last winter.",
               "The night shift was told."),
        properties={
            "system": text(), "site": text(), "reported_by": text(),
            "severity": text(among=("low", "medium", "high")),
            "started": text("YYYY-MM-DDTHH:MM"), "people_affected": whole(), "solved": flag(),
            "minutes_down": whole("only if it is solved"),
        },
        value=value,
    )  # fmt: skip


@kind
def loan(rng: Random) -> Document:
    reader, out = rng.choice(PEOPLE), some_day(rng)
    books = rng.sample(("Birds of the Coast", "A Short History of Salt", "The Quiet Engine",
                        "Knots and Ropes", "Letters from the Plain", "Winter Gardens"),
                       rng.randint(1, 3))  # fmt: skip
    days, card = rng.choice((14, 21, 28)), str(rng.randint(10**6, 10**7 - 1))
    fine = rng.choice((None, 0.5, 1.2, 3.0))
    value: JsonObject = {"reader": reader, "card": card, "titles": [*books],
                         "borrowed_on": out.isoformat(), "loan_days": days}  # fmt: skip
    facts = [
        f"{reader} (card {card}) borrowed {len(books)} book{'s' * (len(books) > 1)} "
        f"on {told(rng, out)}: {'; '.join(books)}.",
        f"They may be kept for {days} days.",
    ]
    if fine is not None:
        facts.append(f"A fine of {money(fine)} euros is still open.")
        value["open_fine"] = fine
    return Document(
        facts=facts,
        noise=("The reading room is quiet in the morning.", "New novels stand by the door.",
               "Loans can be renewed by phone."),
        properties={
            "reader": text(), "card": text("digits, as text"), "titles": listed(text()),
            "borrowed_on": day(), "loan_days": whole(),
            "open_fine": amount("euros; leave out if there is none"),
        },
        value=value,
    )  # fmt: skip
