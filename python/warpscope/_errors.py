# SPDX-License-Identifier: BSD-3-Clause
"""The exceptions of the package: one class for each status of the library. All are subclasses of `Error`."""

from __future__ import annotations

from typing import Optional


class Error(Exception):
    """The base class of all exceptions of this package."""

    status: Optional[int] = None
    """Status that the library returned, an ``enum wsr_status``; None if this package found the error."""


class NotFoundError(Error, LookupError):
    """The file, kind of record, field, type or PE does not exist."""

    status = 2


class PathNotFoundError(NotFoundError, FileNotFoundError):
    """The directory or record file does not exist."""


class NotRecordedError(NotFoundError, AttributeError):
    """The run did not record the requested data; the message names the option that records them."""


class NotRecordsError(Error, ValueError):
    """The file is not a record file, or the directory has no record files."""

    status = 3


class UnsupportedError(Error):
    """A later version of Warpscope wrote the file."""

    status = 4


class DamagedError(Error):
    """The file is damaged, and nothing in it could be read."""

    status = 5


class InvalidArgumentError(Error, ValueError):
    """An argument is wrong."""

    status = 6


class SystemRefusedError(Error, OSError):
    """The operating system refused an access; the message states the reason."""

    status = 7


class NoMemoryError(Error, MemoryError):
    """There is not enough memory."""

    status = 8


class ClosedError(Error, ValueError):
    """The run is closed."""


class LibraryError(Error, ImportError):
    """libwarpscope-reader, or an optional Python package, is missing or has another version."""


def error_of(status: int, message: str) -> Error:
    """Return the exception for a status of the library other than WSR_OK and WSR_END."""
    for kind in (NotFoundError, NotRecordsError, UnsupportedError, DamagedError, InvalidArgumentError,
                 SystemRefusedError, NoMemoryError):
        if kind.status == status:
            return kind(message)
    error = Error(message)
    error.status = status
    return error
