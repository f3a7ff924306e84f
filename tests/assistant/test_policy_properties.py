"""The policy keeps its promises, and the tests would notice if it did not.

Each mutant is a small, deliberate breakage of the real source, one that a tired reviewer might let
pass. All must be caught by the properties in ``policy_model``.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.assistant.policy_model import PROPERTIES, Build, build, caught


@pytest.mark.parametrize("check", PROPERTIES, ids=lambda check: check.__name__)
def test_the_policy_keeps_its_promises(check: Callable[[Build], None]) -> None:
    check(build())


MUTANTS: dict[str, tuple[str, str, str]] = {
    "mildest rule wins": (
        "policy",
        "strictest = max(rule.verdict for rule in matching)",
        "strictest = min(rule.verdict for rule in matching)",
    ),
    "first rule wins": (
        "policy",
        "strictest = max(rule.verdict for rule in matching)",
        "strictest = matching[0].verdict",
    ),
    "last rule wins": (
        "policy",
        "strictest = max(rule.verdict for rule in matching)",
        "strictest = matching[-1].verdict",
    ),
    "what is not mentioned is asked": (
        "policy",
        "self.otherwise.get(tool.effect, Verdict.DENY)",
        "self.otherwise.get(tool.effect, Verdict.ASK)",
    ),
    "a broken file is an empty one that allows reads": (
        "policy",
        "        if self.problem:\n",
        '        if self.problem and action.tool.effect == "read":\n'
        '            return Decision(Verdict.ALLOW, ("?",))\n'
        "        if self.problem:\n",
    ),
    "a broken file is not noticed": (
        "policy",
        "return cls(problem=str(error))",
        'return parse(\'[[rule]]\\nverdict = "allow"\\ntool = "*"\\n\')',
    ),
    "a file that all may write counts": ("policy", "st_mode & 0o002", "st_mode & 0"),
    "a broad rule allows what cannot be undone": (
        "policy",
        "and action.irreversible\n",
        "and False\n",
    ),
    "a rule that does not fit names the tool": (
        "policy",
        "any(rule.names(tool.name) for rule in deciding)",
        "any(rule.names(tool.name) for rule in self.rules)",
    ),
    "labels are skipped": (
        "policy",
        "labelled = label_decision(action)",
        "labelled = Decision(Verdict.ALLOW)",
    ),
    "labels replace the rules": (
        "policy",
        "labelled.verdict >= ruled.verdict and labelled.verdict > Verdict.ALLOW",
        "labelled.verdict > Verdict.ALLOW",
    ),
    "an untrusted destination is only asked": (
        "policy",
        'return Decision(Verdict.DENY, (reason,), "untrusted destination")',
        'return Decision(Verdict.ASK, (reason,), "untrusted destination")',
    ),
    "no destination counts": (
        "policy",
        "if name in tool.destinations]\n    if places:",
        "if name in tool.destinations[:0]]\n    if places:",
    ),
    "untrusted arguments do not matter": (
        "policy",
        "    if untrusted:\n",
        "    if False:\n",
    ),
    "who chose the call does not matter": (
        "policy",
        "if action.labels.control is Source.UNTRUSTED:",
        "if False:",
    ),
    "reads may carry anything out": (
        "policy",
        "if untrusted and leaves:",
        "if False:",
    ),
    "the web counts as one's own": ("policy", '"files", "home"),', '"files", "home", "web"),'),
    "permissions reach other endpoints": (
        "policy",
        '("local" if permit else "*")',
        '"*"',
    ),
    "restrictions do not reach other endpoints": (
        "policy",
        '("local" if permit else "*")',
        '"local"',
    ),
    "the effect is not looked at": (
        "policy",
        "(not self.effects or tool.effect in self.effects)",
        "True",
    ),
    "conditions are not looked at": (
        "policy",
        "or not holds(test, value, permit=permit)",
        "or False",
    ),
    "destination conditions are not looked at": (
        "policy",
        "if not holds(self.destination, places, permit=permit):",
        "if False:",
    ),
    "label conditions are not looked at": (
        "policy",
        "if not self.at_least <= worst(action) <= self.at_most:",
        "if False:",
    ),
    "a grant lifts denials": (
        "policy",
        "if decision.verdict is not Verdict.ASK or worst(action)",
        "if decision.verdict is Verdict.ALLOW or worst(action)",
    ),
    "a grant covers text by others": (
        "policy",
        "is not Verdict.ASK or worst(action) is Source.UNTRUSTED:",
        "is not Verdict.ASK:",
    ),
    "void grants are not reported": ("policy", "(*decision.reasons, *void)", "decision.reasons"),
    "one good recipient is enough": (
        "conditions",
        "bool(answers) and all(answer is True for answer in answers)",
        "any(answer is True for answer in answers)",
    ),
    "doubt permits": (
        "conditions",
        "all(answer is True for answer in answers)",
        "all(answer is not False for answer in answers)",
    ),
    "doubt does not restrict": (
        "conditions",
        "any(answer is not False for answer in answers)",
        "any(answer is True for answer in answers)",
    ),
    "nothing to look at permits": (
        "conditions",
        "return bool(answers) and all(",
        "return all(",
    ),
    "dots in a path are looked through": (
        "conditions",
        'if not path.is_absolute() or ".." in path.parts:',
        "if not path.is_absolute():",
    ),
    "bounds are swapped": (
        "conditions",
        'number >= bound if kind == "min"',
        'number >= bound if kind == "max"',
    ),
    "a changed definition does not matter": (
        "grants",
        "if self.fingerprint != action.tool.fingerprint:",
        "if False:",
    ),
    "another endpoint does not matter": (
        "grants",
        "if self.endpoint != action.endpoint:",
        "if False:",
    ),
    "grants do not run out": (
        "grants",
        "if self.until and now >=",
        "if False and now >=",
    ),
    "grants run out a day late": (
        "grants",
        "moment.date() + timedelta(days=1)",
        "moment.date() + timedelta(days=2)",
    ),
    "conversation grants outlive the day": (
        "grants",
        "timedelta(hours=24)",
        "timedelta(days=24)",
    ),
    "a grant holds in every conversation": (
        "grants",
        "if self.conversation and self.conversation != action.conversation:",
        "if False:",
    ),
    "a grant holds for every tool": (
        "grants",
        "if self.tool != action.tool.name:\n            return False",
        "if self.tool != action.tool.name:\n            return True",
    ),
    "a grant holds for all arguments": (
        "grants",
        "return canonical(exact) == canonical(approved) and all(",
        "return all(",
    ),
    "a pattern frees the other arguments": (
        "grants",
        "if name not in self.pattern}",
        "if name not in self.pattern and not self.pattern}",
    ),
    "a grant is remembered for text by others": (
        "grants",
        "if worst(action) is Source.UNTRUSTED:",
        "if False:",
    ),
    "parts of words count": (
        "provenance",
        'if f" {value} " in self._text:',
        "if value in self._text:",
    ),
    "look-alikes are folded": (
        "provenance",
        '" ".join(_fold(leaf).split())',
        '" ".join(_fold(unicodedata.normalize("NFKC", leaf)).split())',
    ),
    "hidden characters are dropped": (
        "provenance",
        '" ".join(_fold(leaf).split())',
        '" ".join(_fold(leaf.replace("\\u200b", "")).split())',
    ),
    "a new message clears the taint": (
        "provenance",
        "        self._latest = _Words()\n",
        "        self._latest = _Words()\n        self._tainted = False\n",
    ),
    "untrusted output is not noticed": (
        "provenance",
        "elif tool.untrusted_output or tool.service in self._written:",
        "elif tool.service in self._written:",
    ),
    "an echo is trusted": (
        "provenance",
        "if Source.UNTRUSTED in labels.arguments.values():",
        "if False:",
    ),
    "what was written comes back trusted": (
        "provenance",
        "self._written.add(tool.service)",
        "pass",
    ),
    "an unlabelled argument is trusted": (
        "provenance",
        "Source.UNTRUSTED if name in given else Source.TRUSTED",
        "Source.TRUSTED",
    ),
    "the best part of a value counts": (
        "provenance",
        "return max(self._leaf(leaf",
        "return min(self._leaf(leaf",
    ),
    "the best of several recipients counts": (
        "provenance",
        "return max(self._leaf(part",
        "return min(self._leaf(part",
    ),
    "keys are not values": (
        "provenance",
        "if key not in properties:\n                yield key, {}",
        "if key not in properties:\n                pass",
    ),
    "a short value counts from any message": (
        "provenance",
        "(self._latest if weak else self._user)",
        "self._user",
    ),
    "common words name a place": (
        "provenance",
        "if destination and text.casefold() in _COMMON:",
        "if False:",
    ),
    "who chose the call is forgotten": (
        "provenance",
        "Source.UNTRUSTED if steered else Source.USER)",
        "Source.USER)",
    ),
    "the model's wording stays its own after text by others": (
        "provenance",
        "if not self._tainted or (not destination and _listed(leaf, schema)):",
        "if not destination or not self._tainted:",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str) -> None:
    assert caught(build(*MUTANTS[name]), MUTANTS[name][0]), f"no property notices that {name}"


def test_there_are_enough_mutants() -> None:
    assert len(MUTANTS) >= 12
