# SPDX-License-Identifier: BSD-3-Clause
"""Draws pictures of runs. matplotlib is optional; it is imported when the first picture is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import _html
from ._errors import InvalidArgumentError, LibraryError, NotRecordedError

if TYPE_CHECKING:  # pragma: no cover
    from ._run import Run
    from ._table import Table

_CLOCKS = {"real_time": "wall clock in s", "virtual_time": "virtual time"}
_PHASES = {
    "event_processing_cc": "executing events", "rollbacks_cc": "undoing events",
    "event_abort_cc": "taking back messages", "cancelq_cc": "anti-messages", "gvt_cc": "GVT",
    "fossil_collect_cc": "committing events", "network_read_cc": "taking in messages",
    "priority_queue_cc": "pending queue", "avl_cc": "finding events", "buddy_cc": "saving states",
    "lz4_cc": "recording", "other_cc": "waiting, scheduling",
}


class Plots:
    """Draws pictures of a run: ``run.plot.efficiency()``. Each method returns the matplotlib Axes of its picture.

    Each method takes `ax`, the Axes to draw into; without `ax`, it makes a new figure. Methods for pictures over time
    also take `clock`, which is ``"real_time"`` or ``"virtual_time"``, and `bins`, the number of bins on the time axis.
    Methods raise NotRecordedError if the run did not record the data for the picture; the message names the option
    that records them.

    >>> import warpscope
    >>> run = warpscope.open("stats-output")
    >>> axes = run.plot.efficiency()                                    # doctest: +MATPLOTLIB
    >>> axes.get_ylabel()                                               # doctest: +MATPLOTLIB
    'efficiency in %'
    >>> axes = run.plot.rates(), run.plot.phases()                      # doctest: +MATPLOTLIB
    """

    def __init__(self, run: "Run") -> None:
        self._run = run

    def __repr__(self) -> str:
        return f"<warpscope.Plots of {self._run!r}: efficiency, rates, phases, ahead, rollbacks>"

    def efficiency(self, ax: Any = None, *, clock: str = "real_time", bins: int = 60) -> Any:
        """Draw the efficiency of all PEs together, and of each PE if there are at most 16.

        The efficiency is 100 (1 - undone / (executed - undone)) %. It is 100 % if no event was undone, 0 % if half of
        the executed events were undone, and negative if more were undone. It is also 0 % if all were undone.
        """
        table = self._samples(clock, "gvt_pe", "rt_pe", "vt_pe")
        edges, pes, changes = _changes(table, clock, ("events_processed", "events_rolled_back"), bins)
        processed, undone = changes["events_processed"], changes["events_rolled_back"]
        ax = _axes(ax)
        if len(pes) <= 16:
            for i, pe in enumerate(pes):
                ax.stairs(_efficiency(processed[i], undone[i]), edges, baseline=None, alpha=0.6, label=f"PE {pe}")
        ax.stairs(_efficiency(processed.sum(0), undone.sum(0)), edges, baseline=None, color="black", linewidth=2,
                  label="all PEs")
        ax.set(xlabel=_CLOCKS[clock], ylabel="efficiency in %", title="Efficiency", ylim=(max(
            -100.0, min(0.0, ax.get_ylim()[0])), 105))
        ax.legend()
        return ax

    def rates(self, ax: Any = None, *, clock: str = "real_time", bins: int = 60) -> Any:
        """Draw the numbers of events that were executed, committed and rolled back per unit of time."""
        table = self._samples(clock, "gvt_pe", "rt_pe", "vt_pe")
        names = [name for name in ("events_processed", "events_committed", "events_rolled_back")
                 if name in table.fields]
        edges, _, changes = _changes(table, clock, names, bins)
        ax = _axes(ax)
        for name in names:
            ax.stairs(changes[name].sum(0) / np.diff(edges), edges, baseline=None, label=name.replace("_", " "))
        per = "second" if clock == "real_time" else "unit of virtual time"
        ax.set(xlabel=_CLOCKS[clock], ylabel=f"events per {per}", title="Rates")
        ax.set_ylim(bottom=0)
        ax.legend()
        return ax

    def phases(self, ax: Any = None) -> Any:
        """Draw how each PE spent its time, as stacked bars."""
        table = self._samples("real_time", "rt_pe")
        data = table.select(fields=["pe", *(name for name in _PHASES if name in table.fields)]).to_numpy()
        ticks = float(self._run.facts.get("ticks_per_second", "nan"))
        unit, scale = ("s", 1 / ticks) if ticks > 0 else ("ticks", 1.0)
        pes = np.unique(data["pe"])
        ax = _axes(ax)
        bottom = np.zeros(len(pes))
        for i, name in enumerate(data.dtype.names[1:]):
            total = np.array([float(data[name][data["pe"] == pe].sum()) * scale for pe in pes])
            ax.bar(pes, total, bottom=bottom, label=_PHASES[name], color=_colour(i), hatch="" if i < 10 else "//")
            bottom += total
        ax.set(xlabel="PE", ylabel=f"time in {unit}", title="Where the time went")
        if len(pes) <= 16:
            ax.set_xticks(pes)
        ax.legend(bbox_to_anchor=(1.02, 1), loc="upper left", borderaxespad=0)
        return ax

    def ahead(self, ax: Any = None, *, clock: str = "real_time", bins: int = 60) -> Any:
        """Draw how far each KP was ahead of GVT. The row of a KP shows the mean of the KP's samples in each bin.

        A bin without samples shows the value of the previous bin. A bin within a gap of the table shows no value.
        """
        table = self._samples(clock, "rt_kp", "rt_ahead", "gvt_kp")
        x = _clock_field(table, clock)
        data = table(fields=["pe", "kp", x, "time_ahead_gvt"])
        pairs, row = np.unique(np.stack([data["pe"], data["kp"]]), axis=1, return_inverse=True)
        edges = _edges(data[x], bins)
        step = np.clip(np.searchsorted(edges, data[x], side="right") - 1, 0, len(edges) - 2)
        shape = (pairs.shape[1], len(edges) - 1)
        at = (row.reshape(-1), step)
        total, n = np.zeros(shape), np.zeros(shape)
        np.add.at(total, at, data["time_ahead_gvt"])
        np.add.at(n, at, 1)
        ax = _axes(ax)
        means = _held(total, n)
        means[:, _in_gaps(edges, _gaps(table, clock))] = np.ma.masked
        mesh = ax.pcolormesh(edges, np.arange(shape[0] + 1) - 0.5, means, cmap="viridis")
        ax.figure.colorbar(mesh, ax=ax, label="ahead of GVT in units of virtual time")
        _label_pairs(ax, pairs)
        ax.set(xlabel=_CLOCKS[clock], title="KPs ahead of GVT")
        return ax

    def rollbacks(self, ax: Any = None, *, top: int = 20) -> Any:
        """Draw the `top` KPs with the most rollbacks, by cause; if only PEs were sampled, draw PEs instead."""
        if isinstance(top, bool) or not isinstance(top, int) or top < 1:
            raise InvalidArgumentError(f"top must be a number of KPs, not {top!r}")
        names, primary, secondary = self._rollback_counts()
        order = np.argsort(-(primary + secondary), kind="stable")[:top]
        order = order[(primary + secondary)[order] > 0]
        ax = _axes(ax)
        y = np.arange(len(order))
        ax.set(xlabel="rollbacks", title="Most rollbacks")
        if len(order) == 0:
            ax.text(0.5, 0.5, "no rollbacks", ha="center", va="center", transform=ax.transAxes)
            ax.set_yticks([])
            return ax
        ax.barh(y, primary[order], label="late events")
        ax.barh(y, secondary[order], left=primary[order], label="cancelled events", hatch="//")
        ax.set_yticks(y, [names[i] for i in order])
        ax.invert_yaxis()
        ax.legend()
        return ax

    # ---- What the pictures are made of

    def _samples(self, clock: str, *kinds: str) -> "Table":
        """Return the table of the first of `kinds` that has records with times on the clock.

        Raise NotRecordedError if there is none.
        """
        if clock not in _CLOCKS:
            raise InvalidArgumentError(f"clock must be one of {', '.join(_CLOCKS)}, not {clock!r}")
        there = [kind for kind in kinds if kind in self._run and len(self._run[kind]) > 0]
        for kind in there:
            if _clock_field(self._run[kind], clock) in self._run[kind].fields:
                return self._run[kind]
        from ._run import _OPTIONS

        if there:
            raise NotRecordedError(f"{there[0]} has no {clock}: choose the other clock")
        options = " or ".join(dict.fromkeys(_OPTIONS[kind] for kind in kinds))
        raise NotRecordedError(f"the run did not record what the picture shows: {options} does")

    def _rollback_counts(self) -> Tuple[List[str], np.ndarray, np.ndarray]:
        """Return the names of KPs or PEs, and for each its numbers of primary and of secondary rollbacks."""
        if "rollback" in self._run and len(self._run["rollback"]) > 0:
            data = self._run["rollback"](fields=["pe", "kp", "cause"])
            keys = ["pe", "kp"]
            secondary = (data["cause"] == 2).astype(float)
            primary = 1 - secondary
        else:
            table = self._samples("real_time", "rollback", "gvt_kp", "rt_kp", "gvt_pe", "rt_pe")
            keys = ["pe", "kp"] if "kp" in table.fields else ["pe"]
            data = table(fields=[*keys, "total_rollbacks", "secondary_rollbacks"])
            secondary = data["secondary_rollbacks"].astype(float)
            primary = data["total_rollbacks"].astype(float) - secondary
        owners, row = np.unique(np.stack([data[key] for key in keys]), axis=1, return_inverse=True)
        sums = [np.bincount(row.reshape(-1), values, owners.shape[1]) for values in (primary, secondary)]
        return [" ".join(f"{key.upper()} {n}" for key, n in zip(keys, owner)) for owner in owners.T], sums[0], sums[1]


def _axes(ax: Any) -> Any:
    """Return `ax`, or Axes of a new figure if `ax` is None. Raise LibraryError if matplotlib is not installed."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise LibraryError(
            f"pictures need matplotlib, which is not installed (Debian: python3-matplotlib): {error}") from None
    return pyplot.subplots(layout="constrained")[1]


def _colour(i: int) -> str:
    return f"C{i % 10}"


def _clock_field(table: "Table", clock: str) -> str:
    if clock == "real_time":
        return "real_time"
    return "vt" if "vt" in table.fields else "gvt"


def _edges(times: np.ndarray, bins: int) -> np.ndarray:
    if isinstance(bins, bool) or not isinstance(bins, int) or bins < 1:
        raise InvalidArgumentError(f"bins must be a number of steps, not {bins!r}")
    last = float(times.max()) if len(times) else 0.0
    return np.linspace(0.0, last if last > 0 else 1.0, bins + 1)


def _changes(table: "Table", clock: str, names: Sequence[str],
             bins: int) -> Tuple[np.ndarray, np.ndarray, Dict[str, np.ndarray]]:
    """Return the edges of the bins, the PEs, and for each name an array of the changes, indexed by PE and bin.

    A sample counts what happened since the previous sample; the count is spread evenly over the time between the two
    samples. The first sample after a gap of the table counts what happened since the end of the gap. Bins within gaps
    are NaN.
    """
    x = _clock_field(table, clock)
    data = table(fields=["pe", x, *names])
    edges = _edges(data[x], bins)
    pes = np.unique(data["pe"])
    changes = {name: np.zeros((len(pes), len(edges) - 1)) for name in names}
    for i, pe in enumerate(pes):
        own = data[data["pe"] == pe]
        times = np.concatenate([[0.0], own[x]])
        for name in names:
            sums = np.concatenate([[0.0], np.cumsum(own[name].astype(float))])
            changes[name][i] = np.diff(_interpolated(edges, *_with_gaps(times, sums, _gaps(table, clock))))
    for name in names:
        changes[name][:, _in_gaps(edges, _gaps(table, clock))] = np.nan
    return edges, pes, changes


def _gaps(table: "Table", clock: str) -> List[Tuple[float, float]]:
    return [getattr(gap, clock) for gap in table.gaps]


def _in_gaps(edges: np.ndarray, gaps: Sequence[Tuple[float, float]]) -> np.ndarray:
    """Return a flag for each bin: True if the bin is within a gap."""
    inside = np.zeros(len(edges) - 1, bool)
    for low, high in gaps:
        inside |= (edges[:-1] >= low) & (edges[1:] <= high)
    return inside


def _with_gaps(times: np.ndarray, sums: np.ndarray,
               gaps: Sequence[Tuple[float, float]]) -> Tuple[np.ndarray, np.ndarray]:
    """Return times and sums with an element added for the end of each gap; its sum is that at the gap's beginning."""
    for _, high in gaps:
        at = int(np.searchsorted(times, high))
        if 0 < at < len(times):
            times, sums = np.insert(times, at, high), np.insert(sums, at, sums[at - 1])
    return times, sums


def _interpolated(at: np.ndarray, times: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """Return sums interpolated at the times `at`; the first is 0. Of several samples with one time, the last counts."""
    last = np.append(times[1:] > times[:-1], True)
    values = np.interp(at, times[last], sums[last])
    values[0] = 0.0
    return values


def _efficiency(processed: np.ndarray, undone: np.ndarray) -> np.ndarray:
    """Return the efficiency in percent, as the engine and `Run.stats()` define it; NaN where nothing was executed."""
    net = processed - undone
    with np.errstate(divide="ignore", invalid="ignore"):
        percent = 100 * (1 - undone / net)
    return np.where(processed <= 0, np.nan, np.where(undone <= 0, 100.0, np.where(net > 0, percent, 0.0)))


def _held(total: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return the mean of the samples in each row and bin. total, n: sum and number of these samples.

    A bin without samples has the mean of the previous bin. Bins before the first sample of a row are masked.
    """
    step = np.maximum.accumulate(np.where(n > 0, np.arange(n.shape[1]), -1), axis=1)
    mean = np.take_along_axis(total / np.maximum(n, 1), np.maximum(step, 0), axis=1)
    return np.ma.MaskedArray(mean, mask=step < 0)


def _label_pairs(ax: Any, pairs: np.ndarray) -> None:
    """Label the rows of a picture with PE and KP, or only as many rows as there is space for."""
    every = max(1, -(-pairs.shape[1] // 24))
    rows = range(0, pairs.shape[1], every)
    ax.set_yticks(list(rows), [f"PE {pairs[0, i]} KP {pairs[1, i]}" for i in rows])
    ax.invert_yaxis()
