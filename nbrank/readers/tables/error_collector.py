"""Collection of errors in a file or a request, so that they are reported together."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager


class UnclearReading(ValueError):
    """An error of a table that has several readings, or none; a call may settle which."""

    def __init__(self, fact: str, otherwise: str) -> None:
        """Join what is unclear, and what to do where no call is found that settles it."""
        super().__init__(f"{fact}; {otherwise}")
        self.fact = fact


class ErrorCollector:
    """Collector of errors that do not prevent further checks."""

    def __init__(self) -> None:
        self.errors: list[Exception] = []

    def add(self, message: str) -> None:
        """Record an error."""
        self.errors.append(ValueError(message))

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Record the error that ends the block, if any."""
        try:
            yield
        except (OSError, TypeError, ValueError, RuntimeError, ImportError) as error:
            self.errors.append(error)

    def raise_all(self) -> None:
        """Raise what was recorded: one error as it is, several as one with a line for each."""
        options = {error_text(error): error for error in self.errors}
        if len(options) == 1:
            raise self.errors[0]
        if options:
            raise ValueError("\n".join(options))


def error_text(error: Exception) -> str:
    """Return the text of an error without the system's error number."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def unreadable_error(
    path: str, error: Exception, advice: str = "write the file again, or get another copy"
) -> Exception:
    """Make the error of reading a file, with its name and the reason, which pyarrow may omit."""
    if isinstance(error, FileNotFoundError):
        return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if isinstance(error, OSError) and error.errno is not None:
        return error
    reason = " ".join(str(error).split()).rstrip(".")
    return ValueError(f"{path} cannot be read as Parquet: {reason}; {advice}")
