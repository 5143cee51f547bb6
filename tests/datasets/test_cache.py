"""Fetched files: where they lie, that they are checked, and what is said when one is missing."""

import hashlib

import pytest

from nbrank import datasets
from nbrank.datasets import cache

VALUE = "votenrank/value.csv"


@pytest.fixture
def no_network(monkeypatch):
    def fail(url, path, sha256):
        raise ConnectionError("no route to host")

    monkeypatch.setattr(cache, "download", fail)


def test_every_file_has_an_address_a_checksum_a_licence_and_a_citation():
    for entry in cache.registry().values():
        assert entry.url.startswith("https://raw.githubusercontent.com/")
        assert len(entry.url.split("/")[5]) == 40, "pinned to a commit"
        assert len(entry.sha256) == 64
        assert entry.bytes > 0
        assert entry.licence
        assert entry.citation


def test_every_fetcher_has_a_file():
    fetchers = {name for name in datasets.__all__ if name.startswith("fetch_")} - {"fetch_file"}
    assert set().union(*(entry.fetchers for entry in cache.registry().values())) == fetchers


def test_a_file_that_nobody_released_is_refused_with_those_that_were():
    with pytest.raises(ValueError, match="no file 'glue.csv'; the files are 'best_systems/DIALOG"):
        datasets.fetch_file("glue.csv")


def test_the_folder_is_the_argument_else_the_environment_else_the_platforms(monkeypatch, tmp_path):
    monkeypatch.setenv("NBRANK_DATA_DIR", str(tmp_path / "environment"))
    assert cache.data_folder(tmp_path) == tmp_path
    assert cache.data_folder() == tmp_path / "environment"
    monkeypatch.delenv("NBRANK_DATA_DIR")
    assert cache.data_folder().name == "nbrank"


def test_an_empty_environment_variable_means_the_platforms_folder(monkeypatch):
    monkeypatch.setenv("NBRANK_DATA_DIR", "")
    assert cache.data_folder().name == "nbrank"


def test_a_missing_file_without_network_says_which_how_large_whence_and_whither(
    no_network, tmp_path
):
    with pytest.raises(datasets.DataUnavailableError) as caught:
        datasets.fetch_file(VALUE, data_home=tmp_path)
    message = str(caught.value)
    entry = cache.registry()[VALUE]
    assert VALUE in message
    assert "871 bytes" in message
    assert entry.url in message
    assert str(tmp_path / "votenrank" / "value.csv") in message
    assert "NBRANK_DATA_DIR" in message
    assert isinstance(caught.value, OSError), "as scikit-learn's fetchers raise"


def test_nothing_is_downloaded_unless_wanted(monkeypatch, tmp_path):
    monkeypatch.setattr(cache, "download", lambda *args: pytest.fail("asked for a download"))
    with pytest.raises(datasets.DataUnavailableError, match="downloading was not asked for"):
        datasets.fetch_file(VALUE, data_home=tmp_path, download_if_missing=False)


def test_a_file_is_downloaded_once(monkeypatch, tmp_path):
    content = b"once"
    entry = cache.DataFile(
        file="some/file.csv",
        bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        url="https://example.org/file.csv",
        licence="none",
        fetchers=("fetch_some",),
        citation="none",
    )
    calls = []

    def download(url, path, sha256):
        calls.append(url)
        path.parent.mkdir(parents=True)
        path.write_bytes(content)

    monkeypatch.setattr(cache, "registry", lambda: {entry.file: entry})
    monkeypatch.setattr(cache, "download", download)
    assert cache.fetch_file(entry.file, tmp_path).read_bytes() == content
    assert cache.fetch_file(entry.file, tmp_path).read_bytes() == content
    assert calls == [entry.url]


def test_a_file_of_other_content_is_refused_by_name(tmp_path):
    path = tmp_path / VALUE
    path.parent.mkdir()
    path.write_text("not what was published")
    with pytest.raises(ValueError, match=r"not the file that was published.*Delete it"):
        datasets.fetch_file(VALUE, data_home=tmp_path)


@pytest.fixture
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


def test_a_download_arrives_whole_or_not_at_all(tmp_path, no_proxy):
    source = tmp_path / "source.csv"
    source.write_text("a,b\n1,2\n")
    right = hashlib.sha256(source.read_bytes()).hexdigest()
    target = tmp_path / "cache" / "file.csv"
    download = getattr(cache.download, "download", cache.download)
    with _served(tmp_path) as address:
        download(f"{address}/source.csv", target, right)
        assert target.read_text() == "a,b\n1,2\n"
        target.unlink()
        with pytest.raises(ValueError, match="does not match the known hash"):
            download(f"{address}/source.csv", target, "0" * 64)
    assert not target.exists()


def test_without_a_network_the_attempt_is_short(tmp_path, no_proxy):
    download = getattr(cache.download, "download", cache.download)
    with pytest.raises(OSError, match="localhost"):
        download("http://localhost:9/nothing", tmp_path / "nothing", "0" * 64)
    assert sum(cache.TIMEOUT) < 60


def test_the_files_that_code_needs_are_found_by_the_fetchers_and_files_it_names():
    code = f"x = fetch_llmfao(); y = fetch_file({VALUE!r})"
    assert list(cache.find_fetched_files(code)) == ["llmfao/llmfao.csv", VALUE]
    assert list(cache.find_fetched_files("load_llm_chat()")) == []


def test_the_registry_describes_the_files():
    for file, entry in cache.registry().items():
        assert cache.fetch_file(file).stat().st_size == entry.bytes


class _served:
    """A folder served over HTTP on a free port of this machine."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        import functools
        import http.server
        import threading

        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *args):
                pass

        handler = functools.partial(Quiet, directory=self.folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()
