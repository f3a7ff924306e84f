"""Which tool fits a request, if any: for a model that cannot tell by itself.

The order is that of ``selection.rank``. A tool fits when the request's best tool scores high enough
for a request of that many, and that rare, words. A question gets tools that only read: "is the
door locked" must not lock it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

from botpsy.assistant.selection import _features, _index, _is_word
from botpsy.chat.types import ToolSpec
from botpsy.tools.base import ToolDef

MIN_FIT = 0.65
"""Set on training data of CLINC150 and HWU64: three quarters of what no tool can do is declined."""
_QUESTION = re.compile(
    r"\W*(?:(?:is|are|am|was|were|did|does|has|what|which|who|whose|when|where|why|how)\b"
    r"|(?:do|have) (?:i|we|you|they|the|my)\b|(?:what|who|where|when|how)['’]?s\b)",
    re.IGNORECASE,
)


def chooser(tools: Mapping[str, ToolDef]) -> Callable[[str, Sequence[ToolSpec]], str | None]:
    """A function (request, tools on offer) -> the name of the one that fits, None for none."""
    everything = tuple(tools.values())

    def choose(request: str, offered: Sequence[ToolSpec]) -> str | None:
        scores = _index(everything).scores(request)
        names = {spec.name for spec in offered}
        asks = _QUESTION.match(request) is not None
        here = [
            (score, tool.name)
            for score, tool in zip(scores, everything, strict=True)
            if tool.name in names and not (asks and tool.effect != "read")
        ]
        score, name = max(here, key=lambda pair: pair[0], default=(0.0, ""))
        return name if score >= MIN_FIT * _weight(request, everything) > 0 else None

    return choose


def _weight(request: str, tools: tuple[ToolDef, ...]) -> float:
    """The length of the request's words as a vector; words that no tool knows count as rarest."""
    rarity, rarest = _index(tools).rarity, math.log(1 + len(tools))
    words = filter(_is_word, _features(request))
    return math.sqrt(sum(rarity.get(word, rarest) ** 2 for word in words))
