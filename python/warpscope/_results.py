# SPDX-License-Identifier: BSD-3-Clause
"""Results of the model within one run: series of an LP, histograms and distributions of a field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np

from ._errors import InvalidArgumentError, NotFoundError
from ._table import Table

if TYPE_CHECKING:  # pragma: no cover
    from ._run import Run

# For each kind of record, the field with its virtual time; samples of the other kinds have "gvt".
_TIMES = {"event": "recv_ts", "vt_pe": "vt", "vt_kp": "vt", "vt_lp": "vt"}


@dataclass(frozen=True)
class Series:
    """Values of a field in ascending order of virtual time."""

    times: np.ndarray
    values: np.ndarray
    field: str
    unit: str

    def after(self, time: float) -> "Series":
        """Return the part from `time` on, as behind a warm-up."""
        kept = self.times >= time
        return Series(self.times[kept], self.values[kept], self.field, self.unit)

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class Histogram:
    """Numbers of values between edges: `counts[i]` from edges[i] to edges[i + 1], the last edge included."""

    edges: np.ndarray
    counts: np.ndarray
    n: int
    field: str
    unit: str


@dataclass(frozen=True)
class Distribution:
    """The empirical distribution of a field: its values in ascending order."""

    values: np.ndarray
    field: str
    unit: str

    def share_below(self, value: float) -> float:
        """Return the share of the values that are at most `value`."""
        return float(np.searchsorted(self.values, value, "right")) / len(self.values)

    def quantile(self, p: Union[float, Sequence[float]]) -> Any:
        """Return the quantile p, or those of several p, between neighbouring values by linear interpolation."""
        return np.quantile(self.values, p)

    def __len__(self) -> int:
        return len(self.values)


def _table_of(run: "Run", field: str, kind: Optional[str]) -> Table:
    """Return the table with this field: of samples of the model if they have it, else of events, else any."""
    if kind is not None:
        return run[kind]
    with_field = [table for table in run.tables if field in table.fields]
    for wanted in ("model_lp", "event", *run.kinds):
        found = [table for table in with_field if table.name == wanted]
        if found:
            return run[wanted]
    known = sorted({name for table in run.tables for name in table.fields})
    raise NotFoundError(f"no record has a field {field!r}; there are {', '.join(known)}")


def _numbers_of(table: Table, field: str, chosen: Any, *more: str) -> Any:
    if table.fields[field].type in ("text", "bytes", "name"):
        raise InvalidArgumentError(f"{field} of {table.name} is a text, not a number")
    rows = table(fields=[*dict.fromkeys([field, *more])], **chosen)
    values = rows[field]
    if isinstance(values, np.ma.MaskedArray):
        rows, values = rows[~np.ma.getmaskarray(values)], values.compressed()
    return [values.astype(float), *(np.ma.getdata(rows[name]) for name in more)]


def series_of(run: "Run", field: str, lp: Any, kind: Optional[str], chosen: Any) -> Series:
    """See `Run.series()`."""
    table = _table_of(run, field, kind)
    time = _TIMES.get(table.name, "gvt")
    time = time if time in table.fields else "gvt"
    number = run.lp_number(lp) if isinstance(lp, str) else lp
    values, times = _numbers_of(table, field, {**chosen, **({} if number is None else {"lps": number})}, time)
    order = np.argsort(times, kind="stable")
    return Series(times[order].astype(float), values[order], field, table.fields[field].unit)


def histogram_of(run: "Run", field: str, bins: Any, kind: Optional[str], chosen: Any) -> Histogram:
    """See `Run.histogram()`."""
    table = _table_of(run, field, kind)
    values = _numbers_of(table, field, chosen)[0]
    counts, edges = np.histogram(values, bins)
    return Histogram(edges, counts, len(values), field, table.fields[field].unit)


def distribution_of(run: "Run", field: str, kind: Optional[str], chosen: Any) -> Distribution:
    """See `Run.distribution()`."""
    table = _table_of(run, field, kind)
    values = np.sort(_numbers_of(table, field, chosen)[0])
    if len(values) == 0:
        raise NotFoundError(f"no value of {field} is chosen, so it has no distribution")
    return Distribution(values, field, table.fields[field].unit)
