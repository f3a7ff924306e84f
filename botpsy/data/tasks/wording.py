"""How constraints are said, each in several ways, and how they are lifted again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

Constraint = Mapping[str, Any]

SAID: dict[str, tuple[str, ...]] = {
    "words_least": ("Use at least {least} words.", "It needs {least} words or more."),
    "words_most": ("Stay at or under {most} words.", "Use no more than {most} words."),
    "words_between": ("Use between {least} and {most} words.",
                      "Aim for {least} to {most} words, neither fewer nor more."),
    "sentences_exact": ("Write exactly {least} sentence{s}.",
                        "The whole reply has exactly {least} sentence{s}."),
    "sentences_least": ("Write {least} sentence{s} or more.", "Use at least {least} sentence{s}."),
    "sentences_most": ("Write at most {most} sentence{s}.", "No more than {most} sentence{s}."),
    "paragraphs": ("Make it {count} paragraph{s}, with an empty line between paragraphs.",
                   "Blocks split by empty lines: exactly {count} of them."),
    "characters": ("The reply may have at most {most} characters, spaces counted.",
                   "Keep it within {most} characters."),
    "mentions": ('Mention the word "{word}".', 'The word "{word}" has to appear.'),
    "avoids": ("Do not use these words: {words}.", "Leave out the words {words}."),
    "repeats_exact": ('Use the word "{word}" exactly {least} time{s}.',
                      'The word "{word}" appears {least} time{s}, not more and not less.'),
    "repeats_most": ('Use the word "{word}" at most {most} time{s}.',
                     'The word "{word}" may appear {most} time{s} at the most.'),
    "starts": ('Begin the reply with exactly these words: "{phrase}"',
               'The very first words are "{phrase}"'),
    "ends": ('End the reply with exactly these words: "{phrase}"',
             'The last words are "{phrase}" and nothing follows them.'),
    "paragraph_starts": ('Paragraph {number} begins with the word "{word}".',
                         'Let the first word of paragraph {number} be "{word}".'),
    "lower": ("Use small letters only; no capitals anywhere.", "Write everything in lower case."),
    "upper": ("WRITE IN CAPITAL LETTERS ONLY.", "Use capital letters only, no small ones."),
    "capitals": ("Write at least {least} word{s} entirely in capitals.",
                 "Put {least} or more words in full capitals."),
    "without": ("Do not use any of these characters: {marks}", "Avoid the characters {marks}"),
    "without_comma": ("Do without commas.", "There must be no comma in the reply."),
    "bullets": ('Give exactly {count} bullet points, each on a line that begins with "- ".',
                'Use a list of {count} points; each line of it starts with "- ".'),
    "numbered": ("Give a numbered list from 1. to {count}.",
                 'Number your {count} points "1.", "2." and so on, one a line.'),
    "sections": ('Divide it into {count} sections. Above each stands a line "{label} 1", '
                 '"{label} 2" and so on.',
                 'Use {count} sections headed "{label} 1" to "{label} {count}", each heading alone '
                 "on its line."),
    "title": ("Put a title on the first line, written as {left}title{right}.",
              "The first line is a title between {left} and {right}, with the text below it."),
    "separated": ("Write {count} different versions, with a line that is only {mark} between them.",
                  "Give {count} answers that differ. Separate them by a line with {mark} alone."),
    "json": ("Reply with one JSON object only. Its names are {names}, and each value is a text.",
             "The whole reply is a JSON object with exactly the names {names}; all values are "
             "strings."),
    "quoted": ("Put the whole reply in double quotation marks.",
               'Begin and end the reply with the character ", and use it nowhere else.'),
    "blanks": ("Leave at least {count} place{s} to be filled in, in square brackets, such as "
               "[name].",
               "Include {count} or more different placeholders in brackets, like [date]."),
    "postscript": ('Close with a postscript: a last paragraph that begins with "{mark}"',
                   'Add a final paragraph starting with "{mark}"'),
    "emphasised": ("Set at least {count} word{s} or phrase{s} between double stars, **like this**.",
                   "Emphasise {count} or more different parts with **double stars**."),
    "sentence_length": ("No sentence may be longer than {most} words.",
                        "Keep each sentence to {most} words or fewer."),
}  # fmt: skip

LIFTED: dict[str, str] = {
    "starts": "It no longer has to begin in a certain way.",
    "ends": "The closing words I asked for are not needed any more.",
    "lower": "You may use capitals again.",
    "upper": "It need not be in capitals any more.",
    "capitals": "Words in full capitals are not needed any more.",
    "title": "It needs no title any more.",
    "quoted": "The quotation marks around it are not needed any more.",
    "blanks": "The placeholders are not needed after all.",
    "postscript": "The postscript is not needed any more.",
    "emphasised": "The stars around words are no longer needed.",
}


def said(rng: Random, constraint: Constraint) -> str:
    """A constraint in words."""
    given = dict(constraint)
    kind = given.pop("kind")
    count = given.get("count", given.get("least", given.get("most")))
    for name in ("words", "names"):
        if isinstance(given.get(name), Sequence):
            given[name] = ", ".join(f'"{each}"' for each in given[name])
    if kind == "without":
        given["marks"] = " ".join(given["marks"])
    key = kind + _variant(constraint)
    return rng.choice(SAID[key]).format(**given, s="" if count == 1 else "s")


def _variant(constraint: Constraint) -> str:
    least, most = constraint.get("least"), constraint.get("most")
    match constraint["kind"]:
        case "words":
            return "_most" if least is None else "_least" if most is None else "_between"
        case "sentences" | "repeats":
            return "_most" if least is None else "_least" if most is None else "_exact"
        case "without" if constraint["marks"] == ",":
            return "_comma"
        case _:
            return ""
