"""Sending money: to whom, how much, from where, and what has to be found out first."""

from __future__ import annotations

from typing import Final

from botpsy.services.bank.iban import grouped
from botpsy.services.money import from_cents, show_money
from botpsy.worlds.acts import both, call, got, say, says
from botpsy.worlds.compare import Loose
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.market import (
    coins,
    exchanged,
    in_words,
    money,
    payee,
    purse,
    some_money,
    told,
)
from botpsy.worlds.seeding.trade import iban

DOMAIN: Final = "commerce"
PURPOSE = "bank/movement/*/text"
TREATS = ("the pizza", "the concert tickets", "the taxi", "the birthday present", "the groceries",
          "the train tickets", "the museum", "the flowers")  # fmt: skip


@family(DOMAIN, "single")
def send_to_a_friend(s: Scene) -> Scenario:
    """An amount in figures or words to somebody who is saved."""
    coins(s)
    purse(s)
    (_, name), amount = payee(s), some_money(s, 10, 180)
    payee(s)
    return s.scenario(
        s.say(
            "send {name} {amount}",
            "transfer {amount} to {name}",
            "{name} gets {amount} from me, please wire it",
            "can you pay {name} {amount}?",
            name=name,
            amount=amount,
        ),
        [
            call("transfer_money", to=name, amount=amount.value).because(amount.how),
            say(f"I have sent {{sent}} to {name}; {{balance}} are left."),
        ],
    )


@family(DOMAIN, "single")
def with_a_reference(s: Scene) -> Scenario:
    """What it is for goes with the money."""
    coins(s)
    purse(s)
    (_, name), amount = payee(s), some_money(s, 6, 90, cents=True)
    what = s.choose(TREATS)
    return s.scenario(
        s.say(
            "pay {name} {amount} back for {what}, and write what it's for",
            "transfer {amount} to {name}, reference: {what}",
            '{amount} to {name} with the text "{what}"',
            name=name,
            amount=amount,
            what=what,
        ),
        [
            call("transfer_money", to=name, amount=amount.value, text=what).because(amount.how),
            say(f"{{sent}} are on the way to {name}, for {what}."),
        ],
        loose=[Loose(PURPOSE, (what.removeprefix("the "),))],
    )


@family(DOMAIN, "single")
def put_something_aside(s: Scene) -> Scenario:
    """From the current account to the savings."""
    coins(s)
    purse(s)
    amount = some_money(s, 50, 600)
    return s.scenario(
        s.say(
            "put {amount} into my savings",
            "move {amount} over to the savings account",
            "I want to save {amount}: shift it to my savings account",
            amount=amount,
        ),
        [
            call("transfer_money", to="savings account", amount=amount.value).because(amount.how),
            say("{sent} are in your savings now; {balance} are left on the other account."),
        ],
    )


@family(DOMAIN, "single", held_out=True)
def number_spelled_out(s: Scene) -> Scenario:
    """To an account number that the user gives."""
    purse(s)
    number, amount = iban(s), some_money(s, 20, 300)
    return s.scenario(
        s.say(
            "wire {amount} to {number}",
            "please transfer {amount}, the IBAN is {number}",
            "{number} is the account, send {amount} there",
            amount=amount,
            number=grouped(number),
            exact=True,
        ),
        [
            call("transfer_money", to=grouped(number), amount=amount.value).because(amount.how),
            say("I have sent {sent} to that account. Your balance is {balance}."),
        ],
        loose=["bank/movement/*/who"],
    )


@family(DOMAIN, "parallel")
def two_people_two_amounts(s: Scene) -> Scenario:
    """Two independent payments."""
    coins(s)
    purse(s)
    (_, one), (_, two) = payee(s), payee(s)
    first, second = some_money(s, 10, 60), some_money(s, 65, 140)
    return s.scenario(
        s.say(
            "send {one} {first} and {two} {second}",
            "two payments: {first} to {one}, {second} to {two}",
            "{one} is owed {first}, {two} {second}. Transfer both",
            one=one,
            two=two,
            first=first,
            second=second,
        ),
        [
            both(
                call("transfer_money", to=one, amount=first.value).because(first.how),
                call("transfer_money", to=two, amount=second.value).because(second.how),
            ),
            say(f"Sent: {{0[sent]}} to {one} and {{1[sent]}} to {two}."),
        ],
    )


@family(DOMAIN, "multi_step")
def my_share_of_it(s: Scene) -> Scenario:
    """A bill is split: work out the share, then send it to who has paid."""
    coins(s)
    purse(s)
    _, name = payee(s)
    people, share = s.choose((3, 4, 5, 6)), s.rng.randint(90, 420) * 10 + s.choose((0, 5))
    total = money(s, people * share)
    what = s.choose(("dinner", "the boat trip", "the cabin", "the rental car", "the present"))
    return s.scenario(
        s.say(
            "{what} was {total} for {n} of us and {name} paid. Send {name} my share",
            "{name} laid out {total} for {what}; we were {n}, so transfer my part to {name}",
            "split {total} for {what} {n} ways and pay my share to {name}",
            what=what,
            total=total,
            n=in_words(people),
            name=name,
        ),
        [
            call("calculate", expression=f"{total.value} / {people}").because(total.how),
            call("transfer_money", to=name, amount=got("result")).because(
                f"one of {people} equal parts"
            ),
            say(f"Your share is {{sent}}; {name} has it."),
        ],
        loose=[PURPOSE],
        answer=(told(share),),
        near={
            "all of it": [
                call("transfer_money", to=name, amount=total.value),
                says(f"Your share of {told(share).split('|')[0]} is sent."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def owed_in_another_currency(s: Scene) -> Scenario:
    """Convert with the bank's rate, then send what comes out."""
    purse(s)
    _, name = payee(s)
    code, word = s.choose(
        (("USD", "dollars"), ("GBP", "pounds"), ("CHF", "Swiss francs"), ("SEK", "Swedish kronor"))
    )
    amount = s.choose((25, 40, 60, 80, 120, 150))
    cents = exchanged(amount * 100, code, "EUR")
    return s.scenario(
        s.say(
            "I owe {name} {amount} {word}. Send it in euros at today's rate",
            "convert {amount} {word} to euros and transfer that to {name}",
            "{name} lent me {amount} {word}; pay it back in euros, please",
            name=name,
            amount=amount,
            word=word,
        ),
        [
            call("exchange_rate", from_currency=code, to_currency="EUR", amount=amount).because(
                f"{word} are {code}, euros EUR"
            ),
            call("transfer_money", to=name, amount=from_cents(cents)).because(
                f"{amount} {code} are {show_money(cents, 'EUR')}"
            ),
            say(f"{amount} {word} are {{sent}}; {name} has them."),
        ],
        loose=[PURPOSE],
        answer=(told(cents),),
        near={
            "not converted": [
                call("transfer_money", to=name, amount=amount),
                says(f"Sent: {show_money(cents, 'EUR')}."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def number_in_a_note(s: Scene) -> Scenario:
    """The account number is in the user's own note."""
    purse(s)
    friend, number, amount = s.person(), iban(s), some_money(s, 20, 250)
    payee(s)
    title = s.choose(("Bank details", "Account numbers", "IBANs of friends"))
    other = s.stranger()
    s.notes[title] = f"{other.name}: {grouped(iban(s))}\n{friend.name}: {grouped(number)}"
    name = friend.name.split()[0]
    return s.scenario(
        s.say(
            'send {name} {amount}, the IBAN is in my note "{title}"',
            'transfer {amount} to {name}. You\'ll find the account in the note "{title}"',
            'my note "{title}" has {name}\'s account number; pay {amount} there',
            name=name,
            amount=amount,
            title=title,
        ),
        [
            call("read_note", note=title),
            call("transfer_money", to=grouped(number), amount=amount.value).because(
                f"{name}'s number is in the note"
            ),
            say(f"{{sent}} went to {name}."),
        ],
        loose=["bank/movement/*/who"],
    )


@family(DOMAIN, "multi_step", held_out=True)
def number_in_a_mail(s: Scene) -> Scenario:
    """The account number and the sum are in a mail that the user names."""
    purse(s)
    friend, number = s.person(), iban(s)
    amount = some_money(s, 12, 80, cents=True)
    first = friend.name.split()[0]
    what = s.choose(TREATS)
    s.mail(
        friend,
        f"Costs: {what.removeprefix('the ')}",
        f"Hi,\n\nyour part of {what} was {show_money(amount.cents, 'EUR')}. My account: "
        f"{grouped(number)}.\n\nCheers\n{first}",
    )
    return s.scenario(
        s.say(
            "read {name}'s mail about {what} and pay what I owe, to the account in it",
            "{name} mailed me the costs of {what} with an account number. Please pay that",
            name=first,
            what=what,
        ),
        [
            call("search_mail", sender=first),
            call("read_mail", message=got("mails.0.message")),
            call("transfer_money", to=grouped(number), amount=amount.value).because(
                "sum and account are in the mail"
            ),
            say(f"I have paid {first} {{sent}}."),
        ],
        loose=["bank/movement/*/who", PURPOSE],
    )


@family(DOMAIN, "state")
def funds_run_short(s: Scene) -> Scenario:
    """More than there is: nothing is sent, and no other account is touched."""
    coins(s)
    main, _ = purse(s, balance=s.choose((40, 75, 120)))
    (_, name), amount = payee(s), some_money(s, 150, 400)
    left = show_money(main.balance, s.options["bank"]["currency"])
    return s.scenario(
        s.say(
            "{name} needs {amount} today, send it",
            "please transfer {amount} to {name} right away",
            "{amount} for {name}, a normal transfer",
            name=name,
            amount=amount,
        ),
        [
            call("transfer_money", to=name, amount=amount.value).because(amount.how),
            says(f"Nothing was sent: there are only {left} on your {main.name.lower()}."),
        ],
        offer=["account_balance"],
        answer=(told(main.balance),),
        near={
            "what there is": [
                call("transfer_money", to=name, amount=main.balance / 100),
                says(f"I have sent {left}, all there was."),
            ],
            "from savings": [
                call("transfer_money", to=name, amount=amount.value, from_account="savings"),
                says(f"There were only {left}, so it came from your savings."),
            ],
        },
    )


@family(DOMAIN, "state")
def above_the_daily_limit(s: Scene) -> Scenario:
    """The bank's limit for a day stops it; a smaller sum is the user's to decide."""
    coins(s)
    limit = s.choose((200, 300, 500))
    purse(s, daily_limit=limit * 100)
    (_, name), amount = payee(s), some_money(s, limit + 50, limit + 400)
    return s.scenario(
        s.say(
            "send {amount} to {name} for the deposit",
            "{name} is selling me the bike, transfer {amount}",
            "I need {amount} sent to {name} today",
            name=name,
            amount=amount,
        ),
        [
            call("transfer_money", to=name, amount=amount.value).because(amount.how),
            says(f"The bank refused: {limit} a day is the limit, so nothing was sent."),
        ],
        answer=("limit", told(limit * 100)),
        near={
            "up to the limit": [
                call("transfer_money", to=name, amount=limit),
                says(f"The daily limit is {limit}, so I have sent that."),
            ]
        },
    )


@family(DOMAIN, "state", held_out=True)
def only_if_enough_stays(s: Scene) -> Scenario:
    """Money is put aside only where the balance allows it, by the user's own rule."""
    enough = s.chance(0.5)
    bound = s.choose((800, 1000, 1500))
    more = s.rng.randint(50, 900) if enough else -s.rng.randint(50, 400)
    main, _ = purse(s, balance=bound + more)
    amount, account = some_money(s, 100, 300), main.name.lower()
    left = told(main.balance).split("|")[0]
    turn = s.say(
        "if there's more than {bound} on my {account}, move {amount} to savings",
        "check my {account}: above {bound}, put {amount} in the savings account, else leave it",
        bound=bound,
        account=account,
        amount=amount,
    )
    look = call("account_balance", account=account)
    move = call("transfer_money", to="savings account", amount=amount.value)
    if enough:
        return s.scenario(
            turn,
            [
                look,
                move.because(f"{left} is more than {bound}"),
                say("There was enough: {sent} went to your savings."),
            ],
        )
    return s.scenario(
        turn,
        [look, says(f"There are only {left}, so I have moved nothing.")],
        offer=["transfer_money"],
        answer=(told(main.balance),),
        near={"moves it anyway": [look, move, says(f"There were {left}; it is moved.")]},
    )
