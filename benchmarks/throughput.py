"""Whether an evaluation keeps an engine busy: tokens a second of ``botpsy eval``'s runner with
several cases in flight, against the engine's own with as many bare requests in flight.

    python benchmarks/throughput.py --base MODEL.gguf [--flight 8] [--cases 48] [--rounds 3]

The engine is llama.cpp's server in a process of its own, with as many slots as there are cases in
flight. Bare requests are posted by threads that do nothing else. Rounds alternate; the first of
each is warm-up. ``--wait MS`` takes a server instead that sleeps so long for each reply: what is
left is the runner's own part, undisturbed by a model on the same cores.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import socket
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

from botpsy.chat.types import Message, Sampling
from botpsy.engines import load
from botpsy.evals.case import Case, Leaf, Suite, Talk, Verdict, passed
from botpsy.evals.record import Records
from botpsy.evals.run import Settings, run

TOKENS = 48
TEXTS = ("a lighthouse", "rain on a tin roof", "a train at night", "bread", "an old map", "snow")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", type=Path)
    parser.add_argument("--flight", type=int, default=8)
    parser.add_argument("--cases", type=int, default=48)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--wait", type=float, default=0.0, help="milliseconds a reply")
    asked = parser.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    work: Any = (slow, asked.wait, port) if asked.wait else (llama, asked.base, port, asked.flight)
    server = multiprocessing.get_context("spawn").Process(target=work[0], args=work[1:])
    server.start()
    url = f"http://127.0.0.1:{port}/v1"
    try:
        ready(url)
        rates: dict[str, list[float]] = {"bare": [], "eval": []}
        ways: dict[str, Callable[[], int]] = {
            "bare": lambda: bare(url, asked.flight, asked.cases),
            "eval": lambda: evaluated(url, asked.flight, asked.cases),
        }
        for n in range(asked.rounds + 1):
            for name, way in ways.items():
                began = time.perf_counter()
                tokens = way()
                rate = tokens / (time.perf_counter() - began)
                if n:
                    rates[name].append(rate)
                    print(f"{name:4} {rate:8.1f} tokens/s", flush=True)
        middle = {name: statistics.median(some) for name, some in rates.items()}
        print(f"medians: {middle['eval']:.1f} of {middle['bare']:.1f} tokens/s,"
              f" {middle['eval'] / middle['bare']:.3f}")  # fmt: skip
    finally:
        server.kill()
        server.join()


def text(n: int) -> str:
    return f"Write three sentences about {TEXTS[n % len(TEXTS)]}, number {n}."


def bare(url: str, flight: int, cases: int) -> int:
    with httpx.Client(timeout=600, trust_env=False) as client, ThreadPoolExecutor(flight) as pool:

        def ask(n: int) -> int:
            body = {"model": "m", "messages": [{"role": "user", "content": text(n)}],
                    "max_tokens": TOKENS, "temperature": 0.0, "seed": 1}  # fmt: skip
            answer = client.post(f"{url}/chat/completions", json=body)
            return int(answer.raise_for_status().json()["usage"]["completion_tokens"])

        return sum(pool.map(ask, range(cases)))


def evaluated(url: str, flight: int, cases: int) -> int:
    def made(_: Path) -> Iterable[Case]:
        return (Case(str(n), "texts", {"n": n}) for n in range(cases))

    def play(case: Case, talk: Talk) -> Verdict:
        return passed(bool(talk.ask([Message("user", text(case.data["n"]))]).raw))

    suite = Suite("texts", "Texts", "", made, play, lambda case: None, (Leaf("texts"),))
    sampling = Sampling(temperature=0.0, max_tokens=TOKENS, presence_penalty=0.0, thinking=False)
    with tempfile.TemporaryDirectory() as folder:
        records = Records(Path(folder))
        settings = Settings(sampling, concurrency=flight)
        engine = load(url)
        run(suite, list(made(Path())), {"model": [engine]}, records, settings)
        engine.close()
        return sum(
            turn.completion.usage.completion_tokens
            for record in records.last()
            for turn in record.turns
        )


def ready(url: str) -> None:
    for _ in range(600):
        try:
            if httpx.get(f"{url}/models", trust_env=False).is_success:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.2)
    raise SystemExit("The server does not come up.")


def llama(base: Path, port: int, flight: int) -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(base)
    params.n_ctx = flight * 1024
    params.n_parallel = flight
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.verbosity = -1
    params.ui = False
    server = xllamacpp.Server(params)
    time.sleep(10**6)
    del server


def slow(wait_ms: float, port: int) -> None:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: Any) -> None:
            pass

        def do_GET(self) -> None:
            self.send({"object": "list", "data": [{"id": "m"}]})

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            time.sleep(wait_ms / 1000)
            usage = {"prompt_tokens": 9, "completion_tokens": TOKENS, "total_tokens": TOKENS + 9}
            message = {"role": "assistant", "content": "word " * TOKENS}
            if not asked.get("stream"):
                self.send({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                           "usage": usage})  # fmt: skip
                return
            first = {"choices": [{"index": 0, "delta": message, "finish_reason": None}]}
            last = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
                    "usage": usage}  # fmt: skip
            lines = [f"data: {json.dumps(each)}\n\n" for each in (first, last)]
            self.send("".join(lines) + "data: [DONE]\n\n", "text/event-stream")

        def send(self, answer: Any, kind: str = "application/json") -> None:
            body = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    main()
