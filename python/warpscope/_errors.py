# SPDX-License-Identifier: BSD-3-Clause
"""The exceptions of the package: one class for each status of the library, all of them `Error`."""

from __future__ import annotations

from typing import Optional


class Error(Exception):
    """The base class of all exceptions of this package."""

    status: Optional[int] = None
    """The status of the library, ``enum wsr_status``; None where Python noticed the error."""


class NotFoundError(Error, LookupError):
    """There is no such file, kind of record, field, type or PE."""

    status = 2


class PathNotFoundError(NotFoundError, FileNotFoundError):
    """There is no such directory or record file."""


class NotRecordedError(NotFoundError, AttributeError):
    """The run did not record what is asked for; the message says which option does."""


class NotRecordsError(Error, ValueError):
    """The file is no record file, or the directory has none."""

    status = 3


class UnsupportedError(Error):
    """A later version of Warpscope made the file."""

    status = 4


class DamagedError(Error):
    """Nothing of the file could be read."""

    status = 5


class InvalidArgumentError(Error, ValueError):
    """An argument is wrong."""

    status = 6


class SystemRefusedError(Error, OSError):
    """The system refused an access; the message has its reason."""

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
