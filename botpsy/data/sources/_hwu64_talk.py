"""HWU64 where nothing is called: what no tool of botpsy serves, and talk."""

from __future__ import annotations

import re
from dataclasses import dataclass

from botpsy.data.sources._annotated import Item
from botpsy.data.sources._cases import INFORMS
from botpsy.worlds.scenario import Domain


@dataclass(frozen=True)
class Decline:
    """Requests of an intent that nothing on offer serves.

    Attributes:
        whats: verb phrases for what is asked.
        must, never: words that make sure of it.
        barred: tools that might help, and so are not offered; ``near`` are offered, and cannot.
        share: how many of them are declined, where there is a plan as well.
    """

    domain: Domain
    whats: tuple[str, ...]
    must: str
    never: str = r"^$"
    barred: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    share: float = 1.0

    def fits(self, item: Item) -> bool:
        """Whether this request is one of them."""
        text = item.text.lower()
        return bool(re.search(self.must, text)) and not re.search(self.never, text)


_ASK = INFORMS
DECLINES: dict[tuple[str, str], Decline] = {
    ("social", "post"): Decline(
        "communication", ("post on social media", "write posts or tweets"),
        r"tweet|\bpost\b|facebook|twitter|instagram|status",
        barred=("create_note",), near=("send_mail", "send_message")),
    ("social", "query"): Decline(
        "communication", ("look into social media", "read what is new on social media"),
        r"facebook|twitter|instagram|snapchat|social media|tweets|newsfeed",
        barred=_ASK, near=("search_mail", "read_messages")),
    ("takeaway", "order"): Decline(
        "lifestyle", ("order food", "order from restaurants"),
        r"\border\b|takeaway|take ?out|deliver", r"look up|find|price|cost|checkout|search",
        ("find_restaurants", "place_order", "add_to_cart", "search_products", *_ASK),
        ("book_table", "add_to_list", "call_taxi")),
    ("takeaway", "query"): Decline(
        "lifestyle", ("ask restaurants about deliveries", "find out about takeaway food"),
        r"deliver|takeaway|take ?(out|away)|pick ?up", r"\bcall\b",
        ("find_restaurants", "find_places", "order_status", "list_bookings", *_ASK),
        ("book_table", "call_taxi")),
    ("play", "audiobook"): Decline(
        "lifestyle", ("play audiobooks", "read out audiobooks"),
        r"audio ?book|\bbook\b", r"pause|resume|continue|stop|skip|rewind|next|back|forward|where",
        ("play_podcast", "control_playback"), ("play_music", "play_radio", "now_playing")),
    ("play", "game"): Decline(
        "lifestyle", ("play games", "start games"), r"\bplay\b|\bgame",
        r"radio|game of thrones|match|score", ("turn_on", *_ASK),
        ("play_music", "control_playback", "set_timer")),
    ("play", "podcasts"): Decline(
        "lifestyle", ("play podcasts",), r"podcast",
        r"next|skip|previous|back|forward|pause|resume|continue|rewind|stop|jump|last|over|repeat",
        ("control_playback", *_ASK), ("play_music", "play_radio")),
    ("music", "likeness"): Decline(
        "lifestyle", ("rate songs or keep favourites", "remember which songs you like"),
        r"\b(save|rate|stars?|favou?rites?|mark)\b", r"repeat|\bplay\b|what is|which",
        ("create_note", "append_to_note", "add_to_list"), ("play_music", "now_playing")),
    ("music", "settings"): Decline(
        "lifestyle", ("shuffle or repeat songs", "change how songs are repeated or shuffled"),
        r"shuffle|\brepeat\b|\bloop\b|equalizer|bass", r"skip|next|stop|pause|again|\bplay\b",
        near=("control_playback", "play_music")),
    ("transport", "traffic"): Decline(
        "lifestyle", ("tell how the traffic is", "look at the traffic"),
        r"traffic|congestion|accidents?", r"how long|route|way should|avoid",
        ("get_directions", "navigate_to", *_ASK), ("get_weather", "search_trains")),
    ("recommendation", "movies"): Decline(
        "lifestyle", ("say which films are on", "recommend films"),
        r"movies?|films?|cinema|theat(re|er)|show ?times?", r"book|ticket|where|near(est)? (the)?$",
        ("find_places", *_ASK), ("find_restaurants", "get_weather")),
    ("recommendation", "events"): Decline(
        "calendar", ("find out what is on in town", "look up public events"),
        r"local|around|\b(city|town|area)\b|concerts?|festivals?|fairs?\b|exhibit|nearby|near me",
        r"\bmy (calendar|schedule)|restaurant|shop|remind|museum|what can i do",
        ("find_places", "find_restaurants", *_ASK), ("find_events", "create_event")),
    ("datetime", "convert"): Decline(
        "lifestyle", ("convert times between time zones", "work out time differences"),
        r"zone|difference|convert|\bin\b.*time|time .*\bin\b", r"\bmy (clock|time)|switch|set\b",
        ("current_time", "convert_time", "calculate", *_ASK), ("set_alarm", "get_weather")),
    ("iot", "coffee"): Decline(
        "home", ("order coffee",), r"\border\b|starbucks|coffee shop", r"machine|maker",
        ("find_places", "find_restaurants", "place_order", "search_products", "add_to_cart", *_ASK),
        ("turn_on", "add_to_list")),
    ("weather", "query"): Decline(
        "lifestyle", ("look at the weather", "tell the weather"),
        r"weather|\brain\b|\bsnow\b|forecast|temperature", barred=("get_weather", *_ASK),
        near=("current_time", "find_places"), share=0.15),
    ("qa", "stock"): Decline(
        "commerce", ("look up share prices", "follow the stock market"),
        r"stocks?\b|shares?\b", r"buy|sell", ("share_price", *_ASK),
        ("exchange_rate", "account_balance"), share=0.3),
    ("qa", "currency"): Decline(
        "commerce", ("convert currencies", "look up exchange rates"),
        r"exchange|rate|convert", barred=("exchange_rate", "calculate", *_ASK),
        near=("share_price", "account_balance"), share=0.15),
    ("news", "query"): Decline(
        "research", ("look up news",), r"\bnews\b|headlines", r"radio|play", _ASK,
        ("find_notes", "search_mail"), share=0.4),
    ("transport", "ticket"): Decline(
        "lifestyle", ("look for trains or book them",), r"\btrain\b.*\bticket|ticket.*\btrain",
        barred=("search_trains", "book_train", *_ASK), near=("search_flights", "call_taxi"),
        share=0.2),
}  # fmt: skip


@dataclass(frozen=True)
class Talk:
    """Words that want an answer and nothing else."""

    answers: tuple[str, ...]
    must: str = r"."
    never: str = r"^$"

    def fits(self, item: Item) -> bool:
        """Whether this request is of the kind."""
        text = item.text.lower()
        return bool(re.search(self.must, text)) and not re.search(self.never, text)


JOKES = (
    "Why did the gardener keep a ladder in the greenhouse? The tomatoes were in high demand.",
    "I asked my calendar for a joke. It said its days are numbered.",
    "A sieve applied for a job in security. It let everything through.",
    "Why are stairs bad at keeping secrets? They are always up to something.",
    "The candle left the party early. It was completely burnt out.",
    "My umbrella and I broke up. It kept folding under pressure.",
    "Why did the clock go to school? To learn to tell time, of course.",
    "The pillow quit its job: too much pressure, and nobody let it rest.",
    "What does a cloud wear under its coat? Thunderwear.",
    "I told my plants a joke about soil. They didn't dig it.",
)
_AGAIN = (
    "This is the start of our conversation, so there is nothing to repeat yet. What can I do?",
    "I haven't said anything yet that I could go back to. What is it about?",
    "There is nothing before this. Tell me what you need, and I'll begin.",
)
TALK: dict[tuple[str, str], tuple[Talk, ...]] = {
    ("general", "joke"): (Talk(JOKES, r"joke|laugh|funny|humou?r",
                               r"dirty|internet|find|search|about|doctor|knock|latest|newspaper"
                               r"|blonde|racist|adult"),),
    ("general", "praise"): (Talk((
        "Thank you, I'm glad it helped.", "You're welcome!", "Happy to help.",
        "Thanks! Just say if there is more to do.", "Good to hear, thank you.")),),
    ("general", "commandstop"): (Talk((
        "Okay, I'll stop.", "All right, nothing more from me.", "Okay, cancelled.",
        "Stopped. I'm here when you need me."), never=r"shut (down|off)|later"),),
    ("general", "negate"): (Talk((
        "I'm sorry about that. Tell me once more what you want, and I'll do it right.",
        "My mistake. What should I do instead?", "Sorry. Please say it again in other words.",
        "Then I got it wrong. What did you mean?")),),
    ("general", "repeat"): (Talk(_AGAIN, never=r"reset|start over|stop"),),
    ("general", "explain"): (Talk(_AGAIN),),
    ("general", "confirm"): (Talk((
        "There is nothing to confirm yet: you haven't asked me for anything so far.",
        "Nothing has been asked of me yet, so there is nothing to check. What shall I do?",
        "I have no order from you yet that I could confirm.")),),
    ("general", "quirky"): (
        Talk(("I'm botpsy, an assistant that runs on your own machine.", "My name is botpsy."),
             r"\byour name\b|who are you"),
        Talk(("Fine, thank you. What can I do for you?", "All is well here. How can I help?"),
             r"^how are you|how('s| is) (it going|your day)|how about you"),
        Talk(("Hello! What can I do for you?", "Hi, how can I help?", "Nice to meet you too."),
             r"nice to meet you|^(hello|hi|hey)$|^good (morning|evening|afternoon)$"),
        Talk(("I'm software, so I have no age to speak of.", "I have no birthday; I'm a program."),
             r"your age|how old are you"),
    ),
}  # fmt: skip
