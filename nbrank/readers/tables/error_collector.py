"""What is wrong with a file, or with what is asked of it, told together."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager


class ErrorCollector:
    """Errors after which one can go on, to look for more of them."""

    def __init__(self) -> None:
        self.errors: list[Exception] = []

    def add(self, message: str) -> None:
        """Remember what is wrong."""
        self.errors.append(ValueError(message))

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Remember the error that ends what is done here, if one does."""
        try:
            yield
        except (OSError, TypeError, ValueError, RuntimeError, ImportError) as error:
            self.errors.append(error)

    def raise_all(self) -> None:
        """Raise what was noted: one error as it is, several as one with a line for each."""
        options = {error_text(error): error for error in self.errors}
        if len(options) == 1:
            raise self.errors[0]
        if options:
            raise ValueError("\n".join(options))


def error_text(error: Exception) -> str:
    """What an error says, without the number that the system has for it."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def unreadable_error(
    path: str, error: Exception, advice: str = "write the file again, or get another copy"
) -> Exception:
    """The error of reading a file, with its name and the reason; pyarrow lacks one or both."""
    if isinstance(error, FileNotFoundError):
        return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if isinstance(error, OSError) and error.errno is not None:
        return error
    reason = " ".join(str(error).split()).rstrip(".")
    return ValueError(f"{path} cannot be read as Parquet: {reason}; {advice}")
