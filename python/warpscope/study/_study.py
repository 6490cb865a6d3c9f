# SPDX-License-Identifier: BSD-3-Clause
"""The directory of a study: its plan and the results of its runs."""

from __future__ import annotations

import hashlib
import json
import math
import os
import tempfile
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Tuple

from . import _plan
from ._plan import Case, Plan, PlanError
from .statistics import Interval, enough, mean

VERSION = 1
STATUSES = ("ok", "failed", "timeout", "missing")


@dataclass(frozen=True)
class Result:
    """A finished run."""

    case: Case
    replication: int
    status: str
    """``ok``; ``failed`` (the program did not end with status 0), ``timeout``, or ``missing`` (a value is not there)."""
    exit: Optional[int]
    """Exit status of the command; negative: the signal that ended it."""
    seconds: float
    values: Dict[str, float]
    message: str
    """Why the run is not ok; empty if it is."""
    directory: str


def write_json(path: str, value: Any) -> None:
    """Write a file that is complete or absent, whatever happens meanwhile."""
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".new-")
    try:
        with os.fdopen(handle, "w") as file:
            json.dump(value, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def read_json(path: str) -> Any:
    """Return the content of a file, or None if it is absent or not JSON."""
    try:
        with open(path, "rb") as file:
            return json.load(file)
    except (OSError, ValueError, RecursionError):
        return None


_hashes: Dict[Tuple[str, int, int], str] = {}


def _file_hash(path: str) -> str:
    about = os.stat(path)
    key = (path, about.st_size, about.st_mtime_ns)
    if key not in _hashes:
        digest = hashlib.sha256()
        with open(path, "rb") as file:
            for part in iter(lambda: file.read(1 << 20), b""):
                digest.update(part)
        _hashes[key] = digest.hexdigest()
    return _hashes[key]


class Study:
    """A study that was begun. `open()` and `run()` return one.

    >>> import warpscope.study
    >>> study = warpscope.study.open("load-study")                          # doctest: +SKIP
    >>> study.interval(study.cases[0], "delay")                             # doctest: +SKIP
    Interval(n=10, estimate=..., low=..., high=..., confidence=0.95, error=...)
    """

    def __init__(self, directory: str) -> None:
        self.directory = os.fspath(directory)
        kept = read_json(os.path.join(self.directory, "plan.json"))
        if not isinstance(kept, dict) or not {"plan", "directory", "name", "version"} <= set(kept):
            raise PlanError(f"{self.directory}: is not the directory of a study: it has no plan.json")
        if kept.get("version") != VERSION:
            raise PlanError(f"{self.directory}: written by another version of this package")
        self.plan: Plan = _plan.of(kept["plan"], kept["directory"], kept["name"], find=False)
        self._results: Dict[Tuple[str, int], Result] = {}

    @classmethod
    def begin(cls, plan: Plan, directory: str) -> "Study":
        """Make the directory, or give the one that is there this plan; runs that the plan does not change stay."""
        path = os.path.join(directory, "plan.json")
        os.makedirs(os.path.join(directory, "runs"), exist_ok=True)
        kept = {"version": VERSION, "name": plan.name, "directory": plan.directory, "plan": plan.source}
        if read_json(path) != kept:
            write_json(path, kept)
        return cls(directory)

    @property
    def cases(self) -> List[Case]:
        """The cases of the plan."""
        return self.plan.cases

    # ---- Runs

    def run_directory(self, case: Case, replication: int) -> str:
        """Return the directory of a run."""
        return os.path.join(self.directory, "runs", case.key, f"{replication:04d}")

    def digest(self, case: Case, replication: int) -> str:
        """Return what identifies a run in the plan: its command and its files."""
        argv = self.plan.argv(case, replication, "report.json", find=False)
        return hashlib.sha256(json.dumps([argv, self.plan.files_of(case, replication)]).encode()).hexdigest()

    def program_digest(self, case: Case, replication: int) -> str:
        """Return what identifies the contents of the program and of the files that the command names by {plan}."""
        return hashlib.sha256("".join(_file_hash(p) for p in self.plan.inputs(case, replication)).encode()).hexdigest()

    def collect_digest(self) -> str:
        """Return what identifies the values that are collected."""
        text = json.dumps([self.plan.source.get("collect"), self.plan.recording], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def kept(self, case: Case, replication: int) -> Optional[Dict[str, Any]]:
        """Return the content of a run's result, whatever plan it was made for; None without one."""
        found = read_json(os.path.join(self.run_directory(case, replication), "result.json"))
        good = isinstance(found, dict) and isinstance(found.get("values"), dict) and (
            isinstance(found.get("seconds"), (int, float)) and found.get("status") in STATUSES) and (
            all(isinstance(value, (int, float)) for value in found["values"].values()))
        return found if good else None

    def result(self, case: Case, replication: int) -> Optional[Result]:
        """Return the result of a run, or None if it did not finish yet (as the plan and the program are now)."""
        key = (case.key, replication)
        if key not in self._results:
            kept = self.kept(case, replication)
            if kept is None or kept.get("digest") != self.digest(case, replication) or (
                    kept.get("collected") != self.collect_digest()) or (
                    kept["status"] == "ok" and set(kept["values"]) != set(self.plan.collect)):
                return None
            self._results[key] = Result(case, replication, str(kept["status"]), kept.get("exit"),
                                        float(kept.get("seconds", math.nan)), kept["values"],
                                        str(kept.get("message", "")), self.run_directory(case, replication))
        return self._results[key]

    def results(self, case: Case) -> List[Result]:
        """Return the finished runs of a case by replication, those only that its estimates rest on.

        With a rule `until`, these are the first replications that satisfy it, in whatever order runs ended.
        """
        found, values, until = [], [], self.plan.until
        for replication in range(1, (until.most if until else self.plan.replications) + 1):
            result = self.result(case, replication)
            if result is None:
                if until is not None and replication > self.plan.replications:
                    break
                continue
            found.append(result)
            if until is not None and result.status == "ok":
                values.append(result.values[until.value])
                if len(found) >= self.plan.replications and enough(values, until.within, self.plan.confidence):
                    break
        return found

    def wants_more(self, case: Case, running: int) -> bool:
        """Return whether a case needs a further replication besides `running` ones."""
        until, results = self.plan.until, self.results(case)
        n, good = len(results), sum(r.status == "ok" for r in results)
        if n + running < self.plan.replications:
            return True
        if until is None or n + running >= until.most or n - good > max(good, 2):
            return False
        return not enough(self.values(case, until.value), until.within, self.plan.confidence)

    def all_results(self) -> Iterator[Result]:
        """Return the finished runs of all cases."""
        return (result for case in self.cases for result in self.results(case))

    def _is_of_another_program(self, result: Result) -> bool:
        try:
            now = self.program_digest(result.case, result.replication)
        except (PlanError, OSError):
            return False  # the program is not here
        kept = self.kept(result.case, result.replication)
        return kept is not None and kept.get("program") != now

    # ---- Values

    def values(self, case: Case, name: str) -> List[float]:
        """Return a value of all good runs of a case, by replication."""
        if name not in self.plan.collect:
            raise PlanError(f"{name} is not collected{_plan._near(name, list(self.plan.collect))}")
        return [r.values[name] for r in self.results(case) if r.status == "ok"]

    def interval(self, case: Case, name: str, confidence: Optional[float] = None) -> Optional[Interval]:
        """Return the mean of a value over the replications of a case, with its interval; None without a good run."""
        values = self.values(case, name)
        return mean(values, self.plan.confidence if confidence is None else confidence) if values else None

    def differences(self, name: str, first: Case, second: Case) -> Interval:
        """Return the mean difference of two cases, pair by pair of equal replications (common random numbers)."""
        from .statistics import paired

        one, two = ({r.replication: r.values[name] for r in self.results(case) if r.status == "ok"}
                    for case in (first, second))
        both = sorted(set(one) & set(two))
        return paired([one[r] for r in both], [two[r] for r in both], self.plan.confidence)

    def best(self, name: str, largest: bool = False) -> List[Interval]:
        """Return Hsu's comparison of each case with the best of the others; see `statistics.best()`.

        It assumes independent cases. Common random numbers make differences smaller: `differences()` uses that.
        """
        from .statistics import best

        samples = [self.values(case, name) for case in self.cases]
        n = min(map(len, samples))
        return best([values[:n] for values in samples], self.plan.confidence, largest)

    def remarks(self) -> List[str]:
        """Return what a user must know before using the results, a sentence each."""
        said, equal = [], []
        for case in self.cases:
            results = self.results(case)
            good = [r for r in results if r.status == "ok"]
            texts = {json.dumps(r.values, sort_keys=True) for r in good}
            if len(good) > 1 and len(texts) == 1 and any(v != int(v) for v in good[0].values.values()):
                equal.append(str(case) or "the case")
            until = self.plan.until
            if until is not None and len(results) - len(good) > max(len(good), 2):
                said.append(f"{str(case) or 'the case'}: most runs failed, so no more are added")
            elif until is not None and len(results) >= until.most and not (
                    enough([r.values[until.value] for r in good], until.within, self.plan.confidence)):
                said.append(f"{str(case) or 'the case'}: {until.value} is not known within {100 * until.within:g} % after "
                            f"{len(good)} runs, the most that the plan allows")
        if equal:
            said.append(f"all replications of {equal[0]}{f' and {len(equal) - 1} more cases' if len(equal) > 1 else ''} have "
                        "equal results: does the program draw its random numbers from the engine's streams?")
        other = sum(self._is_of_another_program(r) for r in self.all_results())
        if other:
            said.append(f"{other} run(s) were made by another version of the program or of its input: study run repeats them")
        bad: Dict[str, List[Result]] = {}
        for result in self.all_results():
            if result.status != "ok":
                bad.setdefault(result.message, []).append(result)
        for message, results in bad.items():
            where = os.path.relpath(results[0].directory, self.directory)
            more = f" and {len(results) - 1} more" if len(results) > 1 else ""
            said.append(f"{where}{more}: {message}")
        return said

    # ---- Tables

    def table(self) -> Tuple[List[str], List[List[Any]]]:
        """Return names of columns and a row for each case: parameters, runs, and each value's n, mean and interval."""
        names = [*self.plan.parameters, "runs", "failed"]
        for name in self.plan.collect:
            names += [f"{name}_n", name, f"{name}_low", f"{name}_high"]
        rows = []
        for case in self.cases:
            results = self.results(case)
            good = sum(r.status == "ok" for r in results)
            row: List[Any] = [*case.values.values(), good, len(results) - good]
            for name in self.plan.collect:
                found = self.interval(case, name)
                row += [0, None, None, None] if found is None else [
                    found.n, found.estimate, *(None if math.isnan(v) else v for v in (found.low, found.high))]
            rows.append(row)
        return names, rows

    def runs_table(self) -> Tuple[List[str], List[List[Any]]]:
        """Return names of columns and a row for each finished run."""
        names = [*self.plan.parameters, "replication", "status", "seconds", *self.plan.collect, "directory"]
        return names, [[*r.case.values.values(), r.replication, r.status, r.seconds,
                        *(r.values.get(name) for name in self.plan.collect),
                        os.path.relpath(r.directory, self.directory)] for r in self.all_results()]

    def to_pandas(self, runs: bool = False) -> Any:
        """Return `table()`, or with runs=True `runs_table()`, as a pandas.DataFrame."""
        import pandas

        names, rows = self.runs_table() if runs else self.table()
        return pandas.DataFrame(rows, columns=names)

    def __repr__(self) -> str:
        done = sum(1 for _ in self.all_results())
        return f"<warpscope.study.Study {self.directory}: {len(self.cases)} cases, {done} finished runs>"
