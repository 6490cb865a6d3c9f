# SPDX-License-Identifier: BSD-3-Clause
"""turns.py - what the scripts of bench/ share: runs, busy processes beside them, quiet machines.

A machine is quiet if some task waited for a processor in less than 5 % of the last 10 seconds
(/proc/pressure/cpu, avg10 of "some"), and a run is quiet if, besides, its processes lost their processor
fewer than 20 times a second. Figures of other runs say "not quiet".
"""
import contextlib
import ctypes
import os
import signal
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


def is_quiet():
    found = pressure()
    return found is not None and found < QUIET_PERCENT


def await_quiet(seconds):
    """Wait for a quiet machine, at most so many seconds."""
    end = time.monotonic() + seconds
    while not is_quiet() and pressure() is not None and time.monotonic() < end:
        time.sleep(1)


def end_with_parent():
    """Let the kernel end this new process when the script ends, in whatever way (prctl, PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)


@contextlib.contextmanager
def busy(count):
    """Keep `count` processes busy beside the runs of a with statement, each in a session of its own."""
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"], start_new_session=True, preexec_fn=end_with_parent)
             for _ in range(count)]
    try:
        if loops:
            time.sleep(0.3)
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


class Run:
    """A command that ended: wall (seconds), quiet."""

    def __init__(self, command, **options):
        quiet = is_quiet()
        begin = time.monotonic()
        options.setdefault("stdout", subprocess.DEVNULL)
        child = subprocess.Popen(command, **options)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit("failed with status %d: %s" % (child.returncode, " ".join(command)))
        self.wall = time.monotonic() - begin
        self.quiet = quiet and usage.ru_nivcsw / self.wall < QUIET_SWITCHES
