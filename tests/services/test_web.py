"""The web: the contract of search and reading, and a guard that cannot be led astray."""

from __future__ import annotations

import gzip
import ipaddress
import json
import socket
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.errors import ConfigError, ServiceError
from botpsy.services.web import Link, Page, WebService
from botpsy.services.web import guard as guard_module
from botpsy.services.web.guard import fetch, is_public
from botpsy.services.web.memory import MemoryWeb
from botpsy.services.web.searxng import SearxngWeb
from tests.services.servers import Request, Response, as_json, serving

PUBLIC = "93.184.216.34"
PAGES = {
    "/whale": ("Moby Dick", "Herman Melville wrote the novel about the white whale."),
    "/zoo": ("Zoo", "The zoo opens at nine. See /whale for more."),
}


@pytest.fixture(params=["memory", "searxng"])
def web(request: pytest.FixtureRequest) -> Iterator[tuple[WebService, str]]:
    if request.param == "memory":
        base = "https://site.example"
        pages = [Page(f"{base}{path}", title, text) for path, (title, text) in PAGES.items()]
        yield MemoryWeb(pages), base
        return

    def answer(asked: Request) -> Response:
        path = urlsplit(asked.path).path
        if path == "/search":
            query = parse_qs(urlsplit(asked.path).query)
            assert query["format"] == ["json"]
            words = query["q"][0].lower().split()
            found = [
                {"title": title, "url": f"http://{asked.headers['Host']}{path}", "content": text}
                for path, (title, text) in PAGES.items()
                if any(word in text.lower() for word in words)
            ]
            return as_json({"query": "", "results": found, "answers": []})
        if path not in PAGES:
            return Response(404)
        title, text = PAGES[path]
        body = f"<title>{title}</title><nav>menu</nav><main><p>{text}</p></main>"
        return Response(200, body.encode(), {"content-type": "text/html; charset=utf-8"})

    with serving(answer) as url:
        yield SearxngWeb(url, allow=("127.0.0.1",)), url


def test_what_is_found_can_be_read(web: tuple[WebService, str]) -> None:
    service, base = web
    (result,) = service.search("melville")
    assert result.title == "Moby Dick"
    assert result.url == f"{base}/whale"
    assert "white whale" in result.snippet
    page = service.read(result.url)
    assert page.url == result.url
    assert page.title == "Moby Dick"
    assert page.text.strip().endswith("white whale.")


def test_nothing_found_and_nothing_there(web: tuple[WebService, str]) -> None:
    service, base = web
    assert service.search("zeppelin") == []
    with pytest.raises(ServiceError, match="nothing to search"):
        service.search(" ")
    with pytest.raises(ServiceError):
        service.read(f"{base}/nowhere")


class TestSearxng:
    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            (Response(403), "does not give JSON"),
            (Response(500), "answered 500"),
            (Response(302, headers={"location": "http://127.0.0.1:1/"}), "answered 302"),
            (Response(200, b"<html>"), "is not SearXNG"),
            (as_json([]), "is not SearXNG"),
            (as_json({"results": 3}), "is not SearXNG"),
        ],
    )
    def test_failures_say_what_is_wrong(self, answer: Response, message: str) -> None:
        with serving(lambda _: answer) as url, pytest.raises(ServiceError, match=message):
            SearxngWeb(url).search("x")

    def test_results_that_are_no_web_pages_are_left_out(self) -> None:
        results = [
            {"title": "a", "url": "javascript:alert(1)"},
            {"url": None},
            "odd",
            {"title": "  b\n c ", "url": "https://b.example", "content": "x" * 9999},
        ]
        with serving(lambda _: as_json({"results": results})) as url:
            (only,) = SearxngWeb(url).search("x")
        assert (only.title, only.url, len(only.snippet)) == ("b c", "https://b.example", 500)

    def test_nobody_there(self) -> None:
        with serving(lambda _: Response()) as url:
            pass
        with pytest.raises(ServiceError, match="cannot be reached"):
            SearxngWeb(url).search("x")

    def test_a_wrong_address_is_refused_at_once(self) -> None:
        with pytest.raises(ConfigError):
            SearxngWeb("localhost:8888")

    @pytest.mark.parametrize(
        ("kind", "body", "text"),
        [
            ("text/plain", "grün".encode(), "grün"),
            ("text/html", "<p>grün".encode("cp1252"), "grün"),
            ("text/html; charset=iso-8859-1", "<p>grün".encode("latin-1"), "grün"),
            ("text/html", b"<meta charset='windows-1251'><p>" + "мир".encode("cp1251"), "мир"),
            ("text/html; charset=nonsense", "<p>grün".encode(), "grün"),
            ("application/json", b'{"a": 1}', '{"a": 1}'),
        ],
    )
    def test_encodings_and_types(self, kind: str, body: bytes, text: str) -> None:
        with serving(lambda _: Response(200, body, {"content-type": kind})) as url:
            assert SearxngWeb(url, allow=("127.0.0.1",)).read(url).text == text

    def test_links_lead_where_they_say_they_do(self) -> None:
        body = (
            "<nav><a href=/menu>Menu</a></nav><main><p>Opening hours are <a href='/hours#top'>on "
            "this page</a>, <a href=/hours>again</a>, <a href=#here>here</a>, <a "
            "href='//b&uuml;.example/a b'>a\u202e\nb</a>, <a href=mailto:a@b.example>mail</a>, <a "
            "href=''>self</a>, "
            "<a href='http://user@b.example/'>user</a>, <a href='http://b.example:x/'>broken</a>"
            "<span hidden><a href=/hidden>hidden</a></span></main>"
        )
        answer = Response(200, body.encode(), {"content-type": "text/html; charset=utf-8"})
        with serving(lambda _: answer) as url:
            page = SearxngWeb(url, allow=("127.0.0.1",)).read(f"{url}/page")
        assert page.links == (
            Link("on this page", f"{url}/hours"),
            Link("a<U+202E RIGHT-TO-LEFT OVERRIDE> b", "http://xn--b-eha.example/a%20b"),
            Link("Menu", f"{url}/menu"),
        )

    def test_links_are_few_and_short(self) -> None:
        body = "".join(f"<a href='/{i}'>{'word ' * 100}</a><p>" for i in range(500))
        body = f"<a href='/{'x' * 1000}'>long</a>{body}"
        answer = Response(200, body.encode(), {"content-type": "text/html"})
        with serving(lambda _: answer) as url:
            page = SearxngWeb(url, allow=("127.0.0.1",)).read(url)
        assert [link.url for link in page.links] == [f"{url}/{i}" for i in range(20)]
        assert all(len(link.text) <= 100 for link in page.links)

    def test_a_page_that_is_a_tangle_says_that_it_was_cut(self) -> None:
        tangle = "".join(f"<b id={i}>" for i in range(3000)) + "</div>" + "<div>x</div>" * 3000
        for body, cut in (("GOOD", False), (f"GOOD<div>{tangle}", True)):
            answer = Response(200, body.encode(), {"content-type": "text/html"})
            with serving(lambda _, answer=answer: answer) as url:
                page = SearxngWeb(url, allow=("127.0.0.1",)).read(url)
            assert page.text.startswith("GOOD")
            assert page.cut is cut

    def test_what_has_no_text_is_refused(self) -> None:
        answer = Response(200, b"\x89PNG", {"content-type": "image/png"})
        with (
            serving(lambda _: answer) as url,
            pytest.raises(ServiceError, match="image/png"),
        ):
            SearxngWeb(url, allow=("127.0.0.1",)).read(url)


LOCAL = [
    "127.0.0.1",
    "127.255.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.127.255.255",
    "198.18.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "64:ff9b:1::1",
]


@pytest.mark.parametrize("address", LOCAL)
def test_local_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", [PUBLIC, "8.8.8.8", "172.32.0.1", "2606:4700::1111"])
def test_public_addresses_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("text", ["", "localhost", "1.2.3", "1.2.3.4.5", "0x7f000001", "::g"])
def test_what_is_no_address_is_not_public(text: str) -> None:
    assert not is_public(text)


@given(st.ip_addresses(v=4))
def test_an_address_wrapped_in_ipv6_counts_as_what_it_is(inner: ipaddress.IPv4Address) -> None:
    verdict = is_public(str(inner))
    number = int(inner)
    wrapped = {
        "mapped": (0xFFFF << 32) | number,
        "6to4": (0x2002 << 112) | (number << 80),
        "nat64": (0x64_FF9B << 96) | number,
        "teredo": (0x2001_0000 << 96) | (0x0808_0808 << 64) | (number ^ 0xFFFFFFFF),
    }
    for kind, value in wrapped.items():
        outer = str(ipaddress.IPv6Address(value))
        assert is_public(outer) == verdict, (kind, outer)


class Net:
    """A pretend internet: names with addresses, and what answers there."""

    def __init__(
        self, names: dict[str, Sequence[str]], answer: Callable[[httpx.Request], httpx.Response]
    ) -> None:
        self.names = names
        self.requests: list[httpx.Request] = []
        self.resolved: list[str] = []
        self._answer = answer

    def resolve(self, host: str) -> Sequence[str]:
        self.resolved.append(host)
        if host not in self.names:
            raise ServiceError(f"There is no host {host}.")
        return self.names[host]

    def fetch(self, url: str, **more: object) -> guard_module.Fetched:
        def handle(request: httpx.Request) -> httpx.Response:
            self.requests.append(request)
            return self._answer(request)

        return fetch(
            url,
            resolve=self.resolve,
            transport=httpx.MockTransport(handle),
            **more,  # type: ignore[arg-type]
        )


def page(_: httpx.Request) -> httpx.Response:
    return httpx.Response(200, content=iter([b"<p>hello</p>"]))


def test_the_connection_goes_to_the_address_that_was_checked() -> None:
    net = Net({"site.example": [PUBLIC]}, page)
    assert net.fetch("https://Site.Example/a?b=c#d").body == b"<p>hello</p>"
    (request,) = net.requests
    assert request.url == f"https://{PUBLIC}/a?b=c"
    assert request.headers["host"] == "site.example"
    assert request.extensions["sni_hostname"] == "site.example"
    assert "cookie" not in request.headers
    assert net.resolved == ["site.example"]  # once: no second look-up that could differ


def test_ipv6_and_international_names() -> None:
    net = Net({"xn--mller-kva.example": ["2606:4700::1111"]}, page)
    net.fetch("http://müller.example/")
    assert str(net.requests[0].url) == "http://[2606:4700::1111]/"
    assert net.requests[0].headers["host"] == "xn--mller-kva.example"
    net.fetch("http://[2606:4700::1111]/")
    assert net.requests[1].headers["host"] == "[2606:4700::1111]"


@pytest.mark.parametrize("address", LOCAL)
def test_a_name_for_a_local_address_is_refused_before_any_connection(address: str) -> None:
    net = Net({"innocent.example": [PUBLIC, address]}, page)
    with pytest.raises(ServiceError, match="not on the public internet"):
        net.fetch("http://innocent.example/")
    assert net.requests == []


@pytest.mark.parametrize(
    "url",
    [
        "ftp://site.example/",
        "file:///etc/passwd",
        "gopher://site.example/",
        "javascript:alert(1)",
        "data:text/html,hi",
        "//site.example/",
        "site.example",
        "http://",
        "http:///path",
        "",
        "http://site.example:22/",
        "http://site.example:8080/",
        "https://site.example:80/",
        "http://user@site.example/",
        "http://site.example@127.0.0.1/",
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://site.example\r\nX: y/",
        "http://[fe80::1%25eth0]/",
        "http://a b/",
        "http://site.example:99999/",
    ],
)
def test_other_addresses_are_refused_before_any_connection(url: str) -> None:
    net = Net({"site.example": [PUBLIC]}, page)
    with pytest.raises(ServiceError):
        net.fetch(url)
    assert net.requests == []


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "017700000001", "127.1", "localhost"])
def test_other_spellings_of_this_machine_are_refused(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    def system(name: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        numbers = "127.0.0.1" if name == "localhost" else socket.inet_ntoa(socket.inet_aton(name))
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (numbers, 0))]

    monkeypatch.setattr(guard_module.socket, "getaddrinfo", system)
    with pytest.raises(ServiceError, match="not on the public internet"):
        fetch(f"http://{host}/")


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://inside.example/",
        "//inside.example/",
        "file:///etc/passwd",
        "http://site.example:22/",
        "https://user:pw@site.example/",
    ],
)
def test_a_redirect_is_checked_like_any_address(target: str) -> None:
    net = Net(
        {"site.example": [PUBLIC], "inside.example": ["10.0.0.1"]},
        lambda _: httpx.Response(302, headers={"location": target}),
    )
    with pytest.raises(ServiceError):
        net.fetch("http://site.example/")
    assert len(net.requests) == 1


def test_redirects_are_followed_resolved_and_counted() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        step = int(request.url.path[1:])
        if step == 0:
            return page(request)
        cookie = {"set-cookie": "a=b", "location": f"/{step - 1}"}
        return httpx.Response(302, headers=cookie)

    net = Net({"site.example": [PUBLIC]}, answer)
    assert net.fetch("http://site.example/5").url == "http://site.example/0"
    assert all("cookie" not in request.headers for request in net.requests)
    assert len(net.resolved) == 6
    with pytest.raises(ServiceError, match="redirects too often"):
        net.fetch("http://site.example/6")


def test_a_name_that_changes_between_redirects_is_checked_again() -> None:
    net = Net({"site.example": [PUBLIC]}, page)

    def turn(request: httpx.Request) -> httpx.Response:
        net.names["site.example"] = ["127.0.0.1"]
        return httpx.Response(307, headers={"location": "/again"})

    net._answer = turn
    with pytest.raises(ServiceError, match="not on the public internet"):
        net.fetch("http://site.example/")
    assert len(net.requests) == 1


def test_an_allowed_host_is_allowed_and_no_other() -> None:
    net = Net({"wiki.lan": ["10.0.0.7"], "other.lan": ["10.0.0.8"]}, page)
    assert net.fetch("http://wiki.lan:8080/", allow=("wiki.lan",)).body
    assert net.requests[0].headers["host"] == "wiki.lan:8080"
    with pytest.raises(ServiceError):
        net.fetch("http://other.lan/", allow=("wiki.lan",))
    with pytest.raises(ServiceError):
        net.fetch("http://10.0.0.7/", allow=("wiki.lan",))


def test_the_next_address_is_tried_when_one_cannot_be_reached() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.host == PUBLIC:
            raise httpx.ConnectError("no route")
        return page(request)

    net = Net({"site.example": [PUBLIC, "8.8.8.8"]}, answer)
    assert net.fetch("http://site.example/").body
    net.names["site.example"] = [PUBLIC]
    with pytest.raises(ServiceError, match="cannot be reached"):
        net.fetch("http://site.example/")
    net.names["site.example"] = []
    with pytest.raises(ServiceError):
        net.fetch("http://site.example/")


@pytest.mark.parametrize("error", [socket.gaierror(-2, "unknown"), UnicodeError("label too long")])
def test_names_that_do_not_exist(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def system(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(guard_module.socket, "getaddrinfo", system)
    with pytest.raises(ServiceError, match="no host"):
        guard_module.resolve("nowhere.example")


class TestBounds:
    def get(self, answer: Response, **more: object) -> guard_module.Fetched:
        with serving(lambda _: answer) as url:
            return fetch(url, allow=("127.0.0.1",), **more)  # type: ignore[arg-type]

    def test_size(self) -> None:
        assert len(self.get(Response(200, b"x" * 1000), max_bytes=1000).body) == 1000
        with pytest.raises(ServiceError, match="larger than 1,000 bytes"):
            self.get(Response(200, b"x" * 1001), max_bytes=1000)

    def test_size_is_that_of_the_unpacked_page(self) -> None:
        packed = {"content-encoding": "gzip"}
        good = Response(200, gzip.compress(b"x" * 1000), packed)
        assert self.get(good, max_bytes=1000).body == b"x" * 1000
        bomb = Response(200, gzip.compress(b"\0" * 50_000_000), packed)
        with pytest.raises(ServiceError, match="larger than"):
            self.get(bomb)

    @pytest.mark.parametrize(
        ("encoding", "body"), [("gzip", b"not gzip"), ("deflate", zlib.compress(b"x")), ("br", b"")]
    )
    def test_damaged_and_unasked_encodings(self, encoding: str, body: bytes) -> None:
        with pytest.raises(ServiceError):
            self.get(Response(200, body, {"content-encoding": encoding}))

    @pytest.mark.parametrize("status", [204, 304, 400, 404, 500, 503])
    def test_other_answers(self, status: int) -> None:
        with pytest.raises(ServiceError, match=str(status)):
            self.get(Response(status))

    def test_time(self) -> None:
        release = threading.Event()

        def hang(_: Request) -> Response:
            release.wait(10)
            return Response()

        with serving(hang) as url:
            with pytest.raises(ServiceError, match="in time"):
                fetch(url, allow=("127.0.0.1",), timeout_s=0.2)
            release.set()

    def test_time_is_that_of_the_whole_page(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now = iter(range(0, 1000, 6))
        monkeypatch.setattr(guard_module.time, "monotonic", lambda: next(now))

        def drip() -> Iterator[bytes]:
            while True:
                yield b"x"

        net = Net({"s.example": [PUBLIC]}, lambda _: httpx.Response(200, content=drip()))
        with pytest.raises(ServiceError, match="did not finish in time"):
            net.fetch("http://s.example/", timeout_s=60)


def test_environment_proxies_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def proxy(request: Request) -> Response:
        seen.append(request.path)
        return Response()

    with serving(proxy) as proxy_url, serving(lambda _: Response(200, b"direct")) as url:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY"):
            monkeypatch.setenv(name, proxy_url)
        monkeypatch.delenv("no_proxy", raising=False)
        assert fetch(url, allow=("127.0.0.1",)).body == b"direct"
    assert seen == []


def test_a_world_of_pages_can_be_compared() -> None:
    web = MemoryWeb([Page("https://b.example", "B", "b"), Page("https://a.example", "A", "a")])
    assert json.dumps(web.dump()).startswith('{"https://a.example"')
    assert web.snapshot("anything") is None
    web.restore("anything", None)
