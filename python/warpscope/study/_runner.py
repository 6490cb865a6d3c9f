# SPDX-License-Identifier: BSD-3-Clause
"""Runs a study: as many runs at a time as there are processors, each in a directory of its own.

A run is finished when its result.json is there, which is written last and at once. Whatever ends this program, a
later call goes on with the runs that have none.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from typing import Any, Callable, Deque, Dict, List, Optional, Tuple, Union

from .. import open as open_recording
from .._errors import Error
from ._plan import Case, Plan, PlanError, load, of
from ._study import Study, write_json
from ._values import ValueMissing, value_of

GRACE_SECONDS = 10.0
_LEAST_SPACE = 1 << 20


class StudyStopped(Error):
    """The study cannot go on for a reason outside of its runs; finished runs are kept."""


# Concurrent runs must not be bound to the same processors, as launchers do that know only of their own ranks.
_UNBOUND = {"OMPI_MCA_hwloc_base_binding_policy": "none", "PRTE_MCA_hwloc_default_binding_policy": "none",
            "HYDRA_BINDING": "none"}


def _end_with_parent(parent: int) -> None:
    """Let the kernel end this child when the program that began it ends, also by SIGKILL (prctl, Linux)."""
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGTERM, 0, 0, 0)
    except (OSError, AttributeError):
        return
    if os.getppid() != parent:
        os._exit(1)


class _Run:
    """A run that goes on."""

    def __init__(self, study: Study, case: Case, replication: int) -> None:
        self.study, self.case, self.replication = study, case, replication
        self.ranks = study.plan.ranks_of(case)
        self.directory = study.run_directory(case, replication)
        self.made = {"digest": study.digest(case, replication), "program": study.program_digest(case, replication)}
        self.timed_out = 0.0
        shutil.rmtree(self.directory, ignore_errors=True)
        os.makedirs(self.directory)
        for name, text in study.plan.files_of(case, replication).items():
            with open(os.path.join(self.directory, name), "w") as file:
                file.write(text)
        parent = os.getpid()
        with open(os.path.join(self.directory, "output.txt"), "wb") as output, \
                open(os.path.join(self.directory, "errors.txt"), "wb") as errors:
            self.started = time.monotonic()
            self.process = subprocess.Popen(
                study.plan.argv(case, replication, "report.json"), cwd=self.directory, stdin=subprocess.DEVNULL,
                stdout=output, stderr=errors, start_new_session=True, env={**_UNBOUND, **os.environ},
                preexec_fn=lambda: _end_with_parent(parent))

    def signal(self, number: int) -> None:
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def ended(self) -> bool:
        """Return whether the run has ended; end it when its time is over."""
        limit, seconds = self.study.plan.time_limit, time.monotonic() - self.started
        if self.process.poll() is not None:
            return True
        if limit is not None and seconds > limit:
            self.signal(signal.SIGTERM if not self.timed_out else signal.SIGKILL if (
                seconds > self.timed_out + GRACE_SECONDS) else 0)
            self.timed_out = self.timed_out or seconds
        return False

    def last_messages(self) -> str:
        """Return the last lines that the run wrote to standard error."""
        with open(os.path.join(self.directory, "errors.txt"), "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 4096))
            lines = [line.strip() for line in file.read().decode(errors="replace").splitlines()]
        return " | ".join([line for line in lines if line][-3:]) or "no message"

    def finish(self) -> Dict[str, Any]:
        """Return the result of the run, which has ended."""
        made: Dict[str, Any] = {**self.made, "status": "ok", "exit": self.process.returncode, "values": {},
                                "seconds": round(time.monotonic() - self.started, 4), "message": ""}
        if self.timed_out:
            made.update(status="timeout", message=f"ended after the time limit of {self.study.plan.time_limit:g} s")
        elif self.process.returncode != 0:
            how = (f"signal {-self.process.returncode}" if self.process.returncode < 0 else
                   f"status {self.process.returncode}")
            made.update(status="failed", message=f"the command ended with {how}: {self.last_messages()}")
        return made


def collect_into(study: Study, made: Dict[str, Any], directory: str) -> None:
    """Add to the result of a good run the values that the plan collects, and write it."""
    made.update(values={}, collected=study.collect_digest())
    opened: List[Any] = []

    def recording() -> Any:
        if not opened:
            opened.append(open_recording(os.path.join(directory, study.plan.recording)))
        return opened[0]

    def text(name: str) -> str:
        with open(os.path.join(directory, name), errors="replace") as file:
            return file.read()
    try:
        if made["status"] in ("ok", "missing"):
            expected = any(what.expression is not None for what in study.plan.collect.values())
            if expected and not os.path.isdir(os.path.join(directory, study.plan.recording)):
                raise ValueMissing(f"the run did not record to {study.plan.recording}: add options that record, or set the "
                                   "key recording to the directory of --stats-path")
            made.update(status="ok", message="")
            for name, what in study.plan.collect.items():
                made["values"][name] = value_of(what, recording, lambda: text("report.json"),
                                                lambda: text("output.txt"))
    except ValueMissing as error:
        made.update(status="missing", message=str(error), values={})
    finally:
        for run in opened:
            run.close()
    if study.plan.pages and os.path.isdir(os.path.join(directory, study.plan.recording)):
        command = os.environ.get("WARPSCOPE_COMMAND") or shutil.which("warpscope") or "warpscope"
        subprocess.run([command, "report", "--force", "--output=report.html", study.plan.recording], cwd=directory,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    write_json(os.path.join(directory, "result.json"), made)
    if not study.plan.keep and made["status"] == "ok":
        shutil.rmtree(os.path.join(directory, study.plan.recording), ignore_errors=True)


class _Runner:
    def __init__(self, study: Study, processors: int, retry: bool, say: Callable[["_Runner"], None]) -> None:
        self.study, self.processors, self.retry, self.say = study, processors, retry, say
        self.running: List[_Run] = []
        self.seconds: List[float] = []
        self.finished = 0
        self.tried: Dict[Tuple[str, int], bool] = {}
        self.todo: Deque[Tuple[Case, int]] = deque()
        self.may_add = False
        self.lock: Any = None

    # ---- What is next

    def usable(self, case: Case, replication: int) -> bool:
        """Return whether a run need not be run; values that the plan collects anew are collected."""
        result = self.study.result(case, replication)
        kept, directory = self.study.kept(case, replication), self.study.run_directory(case, replication)
        if kept is None or kept.get("digest") != self.study.digest(case, replication) or (
                kept.get("program") != self.study.program_digest(case, replication)):
            self.study._results.pop((case.key, replication), None)
            return False
        if result is None:
            if not (self.study.plan.keep or all(w.expression is None for w in self.study.plan.collect.values())):
                return False
            self.write(lambda: collect_into(self.study, kept, directory))
            result = self.study.result(case, replication)
        return result is not None and (result.status == "ok" or not self.retry or (case.key, replication) in self.tried)

    def plan_runs(self, only: Optional[int]) -> None:
        """Note the runs to do, first replications first, so that every case has results early."""
        runs = [(case, replication) for replication in range(1, self.study.plan.replications + 1)
                for case in self.study.cases]
        chosen = runs if only is None else [runs[only]]
        if only is not None:
            path = self.study.run_directory(*runs[only])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            self.lock = _locked(path + ".lock", path)
        self.todo.extend(run for run in chosen if not self.usable(*run))
        self.may_add = self.study.plan.until is not None and only is None

    def next_run(self) -> Optional[Tuple[Case, int]]:
        """Return the next run to do, also one that the rule `until` asks for; None if all are done or under way."""
        if self.todo:
            return self.todo.popleft()
        for case in self.study.cases if self.may_add else ():
            busy = [run.replication for run in self.running if run.case.key == case.key]
            if self.study.wants_more(case, len(busy)):
                assert self.study.plan.until is not None
                # Results are used up to the first that is missing: do not go far beyond a run that takes long.
                most = min(self.study.plan.until.most, len(self.study.results(case)) + 2 * self.processors)
                for replication in range(self.study.plan.replications + 1, most + 1):
                    if replication not in busy and not self.usable(case, replication):
                        return case, replication
        return None

    # ---- Running

    def write(self, action: Callable[[], None]) -> None:
        try:
            action()
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise self.full() from None
            raise StudyStopped(f"{self.study.directory}: {error.strerror}: {error.filename}") from None

    def full(self) -> StudyStopped:
        return StudyStopped(f"{self.study.directory}: the disk is full; finished runs are kept: make room, then give the "
                            "same command again")

    def reap(self) -> bool:
        """Write the results of the runs that have ended; return whether there were any."""
        ended = [run for run in self.running if run.ended()]
        for run in ended:
            self.running.remove(run)
            made = run.finish()
            if made["status"] != "ok" and shutil.disk_usage(self.study.directory).free < _LEAST_SPACE:
                raise self.full()
            self.write(lambda run=run, made=made: collect_into(self.study, made, run.directory))
            self.study._results.pop((run.case.key, run.replication), None)
            self.tried[run.case.key, run.replication] = True
            self.finished += 1
            self.seconds.append(made["seconds"])
        return bool(ended)

    def start(self) -> None:
        while True:
            chosen = self.next_run()
            if chosen is None:
                return
            free = self.processors - sum(run.ranks for run in self.running)
            if self.running and self.study.plan.ranks_of(chosen[0]) > free:
                self.todo.appendleft(chosen)
                return
            self.write(lambda: self.running.append(_Run(self.study, *chosen)))

    def all(self) -> None:
        """Do the runs; end those that go on if anything else ends this."""
        try:
            self.start()
            while self.running:
                if self.reap():
                    self.start()
                else:
                    time.sleep(0.005)
                self.say(self)
        finally:
            if self.lock is not None:
                self.lock.close()
            for number in (signal.SIGTERM, signal.SIGKILL):
                for run in self.running:
                    run.signal(number)
                until = time.monotonic() + GRACE_SECONDS
                while any(run.process.poll() is None for run in self.running) and time.monotonic() < until:
                    time.sleep(0.01)


def _progress(stream: Any) -> Callable[[_Runner], None]:
    shown = {"at": -1.0, "finished": -1}

    def say(runner: _Runner) -> None:
        now, terminal = time.monotonic(), stream.isatty()
        if runner.finished == shown["finished"] and runner.running and (not terminal or now - shown["at"] < 1):
            return
        if now - shown["at"] < (0.2 if terminal else 10) and runner.running:
            return
        shown.update(at=now, finished=runner.finished)
        left = len(runner.todo) + len(runner.running)
        each = sum(runner.seconds) / len(runner.seconds) if runner.seconds else 0.0
        at_once = max(1, len(runner.running))
        text = f"{runner.finished} runs finished, {left} to do" + (
            f", about {_duration(left * each / at_once)} left" if runner.seconds and left else "")
        stream.write(f"\r\033[K{text}" if terminal else f"{text}\n")
        if terminal and not runner.running:
            stream.write("\n")
        stream.flush()
    return say


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _locked(path: str, what: str, shared: bool = False) -> Any:
    """Return an open file that locks a study or a run as long as it is open."""
    file = open(path, "a+")
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        file.seek(0)
        who = file.read().strip()
        file.close()
        raise StudyStopped(f"{what}: {f'process {who}' if who else 'another process'} is at work on it") from None
    if not shared:
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
    return file


def begin(plan: Plan, directory: str, shared: bool = False) -> Tuple[Study, Any]:
    """Make or take the directory of a study, and lock it. shared: for one run of several at a time.

    Return the study and the lock. A study that another process runs keeps its plan.
    """
    there = set(os.listdir(directory)) - {"lock"} if os.path.isdir(directory) else set()
    if there and "plan.json" not in there:
        raise PlanError(f"{directory}: is in use, and not by a study")
    os.makedirs(directory, exist_ok=True)
    lock = _locked(os.path.join(directory, "lock"), directory, shared)
    if shared and there and Study(directory).plan.source != plan.source:
        raise PlanError(f"{directory}: has another plan; change it by study run or study script without --run")
    return Study.begin(plan, directory), lock


def run(plan: Union[Plan, str, Dict[str, Any]], directory: Optional[str] = None, *, processors: Optional[int] = None,
        retry: bool = False, progress: bool = False, only: Optional[int] = None) -> Study:
    """Run what a study still lacks, and return it.

    plan: a mapping, a file, a `Plan`, or the directory of a study that was begun. directory: of the study, by default
    NAME-study. processors: how many ranks run at a time, by default the processors of this process. retry: also repeat
    runs that failed. only: the number of the one run to do, from 0, for job arrays.

    Raise PlanError if the plan is wrong, StudyStopped if the study cannot go on. Runs that fail are results.
    """
    if isinstance(plan, str) and os.path.isdir(plan):
        kept = Study(plan).plan
        directory, plan = plan, of(kept.source, kept.directory, kept.name)
    made = load(plan) if isinstance(plan, str) else of(plan) if isinstance(plan, dict) else plan
    n = processors if processors is not None else len(os.sched_getaffinity(0))
    if n < 1:
        raise PlanError("processors: at least 1")
    total = len(made.cases) * made.replications
    if only is not None and not 0 <= only < total:
        raise PlanError(f"run {only}: the plan has runs 0 to {total - 1}")
    study, lock = begin(made, directory or f"{made.name}-study", only is not None)
    with lock:
        runner = _Runner(study, n, retry, _progress(sys.stderr) if progress else lambda _: None)
        runner.plan_runs(only)
        runner.all()
    return study

