from __future__ import annotations

import hashlib
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from botpsy.engines import fetch as fetching
from botpsy.engines.fetch import Access, copy, fetch, read_page
from botpsy.errors import ModelError
from tests.engines.webserver import Request, Site, file, redirect, serve

BODY = os.urandom(700_001)
SHA = hashlib.sha256(BODY).hexdigest()


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(fetching, "PAUSE_S", 0.0)
    with serve() as running:
        yield running


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "model.gguf"


def only(target: Path) -> bool:
    """Nothing but the finished file is left."""
    return sorted(target.parent.iterdir()) == [target]


def test_a_file_arrives_whole_with_its_size_told_first(site: Site, target: Path) -> None:
    site.routes["/m"] = file(BODY)
    told: list[object] = []
    got = fetch(
        f"{site.url}/m",
        target,
        sha256=SHA,
        progress=lambda done, total: told.append((done, total)),
        announce=told.append,
    )
    assert (got.sha256, got.size) == (SHA, len(BODY))
    assert target.read_bytes() == BODY
    assert only(target)
    assert told[0] == "Fetching model.gguf, 0.7 MB, from 127.0.0.1."
    assert told[-1] == (len(BODY), len(BODY))


def test_a_transfer_that_breaks_off_goes_on_where_it_stopped(site: Site, target: Path) -> None:
    site.routes["/m"] = file(BODY, cut_after=(300_000, 100_000, 0))
    fetch(f"{site.url}/m", target, sha256=SHA)
    assert target.read_bytes() == BODY
    asked = site.headers("/m")
    assert "range" not in asked[0]
    assert all(headers["if-range"] == '"one"' for headers in asked[1:])
    starts = [int(headers["range"][6:-1]) for headers in asked[1:]]
    assert starts == sorted(starts)
    assert starts[-1] <= 400_000


def test_the_next_run_resumes(site: Site, target: Path) -> None:
    site.routes["/m"] = file(BODY, cut_after=(500_000, *[0] * 20))
    with pytest.raises(ModelError, match="keeps breaking off"):
        fetch(f"{site.url}/m", target, sha256=SHA)
    assert not target.exists()
    kept = target.with_name("model.gguf.part").stat().st_size
    assert 0 < kept <= 500_000
    site.routes["/m"] = file(BODY)
    told: list[str] = []
    fetch(f"{site.url}/m", target, sha256=SHA, announce=told.append)
    assert site.headers("/m")[-1]["range"] == f"bytes={kept}-"
    assert "of it already here" in told[0]
    assert target.read_bytes() == BODY


def test_a_file_that_changed_meanwhile_starts_anew(site: Site, target: Path) -> None:
    site.routes["/m"] = file(b"x" * 900_000, '"old"', cut_after=(400_000, *[0] * 20))
    with pytest.raises(ModelError):
        fetch(f"{site.url}/m", target)
    site.routes["/m"] = file(BODY, '"new"')
    fetch(f"{site.url}/m", target)
    assert target.read_bytes() == BODY


@pytest.mark.parametrize("etag", ['W/"weak"', ""])
def test_without_a_strong_validator_nothing_is_resumed(site: Site, target: Path, etag: str) -> None:
    site.routes["/m"] = file(BODY, etag, cut_after=(400_000,))
    fetch(f"{site.url}/m", target, sha256=SHA)
    assert target.read_bytes() == BODY
    assert all("range" not in headers for headers in site.headers("/m"))


def test_a_range_the_server_does_not_have_starts_anew(site: Site, target: Path) -> None:
    part = target.with_name("model.gguf.part")
    part.write_bytes(b"y" * (len(BODY) + 5))
    part.with_name("model.gguf.part.json").write_text('{"validator": "\\"one\\""}')
    site.routes["/m"] = file(BODY)
    fetch(f"{site.url}/m", target, sha256=SHA)
    assert target.read_bytes() == BODY


@pytest.mark.parametrize("meta", ["", "{", "[]", "null", '{"validator": 3}'])
def test_a_damaged_note_about_an_unfinished_transfer_is_survived(
    site: Site, target: Path, meta: str
) -> None:
    target.with_name("model.gguf.part").write_bytes(b"y" * 10)
    target.with_name("model.gguf.part.json").write_text(meta)
    site.routes["/m"] = file(BODY)
    fetch(f"{site.url}/m", target, sha256=SHA)
    assert target.read_bytes() == BODY
    assert only(target)


def test_another_range_than_asked_for_is_not_believed(site: Site, target: Path) -> None:
    def wrong(request: Request) -> None:
        if "Range" in request.headers:
            request.reply(206, BODY[7:], ETag='"one"', Content_Range=f"bytes 7-9/{len(BODY)}")
        else:
            whole(request)

    whole = file(BODY, cut_after=(1000,))
    site.routes["/m"] = wrong
    fetch(f"{site.url}/m", target, sha256=SHA)
    assert target.read_bytes() == BODY


def test_wrong_bytes_are_thrown_away(site: Site, target: Path) -> None:
    site.routes["/m"] = file(BODY[:-1] + b"!")
    with pytest.raises(ModelError, match="is not the expected file") as caught:
        fetch(f"{site.url}/m", target, sha256=SHA)
    assert "do not use it" in caught.value.hint
    assert list(target.parent.iterdir()) == []


def test_a_hash_stated_on_the_way_is_held_to(site: Site, target: Path) -> None:
    site.routes["/m"] = redirect("/blob", x_linked_etag=f'"{SHA}"', x_repo_commit="abc")
    site.routes["/blob"] = file(BODY)
    assert fetch(f"{site.url}/m", target).revision == "abc"
    site.routes["/blob"] = file(BODY[::-1])
    with pytest.raises(ModelError, match="is not the expected file"):
        fetch(f"{site.url}/m", target.with_name("other"))
    assert only(target)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (404, "does not exist"),
        (410, "does not exist"),
        (401, "may not be read"),
        (403, "may not be read"),
        (418, "answers 418"),
        (503, "keeps breaking off: the server answers 503"),
    ],
)
def test_refusals_say_what_they_are(site: Site, target: Path, status: int, message: str) -> None:
    site.routes["/m"] = lambda request: request.reply(status)
    with pytest.raises(ModelError, match=message):
        fetch(f"{site.url}/m", target)
    assert list(target.parent.iterdir()) == []


def test_a_busy_server_is_asked_again(site: Site, target: Path) -> None:
    answers = [503, 429]

    def busy(request: Request) -> None:
        if answers:
            request.reply(answers.pop())
        else:
            file(BODY)(request)

    site.routes["/m"] = busy
    fetch(f"{site.url}/m", target, sha256=SHA)
    assert target.read_bytes() == BODY


def test_a_token_stays_with_its_host(site: Site, target: Path) -> None:
    with serve() as elsewhere:
        elsewhere.routes["/blob"] = file(BODY)
        site.routes["/m"] = redirect("/n")
        site.routes["/n"] = redirect(f"{elsewhere.url}/blob", 307)
        fetch(f"{site.url}/m", target, sha256=SHA, access=Access(token="secret"))
        assert site.headers("/m")[0]["authorization"] == "Bearer secret"
        assert site.headers("/n")[0]["authorization"] == "Bearer secret"
        assert "authorization" not in elsewhere.headers("/blob")[0]


def test_circles_end(site: Site, target: Path) -> None:
    site.routes["/m"] = redirect("/m")
    with pytest.raises(ModelError, match="in circles"):
        fetch(f"{site.url}/m", target)


@pytest.mark.parametrize("url", ["http://example.org/m", "http://10.0.0.1/m", "http://[::2]/m"])
def test_nothing_is_fetched_in_the_clear(target: Path, url: str) -> None:
    with pytest.raises(ModelError, match="without encryption"):
        fetch(url, target)


def test_no_redirect_leads_into_the_clear(site: Site, target: Path) -> None:
    site.routes["/m"] = redirect("http://example.org/m")
    with pytest.raises(ModelError, match=r"example\.org/m would be fetched without encryption"):
        fetch(f"{site.url}/m", target)


@pytest.mark.parametrize("url", ["ftp://localhost/m", "nonsense", "http://", "https://[", ""])
def test_addresses_that_are_none(target: Path, url: str) -> None:
    with pytest.raises(ModelError):
        fetch(url, target)


def test_a_host_that_is_down_is_reported_at_once(site: Site, target: Path) -> None:
    with serve() as gone:
        url = gone.url
    with pytest.raises(ModelError, match="cannot be reached") as caught:
        fetch(f"{url}/m?token=secret", target)
    assert "secret" not in str(caught.value)
    assert "network" in caught.value.hint


def test_a_full_disk_is_seen_before_the_transfer(
    site: Site, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.routes["/m"] = file(BODY)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(1, 1, 1000))
    with pytest.raises(ModelError, match="no room left") as caught:
        fetch(f"{site.url}/m", target)
    assert "BOTPSY_CACHE" in caught.value.hint
    assert not target.exists()


def test_a_disk_that_fills_up_keeps_what_came(site: Site, target: Path) -> None:
    site.routes["/m"] = file(BODY)
    code = (
        "import sys\nfrom pathlib import Path\nfrom botpsy.engines.fetch import fetch\n"
        "from botpsy.errors import ModelError\n"
        "try:\n    fetch(sys.argv[1], Path(sys.argv[2]))\n"
        "except ModelError as error:\n    print(error)\n"
    )

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

    said = subprocess.run(
        [sys.executable, "-c", code, f"{site.url}/m", str(target)],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "There is no room left" in said
    assert not target.exists()
    assert target.with_name("model.gguf.part").stat().st_size == 300_000
    fetch(f"{site.url}/m", target, sha256=SHA)
    assert site.headers("/m")[-1]["range"] == "bytes=300000-"


def test_a_folder_that_cannot_be_written(site: Site) -> None:
    site.routes["/m"] = file(BODY)
    with pytest.raises(ModelError, match="cannot be written") as caught:
        fetch(f"{site.url}/m", Path("/proc/self/model.gguf"))
    assert "BOTPSY_CACHE" in caught.value.hint


def test_local_files_are_copied_and_checked(tmp_path: Path, target: Path) -> None:
    source = tmp_path / "a b#c.whl"
    source.write_bytes(BODY)
    assert fetch(source.as_uri(), target, sha256=SHA).sha256 == SHA
    with pytest.raises(ModelError, match="not the expected file"):
        copy(source, tmp_path / "other", sha256="0" * 64)
    with pytest.raises(ModelError, match="cannot be read"):
        copy(tmp_path / "missing", tmp_path / "other")
    with pytest.raises(ModelError, match="cannot be read"):
        copy(tmp_path, tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_pages(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.routes["/a/"] = redirect("/b/")
    site.routes["/b/"] = lambda request: request.reply(200, b"<p>\xff", Content_Type="text/html")
    address, kind, text = read_page(f"{site.url}/a/", "text/html")
    assert (address, kind, text) == (f"{site.url}/b/", "text/html", "<p>�")
    monkeypatch.setattr(fetching, "_PAGE_LIMIT", 2)
    with pytest.raises(ModelError, match="larger than any page"):
        read_page(f"{site.url}/a/", "text/html")
    site.routes["/b/"] = lambda request: request.reply(503)
    with pytest.raises(ModelError, match="503"):
        read_page(f"{site.url}/a/", "text/html")
