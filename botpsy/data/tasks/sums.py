"""Multiple-choice questions whose answer is worked out: calendar, physics, chance, code.

Wrong options come from the mistakes that people make there: an inverted formula, one off, a factor
of ten. They are dropped where they happen to be right.
"""

from __future__ import annotations

import calendar
import math
import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta, timezone
from fractions import Fraction
from random import Random
from zoneinfo import ZoneInfo

from botpsy.data.tasks import facts_science as science
from botpsy.data.tasks import facts_world as world
from botpsy.data.tasks.questions import Question, family, others

DAYS = tuple(calendar.day_name)
MONTHS = tuple(calendar.month_name)[1:]


def plain(value: float | Fraction, unit: str = "") -> str:
    """A number as people write it, with its unit."""
    number = f"{float(value):.6g}"
    return f"{number} {unit}".rstrip()


def worked(text: str, right: str, wrong: Iterable[str], why: str) -> Question:
    """A question whose wrong options are the mistakes that are not right after all."""
    left = [each for each in dict.fromkeys(wrong) if each != right]
    return Question(text, right, left[:5], why)


def _numbers(
    text: str, right: Fraction, mistakes: Iterable[Fraction], unit: str, why: str
) -> Question:
    more = [right * 2, right / 2, right * 10, right + 1]
    made = [plain(each, unit) for each in (*mistakes, *more) if each > 0]
    return worked(text, plain(right, unit), made, why)


def _day(rng: Random) -> date:
    return date(rng.randint(1950, 2090), 1, 1) + timedelta(days=rng.randrange(365))


def _said(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


@family
def calendar_weekday(rng: Random) -> Question:
    day = _day(rng)
    right = DAYS[day.weekday()]
    text = rng.choice(("Which day of the week is {0}?", "{0} falls on a …"))
    return worked(text.format(_said(day)), right, others(rng, DAYS, right), f"It is a {right}.")


@family
def calendar_after(rng: Random) -> Question:
    day, days = _day(rng), rng.randint(8, 120)
    steps = [days + each for each in rng.sample((-2, -1, 1, 2, 7, -7, 10), 5)]
    right = _said(day + timedelta(days=days))
    wrong = [_said(day + timedelta(days=step)) for step in steps]
    text = f"Which date is {days} days after {_said(day)}?"
    return worked(text, right, wrong, f"Counting {days} days on gives {right}.")


@family
def calendar_between(rng: Random) -> Question:
    day, days = _day(rng), rng.randint(20, 400)
    wrong = [str(days + each) for each in rng.sample((-3, -2, -1, 1, 2, 10, -10), 5)]
    text = f"How many days pass from {_said(day)} to {_said(day + timedelta(days=days))}?"
    return worked(text, str(days), wrong, f"The difference is {days} days.")


@family
def calendar_leap(rng: Random) -> Question:
    years = [1600, 2000, 2400] if rng.random() < 0.3 else range(1904, 2097, 4)
    right = rng.choice(years)
    wrong = [1700, 1800, 1900, 2100, 2200] if rng.random() < 0.5 else [
        right + each for each in (1, 2, 3, 5, 6)
    ]  # fmt: skip
    wrong = [year for year in wrong if not calendar.isleap(year)]
    text = rng.choice(("Which of these is a leap year?", "Which year has a 29 February?"))
    return worked(text, str(right), map(str, wrong), f"{right} is a leap year.")


@family
def calendar_month_end(rng: Random) -> Question:
    year, month = rng.randint(1990, 2060), rng.randint(1, 12)
    last = date(year, month, calendar.monthrange(year, month)[1])
    right = DAYS[last.weekday()]
    text = f"On which day of the week does {MONTHS[month - 1]} {year} end?"
    return worked(text, right, others(rng, DAYS, right), f"{_said(last)} is a {right}.")


@family
def time_zone(rng: Random) -> Question:
    one, other = rng.sample(world.ZONES, 2)
    start = datetime(rng.randint(2012, 2020), rng.randint(1, 12), rng.randint(1, 28),
                     rng.randint(0, 23), rng.choice((0, 15, 30, 45)),
                     tzinfo=ZoneInfo(one[1]))  # fmt: skip
    # From an instant, so that a local time that does not exist or comes twice is never asked for.
    instant = start.astimezone(timezone.utc)  # noqa: UP017
    here, there = instant.astimezone(ZoneInfo(one[1])), instant.astimezone(ZoneInfo(other[1]))
    hours = rng.sample((-3, -2, -1, 1, 2, 3, 5, -5, 12), 5)
    wrong = [f"{there + timedelta(hours=each):%H:%M}" for each in hours]
    text = f"On {_said(here.date())} it is {here:%H:%M} in {one[0]}. What time is it in {other[0]}?"
    return worked(text, f"{there:%H:%M}", wrong, f"In {other[0]} it is {there:%H:%M} then.")


@family
def measure_length(rng: Random) -> Question:
    name, metres = rng.choice(world.LENGTHS)
    plural = {"inch": "inches", "foot": "feet"}.get(name, f"{name}s")
    count, factor = rng.randint(2, 60), Fraction(metres)
    unit, scale = ("cm", 100) if factor < 1 else ("km", Fraction(1, 1000))
    right = count * factor * scale
    mistakes = [
        count / (factor * scale),
        right / 10,
        right * Fraction(11, 10),
        right * Fraction(9, 10),
    ]
    why = f"One {name} is {plain(factor * scale, unit)}, so it is {plain(right, unit)}."
    return _numbers(f"How long are {count} {plural}, in {unit}?", right, mistakes, unit, why)


@family
def measure_temperature(rng: Random) -> Question:
    celsius = rng.randrange(-40, 121, 5)
    right = Fraction(celsius * 9, 5) + 32
    wrong = [
        right - 32,
        Fraction(celsius * 5, 9) + 32,
        right + 18,
        right - 10,
        Fraction(celsius + 32),
    ]
    text = f"A thermometer shows {celsius} °C. What is that in degrees Fahrenheit?"
    why = f"{celsius} × 9/5 + 32 = {plain(right)}."
    return worked(text, plain(right, "°F"), [plain(round(each), "°F") for each in wrong], why)


@family
def physics_formula(rng: Random) -> Question:
    a, b = rng.randint(2, 30), rng.randint(2, 20)
    text, right, mistakes, unit, why = rng.choice((
        (f"A force gives a mass of {a} kg an acceleration of {b} m/s². How large is the force?",
         Fraction(a * b), [Fraction(a, b), Fraction(b, a), Fraction(a + b)], "N", "F = m a"),
        (f"A current of {a} A flows through a resistor of {b} Ω. What is the voltage across it?",
         Fraction(a * b), [Fraction(a, b), Fraction(b, a), Fraction(a + b)], "V", "U = R I"),
        (f"A train covers {a * b} km in {b} hours at a steady speed. How fast is it?",
         Fraction(a), [Fraction(a * b * b), Fraction(b), Fraction(a * b)], "km/h", "v = s / t"),
        (f"A body of {2 * a} kg moves at {b} m/s. What is its kinetic energy?",
         Fraction(a * b * b), [Fraction(2 * a * b * b), Fraction(a * b), Fraction(2 * a * b)], "J",
         "E = m v² / 2"),
        (f"A device draws {a} A at {10 * b} V. What is its power?",
         Fraction(10 * a * b), [Fraction(10 * b, a), Fraction(a, 10 * b), Fraction(10 * b + a)],
         "W", "P = U I"),
        (f"A wave has a frequency of {a} Hz and a wavelength of {b} m. How fast does it travel?",
         Fraction(a * b), [Fraction(a, b), Fraction(b, a), Fraction(a + b)], "m/s", "v = f λ"),
        (f"A block of {a * b} kg has a volume of {b} m³. What is its density?",
         Fraction(a), [Fraction(a * b * b), Fraction(1, a), Fraction(a * b - b)], "kg/m³",
         "ρ = m / V"),
    ))  # fmt: skip
    return _numbers(text, right, mistakes, unit, f"{why} gives {plain(right, unit)}.")


@family
def chemistry_mass(rng: Random) -> Question:
    name, formula = rng.choice(science.COMPOUNDS)
    parts = re.findall(r"([A-Z][a-z]?)(\d*)", formula)
    right = sum(science.MASSES[symbol] * int(count or 1) for symbol, count in parts)
    once = sum(science.MASSES[symbol] for symbol, _ in parts)
    wrong = [once, right + 1, right + 16, right - 2, right + 12, right - 1]
    masses = ", ".join(f"{symbol} = {science.MASSES[symbol]}" for symbol, _ in dict(parts).items())
    text = f"What is the molar mass of {name} ({formula}) in g/mol? Use {masses}."
    return worked(text, str(right), map(str, wrong), f"The masses add up to {right}.")


@family
def chemistry_ph(rng: Random) -> Question:
    power = rng.randint(1, 13)
    right = str(power)
    wrong = [str(14 - power), str(power + 1), str(power - 1), f"-{power}", str(10 * power)]
    text = f"Water at 25 °C holds 10^-{power} mol/L of hydrogen ions. What is its pH?"
    return worked(text, right, wrong, f"pH = -log10(10^-{power}) = {power}.")


@family
def physics_half_life(rng: Random) -> Question:
    life, steps = rng.randint(2, 30), rng.randint(1, 5)
    right = Fraction(1, 2**steps)
    wrong = [Fraction(1, steps + 1), right / 2, 1 - right,
             Fraction(1, 2 ** abs(steps - 1)), Fraction(1, 64), Fraction(1, 128)]  # fmt: skip
    text = (
        f"A substance has a half-life of {life} days. Which part of it is left "
        f"after {life * steps} days?"
    )
    why = f"{life * steps} days are {steps} half-lives, so {right} is left."
    return worked(text, str(right), map(str, wrong), why)


@family
def maths_chance(rng: Random) -> Question:
    red, blue = rng.randint(2, 9), rng.randint(2, 9)
    total = red + blue
    right = Fraction(red, total) * Fraction(red - 1, total - 1)
    wrong = [Fraction(red, total) ** 2, Fraction(red, total), Fraction(red, blue),
             Fraction(2, total), Fraction(red - 1, total - 1), 1 - right]  # fmt: skip
    text = (
        f"A bag holds {red} red and {blue} blue balls. Two are drawn without putting back. "
        "How likely is it that both are red?"
    )
    why = f"{red}/{total} × {red - 1}/{total - 1} = {right}."
    return worked(text, str(right), map(str, wrong), why)


@family
def maths_polygon(rng: Random) -> Question:
    sides = rng.randint(5, 20)
    right = (sides - 2) * 180
    wrong = [sides * 180, (sides - 1) * 180, (sides - 3) * 180, 360, sides * 90]
    text = f"What is the sum of the inner angles of a polygon with {sides} sides?"
    return worked(
        text, f"{right}°", [f"{each}°" for each in wrong], f"({sides} - 2) × 180 = {right}."
    )


@family
def maths_triangle(rng: Random) -> Question:
    m = rng.randint(2, 7)
    n = rng.randint(1, m - 1)
    a, b, c = m * m - n * n, 2 * m * n, m * m + n * n
    wrong = [a + b, abs(a - b) + c, c + 1, c - 1, c + 2]
    text = f"A right triangle has legs of {a} cm and {b} cm. How long is its longest side?"
    why = f"√({a}² + {b}²) = {c}."
    return worked(text, f"{c} cm", [f"{each} cm" for each in wrong], why)


@family
def maths_base(rng: Random) -> Question:
    value = rng.randint(9, 255)
    right = f"{value:b}"
    wrong = [f"{max(1, value + each):b}" for each in rng.sample((-4, -2, -1, 1, 2, 4, 8), 5)]
    text = rng.choice(("What is {0} in binary?", "How is the number {0} written in base 2?"))
    return worked(text.format(value), right, wrong, f"{value} = {right} in base 2.")


@family
def maths_prime(rng: Random) -> Question:
    def prime(n: int) -> bool:
        return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))

    low = rng.randint(20, 180)
    numbers = [n for n in range(low, low + 60) if n % 2 and n % 5]
    right = rng.choice([n for n in numbers if prime(n)])
    wrong = [str(n) for n in numbers if not prime(n)]
    text = "Which of these numbers is prime?"
    return worked(
        text, str(right), others(rng, wrong, ""), f"{right} has no divisor but 1 and itself."
    )


@family
def maths_median(rng: Random) -> Question:
    values = [rng.randint(1, 60) for _ in range(rng.choice((5, 7, 9)))]
    right = sorted(values)[len(values) // 2]
    wrong = [values[len(values) // 2], round(sum(values) / len(values)), max(values) - min(values),
             right + 1, right - 1, right + 3]  # fmt: skip
    text = f"What is the median of {', '.join(map(str, values))}?"
    why = f"Sorted, the middle one is {right}."
    return worked(text, str(right), map(str, wrong), why)


@family
def maths_percent(rng: Random) -> Question:
    price, percent = rng.randint(2, 40) * 20, rng.choice((5, 10, 15, 20, 25, 30, 40, 60))
    right = Fraction(price * (100 - percent), 100)
    mistakes = [Fraction(price * percent, 100), Fraction(price * (100 + percent), 100),
                Fraction(price - percent), Fraction(price * 100, 100 + percent)]  # fmt: skip
    text = f"A coat costs {price} euros and is sold at {percent} % off. What does it cost now?"
    why = f"{100 - percent} % of {price} is {plain(right)}."
    return _numbers(text, right, mistakes, "euros", why)


@family
def logic_implication(rng: Random) -> Question:
    one, other = rng.choice((
        ("it rains", "the street is wet"), ("the lamp is on", "the switch is up"),
        ("the shop is open", "the sign is lit"), ("a number is divisible by 4", "it is even"),
        ("the alarm rings", "the door is open"), ("the file is saved", "its icon is green"),
    ))  # fmt: skip
    text = f'Which statement says the same as "If {one}, then {other}"?'
    right = f"If it is not true that {other}, then it is not true that {one}."
    wrong = [
        f"If {other}, then {one}.",
        f"If it is not true that {one}, then it is not true that {other}.",
        f"It is true that {one}, and it is not true that {other}.",
        f"Either {one} or {other}, but not both.",
    ]
    return worked(text, right, wrong, "The contrapositive says the same.")


@family
def computing_expression(rng: Random) -> Question:
    a, b, n = rng.randint(-30, 60), rng.randint(2, 9), rng.randint(1, 3)
    word = rng.choice(("planet", "garden", "silver", "window", "bridge", "marble", "pocket"))
    items = rng.sample(range(10), 6)  # all different, so that other places hold other numbers
    turned = word[::-1]
    expression, right, wrong = rng.choice((
        (f"{a} // {b}", a // b, [a // b + 1, int(a / b) - 1, a / b, a % b, a * b]),
        (f"{a} % {b}", a % b, [int(math.fmod(a, b)) or b, a // b, a % b + 1, b - a % b, a]),
        (f"{word!r}[::-1]", turned, [word, turned[1:], word[1:], turned[:-1], word[::2]]),
        (f"{word!r}[{n}:{n + 3}]", word[n : n + 3],
         [word[n : n + 2], word[n - 1 : n + 2], word[n + 1 : n + 4], word[n : n + 4], word[n:]]),
        (f"{items}[-{n}]", items[-n],
         [items[n], items[n - 1], items[-n - 1], items[0], items[-n] + 1]),
        (f"sorted({items})[{n}]", sorted(items)[n],
         [items[n], sorted(items)[-n], sorted(items)[n - 1], max(items), sorted(items)[n] + 1]),
        (f"len({' '.join([word] * n)!r}.split())", n,
         [n + 1, n - 1, n * len(word), len(word), n + 2]),
        (f"sum(x for x in {items} if x % 2)", sum(x for x in items if x % 2),
         [sum(items), sum(x for x in items if not x % 2), len(items), 1, 0]),
        (f"{word!r}.upper().find({word[n].upper()!r})", word.find(word[n]),
         [-1, word.find(word[n]) + 1, len(word), 6 + n, word.find(word[n]) + 2]),
        (f"2 ** {b} ^ 1", 2**b ^ 1, [2 ** (b + 1), 2**b, 2**b - 1, 2 * b, 2**b + 2]),
    ))  # fmt: skip
    text = rng.choice(("What is the value of this Python expression?\n\n    {0}",
                       "In Python, what does {0} give?")).format(expression)  # fmt: skip
    return worked(text, repr(right), map(repr, wrong), f"It gives {right!r}.")


@family
def computing_pattern(rng: Random) -> Question:
    pattern, right, wrong = rng.choice((
        (r"[a-c]+\d", ("abc7", "b1", "ccc0"), ("abd7", "abc", "7a", "ABC7", "b12", "a-1")),
        (r"\d{2}:\d{2}", ("09:30", "23:59", "00:01"), ("9:30", "09.30", "0930", "09:3", "123:45")),
        (r"(ha)+!", ("ha!", "haha!", "hahaha!"), ("ha", "hha!", "haa!", "ahah!", "hah!")),
        (r"x?y*z", ("z", "xyz", "yyyz"), ("xy", "xxz", "zy", "xyx", "yxz")),
        (r"\w+@\w+\.org", ("me@site.org", "a_b@c.org"), ("me@site.com", "@site.org", "me@.org",
                                                         "me.site.org", "m e@site.org")),
        (r"[^aeiou]{3}", ("xyz", "brt", "123"), ("bat", "xy", "xyzz", "eel", "pia")),
    ))  # fmt: skip
    chosen = rng.choice(right)
    text = f"Which of these strings does the regular expression {pattern} match as a whole?"
    return worked(text, chosen, rng.sample(wrong, 5), f"{chosen} is such a string.")


@family
def biology_cross(rng: Random) -> Question:
    trait = rng.choice(("purple flowers", "round seeds", "black fur", "long wings", "red eyes"))
    one, other = rng.choice((("Aa", "Aa"), ("Aa", "aa"), ("AA", "Aa"), ("Aa", "AA"), ("aa", "Aa")))
    young = [x + y for x in one for y in other]
    right = Fraction(sum("A" in each for each in young), 4)
    wrong = [f"{each} %" for each in (0, 25, 50, 75, 100) if each != right * 100]
    text = (
        f"The gene for {trait} (A) is dominant over a. Parents {one} and {other} are crossed. "
        f"What share of the young shows {trait}?"
    )
    why = f"Of the four combinations {right * 4} have an A."
    return worked(text, f"{right * 100} %", wrong, why)
