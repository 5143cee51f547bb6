"""Files that are downloaded once, checked and kept: where they lie, and what to do without."""

import csv
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

__all__ = ["DataFile", "DataUnavailableError", "data_folder", "path_of", "registry"]

# Seconds to wait for a connection, and then for each further piece of the answer.
TIMEOUT = (3.0, 30.0)


class DataUnavailableError(OSError):
    """A file of a dataset is neither in the cache nor to be had from its address."""


@dataclass(frozen=True)
class DataFile:
    """A file that a `fetch_*` function reads: one row of `registry.csv`.

    Parameters
    ----------
    file
        Its path below the cache folder.
    bytes
        Its size.
    sha256
        The checksum that its content must have.
    url
        Where it comes from, pinned to a commit.
    licence
        What its source says about copying it.
    fetchers
        The functions of `nbrank.datasets` that read it.
    citation
        The work to cite when using it.
    """

    file: str
    bytes: int
    sha256: str
    url: str
    licence: str
    fetchers: tuple[str, ...]
    citation: str


@cache
def registry() -> Mapping[str, DataFile]:
    """Tell which files the `fetch_*` functions read, and where each comes from.

    Returns
    -------
    Mapping[str, DataFile]
        A `DataFile` for each file, by its path below the cache folder.

    Examples
    --------
    >>> from nbrank.datasets.cache import registry
    >>> registry()["votenrank/glue.csv"].bytes
    10921
    """
    with files("nbrank.datasets").joinpath("registry.csv").open(encoding="utf-8") as stream:
        entries = [
            DataFile(
                bytes=int(row.pop("bytes")), fetchers=tuple(row.pop("fetchers").split()), **row
            )
            for row in csv.DictReader(stream)
        ]
    return {entry.file: entry for entry in entries}


def data_folder(data_home: str | os.PathLike[str] | None = None) -> Path:
    """Tell in which folder fetched files are kept.

    Parameters
    ----------
    data_home
        The folder to use. None is the folder that the environment variable `NBRANK_DATA_DIR`
        names, and without that the platform's folder for caches.

    Returns
    -------
    pathlib.Path
        The folder, which need not exist yet.

    Examples
    --------
    >>> from nbrank.datasets.cache import data_folder
    >>> data_folder("somewhere").as_posix()
    'somewhere'
    """
    chosen = data_home or os.environ.get("NBRANK_DATA_DIR")
    if chosen:
        return Path(chosen).expanduser()
    import pooch

    return Path(pooch.os_cache("nbrank"))


def path_of(
    file: str,
    data_home: str | os.PathLike[str] | None = None,
    download_if_missing: bool = True,
) -> Path:
    """Find a file of the registry in the cache, or download it there.

    Parameters
    ----------
    file
        The file's path below the cache folder, as `registry` lists it.
    data_home
        The cache folder; see `data_folder`.
    download_if_missing
        Whether a file that is not in the cache may be downloaded.

    Returns
    -------
    pathlib.Path
        Where the file lies, its checksum verified.

    Raises
    ------
    DataUnavailableError
        If the file is not in the cache and was not, or could not be, downloaded. The message names
        the file, its size, its address and where to put it.
    ValueError
        If the file's content is not what the registry says.

    Examples
    --------
    >>> from nbrank.datasets.cache import path_of
    >>> path_of("votenrank/value.csv", data_home="nowhere", download_if_missing=False)
    Traceback (most recent call last):
    ...
    nbrank.datasets.cache.DataUnavailableError: votenrank/value.csv (871 bytes) is not in ...
    """
    entry = registry()[file]
    path = data_folder(data_home) / file
    if not path.exists():
        if not download_if_missing:
            raise DataUnavailableError(_unavailable(entry, path, "downloading was not asked for"))
        try:
            download(entry.url, path, entry.sha256)
        except OSError as error:
            cause = f"downloading it failed ({type(error).__name__})"
            raise DataUnavailableError(_unavailable(entry, path, cause)) from error
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != entry.sha256:
        raise ValueError(
            f"{path} is not the file that was published: its SHA-256 is {found}, not "
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


def files_fetched_by(code: str) -> Iterator[str]:
    """List the files that the `fetch_*` functions named in some code may read.

    Parameters
    ----------
    code
        Python source, or a notebook's JSON.

    Returns
    -------
    Iterator[str]
        Paths below the cache folder: for a function that takes a name, those of all its sets.

    Examples
    --------
    >>> from nbrank.datasets.cache import files_fetched_by
    >>> list(files_fetched_by("board = nbrank.datasets.fetch_glue()"))
    ['votenrank/glue.csv']
    """
    named = set(re.findall(r"\bfetch_\w+", code))
    return (entry.file for entry in registry().values() if not named.isdisjoint(entry.fetchers))


def _unavailable(entry: DataFile, path: Path, cause: str) -> str:
    folder = str(path).removesuffix(str(Path(entry.file)))
    return (
        f"{entry.file} ({entry.bytes:,} bytes) is not in {folder}, and {cause}. Download "
        f"{entry.url} and save it as {path}, or set NBRANK_DATA_DIR to a folder that holds "
        f"{entry.file}."
    )
