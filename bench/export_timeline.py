#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""export_timeline.py BUILD [EVENTS [READER...]] - the cost of exporting a timeline.

Records EVENTS (1,000,000) events of PHOLD on one rank and exports them in each format of timelines,
and as csv for comparison.
BUILD is a build directory. READERs are warpscope programs to compare, default that of BUILD. Columns:
processor seconds of the program and of the system for it, millions of events per second of the
former, peak of memory, size of the output. The time that disks take is not in it. TMPDIR holds the
recording, the outputs and the temporary files: 1 KiB per event.
"""
import os
import shutil
import subprocess
import sys
import tempfile


def measure(command):
    """Returns processor seconds of the program and the system, and the peak of memory in bytes."""
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit("export_timeline.py: failed: " + " ".join(command))
    return usage.ru_utime, usage.ru_stime, 1024 * usage.ru_maxrss


def size_of(folder):
    return sum(os.path.getsize(os.path.join(path, name))
               for path, _, names in os.walk(folder) for name in names)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = sys.argv[1]
    events = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
    readers = sys.argv[3:] or [os.path.join(build, "bin", "warpscope")]
    with tempfile.TemporaryDirectory() as folder:
        run, output = os.path.join(folder, "run"), os.path.join(folder, "output")
        # A PHOLD of 1000 LPs with a mean offset of 1 executes 1000 events per unit of time.
        subprocess.run([os.path.join(build, "bin", "phold"), "--synch=1", "--nlp=1000", "--quiet",
                        "--end=%g" % (events / 1000), "--event-trace=1", "--stats-path=" + run],
                       check=True, stdout=subprocess.DEVNULL)
        print("%-10s %8s %8s %8s %8s %8s  %s" %
              ("format", "user s", "system s", "M/s", "peak MB", "MB", "reader"))
        for form in ("csv", "chrome", "perfetto", "ctf"):
            for reader in readers:
                user, system, peak = measure([reader, "export", "--format=" + form,
                                              "--output=" + output, run])
                print("%-10s %8.2f %8.2f %8.2f %8.0f %8.0f  %s" %
                      (form, user, system, events / 1e6 / user if user > 0 else 0, peak / 1e6,
                       size_of(output) / 1e6, reader), flush=True)
                shutil.rmtree(output)


main()
