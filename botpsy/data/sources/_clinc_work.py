"""CLINC150 at work, as tools."""

from __future__ import annotations

from botpsy.data.sources._clinc_tools import HOW, needed, tool

_CLOCK = r"\b(\d{1,2}(?::\d\d)? ?[ap]\.?m\.?|noon|midnight)(?!\w)"

tool(
    "pto_request_status",
    "leave_request_status",
    "Tell whether a request for days off was approved.",
    "status: approved; by: {person}",
    "It was approved by {person}.",
    "Yes, {person} has approved it.",
    never=r"\d",
)
tool(
    "next_holiday",
    "coming_holiday",
    "Tell when the next public holiday is.",
    "holiday: {holiday}; in_days: {days}",
    "{holiday}, in {days} days.",
    "The next is {holiday}, {days} days from now.",
)
tool(
    "insurance_change",
    "change_insurance_plan",
    "Start a change of the health insurance plan.",
    "status: form sent; until: {date}",
    "The form is in your mail; send it back by {date}.",
    "I sent you the form. The deadline is {date}.",
    never=r"shop|good|is (new|this)|who|where",
)
tool(
    "insurance",
    "insurance_benefits",
    "Tell what the user's health insurance covers.",
    "plan: Standard; covers: [doctors, hospital, teeth up to {sum}]",
    "The Standard plan: doctors, hospital, and teeth.",
    "Your plan, Standard, covers doctors, hospital and teeth.",
)
tool(
    "meeting_schedule",
    "list_meetings",
    "List the meetings of the day.",
    "meetings: [{meeting} at {time}]",
    "One today: {meeting} at {time}.",
    "{meeting} at {time}, nothing else.",
    never=r"\d|tomorrow|week|next|with|between|how many|noon|afternoon|morning|dev|gang|boss",
)
tool(
    "payday",
    "next_payday",
    "Tell when the next salary comes.",
    "date: {date}",
    "On {date}.",
    "You are paid on {date}.",
    never=r"how much|last|did i",
)
tool(
    "taxes",
    "tax_estimate",
    "Estimate the user's taxes.",
    "federal: {sum}; state: {sum2}",
    "About {sum} federal and {sum2} state tax.",
    "{sum} for the federation, {sum2} for the state.",
    never=r"\d|tennessee|on this|refund|over|file|form",
)
tool(
    "income",
    "salary_info",
    "Tell the user's salary.",
    "yearly: ${many},000",
    "${many},000 a year.",
    "You earn ${many},000 a year.",
    never=r"week|month|hour|day|average",
)
tool(
    "rollover_401k",
    "retirement_rollover_guide",
    "Explain how a 401k is moved to another plan.",
    "steps: [open the new account, ask the old plan for a transfer, check after {days} days]",
    "Open the new account, ask the old plan for a direct transfer, and check after {days} days.",
    "New account first, then a direct transfer from the old plan; look again after {days} days.",
)
tool(
    "pto_balance",
    "vacation_days_left",
    "Tell how many days off are left.",
    "left: {days} days",
    "You have {days} days left.",
    "{days} days.",
    never=r"used|hours|enough|can i",
)
tool(
    "pto_request",
    "request_leave",
    "Ask for days off.",
    "status: requested; reference: {code}",
    "Requested from {first} to {last} ({code}).",
    "The request {code} is in: {first} to {last}.",
    never=HOW + r"|\d{1,2}/",
    first=needed(
        "First day",
        r"(?:from|for|dates|of|starting|on)(?: the dates?)? ((?:jan|feb|mar|apr|may|jun|jul|aug"
        r"|sep|oct|nov|dec)"
        r"[a-z]* \d{1,2}(?:st|nd|rd|th)?)(?= to| through| until)",
    ),
    last=needed(
        "Last day",
        r"(?:to|through|until) ((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* "
        r"\d{1,2}(?:st|nd|rd|th)?)\b",
    ),
)
tool(
    "w2",
    "find_w2_form",
    "Tell where the user's W-2 form is.",
    "place: the payroll site, under Documents",
    "On the payroll site, under Documents.",
    "You find it on the payroll site under Documents.",
)
tool(
    "schedule_meeting",
    "reserve_meeting_room",
    "Reserve a meeting room.",
    "room: {few}; time: {start}",
    "Room {few} is yours at {start}.",
    "Reserved: room {few}, {start}.",
    never=HOW + "|with|are (any|there)|tomorrow|day|to \\d|until",
    start=needed("When", _CLOCK),
)
tool(
    "direct_deposit",
    "direct_deposit_setup",
    "Set up that the salary goes straight to the bank.",
    "status: form ready; starts: {date}",
    "The form is ready; it starts on {date}.",
    "From {date} your pay goes straight to the bank, once you sign the form.",
    never=HOW + "|instructions|learn",
)
tool(
    "pto_used",
    "vacation_days_used",
    "Tell how many days off were taken so far.",
    "used: {days} days",
    "{days} days so far.",
    "You have taken {days} days.",
    never=r"kind|month",
)
