"""Small Python tasks: what a function should do, a solution, and inputs to try it on.

Each kind has its statement and its solution with ``$name`` where a parameter goes, so that one kind
gives many tasks that differ in more than names. Solutions are ours and trusted: expected outputs
come from running them here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from botpsy.data.tasks.facts_science import words as words_in

Inputs = Callable[[Random, Mapping[str, Any]], list[Any]]


@dataclass(frozen=True, slots=True)
class Program:
    """One kind of task.

    Attributes:
        names: what the function may be called.
        says: what it should do, in several ways.
        takes: its parameters, as in a signature.
        body: the solution's lines, not indented.
        values: parameter of the template -> the values it may have.
        inputs: draws the arguments of one call.
        edges: argument lists that are always tested.
    """

    names: tuple[str, ...]
    says: tuple[str, ...]
    takes: str
    body: str
    inputs: Inputs
    values: Mapping[str, Sequence[Any]]
    edges: Sequence[Sequence[Any]] = ()


PROGRAMS: dict[str, Program] = {}


def program(  # noqa: PLR0917  read as a table
    kind: str,
    names: str,
    takes: str,
    says: str | tuple[str, ...],
    body: str,
    inputs: Inputs,
    *,
    edges: Sequence[Sequence[Any]] = (),
    **values: Sequence[Any],
) -> None:
    """Register a kind."""
    said = (says,) if isinstance(says, str) else says
    PROGRAMS[kind] = Program(
        tuple(names.split()), said, takes, body.strip("\n"), inputs, values, edges
    )


WORDS = words_in(
    "apple river Stone green lamp Otto window level tree Bird sand noon cloud Paper ship radar "
    "honey winter Glass road civic table moon Kayak seven"
)


def words(rng: Random, low: int = 1, high: int = 7) -> list[str]:
    """Some words, some of them twice."""
    return [rng.choice(WORDS) for _ in range(rng.randint(low, high))]


def sentence(rng: Random, low: int = 1, high: int = 7) -> str:
    """Words with spaces between."""
    return " ".join(words(rng, low, high))


def numbers(
    rng: Random, low: int = 0, high: int = 9, least: int = -20, most: int = 40
) -> list[int]:
    """Some whole numbers."""
    return [rng.randint(least, most) for _ in range(rng.randint(low, high))]


def letters(rng: Random, low: int = 1, high: int = 14, among: str = "abcxyzABC 019") -> str:
    """A text of few different characters."""
    return "".join(rng.choice(among) for _ in range(rng.randint(low, high)))


program(
    "count_letter", "count_letter how_often tally", "text: str) -> int",
    ('Return how often the letter "$c" occurs in text, whether small or capital.',
     'Count the letter "$c" in text; capitals count as well.'),
    "return text.lower().count('$c')",
    lambda rng, given: [sentence(rng)], edges=[[""]], c="aeiornst",
)  # fmt: skip
program(
    "words_longer", "long_words select_words keep_long", "text: str) -> list[str]",
    ("Return the words of text (split at white space) that have more than $n letters, in order.",
     "Split text at white space and keep the words of more than $n characters, in their order."),
    "return [word for word in text.split() if len(word) > $n]",
    lambda rng, given: [sentence(rng)], edges=[[""]], n=(3, 4, 5),
)  # fmt: skip
program(
    "reverse_words", "reverse_words turn_words flip_order", "text: str) -> str",
    ("Return text with its words in reverse order, joined by $name.",
     "Reverse the order of the words of text and join them with $name."),
    "return '$sep'.join(reversed(text.split()))",
    lambda rng, given: [sentence(rng)], edges=[[""], ["one"]],
    sep=(" ", "-", "_"), name=("that separator",),
)  # fmt: skip
program(
    "initials", "initials acronym first_letters", "text: str) -> str",
    ('Return the first letter of every word of text as a capital, with "$mark" after each.',
     'Make initials of text: the first letter of each word in upper case, then "$mark".'),
    "return ''.join(word[0].upper() + '$mark' for word in text.split())",
    lambda rng, given: [sentence(rng)], edges=[[""]], mark=(".", "-", "/"),
)  # fmt: skip
program(
    "palindrome", "is_palindrome reads_same mirror", "text: str) -> bool",
    ("Say whether text reads the same backwards, when only its letters and digits count and letter "
     "case does not.",),
    "kept = [each.lower() for each in text if each.isalnum()]\nreturn kept == kept[::-1]",
    lambda rng, given: [rng.choice((rng.choice(WORDS), "No lemon, no melon", "Was it a car",
                                    letters(rng), "Step on no pets", "A1 b2 B1 a"))],
    edges=[[""], ["ab"]],
)  # fmt: skip
program(
    "caesar", "shift_letters encode rotate_text", "text: str) -> str",
    ("Shift every small letter a–z of text by $n places in the alphabet, from z on to a again. "
     "Leave all else as it is.",),
    "made = []\nfor each in text:\n    if 'a' <= each <= 'z':\n"
    "        each = chr((ord(each) - 97 + $n) % 26 + 97)\n    made.append(each)\n"
    "return ''.join(made)",
    lambda rng, given: [sentence(rng)], edges=[[""], ["xyz!"]], n=(1, 2, 3, 5, 13, 20),
)  # fmt: skip
program(
    "run_length", "run_lengths compress squeeze", "text: str) -> str",
    ("Compress text: write each run of the same character as the character and the run's length, "
     'so that "aab" gives "a2b1".',),
    "made, at = '', 0\nwhile at < len(text):\n    end = at\n"
    "    while end < len(text) and text[end] == text[at]:\n        end += 1\n"
    "    made += text[at] + str(end - at)\n    at = end\nreturn made",
    lambda rng, given: [letters(rng, among="aabbc")], edges=[[""]],
)  # fmt: skip
program(
    "vowels_out", "drop_vowels without_vowels strip_letters", "text: str) -> str",
    ("Return text without the letters $set, small or capital.",),
    "return ''.join(each for each in text if each.lower() not in '$set')",
    lambda rng, given: [sentence(rng)], edges=[[""]], set=("aeiou", "aeiouy", "rst", "lmn"),
)  # fmt: skip
program(
    "longest_word", "longest_word pick_longest widest", "text: str) -> str",
    ("Return the longest word of text; of several, the $which one. Without words return an empty "
     "text.",),
    "words = text.split()\nif not words:\n    return ''\nsize = max(map(len, words))\n"
    "return [word for word in words if len(word) == size][$at]",
    lambda rng, given: [sentence(rng)], edges=[[""]], which=("first", "last"), at=("",),
)  # fmt: skip
program(
    "mask", "mask_text hide keep_last", "text: str) -> str",
    ('Replace all characters of text but the last $n by "$mark".',
     'Return text with everything hidden behind "$mark" except its last $n characters.'),
    "hidden = max(0, len(text) - $n)\nreturn '$mark' * hidden + text[hidden:]",
    lambda rng, given: [letters(rng, 0, 12, "0123456789")], edges=[[""], ["12"]],
    n=(2, 3, 4), mark="*#x",
)  # fmt: skip
program(
    "title_case", "headline capitalise tidy_title", "text: str) -> str",
    ('Return the words of text in lower case with a capital first letter, except the word '
     '"$small", '
     "which stays all lower case unless it comes first. Join them by one space.",),
    "made = []\nfor n, word in enumerate(text.lower().split()):\n"
    "    made.append(word if n and word == '$small' else word[:1].upper() + word[1:])\n"
    "return ' '.join(made)",
    lambda rng, given: [" ".join(rng.sample([given["small"], *words(rng, 2, 4)], 3))],
    edges=[[""]], small=("and", "of", "the"),
)  # fmt: skip
program(
    "brackets", "balanced well_nested check_brackets", "text: str) -> bool",
    ("Say whether the brackets $pairs in text are balanced and properly nested. Ignore other "
     "characters.",),
    "pairs = {'$b': '$a', '$d': '$c'}\nopen_ones = []\nfor each in text:\n"
    "    if each in '$a$c':\n        open_ones.append(each)\n    elif each in pairs:\n"
    "        if not open_ones or open_ones.pop() != pairs[each]:\n            return False\n"
    "return not open_ones",
    lambda rng, given: [rng.choice(("()", "[]", "([])", "x(y)", "(()", "[(])", ")(", "{()}", "[[]]",
                                    "{[}]")) + letters(rng, 0, 3, "()[]{}a")],
    edges=[[""], ["(["]], pairs=("",), a=("",), b=("",), c=("",), d=("",),
)  # fmt: skip
program(
    "sum_multiples", "sum_multiples add_divisible total", "numbers: list[int]) -> int",
    ("Return the sum of those numbers that are divisible by $n.",
     "Add up all members of numbers that $n divides without remainder."),
    "return sum(each for each in numbers if each % $n == 0)",
    lambda rng, given: [numbers(rng)], edges=[[[]]], n=(2, 3, 4, 5, 7),
)  # fmt: skip
program(
    "second_largest", "runner_up second next_best", "numbers: list[int]) -> int | None",
    ("Return the second $way of the different values in numbers, or None if there are fewer than "
     "two.",),
    "values = sorted(set(numbers), reverse=$reverse)\n"
    "return values[1] if len(values) > 1 else None",
    lambda rng, given: [numbers(rng, 0, 7, 0, 12)], edges=[[[]], [[3, 3]]],
    way=("largest", "smallest"), reverse=("",),
)  # fmt: skip
program(
    "rotate", "rotate_list turn_list shift_items", "items: list[int]) -> list[int]",
    ("Return items rotated by $n places to the $way. An empty list stays empty.",),
    "if not items:\n    return []\nby = $sign$n % len(items)\nreturn items[by:] + items[:by]",
    lambda rng, given: [numbers(rng)], edges=[[[]], [[1]], [[1, 2]]], n=(1, 2, 3),
    way=("left", "right"), sign=("",),
)  # fmt: skip
program(
    "chunks", "in_chunks split_every group", "items: list[int]) -> list[list[int]]",
    ("Split items into lists of $n, in order; the last may be shorter.",
     "Cut items into pieces of $n members. What is left over makes a last, shorter piece."),
    "return [items[at : at + $n] for at in range(0, len(items), $n)]",
    lambda rng, given: [numbers(rng)], edges=[[[]]], n=(2, 3, 4),
)  # fmt: skip
program(
    "unique", "unique_in_order drop_repeats distinct", "items: list[int]) -> list[int]",
    ("Return items without repetitions, each value where it first occurs.",
     "Remove repeated values from items and keep the first of each, in order."),
    "return list(dict.fromkeys(items))",
    lambda rng, given: [numbers(rng, 0, 10, 0, 5)], edges=[[[]]],
)  # fmt: skip
program(
    "running", "running accumulate so_far", "numbers: list[int]) -> list[int]",
    ("Return for each position the $what of all numbers up to and including it.",),
    "made = []\nfor n in range(len(numbers)):\n    made.append($fn(numbers[: n + 1]))\nreturn made",
    lambda rng, given: [numbers(rng)], edges=[[[]]], what=("sum", "largest", "smallest"), fn=("",),
)  # fmt: skip
program(
    "pairs_sum", "count_pairs pairs_with_sum matching_pairs", "numbers: list[int]) -> int",
    ("Count the pairs of positions i < j for which numbers[i] + numbers[j] is $n.",),
    "return sum(numbers[i] + numbers[j] == $n\n           for j in range(len(numbers)) "
    "for i in range(j))",
    lambda rng, given: [numbers(rng, 0, 9, 0, 8)], edges=[[[]]], n=(5, 7, 8, 10),
)  # fmt: skip
program(
    "flatten", "flatten level_out unnest", "items: list) -> list[int]",
    ("items holds numbers and lists of numbers, nested to any depth. Return all numbers "
     "in order in "
     "one list.",),
    "made = []\nfor each in items:\n    if isinstance(each, list):\n"
    "        made += $me(each)\n    else:\n        made.append(each)\nreturn made",
    lambda rng, given: [[rng.choice((rng.randint(0, 9), numbers(rng, 0, 3), [numbers(rng, 1, 2)]))
                         for _ in range(rng.randint(1, 4))]], edges=[[[]], [[[[]], 1]]],
)  # fmt: skip
program(
    "moving", "moving_sums window_sums slide", "numbers: list[int]) -> list[int]",
    ("Return the sums of all stretches of $n neighbours in numbers, from left to right.",),
    "return [sum(numbers[at : at + $n]) for at in range(len(numbers) - $n + 1)]",
    lambda rng, given: [numbers(rng)], edges=[[[]], [[1]]], n=(2, 3, 4),
)  # fmt: skip
program(
    "transpose", "transpose turn_table columns", "table: list[list[int]]) -> list[list[int]]",
    ("Turn the rows of table into columns. All rows are equally long; an empty table "
     "stays empty.",),
    "return [list(column) for column in zip(*table)]",
    lambda rng, given: [_table(rng)], edges=[[[]]],
)  # fmt: skip
program(
    "longest_run", "longest_run best_streak stretch", "numbers: list[int]) -> int",
    ("Return the length of the longest stretch of neighbours in numbers that $what.",),
    "best = size = 0\nfor n, each in enumerate(numbers):\n"
    "    size = size + 1 if n and ($test) else 1\n    best = max(best, size)\nreturn best",
    lambda rng, given: [numbers(rng, 0, 10, 0, 4)], edges=[[[]]],
    what=("grow strictly", "are all equal", "never grow"), test=("",),
)  # fmt: skip
program(
    "split_sign", "by_sign split_numbers sort_out", "numbers: list[int]) -> dict[str, list[int]]",
    ('Return a dictionary with the names "low" and "high": the numbers below $n and those of $n or '
     "more, each in order.",),
    "return {'low': [x for x in numbers if x < $n], 'high': [x for x in numbers if x >= $n]}",
    lambda rng, given: [numbers(rng)], edges=[[[]]], n=(0, 5, 10),
)  # fmt: skip


def _table(rng: Random) -> list[list[int]]:
    width = rng.randint(1, 4)
    return [[rng.randint(0, 9) for _ in range(width)] for _ in range(rng.randint(1, 4))]
