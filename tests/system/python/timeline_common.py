# SPDX-License-Identifier: BSD-3-Clause
"""timeline_common.py - functions that the checks of timelines share: arguments, failing, flows.

The checks are called with TIMELINE (Chrome's JSON, or another format converted by timeline_json.py), the
records of the run, and options at the end.
"""
import collections
import sys
from fractions import Fraction


def options_read(words):
    """Returns name=value or name, as a dictionary."""
    return dict((word.split("=") + [""])[:2] for word in words)


def fail(words):
    sys.exit("%s: %s" % (sys.argv[1], words))


def need(good, words):
    if not good:
        fail(words)


def near(us, virtual, unit):
    """Returns true if a time in microseconds is the product of virtual time and unit, except for rounding."""
    exact = Fraction(virtual) * unit * 10**6
    return abs(us - exact) <= max(Fraction(1, 1000), abs(exact) / 2**50)


def nest(slices):
    """Yields each slice of one track with the list of slices that enclose it, outermost first. Slices are
    in order, an enclosing one before the enclosed ones. Fails where two overlap in part."""
    around = []
    for e in slices:
        end = e["ts"] + e["dur"]
        while around and around[-1]["ts"] + around[-1]["dur"] <= e["ts"]:
            around.pop()
        need(not around or end <= around[-1]["ts"] + around[-1]["dur"], "partial overlap at %s" % e)
        yield e, around
        around.append(e)


def flows_read(events):
    """Returns flows as pairs (start, finish) by id; checks that each has two ends, none back in time."""
    flows = collections.defaultdict(dict)
    for e in events:
        if e["ph"] in "sf":
            need(e["ph"] not in flows[e["id"]], "flow id %s twice" % e["id"])
            flows[e["id"]][e["ph"]] = e
    for number, ends in flows.items():
        need(len(ends) == 2, "flow %s has one end" % number)
        need(ends["s"]["ts"] <= ends["f"]["ts"], "flow %s goes back in time" % number)
    return {number: (ends["s"], ends["f"]) for number, ends in flows.items()}


def by_place(slices):
    """Returns the arguments of slices by their beginning: process, thread, time."""
    places = collections.defaultdict(list)
    for e in slices:
        places[e["pid"], e["tid"], e["ts"]].append(e["args"])
    return places
