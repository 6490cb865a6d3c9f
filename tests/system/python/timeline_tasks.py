# SPDX-License-Identifier: BSD-3-Clause
"""timeline_tasks.py TIMELINE RECORDS.json [unit=S] [digits] - compares the tasks of a timeline with records.

TIMELINE: Chrome's JSON, or another format converted by timeline_json.py. RECORDS.json: from warpscope
dump --format=json of the whole trace of tasks. digits: virtual times in the timeline were rounded to six,
and lanes of a place have no numbers. Prints counts; ends with a message at an error. It is independent of
the code that makes timelines: it derives tasks, their tracks and flows from the records.
"""
import collections
import json
import re
import sys
from fractions import Fraction

from timeline_common import by_place, flows_read, near, need, nest, options_read

path, records_path = sys.argv[1:3]
options = options_read(sys.argv[3:])
unit, digits = Fraction(options.get("unit", "1")), "digits" in options
events = json.load(open(path), parse_float=Fraction)
records = json.load(open(records_path))


def name_of(r, prefix=""):
    """Returns the name of a task; None for no task."""
    lp, number, from_ = (r[prefix + k] for k in ("lp", "number", "from"))
    if lp < 0:
        return None
    return "%d.%d" % (lp, number) + (".%d" % from_ if from_ >= 0 else "")


# ---- What the records say
tasks, details, steps = {}, collections.defaultdict(list), collections.Counter()
run_end = max(r["vt"] for r in records)
for r in sorted(records, key=lambda r: (r["vt"], r["order"])):
    kind = r["record"]
    if kind == "task_step":
        if r["detail"]:
            details[name_of(r)].append(r["step"])
        else:
            steps[name_of(r), r["step"], r["at"]] += 1
        continue
    if kind in ("task_begin", "task_end"):
        ended = kind == "task_end"
        tasks[name_of(r)] = {
            "start": r["start"], "end": r["vt"] if ended else None, "parent": name_of(r, "parent_"),
            "kind": r["kind"], "what": r["what"], "where": r["where"], "lp": r["lp"], "pe": r["pe"]}

# ---- What the timeline shows
threads, processes = {}, {}
for e in events:
    if e["ph"] == "M" and e["name"] == "process_name":
        processes[e["pid"]] = e["args"]["name"]
    elif e["ph"] == "M" and e["name"] == "thread_name":
        threads[e["pid"], e["tid"]] = e["args"]["name"]
of_tasks = {p: int(n.split()[-1]) for p, n in processes.items() if n.startswith("tasks of PE ")}
events = [e for e in events if e["pid"] in of_tasks and e["ph"] != "M"]
slices = [e for e in events if e["ph"] == "X"]
shown = {e["args"]["id"]: e for e in slices}
need(len(shown) == len(slices), "a task twice")
need(set(shown) == set(tasks), "%d tasks of %d, such as %s" % (
    len(shown), len(tasks), sorted(set(shown) ^ set(tasks))[:3]))


def same_time(shown_, recorded):
    return shown_ == (Fraction("%g" % recorded) if digits else Fraction(repr(recorded))) or \
        float(shown_) == (float("%g" % recorded) if digits else recorded)


for id_, task in tasks.items():
    e = shown[id_]
    a = e["args"]
    need(e["cat"] == task["kind"], "kind of %s" % e)
    need(e["name"] == ": ".join(t for t in (task["kind"], task["what"]) if t), "name of %s" % e)
    need(of_tasks[e["pid"]] == task["pe"], "PE of %s" % e)
    track = "%s (LP %d)" % (task["where"], task["lp"]) if task["where"] else "LP %d" % task["lp"]
    need(re.sub(r" #\d+$", "", threads[e["pid"], e["tid"]]) == track, "track of %s" % e)
    need(a.get("parent") == task["parent"], "parent of %s" % e)
    need(a.get("detail", "") == "; ".join(details[id_]), "detail of %s: %s" % (e, details[id_]))
    need(same_time(a["start"], task["start"]), "start of %s" % e)
    need(near(e["ts"], task["start"], unit), "beginning of %s" % e)
    if task["end"] is None:
        need(a.get("open") == 1 and "end" not in a, "%s has not ended" % e)
        need(near(e["ts"] + e["dur"], max(run_end, task["start"]), unit) or
             e["ts"] + e["dur"] >= Fraction(run_end) * unit * 10**6, "end of the open %s" % e)
    else:
        need("open" not in a and same_time(a["end"], task["end"]), "%s has ended" % e)
        need(near(e["ts"] + e["dur"], task["end"], unit), "end of %s" % e)

# ---- Slices of a track nest, and what contains another is its parent
tracks = collections.defaultdict(list)
for number, e in enumerate(slices):
    e["number"] = number
    tracks[e["pid"], e["tid"]].append(e)
nested = set()
for track, list_ in tracks.items():
    for e, around in nest(list_):
        if around:
            need(around[-1]["args"]["id"] == e["args"].get("parent"), "not the parent of %s" % e)
            nested.add(e["args"]["id"])
names = list(threads[t] for t in tracks)
need(digits or len(set((t[0], n) for t, n in zip(tracks, names))) == len(names), "two tracks of one name")

# ---- Steps
found = collections.Counter()
for e in events:
    if e["ph"] == "i":
        task = shown[e["args"]["task"]]
        need((e["pid"], e["tid"]) == (task["pid"], task["tid"]), "track of %s" % e)
        need(e["ts"] >= task["ts"], "%s is before its task" % e)
        found[e["args"]["task"], e["name"]] += 1
wanted = collections.Counter()
for (id_, name, at), n in steps.items():
    wanted[id_, name] += n
need(found == wanted, "steps: %s" % list(((found - wanted) + (wanted - found)).items())[:3])
times = collections.defaultdict(list)
for e in events:
    if e["ph"] == "i":
        times[e["args"]["task"], e["name"]].append(e["ts"])
for (id_, name, at), n in steps.items():
    need(sum(near(t, max(at, tasks[id_]["start"]), unit) for t in times[id_, name]) >= n,
         "time of step %s of %s" % (name, id_))

# ---- Flows: each child that is on another track than its parent is led to from there, or from the
# child before it if that has ended
flows = flows_read(events)
at = by_place(slices)
led = collections.Counter()
across = 0
for number, (s, f) in flows.items():
    pairs = [(a, b) for a in at[s["pid"], s["tid"], s["ts"]] for b in at[f["pid"], f["tid"], f["ts"]]
             if b.get("parent") is not None and
             (a["id"] == b["parent"] or a.get("parent") == b["parent"])]
    need(pairs, "flow %s connects no family: %s" % (number, (s, f)))
    led[f["pid"], f["tid"], f["ts"]] += 1
    across += s["pid"] != f["pid"]
children = collections.Counter()
for id_, task in tasks.items():
    parent = tasks.get(task["parent"])
    if parent is not None and id_ not in nested and shown[task["parent"]]["ts"] <= shown[id_]["ts"]:
        e = shown[id_]
        children[e["pid"], e["tid"], e["ts"]] += 1
need(not children - led, "children that no flow leads to: %s" % list((children - led).items())[:3])
print("tasks=%d open_tasks=%d nested=%d steps=%d task_flows=%d across=%d tracks=%d" % (
    len(slices), sum(t["end"] is None for t in tasks.values()), len(nested), sum(found.values()),
    len(flows), across, len(tracks)))
