#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""export_timeline.py BUILD [EVENTS [READER...]] - the cost of exports, and what info reads.

Records EVENTS (2,000,000) events of PHOLD on one rank and exports them as csv and in each format of timelines. BUILD is
a build directory. READERs are warpscope programs that take turns, default that of BUILD. Columns: the median of ROUNDS
turns of the processor seconds of the program and of the system for it, millions of events per second of both, peak of
memory, size of the output. Behind several READERs: the first one's processor time as a multiple of the last one's,
and its least and greatest value of the turns.

Then the rate of csv beside that of fwrite(), in blocks of 64 KiB, of the same bytes, both by processor time; and the
bytes that info reads, with the file's size. The time that disks take is in nothing. TMPDIR holds the recording, the
outputs and the temporary files: 1 KiB per event.
"""
import ctypes
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 5


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
    print("%s: %.2f (%.2f to %.2f)" % (words, statistics.median(ratios), min(ratios), max(ratios)), flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = sys.argv[1]
    events = int(sys.argv[2]) if len(sys.argv) > 2 else 2000000
    readers = sys.argv[3:] or [os.path.join(build, "bin", "warpscope")]
    with tempfile.TemporaryDirectory() as folder:
        run, output = os.path.join(folder, "run"), os.path.join(folder, "output")
        # A PHOLD of 1000 LPs with a mean offset of 1 executes 1000 events per unit of time.
        subprocess.run([os.path.join(build, "bin", "phold"), "--synch=1", "--nlp=1000", "--quiet",
                        "--end=%g" % (events / 1000), "--event-trace=1", "--stats-path=" + run],
                       check=True, stdout=subprocess.DEVNULL)
        print("%-10s %8s %8s %8s %8s %8s  %s" %
              ("format", "user s", "system s", "M/s", "peak MB", "MB", "reader"))
        written = []
        for form in ("csv", "chrome", "perfetto", "ctf"):
            turns = {reader: [] for reader in readers}
            for _ in range(ROUNDS):
                for reader in readers:
                    turns[reader].append(measure([reader, "export", "--format=" + form, "--output=" + output, run]))
                    size = size_of(output)
                    if form == "csv" and reader == readers[-1]:
                        seconds = fwrite_seconds(files_of(output)[0], os.path.join(folder, "written"))
                        written.append(seconds / sum(turns[reader][-1][:2]))
                    shutil.rmtree(output)
            for reader in readers:
                user, system, peak, _ = map(statistics.median, zip(*turns[reader]))
                print("%-10s %8.2f %8.2f %8.2f %8.0f %8.0f  %s" %
                      (form, user, system, events / 1e6 / (user + system), peak / 1e6, size / 1e6, reader), flush=True)
            if len(readers) > 1:
                ratio_print("  the last is faster by", [sum(a[:2]) / sum(b[:2]) for a, b in
                                                       zip(turns[readers[0]], turns[readers[-1]])])
        ratio_print("csv beside fwrite() of the same bytes", written)
        for reader in readers:
            print("info reads %.2f MB of %.2f MB  %s" % (measure([reader, "info", run])[3] / 1e6, size_of(run) / 1e6,
                                                         reader))


main()
