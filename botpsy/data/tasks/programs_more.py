"""More kinds of programs (see ``programs``): dictionaries, dates, numbers, small algorithms."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from botpsy.data.tasks.programs import WORDS, numbers, program, words


def _shelf(rng: Random) -> dict[str, int]:
    return {name: rng.randint(0, 30) for name in rng.sample(WORDS, rng.randint(0, 5))}


def _day(rng: Random) -> str:
    return (date(2019, 1, 1) + timedelta(days=rng.randrange(2_500))).isoformat()


def _clock(rng: Random) -> str:
    return f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}"


program(
    "word_counts", "word_counts count_words frequencies", "text: str) -> dict[str, int]",
    ("Count the words of text (split at white space, in lower case) and return those that occur at "
     "least $n times, with their counts.",),
    "counts = {}\nfor word in text.lower().split():\n    counts[word] = counts.get(word, 0) + 1\n"
    "return {word: count for word, count in counts.items() if count >= $n}",
    lambda rng, given: [" ".join(rng.choice(("a", "B", "b", "tree", "Tree")) for _ in range(8))],
    edges=[[""]], n=(1, 2, 3),
)  # fmt: skip
program(
    "invert", "invert swap_round by_value", "table: dict[str, int]) -> dict[str, list[str]]",
    ("Return a dictionary from each value of table, written as text, to the sorted list of names "
     "that have it.",),
    "made = {}\nfor name in sorted(table):\n"
    "    made.setdefault(str(table[name]), []).append(name)\n"
    "return made",
    lambda rng, given: [{name: rng.randint(0, 3) for name in rng.sample(WORDS, 4)}], edges=[[{}]],
)  # fmt: skip
program(
    "merge", "merge_counts combine add_up",
    "one: dict[str, int], other: dict[str, int]) -> dict[str, int]",
    ("Return a dictionary with the names of both; where a name is in both, its value is "
     "the $what.",),
    "made = dict(one)\nfor name, value in other.items():\n"
    "    made[name] = $fn((made[name], value)) if name in made else value\nreturn made",
    lambda rng, given: [_shelf(rng), _shelf(rng)], edges=[[{}, {}], [{"a": 1}, {"a": 4, "b": 2}]],
    what=("sum", "larger one", "smaller one"), fn=("",),
)  # fmt: skip
program(
    "top_names", "top_names best leaders", "scores: dict[str, int]) -> list[str]",
    ("Return the $n names with the highest scores, best first; among equal scores in alphabetical "
     "order. If there are fewer, return all.",),
    "return sorted(scores, key=lambda name: (-scores[name], name))[:$n]",
    lambda rng, given: [{name: rng.randint(0, 4) for name in rng.sample(WORDS, rng.randint(1, 6))}],
    edges=[[{}]], n=(1, 2, 3),
)  # fmt: skip
program(
    "filter_stock", "running_low to_order check_stock", "stock: dict[str, int]) -> list[str]",
    ("stock maps goods to how many are left. Return, sorted, the names of which fewer than $n are "
     "left.",),
    "return sorted(name for name, left in stock.items() if left < $n)",
    lambda rng, given: [_shelf(rng)], edges=[[{}]], n=(5, 10, 15),
)  # fmt: skip
program(
    "group_by_length", "by_length group_words sort_by_size",
    "items: list[str]) -> dict[str, list[str]]",
    ("Group the words of items by length: the names are the lengths as text, the values "
     "lists in the "
     "order given. Leave out words of fewer than $n letters.",),
    "made = {}\nfor word in items:\n    if len(word) >= $n:\n"
    "        made.setdefault(str(len(word)), []).append(word)\nreturn made",
    lambda rng, given: [words(rng)], edges=[[[]]], n=(1, 4, 5),
)  # fmt: skip
program(
    "query", "parse_query read_pairs to_table", "text: str) -> dict[str, str]",
    ('text holds pairs such as "a=1" with "$sep" between them. Return them as a dictionary; a pair '
     'without "=" has an empty value, and of equal names the last one counts. An empty text gives '
     "an empty dictionary.",),
    "made = {}\nfor part in text.split('$sep') if text else []:\n"
    "    name, _, value = part.partition('=')\n    made[name] = value\nreturn made",
    lambda rng, given: [given["sep"].join(rng.choice(("a=1", "b=x", "a=2", "c", "d=e=f"))
                                          for _ in range(rng.randint(1, 4)))],
    edges=[[""]], sep="&;,",
)  # fmt: skip
program(
    "days_between", "days_between count_days distance", "start: str, end: str) -> int",
    ("Both dates are texts of the form YYYY-MM-DD. Return the number of days from start to end, "
     "$both; it is negative if end comes first.",),
    "from datetime import date\ndays = (date.fromisoformat(end) - date.fromisoformat(start)).days\n"
    "return days + ($plus if days >= 0 else -$plus)",
    lambda rng, given: [_day(rng), _day(rng)], edges=[["2024-02-28", "2024-03-01"]],
    both=("the last day not counted", "both days counted"), plus=("",),
)  # fmt: skip
program(
    "add_days", "add_days later due_date", "day: str) -> str",
    ("day is a text of the form YYYY-MM-DD. Return the date $n days later in the same form.",),
    "from datetime import date, timedelta\n"
    "return (date.fromisoformat(day) + timedelta(days=$n)).isoformat()",
    lambda rng, given: [_day(rng)], edges=[["2023-12-31"], ["2024-02-25"]], n=(3, 7, 10, 30, 45),
)  # fmt: skip
program(
    "weekend", "count_days days_on calendar_count", "start: str, days: int) -> int",
    ("start is a date of the form YYYY-MM-DD. Of the given number of days beginning with it, count "
     "those that fall on $what.",),
    "from datetime import date, timedelta\nfirst = date.fromisoformat(start)\n"
    "return sum((first + timedelta(days=n)).weekday() in $set for n in range(days))",
    lambda rng, given: [_day(rng), rng.randint(1, 30)], edges=[["2024-01-01", 0]],
    what=("a Saturday or Sunday", "Monday to Friday", "a Monday"), set=("",),
)  # fmt: skip
program(
    "clock_add", "add_minutes later_time clock", "time: str) -> str",
    ("time is a time of day such as 09:05. Return the time $n minutes later in the same "
     "form, going "
     "past midnight if need be.",),
    "hours, minutes = map(int, time.split(':'))\ntotal = (hours * 60 + minutes + $n) % 1440\n"
    "return f'{total // 60:02d}:{total % 60:02d}'",
    lambda rng, given: [_clock(rng)], edges=[["23:59"]], n=(5, 25, 45, 90, 135),
)  # fmt: skip
program(
    "duration", "in_words show_duration readable", "seconds: int) -> str",
    ('Write seconds as hours, minutes and seconds in the form "$form" with two digits for minutes '
     "and seconds.",),
    "return f'{seconds // 3600}$a{seconds % 3600 // 60:02d}$b{seconds % 60:02d}$c'",
    lambda rng, given: [rng.randint(0, 20_000)], edges=[[0], [3600]], form=("",), a=("",), b=("",),
    c=("",),
)  # fmt: skip
program(
    "digits", "fold_digits over_digits digits_value", "number: int) -> int",
    ("Return the $what of the decimal digits of number, which is 0 or more.",),
    "made = $start\nfor each in str(number):\n    made = made $op int(each)\nreturn made",
    lambda rng, given: [rng.randint(0, 99_999)], edges=[[0], [7]], what=("sum", "product"),
    start=("",), op=("",),
)  # fmt: skip
program(
    "primes", "primes_up_to list_primes primes", "limit: int) -> list[int]",
    ("Return all prime numbers from $n up to and including limit, in order.",),
    "return [n for n in range($n, limit + 1)\n        if n > 1 and all(n % d for d in "
    "range(2, int(n**0.5) + 1))]",
    lambda rng, given: [rng.randint(0, 80)], edges=[[1], [2], [49]], n=(2, 5, 10),
)  # fmt: skip
program(
    "collatz", "steps_down count_steps hops", "number: int) -> int",
    ("Starting from number (1 or more), halve it if it is even, else triple it and add 1. "
     "Return how "
     "many steps it takes until it is $n or less for the first time; 0 if it is at the start.",),
    "steps = 0\nwhile number > $n:\n"
    "    number = number // 2 if number % 2 == 0 else 3 * number + 1\n    steps += 1\nreturn steps",
    lambda rng, given: [rng.randint(1, 90)], edges=[[1], [2]], n=(1, 4, 10),
)  # fmt: skip
program(
    "to_base", "to_base convert in_base", "number: int) -> str",
    ("Write number, which is 0 or more, in base $n.",),
    "if number == 0:\n    return '0'\nmade = ''\nwhile number:\n"
    "    made = str(number % $n) + made\n    number //= $n\nreturn made",
    lambda rng, given: [rng.randint(0, 500)], edges=[[0], [1]], n=(2, 3, 5, 7, 8),
)  # fmt: skip
program(
    "roman", "to_roman roman_number roman", "number: int) -> str",
    ("Write number, from 1 to 399, in Roman numerals.",),
    "made = ''\nfor value, sign in ((100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'), (10, 'X'),\n"
    "                    (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')):\n"
    "    made += sign * (number // value)\n    number %= value\nreturn made",
    lambda rng, given: [rng.randint(1, 399)], edges=[[4], [90], [399]],
)  # fmt: skip
program(
    "sequence", "sequence build_series first_terms", "count: int) -> list[int]",
    ("Return the first count members of the sequence that begins with $a, $b, and in which every "
     "next member is the sum of the two before it.",),
    "made = [$a, $b]\nwhile len(made) < count:\n    made.append(made[-1] + made[-2])\n"
    "return made[:count]",
    lambda rng, given: [rng.randint(0, 14)], edges=[[0], [1], [2]], a=(0, 1, 2, 3), b=(1, 4, 5),
)  # fmt: skip
program(
    "mean", "average mean_of typical", "numbers: list[int]) -> float | None",
    ("Return the mean of numbers after leaving out the $n smallest and the $n largest, or None if "
     "nothing is left.",),
    "kept = sorted(numbers)[$n : len(numbers) - $n]\n"
    "return sum(kept) / len(kept) if len(numbers) > 2 * $n else None",
    lambda rng, given: [numbers(rng, 0, 8)], edges=[[[]], [[1, 2]]], n=(0, 1, 2),
)  # fmt: skip
program(
    "clamp", "clamp_all limit keep_within", "numbers: list[int]) -> list[int]",
    ("Return numbers with everything below $a raised to $a and everything above $b "
     "lowered to $b.",),
    "return [min(max(each, $a), $b) for each in numbers]",
    lambda rng, given: [numbers(rng)], edges=[[[]]], a=(-5, 0, 3), b=(10, 20, 25),
)  # fmt: skip
program(
    "change", "give_change coins count_coins", "amount: int) -> dict[str, int]",
    ("Pay amount with as few coins as possible, out of coins of $coins. Return how many "
     "of each are "
     "used, by the coin's value as text, without those not used.",),
    "made = {}\nfor coin in ($coins):\n    if amount >= coin:\n"
    "        made[str(coin)] = amount // coin\n        amount %= coin\nreturn made",
    lambda rng, given: [rng.randint(0, 300)], edges=[[0], [1]],
    coins=("50, 20, 10, 5, 2, 1", "100, 50, 10, 1", "25, 10, 5, 1"),
)  # fmt: skip
program(
    "search", "position find_place where", "numbers: list[int], wanted: int) -> int",
    ("numbers is sorted in ascending order. Return the $which position at which wanted "
     "could be put "
     "so that the list stays sorted.",),
    "return sum(each $op wanted for each in numbers)",
    lambda rng, given: [sorted(numbers(rng, 0, 9, 0, 9)), rng.randint(-1, 10)],
    edges=[[[], 1], [[2, 2, 2], 2]], which=("first", "last"), op=("",),
)  # fmt: skip
program(
    "path", "extreme height track", "moves: str) -> int",
    ('moves is a text of "$up" (one up) and "$down" (one down), starting at height 0. Return the '
     "$what height that is reached, the start included.",),
    "height = best = 0\nfor each in moves:\n    height += 1 if each == '$up' else -1\n"
    "    best = $fn(best, height)\nreturn best",
    lambda rng, given: ["".join(rng.choice((given["up"], given["down"])) for _ in range(9))],
    edges=[[""]], up=("u", "+", "<"), down=("d", "-", ">"), what=("lowest", "highest"), fn=("",),
)  # fmt: skip
program(
    "grid", "count_neighbours around busy", "grid: list[str], row: int, column: int) -> int",
    ('grid is a list of equally long texts of "#" and ".". Count the "#" among the $n '
     'neighbours of '
     "the given place ($what); places outside the grid do not count.",),
    "count = 0\nfor r in range(row - 1, row + 2):\n    for c in range(column - 1, column + 2):\n"
    "        near = abs(r - row) + abs(c - column)\n"
    "        if 0 < near <= $far and 0 <= r < len(grid) and 0 <= c < len(grid[0]):\n"
    "            count += grid[r][c] == '#'\nreturn count",
    lambda rng, given: [
        ["".join(rng.choice("##.") for _ in range(4)) for _ in range(3)],
        rng.randint(0, 2), rng.randint(0, 3)],
    edges=[[["#"], 0, 0]], n=(4, 8), what=("",), far=("",),
)  # fmt: skip
program(
    "slug", "make_slug slugify file_name", "text: str) -> str",
    ('Turn text into a name for files: lower case, each stretch of characters other than a–z and '
     '0–9 becomes one "$mark", and none stands at either end.',),
    "import re\nreturn re.sub(r'[^a-z0-9]+', '$mark', text.lower()).strip('$mark')",
    lambda rng, given: [rng.choice(("", " ", "--"))
                        + rng.choice((" ", " & ", "_")).join(words(rng))
                        + rng.choice(("", "!", " (2)"))],
    edges=[[""], ["?!"]], mark="-_",
)  # fmt: skip

DEPENDENT = {
    ("longest_word", "first"): {"at": "0"},
    ("longest_word", "last"): {"at": "-1"},
    ("brackets", 0): {"pairs": "() and []", "a": "(", "b": ")", "c": "[", "d": "]"},
    ("brackets", 1): {"pairs": "[] and {}", "a": "[", "b": "]", "c": "{", "d": "}"},
    ("brackets", 2): {"pairs": "() and {}", "a": "(", "b": ")", "c": "{", "d": "}"},
    ("second_largest", "largest"): {"reverse": "True"},
    ("second_largest", "smallest"): {"reverse": "False"},
    ("running", "sum"): {"fn": "sum"},
    ("running", "largest"): {"fn": "max"},
    ("running", "smallest"): {"fn": "min"},
    ("longest_run", "grow strictly"): {"test": "each > numbers[n - 1]"},
    ("longest_run", "are all equal"): {"test": "each == numbers[n - 1]"},
    ("longest_run", "never grow"): {"test": "each <= numbers[n - 1]"},
    ("merge", "sum"): {"fn": "sum"},
    ("merge", "larger one"): {"fn": "max"},
    ("merge", "smaller one"): {"fn": "min"},
    ("days_between", "the last day not counted"): {"plus": "0"},
    ("days_between", "both days counted"): {"plus": "1"},
    ("weekend", "a Saturday or Sunday"): {"set": "(5, 6)"},
    ("weekend", "Monday to Friday"): {"set": "(0, 1, 2, 3, 4)"},
    ("weekend", "a Monday"): {"set": "(0,)"},
    ("duration", 0): {"form": "1:05:09", "a": ":", "b": ":", "c": ""},
    ("duration", 1): {"form": "1h05m09s", "a": "h", "b": "m", "c": "s"},
    ("digits", "sum"): {"start": "0", "op": "+"},
    ("digits", "product"): {"start": "1", "op": "*"},
    ("search", "first"): {"op": "<"},
    ("search", "last"): {"op": "<="},
    ("path", "lowest"): {"fn": "min"},
    ("path", "highest"): {"fn": "max"},
    ("grid", 4): {"what": "left, right, above and below", "far": "1"},
    ("grid", 8): {"what": "diagonals included", "far": "2"},
    ("rotate", "left"): {"sign": ""},
    ("rotate", "right"): {"sign": "-"},
    ("reverse_words", " "): {"name": "a space"},
    ("reverse_words", "-"): {"name": "a hyphen"},
    ("reverse_words", "_"): {"name": "an underscore"},
}
"""(kind, a value drawn, or a number where nothing is drawn) -> values that follow from it."""
