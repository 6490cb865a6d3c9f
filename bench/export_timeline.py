#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the commands of the reader cost for large recordings, beside bounds and earlier versions.

Records PHOLD on one rank, and runs for it `export` in each format of FORMS, `analyze`, `stats` and `info`. READERs are
warpscope programs that take turns, default that of BUILD. Columns: the median of the rounds' processor seconds of the
program and of the system, millions of events per second of both, peak of memory, size of the output. Ratios are medians
of the rounds, with the least and the greatest: the first READER's processor time as a multiple of the last one's; the
rate of csv beside that of fwrite(), in blocks of 64 KiB, of the same bytes; that of sqlite beside prepared inserts of
the same values; that of stats with a hundred times as many LPs. `info` is given the recording, whose blocks are small,
and one of make_run, a program of the tests, whose blocks are large. The time that disks take is in nothing. TMPDIR holds the
recordings, the outputs and the temporary files: 1 KiB per event.
"""
import argparse
import ctypes
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FORMS = ("csv", "chrome", "perfetto", "ctf", "sqlite", "analyze", "stats", "info")


def measure(command):
    """Returns processor seconds of the program and the system, the peak of memory, and the bytes read."""
    pid = os.posix_spawn(command[0], command, os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    with open("/proc/%d/io" % pid) as io:
        read = int(re.search(r"rchar: (\d+)", io.read()).group(1))
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit("export_timeline.py: failed: " + " ".join(command))
    return usage.ru_utime, usage.ru_stime, 1024 * usage.ru_maxrss, read


def files_of(folder):
    return [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names]


def size_of(folder):
    return sum(map(os.path.getsize, files_of(folder)))


def fwrite_seconds(source, target):
    """Returns the processor seconds of writing the bytes of a file to another one with fwrite()."""
    libc = ctypes.CDLL(None)
    libc.fopen.restype = ctypes.c_void_p
    with open(source, "rb") as file:
        data = file.read()
    before = time.process_time()
    out = ctypes.c_void_p(libc.fopen(target.encode(), b"wb"))
    address = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value
    for at in range(0, len(data), 1 << 16):
        size = min(1 << 16, len(data) - at)
        libc.fwrite(ctypes.c_void_p(address + at), ctypes.c_size_t(1), ctypes.c_size_t(size), out)
    libc.fclose(out)
    seconds = time.process_time() - before
    os.remove(target)
    return seconds


def ratio_print(words, ratios):
    print("  %s: %.2f (%.2f to %.2f)" % (words, statistics.median(ratios), min(ratios), max(ratios)), flush=True)


class Comparison:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.readers = options.readers or [os.path.join(options.build, "bin", "warpscope")]
        self.output = os.path.join(folder, "output")

    def record(self, name, lps, events, trace=1):
        """Records PHOLD, whose LPs execute an event per unit of time."""
        run = os.path.join(self.folder, name)
        subprocess.run([os.path.join(self.options.build, "bin", "phold"), "--synch=1", "--nlp=%d" % lps, "--quiet",
                        "--end=%.17g" % (events / lps), "--event-trace=%d" % trace, "--stats-path=" + run],
                       check=True, stdout=subprocess.DEVNULL)
        return run

    def bound(self, form):
        """Returns the processor seconds of what is compared with a round of the last reader."""
        if form == "csv":
            return fwrite_seconds(files_of(self.output)[0], os.path.join(self.folder, "written"))
        if form == "sqlite":
            done = subprocess.run([os.path.join(self.options.build, "bin", "bench_inserts"), files_of(self.output)[0],
                                   "event", os.path.join(self.folder, "inserted")], check=True, capture_output=True)
            return float(done.stdout)
        return sum(measure([self.readers[-1], "stats", self.many])[:2]) if form == "stats" else None

    def run(self, form, run, events):
        turns, bounds = {reader: [] for reader in self.readers}, []
        for _ in range(self.options.rounds):
            for reader in self.readers:
                command = [reader, form, run] if form in ("analyze", "stats") else [
                    reader, "export", "--format=" + form, "--output=" + self.output, run]
                turns[reader].append(measure(command))
                size = size_of(self.output)
                if reader == self.readers[-1]:
                    bounds.append(self.bound(form))
                shutil.rmtree(self.output, ignore_errors=True)
        for reader in self.readers:
            user, system, peak, _ = map(statistics.median, zip(*turns[reader]))
            print("%-10s %8.2f %8.2f %8.2f %8.0f %8.0f  %s" %
                  (form, user, system, events / 1e6 / (user + system), peak / 1e6, size / 1e6, reader), flush=True)
        last = [sum(turn[:2]) for turn in turns[self.readers[-1]]]
        if len(self.readers) > 1:
            ratio_print("the last is faster by", [sum(a[:2]) / b for a, b in zip(turns[self.readers[0]], last)])
        if form in ("csv", "sqlite"):
            ratio_print("rate beside " + {"csv": "fwrite()", "sqlite": "prepared inserts"}[form],
                        [bound / seconds for bound, seconds in zip(bounds, last)])
        elif form == "stats":
            ratio_print("rate with 100 times as many LPs", [seconds / bound for bound, seconds in zip(bounds, last)])

    def info(self, run):
        size = size_of(run)
        for reader in self.readers:
            read = measure([reader, "info", run])[3]
            print("info reads %.2f of %.1f MB: %.1f MB of 1 GB  %s" % (read / 1e6, size / 1e6, 1e3 * read / size, reader),
                  flush=True)

    def all(self):
        events, lps = self.options.events, self.options.lps
        run = self.record("run", lps, events)
        if "stats" in self.options.only:
            self.many = self.record("many", 100 * lps, events)
        print("%-10s %8s %8s %8s %8s %8s  %s" % ("command", "user s", "system s", "M/s", "peak MB", "MB", "reader"))
        for form in self.options.only:
            if form != "info":
                self.run(form, run if form != "analyze" else self.record("committed", lps, events, 3), events)
        if "info" in self.options.only:
            self.info(run)
            large = os.path.join(self.folder, "large")
            os.mkdir(large)
            subprocess.run([os.path.join(self.options.build, "tests", "bin", "make_run"), large, "a", "pes=2", "samples=4",
                            "lps=64", "records=3000000"], check=True)
            self.info(large)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", metavar="BUILD", help="a build directory, with bench programs")
    parser.add_argument("readers", metavar="READER", nargs="*")
    parser.add_argument("--events", type=int, default=2000000)
    parser.add_argument("--lps", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", type=lambda words: words.split(","), default=FORMS, help="some of " + ",".join(FORMS))
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as folder:
        Comparison(options, folder).all()


main()
