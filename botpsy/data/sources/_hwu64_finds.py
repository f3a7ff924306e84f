"""HWU64 on money, sums, and pages of the web."""

from __future__ import annotations

import re

from botpsy.data.sources._annotated import NUMBER_WORD, Item, number_of
from botpsy.data.sources._cases import INFORMS, Case, gaps, plan, title_case
from botpsy.data.types import UnusableError
from botpsy.services.bank import Share
from botpsy.worlds.acts import call, say, says
from botpsy.worlds.scene import Scene

# --- money and sums -------------------------------------------------------------------------------

_CURRENCIES = {
    "USD": "dollar|us dollar|usd|u. s. d.|american dollar|united states dollar|dollar us",
    "EUR": "euro|eur|e. u. r.",
    "GBP": "pound|british pound|gbp|g. b. p.|pound sterling|uk pound",
    "JPY": "yen|japanese yen|jpy|j. p. y.",
    "CAD": "canadian dollar|cad|c. a. d.",
    "AUD": "australian dollar|aud|a. u. d.",
    "INR": "rupee|indian rupee|inr|i. n. r.",
    "CHF": "swiss franc|chf|franc",
}
_CODES = {name: code for code, names in _CURRENCIES.items() for name in names.split("|")}


def _code(value: str) -> str:
    code = _CODES.get(value.lower().removesuffix("s"), _CODES.get(value.lower(), ""))
    if not code:
        raise UnusableError("a currency whose code is not known")
    return code


@plan("commerce", "qa/currency")
def exchange(s: Scene, item: Item) -> Case:
    """The rate between two currencies, or what an amount is worth."""
    item.only("currency_name")
    if len(item.slots) != 2:
        raise UnusableError("not two currencies")
    first, second = item.slots
    between = item.text[first.end : second.start].strip()
    if not re.fullmatch(r"(to|in|into|and|vs|versus|against|with|worth in|equal in|for|and the"
                        r"|to the|in to)( a| one)?( us)?", between):  # fmt: skip
        raise UnusableError("currencies in an order that is not plain")
    item.need(r".", r"yesterday|last|was\b|buy|history|trend|when|higher")
    before = item.text[: first.start].split()
    amount: float | None = None
    said = ""
    for n in range(1, 6):
        value = number_of(" ".join(before[-n:])) if n <= len(before) else None
        if value is not None:
            amount, said = value, " ".join(before[-n:])
    if amount == 1:
        amount = None
    codes = _code(first.value), _code(second.value)
    if codes[0] == codes[1]:
        raise UnusableError("not two currencies")
    why = ", ".join(f"{slot.value} → {code}" for slot, code in zip((first, second), codes,
                                                                   strict=True)
                    if slot.value.upper() != code)  # fmt: skip
    if amount and amount > 12 and said != str(amount):
        why += f", {said} → {amount}"
    answer = (
        "{amount} is {is}." if amount else s.choose(("{amount} is {is}.", "The rate is {rate}."))
    )
    act = call("exchange_rate", from_currency=codes[0], to_currency=codes[1], amount=amount)
    return Case([act.because(why), say(answer)], barred=["calculate", *INFORMS],
                offer=["share_price", "account_balance"])  # fmt: skip


@plan("commerce", "qa/stock")
def share(s: Scene, item: Item) -> Case:
    """What a share costs now."""
    item.only("business_name", "date")
    item.need(r"stocks?\b|shares?\b",
              r"yesterday|difference|forecast|notif|alert|news|best|week|month|exchange|buy|sell|and\b"
              r"|clos|open|year|volume|last|when|history|trend|should")  # fmt: skip
    if any(slot.value not in ("today", "today's") for slot in item.all("date")):
        raise UnusableError("another day than today")
    company = item.value("business_name").removesuffix("'s")
    if not re.fullmatch(r"[a-z ]{2,30}", company, re.IGNORECASE) or company in ("company", "name"):
        raise UnusableError("a company without a name")
    letters = "".join(word[0] for word in company.split()) + company.replace(" ", "")[1:]
    cents, change = s.rng.randint(900, 31000), s.rng.randint(-300, 300) or 7
    s.add(Share(letters[:4].upper(), title_case(company), cents, "USD", change))
    s.add(Share("NRD", "Nordwind Energy", 8420, "EUR", 12))
    way = "up" if change > 0 else "down"
    answer = s.choose((f"A share of {title_case(company)} costs {cents / 100:.2f} USD, {way} "
                       f"{abs(change) / 100:.2f}.",
                       f"{title_case(company)} is at {cents / 100:.2f} USD."))  # fmt: skip
    return Case([call("share_price", company=company), says(answer)], barred=INFORMS,
                offer=["exchange_rate", "list_transactions"],
                gaps=gaps(item, company=company))  # fmt: skip


_SIGNS = (
    (r"plus|added to", "+"), (r"minus", "-"), (r"times|multiplied by", "*"),
    (r"divided by|over", "/"),
)  # fmt: skip
_FORMS = (
    (r"square root of (.+)", "sqrt({0})"), (r"root of (.+)", "sqrt({0})"),
    (r"square of (.+)", "{0}**2"), (r"(.+) squared", "{0}**2"), (r"(.+) cubed", "{0}**3"),
    (r"(.+) per ?cent of (.+)", "{0}% of {1}"), (r"sum of (.+) and (.+)", "{0} + {1}"),
    (r"product of (.+) and (.+)", "{0} * {1}"), (r"half of (.+)", "{0} / 2"),
    (r"remainder (?:when|of) (.+?) (?:is )?divided by (.+)", "{0} % {1}"),
    (r"(?:subtracting|subtract|taking|take) (.+) from (.+)", "{1} - {0}"),
    (r"(?:adding|add) (.+) (?:and|to) (.+)", "{0} + {1}"),
    (r"(?:multiplying|multiply) (.+) by (.+)", "{0} * {1}"),
    (r"(?:dividing|divide) (.+) by (.+)", "{0} / {1}"),
)  # fmt: skip


def expression(text: str) -> str:
    """``what is ten times ten`` -> ``10 * 10``; empty where the words are no such sum."""
    text = text.lower().rstrip("?. ")
    first = NUMBER_WORD.search(text)
    if not first:
        return ""
    lead, rest = text[: first.start()], text[first.start() :]
    for pattern, form in _FORMS:
        # A form that begins with a number begins with the first one.
        found = (
            re.fullmatch(pattern, rest)
            if pattern.startswith("(.")
            else re.search(rf"\b{pattern}$", text)
        )
        if found and _plain(lead if pattern.startswith("(.") else text[: found.start()]):
            numbers = [number_of(part) for part in found.groups()]
            return "" if None in numbers else form.format(*numbers)
    if not _plain(lead):
        return ""
    parts = re.split(rf"\s*\b({'|'.join(words for words, _ in _SIGNS)})\b\s*", rest)
    if len(parts) < 3:
        return ""
    made = []
    for n, part in enumerate(parts):
        if n % 2:
            made.append(next(sign for words, sign in _SIGNS if re.fullmatch(words, part)))
        elif (value := number_of(part)) is not None:
            made.append(str(value))
        else:
            return ""
    return " ".join(made)


def _plain(lead: str) -> bool:
    """Whether the words before a sum add nothing to it."""
    return not NUMBER_WORD.search(lead) and not re.search(
        r"\bif\b|equal|\bx\b|same|than|integral|negative|half|minus|difference", lead
    )


@plan("lifestyle", "qa/maths")
def sums(s: Scene, item: Item) -> Case:
    """A sum in words."""
    item.only()
    made = expression(item.text)
    if not made:
        raise UnusableError("a sum that the patterns do not read")
    answer = s.choose(("That is {result}.", "{result}.", "It comes to {result}."))
    return Case([call("calculate", expression=made).because(f"in signs: {made}"), say(answer)],
                barred=INFORMS, offer=["exchange_rate"])  # fmt: skip


# --- pages ---------------------------------------------------------------------------------------

_SITES = {
    "news": ("Daily Ferry", "dailyferry.example", "{0}: the latest",
             "What has happened with {0} so far, and what comes next. Reports of today."),
    "definition": ("Wordhouse", "wordhouse.example", "{0}: definition and use",
                   "What {0} means, where the word is from, and how it is used."),
    "recipe": ("Table & Pot", "tableandpot.example", "Recipe: {0}",
               "A recipe for {0} with ingredients for four, times and photos of each step."),
}  # fmt: skip


def _search(s: Scene, item: Item, about: str, what: str) -> Case:
    site, domain, title, text = _SITES[what]
    slug = re.sub(r"[^a-z0-9]+", "-", about.lower())
    s.page(f"https://{domain}/{slug}", title.format(title_case(about)), text.format(about))
    s.page(f"https://{domain}/about", f"About {site}", f"Who makes {site}, and how to reach us.")
    answer = s.choose((
        "I found “{results[0][title]}”: {results[0][url]}",
        "The best page is “{results[0][title]}”, {results[0][url]}",
        "This looks right: {results[0][title]}, {results[0][url]}",
    ))  # fmt: skip
    return Case([call("web_search", query=f"{about} {what}"), say(answer)],
                barred=["search_documents", "find_notes"], offer=["read_page"])  # fmt: skip


@plan("research", "cooking/recipe")
def recipe(s: Scene, item: Item) -> Case:
    """A page with a recipe."""
    item.only("food_type")
    dish = item.value("food_type").lower()
    item.need(r"recipe|how (do|can|to|should)|cook|make|prepare",
              r"how (much|long|many)|sentence|instead|temperature|video|serve|order|calorie|best"
              r"|open|save|app\b")  # fmt: skip
    if not re.fullmatch(r"[a-z ]{3,30}", dish) or dish in ("food", "dish", "meal"):
        raise UnusableError("no dish by name")
    return _search(s, item, dish, "recipe")


@plan("research", "qa/definition")
def definition(s: Scene, item: Item) -> Case:
    """A page on a word."""
    item.only("definition_word")
    word = re.sub(r"^(a|an|the) ", "", item.value("definition_word").lower())
    item.need(r"defin|mean", r"look\b|specs|picture|describe")
    if not re.fullmatch(r"[a-z ]{3,30}", word) or word in ("word", "term", "this"):
        raise UnusableError("no word to look up")
    return _search(s, item, word, "definition")


@plan("research", "news/query")
def news(s: Scene, item: Item) -> Case:
    """A page with news of something."""
    item.only("news_topic")
    topic = re.sub(r"^the | news$", "", item.value("news_topic").lower())
    item.need(r"news|latest|happening|about|update|headlines",
              r"keep|notif|alert|remind|every|read\b.*aloud|fox|cnn|bbc|google|open|inform me when"
              r"|let me know when")  # fmt: skip
    if not re.fullmatch(r"[a-z ]{4,30}", topic) or topic in ("local", "latest", "topic", "news"):
        raise UnusableError("no topic by name")
    return _search(s, item, topic, "news")
