"""Replies drawn from a model: in batches, with one prefill for all that share a prompt.

The chance in a sample depends on its own seed alone: each step draws one uniform number and inverts
the distribution with it. So a sample is the same whatever else is in its batch, on one process or
several, in a run that was resumed or not (up to rounding, which float32 leaves next to nothing of).

Prompts are left-padded and sorted by length. Rows that have ended leave the batch, so a step costs
what the replies still going on cost. Both move rows of the cache about, which layers of linear
attention allow as well as others.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import Tensor
from transformers.cache_utils import DynamicLayer

logger = logging.getLogger(__name__)
WAVE_TOKENS = 65_536
"""Tokens, padding and room for replies included, that one batch may hold in its cache."""
PREFILL_TOKENS = 16_384
"""Tokens that go through the model at once before sampling starts."""
TELL_S = 30.0
"""Seconds without a word while many replies are drawn."""
SHRINK = 0.75
"""Rows are taken out of the batch once fewer than this share of them goes on."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One reply to be drawn: after which tokens, by which chance, how long at most."""

    prompt: tuple[int, ...]
    seed: int
    limit: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A reply: ids, the end token included, each with its log-probability; and if it was cut off.

    The log-probabilities are those of the model at the sampling temperature, before top-k and
    top-p, as training computes them.
    """

    ids: list[int] = field(default_factory=list)
    logps: list[float] = field(default_factory=list)
    cut: bool = True


class Sampler(Protocol):
    """Whatever draws replies; the result has the order of the draws."""

    def __call__(self, draws: Sequence[Draw]) -> list[Drawn]:
        """One reply for each draw."""
        ...


@dataclass(frozen=True)
class TorchSampler:
    """The model itself, on its own device.

    Attributes:
        model: a causal language model of transformers.
        end: the token that ends a reply.
        temperature, top_p, top_k: as in recipes; a temperature of 0 takes the likeliest token.
    """

    model: Any
    end: int
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0

    def __call__(self, draws: Sequence[Draw]) -> list[Drawn]:
        """See ``Sampler``."""
        found = [Drawn() for _ in draws]
        told, done = time.monotonic(), 0
        training = self.model.training
        self.model.eval()
        try:
            with torch.no_grad():
                for wave in _waves(draws):
                    self._wave(draws, wave, found)
                    done += len(wave)
                    if time.monotonic() - told > TELL_S and done < len(draws):
                        told = time.monotonic()
                        logger.info("%d of %d replies drawn", done, len(draws))
        finally:
            self.model.train(training)
        return found

    def _wave(self, draws: Sequence[Draw], rows: list[int], found: list[Drawn]) -> None:
        device = self.model.device
        logits, cache, mask = self._prefill(draws, rows)
        chance = _chances([draws[n] for n in rows]).to(device)
        step = 0
        while rows:
            tokens, logps = self._pick(logits, chance[:, step])
            going = []
            for at, (n, token, logp) in enumerate(
                zip(rows, tokens.tolist(), logps.tolist(), strict=True)
            ):
                reply = found[n]
                if reply.cut and len(reply.ids) < draws[n].limit:
                    reply.ids.append(token)
                    reply.logps.append(logp)
                    if token == self.end:
                        found[n] = Drawn(reply.ids, reply.logps, cut=False)
                    elif len(reply.ids) < draws[n].limit:
                        going.append(at)
            if not going:
                return
            if len(going) < SHRINK * len(rows):
                kept = torch.tensor(going, device=device)
                cache.reorder_cache(kept)
                rows = [rows[at] for at in going]
                tokens, chance, mask = tokens[kept], chance[kept], mask[kept]
            mask = torch.cat([mask, mask.new_ones(len(rows), 1)], 1)
            logits = self.model(
                input_ids=tokens[:, None],
                attention_mask=mask,
                position_ids=mask.sum(-1, keepdim=True) - 1,
                cache=cache,
                use_cache=True,
            ).logits[:, -1]
            step += 1

    def _prefill(self, draws: Sequence[Draw], rows: Sequence[int]) -> tuple[Tensor, Any, Tensor]:
        """Logits after the prompt, cache and attention mask of every row."""
        prompts = list(dict.fromkeys(draws[n].prompt for n in rows))
        place = {prompt: at for at, prompt in enumerate(prompts)}
        repeat = torch.tensor([place[draws[n].prompt] for n in rows], device=self.model.device)
        width = max(map(len, prompts))
        ids = torch.zeros(len(prompts), width, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for at, prompt in enumerate(prompts):
            ids[at, width - len(prompt) :] = torch.tensor(prompt)
            mask[at, width - len(prompt) :] = 1
        ids, mask = ids.to(self.model.device), mask.to(self.model.device)
        out = self.model(
            input_ids=ids,
            attention_mask=mask,
            position_ids=(mask.cumsum(-1) - 1).clamp(min=0),
            use_cache=True,
            logits_to_keep=1,
        )
        more = max(draws[n].limit for n in rows)
        out.cache.layers = [
            Roomy(layer, repeat, more) if type(layer) is DynamicLayer else _taken(layer, repeat)
            for layer in out.cache.layers
        ]
        return out.logits[repeat, -1], out.cache, mask[repeat]

    def _pick(self, logits: Tensor, chance: Tensor) -> tuple[Tensor, Tensor]:
        logps = (logits.float() / (self.temperature or 1.0)).log_softmax(-1)
        if self.temperature == 0:
            tokens = logps.argmax(-1)
        else:
            reach = self._cut(logps).exp().cumsum(-1, dtype=torch.float64)
            tokens = torch.searchsorted(reach, chance[:, None] * reach[:, -1:], right=True)[:, 0]
            tokens = tokens.clamp(max=logps.shape[-1] - 1)
        return tokens, logps.gather(-1, tokens[:, None])[:, 0]

    def _cut(self, logps: Tensor) -> Tensor:
        """Without the tokens that top-k and top-p leave out."""
        if self.top_k and self.top_k < logps.shape[-1]:
            least = logps.topk(self.top_k).values[:, -1:]
            logps = logps.masked_fill(logps < least, -torch.inf)
        if self.top_p < 1:
            ranked, order = logps.softmax(-1).sort(descending=True, stable=True)
            beyond = ranked.cumsum(-1) - ranked >= self.top_p
            logps = logps.masked_fill(beyond.gather(-1, order.argsort(-1)), -torch.inf)
        return logps


class Roomy(DynamicLayer):
    """Keys and values [batch, heads, tokens, size] of one layer, with room for what follows.

    The layer it is made of copies all it has at each token, which costs more than the token itself.

    Args:
        layer: after the prompts.
        rows: which of its rows are taken, in order.
        more: tokens that may follow.
    """

    def __init__(self, layer: DynamicLayer, rows: Tensor, more: int) -> None:
        super().__init__()
        assert layer.keys is not None
        assert layer.values is not None
        self.lazy_initialization(layer.keys, layer.values)
        self._rooms = tuple(_roomy(each, rows, more) for each in (layer.keys, layer.values))
        self._show(layer.keys.shape[-2])

    def _show(self, length: int) -> None:
        self.keys, self.values = (room[:, :, :length] for room in self._rooms)

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Write what is new behind what is there; all of it is given back."""
        before = self.get_seq_length()
        after = before + key_states.shape[-2]
        for room, fresh in zip(self._rooms, (key_states, value_states), strict=True):
            room[:, :, before:after] = fresh
        self._show(after)
        assert self.keys is not None
        assert self.values is not None
        return self.keys, self.values

    def reorder_cache(self, beam_idx: Tensor) -> None:
        """Keep these rows."""
        length = self.get_seq_length()
        self._rooms = tuple(room.index_select(0, beam_idx) for room in self._rooms)
        self._show(length)


def _roomy(states: Tensor, rows: Tensor, more: int) -> Tensor:
    _, heads, length, size = states.shape
    room = states.new_empty(len(rows), heads, length + more, size)
    room[:, :, :length] = states[rows]
    return room


def _taken(layer: Any, rows: Tensor) -> Any:
    layer.reorder_cache(rows)
    return layer


def _waves(draws: Sequence[Draw]) -> list[list[int]]:
    """Batches of draws: short prompts first, equal prompts side by side, each within the limits."""
    order = sorted(range(len(draws)), key=lambda n: (len(draws[n].prompt), draws[n].prompt, n))
    waves: list[list[int]] = []
    room = prompts = 0
    for n in order:
        draw = draws[n]
        assert draw.prompt, "a reply follows a prompt"
        room = max(room, len(draw.prompt) + draw.limit)
        fresh = not waves or draws[waves[-1][-1]].prompt != draw.prompt
        prompts += fresh
        if (
            waves
            and room * (len(waves[-1]) + 1) <= WAVE_TOKENS
            and len(draw.prompt) * prompts <= PREFILL_TOKENS
        ):
            waves[-1].append(n)
        else:
            waves.append([n])
            room, prompts = len(draw.prompt) + draw.limit, 1
    return waves


def _chances(draws: Sequence[Draw]) -> Tensor:
    """A uniform number for each step of each row."""
    longest = max(draw.limit for draw in draws)
    chance = torch.empty(len(draws), longest, dtype=torch.float64)
    for row, draw in zip(chance, draws, strict=True):
        row[: draw.limit] = torch.rand(
            draw.limit, dtype=torch.float64, generator=torch.Generator().manual_seed(draw.seed)
        )
    return chance


@dataclass(frozen=True)
class VllmSampler:
    """vLLM through TRL, which has it in this process; chance and settings are the engine's own.

    Attributes:
        engine: ``VLLMGeneration`` of a TRL trainer, one prompt one reply.
        end: the token that ends a reply.
    """

    engine: Any
    end: int

    def __call__(self, draws: Sequence[Draw]) -> list[Drawn]:
        """See ``Sampler``. A reply that runs over its limit is cut there."""
        if not draws:
            return []
        _, ids, logps, _ = self.engine.generate([list(draw.prompt) for draw in draws], None, 1)
        made = []
        for draw, reply, steps in zip(draws, ids, logps, strict=True):
            kept = list(reply)[: draw.limit]
            known = [math.nan if logp is None else logp for [logp] in steps[: draw.limit]]
            made.append(Drawn(kept, known, cut=kept[-1:] != [self.end]))
        return made
