#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""samples.py BUILD [ROUNDS] [LPS,...] [SYNCH] - the cost of samples by the number of LPs.

Runs PHOLD on one rank, sequentially or with another scheduler, with 300 sampling points and without samples. Each row
has the ratio of the processor times (user and system) of a run with samples and of the run without them that came
before it: the median of ROUNDS (5) pairs, the least and the largest ratio, and the samples' nanoseconds per event. A
cost that is independent of the number of LPs gives the same ratio in each column of LPs (10000,100000,1000000). Runs
with more LPs have fewer events per LP, at least three.

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
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build, rounds, lps, synch = (sys.argv[1:] + [None] * 3)[:4]
    print(f"{'LPs':>9} {'events':>10} {'samples':20} {'of off':>7} {'least':>7} {'most':>7} {'ns/event':>9}")
    with tempfile.TemporaryDirectory() as directory:
        for n in (lps or "10000,100000,1000000").split(","):
            measure(os.path.join(build, "bin", "phold"), int(n), synch or "1", int(rounds or 5), directory)


if __name__ == "__main__":
    main()
