#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""beside_ross.py [-n RUNS] [-i] PAIRS - the same models built for Warpscope and for another engine, run in turn.

PAIRS is a text file with one pair in three lines, and an empty line between pairs: a name, the command that runs
the model built for Warpscope, the same command with the model built for the other engine. Programs and files in
commands are named by absolute paths, for each command runs in an empty directory of its own; words as in a shell, but
no variables. Lines that begin with # are skipped.

To make such pairs, configure and build a model twice in two directories: once by find_package(ROSS), or pkg-config, with
an installation of ROSS 8.1, once with one of Warpscope (cmake --install), both with the same MPI library and
CMAKE_BUILD_TYPE=Release. A command on several ranks begins with the launcher: mpirun -np 2 PROGRAM --synch=3 ...

For each pair: medians of RUNS (21) runs of each side, ours and theirs alternating and the order changing, of the wall
clock from exec to exit in ms, of the line "Event Rate" of the report in millions, and of the events rolled back, with
the least and the largest; and the ratios of the medians. Runs that began on a machine that was not quiet (see
support/turns.py) are repeated, at most RUNS times. -i: instead, the
instructions of the whole process, counted once by valgrind --tool=callgrind, for commands without a launcher.
"""
import argparse
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
import turns  # noqa: E402

LINES = (("rate", r"Event Rate \(events/sec\)\s+(\S+)", 1e-6), ("undone", r"Events Rolled Back\s+(\d+)", 1),
         ("net", r"Net Events Processed\s+(\d+)", 1))


def read_pairs(path):
    with open(path, encoding="utf-8") as file:
        text = "\n".join(line for line in file.read().splitlines() if not line.startswith("#"))
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = block.strip().splitlines()
        if len(lines) != 3:
            sys.exit(f"{path}: a pair is a name and two commands, not: {lines[0] if lines else ''}")
        yield lines[0], shlex.split(lines[1]), shlex.split(lines[2])


def run(words, prefix=()):
    """Run a command in an empty directory; return the figures of its report and the ms that it took."""
    with tempfile.TemporaryDirectory() as directory, open(os.path.join(directory, "out"), "w+b") as out:
        before = time.monotonic()
        status = subprocess.run([*prefix, *words], stdout=out, stderr=out, stdin=subprocess.DEVNULL, cwd=directory,
                                check=False).returncode
        figures = {"wall": 1e3 * (time.monotonic() - before)}
        out.seek(0)
        text = out.read().decode(errors="replace")
    for name, pattern, unit in LINES:
        found = re.findall(pattern, text)
        if status or not found:
            sys.exit(f"status {status}, no line of {name}: {shlex.join(words)}\n{text[-2000:]}")
        figures[name] = float(found[-1]) * unit
    collected = re.findall(r"Collected : (\d+)", text)
    return figures | {"instructions": sum(map(int, collected)) * 1e-6}


def show(name, ours, theirs, keys):
    for key in keys:
        a, b = ([figures[key] for figures in side] for side in (ours, theirs))
        middle = statistics.median(a), statistics.median(b)
        ratio = middle[0] / middle[1] if middle[1] else float("nan")
        text = "  ".join(f"{m:10.3f} ({min(v):.3f} to {max(v):.3f})" for m, v in zip(middle, (a, b)))
        print(f"{name:28} {key:12} {ratio:7.3f}  {text}", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.splitlines()[0].split(" - ")[0])
    parser.add_argument("-n", type=int, default=21)
    parser.add_argument("-i", action="store_true")
    parser.add_argument("pairs")
    options = parser.parse_args()
    print(f"{'':28} {'':12} {'ours/':7}  medians (least to largest): ours, theirs\n{'':42} theirs")
    callgrind = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")
    for name, *commands in read_pairs(options.pairs):
        if options.i:
            show(name, *([run(command, callgrind)] for command in commands), ("instructions",))
            continue
        sides, tries = ([], []), 0
        while len(sides[0]) < options.n:
            was_quiet, both = True, {}
            for side in (0, 1) if tries % 2 else (1, 0):
                was_quiet &= turns.is_quiet()
                both[side] = run(commands[side])
            tries += 1
            if was_quiet or tries > options.n:
                sides[0].append(both[0])
                sides[1].append(both[1])
        net = {figures["net"] for side in sides for figures in side}
        show(name, *sides, ("wall", "rate", "undone"))
        print(f"{'':28} {options.n / tries:.2f} of the runs counted; net events: {sorted(net)}", flush=True)


if __name__ == "__main__":
    main()
