"""CLINC150's small helpers and the assistant's own settings, as tools."""

from __future__ import annotations

from botpsy.data.sources._clinc_tools import HOW, asking, given, needed, tool

_CLOCK = r"\b(\d{1,2}(?::\d\d)? ?[ap]\.?m\.?|noon|midnight)(?!\w)"
_LENGTH = (
    r"\b((?:\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|"
    r"forty five|sixty|ninety|half an) (?:second|minute|hour)s?)\b"
)

# --- small helpers --------------------------------------------------------------------------------

tool(
    "weather",
    "weather_report",
    "Tell the weather.",
    "sky: {sky}; temperature: {degrees} F",
    "It is {sky}, {degrees} °F.",
    "{degrees} °F and {sky}.",
    never=r"rain|snow|low|high|week|hour|next|will",
    place=given("Place", r"\b(?:in|for) ([a-z]+(?: [a-z]+)?)$"),
)
tool(
    "alarm",
    "alarm_clock",
    "Set the alarm clock.",
    "status: set; rings: {ring_at}",
    "The alarm is set for {ring_at}.",
    "It will ring at {ring_at}.",
    never=r" and .*\d|every|tomorrow|day\b|vibrate|cancel|delete",
    ring_at=needed("When it rings", _CLOCK),
    question=asking(
        "ring_at",
        "What time should it ring?",
        r"^(please |can you |could you |i need you to |i need to |i want to |i'd like you to )?"
        r"(make|set|create|have)( up)? an alarm( set| for me| please| now)*$",
        "6:30 am",
        "at 7 am",
        "8:15 am",
        "Make it 5:45 am.",
    ),
)
tool(
    "date",
    "date_today",
    "Tell what day it is.",
    "date: {weekday}, {date}",
    "It is {weekday}, {date}.",
    "Today is {weekday}, {date}.",
    never=r"tomorrow|yesterday|from now|\d|next|christmas",
)
tool(
    "find_phone",
    "ring_phone",
    "Let a lost phone ring and say where it is.",
    "status: ringing; place: {place}",
    "It is ringing, near {place}.",
    "Your phone is at {place}; I let it ring.",
    never=r"who has|how",
)
tool(
    "share_location",
    "send_my_location",
    "Send somebody the user's position.",
    "status: sent; to: {who}",
    "{who} knows where you are.",
    "Sent to {who}.",
    who=needed("Who gets it", r"(?:with|to) ([a-z]+)(?: please)?$"),
)
tool(
    "timer",
    "countdown",
    "Start a countdown.",
    "status: running; length: {length}",
    "The timer runs: {length}.",
    "{length}, starting now.",
    length=needed("How long", _LENGTH),
    question=asking(
        "length",
        "For how long?",
        r"^(please |can you |could you |i need you to |i need to |i want to )?"
        r"(make up|make|set|create|start|set up|get)( up)? (a|the) timer( for me| please| now)*$",
        "10 minutes",
        "half an hour",
        "25 minutes",
        "two hours",
    ),
)
tool(
    "make_call",
    "phone_somebody",
    "Call somebody on the phone.",
    "status: calling; name: {who}",
    "Calling {who}.",
    "I'm calling {who} now.",
    who=needed(
        "Who to call",
        r"^(?:please |can you |could you |would you |i need you to |i need to |i want to )?"
        r"(?:call|phone|dial|place (?:a )?call to|make a call to) (?:my )?([a-z]+)"
        r"(?= for me| please| right now| now|$)",
    ),
)
tool(
    "calculator",
    "do_arithmetic",
    "Work out a sum.",
    "status: done; shown: on screen",
    "The result is on your screen.",
    "It's done; see the screen.",
    never=r".",
)
tool(
    "definition",
    "dictionary",
    "Tell what a word means.",
    "entries: {few}; shown: on screen",
    "I found {few} meanings of “{word}”; they are on the screen.",
    "“{word}” has {few} entries, shown on the screen.",
    word=needed(
        "The word",
        r"(?:what does|meaning (?:of|for)|definition (?:of|for)|define|mean(?:s)? by) (?:the )?"
        r"(?:word )?\"?([a-z]+)\"?(?= mean| for me| please|$)",
    ),
)
tool(
    "measurement_conversion",
    "convert_units",
    "Convert an amount from one unit to another.",
    "factor: {rating}",
    "One {source} is {rating} {target}.",
    "Multiply {source} by {rating} to get {target}.",
    never=r".",
    source=needed("From", r"(inches|feet)"),
    target=needed("To", r"(inches|feet)"),
)
tool(
    "flip_coin",
    "toss_coin",
    "Toss a coin.",
    "coin: {coin}",
    "It is {coin}.",
    "{coin}!",
    never=r"i (call|take|pick|choose|will)|you call",
)
tool(
    "spelling",
    "spell_word",
    "Say how a word is spelled.",
    "letters: {word_letters}",
    "It is spelled {word_letters}.",
    "{word}: {word_letters}.",
    word=needed(
        "The word",
        r"(?:spell|spelling (?:of|for)) (?:the )?(?:word )?\"?([a-z]+)\"?(?= for me| please|$)",
    ),
)
tool(
    "time",
    "clock_time",
    "Tell what time it is, here or elsewhere.",
    "time: {time}",
    "It is {time}.",
    "{time}.",
    place=given("Place, if not here", r"\bin (?!the\b)([a-z]+(?: [a-z]+)?)(?: right now| now)?$"),
)
tool(
    "roll_dice",
    "throw_die",
    "Throw a die with six sides.",
    "die: {die}",
    "It's a {die}.",
    "The die shows {die}.",
    never=r"\d|five|ten|eight|two|sided|twelve|three|four",
)
tool(
    "text",
    "text_somebody",
    "Send somebody a text message.",
    "status: sent; to: {who}",
    "Sent to {who}.",
    "{who} gets your message.",
    never=r".",
    who=needed("To whom", r"^text ([a-z]+)"),
)

# --- the assistant's own settings -----------------------------------------------------------------

tool(
    "change_speed",
    "speaking_speed",
    "Make the voice speak faster or slower.",
    "status: changed; speed: {speed}",
    "I speak {speed} now.",
    "Done: {speed}.",
    never=r"where|instructions|settings|is there",
    speed=needed("faster or slower", r"\b(faster|slower)\b"),
)
tool(
    "user_name",
    "saved_user_name",
    "Tell the name that is saved for the user.",
    "name: {person}",
    "You are saved as {person}.",
    "I call you {person}.",
    never=r"would you like|change",
)
tool(
    "whisper_mode",
    "whisper",
    "Switch the whispering voice on.",
    "whisper: on",
    "I'm whispering now.",
    "Whisper mode is on.",
    never=r"off|out of|stop|end|no longer|normal",
)
tool(
    "change_volume",
    "speaker_volume",
    "Set the volume of the speaker.",
    "volume: {level}",
    "The volume is {level} now.",
    "Set to {level}.",
    never=r"up|down|louder|decrease|increase|lower|max",
    level=needed("A number", r"\bto (\d{1,2})\b"),
)
tool(
    "change_language",
    "interface_language",
    "Change the language that is spoken.",
    "language: {language}",
    "The language is {language} now.",
    "Done: {language}.",
    never=r"can you (understand|speak)|if i|do you",
    language=needed(
        "Which language",
        r"\b(english|spanish|french|german|italian|chinese|japanese|korean|russian|"
        r"portuguese|arabic|hindi)\b",
    ),
)
tool(
    "change_accent",
    "voice_accent",
    "Give the voice another accent, or make it male or female.",
    "voice: {voice}",
    "The voice is {voice} now.",
    "Changed to {voice}.",
    never=r"only",
    voice=needed(
        "Which voice",
        r"\b(british male|male british|british female|british|male|female|american|australian)\b",
    ),
)
tool(
    "sync_device",
    "pair_phone",
    "Connect with the user's phone.",
    "status: connected",
    "Your phone is connected.",
    "Connected to your phone.",
    never=r"\b(un|dis|de)|don't|off|stop|no longer|from|end",
)
tool(
    "change_user_name",
    "rename_user",
    "Call the user by another name.",
    "name: {new_name}",
    "I'll call you {new_name}.",
    "From now on you are {new_name}.",
    new_name=needed(
        "The new name",
        r"(?:call me|name is|refer to me as|to me as|i am|i'm|calls? me|name to) ([a-z]+)$",
    ),
    question=asking(
        "new_name",
        "What should I call you?",
        r"^[a-z' ]*\b(something else|different name|another name|change my name)( please)?$",
        "Kora",
        "Idris",
        "Call me Sam.",
    ),
)
tool(
    "change_ai_name",
    "rename_assistant",
    "Give the assistant another name.",
    "name: {new_name}",
    "You can call me {new_name} now.",
    "My name is {new_name} from now on.",
    new_name=needed(
        "The new name",
        r"(?:call you|your name (?:to|is)|name is|to the name|name you) (?:now )?([a-z]+)$",
    ),
    question=asking(
        "new_name",
        "What should my name be?",
        r"^[a-z' ]*\b(change your name|different name for you|give you a (new"
        r"|different) name)( please)?$",
        "Juno",
        "Pip",
        "Call yourself Max.",
    ),
)
tool(
    "reset_settings",
    "factory_reset",
    "Put all settings back to how they were at first.",
    "status: reset",
    "All settings are as they were at first.",
    "Done, the settings are reset.",
    never=HOW,
)
