# SPDX-License-Identifier: BSD-3-Clause
"""Runs, which are opened recordings."""

from __future__ import annotations

import ctypes
import json
import os
import threading
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from . import _html, _library, _results
from ._blocks import ROWS, Block
from ._errors import (ClosedError, Error, InvalidArgumentError, NotFoundError, NotRecordedError, NotRecordsError,
                      PathNotFoundError, error_of)
from ._library import library, text_of
from ._select import merged, select_of
from ._table import Kind, Table

if TYPE_CHECKING:  # pragma: no cover
    from ._plot import Plots
    from ._results import Distribution, Histogram, Series

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

# For each kind of record, the option with which a run records it.
_OPTIONS = {
    "event": "--event-trace=3 (committed events) or --event-trace=1 (all)",
    "rollback": "--event-trace=2",
    "gvt_pe": "--enable-gvt-stats=1", "gvt_kp": "--enable-gvt-stats=1 --granularity=1",
    "gvt_lp": "--enable-gvt-stats=1 --granularity=1",
    "rt_pe": "--real-time-samp=MS", "rt_kp": "--real-time-samp=MS --granularity=1",
    "rt_lp": "--real-time-samp=MS --granularity=1", "rt_ahead": "--real-time-samp=MS",
    "vt_pe": "--vt-interval=T", "vt_kp": "--vt-interval=T --granularity=1",
    "vt_lp": "--vt-interval=T --granularity=1",
    "model_lp": "--model-stats=N, if the model has values to sample",
}


@dataclass(frozen=True)
class File:
    """A record file of a run, in its state when the run was opened. Unknown times are NaN."""

    path: str
    stream: str
    """``gvt``, ``rt``, ``vt``, ``model``, ``evtrace``, ``task`` or ``tracer``; "" if the file is not readable."""
    records: int
    pending: int
    """Number of records that are only in crash-safe buffers; 0 without ``open(..., journals=True)``."""
    missing: int
    """Number of records known to be lost by damage."""
    dropped: int
    """Number of records lost before the file was written."""
    loss_unknown: bool
    """True if an unknown number of further records may be missing."""
    blocks: int
    bytes: int
    pes: int
    part: int
    """The number of the file among the parts of its stream, from 1: PREFIX-2-STREAM.bin continues PREFIX-STREAM.bin."""
    readable: bool
    complete: bool
    """True if each PE ended, and no record is damaged or lost."""
    running: bool
    virtual_time: Tuple[float, float]
    """The smallest and the greatest virtual time of a record."""
    real_time: Tuple[float, float]
    """The smallest and the greatest wall-clock time of a record, in seconds."""
    outcome: Optional[str]
    """The end of the run in words; None if the run did not end."""
    end_gvt: float
    end_real_time: float


@dataclass(frozen=True)
class Finding:
    """A sentence about one of the greatest costs of a run."""

    rule: str
    text: str
    advice: str
    weight: float


def _file_of(raw: _library.File) -> File:
    return File(
        path=os.fsdecode(raw.path), stream=text_of(raw.stream), records=raw.records, pending=raw.pending,
        missing=raw.missing, dropped=raw.dropped, loss_unknown=bool(raw.loss_unknown), blocks=raw.blocks,
        bytes=raw.bytes, pes=raw.n_pes, part=raw.part, readable=bool(raw.readable), complete=bool(raw.complete),
        running=bool(raw.running), virtual_time=(raw.virtual_from, raw.virtual_to),
        real_time=(raw.real_from, raw.real_to), outcome=text_of(raw.outcome) if raw.outcome is not None else None,
        end_gvt=raw.end_gvt, end_real_time=raw.end_real_time)


def _prefixes_of(files: Iterable[File]) -> List[str]:
    """Return the prefixes of the runs to which the files belong.

    PREFIX-2-STREAM.bin, PREFIX-3-STREAM.bin, ... belong to the run PREFIX: such a file begins when `warpscope ctl`
    changes what the run records.
    """
    found = set()
    for file in files:
        prefix = os.path.basename(file.path).rsplit("-", 1)[0]
        number = f"-{file.part}"
        found.add(prefix[:-len(number)] if file.part > 1 and prefix.endswith(number) else prefix)
    return sorted(found)


class Run:
    """An opened recording, which `open()` returns. Its tables hold the records, and its properties describe the run.

    A run can be used as a context manager, which closes the run. Only one thread at a time can use a run, and other
    threads wait. To read in parallel, each thread must open the recording itself.

    >>> import warpscope
    >>> with warpscope.open("stats-output") as run:
    ...     print(run.facts["ranks"], run.complete, sorted(run.kinds))
    2 True ['event', 'gvt_kp', 'gvt_lp', 'gvt_pe', 'model_lp', 'rt_kp', 'rt_lp', 'rt_pe']
    >>> run.closed
    True

    The tables, and what is known of the run beside them:

    >>> run = warpscope.open("stats-output")
    >>> [table.name for table in run.tables][:3], run.gvt.name, run.rt.name
    (['event', 'gvt_pe', 'gvt_kp'], 'gvt_pe', 'rt_pe')
    >>> run.vt
    Traceback (most recent call last):
    warpscope.NotRecordedError: the run did not record vt_pe, ...
    >>> run.faults, [file["complete"] for file in run.info()["files"]]
    ([], [True, True, True, True])
    >>> any(finding.weight > 1 for finding in run.findings())
    False
    >>> run.close()
    """

    def __init__(self, path: Path, *, journals: bool = False) -> None:
        self._handle: Optional[ctypes.c_void_p] = None
        self._lock = threading.RLock()
        encoded = os.fsencode(path)
        if b"\0" in encoded:
            raise InvalidArgumentError("path has a zero character")
        self.path = os.fsdecode(encoded)
        """Path of the directory or file, as given to `open()`."""
        self._journals = bool(journals)
        self._faults: List[str] = []  # faults found so far; kept when the run is closed
        self._library = library()
        handle = ctypes.c_void_p()
        status = self._library.open(handle, encoded, _library.JOURNALS if journals else 0)
        if status != _library.OK:
            message = text_of(self._library.message(handle)) if handle else ""
            self._library.close(handle)
            raise self._open_error(status, message)
        self._handle = handle
        self._read_descriptions()

    def _open_error(self, status: int, message: str) -> Error:
        message = message or f"{_html.visible(self.path)}: {text_of(self._library.status_text(status))}"
        if status == PathNotFoundError.status:
            return NotRecordsError(message) if os.path.exists(self.path) else PathNotFoundError(message)
        return error_of(status, message)

    def _read_descriptions(self) -> None:
        handle, lib = self._handle, self._library
        raw_files = [lib.file_at(handle, i) for i in range(lib.file_count(handle))]
        files = {ctypes.addressof(raw.contents): _file_of(raw.contents) for raw in raw_files}
        self._files = tuple(files.values())
        facts = (lib.fact_at(handle, i).contents for i in range(lib.fact_count(handle)))
        self._facts = {text_of(fact.name): text_of(fact.text) for fact in facts}
        self._prefixes = _prefixes_of(self._files)
        kinds = (lib.kind_at(handle, i) for i in range(lib.kind_count(handle)))
        self._kinds = tuple(Kind(kind, files[ctypes.addressof(kind.contents.file.contents)]) for kind in kinds)

    # ---- The handle

    def _open_handle(self) -> ctypes.c_void_p:
        """Return the handle. Raise ClosedError if the run is closed. The caller holds the lock."""
        if self._handle is None:
            raise ClosedError(f"the run {_html.visible(self.path)} is closed")
        return self._handle

    def _error(self, status: int) -> Error:
        """Return the exception for the status of the latest call of the library, with the library's message."""
        message = text_of(self._library.message(self._open_handle()))
        return error_of(status, message or text_of(self._library.status_text(status)))

    def close(self) -> None:
        """Close the run. Arrays and blocks read from it stay valid; further reading raises ClosedError."""
        with self._lock:
            self._note_faults()
            handle, self._handle = self._handle, None
            if handle is not None:
                self._library.close(handle)

    @property
    def closed(self) -> bool:
        """True if the run is closed."""
        return self._handle is None

    def __enter__(self) -> "Run":
        with self._lock:
            self._open_handle()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()

    def __reduce__(self) -> Any:
        return _reopened, self._origin()

    def _origin(self) -> Tuple[str, bool]:
        """Return the arguments with which `_reopened()` opens this run again, possibly in another process."""
        return os.path.abspath(self.path), self._journals

    # ---- Files and facts

    @property
    def files(self) -> Tuple[File, ...]:
        """The record files in the order of their names, with the parts of a stream one after another."""
        return self._files

    @property
    def facts(self) -> Dict[str, str]:
        """Facts about the run, by name: ``command``, ``ranks``, ``scheduler``, ``option_...``.

        An option that `warpscope ctl` changed has its value in the first file; `info()` returns its value in each
        file. Raise InvalidArgumentError if the directory has several runs.

        >>> import warpscope
        >>> run = warpscope.open("stats-output")
        >>> run.facts["scheduler"], run.facts["total_lps"]
        ('optimistic', '33')
        """
        self._check_one_run()
        return dict(self._facts)

    def lp_name(self, lp: int) -> Optional[str]:
        """Return the name that the model gave to LP number `lp`; None if it has none.

        >>> import warpscope
        >>> warpscope.open("stats-output").lp_name(0)
        'Seattle'
        """
        self._check_one_run()
        with self._lock:
            name = self._library.lp_name(self._open_handle(), lp)
            return None if name is None else text_of(name)

    def lp_number(self, name: str) -> int:
        """Return the number of the LP with this name. Raise NotFoundError if there is none.

        >>> import warpscope
        >>> warpscope.open("stats-output").lp_number("Seattle")
        0
        """
        total = int(self.facts.get("total_lps", 0))
        found = next((lp for lp in range(total) if self.lp_name(lp) == name), None)
        if found is None:
            raise NotFoundError(f"no LP is named {name!r}")
        return found

    def _check_one_run(self) -> None:
        """Raise InvalidArgumentError if the directory has several runs, whose facts and tables must not be mixed."""
        if len(self._prefixes) > 1:
            names = [_html.visible(prefix) for prefix in self._prefixes]
            raise InvalidArgumentError(
                f"{_html.visible(self.path)} has {len(names)} runs, {', '.join(names[:-1])} and {names[-1]}: move the "
                f"files of one, as {names[0]}-*.bin, into a directory of their own, open one of the files, or choose "
                "from run.tables: " + ", ".join(_html.visible(file.path) for file in self._files))

    @property
    def complete(self) -> bool:
        """True if all files are complete: the run ended, and no record is damaged or lost.

        Reading finds damage in the records; if it does, this property becomes False.
        """
        with self._lock:
            self._note_faults()
        return not self._faults and all(file.complete for file in self._files)

    def _note_faults(self) -> None:
        """Store the faults found so far, to have them after the run is closed. The caller holds the lock."""
        n = 0 if self._handle is None else self._library.fault_count(self._handle)
        if n > len(self._faults):
            self._faults = [text_of(self._library.fault_at(self._handle, i)) for i in range(n)]

    @property
    def faults(self) -> List[str]:
        """A line for each place of damage, including those found by reading so far; also available after `close()`."""
        with self._lock:
            self._note_faults()
            return list(self._faults)

    # ---- Tables

    @property
    def tables(self) -> Tuple[Table, ...]:
        """The tables: one for each kind of record of a stream, even if it has no records.

        A table has the records of all files of its stream.
        """
        return tuple(Table(self, kind) for kind in self._kinds)

    @property
    def kinds(self) -> List[str]:
        """The names of the tables."""
        return list(dict.fromkeys(kind.name for kind in self._kinds))

    def __getitem__(self, kind: str) -> Table:
        """Return the table of a kind of record, such as ``run["gvt_kp"]``.

        Raise NotRecordedError if there is no such table, and InvalidArgumentError if there are several such tables or
        the directory has several runs.
        """
        found = [table for table in self.tables if table.name == kind]
        if found:
            self._check_one_run()
        if len(found) > 1:
            raise InvalidArgumentError(
                f"the directory has {len(found)} tables {kind}: open one of the files, or choose from run.tables: "
                + ", ".join(_html.visible(table.file.path) for table in found))
        if not found:
            raise NotRecordedError(self._not_recorded(kind))
        return found[0]

    def _not_recorded(self, kind: object) -> str:
        there = f"the recording has {', '.join(map(_html.visible, self.kinds)) or 'no records'}"
        option = _OPTIONS.get(kind) if isinstance(kind, str) else None
        if option is None:
            return f"there is no kind of record {kind!r}: {there}"
        return f"the run did not record {kind}, which the option {option} records: {there}"

    def __contains__(self, kind: object) -> bool:
        return any(known.name == kind for known in self._kinds)

    def __iter__(self) -> Iterator[Table]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self._kinds)

    def __bool__(self) -> bool:
        return True

    def _ipython_key_completions_(self) -> List[str]:
        return self.kinds

    def _first(self, *kinds: str) -> Table:
        return next((self[kind] for kind in kinds if kind in self), None) or self[kinds[0]]

    @property
    def events(self) -> Table:
        """Records of executed events (``--event-trace=1``) or of committed events (``--event-trace=3``)."""
        return self["event"]

    @property
    def rollbacks(self) -> Table:
        """A record for each rollback, from ``--event-trace=2``."""
        return self["rollback"]

    @property
    def gvt(self) -> Table:
        """Samples of PEs at GVT computations. ``run["gvt_kp"]`` and ``run["gvt_lp"]`` are samples of KPs and of LPs."""
        return self._first("gvt_pe", "gvt_kp", "gvt_lp")

    @property
    def rt(self) -> Table:
        """Samples of PEs by wall clock. ``run["rt_kp"]`` and ``run["rt_lp"]`` are samples of KPs and of LPs."""
        return self._first("rt_pe", "rt_kp", "rt_lp")

    @property
    def vt(self) -> Table:
        """Samples of PEs at virtual times. ``run["vt_kp"]`` and ``run["vt_lp"]`` are samples of KPs and of LPs."""
        return self._first("vt_pe", "vt_kp", "vt_lp")

    @property
    def model(self) -> Table:
        """Values of the model: a record for each LP and sampling point."""
        return self["model_lp"]

    def blocks(self, kind: Optional[str] = None, rows: Optional[int] = ROWS, **chosen: Any) -> Iterator[Block]:
        """Return an iterator over the records of a kind in blocks, like `Table.blocks()`.

        kind: None means all kinds, one after the other; ``block.kind`` is the name of a block's kind.
        """
        merged({}, chosen)
        tables = self.tables if kind is None else (self[kind],)
        if len(tables) == 1:
            return tables[0].blocks(rows, **chosen)
        return (block for table in tables for block in table.blocks(rows, **chosen))

    # ---- Results of the model

    def series(self, field: str, lp: Union[None, int, str] = None, *, kind: Optional[str] = None,
               **chosen: Any) -> "Series":
        """Return the values of a field of one LP by virtual time.

        lp: number or name of the LP; None: all LPs together. kind: the kind of record; by default samples of the model
        if they have the field, else events. The other arguments are those of `Table.select()`: since=T leaves out a
        warm-up.

        >>> import warpscope
        >>> series = warpscope.open("stats-output").series("packets", lp="Seattle")
        >>> series.unit, len(series), bool((series.values[1:] >= series.values[:-1]).all())
        ('packets', 6, True)
        """
        return _results.series_of(self, field, lp, kind, chosen)

    def histogram(self, field: str, bins: Any = "auto", *, kind: Optional[str] = None, **chosen: Any) -> "Histogram":
        """Return how many values of a field lie between edges. bins: as for `numpy.histogram()`.

        >>> import warpscope
        >>> warpscope.open("stats-output").histogram("size", [0, 100, 1000, 2000], types="host").counts.tolist()
        [3534, 2040, 520]
        """
        return _results.histogram_of(self, field, bins, kind, chosen)

    def distribution(self, field: str, *, kind: Optional[str] = None, **chosen: Any) -> "Distribution":
        """Return the empirical distribution of a field.

        >>> import warpscope
        >>> sizes = warpscope.open("stats-output").distribution("size", types="host")
        >>> sizes.share_below(100), float(sizes.quantile(0.5))
        (0.57991..., 40.0)
        """
        return _results.distribution_of(self, field, kind, chosen)

    # ---- Sums

    def stats(self, **chosen: Any) -> Dict[str, Any]:
        """Return the data that ``warpscope stats --json`` prints: totals, rates, efficiency, worst KPs and LPs.

        The arguments are those of `Table.select()`, except `where` and `fields`.

        >>> import warpscope
        >>> run = warpscope.open("stats-output")
        >>> [file["totals"]["events"] for file in run.stats()["files"] if file["stream"] == "evtrace"]
        [12130]
        """
        for name in ("where", "fields"):
            if chosen.get(name) is not None:
                raise InvalidArgumentError(f"sums are not made of records that {name} chooses")
        select = select_of(merged({}, chosen))
        with self._lock:
            made = self._json(lambda handle, text: self._library.stats_json(handle, select, text))
            message = text_of(self._library.message(self._open_handle()))
        if message:  # no record is selected
            warnings.warn(message, stacklevel=2)
        return made

    def info(self) -> Dict[str, Any]:
        """Return the data that ``warpscope info --json`` prints: files, fields, PEs, damage."""
        return self._json(self._library.info_json)

    def _json(self, function: Any) -> Dict[str, Any]:
        text = ctypes.c_void_p()
        with self._lock:
            status = function(self._open_handle(), text)
            if status != _library.OK:
                raise self._error(status)
            try:
                made = ctypes.string_at(text)
            finally:
                self._library.text_free(text)
        return json.loads(made.decode("utf-8", "replace"))

    def findings(self) -> List[Finding]:
        """Return sentences about the greatest costs of the run, in descending order of weight.

        Raise NotImplementedError if the library does not have this function yet, and InvalidArgumentError if the
        directory has several runs.
        """
        self._check_one_run()
        if not self._library.has_findings:
            raise NotImplementedError(f"{self._library.path} has no findings; a later version of it may have")
        found, n = ctypes.POINTER(_library.Finding)(), ctypes.c_size_t()
        with self._lock:
            status = self._library.findings(self._open_handle(), found, n)
            if status != _library.OK:
                raise self._error(status)
            return [Finding(text_of(found[i].rule), text_of(found[i].text), text_of(found[i].advice),
                            found[i].weight) for i in range(n.value)]

    @property
    def plot(self) -> "Plots":
        """The methods that draw pictures of the run, such as ``run.plot.efficiency()``. They need matplotlib."""
        from ._plot import Plots

        return Plots(self)

    # ---- Shown

    def __repr__(self) -> str:
        path = _html.visible(self.path)
        if self.closed:
            return f"<warpscope.Run {path}, closed>"
        state = "" if self.complete else ", incomplete"
        if len(self._prefixes) > 1:
            state = f", {len(self._prefixes)} runs{state}"
        return f"<warpscope.Run {path}{state}: {', '.join(f'{_html.visible(t.name)} {len(t):,}' for t in self.tables)}>"

    def _repr_html_(self) -> str:
        return _html.run_html(self)


def _reopened(path: str, journals: bool) -> Run:
    return Run(path, journals=journals)
