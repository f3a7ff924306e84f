"""Made-up people of many origins, and how to reach them. Nobody real: addresses and numbers are
from ranges kept for examples."""

from __future__ import annotations

import unicodedata
from random import Random

from botpsy.services.contacts import Contact

GIVEN: tuple[str, ...] = (
    "Aisha", "Akira", "Alejandra", "Amara", "Anders", "Ananya", "Andrei", "Anna", "Arjun", "Astrid",
    "Ayse", "Beatriz", "Benjamin", "Bogdan", "Camille", "Carlos", "Chiara", "Chidi", "Chloe",
    "Daniel", "Dariusz", "Deniz", "Diego", "Dimitri", "Elena", "Elif", "Emeka", "Emily", "Esther",
    "Fatima", "Felix", "Fiona", "Francesca", "Gabriel", "Grace", "Hana", "Hannah", "Hassan",
    "Helena", "Hiroshi", "Ibrahim", "Ines", "Ingrid", "Isabel", "Ivan", "Jakub", "Jamal", "Jana",
    "Jasmine", "Jonas", "Jorge", "Julia", "Kamala", "Karim", "Katarina", "Kenji", "Kwame", "Lars",
    "Laura", "Leila", "Liam", "Linh", "Lucas", "Lucia", "Magnus", "Malik", "Manuel", "Maria",
    "Marta", "Mateo", "Mehmet", "Mei", "Mikhail", "Mina", "Mohamed", "Nadia", "Naomi", "Ngozi",
    "Nikolai", "Nina", "Noah", "Nora", "Oksana", "Oliver", "Omar", "Oskar", "Pablo", "Petra",
    "Pierre", "Priya", "Rachel", "Rahul", "Rania", "Ravi", "Rosa", "Ruben", "Samira", "Samuel",
    "Sara", "Selma", "Sipho", "Sofia", "Soo-ah", "Stefan", "Sven", "Tariq", "Thandiwe", "Tobias",
    "Tomas", "Uma", "Valentina", "Vera", "Viktor", "Wei", "Yara", "Yasmin", "Yuki", "Yusuf",
    "Zanele", "Zoe",
)  # fmt: skip
FAMILY: tuple[str, ...] = (
    "Abdi", "Adeyemi", "Almeida", "Andersen", "Bakker", "Banerjee", "Barros", "Becker", "Bianchi",
    "Brandt", "Campbell", "Castillo", "Chen", "Costa", "Da Silva", "Demir", "Dubois", "Eriksson",
    "Farouk", "Fernandez", "Fischer", "Fofana", "Fujita", "Garcia", "Georgiou", "Gonzalez",
       "Gupta", "Haddad", "Hansen", "Hassan", "Hoffmann", "Horvat", "Hughes", "Ibarra", "Ito",
    "Ivanova", "Jansen", "Johansson", "Kaya", "Khan", "Kim", "Kowalski", "Kumar", "Larsson", "Lee",
    "Lindqvist", "Lopez", "Mahlangu", "Marino", "Mbeki", "Mendes", "Meyer", "Molina", "Moreau",
    "Murphy", "Nakamura", "Nguyen", "Novak", "Nwosu", "O'Brien", "Okafor", "Olsen", "Osei", "Park",
    "Patel", "Pereira", "Petrov", "Popescu", "Quispe", "Rahman", "Reyes", "Ricci", "Rossi",
    "Sanchez", "Sato", "Schneider", "Sharma", "Silva", "Singh", "Smirnova", "Suzuki", "Szabo",
    "Tanaka", "Taylor", "Tran", "Van Dijk", "Vargas", "Virtanen", "Wagner", "Walker", "Wang",
    "Weber", "Williams", "Wong", "Yamada", "Yilmaz", "Zhang", "Zimmermann",
)  # fmt: skip
DOMAINS = ("example.org", "example.com", "example.net", "mail.example", "post.example")
STREETS = ("Station Road", "Market Street", "Lindenweg", "Rue des Lilas", "Via Roma", "Mill Lane",
           "Calle Mayor", "Harbour Walk", "Church Street", "Elm Avenue")  # fmt: skip
CITIES = ("Berlin", "Lyon", "Porto", "Leeds", "Utrecht", "Graz", "Turin", "Malmö", "Seville",
          "Kraków", "Galway", "Ghent")  # fmt: skip


def first_name(person: Contact) -> str:
    """What people call them."""
    return person.name.split()[0]


def ascii_of(text: str) -> str:
    """Plain ASCII letters of a name, for an address."""
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "".join(char for char in text if char.isalnum())


def email_of(rng: Random, given: str, family: str) -> str:
    """A mail address that goes with the name."""
    a, b = ascii_of(given), ascii_of(family)
    local = rng.choice((f"{a}.{b}", f"{a}{b[:1]}", f"{a[:1]}.{b}", f"{a}_{b}"))
    return f"{local}@{rng.choice(DOMAINS)}"


def phone(rng: Random) -> str:
    """A number from the ranges for fiction of several countries."""
    n = rng.randint(100, 199)
    return rng.choice(
        (
            f"+1 202 555 0{n}",
            f"+44 7700 900{n}",
            f"+49 30 23125 {n}",
            f"+61 491 570 {n}",
            f"+353 20 915 {n}",
        )
    )


def person(rng: Random, id: str, given: str, family: str, nickname: str = "") -> Contact:
    """Somebody with a mail address and a number."""
    return Contact(
        id,
        f"{given} {family}",
        nickname,
        (email_of(rng, given, family),),
        (phone(rng),),
        f"{rng.choice(STREETS)} {rng.randint(1, 90)}, {rng.choice(CITIES)}",
    )
