"""CLINC150's banking and credit cards, as tools."""

from __future__ import annotations

from botpsy.data.sources._clinc_tools import ACCOUNT, BANK, CARD, HOW, asking, given, needed, tool

_BILL = given(
    "Which bill, for example water",
    r"\b(water|electric|electricity|gas|cable|internet|phone|cell phone|rent|mortgage|insurance|"
    r"trash|sewer|utility|power|heating|credit card) (?:bill|payment)\b",
)
_BILL_NEEDED = needed(_BILL.description, _BILL.pattern.pattern)

# --- banking --------------------------------------------------------------------------------------

tool(
    "freeze_account",
    "freeze_bank_account",
    "Freeze a bank account, so that nothing can be taken from it.",
    "status: frozen; reference: {code}",
    "The account is frozen. The reference is {code}.",
    "Done, it is frozen (reference {code}).",
    never=HOW,
    bank=BANK,
    account=ACCOUNT,
)
tool(
    "routing",
    "get_routing_number",
    "Tell the routing number of the user's bank.",
    "routing_number: {routing}",
    "The routing number is {routing}.",
    "It is {routing}.",
    bank=BANK,
    account=ACCOUNT,
)
tool(
    "pin_change",
    "request_new_pin",
    "Start a change of the PIN; a code goes to the phone.",
    "status: code sent; phone: {phone}",
    "A code for the new PIN was sent to {phone}.",
    "Use the code sent to {phone} to set a new PIN.",
    never=r"^(what|tell|remind)|reminder|need (to know )?my pin|know",
    bank=BANK,
    account=ACCOUNT,
    card=CARD,
)
tool(
    "bill_due",
    "bill_due_date",
    "Tell by which day a bill must be paid.",
    "due: {date}",
    "It is due on {date}.",
    "You have until {date} to pay it.",
    bill=_BILL_NEEDED,
)
tool(
    "pay_bill",
    "pay_household_bill",
    "Pay one of the user's bills from the bank account.",
    "status: paid; amount: {money}; reference: {code}",
    "Paid: {money}, reference {code}.",
    "The bill of {money} is paid.",
    never=HOW,
    bill=_BILL_NEEDED,
    account=ACCOUNT,
    question=asking(
        "bill",
        "Which bill should I pay?",
        r"(please )?(help me )?(pay|to pay|paying) (a|my) bill( please)?$",
        "the water bill",
        "electricity",
        "the phone bill",
        "rent",
    ),
)
tool(
    "account_blocked",
    "why_account_blocked",
    "Find out why a bank account is on hold.",
    "reason: an unusual payment of {money}; since: {date}",
    "It is on hold since {date} because of an unusual payment of {money}.",
    "The reason is an unusual payment of {money} on {date}.",
    bank=BANK,
    account=ACCOUNT,
)
tool(
    "interest_rate",
    "account_interest_rate",
    "Tell the yearly interest that an account earns.",
    "rate: {percent}",
    "The rate is {percent} a year.",
    "It earns {percent}.",
    bank=BANK,
    account=ACCOUNT,
)
tool(
    "min_payment",
    "minimum_payment_due",
    "Tell the smallest amount that may be paid on a bill or card for now.",
    "minimum: {money}; until: {date}",
    "At least {money}, until {date}.",
    "The minimum is {money}.",
    bill=_BILL,
    card=CARD,
    bank=BANK,
)
tool(
    "bill_balance",
    "bill_amount",
    "Tell how much is owed on a bill.",
    "owed: {money}",
    "You owe {money}.",
    "It is {money}.",
    bill=_BILL_NEEDED,
)
tool(
    "transfer",
    "move_between_accounts",
    "Move money from one of the user's accounts to another.",
    "status: done; amount: {amount}; reference: {code}",
    "{amount} were moved, reference {code}.",
    "Done: {amount} from {source} to {target}.",
    never=HOW,
    amount=needed("How much", r"(?<![\w$])(\$[\d,]+(?:\.\d\d)?|[\d,]+ dollars)\b"),
    source=needed("Account it is taken from", r"from (?:my )?(checking|savings|money market)\b"),
    target=needed("Account it goes to", r"\b(?:to|into) (?:my )?(checking|savings|money market)\b"),
)
tool(
    "order_checks",
    "order_checkbook",
    "Order new paper checks for an account.",
    "status: ordered; arrives: {date}",
    "Ordered, they should arrive by {date}.",
    "New checks are on their way and arrive around {date}.",
    never=HOW,
    bank=BANK,
    account=ACCOUNT,
)
tool(
    "balance",
    "money_in_account",
    "Tell how much money is in an account now.",
    "available: {sum}",
    "There is {sum} in it.",
    "The balance is {sum}.",
    bank=BANK,
    account=ACCOUNT,
    never=r"enough|afford|can i",
)
tool(
    "spending_history",
    "spending_total",
    "Add up what was spent on something.",
    "total: {money}; purchases: {few}",
    "{money}, in {few} purchases.",
    "In all {money}.",
    never=r"budget|been spending",
    category=needed(
        "What the money went on",
        r"spent? (?:on|for) ([a-z]+(?: [a-z]+)?)(?= (?:last|this|recently|lately|in)\b|$)",
    ),
    period=given("Stretch of time", r"\b((?:last|this) (?:week|month|year))\b"),
)
tool(
    "transactions",
    "recent_transactions",
    "List the latest payments from the account.",
    "transactions: [{date} {shop} {money}, {date2} {shop2} {money2}]",
    "The latest: {shop} {money} on {date}, and {shop2} {money2} on {date2}.",
    "{date}: {shop}, {money}. {date2}: {shop2}, {money2}.",
    account=ACCOUNT,
    bank=BANK,
    card=CARD,
    never=r"\b(amount|cost|much|food|last (purchase|transaction))\b",
)
tool(
    "report_fraud",
    "report_fraud_case",
    "Report a payment that somebody else has made as fraud.",
    "case: {code}; callback: within {few} hours",
    "Reported as case {code}; the bank calls back within {few} hours.",
    "The case {code} is open. Expect a call within {few} hours.",
    never=HOW,
    bank=BANK,
    card=CARD,
    account=ACCOUNT,
)

# --- credit cards ---------------------------------------------------------------------------------

tool(
    "replacement_card_duration",
    "card_delivery_time",
    "Tell how long a replacement card takes.",
    "days: {days}",
    "It takes about {days} days.",
    "Allow {days} days for the new card.",
    card=CARD,
    bank=BANK,
)
tool(
    "expiration_date",
    "card_expiry",
    "Tell when a credit card expires.",
    "expires: {month} {year}",
    "It expires in {month} {year}.",
    "It is valid until {month} {year}.",
    card=CARD,
    bank=BANK,
)
tool(
    "damaged_card",
    "report_damaged_card",
    "Report a card that is broken or unreadable.",
    "status: replacement ordered; arrives: {date}",
    "Reported. A new card arrives by {date}.",
    "A replacement is ordered and comes by {date}.",
    never=HOW,
    card=CARD,
    bank=BANK,
)
tool(
    "improve_credit_score",
    "credit_score_advice",
    "Advise how to get a better credit score.",
    "advice: [pay every bill on time, use less than a third of the limit, keep old accounts open]",
    "Pay every bill on time, use less than a third of your limit, and keep old accounts open.",
    "Three things help: bills on time, less than a third of the limit used, old accounts kept.",
    never=r"hurt|drop|bad|lower",
)
tool(
    "report_lost_card",
    "report_card_lost",
    "Report a card as lost or stolen and block it.",
    "status: blocked; reference: {code}",
    "The card is blocked, reference {code}.",
    "Reported and blocked ({code}).",
    never=HOW,
    card=CARD,
    bank=BANK,
)
tool(
    "card_declined",
    "why_card_declined",
    "Find out why a card was refused when paying.",
    "reason: the daily limit of {sum} was reached",
    "It was refused because the daily limit of {sum} was reached.",
    "The daily limit of {sum} had been reached.",
    card=CARD,
    bank=BANK,
)
tool(
    "credit_limit_change",
    "raise_credit_limit",
    "Ask for a higher limit on a credit card.",
    "status: requested; decision: {date}",
    "The request is in; the decision comes on {date}.",
    "Requested. You will hear by {date}.",
    never=HOW + r"|\bto \d|thousand|hundred|lower|decrease",
    card=CARD,
    bank=BANK,
)
tool(
    "apr",
    "card_apr",
    "Tell the yearly interest charged on a credit card.",
    "apr: {percent}",
    "The APR is {percent}.",
    "It is {percent} a year.",
    card=CARD,
    bank=BANK,
)
tool(
    "redeem_rewards",
    "how_to_redeem_rewards",
    "Explain how points of a card are turned into money.",
    "steps: [open Rewards in the app, choose cash or vouchers, confirm]; minimum: {points} points",
    "Open Rewards in the app, choose cash or vouchers and confirm; from {points} points on.",
    "In the app under Rewards, from {points} points on: choose cash or vouchers, then confirm.",
    card=CARD,
    bank=BANK,
)
tool(
    "credit_limit",
    "card_limit",
    "Tell how much may be spent with a credit card.",
    "limit: {sum}",
    "The limit is {sum}.",
    "You can spend up to {sum}.",
    card=CARD,
    bank=BANK,
)
tool(
    "rewards_balance",
    "reward_points",
    "Tell how many reward points a card has collected.",
    "points: {points}",
    "You have {points} points.",
    "{points} points so far.",
    card=CARD,
    bank=BANK,
)
tool(
    "application_status",
    "card_application_status",
    "Tell how far an application for a credit card is.",
    "status: under review; decision: {date}",
    "It is under review; they decide by {date}.",
    "Still under review. The decision is due on {date}.",
    card=CARD,
    bank=BANK,
)
tool(
    "credit_score",
    "get_credit_score",
    "Tell the user's credit score.",
    "score: {score}; as_of: {date}",
    "Your score is {score}, as of {date}.",
    "{score}, measured on {date}.",
)
tool(
    "new_card",
    "apply_for_card",
    "Apply for a new credit card.",
    "status: application sent; reference: {code}",
    "The application {code} is on its way.",
    "Applied, reference {code}.",
    never=HOW + "|information",
    card=CARD,
    bank=BANK,
)
tool(
    "international_fees",
    "foreign_fees",
    "Tell what paying abroad with a card costs extra.",
    "fee: {percent} of each payment",
    "The fee is {percent} of each payment.",
    "Each payment abroad costs {percent} extra.",
    card=CARD,
    bank=BANK,
)
