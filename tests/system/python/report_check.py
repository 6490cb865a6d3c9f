#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the data of "warpscope report" with what follows from the records themselves.

    report_check.py DATA.json STATS.json FOLDER

DATA.json is of "report --format=json", STATS.json of "stats --json", FOLDER has the output of "dump" for
each file of the run: gvt.csv, rt.csv, vt.csv, evtrace.csv, model.csv, task.csv; any may be missing. Prints what
differs; the exit status is 1 then. The computations are plain: record by record, step by step.
"""
import csv
import json
import math
import os
import sys

wrong = 0


def differ(what, got, expected):
    global wrong
    wrong += 1
    if wrong <= 20:
        print(f"{what}: {got}, expected {expected}")


def near(what, got, expected, part=2e-5, scale=0.0):
    """Compares numbers of five or six digits. scale: a size beside which differences are rounding."""
    if got is None or expected is None or math.isnan(expected):
        if got is not None or (expected is not None and not math.isnan(expected)):
            differ(what, got, expected)
    elif abs(got - expected) > part * max(abs(got), abs(expected)) + 1e-9 * scale:
        differ(what, got, expected)


def near_list(what, got, expected, part=2e-5):
    if len(got) != len(expected):
        differ(what + ", length", len(got), len(expected))
        return
    scale = max([abs(v) for v in expected if v is not None and not math.isnan(v)] or [0.0])
    for i, (a, b) in enumerate(zip(got, expected)):
        near(f"{what} [{i}]", a, b, part, scale)


def rows(folder, stream):
    path = os.path.join(folder, stream + ".csv")
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        records = list(csv.DictReader(file))
    for r in records:  # a file with one kind of record does not name it
        r.setdefault("record", {"evtrace": "event", "model": "model_lp"}.get(stream, stream + "_pe"))
    return records


class Axis:
    def __init__(self, span, n):
        self.low, self.high, self.n = span[0], span[1], n
        self.step = (self.high - self.low) / n

    def bin(self, v):
        return max(0, min(self.n - 1, int((v - self.low) / (self.high - self.low) * self.n)))

    def parts(self, start, end):
        """The steps that (start, end] meets, and the length in each."""
        first, last = self.bin(start), self.bin(end)
        if not end > start:
            return [(last, 0.0)]
        found = []
        for i in range(first, last + 1):
            low, high = self.low + i * self.step, self.low + (i + 1) * self.step
            if min(high, end) > max(low, start):
                found.append((i, min(high, end) - max(low, start)))
        return found

    def spread(self, bins, start, end, count):
        first, last = self.bin(start), self.bin(end)
        if not end > start or first == last:
            bins[last] += count
            return
        for i, length in self.parts(start, end):
            bins[i] += count * length / (end - start)


def pe_of(row):
    return int(row["pe"])


def intervals(records, time, axis):
    """Each record with the interval since the previous sampling point of its PE: by the time of the sample,
    (real time, virtual time) being equal for records of one point."""
    latest = {}
    for r in records:
        point = (float(r["real_time"]), float(r.get("gvt") or r["vt"]))
        at = min(float(r[time]), axis.high)
        pe = pe_of(r)
        if pe not in latest:
            latest[pe] = (point, axis.low, at)
        elif latest[pe][0] != point:
            latest[pe] = (point, latest[pe][2], at)
        yield r, latest[pe][1], latest[pe][2]


def series(run, clock, name):
    for s in run["series"][clock]:
        if s["name"] == name:
            return s["values"]
    return None


def check_totals(run, stats):
    totals = {}
    for file in stats["files"]:
        found = file.get("totals", {})
        if file["stream"] == "evtrace":
            found = {"trace_" + k: v for k, v in found.items()}
        elif totals.get("of") == "gvt":
            continue
        totals.update(found)
        if file["stream"] == "gvt":
            totals["of"] = "gvt"
            totals["efficiency"] = file["efficiency"]
    for c in run["counters"]:
        if c["value"] != totals.get(c["name"]):
            differ("counter " + c["name"], c["value"], totals.get(c["name"]))


def check_trace_curves(run, folder):
    """Without samples the trace draws the curves."""
    for clock, time in (("wall", "real_time"), ("virtual", "recv_ts")):
        axis = Axis(run[clock], run["bins"])
        bins = {"events": [0.0] * axis.n, "rollbacks": [0.0] * axis.n, "undone": [0.0] * axis.n}
        for r in rows(folder, "evtrace"):
            at = axis.bin(float(r[time]))
            if r["record"] == "event":
                bins["events"][at] += 1
            else:
                bins["rollbacks"][at] += 1
                bins["undone"][at] += int(r["events_undone"])
        for name, counts in bins.items():
            near_list(f"{clock} {name}", series(run, clock, name), [v / axis.step for v in counts])
    axis, least = Axis(run["wall"], run["bins"]), math.inf
    events = sorted((axis.bin(float(r["real_time"])), float(r["recv_ts"]))
                    for r in rows(folder, "evtrace") if r["record"] == "event")
    for at, time in reversed(events):
        least = min(least, time)
        if run["clock"][at] > least * (1 + 1e-5):
            differ(f"clock at step {at}", run["clock"][at], f"at most {least}")


def check_curves(run, folder):
    if series(run, "wall", "committed") is None:
        check_trace_curves(run, folder)
        return
    gvt = [r for r in rows(folder, "gvt") if r["record"] == "gvt_pe"]
    rt = [r for r in rows(folder, "rt") if r["record"] == "rt_pe"]
    records = rt if len(rt) > len(gvt) else gvt
    exact = [r for r in rows(folder, "vt") if r["record"] == "vt_pe"]
    n = run["bins"]
    fields = {"committed": "events_committed", "executed": "events_processed",
              "undone": "events_rolled_back", "rollbacks": "total_rollbacks",
              "remote": "remote_events", "gvt_rate": "num_gvt"}
    for clock, time in (("wall", "real_time"), ("virtual", "gvt")):
        axis = Axis(run[clock], n)
        counts = {}
        for name, field in fields.items():
            bins = [0.0] * n
            source, at = records, time
            if name == "committed" and clock == "virtual" and exact:
                source, at = exact, "vt"
            for r, start, end in intervals(source, at, axis):
                axis.spread(bins, start, end, float(r[field]))
            counts[name] = bins
            per = axis.step * (run["ranks"] if name == "gvt_rate" else 1)
            if clock == "wall" or name != "gvt_rate":
                near_list(f"{clock} {name}", series(run, clock, name), [v / per for v in bins])
        near_list(f"{clock} efficiency", series(run, clock, "efficiency"),
                  [efficiency(a, b) for a, b in zip(counts["executed"], counts["undone"])])
        spread = {}
        for field in ("processor_lost_ns", "processor_wall_ns"):
            spread[field] = [0.0] * n
            for r, start, end in intervals(records, time, axis):
                axis.spread(spread[field], start, end, float(r.get(field) or 0))
        lost = [min(100.0, 100 * a / b) if b > 0 else None for a, b in zip(*spread.values())]
        near_list(f"{clock} lost", series(run, clock, "lost") or [None] * n, lost)
        near_list(f"{clock} queue", series(run, clock, "queue"), levels(records, "pq_size", time, axis))
        peak = max(float(r["pq_size"]) for r in records)
        high = [v for s in run["series"][clock] if s["name"] == "queue" for v in s["high"] if v is not None]
        if max(high) != peak:
            differ(f"{clock} largest queue", max(high), peak)
        memory = {one["name"]: one["values"] for one in run["memory"][clock]}
        for name, field in (("events", "event_bytes"), ("saved", "saved_bytes"), ("allocated", "allocated_bytes")):
            near_list(f"{clock} memory {name}", memory[name], levels(records, field, time, axis))
    check_memory(run, records)
    clock = run["clock"]
    if any(a > b for a, b in zip(clock, clock[1:])):
        differ("clock", "decreases", "a clock that does not")


def levels(records, field, time, axis):
    """The mean of a level in each step: a value holds for the interval before its sample."""
    level, weight = [0.0] * axis.n, [0.0] * axis.n
    for r, start, end in intervals(records, time, axis):
        for i, length in axis.parts(start, end):
            length = length if end > start else axis.step * 1e-3
            level[i] += float(r[field]) * length
            weight[i] += length
    return [a / b if b > 0 else None for a, b in zip(level, weight)]


def check_memory(run, records):
    axis = Axis(run["wall"], run["cell_bins"])
    for at, pe in enumerate(run["memory"]["pes"]):
        own = [dict(r, in_use=float(r["event_bytes"]) + float(r["saved_bytes"])) for r in records if pe_of(r) == pe]
        near_list(f"memory in use of PE {pe}", run["memory"]["in_use"][at], levels(own, "in_use", "real_time", axis), 2e-3)
        for key, field in (("peak", "in_use"), ("pe_allocated", "allocated_bytes")):
            most = [None] * axis.n
            for r, start, end in intervals(own, "real_time", axis):
                for i, _ in axis.parts(start, end):
                    most[i] = max(most[i] or 0.0, float(r[field]))
            near_list(f"{key} of PE {pe}", run["memory"][key][at], most, 2e-3)


def check_spread(what, got, first, width, values, axis):
    """A distribution over time: (time, number) pairs in steps of an axis and bars of a histogram with 16 steps per
    factor of two."""
    cells, by_step = {}, {}
    bars = got.get("bars") or len(got["counts"])
    for time, v in values:
        step = axis.bin(time)
        mantissa, exponent = math.frexp(v) if v > 0 else (0, 0)
        bar = bars if v <= 0 else (16 * (exponent - 1 + 64) + int((2 * mantissa - 1) * 16) - first) // width
        cells[step, bar] = cells.get((step, bar), 0) + 1
        by_step.setdefault(step, []).append(v)
    found = {(step, bar): n for step, bar, n in got["over_time"]}
    if sum(found.values()) != sum(cells.values()):
        differ(what + ", numbers", sum(found.values()), sum(cells.values()))
    # Times and differences are rounded in the text of a record: few may be in the cell beside theirs.
    moved = sum(abs(found.get(key, 0) - cells.get(key, 0)) for key in {*found, *cells})
    if moved > 2 + len(values) // 100:
        differ(what + ", cells", moved, "few")
    for key, of in (("sums", sum), ("lows", min), ("highs", max)):
        near_list(f"{what} {key}", got[key], [of(by_step[i]) if i in by_step else None for i in range(axis.n)], 1e-3)


def efficiency(executed, undone):
    if not (executed > 0 or undone > 0):
        return None
    if not undone > 0:
        return 100.0
    return 100 * (1 - undone / (executed - undone)) if executed > undone else 0.0


def check_phases(run, folder):
    ticks = float(dict(run["facts"])["ticks per second"])
    axis = Axis(run["wall"], run["cell_bins"])
    phases = run["phases"]
    for k, name in enumerate(phases["names"]):
        bins = [[0.0] * axis.n for _ in phases["pes"]]
        records = [r for r in rows(folder, "rt") if r["record"] == "rt_pe"]
        for r, start, end in intervals(records, "real_time", axis):
            axis.spread(bins[pe_of(r)], start, end, float(r[name + "_cc"]) / ticks)
        for pe in phases["pes"]:
            near_list(f"phase {name} of PE {pe}", phases["wall"][pe][k], bins[pe], 2e-3)
            near(f"phase {name} of PE {pe}", phases["seconds"][pe][k], sum(bins[pe]))


def check_ahead(run, folder):
    gvt = [r for r in rows(folder, "gvt") if r["record"] == "gvt_kp"]
    rt = [r for r in rows(folder, "rt") if r["record"] in ("rt_kp", "rt_ahead")]
    records = rt if len(rt) >= len(gvt) else gvt
    for clock, time in (("wall", "real_time"), ("virtual", "gvt")):
        axis = Axis(run[clock], run["cell_bins"])
        sums = {}
        for r, start, end in intervals(records, time, axis):
            cells = sums.setdefault((pe_of(r), int(r["kp"])), [[0.0, 0.0] for _ in range(axis.n)])
            for i, length in axis.parts(start, end):
                length = length if end > start else axis.step * 1e-3
                cells[i][0] += float(r["time_ahead_gvt"]) * length
                cells[i][1] += length
        shown = [(k["pe"], k["kp"]) for k in run["ahead"]["kps"]]
        if shown != sorted(sums):
            differ("KPs ahead", shown, sorted(sums))
            return
        for place, values in zip(shown, run["ahead"][clock]):
            near_list(f"ahead {clock} {place}", values,
                      [a / b if b > 0 else None for a, b in sums[place]], 2e-3)


def first_step(histogram):
    mantissa, exponent = math.frexp(histogram["edges"][0] * (1 + 1e-5))
    return 16 * (exponent - 1 + 64) + int((2 * mantissa - 1) * 16)


def check_events(run, folder):
    trace = rows(folder, "evtrace")
    axis = Axis(run["wall"], run["cell_bins"])
    home, kind = {}, {}
    for stream, field in (("evtrace", "dest_lp"), ("gvt", "lp"), ("model", "lp"), ("rt", "lp")):
        for r in rows(folder, stream):
            if r.get(field, "") != "":
                home.setdefault(int(r[field]), pe_of(r))
                if r.get("lp_type"):
                    kind.setdefault(int(r[field]), r["lp_type"])
    hits, traffic, types, offsets, offset_times, undone = {}, {}, {}, [], [], []
    for r in trace:
        at, src, dest = axis.bin(float(r["real_time"])), int(r["src_lp"]), int(r["dest_lp"])
        if r["record"] == "rollback":
            sender = int(r["src_pe"]) if "src_pe" in r else home.get(src)  # earlier versions have none
            hit = hits.setdefault((at, sender, pe_of(r), int(r["kp"])), [0, 0, 0])
            hit[0] += 1
            hit[1] += int(r["events_undone"])
            hit[2] += r["cause"] == "2"
            undone.append((float(r["real_time"]), int(r["events_undone"])))
        else:
            offsets.append(float(r["recv_ts"]) - float(r["send_ts"]))
            offset_times.append((float(r["real_time"]), offsets[-1]))
            if src in home:
                key = (at, home[src], pe_of(r))
                traffic[key] = traffic.get(key, 0) + 1
            key = (at, kind.get(src, "not recorded"), kind.get(dest, "not recorded"))
            types[key] = types.get(key, 0) + 1
    if "rollbacks" in run or hits:
        to = [(k["pe"], k["kp"]) for k in run["rollbacks"]["to"]]
        source = [f.get("pe") for f in run["rollbacks"]["from"]]
        got = {(b, source[f]) + to[t]: values for b, f, t, *values in run["rollbacks"]["cells"]}
        if got != hits:
            differ("rollbacks", len(got), len(hits))
        lengths = run["rollbacks"]["lengths"]
        check_spread("lengths over time", lengths, first_step(lengths), 16, undone, axis)
        if sum(lengths["counts"]) + lengths["zeros"] != sum(h[0] for h in hits.values()):
            differ("lengths", sum(lengths["counts"]), sum(h[0] for h in hits.values()))
        if run["rollbacks"]["secondary"] != sum(h[2] for h in hits.values()):
            differ("secondary", run["rollbacks"]["secondary"], sum(h[2] for h in hits.values()))
    got = {(b, f, t): n for b, f, t, n in run["traffic"]["pe_cells"]}
    if got != traffic:
        differ("traffic", sum(got.values()), sum(traffic.values()))
    names = run["traffic"]["types"]
    got = {(b, names[f], names[t]): n for b, f, t, n in run["traffic"]["type_cells"]}
    if got != types:
        differ("types", got, types)
    edges, counts = run["offsets"]["edges"], run["offsets"]["counts"]
    for i, n in enumerate(counts):
        low, high = edges[i] * (1 - 1e-6), edges[i + 1] * (1 + 1e-6)
        least = sum(edges[i] * (1 + 1e-6) < v < edges[i + 1] * (1 - 1e-6) for v in offsets)
        if not least <= n <= sum(low <= v <= high for v in offsets):
            differ(f"offsets from {edges[i]}", n, least)
    if sum(counts) + run["offsets"]["zeros"] != len(offsets):
        differ("offsets", sum(counts), len(offsets))
    steps_of_bar = 16 * math.log2(edges[-1] / edges[0]) / len(counts)
    check_spread("offsets over time", run["offsets"], first_step(run["offsets"]),
                 1 if steps_of_bar < 2 else 4 if steps_of_bar < 9 else 16, offset_times, axis)
    near("least offset", run["offsets"]["least"], min(offsets))
    near("mean offset", run["offsets"]["mean"], sum(offsets) / len(offsets))


def check_model(run, folder):
    records = rows(folder, "model")
    axis = Axis(run["virtual"], run["bins"])
    for field in run["model_fields"]:
        name = field["field"]
        values = [r for r in records if r.get(name, "") != "" and r["lp_type"] == field["type"]]
        worst = {}
        for r in values:
            lp = int(r["lp"])
            worst[lp] = max(worst.get(lp, -math.inf), float(r[name]))
        best = sorted(worst.values(), reverse=True)[:len(field["worst"])]
        near_list("worst " + name, [w["value"] for w in field["worst"]], best)
        for w in field["worst"]:
            near(f"worst {name} of LP {w['lp']}", w["value"], worst[w["lp"]])
        bins = [[] for _ in range(axis.n)]
        for r in values:
            bins[axis.bin(float(r["gvt"]))].append(float(r[name]))
        if field["measure"] == "counter":
            near_list("counter " + name, field["values"], counter_rates(records, field, axis))
            continue
        for i in reversed(range(axis.n - 1)):
            bins[i] = bins[i] or bins[i + 1]
        near_list("mean " + name, field["values"], [sum(b) / len(b) if b else None for b in bins])
        near_list("least " + name, field["low"], [min(b) if b else None for b in bins])
        near_list("most " + name, field["high"], [max(b) if b else None for b in bins])


def counter_rates(records, field, axis):
    """The growth of the sums over the LPs of each PE, from one sampling point to the next."""
    bins = [0.0] * axis.n
    points = {}
    for r in records:
        key = (r["kind"], r["sample"], r["gvt"])
        of_pe = points.setdefault(pe_of(r), {})
        point = of_pe.setdefault(key, [float(r["gvt"]), 0.0, 0])
        if r.get(field["field"], "") != "" and r["lp_type"] == field["type"]:
            point[1] += float(r[field["field"]])
            point[2] += 1
    for of_pe in points.values():
        before, lps, at = 0.0, 0, axis.low
        for time, total, n in of_pe.values():
            if n > 0:
                if lps in (0, n) and total > before:
                    axis.spread(bins, at, min(time, axis.high), total - before)
                before, lps = total, n
            at = time
    return [v / axis.step for v in bins]


def check_tasks(run, folder):
    """The union of the tasks of a place, in each step."""
    axis = Axis(run["virtual"], run["bins"])
    places, counts, durations = {}, {}, {}
    for r in rows(folder, "task"):
        if r["record"] == "task_end":
            name = f"{r['kind']}: {r['where']} (LP {r['lp']})"
            places.setdefault(name, []).append((float(r["start"]), float(r["vt"])))
            counts[r["kind"], r["what"]] = counts.get((r["kind"], r["what"]), 0) + 1
            durations.setdefault((r["kind"], r["what"]), []).append((float(r["vt"]), float(r["vt"]) - float(r["start"])))
    for kind in run["tasks"]["kinds"]:
        if kind["count"] != counts.get((kind["kind"], kind["what"])):
            differ(f"tasks {kind['what']}", kind["count"], counts.get((kind["kind"], kind["what"])))
        if run["tasks"]["cell_step"] == 1:
            check_spread(f"tasks {kind['what']}", kind, kind["first"], 1, durations[kind["kind"], kind["what"]],
                         Axis(run["virtual"], run["cell_bins"]))
    most = 0.0
    for place in run["tasks"]["busy"]:
        bins, at = [0.0] * axis.n, -math.inf
        for start, end in sorted(places[place["place"]]):
            if end > max(start, at):
                for i, length in axis.parts(max(start, at), end):
                    bins[i] += length
            at = max(at, end)
        near_list("busy " + place["place"], place["values"], [v / axis.step for v in bins], 2e-3)
        near("busy " + place["place"], place["busy"], sum(bins) / (axis.high - axis.low), 1e-4)
        most = max(most, place["busy"])
    if not run["tasks"]["busy"] or most != run["tasks"]["busy"][0]["busy"]:
        differ("busiest place", run["tasks"]["busy"][:1], most)


def main():
    data, stats, folder = sys.argv[1:4]
    with open(data, encoding="utf-8") as file:
        run = json.load(file)["runs"][0]
    with open(stats, encoding="utf-8") as file:
        check_totals(run, json.load(file))
    checked = []
    for name, check in (("series", check_curves), ("phases", check_phases), ("ahead", check_ahead),
                        ("traffic", check_events), ("model_fields", check_model),
                        ("tasks", check_tasks)):
        if name in run:
            check(run, folder)
            checked.append(name)
    print("checked:", *checked)
    sys.exit(1 if wrong else 0)


main()
