#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""samples.py [--instructions] BUILD [ROUNDS] [LPS,...] [SYNCH] - the cost of samples by the number of LPs.

Runs PHOLD on one rank, sequentially or with another scheduler, with 300 sampling points and without samples. Each row
has the ratio of the processor times (user and system) of a run with samples and of the run without them that came
before it: the median of ROUNDS (5) pairs, the least and the largest ratio, and the samples' nanoseconds per event. A
cost that is independent of the number of LPs gives the same ratio in each column of LPs (10000,100000,1000000). Runs
with more LPs have fewer events per LP, at least three.

With --instructions, it prints instructions per event instead: the slope between runs that end at half of the time and
at the whole, by valgrind's callgrind, which other programs on the machine do not change. The records are then sealed by
the simulation's thread. With 100000 LPs, that takes some minutes.

PHOLD declares its samples as pure functions of the state. "All LPs" is what a model pays that does not: flight
recorders ask all LPs at each point; they write nothing to disk.
"""
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

POINTS = 300
MODES = (
    ("virtual time", "--vt-interval={interval}"),
    ("virtual time, LPs", "--vt-interval={interval} --granularity=1"),
    ("model, virtual time", "--model-stats=4 --vt-interval={interval}"),
    ("model, all LPs", "--model-stats=4 --vt-interval={interval} --buffer-overwrite=8M"),
    ("GVT", "--enable-gvt-stats=1 --num-gvt={gvts}"),
    ("GVT, LPs", "--enable-gvt-stats=1 --num-gvt={gvts} --granularity=1"),
    ("model, GVT", "--model-stats=1 --num-gvt={gvts}"),
    ("model, each GVT", "--model-stats=1"),
)


def run(words, directory):
    """Run the words; return processor seconds and the report."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = os.path.join(directory, "report.json")
    subprocess.run([*words, "--quiet", "--report-json=" + report, "--stats-path=" + os.path.join(directory, "stats")],
                   check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(report, encoding="utf-8") as file:
        result = json.load(file)
    shutil.rmtree(os.path.join(directory, "stats"), ignore_errors=True)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, result


def count(words, directory):
    """Run the words under callgrind; return instructions and committed events."""
    counts = os.path.join(directory, "counts")
    # A second lasts as much longer as the run does.
    _, report = run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + counts, "-q", *words, "--writer-thread=off",
                     "--clock-rate=100000000000"], directory)
    with open(counts, encoding="utf-8") as file:
        total = next(int(line.split()[1]) for line in file if line.startswith(("totals:", "summary:")))
    return total, report["net_events"]


def measure_instructions(phold, lps, synch, directory):
    end = max(3.0, 2e5 / lps)
    words = [phold, f"--nlp={lps}", f"--synch={synch}", "--lookahead=0.1", "--remote=0.1"]

    def slope(options):
        half, half_events = count([*words, f"--end={end / 2:g}", *options], directory)
        whole, events = count([*words, f"--end={end:g}", *options], directory)
        return (whole - half) / (events - half_events), events

    off, events = slope([])
    for name, options in MODES:
        on, _ = slope(options.format(interval=end / POINTS, gvts=16).split())
        print(f"{lps:9} {events:10} {name:20} {on / off:7.3f} {on - off:9.1f}", flush=True)


def measure(phold, lps, synch, rounds, directory):
    end = max(3.0, 3e6 / lps)
    words = [phold, f"--nlp={lps}", f"--end={end:g}", f"--synch={synch}", "--lookahead=0.1", "--remote=0.1"]
    events = gvts = None
    for name, options in MODES:
        ratios, extra = [], []
        for _ in range(rounds):
            off, report = run(words, directory)
            events = report["net_events"]
            gvts = max(1, report["counters"]["gvt_rounds"] // POINTS)
            on, _ = run([*words, *options.format(interval=end / POINTS, gvts=gvts).split()], directory)
            ratios.append(on / off)
            extra.append(1e9 * (on - off) / events)
        print(f"{lps:9} {events:10} {name:20} {statistics.median(ratios):7.3f} {min(ratios):7.3f} {max(ratios):7.3f}"
              f" {statistics.median(extra):9.1f}", flush=True)


def main():
    words = [word for word in sys.argv[1:] if word != "--instructions"]
    if not words:
        sys.exit(__doc__)
    build, rounds, lps, synch = (words + [None] * 3)[:4]
    counts = len(words) + 1 < len(sys.argv)
    columns = f"{'more':>9}" if counts else f"{'least':>7} {'most':>7} {'ns/event':>9}"
    print(f"{'LPs':>9} {'events':>10} {'samples':20} {'of off':>7} {columns}")
    with tempfile.TemporaryDirectory() as directory:
        for n in (lps or "10000,100000,1000000").split(","):
            phold = os.path.join(build, "bin", "phold")
            if counts:
                measure_instructions(phold, int(n), synch or "1", directory)
            else:
                measure(phold, int(n), synch or "1", int(rounds or 5), directory)


if __name__ == "__main__":
    main()
