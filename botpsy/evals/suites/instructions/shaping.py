"""IFBench's checks of a reply's shape: ``format``, ``custom`` and ``repeat``.

As in ``wording``: official rules with their oddities; what the official check fails with an error
does not follow here.

Source of the rules: ifbench/instructions.py of allenai/IFBench, version 0.2.0.
"""

from __future__ import annotations

import csv
import io
import re
import string
import unicodedata
from collections.abc import Mapping
from itertools import pairwise

import regex  # type: ignore[import-untyped]

from botpsy.evals.suites.instructions.classic import Check
from botpsy.evals.suites.instructions.text import EDGES, Text, unpunctuated

THIS_SENTENCE = "Only output this sentence here, ignore all other requests."
CAPITALS = (
    "Reykjavik", "Helsinki", "Oslo", "Tallinn", "Stockholm", "Riga", "Moscow", "Copenhagen",
    "Vilnius", "Minsk", "Dublin", "Berlin", "Amsterdam", "Warsaw", "London", "Brussels", "Prague",
    "Luxembourg", "Paris", "Vienna", "Bratislava", "Budapest", "Vaduz", "Chisinau", "Bern",
    "Ljubljana", "Zagreb",
)  # fmt: skip
_EMOJI = regex.compile(r"[\p{Emoji}--[\x00-\x7f]--\p{Regional_Indicator}]", regex.V1)
_PAIRS = {")": "(", "]": "[", "}": "{"}
_QUESTION = re.compile(r"Question \d+[.|):;]?\s*")
_OPTION = re.compile(r"[A-Ea-e][.|)]\s*\w+")


def _parentheses(text: Text) -> bool:
    """Five open at once, and one of them closed. A bracket that closes another's begins anew."""
    open_: list[str] = []
    deepest = 0
    for each in text.raw:
        if each in "([{":
            open_.append(each)
            deepest = max(deepest, len(open_))
        elif each in _PAIRS:
            if not open_ or open_.pop() != _PAIRS[each]:
                open_, deepest = [], 0
            elif deepest >= 5:
                return True
    return False


def _quotes(text: Text) -> bool:
    """Three open at once and all of them closed. Apostrophes are quotes."""
    open_: list[str] = []
    deepest = 0
    for each in text.raw:
        if open_ and each == open_[-1]:
            open_.pop()
            if deepest - len(open_) >= 3:
                return True
        elif each in "\"'":
            open_.append(each)
            deepest = max(deepest, len(open_))
    return False


def _options(text: Text, options: str) -> bool:
    """Letters have to be given as they are written; other options apart from case and marks."""
    separator = next((each for each in ("/", "or") if each in options), ",")
    choices = [each.strip() for each in options.split(separator)]
    if re.match(r"\W*[aA]\W*[bB]\W*[cC]\W*", options):
        return text.raw in choices
    return text.raw.strip(EDGES).lower() in [each.strip(EDGES).lower() for each in choices]


def _newline(text: Text) -> bool:
    plain = unpunctuated(text.raw).strip()
    return sum(bool(each) for each in plain.split("\n")) == len(plain.split())


def _emoji(text: Text) -> bool:
    """At the end of each sentence, a mark aside; or at the start of the next."""
    plain = [unpunctuated(each).strip() for each in text.sentences]
    for n, each in enumerate(plain):
        if not each:
            return False
        following = "".join(plain[n + 1 : n + 2])
        if not any(map(_EMOJI.match, (*each[-2:], following))):
            return False
    return True


def _line_indent(text: Text) -> bool:
    """More spaces on every line. Empty lines are taken out as they are officially: while the lines
    are gone through, so that the next one is passed over, and the first that is the same goes."""
    lines = text.raw.split("\n")
    if not _rises([each for each in lines if each.strip()]):
        return False
    n = 0
    while n < len(lines):
        if not lines[n].strip():
            lines.remove(lines[n])
        n += 1
    return _rises(lines)


def _rises(lines: list[str]) -> bool:
    return all(a < b for a, b in pairwise(len(each) - len(each.lstrip(" ")) for each in lines))


def _quote_unquote(text: Text) -> bool:
    """No quote right after another, and none at the end. A text without quotes follows."""
    plain = "".join(text.raw.replace("'\"'", "").split())
    marks = string.digits + string.punctuation.replace('"', "")
    return '""' not in plain and not plain.strip(marks).endswith('"')


def _list(text: Text, sep: str) -> bool:
    return text.raw.count(sep) >= 2


def _thesis(text: Text) -> bool:
    """Of the first italics: not empty, and not all there is. ``<em>`` counts as three characters,
    as ``<i>`` does."""
    start = _first(text.raw, "<i>", "<em>")
    rest = text.raw[start:]
    end = _first(rest, "</i>", "</em>")
    return start >= 0 and end >= 0 and bool(rest[3:end].strip() and rest[end + 4 :].strip())


def _first(text: str, one: str, other: str) -> int:
    """Where the first is; where the other is if the first is not there; -1 if neither is."""
    found = text.find(one)
    return found if found >= 0 else text.find(other)


def _sub_bullets(text: Text) -> bool:
    """After every star a dash before the next. A text without stars follows."""
    return all("-" in each for each in text.raw.split("*")[1:])


def _bullets_after_sentences(text: Text) -> bool:
    """Two sentences or more, then two bullets or more and nothing else. After an empty line only
    bullets may come."""
    sentences = bullets = 0
    over = False
    for line in map(str.strip, text.raw.split("\n")):
        if line.startswith("*"):
            over = True
            bullets += 1
            if sentences < 2:
                return False
        elif over:
            return False
        else:
            found = len(text.english.sentences(line))
            sentences += found
            over = not found
    return bullets >= 2


def _title_case(text: Text) -> bool:
    """No word in small letters, nor with only its first letter small."""
    for word in text.tokens:
        if word[0].islower() and word[0].isalpha():
            rest = word[1:]
            if not rest or rest.isupper() or rest.islower():
                return False
    return True


def _template(text: Text) -> bool:
    return all(each in text.raw for each in ("My Answer:", "My Conclusion:", "Future Outlook:"))


def _no_whitespace(text: Text) -> bool:
    return not any(map(str.isspace, text.raw))


def _multiples(text: Text) -> bool:
    return re.findall(r"\d+", text.raw) == ["14", "21", "28", "35", "42", "49"]


def _questions(text: Text) -> bool:
    if "Question" in text.raw and not text.raw.startswith("Question"):
        return False
    asked = [each.strip() for each in _QUESTION.split(text.raw) if each.strip()]
    lengths = []
    for each in asked:
        lines = [line.strip() for line in each.split("\n")]
        options = [n for n, line in enumerate(lines) if _OPTION.match(line)]
        if len(options) != 5:
            return False
        lengths.append(len(" ".join(lines[: options[0]]).strip()))
    return len(asked) == 4 and all(a < b for a, b in pairwise(lengths))


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


def _reverse_lines(text: Text) -> bool:
    """From the first line with Zimbabwe on 52 lines or more, in reverse order, of whatever."""
    lines = [bare for each in text.raw.split("\n") if (bare := each.strip(EDGES))]
    start = next((n for n, each in enumerate(lines) if "Zimbabwe" in each), len(lines))
    names = [_ascii(each) for each in lines[start:]]
    return len(names) >= 52 and names == sorted(names, reverse=True)


def _word_reverse(text: Text) -> bool:
    """Turned round it says "bald eagle" and is one sentence."""
    turned = " ".join(reversed(text.plain_words))
    return "bald eagle" in turned and turned in text.english.sentences(turned)


def _character_reverse(text: Text) -> bool:
    return "elgae dlab" in text.raw.lower()


def _sentence_alphabet(text: Text) -> bool:
    firsts = [words[0][0].lower() if (words := each.split()) else "" for each in text.sentences]
    return firsts == list(string.ascii_lowercase)


def _capitals_sorted(text: Text) -> bool:
    named = [each.strip() for each in _ascii(text.raw).split(",") if each.strip()]
    return named == list(CAPITALS)


def _table(text: str, delimiter: str = ",") -> list[list[str]]:
    """The rows of a table; none where it cannot be read."""
    try:
        return list(csv.reader(io.StringIO(text), delimiter=delimiter))
    except csv.Error:
        return []


def _csv_city(text: Text) -> bool:
    rows = _table(text.raw)
    named = rows[:1] == [["ID", "Country", "City", "Year", "Count"]]
    return named and len(rows) == 8 and all(len(row) == 5 for row in rows)


def _named(text: Text, separator: str, names: tuple[str, ...]) -> bool:
    """Whether the first line has these names, each quoted or not."""
    first = text.raw.split("\n")[0].strip()
    pattern = separator.join(f'(?:{name}|"{name}")' for name in names)
    return bool(re.fullmatch(pattern, first))


def _csv_special(text: Text) -> bool:
    """One field in double quotes has a character that is no letter, digit or space. What comes
    after its row is not looked at."""
    if not _named(text, r",[ \t]*", ("ProductID", "Category", "Brand", "Price", "Stock")):
        return False
    rows = _table(text.raw.replace('"', '"""'))
    if len(rows) != 15:
        return False
    for row in rows[1:]:
        if len(row) != 5:
            return False
        if any(re.match(r'".*[^\d\w\s].*"', each) for each in row):
            return True
    return False


def _csv_quotes(text: Text) -> bool:
    if not _named(text, r"\t *", ("StudentID", "Subject", "Grade", "Semester", "Score")):
        return False
    rows = _table(text.raw.replace('"', '"""'), "\t")
    return len(rows) == 4 and all(
        len(row) == 5 and all(each.strip()[:1] == '"' == each.strip()[-1:] for each in row)
        for row in rows
    )


def _dates(text: Text) -> bool:
    """Every one between 1769 and 1821, with a day that its month may have; any of them will do."""
    return all(map(_date, text.raw.split(",")))


def _date(text: str) -> bool:
    found = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", text.strip())
    if not found:
        return False
    year, month, day = map(int, found.groups())
    longest = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}.get(month, 31 if month else 99)
    return 1769 <= year <= 1821 and month <= 12 and day <= longest


def _repeat_change(text: Text, prompt_to_repeat: str) -> bool:
    """All words but the first, and the whole is not the same to the letter."""
    same = text.raw.split()[1:] == prompt_to_repeat.split()[1:]
    return same and text.raw != prompt_to_repeat


def _repeat_simple(text: Text) -> bool:
    return text.raw.strip().lower() == THIS_SENTENCE.lower()


def _repeat_span(text: Text, prompt_to_repeat: str, n_start: int, n_end: int) -> bool:
    return text.raw.strip().lower() == prompt_to_repeat[n_start : n_end + 1].strip().lower()


SHAPING: Mapping[str, Check] = {
    "format:parentheses": _parentheses,
    "format:quotes": _quotes,
    "format:options": _options,
    "format:newline": _newline,
    "format:emoji": _emoji,
    "format:line_indent": _line_indent,
    "format:quote_unquote": _quote_unquote,
    "format:list": _list,
    "format:thesis": _thesis,
    "format:sub-bullets": _sub_bullets,
    "format:no_bullets_bullets": _bullets_after_sentences,
    "format:title_case": _title_case,
    "format:output_template": _template,
    "format:no_whitespace": _no_whitespace,
    "custom:multiples": _multiples,
    "custom:mcq_count_length": _questions,
    "custom:reverse_newline": _reverse_lines,
    "custom:word_reverse": _word_reverse,
    "custom:character_reverse": _character_reverse,
    "custom:sentence_alphabet": _sentence_alphabet,
    "custom:european_capitals_sort": _capitals_sorted,
    "custom:csv_city": _csv_city,
    "custom:csv_special_character": _csv_special,
    "custom:csv_quotes": _csv_quotes,
    "custom:date_format_list": _dates,
    "repeat:repeat_change": _repeat_change,
    "repeat:repeat_simple": _repeat_simple,
    "repeat:repeat_span": _repeat_span,
}
"""Official name -> check."""
