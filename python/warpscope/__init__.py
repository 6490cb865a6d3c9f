# SPDX-License-Identifier: BSD-3-Clause
"""Reads what Warpscope simulations recorded, as numpy arrays and pandas DataFrames.

>>> import warpscope
>>> run = warpscope.open("stats-output")
>>> run
<warpscope.Run stats-output: event 12,130, gvt_pe ...>
>>> run.events(since=0.0005, lps="router*", fields=["recv_ts", "hops"]).shape
(978,)

`open()` returns a `Run`. Its tables (`run.events`, `run.gvt`, `run["gvt_kp"]`, ...) are read when they are asked for:
`run.events()` is a structured array, `run.events["hops"]` a column, `run.events.to_pandas()` a DataFrame, and
`run.events.blocks()` an iterator for what does not fit into memory. `run.stats()` has the sums, `run.plot` pictures.

The package reads through the library libwarpscope-reader, which is installed with the command ``warpscope``. It looks
for it where the environment variable WARPSCOPE_READER_LIBRARY says (a file or a directory), else beside itself as
installed, where the loader looks, and beside the command.
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

    journals: True adds records that are only in crash-safe buffers yet, because the run goes on or was killed.

    PathNotFoundError (a FileNotFoundError): there is no such path. NotRecordsError: there are no records.
    LibraryError: libwarpscope-reader is missing or has another version. Further subclasses of `Error` say more.

    >>> import warpscope
    >>> warpscope.open("no-such-directory")                             # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    warpscope.PathNotFoundError: ...
    """
    return Run(path, journals=journals)


def library_path() -> str:
    """Return the path or name of the library in use."""
    return _library_loaded().path


for _name in __all__:  # what programs see has the name of the package
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
del _name
