"""Places to time zones: the cities in zone names, and the ones people say that are not there."""

from __future__ import annotations

import difflib
import re
import unicodedata
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from botpsy.errors import ToolError

_ALIASES = {
    "America/Los_Angeles": "california, la, san francisco, sf, seattle, san diego, las vegas, "
    "silicon valley, portland, san jose, pacific time, pst, pdt, pt",
    "America/Denver": "mountain time, mst, mdt, salt lake city, colorado, utah",
    "America/Phoenix": "arizona",
    "America/Chicago": "texas, dallas, houston, austin, san antonio, minneapolis, new orleans, "
    "central time, cst, cdt, illinois",
    "America/New_York": "nyc, boston, washington, washington dc, miami, atlanta, philadelphia, "
    "florida, eastern time, est, edt, et, orlando, charlotte",
    "America/Toronto": "ottawa, montreal, quebec",
    "America/Vancouver": "british columbia",
    "America/Edmonton": "calgary",
    "America/Sao_Paulo": "rio, rio de janeiro, brasilia",
    "America/Argentina/Buenos_Aires": "argentina",
    "Pacific/Honolulu": "hawaii",
    "America/Anchorage": "alaska",
    "Europe/London": "uk, england, britain, great britain, united kingdom, scotland, wales, "
    "edinburgh, manchester, liverpool, birmingham, glasgow, bst, oxford, cambridge",
    "Europe/Dublin": "ireland",
    "Europe/Paris": "france, lyon, marseille, nice, toulouse, bordeaux, strasbourg",
    "Europe/Berlin": "germany, munich, münchen, hamburg, frankfurt, cologne, köln, stuttgart, "
    "düsseldorf, leipzig, dresden",
    "Europe/Vienna": "austria, salzburg, graz, wien",
    "Europe/Zurich": "switzerland, geneva, basel, bern, zürich, lausanne",
    "Europe/Rome": "italy, milan, milano, naples, turin, venice, florence, roma",
    "Europe/Madrid": "spain, barcelona, valencia, seville",
    "Europe/Lisbon": "portugal, porto",
    "Europe/Amsterdam": "netherlands, holland, rotterdam, the hague, utrecht",
    "Europe/Brussels": "belgium, antwerp, cet, cest, central european time",
    "Europe/Copenhagen": "denmark",
    "Europe/Stockholm": "sweden, gothenburg",
    "Europe/Oslo": "norway, bergen",
    "Europe/Helsinki": "finland, eet, eest",
    "Europe/Athens": "greece",
    "Europe/Warsaw": "poland, krakow",
    "Europe/Prague": "czechia, czech republic",
    "Europe/Budapest": "hungary",
    "Europe/Bucharest": "romania",
    "Europe/Kyiv": "ukraine, kiev",
    "Europe/Istanbul": "turkey, ankara",
    "Europe/Moscow": "saint petersburg, st petersburg, msk",
    "Asia/Dubai": "uae, abu dhabi, united arab emirates",
    "Asia/Jerusalem": "israel, tel aviv",
    "Asia/Riyadh": "saudi arabia",
    "Asia/Kolkata": "india, delhi, new delhi, mumbai, bombay, bangalore, bengaluru, chennai, "
    "hyderabad, pune, ist, calcutta",
    "Asia/Karachi": "pakistan, lahore, islamabad",
    "Asia/Dhaka": "bangladesh",
    "Asia/Shanghai": "china, beijing, shenzhen, guangzhou, peking",
    "Asia/Taipei": "taiwan",
    "Asia/Tokyo": "japan, osaka, kyoto, jst",
    "Asia/Seoul": "korea, south korea, busan, kst",
    "Asia/Singapore": "sgt",
    "Asia/Bangkok": "thailand",
    "Asia/Ho_Chi_Minh": "vietnam, hanoi, saigon",
    "Asia/Manila": "philippines",
    "Asia/Kuala_Lumpur": "malaysia",
    "Australia/Sydney": "canberra, aest, aedt",
    "Australia/Perth": "awst",
    "Pacific/Auckland": "new zealand, wellington, christchurch, nzst, nzdt",
    "Africa/Cairo": "egypt",
    "Africa/Johannesburg": "south africa, cape town, durban, pretoria",
    "Africa/Lagos": "nigeria, abuja",
    "Africa/Nairobi": "kenya",
    "Africa/Casablanca": "morocco, rabat, marrakesh",
    "UTC": "gmt, z, zulu, greenwich",
}


def zone_of(place: str) -> ZoneInfo:
    """The zone of a city, country, zone name or abbreviation.

    Raises:
        ToolError: it is not known; says what is close to it.
    """
    folded = _folded(place)
    table = _table()
    words = folded.removesuffix(" time").removeprefix("the ")
    for name in (folded, words, place.split(",", maxsplit=1)[0]):
        if key := table.get(_folded(name)):
            return ZoneInfo(key)
    close = difflib.get_close_matches(words, table, n=3, cutoff=0.75)
    hint = f"Did you mean {' or '.join(close)}?" if close else "Name a large city there."
    raise ToolError(f"I do not know the time zone of {place[:60]!r}.", hint=hint)


@lru_cache(maxsize=1)
def _table() -> dict[str, str]:
    """Folded names to zones. Aliases come before cities, cities before whole names."""
    keys = sorted(available_timezones())
    table = {_folded(key): key for key in keys}
    # The last part of a zone's name is its city; Area/Region/City and old names give way.
    for key in sorted(keys, key=lambda key: (-key.count("/"), key)):
        if "/" in key and not key.startswith(("Etc/", "SystemV/", "posix/", "right/", "US/")):
            table[_folded(key.rsplit("/", 1)[1])] = key
    for key, names in _ALIASES.items():
        table |= {_folded(name): key for name in names.split(",")}
    return table


def _folded(name: str) -> str:
    """Without case, accents and signs."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(re.findall(r"[a-z0-9+/-]+", plain.replace("_", " ").replace(".", "")))
