"""Downloaded files: their cache, their verification, and advice if they are missing."""

import csv
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

# Time limit in seconds for a connection, and then for each further piece of the answer.
TIMEOUT = (3.0, 30.0)


class DataUnavailableError(OSError):
    """A file of a dataset is neither in the cache nor to be had from its address."""


@dataclass(frozen=True)
class DataFile:
    """A file that can be fetched: a row of `registry.csv`; `fetchers` name its readers."""

    file: str
    bytes: int
    sha256: str
    url: str
    licence: str
    fetchers: tuple[str, ...]
    citation: str


@cache
def registry() -> Mapping[str, DataFile]:
    """Return the files that can be fetched, by their path below the cache folder."""
    with files("nbrank.datasets").joinpath("registry.csv").open(encoding="utf-8") as stream:
        entries = [
            DataFile(
                bytes=int(row.pop("bytes")), fetchers=tuple(row.pop("fetchers").split()), **row
            )
            for row in csv.DictReader(stream)
        ]
    return {entry.file: entry for entry in entries}


def data_folder(data_home: str | os.PathLike[str] | None = None) -> Path:
    """Return `data_home`, else `NBRANK_DATA_DIR`, else the platform's folder for caches."""
    chosen = data_home or os.environ.get("NBRANK_DATA_DIR")
    if chosen:
        return Path(chosen).expanduser()
    import pooch

    return Path(pooch.os_cache("nbrank"))


def fetch_file(
    file: str, data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> Path:
    """Fetch a file as a study released it: from the cache, or downloaded there and verified.

    Parameters
    ----------
    file
        Its path below the cache folder, as listed in this module's `registry.csv`.
    data_home
        The folder that holds fetched files. None is the folder that the environment variable
        `NBRANK_DATA_DIR` names, and without that the platform's folder for caches.
    download_if_missing
        Whether to download what is not there yet.

    Returns
    -------
    pathlib.Path
        Where the file lies.

    Raises
    ------
    DataUnavailableError
        If a file is neither there nor to be had; the message says where to get it.
    ValueError
        If no file has that name, or if its content differs from the published one.

    Examples
    --------
    >>> fetch_file("votenrank/value.csv", data_home="nowhere", download_if_missing=False)
    Traceback (most recent call last):
    ...
    nbrank.datasets.cache.DataUnavailableError: votenrank/value.csv (871 bytes) is not in ...
    """
    if file not in registry():
        raise ValueError(f"no file {file!r}; the files are {', '.join(map(repr, registry()))}")
    entry = registry()[file]
    path = data_folder(data_home) / file
    if not path.exists():
        if not download_if_missing:
            raise DataUnavailableError(
                _unavailable_message(entry, path, "downloading was not asked for")
            )
        try:
            download(entry.url, path, entry.sha256)
        except OSError as error:
            cause = f"downloading it failed ({type(error).__name__})"
            raise DataUnavailableError(_unavailable_message(entry, path, cause)) from error
    match = hashlib.sha256(path.read_bytes()).hexdigest()
    if match != entry.sha256:
        raise ValueError(
            f"{path} is not the file that was published: its SHA-256 is {match}, not "
            f"{entry.sha256}. Delete it, and fetch it again from {entry.url}"
        )
    return path


def download(url: str, path: Path, sha256: str) -> None:
    """Download `url` to `path` in one attempt; raise OSError where that fails."""
    import pooch

    pooch.get_logger().setLevel("WARNING")
    pooch.retrieve(
        url,
        known_hash=f"sha256:{sha256}",
        fname=path.name,
        path=path.parent,
        downloader=pooch.HTTPDownloader(timeout=TIMEOUT),
    )


def find_fetched_files(code: str) -> Iterator[str]:
    """List the files that some code names, or may read by the `fetch_*` functions that it names."""
    named = set(re.findall(r"\bfetch_\w+", code))
    for entry in registry().values():
        if entry.file in code or not named.isdisjoint(entry.fetchers):
            yield entry.file


def _unavailable_message(entry: DataFile, path: Path, cause: str) -> str:
    folder = str(path).removesuffix(str(Path(entry.file)))
    return (
        f"{entry.file} ({entry.bytes:,} bytes) is not in {folder}, and {cause}. Download "
        f"{entry.url} and save it as {path}, or set NBRANK_DATA_DIR to a folder that holds "
        f"{entry.file}."
    )
