# SPDX-License-Identifier: BSD-3-Clause
"""Reads the recordings of Warpscope simulations as numpy arrays and pandas DataFrames.

>>> import warpscope
>>> run = warpscope.open("stats-output")
>>> run
<warpscope.Run stats-output: event 12,130, gvt_pe ...>
>>> run.events(since=0.0005, lps="router*", fields=["recv_ts", "hops"]).shape
(978,)

`open()` returns a `Run`. Its tables (`run.events`, `run.gvt`, `run["gvt_kp"]`, ...) read records only on demand:
`run.events()` returns a structured array, `run.events["hops"]` a column, and `run.events.to_pandas()` a DataFrame.
`run.events.blocks()` returns an iterator, for records that do not fit into memory. `run.stats()` returns sums, and
`run.plot` draws pictures.

The package reads through the library libwarpscope-reader, which is installed with the command ``warpscope``. The
environment variable WARPSCOPE_READER_LIBRARY names the library's file or directory. Without this variable, the package
looks for the library at the place that the installation chose, then where the loader looks, then near the command.
"""

from __future__ import annotations

from ._blocks import Block
from ._errors import (ClosedError, DamagedError, Error, InvalidArgumentError, LibraryError, NoMemoryError,
                      NotFoundError, NotRecordedError, NotRecordsError, PathNotFoundError, SystemRefusedError,
                      UnsupportedError)
from ._fields import Field
from ._library import library as _library_loaded
from ._run import File, Finding, Path, Run
from ._table import Gap, Table
from ._version import __version__

__all__ = [
    "Block", "ClosedError", "DamagedError", "Error", "Field", "File", "Finding", "Gap", "InvalidArgumentError",
    "LibraryError", "NoMemoryError", "NotFoundError", "NotRecordedError", "NotRecordsError", "PathNotFoundError",
    "Run", "SystemRefusedError", "Table", "UnsupportedError", "__version__", "library_path", "open",
]


def open(path: Path, *, journals: bool = False) -> Run:
    """Open a recording: the directory of a run, or one record file.

    journals: True includes records that are only in crash-safe buffers, because the run goes on or was killed.

    Raise PathNotFoundError (a FileNotFoundError) if the path does not exist, NotRecordsError if it contains no
    records, and LibraryError if libwarpscope-reader is missing or has another version. Other failures raise other
    subclasses of `Error`.

    >>> import warpscope
    >>> warpscope.open("no-such-directory")                             # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    warpscope.PathNotFoundError: ...
    """
    return Run(path, journals=journals)


def library_path() -> str:
    """Return the path or name of the library in use.

    >>> import warpscope
    >>> "libwarpscope-reader" in warpscope.library_path()
    True
    """
    return _library_loaded().path


for _name in __all__:  # programs see the classes under the name of the package
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
del _name
