# SPDX-License-Identifier: BSD-3-Clause
"""Checks the JSON of warpscope analyze against naive definitions, for small traces.

    analyze_reference.py RESULT.json PATH.csv LATENCY [MAP] <TRACE.csv
    analyze_reference.py --partition RESULT.json MAP <TRACE.csv

TRACE.csv: the records as warpscope dump prints them, PE after PE. LATENCY: cost of a remote message
in events. MAP: the option --lp-map of warpscope analyze. --partition checks the bounds of warpscope
partition instead, which wrote MAP. Times are searched for in all events, so that the cost is
quadratic. Prints each difference, and exits with 1 if there is one.
"""
import csv
import json
import math
import sys
from collections import Counter, defaultdict

wrong = 0


def check(what, expected, found, tolerance=0.0):
    global wrong
    if isinstance(expected, float) or isinstance(found, float):
        good = found is not None and abs(expected - found) <= tolerance + 1e-9 * max(
            1.0, abs(expected)
        )
    else:
        good = expected == found
    if not good:
        wrong += 1
        print(f"FAIL: {what}: expected {expected}, got {found}")


class Event:
    def __init__(self, row):
        self.lp, self.src, self.pe = int(row["dest_lp"]), int(row["src_lp"]), int(row["pe"])
        self.ts, self.send_ts = float(row["recv_ts"]), float(row["send_ts"])
        self.send_order = int(row["send_order"])
        self.time = int(row["handler_time"])
        self.type = row.get("lp_type") or "unknown"
        self.kind = (self.type, row.get("kind_name"))
        self.cause = self.before = self.rank_before = None
        self.rank = self.pe


def link(events):
    """Finds the cause and the predecessors of each event."""
    for e in events:
        if e.send_order >= 0:
            same = [c for c in events if c.lp == e.src and c.ts == e.send_ts]
            if e.send_order < len(same):
                e.cause = same[e.send_order]
    for i, e in enumerate(events):
        for other in events[:i]:
            if other.lp == e.lp:
                e.before = other
            if other.pe == e.pe:
                e.rank_before = other


def read_map(file):
    """Returns the rank of each LP in a map."""
    rank = {}
    with open(file) as opened:
        for line in opened.read().splitlines()[1:]:
            words = line.split("#")[0].split()
            if words:
                first, _, last = words[0].partition("-")
                for lp in range(int(first), int(last or first) + 1):
                    rank[lp] = int(words[1])
    return rank


def place(events, rank):
    """Gives the events other ranks. They follow one another by time, then by PE, after their causes."""
    left = defaultdict(list)
    for e in events:
        left[e.pe].append(e)
        e.rank = rank(e.lp)
    taken, last = set(), {}
    while any(left.values()):
        heads = sorted((q[0] for q in left.values() if q), key=lambda e: (e.ts, e.pe))
        ready = [e for e in heads if e.cause is None or id(e.cause) in taken]
        e = (ready or heads)[0]
        left[e.pe].pop(0)
        taken.add(id(e))
        e.rank_before = last.get(e.rank)
        last[e.rank] = e


def longest(events, weight, latency, by_pe):
    """Returns the length of the longest path that ends with each event."""
    ends = {}
    while len(ends) < len(events):
        for e in events:
            previous = e.rank_before if by_pe else e.before
            if id(e) in ends or any(c and id(c) not in ends for c in (e.cause, previous)):
                continue
            start = ends[id(previous)] if previous else 0
            if e.cause:
                cost = latency if e.cause.rank != e.rank else 0
                start = max(start, ends[id(e.cause)] + cost)
            ends[id(e)] = start + weight(e)
    return ends


def paths(events, result, latency):
    timed = result["handlers_timed"]
    rows = {(r["weight"], r["in_order_on"], r["latency"] > 0): r for r in result["critical_paths"]}
    for by_pe in (False, True):
        order = "rank" if by_pe else "lp"
        if by_pe and max(e.rank for e in events) == 0:
            continue
        cases = [("events", 0, lambda e: 1, 1.0), ("events", latency, lambda e: 1, 1.0)]
        if timed:
            cases.append(("handler time", 0, lambda e: e.time, 1e-9))
        for weight, cost, function, unit in cases:
            row = rows.get((weight, order, cost > 0))
            if row is None:
                if not (cost == 0 and latency == 0 and weight == "events"):
                    check(f"row {weight} {order} {cost}", True, False)
                continue
            length = max(longest(events, function, cost, by_pe).values()) * unit
            work = sum(function(e) for e in events) * unit
            check(f"length by {weight}, {order}, {cost}", float(length), float(row["length"]))
            check(f"work by {weight}", float(work), float(row["work"]))
            check(f"speed-up by {weight}", work / length if length else 0.0, float(row["speed_up"]))


def critical_path(events, result, file):
    """The path that was written must be a path, of the length that was found."""
    with open(file, newline="") as opened:
        rows = list(csv.DictReader(opened))
    timed = result["handlers_timed"] and result["path_weight"] == "handler time"
    length, previous = 0, None
    check("events of the path", result["path_events"], len(rows))
    for i, row in enumerate(rows):
        same = [
            e
            for e in events
            if e.lp == int(row["lp"])
            and e.ts == float(row["recv_ts"])
            and e.src == int(row["src_lp"])
            and (previous is None or (e.cause if row["via"] == "message" else e.before) == previous)
        ]
        check(f"step {i} of the path", True, len(same) > 0)
        if not same:
            return
        previous = same[0]
        check(f"start of step {i}", length, int(row["start"]))
        length += previous.time if timed else 1
    best = max(longest(events, (lambda e: e.time) if timed else (lambda e: 1), 0, False).values())
    check("length of the path that was written", best, length)


def cycles(events, result):
    widths = Counter(longest(events, lambda e: 1, 0, False).values())
    check("cycles", len(widths), result["cycle_count"])
    expected = Counter()
    for width in widths.values():
        expected[1 << (width.bit_length() - 1)] += 1
    check("widths", dict(expected), {r["from"]: r["cycles"] for r in result["widths"]})
    check("events in cycles", len(events), sum(r["events"] for r in result["widths"]))
    check("events over virtual time", float(len(events)), sum(r["events"] for r in result["parallelism"]), 0.5)


def windows(events, result):
    bound = len(events) / result["cycle_count"]
    for row in result["windows"]:
        groups, left = [], sorted(events, key=lambda e: e.ts)
        while left:
            end = left[0].ts + row["lookahead"]
            group = [e for e in left if e.ts < end or e.ts == left[0].ts]
            groups.append(group)
            left = left[len(group) :]
        steps = sum(max(Counter(e.lp for e in g).values()) for g in groups)
        name = f"windows of {row['lookahead']}"
        check(name, len(groups), row["windows"])
        check(name + ": events", len(events) / len(groups), row["events"])
        check(name + ": LPs", sum(len({e.lp for e in g}) for g in groups) / len(groups), row["lps"])
        check(name + ": widest", max(len(g) for g in groups), row["widest"])
        check(name + ": of 1", sum(len(g) == 1 for g in groups) / len(groups), row["ones_share"])
        check(name + ": speed-up", min(bound, len(events) / steps), row["speed_up"])


def chains(events, result):
    found = {r["length"]: r for r in result["chains"]}
    for name in ("local", "linked", "global"):
        counts = Counter()
        for lp in {e.lp for e in events}:
            mine, i = [e for e in events if e.lp == lp], 0
            while i < len(mine):
                first, n = mine[i], 1
                while i + n < len(mine):
                    e = mine[i + n]
                    early = e.send_order < 0 or e.send_ts < first.ts
                    own = e.src == lp
                    if not {"local": early and own, "linked": own, "global": early}[name]:
                        break
                    n += 1
                counts[n] += 1
                i += n
        for length, count in counts.items():
            check(f"{name} chains of {length}", count, found.get(length, {}).get(name, 0))


def structure(events, result):
    sent = [e for e in events if e.send_order >= 0]
    check("initial events", len(events) - len(sent), result["initial"])
    check("missing causes", sum(e.cause is None for e in sent), result["causes_missing"])
    check("remote", sum(e.cause is not None and e.cause.rank != e.rank for e in sent), result["remote"])
    check("moved", len({(e.lp, e.pe) for e in events}) - len({e.lp for e in events}), result["lps_moved"])
    check("to itself", sum(e.src == e.lp for e in sent), result["events_to_self"])
    edges = Counter((e.src, e.lp) for e in sent)
    check("edges", sum(src != dest for src, dest in edges), result["edge_count"])
    between = [e.ts - e.send_ts for e in sent if e.src != e.lp]
    check("lookahead", min(between) if between else None, result["lookahead"])
    pairs = defaultdict(list)
    for e in sent:
        pairs[(e.cause.type if e.cause else "unknown", e.type)].append(e)
    for row in result["offsets"]:
        group = pairs.pop((row["from_type"], row["to_type"]), [])
        offsets = [e.ts - e.send_ts for e in group]
        name = f"offsets {row['from_type']} {row['to_type']}"
        check(name, len(group), row["events"])
        check(name + ": least", min(offsets), row["least"])
        check(name + ": mean", sum(offsets) / len(offsets), row["mean"])
        check(name + ": greatest", max(offsets), row["greatest"])
        check(name + ": self", sum(e.src == e.lp for e in group) / len(group), row["self"])
    check("pairs of types that are missing", {}, dict(pairs))
    times = Counter(e.ts for e in events)
    lp_times = Counter((e.lp, e.ts) for e in events)
    ties = [r["count"] for r in result["ties"]]
    check("ties", sum(n for n in times.values() if n > 1), ties[0])
    check("ties of an LP", sum(n for n in lp_times.values() if n > 1), ties[1])
    check("tied times", sum(n > 1 for n in times.values()), ties[2])
    check("largest tie", max(n if n > 1 else 0 for n in times.values()), ties[3])
    destinations(edges, result)
    ranks(events, edges, result)


def destinations(edges, result):
    by_src = defaultdict(list)
    for (src, _), n in edges.items():
        by_src[src].append(n)
    for row in result["destinations"]:
        needed = []
        for counts in by_src.values():
            total, n = 0, 0
            for count in sorted(counts, reverse=True):
                total, n = total + count, n + 1
                if total >= row["events_share"] * sum(counts):
                    break
            needed.append(n)
        needed.sort()
        name = f"destinations of {row['events_share']}"
        check(name + ": least", needed[0], row["least"])
        check(name + ": median", needed[(len(needed) - 1) // 2], row["median"])
        check(name + ": 90 %", needed[(len(needed) - 1) * 9 // 10], row["ninety"])
        check(name + ": most", needed[-1], row["most"])
        check(name + ": mean", sum(needed) / len(needed), row["mean"])


def ranks(events, edges, result):
    n_lps = result["lps_of_run"]
    for row in result["ranks"]:
        n = row["ranks"]
        rank = (lambda lp: lp * n // n_lps) if row["mapping"] == "block" else (lambda lp: lp % n)
        local = sum(c for (src, dest), c in edges.items() if rank(src) == rank(dest))
        name = f"{n} ranks, {row['mapping']}"
        check(name, local / max(1, sum(edges.values())), row["local_share"])
        busiest = max(Counter(rank(e.lp) for e in events).values())
        check(name + ": imbalance", busiest * n / len(events), row["imbalance"])


def bounds(events, result, rank):
    """The bounds of the placements that warpscope partition shows."""
    ranks, lps = result["ranks"], result["lps"]
    function = (lambda e: e.time) if result["weights"] == "time" else (lambda e: 1)
    work = sum(function(e) for e in events)
    path = max(longest(events, function, 0, False).values())
    check("bound of any placement", work / path, result["speed_up_at_most"])
    check("causes that are missing", 0, result["causes_missing"])
    placements = {
        "linear": lambda lp: lp * ranks // lps,
        "recorded": None,
        result["chosen"]: lambda lp: rank[lp],
    }
    for name, row in result["placements"].items():
        check(f"{name}: bound is there", name in placements, "speed_up_at_most" in row)
        if name not in placements:
            continue
        if placements[name] is not None:
            place(events, placements[name])
        else:
            link(events)
        loads = Counter()
        for e in events:
            loads[e.rank] += function(e)
        in_order = max(longest(events, function, 0, True).values())
        check(f"{name}: bound", work / max(path, *loads.values()), row["speed_up_at_most"])
        check(f"{name}: in order", work / in_order, row["speed_up_in_order"])


def means(events):
    """Gives events without a time, and those whose handlers were interrupted, the mean of their type and
    kind, or of all. Interrupted: marked by a negative time, and more than 20 times the median."""
    everyone = defaultdict(list)
    for e in events:
        if e.time != -1:
            everyone[e.kind].append(abs(e.time))
    if not everyone:
        return
    for e in events:
        median = sorted(everyone[e.kind])[(len(everyone[e.kind]) - 1) // 2] if everyone[e.kind] else 0
        interrupted = e.time < -1 and -e.time > 20 * median
        e.time = -1 if interrupted else abs(e.time) if e.time < -1 else e.time
    measured = defaultdict(list)
    for e in events:
        if e.time >= 0:
            measured[e.kind].append(e.time)
    everything = [t for times in measured.values() for t in times]
    for e in events:
        times = measured[e.kind] or everything
        e.time = e.time if e.time >= 0 else math.floor(sum(times) / max(1, len(times)))


def main():
    for_partition = sys.argv[1] == "--partition"
    with open(sys.argv[2 if for_partition else 1]) as opened:
        result = json.load(opened)
    events = [Event(row) for row in csv.DictReader(sys.stdin)]
    link(events)
    if for_partition:
        if result["weights"] == "time":
            means(events)
        bounds(events, result, read_map(sys.argv[3]))
        sys.exit(1 if wrong else 0)
    latency = float(sys.argv[3])
    if len(sys.argv) > 4:
        rank = read_map(sys.argv[4])
        place(events, lambda lp: rank[lp])
    if result["handlers_timed"]:
        means(events)
    check("events", len(events), result["events"])
    paths(events, result, latency)
    critical_path(events, result, sys.argv[2])
    cycles(events, result)
    windows(events, result)
    chains(events, result)
    structure(events, result)
    sys.exit(1 if wrong else 0)


main()
