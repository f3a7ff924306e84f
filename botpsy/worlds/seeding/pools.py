"""Things that happen, are written and are kept, for families and backgrounds alike.

Draw from these with ``Scene.pick``, so that nothing comes twice in one world.
"""

from __future__ import annotations

APPOINTMENTS = (
    "dentist", "haircut", "eye test", "physiotherapy", "vaccination", "car inspection", "vet",
    "bank appointment", "passport office", "driving lesson", "piano lesson", "massage",
    "blood test", "parents' evening", "flat viewing", "boiler service", "optician", "tax adviser",
)  # fmt: skip
MEETINGS = (
    "budget review", "team meeting", "design review", "standup", "sales call", "project kickoff",
    "job interview", "planning session", "board meeting", "retrospective", "supplier call",
    "training course", "performance review", "product demo", "press briefing", "workshop",
)  # fmt: skip
LEISURE = (
    "yoga", "choir practice", "book club", "football training", "swimming", "chess club",
    "pottery class", "film night", "board games", "climbing", "theatre", "concert", "picnic",
    "Spanish class", "salsa lesson", "museum visit", "birthday party", "barbecue", "hike",
)  # fmt: skip
CHORES = (
    "water the plants", "take out the bins", "pay the rent", "call the plumber", "feed the cat",
    "renew the library books", "pick up the parcel", "order printer ink", "send the tax form",
    "cancel the gym membership", "buy train tickets", "defrost the freezer", "charge the camera",
    "return the drill", "back up the laptop", "book the ferry", "sign the lease",
    "collect the dry cleaning", "descale the kettle", "check the tyre pressure",
)  # fmt: skip
COOKING = ("pasta", "rice", "eggs", "bread", "lasagne", "tea", "pizza", "cake", "potatoes", "stew")
PLACES = (
    "room 4", "the library", "Café Luna", "the town hall", "Studio 12", "the sports hall",
    "Harbour Street 9", "meeting room B", "the clinic", "online", "the community centre", "gate 2",
)  # fmt: skip
GROCERIES = (
    "milk", "oat milk", "eggs", "butter", "rye bread", "olive oil", "tomatoes", "coffee beans",
    "apples", "spinach", "rice", "toothpaste", "batteries", "onions", "yoghurt", "lentils",
    "dishwasher tabs", "bananas", "flour", "honey", "green tea", "cheddar", "lemons", "carrots",
)  # fmt: skip
PACKING = ("passport", "sunscreen", "phone charger", "rain jacket", "toothbrush", "swimsuit",
           "power adapter", "first aid kit", "sleeping bag", "headlamp", "sandals")  # fmt: skip
LISTS = ("Groceries", "Packing", "To do", "Gift ideas", "Films to watch", "Repairs")

# subject, text; {name} is the sender's first name, {me} the user's.
MAILS: tuple[tuple[str, str], ...] = (
    ("Photos from Saturday",
     "Hi {me},\n\nthe photos are in the shared album now. Pick your favourites and I'll print "
     "them.\n\n{name}"),
    ("Keys",
     "Hello {me},\n\nI left your spare keys with the neighbour on the second floor.\n\n{name}"),
    ("Minutes of the last meeting",
     "Dear {me},\n\nplease find the minutes below: we agreed on the new colours and postponed the "
     "move to spring.\n\nRegards\n{name}"),
    ("Allotment rota",
     "Hi {me},\n\nyou are down for watering in the second week. Tell me if that doesn't suit."
     "\n\n{name}"),
    ("Recipe you asked for",
     "Hi {me},\n\nthe trick is to roast the peppers first. 40 minutes at 200 degrees, then peel."
     "\n\nEnjoy!\n{name}"),
    ("Carpool",
     "Hello {me},\n\nI can take two more people from the station at a quarter to eight.\n\n{name}"),
    ("Your library reservation",
     "Dear {me},\n\nthe book you reserved has arrived and is kept for you for ten days.\n\n{name}"),
    ("Broken printer",
     "Hi {me},\n\nthe printer on the third floor eats paper again. Use the one by the lift."
     "\n\n{name}"),
    ("Summer party",
     "Hi all,\n\nwho can bring a salad, and who has a long table?\n\n{name}"),
    ("Draft of the flyer",
     "Hi {me},\n\nwhat do you think of the blue version? The printer needs it soon.\n\n{name}"),
)  # fmt: skip
MESSAGES = (
    "Running five minutes late, sorry", "Did you get my mail?", "Thanks again for last night!",
    "Can you lend me your ladder?", "We're out of coffee", "Just landed", "Good luck today!",
    "Which platform was it?", "I'll bring dessert", "Call me when you can", "The match is off",
    "Left the umbrella at your place", "Happy to help", "See you there",
)  # fmt: skip
NOTES: tuple[tuple[str, str], ...] = (
    ("Wifi for guests", "Network: Lighthouse\nPassword is on the fridge."),
    ("Bike", "Frame number 7H-2201. Tyres 37-622, 4 bar."),
    ("Paint colours", "Hall: chalk 03. Kitchen: sage 17. Keep the leftover tins."),
    ("Book tips", "The Winter Harbour\nA Short History of Salt"),
    ("Coffee grinder", "Setting 14 for filter, 6 for espresso."),
    ("Plant care", "Fern: twice a week. Cactus: once a month. Orchid: soak, never pour."),
    ("Guitar tuning", "Drop D for the first two songs, then standard."),
    ("Boiler", "Pressure should be between 1 and 2 bar. Valve is under the sink."),
)  # fmt: skip
FILES: tuple[tuple[str, str], ...] = (
    ("Documents/Flat/lease-summary.txt", "Lease runs for two years. Notice period: three months."),
    ("Documents/Flat/inventory.txt", "Sofa, table, four chairs, two lamps."),
    ("Documents/Work/travel-policy.txt", "Second class for trips under four hours."),
    ("Documents/Work/onboarding.md", "Badge from reception, laptop from IT, keys from facilities."),
    ("Documents/Recipes/bread.md", "500 g flour, 350 ml water, 10 g salt, a little yeast."),
    ("Documents/Recipes/soup.md", "Lentils, carrots, cumin. Simmer for half an hour."),
    ("Documents/garden-plan.txt", "Beans along the fence, potatoes in the back bed."),
    ("Documents/car-insurance.txt", "Policy KX-4410, renewal in autumn."),
    ("Documents/choir-songs.txt", "Evening Rise\nThe Ferryman\nWinter Song"),
)  # fmt: skip
