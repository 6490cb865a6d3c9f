# SPDX-License-Identifier: BSD-3-Clause
"""timeline_events.py TIMELINE RECORDS FIELD... - compares the slices of events with the recorded payloads.

TIMELINE: Chrome's JSON, or another format converted by timeline_json.py. RECORDS: the event trace as
printed by warpscope dump. FIELD: NAME, or NAME=SHOWN where a timeline has another name for it. With
`digits` first, fractions are only as exact as their printed form, and events are distinguished by their
LPs alone.
"""
import collections
import csv
import json
import math
import sys

digits = sys.argv[3] == "digits"
fields = [(f.split("=") + [f])[:2] for f in sys.argv[3 + digits:]]


def shown(value):
    """Returns the same text for a number of JSON and for a cell of CSV; JSON has null for others than finite ones."""
    if value is None:
        return "not finite"
    try:
        number = float(value) + 0.0 # -0 is 0
    except ValueError:
        return value
    if not math.isfinite(number):
        return "not finite"
    return "%.4g" % number if digits and number % 1 else repr(number)


def key(of):
    return tuple(float(of[k]) for k in ("lp", "src_lp") + (() if digits else ("recv_ts", "send_ts")))


expected, found = collections.Counter(), collections.Counter()
with open(sys.argv[2], newline="", errors="replace") as records:
    for row in csv.DictReader(records):
        values = tuple(shown(row[name]) or None for name, _ in fields)
        expected[key({**row, "lp": row["dest_lp"]}) + values] += 1
for event in json.load(open(sys.argv[1])):
    if event["ph"] == "X" and event["cat"] in ("event", "undone"):
        args = event["args"]
        found[key(args) + tuple(shown(args.get(name, "")) or None
                                for _, name in fields)] += 1
if found != expected:
    sys.exit("%s: %d events differ: shown %s, recorded %s" % (
        sys.argv[1], sum(((found - expected) + (expected - found)).values()),
        list((found - expected).items())[:2], list((expected - found).items())[:2]))
print(sum(found.values()))
