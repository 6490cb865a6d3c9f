#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""read_python.py DIRECTORY [ROUNDS] - records per second that the Python package reads into arrays.

Reads the largest table of a recording in several ways, which take turns. The first row is the library alone, called
from Python without making arrays; "rate" is the rate of a row in units of that: the median of ROUNDS (3) rounds, the
least and the greatest. Other numbers are medians; times are processor seconds. It needs numpy and the package: PYTHONPATH=python, and
WARPSCOPE_READER_LIBRARY=BUILD/lib if these are not installed. The rows with pandas need pandas and are left out without.
"""
import os
import resource
import statistics
import sys
import time

import warpscope
from warpscope._blocks import Scan


def library_alone(table):
    """Read all blocks of the library and make nothing of them."""
    scan, n = Scan(table, {}), 0
    with table.run._lock:
        while True:
            raw = scan.next()
            if raw is None:
                return n
            n += raw[1]


def of_blocks(table, touch=False, **chosen):
    n = 0
    for block in table.blocks(**chosen):
        n += block.records
        if touch:
            for name in block:
                block[name]
    return n


def summed(table):
    """Read one field and use it."""
    return sum(len(block["recv_ts"]) for block in table.blocks(fields="recv_ts") if block["recv_ts"].max() >= 0)


WAYS = (
    ("library alone", library_alone),
    ("for block in run.blocks()", of_blocks),
    ("the same, names as texts, masks", lambda table: of_blocks(table, touch=True)),
    ("blocks as recorded (rows=None)", lambda table: of_blocks(table, rows=None)),
    ("blocks of one field, its maximum", summed),
    ("one column", lambda table: len(table["recv_ts"])),
    ("structured array of 4 fields", lambda table: len(table(fields="src_lp,dest_lp,send_ts,recv_ts"))),
    ("structured array of all", lambda table: len(table())),
    ("DataFrame of all", lambda table: len(table.to_pandas())),
)


def measured(function, table):
    before = resource.getrusage(resource.RUSAGE_SELF)
    start = time.perf_counter()
    n = function(table)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall, n


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    run = warpscope.open(sys.argv[1])
    table = run.events
    print(f"{os.path.basename(table.file.path)}: {len(table):,} records of {len(table.fields)} fields, "
          f"{table.file.bytes / 1e6:.0f} MB, library {warpscope.library_path()}")
    print(f"{'read as':34} {'CPU s':>7} {'wall s':>7} {'M/s CPU':>8}  rate")
    results = {name: [] for name, _ in WAYS}
    for _ in range(rounds):
        for name, function in WAYS:
            try:
                if isinstance(results[name], list):
                    results[name].append(measured(function, table))
            except warpscope.LibraryError as error: # what it needs is not installed
                results[name] = error
    base = [one[0] for one in results[WAYS[0][0]]]
    for name, found in results.items():
        if isinstance(found, warpscope.LibraryError):
            print(f"{name:34} {found}")
            continue
        cpu, wall, _ = map(statistics.median, zip(*found))
        rates = [alone / one[0] for alone, one in zip(base, found)]
        print(f"{name:34} {cpu:7.2f} {wall:7.2f} {len(table) / cpu / 1e6:8.1f}  "
              f"{statistics.median(rates):.2f} ({min(rates):.2f} to {max(rates):.2f})")


main()
