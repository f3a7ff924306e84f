"""Words and intents of CLINC150 that arguments and offers are held against."""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ALIKE: tuple[frozenset[str], ...] = (
    _set("freeze_account report_fraud report_lost_card"),
    _set("account_blocked card_declined"),
    _set("interest_rate apr"),
    _set("min_payment bill_balance bill_due"),
    _set("bill_balance balance transactions spending_history"),
    _set("damaged_card report_lost_card new_card replacement_card_duration application_status"),
    _set("credit_limit credit_limit_change"),
    _set("redeem_rewards rewards_balance"),
    _set("calories nutrition_info"),
    _set("recipe ingredients_list cook_time meal_suggestion"),
    _set("restaurant_reviews restaurant_suggestion meal_suggestion travel_suggestion"),
    _set("restaurant_reservation confirm_reservation accept_reservations"),
    _set("reminder todo_list"),
    _set("reminder_update todo_list_update calendar_update shopping_list_update alarm timer"),
    _set("order shopping_list_update shopping_list"),
    _set("calendar meeting_schedule reminder"),
    _set("calendar_update schedule_meeting"),
    _set("directions distance traffic uber current_location"),
    _set("oil_change_when oil_change_how last_maintenance schedule_maintenance tire_change"),
    _set("gas mpg gas_type distance"),
    _set("play_music update_playlist next_song what_song"),
    _set("date time timezone next_holiday"),
    _set("exchange_rate measurement_conversion calculator"),
    _set("definition translate spelling"),
    _set("pto_balance pto_used pto_request pto_request_status"),
    _set("insurance insurance_change"),
    _set("payday income direct_deposit"),
    _set("taxes w2"),
    _set("change_accent change_language change_speed whisper_mode"),
    _set("user_name change_user_name"),
    _set("share_location current_location text"),
    _set("make_call text"),
    _set("travel_alert vaccines international_visa"),
    _set("book_flight flight_status"),
    _set("find_phone sync_device"),
)
"""Intents whose tools might stand in for one another: never offered together."""

VAGUE = _set(
    "a an the my me it that this there here them him her us you someone somebody somewhere "
    "another different what which where go going get getting travel traveling traveled trip "
    "place country location work home dad mom do does is are be use something things stuff "
    "order name time when how and or if on off up with for from of to in at please again more "
    "vacation"
)
"""A value of these words alone names nothing."""
NO_VALUE = _set(
    "travel visit overseas entry abroad that this my the there it going to do have get me "
    "your our his her their slave any some somewhere trip country"
)
"""No value has these words."""
VALUES = _set(
    "tomorrow tonight yesterday weekend noon morning afternoon evening monday tuesday "
    "wednesday thursday friday saturday sunday january february march april june july august "
    "september october november december ten fifty hundred thousand aaa amazon boa citicard "
    "comcast delta discovery dte express gold loan marriot master navy southwest spirit "
    "sprint starbucks target united usbank usps verizon walmart cd qtips mug africa argentina "
    "asia australia boston brazil brooklyn buffalo canada cancun central china costa dallas "
    "denver detroit downtown eastern england france germany hawaii houston ireland israel "
    "italy japan kentucky kenya la las lexington london mall mesa mexico miami nashville "
    "pacific paris phoenix portland reno rome russia seattle spain sparks stadium tallahassee "
    "tampa tempe thailand tokyo uk vegas zoo airport chipotle factory garden grill ihop kaya "
    "lobster macaroni olive outback red robin steakhouse butter chicken cleaning food "
    "groceries laundry milk shoes sushi tomato vacuuming wash birthday party cardio insured"
)
"""Words that are frequent in an intent and still values: they must be in an argument."""
MONEY = _set(
    "cable checking electric electricity gas phone power rent savings water chase visa "
    "mastercard amex citibank pnc usaa wells fargo debit"
)
"""The same, where money is concerned."""
