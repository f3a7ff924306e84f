"""Which CPU number format for the default model: speed, size, and what it costs in quality.

    python benchmarks/quantizations.py SOURCE.gguf [--folder DIR] [--repeats 5]

Each format is loaded in a fresh process. Speeds are the best of several runs, as other load on
the machine can only slow a run down. Quality is measured against the source file, teacher-forced
at every word of a text: mean Kullback-Leibler divergence in nats over the source's 500 likeliest
tokens and one bin for all others (a lower bound of the true figure), and how often the likeliest
next token stays the same.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from botpsy.engines.quantize import quantize

TOP = 500
TEXT = """<|im_start|>system
You are a helpful assistant on the user's own machine.<|im_end|>
<|im_start|>user
The plumber can come on Thursday morning or on Friday after lunch. I have to be at the office on \
Thursday until one, so please put him into my calendar for Friday, and remind me the evening \
before to clear out the cupboard under the sink. Then tell me what I need to know about old \
copper pipes.<|im_end|>
<|im_start|>assistant
<tool_call>
<function=create_event>
<parameter=title>
Plumber
</parameter>
<parameter=start>
Friday after lunch
</parameter>
</function>
</tool_call><|im_end|>
<|im_start|>assistant
The plumber is in your calendar for Friday. Copper pipes last for fifty years and more, but two \
things shorten their life. The first is acidic water, which eats the metal from the inside until \
small green spots appear on the outside of the pipe. The second is a bad joint: where copper \
touches steel without an insulating fitting, the steel rusts quickly, because the two metals form \
a small battery. If you see green or white crusts around a joint, show them to the plumber, and \
ask him to check the pressure, which should lie between two and four bar. Before he arrives, find \
the main valve and make sure that it turns. Houses built before the war often have pipes of lead, \
which are grey, soft and dull; they should be replaced, since lead is harmful even in small \
amounts, above all to children.<|im_end|>
"""


def server(path: Path) -> Any:
    """The model, in process, on every core that this process may use."""
    import xllamacpp

    threads = len(os.sched_getaffinity(0))
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel, params.verbosity = 2048, 1, -1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    return xllamacpp.Server(params)


def distributions(model: Any) -> list[dict[str, float]]:
    """At each word of TEXT, the likeliest next tokens and their natural-log probabilities."""
    found = []
    words = TEXT.split(" ")
    for end in range(20, len(words)):
        request = {
            "prompt": " ".join(words[:end]),
            "n_predict": 1,
            "temperature": 0.0,
            "n_probs": TOP,
            "logprobs": TOP,
            "cache_prompt": True,
        }
        answer = model.handle_completions(request)
        top = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        found.append({str(entry["id"]): float(entry["logprob"]) for entry in top})
    return found


def measure(path: Path, repeats: int) -> dict[str, Any]:
    """Figures of one file; meant to run in a process of its own."""
    started = time.perf_counter()
    model = server(path)
    load_s = time.perf_counter() - started
    prefill, decode = [], []
    for number in range(repeats):
        # A changed first word keeps the prompt cache out of it.
        request = {"prompt": f"{number} {TEXT}", "n_predict": 128, "temperature": 0.0}
        timings = model.handle_completions(
            {**request, "ignore_eos": True, "timings_per_token": True, "cache_prompt": False}
        )["timings"]
        prefill.append(timings["prompt_per_second"])
        decode.append(timings["predicted_per_second"])
    return {
        "load_s": load_s,
        "prefill": max(prefill),
        "decode": max(decode),
        "distributions": distributions(model),
    }


def divergence(reference: dict[str, float], other: dict[str, float]) -> float:
    """KL(reference || other) in nats over shared tokens and one bin for all the rest."""
    shared = reference.keys() & other.keys()
    total = sum(math.exp(reference[t]) * (reference[t] - other[t]) for t in shared)
    rest = [max(1e-9, 1 - sum(math.exp(d[t]) for t in shared)) for d in (reference, other)]
    return total + rest[0] * math.log(rest[0] / rest[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("source", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("/tmp/botpsy-quantizations"))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.source, options.repeats)))
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    files = {"source": options.source}
    for kind in ("Q4_0", "Q8_0"):
        files[kind] = options.folder / f"{kind}.gguf"
        quantize(options.source, files[kind], kind)
    results = {}
    for name, path in files.items():
        command = [sys.executable, __file__, str(path), "--one", "--repeats", str(options.repeats)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        results[name] = json.loads(output.splitlines()[-1])
    print("| format | MB | load s | prefill tok/s | decode tok/s | KL, nats | same first choice |")
    print("|---|---|---|---|---|---|---|")
    reference = results["source"]["distributions"]
    for name, result in results.items():
        pairs = list(zip(reference, result["distributions"], strict=True))
        kl = sum(divergence(a, b) for a, b in pairs) / len(pairs)
        same = sum(max(a, key=a.__getitem__) == max(b, key=b.__getitem__) for a, b in pairs)
        print(
            f"| {name} | {files[name].stat().st_size / 1e6:.1f} | {result['load_s']:.2f} "
            f"| {result['prefill']:.0f} | {result['decode']:.0f} | {kl:.4f} "
            f"| {same / len(pairs):.1%} of {len(pairs)} |"
        )


if __name__ == "__main__":
    main()
