#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""crowded_ranks.py BUILD [--busy=0,1,2,4] [--runs=5] [--cases=NAME,...] [--synch=3,2]

The speed of two ranks beside that of one, on a machine that other programs use. For each number of busy processes
(plain loops that this program starts and ends, each in a session of its own) and each case, runs alternate: one rank
with the sequential scheduler (--synch=1), then for optimistic (3) and conservative (2) ranks one rank and two. The row
has the medians of the committed events per second, the ratio of two ranks to one with the same scheduler in the same
alternation (median, least and most), the ratio to the sequential rank, the efficiency, the events per rank and GVT
computation, involuntary switches per second of a rank, the percentage of the run for which ranks shared a processor, and
the background: share of the time in which some process waited for a processor (/proc/pressure/cpu over the row).

Case many, run once: the same work on 8 and on 100 ranks of this machine, which should have fewer processors: seconds,
their ratio and GVT computations. It needs a program of the tests (burst). BUILD is a build directory. MPIEXEC: another
launcher.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
import turns  # noqa: E402

CASES = {  # name: schedulers of two ranks, options; {n}: LPs or copies per rank, of the given total
    "phold": ("3,2", 2048, "phold --nlp={n} --remote=0.1 --lookahead=0.1 --end=2000"),
    "qnet": ("3,2", 0, "qnet --copies=512 --cross=0.1 --end=600"),
    "torus": ("3,2", 0, "torus --end=150000"),
    "netsim": ("3,2", 0, "netsim"),
    "phold-1000": ("2", 20480, "phold --nlp={n} --remote=0.1 --lookahead=0.1 --end=200"),
    "qnet-1000": ("2", 0, "qnet --copies=4096 --cross=0.1 --end=75"),
    "torus-1000": ("2", 0, "torus --dims=32x10 --end=15000"),
    "chains": ("3", 48, "phold --nlp={n} --nkp=2 --remote=0.25 --lookahead=0 --mean=1 --start-events=1 --end=10000"),
}
MANY = (
    "bin/phold --synch=3 --remote=0.1 --lookahead=0.1 --end=200",
    "bin/phold --synch=2 --remote=0.1 --lookahead=0.1 --cons-lookahead=0.1 --end=200",
    "tests/bin/burst --synch=3 --fan=100 --end=8",
    "tests/bin/burst --synch=5 --batch=1000 --fan=100 --end=8",
    "tests/bin/burst --synch=5 --batch=1000 --fan=100 --end=8 --max-memory=3",
    "tests/bin/burst --synch=3 --transport=mpi --fan=100 --end=8",
)


def run(build, report, ranks, words):
    """Run the words of a program on some ranks; return the report, None after a failure or 300 s."""
    launcher = os.environ.get("MPIEXEC", os.path.join(build, "mpirun")).split()
    try:
        subprocess.run([*launcher, "-n", str(ranks), os.path.join(build, words[0]), *words[1:], "--quiet",
                        "--report-json=" + report], check=True, stdout=subprocess.DEVNULL, timeout=300)
    except subprocess.SubprocessError:
        return None
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def waited_us():
    with open("/proc/pressure/cpu", encoding="utf-8") as file:
        return int(file.readline().split("total=")[1])


def seconds_up():
    with open("/proc/uptime", encoding="utf-8") as file:
        return float(file.read().split()[0])


def measure(build, report, name, busy, runs, synchs):
    total, options = CASES[name][1:]
    rows = {synch: [] for synch in CASES[name][0].split(",") if synch in synchs}

    def rate(ranks, synch):
        words = ("bin/" + options).format(n=total // ranks).split()
        return run(build, report, ranks, [*words, "--synch=" + synch])

    waited, began = waited_us(), seconds_up()
    for _ in range(runs):
        first = rate(1, "1")
        for synch, row in rows.items():
            one, two = rate(1, synch), rate(2, synch)
            if first and one and two:
                row.append((two["event_rate"] / one["event_rate"], two, one["event_rate"], first["event_rate"]))
    pressure = (waited_us() - waited) / (seconds_up() - began) / 1e4
    for synch, row in rows.items():
        if not row:
            print(f"{name:10} {busy:>4} {synch:>5} failed", flush=True)
            continue
        row.sort(key=lambda found: found[0])
        ratios, middle = [found[0] for found in row], row[len(row) // 2][1]
        processor = middle["processor"]
        print(f"{name:10} {busy:>4} {synch:>5} {statistics.median(found[3] for found in row) / 1e6:6.2f}"
              f" {statistics.median(found[2] for found in row) / 1e6:6.2f} {middle['event_rate'] / 1e6:6.2f}"
              f" {statistics.median(ratios):5.2f} {ratios[0]:5.2f} {ratios[-1]:5.2f}"
              f" {statistics.median(found[1]['event_rate'] / found[3] for found in row):6.2f}"
              f" {min(found[1]['efficiency_percent'] for found in row):4.0f}"
              f" {middle['net_events'] / middle['counters']['gvt_rounds'] / 2:7.0f}"
              f" {sum(processor['switches_involuntary']) / 2 / middle['run_seconds']:7.0f}"
              f" {sum(processor['processor_shared_ns']) / 2e7 / middle['run_seconds']:7.0f} {pressure:5.0f}", flush=True)


def compare_many(build, report):
    print(f"{'':62} {'8':>8} {'100':>8} {'ratio':>6} {'rounds':>8} {'rounds':>8}")
    for options in MANY:
        few, many = (run(build, report, ranks, [*options.split(), f"--nlp={800 // ranks}"]) for ranks in (8, 100))
        if few is None or many is None:
            print(f"{options:62} failed")
            continue
        print(f"{options:62} {few['run_seconds']:8.3f} {many['run_seconds']:8.3f}"
              f" {many['run_seconds'] / few['run_seconds']:6.1f} {few['counters']['gvt_rounds']:8}"
              f" {many['counters']['gvt_rounds']:8}", flush=True)


def main():
    options = dict(word.lstrip("-").partition("=")[::2] for word in sys.argv[2:])
    if len(sys.argv) < 2 or set(options) - {"busy", "runs", "cases", "synch"}:
        sys.exit(__doc__)
    cases = options.get("cases", ",".join(CASES)).split(",")
    with tempfile.TemporaryDirectory() as directory:
        report = os.path.join(directory, "report.json")
        print("case       busy synch    seq    one    two ratio least  most to seq eff% ev/gvt switch/s shared% wait%")
        for busy in options.get("busy", "0,1,2,4").split(","):
            with turns.busy(int(busy)):
                for name in cases:
                    if name != "many":
                        measure(sys.argv[1], report, name, busy, int(options.get("runs", 5)), options.get("synch", "3,2"))
        if "many" in cases:
            compare_many(sys.argv[1], report)


if __name__ == "__main__":
    main()
