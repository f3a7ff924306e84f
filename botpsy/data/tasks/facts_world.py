"""Facts of countries, codes and computing, as compact tables."""

from __future__ import annotations

from botpsy.data.tasks.facts_science import rows, words

COUNTRIES = rows("""
Argentina|Buenos Aires|ARS|South America
Australia|Canberra|AUD|Oceania
Austria|Vienna|EUR|Europe
Bangladesh|Dhaka|BDT|Asia
Belgium|Brussels|EUR|Europe
Botswana|Gaborone|BWP|Africa
Brazil|Brasília|BRL|South America
Cambodia|Phnom Penh|KHR|Asia
Canada|Ottawa|CAD|North America
Chile|Santiago|CLP|South America
China|Beijing|CNY|Asia
Colombia|Bogotá|COP|South America
Costa Rica|San José|CRC|North America
Croatia|Zagreb|EUR|Europe
Cuba|Havana|CUP|North America
Czechia|Prague|CZK|Europe
Denmark|Copenhagen|DKK|Europe
Ecuador|Quito|USD|South America
Egypt|Cairo|EGP|Africa
Estonia|Tallinn|EUR|Europe
Ethiopia|Addis Ababa|ETB|Africa
Fiji|Suva|FJD|Oceania
Finland|Helsinki|EUR|Europe
France|Paris|EUR|Europe
Germany|Berlin|EUR|Europe
Ghana|Accra|GHS|Africa
Greece|Athens|EUR|Europe
Guatemala|Guatemala City|GTQ|North America
Hungary|Budapest|HUF|Europe
Iceland|Reykjavik|ISK|Europe
India|New Delhi|INR|Asia
Iran|Tehran|IRR|Asia
Iraq|Baghdad|IQD|Asia
Ireland|Dublin|EUR|Europe
Italy|Rome|EUR|Europe
Jamaica|Kingston|JMD|North America
Japan|Tokyo|JPY|Asia
Jordan|Amman|JOD|Asia
Kenya|Nairobi|KES|Africa
Kuwait|Kuwait City|KWD|Asia
Laos|Vientiane|LAK|Asia
Latvia|Riga|EUR|Europe
Lebanon|Beirut|LBP|Asia
Lithuania|Vilnius|EUR|Europe
Madagascar|Antananarivo|MGA|Africa
Malaysia|Kuala Lumpur|MYR|Asia
Mexico|Mexico City|MXN|North America
Mongolia|Ulaanbaatar|MNT|Asia
Morocco|Rabat|MAD|Africa
Mozambique|Maputo|MZN|Africa
Namibia|Windhoek|NAD|Africa
Nepal|Kathmandu|NPR|Asia
Netherlands|Amsterdam|EUR|Europe
New Zealand|Wellington|NZD|Oceania
Nigeria|Abuja|NGN|Africa
Norway|Oslo|NOK|Europe
Oman|Muscat|OMR|Asia
Pakistan|Islamabad|PKR|Asia
Paraguay|Asunción|PYG|South America
Peru|Lima|PEN|South America
Philippines|Manila|PHP|Asia
Poland|Warsaw|PLN|Europe
Portugal|Lisbon|EUR|Europe
Qatar|Doha|QAR|Asia
Romania|Bucharest|RON|Europe
Rwanda|Kigali|RWF|Africa
Samoa|Apia|WST|Oceania
Saudi Arabia|Riyadh|SAR|Asia
Senegal|Dakar|XOF|Africa
Serbia|Belgrade|RSD|Europe
Slovakia|Bratislava|EUR|Europe
Slovenia|Ljubljana|EUR|Europe
South Korea|Seoul|KRW|Asia
Spain|Madrid|EUR|Europe
Sudan|Khartoum|SDG|Africa
Sweden|Stockholm|SEK|Europe
Switzerland|Bern|CHF|Europe
Thailand|Bangkok|THB|Asia
Tonga|Nukuʻalofa|TOP|Oceania
Tunisia|Tunis|TND|Africa
Uganda|Kampala|UGX|Africa
Ukraine|Kyiv|UAH|Europe
United Kingdom|London|GBP|Europe
Uruguay|Montevideo|UYU|South America
Uzbekistan|Tashkent|UZS|Asia
Venezuela|Caracas|VES|South America
Vietnam|Hanoi|VND|Asia
Zambia|Lusaka|ZMW|Africa
""")
"""Country, capital, ISO 4217 currency, continent."""

STATES = rows("""
Alabama|Montgomery
Alaska|Juneau
Arizona|Phoenix
Arkansas|Little Rock
California|Sacramento
Colorado|Denver
Connecticut|Hartford
Florida|Tallahassee
Georgia|Atlanta
Hawaii|Honolulu
Idaho|Boise
Illinois|Springfield
Indiana|Indianapolis
Iowa|Des Moines
Kansas|Topeka
Kentucky|Frankfort
Louisiana|Baton Rouge
Maine|Augusta
Maryland|Annapolis
Massachusetts|Boston
Michigan|Lansing
Minnesota|Saint Paul
Montana|Helena
Nebraska|Lincoln
Nevada|Carson City
New Mexico|Santa Fe
New York|Albany
Ohio|Columbus
Oregon|Salem
Pennsylvania|Harrisburg
Tennessee|Nashville
Texas|Austin
Utah|Salt Lake City
Vermont|Montpelier
Virginia|Richmond
Washington|Olympia
Wisconsin|Madison
Wyoming|Cheyenne
""")

ZONES = rows("""
Tokyo|Asia/Tokyo
Delhi|Asia/Kolkata
Kathmandu|Asia/Kathmandu
Dubai|Asia/Dubai
Singapore|Asia/Singapore
Berlin|Europe/Berlin
London|Europe/London
Lisbon|Europe/Lisbon
Helsinki|Europe/Helsinki
Nairobi|Africa/Nairobi
Lagos|Africa/Lagos
Johannesburg|Africa/Johannesburg
New York|America/New_York
Chicago|America/Chicago
Los Angeles|America/Los_Angeles
Phoenix|America/Phoenix
Bogotá|America/Bogota
Sydney|Australia/Sydney
Brisbane|Australia/Brisbane
Auckland|Pacific/Auckland
Honolulu|Pacific/Honolulu
""")

LENGTHS = rows("""
inch|0.0254
foot|0.3048
yard|0.9144
mile|1609.344
nautical mile|1852
""")
"""Unit, metres, exact by definition."""

NATO = words("""
Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar
Papa Quebec Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu
""")
MORSE = words("""
.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .--
-..- -.-- --..
""")
"""A to Z."""
GREEK = words("""
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma
tau upsilon phi chi psi omega
""")

STATUSES = (200, 201, 202, 204, 301, 302, 304, 400, 401, 403, 404, 405, 408, 409, 410, 415, 429,
            500, 501, 502, 503, 504)  # fmt: skip
"""HTTP status codes whose names are settled (RFC 9110)."""

PORTS = rows("""
FTP control|21
SSH|22
Telnet|23
SMTP between servers|25
DNS|53
HTTP|80
POP3|110
NTP|123
IMAP|143
SNMP|161
LDAP|389
HTTPS|443
IMAP over TLS|993
POP3 over TLS|995
PostgreSQL|5432
MySQL|3306
Redis|6379
""")

STDLIB = rows("""
math|isqrt
math|comb
math|hypot
itertools|chain
itertools|groupby
itertools|accumulate
functools|reduce
functools|lru_cache
functools|partial
collections|Counter
collections|deque
collections|defaultdict
bisect|insort
heapq|heappush
heapq|nlargest
statistics|median
statistics|stdev
json|dumps
re|fullmatch
shutil|copytree
tempfile|mkdtemp
subprocess|check_output
textwrap|dedent
copy|deepcopy
contextlib|suppress
operator|itemgetter
random|shuffle
fractions|Fraction
decimal|Decimal
dataclasses|dataclass
unicodedata|normalize
base64|b64encode
hashlib|sha256
secrets|token_hex
struct|pack
zipfile|ZipFile
calendar|monthrange
""")
"""Module, and a name that it alone of these gives."""

COMPLEXITY = rows("""
binary search in a sorted array of n items|O(log n)
looking at every item of a list of n items once|O(n)
merge sort of n items|O(n log n)
comparing every pair of n items|O(n²)
listing all subsets of n items|O(2^n)
reading an array item by its index|O(1)
trying all orders of n items|O(n!)
multiplying two n × n matrices by the schoolbook method|O(n³)
a lookup in a balanced search tree of n keys|O(log n)
breadth-first search of a tree with n nodes|O(n)
""")
