"""Topics to write about: sentences of our own, without commas, to make example texts from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """``words`` are what one would expect in such a text; ``lines`` are true of the subject."""

    subject: str
    title: str
    words: tuple[str, ...]
    lines: tuple[str, ...]


def _topic(subject: str, title: str, words: str, lines: str) -> Topic:
    return Topic(subject, title, tuple(words.split()), tuple(lines.strip().splitlines()))


TOPICS = (
    _topic("keeping bees", "A Year with Bees", "bees hive honey flowers queen garden", """
A hive is busiest on warm days in early summer.
The queen lays eggs while thousands of workers do everything else.
Honey is made from the nectar of flowers.
Beginners should visit an older keeper before they buy a hive.
Bees need water close to home.
In winter the colony forms a tight ball to stay warm.
A calm hand matters more than thick gloves.
Lavender and clover are good plants for a garden with bees.
Honey is taken when the cells have been closed with wax.
Every spring the keeper looks for signs of illness."""),
    _topic("a lighthouse", "The Old Lighthouse", "lighthouse light coast ships keeper storm", """
The lighthouse stands where the coast turns north.
Its light can be seen from far out at sea.
For a hundred years a keeper climbed the stairs each evening.
Ships used to count the seconds between two flashes.
A storm once broke three windows in a single night.
Today the lamp switches itself on.
Children like to guess how many steps there are.
The walls are thick enough to sleep through the wind.
From the top one sees fishing boats and small islands.
Visitors may come on the first Sunday of the month."""),
    _topic("riding a bicycle to work", "By Bicycle to Work",
           "bicycle road traffic rain helmet morning", """
A bicycle costs little and needs no parking place.
The morning ride wakes you up better than coffee.
Good lights matter more than speed.
In heavy traffic a helmet is worth its weight.
Rain is easier to bear with dry socks in the bag.
A side road is often slower but far more pleasant.
Most flat tyres can be mended in ten minutes.
Regular riders say that they sleep better.
It helps to try the route once on a quiet Sunday.
A small bell prevents many angry words."""),
    _topic("baking bread", "Bread at Home", "bread dough flour oven yeast crust", """
Bread needs only flour and water and salt and time.
Yeast turns the dough light and full of air.
A long rest in a cool place gives more taste.
The oven should be very hot at the start.
Steam makes the crust thin and shiny.
A loaf is done when it sounds hollow from below.
Cut it too early and the middle turns sticky.
Old bread makes fine soup and better puddings.
Weighing the flour is safer than counting cups.
Many bakers feed a sourdough as if it were a pet."""),
    _topic("a public library", "Why We Need the Library",
           "library books children quiet reading shelves", """
A library is a warm room that asks for no ticket.
Children find their first favourite books on its low shelves.
Some people come for reading and some come for the quiet.
The staff know where everything is.
Old newspapers are kept in the cellar.
Anyone may borrow a map or a film or a game.
On rainy days every chair is taken.
A good library changes with its town.
Homework is easier at a large table.
The reading hour on Friday is always full."""),
    _topic("learning to swim", "First Strokes in the Water",
           "water swim pool breath lesson teacher", """
The first lesson is about trusting the water.
Breathing out under water takes away much of the fear.
A shallow pool is the best place to begin.
Floating on the back comes before any stroke.
A patient teacher stays within reach.
Short visits twice a week work better than one long day.
Nobody should swim alone in open water.
Cold muscles tire sooner than one expects.
Goggles help those who dislike wet eyes.
Grown people can learn to swim as well as children."""),
    _topic("a night train", "The Night Train", "train night station window journey ticket", """
The night train leaves when the shops close.
A narrow bed rocks its guest to sleep.
Lamps of small towns slide past the window.
Somewhere in the dark the engine is changed.
Breakfast comes in a paper bag.
A journey by night saves the price of a hotel.
The guard wakes everyone half an hour before the station.
Earplugs are more useful than a thick book.
Friends have been made in the corridor.
In the morning the mountains are suddenly there."""),
    _topic("growing tomatoes", "Tomatoes on the Balcony",
           "tomatoes plants sun soil water leaves", """
Tomatoes want sun from morning to evening.
Seeds are started indoors when it is still cold.
The soil should be rich and loose.
Plants drink a lot on hot days.
Water the soil and keep the leaves dry.
Side shoots are broken off by hand.
A tall stick keeps the stem upright.
The first fruit is ripe about ten weeks after planting.
Small kinds do well on a balcony.
A tomato picked in the sun tastes of summer."""),
    _topic("repairing old radios", "Old Radios Sing Again",
           "radio parts sound repair workshop wires", """
An old radio often needs nothing but a new fuse.
Dust is the enemy of clear sound.
Many parts can still be found at flea markets.
A careful person unplugs the set before opening it.
Wires turn brittle after fifty years.
The workshop smells of warm dust and solder.
It is wise to take a picture before each step.
Some owners cry when the first station comes in.
A repair can take an hour or a whole winter.
The wooden case deserves a little wax."""),
    _topic("a city park", "An Hour in the Park", "park trees benches people pond dogs", """
The park opens at sunrise and never really closes.
Old trees keep the paths cool in July.
People eat their lunch on the benches near the pond.
Dogs meet at the north gate every evening.
A brass band plays there in June.
Gardeners plant new bulbs each autumn.
Runners prefer the outer path.
In winter the pond freezes from the edges.
Chess players argue softly under the roof.
The best view is from the small bridge."""),
    _topic("writing letters by hand", "In Your Own Hand",
           "letter paper pen words friend stamp", """
A letter takes longer than a message and lasts longer too.
Good paper makes a simple pen feel fine.
The first words are always the hardest.
One can tell a mood from the shape of the lines.
A stamp is a small picture that travels.
Mistakes may stay because they are honest.
A friend far away will read it twice.
Some people keep every letter in a shoe box.
Sunday evening is a good time for it.
The answer comes when one has nearly forgotten."""),
    _topic("a small museum", "The Museum Next Door",
           "museum rooms objects history visitors clock", """
The museum has four rooms and one very loud clock.
Its objects were given by people of the town.
A wooden plough hangs above the door.
Visitors may touch more than in other houses.
School classes come to see the old kitchen.
Every label was written by hand.
The history of the river fills a whole wall.
On Thursdays a former miner tells stories.
The roof was mended with money from a cake sale.
There is no shop and no queue."""),
    _topic("walking in the mountains", "On the Mountain Path",
           "mountain path boots weather hut view", """
An early start leaves time for the view.
Boots should be worn in before the long walk.
The weather in the mountains can turn within an hour.
A hut on the way offers soup and dry blankets.
The path is marked with red and white paint.
Those who walk slowly arrive with more breath.
A map still works when the phone does not.
Streams are highest in the afternoon.
Nobody regrets an extra pullover.
On the way down the knees begin to complain."""),
    _topic("a school garden", "The School Garden", "school garden pupils beds seeds harvest", """
The school garden lies behind the gym.
Each class looks after two beds.
Pupils draw a plan before they buy seeds.
Carrots are popular because they are a surprise.
Somebody has to water it during the holidays.
Snails are collected and carried to the hedge.
The harvest ends up in the kitchen on the same day.
Measuring a bed is a lesson in arithmetic.
Even quiet children talk while they dig.
A scarecrow wears the old coat of a teacher."""),
)  # fmt: skip
