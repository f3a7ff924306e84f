"""CLINC150's kitchen, dining and home, as tools."""

from __future__ import annotations

from botpsy.data.sources._clinc_tools import HOW, Parameter, asking, given, needed, tool

_A = r"(?:a |an |the |some |my )?"
_DISH = r"([a-z]+(?: [a-z]+){0,2})"


def _food(pattern: str) -> Parameter:
    return needed("Food or dish", pattern)


_PLACE = (
    r"\b(?:does|do|at|for|of|is|about|from) ((?!the\b|they\b|this\b|that\b|there\b|a\b|an\b|my\b|"
    r"dinner|lunch|breakfast|reviews|tonight|\w+ people|\w+day\b|it\b|you\b|i\b|any|good)"
    r"[a-z'&-]+(?: [a-z'&-]+){0,2}?)"
    r"(?= (?:take|have|accept|do|busy|get|allow|reservations|full|packed|right now|for|at"
    r"|around)\b|$)"
)
_RESTAURANT = needed("Name of the restaurant", _PLACE)
_MAYBE = given("Name of the restaurant", _PLACE)

# --- kitchen and dining ---------------------------------------------------------------------------

tool(
    "food_last",
    "food_shelf_life",
    "Tell how long a food keeps.",
    "fridge: {few} days; freezer: {few2} months",
    "About {few} days in the fridge and {few2} months in the freezer.",
    "In the fridge {few} days, frozen {few2} months.",
    food=_food(
        rf"(?:can i (?:keep|leave)|(?:will|does|do|is|are) (?:my |the |an? )?) ?{_DISH}?"
        r"(?= (?:last|stay|be good|keep|in the)\b)"
    ),
)
tool(
    "confirm_reservation",
    "check_reservation",
    "Check that a table is reserved.",
    "reserved: true; time: {time}; people: {few}",
    "Yes, a table for {few} is reserved at {time}.",
    "It is confirmed: {time}, {few} people.",
    restaurant=_RESTAURANT,
)
tool(
    "how_busy",
    "restaurant_crowd",
    "Tell how full a restaurant is and how long the wait is.",
    "now: {busy}; wait: {minutes}",
    "It is {busy}, the wait is {minutes}.",
    "Right now {busy}; expect {minutes}.",
    restaurant=_RESTAURANT,
    time=given("When", r"\b(\d{1,2}(?::\d\d)? ?[ap]m)\b"),
)
tool(
    "ingredients_list",
    "list_ingredients",
    "List what goes into a dish.",
    "ingredients: {days}; list: recipes.example/{code}",
    "You need {days} things; the list is at recipes.example/{code}.",
    "There are {days} ingredients, listed at recipes.example/{code}.",
    dish=_food(
        rf"(?:ingredients (?:are |do i need )?(?:in|for|to make)|put in|goes (?:in|into)|"
        rf"to make|do i need for) {_A}{_DISH}$"
    ),
)
tool(
    "calories",
    "count_calories",
    "Tell how many calories a food has.",
    "calories: {score}; portion: 1 serving",
    "About {score} calories in a serving.",
    "One serving has {score} calories.",
    food=_food(
        rf"calor(?:ies|ie count|ie content|ic) (?:are |are there |content )?(?:in|does|do|of"
        rf"|for) (?:one |a serving of )?{_A}{_DISH}(?= have| contain|$)"
    ),
)
tool(
    "nutrition_info",
    "nutrition_facts",
    "Tell the nutrients of a food, and whether it is healthy.",
    "protein: {few} g; fat: {few2} g; sugar: {few3} g",
    "Per serving: {few} g protein, {few2} g fat, {few3} g sugar.",
    "It has {few} g of protein, {few2} g of fat and {few3} g of sugar a serving.",
    food=_food(
        rf"(?:(?:nutrition(?:al)? (?:info|information|facts|data|value) (?:for|of|on|in)|"
        rf"facts for|^(?:is|are)) {_A}{_DISH}?)(?= healthy| good for| bad for|$)"
    ),
)
tool(
    "recipe",
    "find_recipe",
    "Find a recipe for a dish.",
    "minutes: {many}; link: recipes.example/{code}",
    "Here is one: recipes.example/{code}. It takes {many} minutes.",
    "I found a recipe that takes {many} minutes: recipes.example/{code}",
    dish=_food(
        rf"(?:recipe for|how (?:do (?:i|you)|to|can i|would i) (?:make|cook|prepare)|"
        rf"to make|making) {_A}{_DISH}$"
    ),
)
tool(
    "restaurant_reviews",
    "read_reviews",
    "Tell what guests say of a restaurant.",
    "rating: {rating} of 5; reviews: {many}; often_said: friendly service",
    "{rating} of 5 in {many} reviews; many praise the friendly service.",
    "It has {rating} stars from {many} guests.",
    restaurant=_RESTAURANT,
)
tool(
    "restaurant_reservation",
    "reserve_restaurant_table",
    "Reserve a table at a restaurant.",
    "status: reserved; code: {code}",
    "Reserved, the code is {code}.",
    "Your table is booked ({code}).",
    never=HOW + "|under|name|tonight|tomorrow|today",
    restaurant=_RESTAURANT,
    people=needed(
        "How many people",
        r"\b(?:for|of) (\d{1,2}|two|three|four|five|six|seven|eight)"
        r"(?: people| persons)?\b(?! ?[ap]m|:)",
    ),
    time=needed("When", r"\b(?:at|for) (\d{1,2}(?::\d\d)? ?[ap]m)\b"),
)
tool(
    "meal_suggestion",
    "suggest_meal",
    "Suggest something to eat.",
    "meal: {dish}",
    "How about {dish}?",
    "I suggest {dish}.",
    cuisine=given(
        "Kind of kitchen",
        r"\b(thai|italian|mexican|chinese|indian|french|japanese|korean|british|german|"
        r"vietnamese|greek|spanish|american)\b",
    ),
)
tool(
    "restaurant_suggestion",
    "suggest_restaurant",
    "Recommend a restaurant in the neighborhood.",
    "restaurant: {diner}; rating: {rating}; distance: {miles}",
    "Try {diner}: {rating} stars, {miles} away.",
    "{diner} is well liked ({rating} stars).",
    cuisine=given(
        "Kind of food",
        r"\b(thai|italian|mexican|chinese|indian|french|japanese|korean|sushi|bbq|pizza|"
        r"vietnamese|greek|seafood|burgers?)\b",
    ),
)
tool(
    "cancel_reservation",
    "drop_reservation",
    "Cancel a reserved table.",
    "status: cancelled; reference: {code}",
    "Cancelled ({code}).",
    "The table is given back, {code}.",
    never=HOW + "|tonight|tomorrow|today",
    restaurant=_MAYBE,
)
tool(
    "ingredient_substitution",
    "swap_ingredient",
    "Tell whether one ingredient can stand in for another.",
    "match: {fit}; amount: the same",
    "It is {fit}; take the same amount.",
    "{wanted} is {fit} for {instead_of}, in the same amount.",
    wanted=needed(
        "What should be used",
        r"(?:can i use|could i use|use|substitute) ([a-z]+(?: [a-z]+)?)"
        r"(?= instead of| for| in place of)",
    ),
    instead_of=needed("What it replaces", r"(?:instead of|in place of|for) ([a-z]+(?: [a-z]+)?)$"),
)
tool(
    "cook_time",
    "cooking_time",
    "Tell how long a dish or food must cook.",
    "time: {minutes}",
    "About {minutes}.",
    "It takes {minutes}.",
    food=_food(
        rf"(?:how long (?:do i|should i|to|does it take to|do you) (?:cook|bake|boil|roast|"
        rf"fry)|time for|length for) {_A}{_DISH}$"
    ),
)
tool(
    "accept_reservations",
    "takes_reservations",
    "Tell whether a restaurant can be reserved at all.",
    "takes_reservations: true; up_to: {few} people",
    "Yes, for up to {few} people.",
    "They do, for as many as {few}.",
    restaurant=_RESTAURANT,
)

# --- home -----------------------------------------------------------------------------------------

_THING = r"([a-z]+(?: [a-z]+){0,2})"

tool(
    "what_song",
    "name_that_song",
    "Tell which song can be heard.",
    "song: {song}",
    "It is {song}.",
    "This is {song}.",
)
tool(
    "play_music",
    "start_music",
    "Play music of a kind, an artist or a playlist.",
    "playing: {song}",
    "Playing {song}.",
    "Here is {song}.",
    playlist=needed("Name of the playlist", r"\bmy ([a-z0-9 ]+?) playlist\b"),
)
tool(
    "todo_list_update",
    "change_todo_list",
    "Put a task on the to-do list.",
    "added: {task}",
    "On the to-do list: {task}.",
    "Added: {task}.",
    never=r"remove|delete|take|erase|cross|off|clear|no longer|done|finished",
    task=needed(
        "The task",
        r"(?:^|please |you |to )(?:add|put|include) ([a-z]+(?: [a-z]+){0,4}) (?:to|on|in) my "
        r"(?:to ?-?do|task)",
    ),
)
tool(
    "reminder",
    "read_reminders",
    "Read out the reminders that are set.",
    "reminders: [{chore}, {chore2}]",
    "There are two: {chore}, and {chore2}.",
    "You wanted to be reminded to {chore} and to {chore2}.",
    never=r"\bis\b|\bdid\b|check|for\b",
)
tool(
    "reminder_update",
    "new_reminder",
    "Set a reminder of something.",
    "status: set; text: {text}",
    "I'll remind you: {text}.",
    "The reminder is set: {text}.",
    never=r"\d|tomorrow|today|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next|"
    r"later|when|week|month|morning",
    text=needed(
        "What to be reminded of", r"remind(?:er)?(?: me)? (?:to|about) ([a-z]+(?: [a-z']+){1,5})$"
    ),
    question=asking(
        "text",
        "What should I remind you of?",
        r"^(please )?(can|could|will|i need|i want|set|make|create|add|put)[a-z ]*"
        r"\ba (new )?reminder( (up|please|for me|to be set))*$",
        "water the plants",
        "return the books",
        "call the plumber",
    ),
)
tool(
    "calendar_update",
    "add_to_calendar",
    "Put something into the calendar.",
    "status: added; entry: {what}; on: {day}",
    "{what} is in the calendar for {day}.",
    "Added: {what}, {day}.",
    never=r"remove|clear|delete|get rid|no longer|cancel|take",
    what=needed(
        "What it is", r"(?:add|schedule|put) ([a-z]+(?: [a-z']+){0,3}) (?:to|on|in) my calendar"
    ),
    day=needed(
        "Which day",
        r"calendar (?:on|for) ((?:january|february|march|april|may|june|july|august|"
        r"september|october|november|december) \d{1,2}(?:st|nd|rd|th)?|[a-z]+day)$",
    ),
)
tool(
    "order_status",
    "track_package",
    "Tell where an order or package is.",
    "status: {track}; arrives: {weekday}",
    "It is {track} and should arrive on {weekday}.",
    "Your order is {track}; expect it on {weekday}.",
)
tool(
    "update_playlist",
    "add_to_playlist",
    "Add the song that is on to a playlist.",
    "added: {song}",
    "{song} is in the playlist.",
    "Added {song}.",
    playlist=needed("Name of the playlist", r"this (?:song )?(?:to|in|on) my ([a-z]+) playlist"),
)
tool(
    "shopping_list",
    "show_shopping_list",
    "Read out the shopping list.",
    "items: [{item}, {item2}, batteries]",
    "It has {item}, {item2} and batteries.",
    "On the list: {item}, {item2}, batteries.",
    never=r"\b(is|are|did|have i|do i|check)\b.*\b(on|in)\b",
)
tool(
    "calendar",
    "show_calendar",
    "Tell what is in the calendar on a day.",
    "events: [{meeting} at {time}]",
    "One thing: {meeting} at {time}.",
    "{meeting} at {time}, that is all.",
    day=needed(
        "Which day",
        r"\b(today|tomorrow|(?:january|february|march|april|may|june|july|august|"
        r"september|october|november|december) \d{1,2}(?:st|nd|rd|th)?|"
        r"(?:next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    ),
    never=r"\bis\b.* on my|does my|do i have [a-z' ]+ on my",
)
tool(
    "next_song",
    "skip_song",
    "Go on to the next song.",
    "playing: {song}",
    "Now {song}.",
    "Next: {song}.",
    never=r"what|which|tell",
)
tool(
    "order",
    "order_goods",
    "Order something from the shop.",
    "status: ordered; order: {code}; arrives: {weekday}",
    "Ordered: {product} (order {code}), arriving {weekday}.",
    "{product} is ordered and comes on {weekday}.",
    never=HOW + "|list|everything|all ",
    product=needed(
        "What to order",
        r"^(?:please |can you |could you |i need you to |i want to |i need to )?(?:order|buy"
        r"|purchase)"
        r"(?: me)?(?: some| a| an| more)* ([a-z]+(?: [a-z]+){0,2}?)(?= for me|$)",
    ),
)
tool(
    "todo_list",
    "read_todo_list",
    "Read out the to-do list.",
    "tasks: [{chore}, {chore2}]",
    "Two things: {chore}, and {chore2}.",
    "You still have to {chore} and {chore2}.",
    never=r"\bis (?!on|there)|how many|look|see if|check (if|whether)",
)
tool(
    "shopping_list_update",
    "add_to_shopping_list",
    "Put something on the shopping list.",
    "added: {product}",
    "{product} is on the shopping list.",
    "Added {product}.",
    never=r"remove|delete|take|off|no longer|carrots removed|check|erase|clear|if not",
    product=needed(
        "What to add",
        r"(?:add|put|include)(?: some| more)? ([a-z]+(?: [a-z]+)?) (?:to|on|onto) "
        r"(?:my|the|our) (?:shopping|grocery) list$",
    ),
)
tool(
    "smart_home",
    "switch_device",
    "Switch a thing at home on or off.",
    "device: {device}; state: switched {state}",
    "The {device} is {state}.",
    "Done, {device} {state}.",
    never=r"temperature|thermostat|\bdim|bright|\block|who|what|volume|down|up\b|degrees|\ball\b",
    device=needed(
        "What to switch",
        r"(?:turn|switch) (?:on |off )?(?:the |my )?((?!on\b|off\b)[a-z]+(?: [a-z]+)?)"
        r"(?= on\b| off\b| please$|$)",
    ),
    state=needed("on or off", r"\b(on|off)\b"),
)
