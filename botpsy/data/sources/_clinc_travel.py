"""CLINC150's cars, ways and travel, as tools."""

from __future__ import annotations

from botpsy.data.sources._clinc_tools import HOW, asking, given, needed, tool

_WHERE = r"([a-z]+(?: [a-z]+)?)"
_COUNTRY = needed("Country or city", rf"\b(?:to|in|for|visit|visiting|of) {_WHERE}$")
_LEADING = needed(
    "Country or city",
    rf"(?:^do(?:es)? |\bin |\bto |\bvisit ){_WHERE}(?= use| have| require| take|$)",
)
_GOAL = needed("Where to", rf"\b(?:to|get to) (?:the |my )?{_WHERE}$")

# --- cars and ways --------------------------------------------------------------------------------

tool(
    "current_location",
    "where_am_i",
    "Tell the user's present position.",
    "address: {place}; city: {city}",
    "You are at {place}, {city}.",
    "This is {place} in {city}.",
)
tool(
    "oil_change_when",
    "next_oil_change",
    "Tell when the car's oil must be changed next.",
    "due: {month}; miles_left: {points}",
    "In {month}, or in {points} miles.",
    "It is due in {month} or after {points} more miles.",
)
tool(
    "oil_change_how",
    "oil_change_guide",
    "Explain how the oil of a car is changed.",
    "steps: [drain the oil, change the filter, fill in new oil, check the level]; takes: {minutes}",
    "Drain the old oil, change the filter, fill in new oil and check the level: about {minutes}.",
    "Four steps: drain, new filter, fill, check the level. Allow {minutes}.",
    never=r"type|kind|which oil|where|shop|need any|tools",
)
tool(
    "uber",
    "book_ride",
    "Book a car with a driver.",
    "status: booked; driver: {person}; arrives_in: {few} minutes",
    "{person} picks you up in {few} minutes.",
    "Booked: {person} will be there in {few} minutes.",
    never=r"\d|people|two|three|four|five|six|passenger|when|hour|schedule",
    destination=needed("Where to", rf"\bto (?:the |my )?{_WHERE}$"),
)
tool(
    "traffic",
    "road_traffic",
    "Tell how busy the roads are on the way to a place.",
    "traffic: {busy}; delay: {few} minutes",
    "The roads are {busy}, {few} minutes of delay.",
    "It is {busy}: {few} minutes more than usual.",
    destination=given(
        "Where to", rf"(?:way to|to get to|route to|going to|headed to) (?:the |my )?{_WHERE}$"
    ),
)
tool(
    "tire_pressure",
    "read_tire_pressure",
    "Tell the pressure of the car's tires.",
    "front: {psi} psi; rear: {psi2} psi",
    "Front {psi} psi, rear {psi2} psi.",
    "{psi} psi in front and {psi2} psi in the rear.",
)
tool(
    "schedule_maintenance",
    "book_car_service",
    "Book a service for the car at a garage.",
    "status: booked; on: {date}; at: {time}",
    "Booked for {date} at {time}.",
    "The garage expects you on {date}, {time}.",
    never=HOW + "|find|why",
)
tool(
    "gas",
    "fuel_level",
    "Tell how much fuel is left in the car.",
    "level: {many}%; range: {points} miles",
    "The tank is at {many}%.",
    "{many}% are left.",
    never=r"enough|get (me )?to|takes?\b|need|price|to get",
)
tool(
    "mpg",
    "fuel_economy",
    "Tell how far the car goes with a gallon.",
    "city: {town_mpg} mpg; highway: {road_mpg} mpg",
    "{town_mpg} mpg in the city, {road_mpg} on the highway.",
    "In the city {town_mpg}, on the highway {road_mpg} miles a gallon.",
)
tool(
    "distance",
    "travel_time",
    "Tell how long the way to a place takes.",
    "distance: {miles}; time: {minutes}",
    "{minutes} for {miles}.",
    "It takes {minutes} ({miles}).",
    never=r"\bbus\b|from|closest|nearest|how far|where",
    destination=_GOAL,
)
tool(
    "directions",
    "route_by_bus",
    "Tell how to get to a place by bus.",
    "line: {few}; stop: {place}; time: {minutes}",
    "Take bus {few} from {place}; it takes {minutes}.",
    "Bus {few} from {place}, {minutes}.",
    never=r"from|closest|nearest|where",
    destination=needed("Where to", rf"\bto (?:the |my )?{_WHERE} by bus$"),
)
tool(
    "gas_type",
    "right_fuel",
    "Tell which fuel the car needs.",
    "fuel: regular, 87 octane",
    "Regular, 87 octane.",
    "It needs regular gas with 87 octane.",
)
tool(
    "tire_change",
    "tire_change_due",
    "Tell when the tires should be changed.",
    "due: {month}; tread: {few} mm",
    "In {month}; the tread is {few} mm.",
    "They are due in {month}, with {few} mm of tread left.",
    never=HOW,
)
tool(
    "jump_start",
    "jump_start_guide",
    "Explain how a car with a flat battery is started.",
    "steps: [red clamps to both plus poles, black ones to minus and bare metal, start their car, "
    "then yours]",
    "Red clamps to both plus poles, black ones to minus and metal; start their car, then yours.",
    "Connect red to red, black to minus and bare metal, run the other car, then start yours.",
    never=r"need someone|who",
)
tool(
    "last_maintenance",
    "last_car_service",
    "Tell when the car was serviced last.",
    "date: {date}; work: brakes and filters",
    "On {date}: brakes and filters.",
    "The last service was on {date}.",
)

# --- travel ---------------------------------------------------------------------------------------

tool(
    "plug_type",
    "socket_type",
    "Tell which sockets a country has and whether an adapter is needed.",
    "type: {plug}; adapter_needed: true",
    "Type {plug}, so you need an adapter.",
    "They use type {plug}; take an adapter.",
    country=_LEADING,
)
tool(
    "travel_notification",
    "tell_bank_of_trip",
    "Let the bank know of a journey.",
    "status: noted; country: {country}",
    "The bank knows of your trip to {country}.",
    "Noted: you will be in {country}.",
    never=r"\d|from|next|january|february|march|april|may|june|july",
    country=_COUNTRY,
)
tool(
    "translate",
    "translate_phrase",
    "Say a word or phrase in another language.",
    "translation: ready; spoken: true",
    "I'm saying it in {language} now.",
    "Here it is in {language}, spoken aloud.",
    text=needed(
        "What to translate",
        r"(?:how (?:do|would|can) (?:i|you|they|we) say|translate) ([a-z]+(?: [a-z]+){0,3}?)"
        r" (?:in|into|to) [a-z]+$",
    ),
    language=needed(
        "Into which language",
        r"\b(?:in|into|to) (spanish|french|german|italian|japanese|chinese|"
        r"korean|russian|portuguese|arabic|hindi|greek|english)$",
    ),
)
tool(
    "flight_status",
    "track_flight",
    "Tell whether a flight is on time.",
    "status: on time; departs: {time}; gate: {few}",
    "On time: {time} from gate {few}.",
    "It leaves at {time} from gate {few}, on time.",
    flight=needed("Flight number", r"\b(?:flight )?([a-z]{2}\d{2,4})\b"),
    question=asking(
        "flight",
        "What is the flight number?",
        r"^[a-z' ]*(my|the|this) flight[a-z' ]*$",
        "DL214",
        "BA98",
        "It is UA1432.",
    ),
)
tool(
    "international_visa",
    "visa_rules",
    "Tell whether a visa is needed for a country.",
    "visa: {visa}; stay: up to {many} days",
    "A visa is {visa} for up to {many} days.",
    "For up to {many} days a visa is {visa}.",
    country=_LEADING,
)
tool(
    "timezone",
    "find_time_zone",
    "Tell in which time zone a place is.",
    "offset: UTC+{few}",
    "It is UTC+{few}.",
    "UTC+{few}.",
    place=needed("Place", rf"(?:time ?zone (?:is|for|of|in)|in|for) (?:is )?{_WHERE}(?= in$|$)"),
)
tool(
    "exchange_rate",
    "currency_rate",
    "Tell what one currency is worth in another.",
    "rate: 1.{many}",
    "The rate is 1.{many}.",
    "One is worth 1.{many}.",
    never=r"\d|how many|how much",
    source=needed(
        "From",
        r"\b(usd|dollars?|euros?|pounds?|yen|pesos?|rubles?|us dollars)\b(?= (?:to|and|vs|in"
        r"|into))",
    ),
    target=needed(
        "Into",
        r"(?:to|and|vs|in|into) (?:the )?(usd|dollars?|euros?|pounds?|yen|pesos?|rubles?|"
        r"canadian dollars|us dollars)\b",
    ),
)
tool(
    "travel_suggestion",
    "things_to_do",
    "Suggest what to see and do in a place.",
    "ideas: [the old harbor, the market hall, a boat tour]",
    "See the old harbor and the market hall, and take a boat tour.",
    "The old harbor, the market hall and a boat tour are worth it.",
    place=needed("Place", rf"\b(?:do|see|there|things|fun) (?:to do )?(?:is )?(?:in|at) {_WHERE}$"),
)
tool(
    "travel_alert",
    "safety_alerts",
    "Tell warnings for travelers to a country.",
    "level: low; advice: usual care",
    "The level is low: take the usual care.",
    "Only the usual care is advised.",
    country=_COUNTRY,
)
tool(
    "vaccines",
    "required_shots",
    "Tell which vaccinations a journey needs.",
    "required: none; advised: [hepatitis A, tetanus]",
    "None is required; hepatitis A and tetanus are advised.",
    "Hepatitis A and tetanus are advised.",
    country=_COUNTRY,
)
tool(
    "lost_luggage",
    "find_luggage",
    "Look for luggage that has not arrived.",
    "status: found in {city}; delivery: {date}",
    "It is in {city} and will be delivered on {date}.",
    "Found in {city}; you get it on {date}.",
    never=r"^(who|where do i|how do i go|what do i)|report|\bfrom\b|airlines",
)
tool(
    "book_flight",
    "find_flight",
    "Search flights between two towns.",
    "flight: {code}; departs: {time}; price: {sum}",
    "{code} at {time} for {sum}.",
    "There is {code}, leaving at {time}, for {sum}.",
    never=r"\d|return|round|under|cheap|leaving|on [a-z]+ |delta|january|february|march|april"
    r"|may|june",
    origin=needed("From", rf"\b(?:from|out of) {_WHERE}(?= to )"),
    destination=needed("To", rf" to {_WHERE}$"),
)
tool(
    "book_hotel",
    "find_hotel",
    "Search a hotel in a town.",
    "hotel: {diner}; rating: {rating}; night: {money}",
    "{diner}: {rating} stars, {money} a night.",
    "I found {diner}, {money} a night.",
    never=r"\d|from|near|people|until|under",
    city=needed("Town", rf"\bin {_WHERE}$"),
)
tool(
    "carry_on",
    "hand_luggage_rules",
    "Tell what may be taken into the cabin of a plane.",
    "bags: 1; weight: {few} kg; size: 22 x 14 x 9 inches",
    "One bag of at most {few} kg, 22 x 14 x 9 inches.",
    "One bag, up to {few} kg.",
    airline=given(
        "Airline", r"\b(delta|american airlines|southwest|spirit|united|jetblue|frontier)\b"
    ),
)
tool(
    "car_rental",
    "rent_car",
    "Find a car to rent in a town.",
    "car: compact; price: {money} a day; company: {shop}",
    "A compact for {money} a day.",
    "{shop} has a compact for {money} a day.",
    never=r"\d|from|between|seats|until|for [a-z]+ to",
    city=needed("Town", rf"\bin {_WHERE}$"),
)
