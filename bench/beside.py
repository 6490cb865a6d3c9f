#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""beside.py [--runs=5] [--busy=0,1,2,4] [--wait=1800] PROGRAM [OPTION...] - a measurement, its noise, its neighbours.

Runs a program of bench/ several times on the machine as it is (0), and several times beside 1, 2 and 4 processes that
keep a processor busy each, in turns. Prints the program's lines once for each number of processes, with each number
that differs from run to run replaced by the median, and, behind the line, the least and the most of its last such
number. Without busy processes only quiet runs count (support/turns.py says what quiet is): before each, the script
waits for a quiet machine, altogether at most --wait seconds. If no run was quiet, all runs count, and the heading
says "not quiet".
"""
import os
import re
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
import turns  # noqa: E402

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])")


def measure(command, count):
    """Run the command beside `count` busy processes; return the run and the lines that it printed."""
    with tempfile.TemporaryFile() as output, turns.busy(count):
        run = turns.Run(command, stdout=output)
        output.seek(0)
        return run, output.read().decode(errors="replace").splitlines()


def show(lines_of_runs):
    """Print the lines of several runs of a program as one."""
    first = lines_of_runs[0]
    for i, line in enumerate(first):
        shape = NUMBER.sub("#", line).split()
        same = [lines[i] for lines in lines_of_runs if i < len(lines) and NUMBER.sub("#", lines[i]).split() == shape]
        columns = list(zip(*(NUMBER.findall(text) for text in same)))
        noise = ""

        def median(match, numbers=iter(columns)):
            nonlocal noise
            texts = next(numbers)
            if len(set(texts)) == 1:
                return match.group()
            values = [float(text) for text in texts]
            decimals = len(match.group().partition(".")[2])
            noise = "   %.*f to %.*f" % (decimals, min(values), decimals, max(values))
            return ("%.*f" % (decimals, statistics.median(values))).rjust(len(match.group()))
        print(NUMBER.sub(median, line) + noise)


def main():
    given, words = {"runs": "5", "busy": "0,1,2,4", "wait": "1800"}, sys.argv[1:]
    while words and words[0].startswith("--"):
        name, _, value = words.pop(0)[2:].partition("=")
        if name not in given or not re.fullmatch(r"\d+(,\d+)*" if name == "busy" else r"\d+", value):
            sys.exit(__doc__)
        given[name] = value
    if not words:
        sys.exit(__doc__)
    counts = [int(count) for count in given["busy"].split(",")]
    end = time.monotonic() + int(given["wait"])
    found = {count: [] for count in counts}
    for _ in range(int(given["runs"])):
        for count in counts:
            if count == 0:
                turns.await_quiet(end - time.monotonic())
            found[count].append(measure(words, count))
    for count in counts:
        quiet = [lines for run, lines in found[count] if run.quiet]
        lines = quiet if count == 0 and quiet else [lines for _, lines in found[count]]
        print("beside %d busy process%s: %s" % (count, "" if count == 1 else "es", (
            "%d of %d runs were quiet%s" % (len(quiet), len(found[0]), "" if quiet else ": not quiet") if count == 0
            else "%d runs" % len(lines))))
        show(lines)
        print(flush=True)


if __name__ == "__main__":
    main()
