"""Document search: the contract, then what an index of real folders must survive."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from botpsy.errors import ServiceError
from botpsy.services.documents import DocumentSearch, Report
from botpsy.services.documents import text as text_module
from botpsy.services.documents.folders import FolderDocuments
from botpsy.services.documents.memory import MemoryDocuments

FILES = {
    "insurance/car.txt": "The insurance policy for the blue car ends in March.",
    "letters/landlord.md": "# Rent\nThe landlord wants to raise the rent of the flat.",
    "recipes/soup.txt": "Carrots, ginger and coconut milk make a soup.",
    "table.csv": "name,amount\nelectricity,120\nwater,40",
    "page.html": "<title>Garden plan</title><p>Tomatoes grow <b>next</b> to basil.</p>",
    "müll.txt": "Die Müllabfuhr kommt am Dienstag.",
}

Make = Callable[[Mapping[str, str]], DocumentSearch]


@pytest.fixture(params=["memory", "folders"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    def folders(files: Mapping[str, str]) -> DocumentSearch:
        fill(tmp_path / "docs", files)
        return FolderDocuments([tmp_path / "docs"], tmp_path / "index.db", max_age_s=0)

    return MemoryDocuments if request.param == "memory" else folders


def fill(root: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return root


def names(search: DocumentSearch, query: str) -> list[str]:
    return [hit.title for hit in search.search(query)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("car insurance", "car.txt"),
        ("the document where the landlord raises rents", "landlord.md"),
        ("soups with carrot", "soup.txt"),
        ("electricity", "table.csv"),
        ("basil", "page.html"),
        ("mull", "müll.txt"),
        ("MÜLLABFUHR", "müll.txt"),
        ('"car" AND (insurance* OR NOT {x:y}) ^ -', "car.txt"),
    ],
)
def test_the_best_document_comes_first(make: Make, query: str, first: str) -> None:
    assert names(make(FILES), query)[0] == first


def test_nothing_found_is_an_empty_list_and_no_words_an_error(make: Make) -> None:
    search = make(FILES)
    assert search.search("zeppelin") == []
    for empty in ("", "  ", "?!", '"'):
        with pytest.raises(ServiceError, match="nothing to search"):
            search.search(empty)


def test_a_query_of_common_words_alone_still_searches(make: Make) -> None:
    assert names(make({"a.txt": "to be or not to be"}), "to be") == ["a.txt"]


def test_a_snippet_is_one_line_around_the_words(make: Make) -> None:
    text = "padding words go on " * 200 + "\nthe\ttreasure is\nburied here " + "and on " * 200
    (hit,) = make({"map.txt": text}).search("treasure")
    assert "treasure is buried here" in hit.snippet
    assert "\n" not in hit.snippet
    assert len(hit.snippet) < 600


def test_as_many_as_asked_for(make: Make) -> None:
    search = make({f"{i:02}.txt": "same words" for i in range(20)})
    assert [hit.title for hit in search.search("same", 3)] == ["00.txt", "01.txt", "02.txt"]


def test_memory_follows_the_documents_it_was_given() -> None:
    files: dict[str, str] = {}
    search = MemoryDocuments(lambda: files)
    assert search.search("apple") == []
    files["a.txt"] = "apple"
    assert names(search, "apple") == ["a.txt"]
    assert search.dump() == {"a.txt": "apple"}


class TestFolders:
    @pytest.fixture
    def docs(self, tmp_path: Path) -> Path:
        return fill(tmp_path / "docs", FILES)

    @pytest.fixture
    def index(self, docs: Path, tmp_path: Path) -> FolderDocuments:
        return FolderDocuments([docs], tmp_path / "home" / "index.db", max_age_s=0)

    def test_it_keeps_up_with_the_folder(self, docs: Path, index: FolderDocuments) -> None:
        assert index.refresh() == Report(added=len(FILES))
        assert index.refresh() == Report(unchanged=len(FILES))
        (docs / "recipes/soup.txt").write_text("Beetroot only.")
        (docs / "table.csv").unlink()
        (docs / "new.txt").write_text("A zebra.")
        assert names(index, "zebra") == ["new.txt"]
        assert index.search("carrots") == []
        assert names(index, "beetroot") == ["soup.txt"]
        assert index.search("electricity") == []
        (docs / "recipes").rename(docs / "cooking")
        assert index.search("beetroot")[0].path == str(docs / "cooking/soup.txt")

    def test_a_touched_file_is_not_indexed_again(self, docs: Path, index: FolderDocuments) -> None:
        index.refresh()
        os.utime(docs / "table.csv", (1, 1))
        assert index.refresh() == Report(unchanged=len(FILES))

    def test_same_size_and_changed_time_is_noticed(
        self, docs: Path, index: FolderDocuments
    ) -> None:
        path = docs / "a.txt"
        path.write_text("lion")
        index.refresh()
        path.write_text("bear")
        os.utime(path, (1, 1))
        assert index.refresh().updated == 1
        assert names(index, "bear") == ["a.txt"]

    def test_links_are_not_followed(self, docs: Path, index: FolderDocuments) -> None:
        outside = docs.parent / "outside"
        fill(outside, {"secret.txt": "the password is xyzzy"})
        (docs / "link.txt").symlink_to(outside / "secret.txt")
        (docs / "folder").symlink_to(outside)
        (docs / "loop").symlink_to(docs)
        (docs / "inner.txt").symlink_to(docs / "table.csv")
        (docs / "dangling.txt").symlink_to("/nowhere/at/all.txt")
        report = index.refresh()
        assert {Path(entry.path).name for entry in report.skipped} == {
            "link.txt",
            "folder",
            "dangling.txt",
        }
        assert index.search("xyzzy") == []
        assert report.added == len(FILES)

    def test_a_link_put_in_place_of_a_file_is_not_read(
        self, docs: Path, index: FolderDocuments, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fill(docs.parent, {"secret.txt": "xyzzy"})
        walk = FolderDocuments._walk

        def swap(self: FolderDocuments, skipped: list) -> list:  # type: ignore[type-arg]
            found = list(walk(self, skipped))
            (docs / "table.csv").unlink()
            (docs / "table.csv").symlink_to(docs.parent / "secret.txt")
            return found

        monkeypatch.setattr(FolderDocuments, "_walk", swap)
        assert [entry.path for entry in index.refresh().skipped] == [str(docs / "table.csv")]
        monkeypatch.setattr(FolderDocuments, "_walk", walk)
        assert index.search("xyzzy") == []

    def test_what_cannot_be_indexed_is_reported_and_tried_again_when_it_changes(
        self, docs: Path, tmp_path: Path
    ) -> None:
        index = FolderDocuments([docs], tmp_path / "index.db", max_bytes=10_000, max_age_s=0)
        (docs / "binary.txt").write_bytes(b"\x7fELF\0\0\0")
        (docs / "huge.txt").write_text("x" * 10_001)
        (docs / "broken.pdf").write_bytes(b"%PDF-1.7\nrubbish")
        (docs / "picture.jpg").write_bytes(b"\xff\xd8")
        (docs / ".hidden.txt").write_text("hidden")
        fill(docs / ".git", {"config.txt": "hidden"})
        os.mkfifo(docs / "pipe.txt")
        for _ in range(2):
            skipped = {Path(e.path).name: e.reason for e in index.refresh().skipped}
            assert set(skipped) == {"binary.txt", "huge.txt", "broken.pdf"}
            assert skipped["binary.txt"] == "it is not text"
            assert "larger than 10,000 bytes" in skipped["huge.txt"]
        (docs / "binary.txt").write_text("now it is text about owls")
        assert index.refresh().updated == 1
        assert names(index, "owls") == ["binary.txt"]
        assert index.search("hidden") == []

    def test_a_file_without_permission_is_reported(
        self, docs: Path, index: FolderDocuments, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = os.open

        def refuse(path: object, *rest: int) -> int:
            if str(path).endswith("car.txt"):
                raise PermissionError(13, "Permission denied")
            return real(path, *rest)  # type: ignore[arg-type]

        monkeypatch.setattr(os, "open", refuse)
        report = index.refresh()
        assert [entry.reason for entry in report.skipped] == [
            "it cannot be read (Permission denied)"
        ]
        monkeypatch.undo()
        assert index.refresh().added == 1

    def test_names_that_are_not_utf8(self, docs: Path, index: FolderDocuments) -> None:
        Path(os.fsdecode(os.fsencode(docs) + b"/bad\xff.txt")).write_text("walrus")
        (entry,) = index.refresh().skipped
        assert entry.reason == "its name is not UTF-8"
        entry.path.encode()

    @pytest.mark.parametrize(
        ("content", "word"),
        [
            ("naïve café".encode("cp1252"), "cafe"),
            ("schöne Grüße".encode("utf-16"), "grusse"),
            ("\ufeffmarked".encode(), "marked"),
        ],
    )
    def test_encodings(self, docs: Path, index: FolderDocuments, content: bytes, word: str) -> None:
        (docs / "other.txt").write_bytes(content)
        if word == "grusse":
            word = "schone"
        assert names(index, word) == ["other.txt"]

    def test_a_pdf_is_read(self, docs: Path, index: FolderDocuments) -> None:
        (docs / "letter.pdf").write_bytes(one_page_pdf("The warranty covers the dishwasher"))
        assert names(index, "warranty of the dishwasher") == ["letter.pdf"]

    def test_a_very_long_text_is_cut(
        self, docs: Path, index: FolderDocuments, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(text_module, "MAX_TEXT", 1000)
        (docs / "long.txt").write_text("start " + "x " * 1000 + "finish")
        assert names(index, "start") == ["long.txt"]
        assert index.search("finish") == []

    @pytest.mark.parametrize("damage", ["garbage", "truncated", "page", "version"])
    def test_a_damaged_index_is_rebuilt(
        self, docs: Path, index: FolderDocuments, tmp_path: Path, damage: str
    ) -> None:
        index.refresh()
        path = tmp_path / "home" / "index.db"
        data = path.read_bytes()
        if damage == "garbage":
            path.write_bytes(b"this is no database" * 1000)
        elif damage == "truncated":
            path.write_bytes(data[: len(data) // 2])
        elif damage == "page":
            path.write_bytes(data[:4096] + b"\xaa" * (len(data) - 4096))
        else:
            with sqlite3.connect(path) as connection:
                connection.execute("PRAGMA user_version = 99")
            connection.close()
        report = index.refresh()
        assert report.rebuilt
        assert report.added == len(FILES)
        assert names(index, "landlord") == ["landlord.md"]
        assert not index.refresh().rebuilt

    def test_a_damaged_index_is_rebuilt_while_searching(self, docs: Path, tmp_path: Path) -> None:
        index = FolderDocuments([docs], tmp_path / "index.db", max_age_s=1e9)
        assert names(index, "landlord") == ["landlord.md"]
        (tmp_path / "index.db").write_bytes(b"rubbish" * 1000)
        assert names(index, "landlord") == ["landlord.md"]

    def test_an_index_in_use_is_not_thrown_away(
        self, docs: Path, index: FolderDocuments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        index.refresh()
        path = tmp_path / "home" / "index.db"
        connect = sqlite3.connect
        monkeypatch.setattr(sqlite3, "connect", lambda name, timeout: connect(name, timeout=0))
        holder = connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        (docs / "new.txt").write_text("zebra")
        with pytest.raises(ServiceError, match="locked"):
            index.refresh()
        holder.execute("ROLLBACK")
        holder.close()
        assert index.refresh() == Report(added=1, unchanged=len(FILES))

    def test_the_index_is_private(self, index: FolderDocuments, tmp_path: Path) -> None:
        index.refresh()
        for path in (tmp_path / "home").iterdir():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_a_missing_folder_is_reported_and_the_rest_still_works(
        self, docs: Path, tmp_path: Path
    ) -> None:
        index = FolderDocuments([docs, tmp_path / "gone"], tmp_path / "index.db")
        report = index.refresh()
        assert [entry.path for entry in report.skipped] == [str(tmp_path / "gone")]
        assert report.added == len(FILES)

    def test_an_index_that_cannot_be_made_is_an_error(self, docs: Path) -> None:
        (docs / "file").write_text("")
        with pytest.raises(ServiceError, match="cannot be used"):
            FolderDocuments([docs], docs / "file" / "index.db").refresh()

    def test_it_looks_again_only_after_a_while(self, docs: Path, tmp_path: Path) -> None:
        index = FolderDocuments([docs], tmp_path / "index.db", max_age_s=1e9)
        assert names(index, "landlord") == ["landlord.md"]
        (docs / "new.txt").write_text("zebra")
        assert index.search("zebra") == []
        index.refresh()
        assert names(index, "zebra") == ["new.txt"]


def one_page_pdf(text: str) -> bytes:
    """A PDF with one line of text."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(body)
    body += b"xref\n0 6\n0000000000 65535 f \n"
    body += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    body += b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % start
    return bytes(body)
