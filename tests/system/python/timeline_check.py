# SPDX-License-Identifier: BSD-3-Clause
"""timeline_check.py TIMELINE RECORDS.csv CLOCK [unit=S] [some] [digits] - compares a timeline with records.

TIMELINE: Chrome's JSON, or another format converted by timeline_json.py. RECORDS.csv: from warpscope
dump of the event trace, with the same selection; some: not all records were selected. CLOCK: wall or
virtual. digits: virtual times in the timeline were rounded to six. Prints counts; ends with a message
at an error. It is independent of the code that makes timelines.
"""
import collections
import csv
import json
import sys
from fractions import Fraction

from timeline_common import by_place, flows_read, near, need, nest, options_read

path, records_path, clock = sys.argv[1:4]
options = options_read(sys.argv[4:])
unit = Fraction(options.get("unit", "1"))
events = json.load(open(path), parse_float=Fraction, parse_int=Fraction)
records = list(csv.DictReader(open(records_path)))

# Tasks have their own processes, which timeline_tasks.py checks.
of_tasks = set(e["pid"] for e in events
               if e["ph"] == "M" and e["args"].get("name", "").startswith("tasks of PE "))
events = [e for e in events if e["pid"] not in of_tasks]
slices = [e for e in events if e["ph"] == "X"]
threads = collections.defaultdict(list)
for number, e in enumerate(slices):
    e["number"] = number
    threads[e["pid"], e["tid"]].append(e)

# ---- phases, names
need(set(e["ph"] for e in events) <= set("XCMsf"), "phases")
names = {(e["name"], e["pid"], e["tid"]): e["args"]["name"] for e in events
         if e["ph"] == "M" and "name" in e["args"]}
for pid, tid in threads:
    need(names.get(("process_name", pid, 0)) == "PE %d" % pid, "name of PE %d" % pid)
    need(names.get(("thread_name", pid, tid)) == "KP %d" % tid, "name of KP %d" % tid)

# ---- order: by PE, then by time
last = (-1, -1)
for e in events:
    if e["ph"] != "M":
        need((e["pid"], e["ts"]) >= last, "order at %s" % e)
        last = (e["pid"], e["ts"])

# ---- slices of a thread nest
deepest = 0
for list_ in threads.values():
    for e, around in nest(list_):
        deepest = max(deepest, 1 + len(around))

# ---- every record is a slice, and every slice of an event a record
is_rollback = "events_undone" in (records[0] if records else {})


def time_of(ts):
    return float("%g" % float(ts)) if "digits" in options else float(ts)


def identity(lp, src, recv, send, pe, kp):
    return (int(lp), int(src), time_of(recv), time_of(send), int(pe), int(kp))


def nanoseconds(text, factor):
    return Fraction(round(float(text) * factor))


shown = collections.Counter()
for e in slices:
    a = e["args"]
    if e["cat"] == "rollback":
        if is_rollback:
            shown[identity(a["lp"], a["src_lp"], a["back_to"], a["back_from"], e["pid"], e["tid"]) +
                  (int(a["undone"]), int(a["cause"]))] += 1
        continue
    shown[identity(a["lp"], a["src_lp"], a["recv_ts"], a["send_ts"], e["pid"], e["tid"])] += 1
wanted = collections.Counter()
for r in records:
    wanted[identity(r["dest_lp"], r["src_lp"], r["recv_ts"],
                    r["kp_ts" if is_rollback else "send_ts"], r["pe"], r["kp"]) +
           ((int(r["events_undone"]), int(r["cause"])) if is_rollback else ())] += 1
need(shown == wanted, "slices are not the records: %d and %d, %s" % (
    sum(shown.values()), sum(wanted.values()),
    list(((shown - wanted) + (wanted - shown)).items())[:3]))

# ---- where they are
if clock == "virtual":
    for e in slices:
        ts = e["args"]["back_to" if e["cat"] == "rollback" else "recv_ts"]
        need("digits" in options or near(e["ts"], float(ts), unit), "time of %s" % e)
    for thread, list_ in threads.items():
        plain = [e for e in list_ if e["cat"] == "event"]
        for a, b in zip(plain, plain[1:]):
            need(a["ts"] + a["dur"] <= b["ts"], "slices of events overlap: %s %s" % (a, b))
            if "some" not in options:
                need(a["ts"] + a["dur"] == b["ts"], "a gap: %s %s" % (a, b))
        need(all(e["dur"] == 0 for e in list_ if e["cat"] == "undone"), "length of undone")
else:
    for pe in set(e["pid"] for e in slices):
        times = sorted(nanoseconds(r["real_time"], 1e9) for r in records if int(r["pe"]) == pe)
        own = sorted((e for e in slices if e["pid"] == pe and
                      (is_rollback or e["cat"] != "rollback")), key=lambda e: (e["ts"], e["number"]))
        readings = sorted(set(times))
        after = dict(zip(readings, readings[1:]))
        for t, e, f in zip(times, own, own[1:] + [None]):
            begin, end = e["ts"] * 1000, (e["ts"] + e["dur"]) * 1000
            need(begin >= t, "a slice before its record: %s" % e)
            need(end <= after.get(t, end), "a slice behind the next record: %s" % e)
            need(f is None or e["ts"] + e["dur"] <= f["ts"], "slices of a PE overlap: %s" % e)

# ---- flows
flows = flows_read(events)
at = by_place(e for e in slices if e["cat"] != "rollback")
received = collections.Counter()
for number, (s, f) in flows.items():
    sources = set((a["lp"], a["recv_ts"]) for a in at[s["pid"], s["tid"], s["ts"]])
    targets = set((a["src_lp"], a["send_ts"]) for a in at[f["pid"], f["tid"], f["ts"]])
    need(sources & targets, "flow %s connects %s and %s" % (number, s, f))
    received[f["pid"], f["tid"], f["ts"]] += 1
for place, n in received.items():
    need(n <= len(at[place]), "more flows than slices at %s" % (place,))
senders = collections.Counter((e["args"]["lp"], e["args"]["recv_ts"]) for e in slices
                              if e["cat"] != "rollback")
possible = 0
for e in slices:
    if e["cat"] != "rollback":
        a = e["args"]
        n = senders[a["src_lp"], a["send_ts"]]
        possible += n > (a["src_lp"] == a["lp"] and a["send_ts"] == a["recv_ts"])
if "digits" in options: # which makes different times equal
    possible = len(flows)
if clock == "virtual":
    need(len(flows) == possible, "%d flows, %d possible" % (len(flows), possible))
else:
    need(len(flows) <= possible, "%d flows, %d possible" % (len(flows), possible))

kinds = collections.Counter(e["cat"] for e in slices)
print("slices=%d undone=%d rollbacks=%d depth=%d flows=%d possible=%d counters=%d" % (
    len(slices) - kinds["rollback"], kinds["undone"], kinds["rollback"], deepest, len(flows),
    possible, sum(e["ph"] == "C" for e in events)))
