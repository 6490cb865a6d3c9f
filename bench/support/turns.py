# SPDX-License-Identifier: BSD-3-Clause
"""turns.py - what the scripts of bench/ share: runs in turns, busy processes beside them, quiet machines.

A machine is quiet if some task waited for a processor in less than 5 % of the last 10 seconds
(/proc/pressure/cpu, avg10 of "some"), and a run is quiet if, besides, its processes lost their processor
fewer than 20 times a second. Figures of other runs say "not quiet".
"""
import contextlib
import os
import statistics
import subprocess
import sys
import time

QUIET_PERCENT = 5.0
QUIET_SWITCHES = 20.0  # per second


def pressure():
    """Return the percentage of the last 10 s in which a task waited for a processor; None: not known."""
    try:
        with open("/proc/pressure/cpu", encoding="ascii") as file:
            return float(file.readline().split("avg10=")[1].split()[0])
    except (OSError, IndexError, ValueError):
        return None


def await_quiet(seconds):
    """Wait at most so many seconds for a quiet machine; return True if it is quiet."""
    end = time.monotonic() + seconds
    while (found := pressure()) is None or found >= QUIET_PERCENT:
        if found is None or time.monotonic() >= end:
            return False
        time.sleep(1)
    return True


@contextlib.contextmanager
def busy(count):
    """Keep `count` processes busy beside the runs of a with statement."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        if loops:
            time.sleep(0.3)
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


class Run:
    """A command that ended: wall, user and system seconds, peak (bytes), switches, quiet."""

    def __init__(self, command, **options):
        before = pressure()
        begin = time.monotonic()
        options.setdefault("stdout", subprocess.DEVNULL)
        child = subprocess.Popen(command, **options)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit("failed with status %d: %s" % (child.returncode, " ".join(command)))
        self.wall = time.monotonic() - begin
        self.user, self.system = usage.ru_utime, usage.ru_stime
        self.processor = self.user + self.system
        self.peak = 1024 * usage.ru_maxrss
        self.switches = usage.ru_nivcsw / self.wall
        self.quiet = before is not None and before < QUIET_PERCENT and self.switches < QUIET_SWITCHES


def in_turns(rounds, *makers):
    """Call each of the functions once per round, in the order that alternates; return a list for each."""
    results = [[] for _ in makers]
    for turn in range(rounds):
        order = range(len(makers)) if turn % 2 == 0 else reversed(range(len(makers)))
        for i in order:
            results[i].append(makers[i]())
    return results


def spread(values):
    """Return "median (least to most)" of numbers."""
    return "%.3g (%.3g to %.3g)" % (statistics.median(values), min(values), max(values))
