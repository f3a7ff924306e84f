"""What people keep in files and notes, for families and backgrounds alike.

Names here are in no other pool, so that a bare name means one file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from botpsy.worlds.scene import Scene


@dataclass(frozen=True, slots=True)
class Paper:
    """A file with something to be found in it.

    Attributes:
        subject: what its owner calls it.
        about, question: what can be asked of it ("the deposit", "how much is the deposit?").
        fact: what the answer must mention.
    """

    path: str
    text: str
    subject: str
    about: str
    question: str
    fact: str

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def folder(self) -> str:
        return self.path.split("/")[-2]

    def line(self) -> str:
        """The line that has the fact, as it stands."""
        facts = self.fact.split("|")
        return next(line for line in self.text.splitlines() if any(f in line for f in facts))


PAPERS = (
    Paper("Documents/Flat/rental-contract.txt",
          "Rental contract, 12 Mill Lane\nRent: 940 euros a month, due on the 3rd.\n"
          "Deposit: 1,880 euros.\nPets: cats only.",
          "rental contract", "the deposit", "how much is the deposit?", "1,880"),
    Paper("Documents/Health/vaccination-record.txt",
          "Measles: 2 June 1994\nHepatitis A: 9 September 2019\nTetanus: 14 May 2021",
          "vaccination record", "tetanus", "when was my last tetanus jab?",
          "14 May|May 14|14th of May|14th May"),
    Paper("Documents/Manuals/dishwasher-manual.txt",
          "Salt: fill up when the lamp is on.\nError E15: water in the base tray, close the tap.\n"
          "Error E24: drain hose blocked.\nFilter: rinse once a week.",
          "dishwasher manual", "error E15", "what does error E15 mean?", "base tray"),
    Paper("Documents/Work/expenses-guide.md",
          "Meals: up to 32 euros a day.\nTaxis: only after 10 pm.\nReceipts: within 30 days.",
          "expenses guide", "meals", "how much may I spend on meals?", "32"),
    Paper("Documents/Travel/lisbon-trip.txt",
          "Flight TP 531, seat 14C.\nHotel Miradouro, Rua da Rosa 11.\nBooking code Q7LM2X.",
          "Lisbon trip", "the hotel", "which hotel are we staying at?", "Miradouro"),
    Paper("Documents/School/swimming-camp.md",
          "The camp runs from 6 to 10 July.\nBring two towels and a packed lunch.\n"
          "Pick-up is at 16:30, east gate.",
          "swimming camp", "pick-up", "what time is pick-up?", "16:30"),
    Paper("Documents/Garden/bulbs.txt",
          "Crocus: September, 8 cm deep.\nTulips: October, 15 cm deep.\nAlliums: October, 20 cm.",
          "bulbs", "the tulips", "how deep do the tulips go?", "15 cm"),
    Paper("Documents/Car/service-log.txt",
          "2023: brakes, 48,200 km.\n2024: oil and filters, 55,700 km.\n2025: timing belt, "
          "61,900 km.",
          "service log", "the timing belt", "when was the timing belt done?", "2025"),
    Paper("Documents/Club/club-statutes.md",
          "Annual fee: 65 euros.\nWho wants to leave must say so by 30 November.\nBoard: three "
          "people, elected every two years.",
          "club statutes", "leaving", "by when do I have to say that I'm leaving?",
          "30 November|November 30|30th of November|30th November"),
    Paper("Documents/House/meter-readings.txt",
          "January 4,112\nFebruary 4,287\nMarch 4,431",
          "meter readings", "February", "what was the reading in February?", "4,287"),
    Paper("Documents/Letters/council-letter.txt",
          "Reference: BX-2207\nThe hearing about the bicycle lane is on 12 May in room 3.\n"
          "Please bring this letter.",
          "council letter", "the hearing", "which room is the hearing in?", "room 3"),
    Paper("Documents/Pets/vet-report.txt",
          "Milo, 4 years, 5.2 kg.\nTablets: half a tablet twice a day for ten days.\n"
          "Next check in six months.",
          "vet report", "the tablets", "for how many days does Milo need the tablets?", "ten days"),
)  # fmt: skip

# path, what is in it, one line more
JOURNALS: tuple[tuple[str, str, str], ...] = (
    ("Documents/Garden/harvest.txt", "Courgettes 2 kg\nBeans 1 kg\n", "Tomatoes 3 kg"),
    ("Documents/Health/running-log.txt", "5 km in 31 minutes\n7 km in 44 minutes\n",
     "6 km in 36 minutes"),
    ("Documents/House/repairs.txt", "Gutter cleaned\nDoorbell replaced\n", "Bathroom tap fixed"),
    ("Documents/Club/members.txt", "Ines Duarte\nTom Okafor\n", "Lena Brandt"),
    ("Documents/Work/suggestions.txt", "Quieter meeting room\nSpare umbrellas\n",
     "Bike repair stand"),
    ("Documents/Car/fuel.txt", "41 litres at 1.66\n38 litres at 1.68\n", "44 litres at 1.71"),
    ("Documents/School/vocabulary.txt", "fence - Zaun\nbridge - Steg\n", "spoon - Kelle"),
    ("Documents/Music/setlist.txt", "Slow River\nHarbour Lights\n", "The Lamplighter"),
    ("Documents/Books/wishlist.md", "The Salt Road\nNine Gardens\n", "A Map of Small Islands"),
    ("Documents/Letters/sent.txt", "Council, about the bicycle lane\nLandlord, about the damp\n",
     "Bank, about the card"),
)  # fmt: skip

# loose papers that are filed, renamed and thrown away
SCRAPS: tuple[tuple[str, str], ...] = (
    ("invoice-plumber.txt", "Plumber, kitchen tap: 118.00"),
    ("ticket-lyon.txt", "Train to Lyon, coach 6, seat 41"),
    ("warranty-toaster.txt", "Toaster, two years from purchase"),
    ("payslip-march.txt", "Net pay: 2,140.35"),
    ("receipt-bike.txt", "Chain and two tyres: 74.50"),
    ("form-school.txt", "Consent for the museum trip"),
    ("quote-roofer.txt", "Twelve tiles and the gutter: 640"),
    ("letter-bank.txt", "Your new card is on its way."),
    ("minutes-april.md", "Agreed: new bins, no new fence."),
    ("recipe-plum-cake.md", "Plums, butter, eggs, flour, cinnamon"),
    ("poem-draft.txt", "The tide takes back the line it drew"),
    ("scan-passport.txt", "Passport number on page two"),
)  # fmt: skip
FOLDERS = ("Archive", "Taxes", "Receipts", "Insurance", "Keep", "Family", "Sorted", "Old stuff")

# a file to be made: its name and what goes into it
FRESH: tuple[tuple[str, str], ...] = (
    ("guest-wifi.txt", "Network Lighthouse, password blue otter"),
    ("thank-you.txt", "Thank you for the lovely weekend"),
    ("door-sign.txt", "Back at two, parcels to number nine"),
    ("toast.md", "To forty years, and to the next forty"),
    ("house-rules.txt", "Shoes off, quiet after ten"),
    ("babysitter.txt", "Bed at seven, no juice after dinner"),
    ("measurements.txt", "Window 118 by 94, door 201 by 86"),
    ("slogan.md", "Warm bread before seven"),
)  # fmt: skip

# title, what it says, what is asked of it, what the answer must mention, one more thing for it
MEMOS: tuple[tuple[str, str, str, str, str], ...] = (
    ("Gift ideas", "Ada: a kite. Tom: fountain pen. Grandma: tea.", "what did I want to get Tom?",
     "fountain pen", "Leo likes puzzles"),
    ("Allotment", "Plot 17, water key under the bench.", "which plot is ours?", "17",
     "the pump is off in winter"),
    ("Shoe sizes", "Mia 34, Jonas 37, me 41.", "what size shoe does Jonas take?", "37",
     "Oskar has 29"),
    ("Bicycle lock", "The combination is 4-0-7-2.", "what's the combination?", "4-0-7-2",
     "the spare key is in the drawer"),
    ("Piano tuner", "Mr Haas came in March, 95 euros.", "how much was the piano tuner?", "95",
     "he prefers mornings"),
    ("Sourdough", "Feed it 50 g rye every Friday.", "how much rye does it get?", "50",
     "keep it below 25 degrees"),
    ("Parking", "Level 3, row F, near the lift.", "which level is the car on?", "level 3",
     "the ticket is in the glove box"),
    ("Curtains", "Living room 240 by 180 cm, linen.", "how wide are the living room curtains?",
     "240", "the shop is closed on Mondays"),
    ("Film tips", "The Long Ferry, Paper Lions, Salt.", "which films did I write down?",
     "Paper Lions", "Night Orchard"),
)  # fmt: skip


def paper(s: Scene) -> Paper:
    """One of the papers, put into the world."""
    found = s.pick(PAPERS)
    s.files[found.path] = found.text
    return found


def scrap(s: Scene, folder: str = "") -> tuple[str, str]:
    """One of the scraps, put into that folder: its name and text."""
    name, text = s.pick(SCRAPS)
    s.files["/".join(filter(None, ("Documents", folder, name)))] = text
    return name, text


def journal(s: Scene) -> tuple[str, str, str]:
    """One of the journals, put into the world: its name without the ending, path, a line more."""
    path, text, line = s.pick(JOURNALS)
    s.files[path] = text
    return spoken(path), path, line


def memo(s: Scene) -> tuple[str, str, str, str, str]:
    """One of the memos, put into the notes."""
    found = s.pick(MEMOS)
    s.notes[found[0]] = found[1]
    return found


def spoken(path: str) -> str:
    """A file's name as one says it: no folder, no ending, no hyphens."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0].replace("-", " ")
