# SPDX-License-Identifier: BSD-3-Clause
"""Documents as "warpscope report" writes them, with numbers that can be foretold: in the first half of the run
everything happens on PE 0, 1000 events a second; in the second half on PE 1, 3000 events a second."""

HOSTILE = "</script><img src=x onerror=\"window.hit = 1\"><b>'&amp;\u202eevil\u0007"
LONG = "a_very_long_name_without_any_place_to_break_it_" * 4


def rows(first, second, bins=240):
    return [first] * (bins // 2) + [second] * (bins - bins // 2)


def series(name, words, unit, values, counter=None):
    return {"name": name, "words": words, "unit": unit, "values": values, **({"counter": counter} if counter else {})}


def spread(cells, bins=60):
    """A distribution over time with one value in each step: cells are (step, bar, count, value)."""
    values = {step: (count, value) for step, _, count, value in cells}
    each = [values.get(step, (0, None)) for step in range(bins)]
    return {"over_time": [[step, bar, count] for step, bar, count, _ in cells], "lows": [one[1] for one in each], "highs": [one[1] for one in each],
            "sums": [None if one[1] is None else one[0] * one[1] for one in each]}


def full_run(name="stats-output", odd=None):
    """A run of 10 s and 100 units of virtual time with everything recorded. odd: a name to use in all places."""
    router = odd or "router"
    wall = [series("committed", "Events committed", "events/s", rows(1000, 3000), "events_committed"),
            series("executed", "Events executed", "events/s", rows(1000, 3500)),
            series("undone", "Events undone", "events/s", rows(0, 500), "events_rolled_back"),
            series("efficiency", "Efficiency", "%", rows(100, 80)),
            series("queue", odd or "Pending events", "events", [None] * 10 + [5] * 230)]
    virtual = [series("committed", "Events committed", "events/unit of virtual time", rows(100, 300)),
               series("efficiency", "Efficiency", "%", rows(100, 80))]
    halves = [*range(60)]
    return {
        "name": odd or name, "path": "/data/" + name, "complete": True, "problems": [],
        "facts": [["command", "mpirun -n 2 phold --end=100 " + (odd or "")], ["ranks", "2"], [odd or "host", odd or "n1"]],
        "model": odd or "phold", "scheduler": "optimistic", "ranks": 2, "lps": 64, "end_words": "reached the end time",
        "end_gvt": 100, "wall_seconds": 10,
        "counters": [{"name": "events_committed", "words": "Events committed", "value": 20000, "unit": "events"},
                     {"name": "events_processed", "words": "Events executed", "value": 22500, "unit": "events"},
                     {"name": "events_rolled_back", "words": "Events undone", "value": 2500, "unit": "events"},
                     {"name": "efficiency", "words": "Efficiency", "value": 87.5, "unit": "%"},
                     {"name": "total_rollbacks", "words": odd or "Rollbacks", "value": 360, "unit": "rollbacks"}],
        "findings": [{"rule": "rollback-kp", "weight": 0.61, "text": odd or "KP 1 of PE 1 takes part in 61 % of all rollbacks.",
                      "advice": odd or "Divide its LPs: --nkp=64", "view": "rollbacks"},
                     {"rule": "gvt-wait", "weight": 0.3, "text": "PE 1 waits.", "advice": "--gvt-interval=512", "view": "phases", "wall": [2.51, 4.99]}],
        "absent": [], "bins": 240, "cell_bins": 60, "wall": [0, 10], "virtual": [0, 100],
        "clock": [100 * edge / 240 for edge in range(241)], "resolution": "240 steps of 41.7 ms wall clock",
        "series": {"wall": wall, "virtual": virtual},
        "phases": {"pes": [0, 1], "names": ["execute", "gvt", "rest"], "words": [odd or "executing events", "computing GVT", "the rest: waiting"],
                   "seconds": [[4, 1, 5], [2, 2, 6]], "lost": [12.5, 0.25],
                   "wall": [[rows(2 / 15, 0, 60), rows(0, 1 / 30, 60), rows(1 / 30, 2 / 15, 60)],
                            [rows(0, 1 / 15, 60), rows(1 / 15, 0, 60), rows(0.1, 0.1, 60)]]},
        "memory": {"wall": [series("events", odd or "Events", "bytes", rows(1e6, 3e6))],
                   "virtual": [series("events", odd or "Events", "bytes", rows(1e6, 3e6))], "pes": [0, 1],
                   "in_use": [rows(1e6, 2e6, 60), rows(2e6, 4e6, 60)], "peak": [rows(2e6, 3e6, 60), rows(3e6, 5e6, 60)],
                   "pe_allocated": [rows(4e6, 6e6, 60), rows(4e6, 8e6, 60)]},
        "ahead": {"kps": [{"pe": pe, "kp": kp} for pe in (0, 1) for kp in range(4)], "unit": "virtual time",
                  "wall": [rows(1 + at, None, 60) for at in range(8)], "virtual": [rows(at, 2 * at, 60) for at in range(8)]},
        "rollbacks": {"from": [{"pe": 0, "kp": None}, {"pe": 1, "kp": None}], "to": [{"pe": 0, "kp": 0}, {"pe": 1, "kp": 1}],
                      "cells": [[at, 0, 0, 2, 20, 0] for at in halves[:30]] + [[at, 1, 1, 10, 30, 4] for at in halves[30:]],
                      "lengths": {"edges": [1, 2, 4, 8, 16], "counts": [10, 200, 100, 50], **spread([(at, 1, 2, 2) for at in halves[:30]])}, "primary": 240, "secondary": 120},
        "traffic": {"pes": [0, 1], "types": [router, "host"],
                    "pe_cells": [[at, 0, 1, 7] for at in halves[:30]] + [[at, 1, 0, 9] for at in halves[30:]],
                    "type_cells": [[at, 0, 0, 7] for at in halves]},
        "allows": {"findings": ["At most 14.83 times as fast; --event-times=1 says more.", "\u202e<b>bold</b>"],
                   "parallelism": [None if at % 50 == 7 else 3 + at % 11 for at in range(240)],
                   "widths": {"edges": [1, 2, 4, 8, 16], "counts": [10, 20, 0, 5]},
                   "critical_paths": [{"weight": "events", "in_order_on": "lp", "latency": 0, "work": 62613, "length": 4223, "speed_up": 14.83},
                                      {"weight": "handler time", "in_order_on": "rank", "latency": 0, "work": 0.04, "length": 0.03, "speed_up": 1.33}],
                   "types": [{"type": "<i>router</i>", "lps": 11, "events": 32131, "path_events": 7, "path_share": 0.25}],
                   "values": [], "lps": [{"lp": 14, "type": "host", "rank": 0, "events": 1620, "path_events": 9, "path_share": 1}],
                   "windows": [{"lookahead": 5e-06, "windows": 596, "events": 105.1, "lps": 30.5, "ones_share": 0, "speed_up": 11.2}]},
        "predicted": {"findings": ["The fastest: 4 optimistic ranks.", "\u202e<b>bold</b>"],
                      "predictions": [{"ranks": n, "scheduler": who, "seconds": 1 / n, "least": 0.9 / n, "most": 1.1 / n, "speed_up": n,
                                       "efficiency": 0.9, "limit": "events"}
                                      for n, who in ((1, "sequential"), (2, "optimistic"), (2, "conservative"), (4, "optimistic"))],
                      "counts": [{"ranks": 2, "scheduler": "optimistic", "undone": 7, "undone_least": 5, "undone_most": 9, "rollbacks": 2,
                                  "remote": 11, "resent": 1, "rounds": 3, "reductions": 6, "events_most": 4, "bytes_per_rank": 480}],
                      "times": [{"ranks": 2, "scheduler": "optimistic", "events": 0.5, "undone": 0.1, "messages": 0.1, "gvt": 0.1,
                                 "waiting": 0.2}]},
        "offsets": {"edges": [0.001 * 2 ** at for at in range(12)], "counts": [at * 100 for at in range(11)], "unit": "virtual time",
                    "least": 0.0011, "mean": 0.5, **spread([(at, 10, 10, 1.5) for at in halves[30:]])},
        "model_fields": [{"type": router, "field": "backlog", "words": "", "unit": "packets", "measure": "level", "values": rows(3, 6),
                          "low": rows(0, 1), "high": rows(9, 12), "worst": [{"lp": 12, "value": 12.5}, {"lp": 3, "value": 4}]}],
        "tasks": {"kinds": [{"kind": odd or "hop", "what": "Seattle > Denver", "count": 1234, "mean": 0.003, "p90": 0.004, "largest": 0.01,
                             "first": 1024, "bars": 16, **spread([(at, 8, 20, 1.5) for at in halves[:30]])}],
                  "busy": [{"place": odd or "Seattle > Denver", "busy": 0.4, "values": rows(0.2, 0.6)}]},
        "tracers": [{"name": odd or "busy:link", "columns": ["place", "busy"], "rows": [[odd or "a", 0.4]]}],
    }


def document(*runs):
    return {"format": 1, "version": "0.1.0", "made": "2026-11-23T10:00:00Z", "runs": list(runs)}


def comparison(a, b):
    """Two runs, as compared by warpscope stats --against; A was run twice, once without an end."""
    odd = "<b>" + chr(0x202e) + "odd</b>"
    runs = [{"side": side, "path": run["name"], "wall_seconds": run["wall_seconds"], "is_whole": 1, "covers": "the whole run"}
            for side, run in (("A", a), ("B", b))]
    runs.append({"side": "A", "path": odd, "wall_seconds": 99, "is_whole": 0, "covers": "INCOMPLETE"})
    return {**document(a, b), "compare": {
        "findings": ["A: before and 1 more.", "The times of " + odd + " (A) do not count: INCOMPLETE."], "runs": runs,
        "times": [{"time": "wall_seconds", "side": "A", "runs": 1, "median": 10},
                  {"time": "wall_seconds", "side": "B", "runs": 1, "median": 5, "ratio": 0.5, "verdict": "one run each"},
                  {"time": "processor_seconds", "side": "A", "runs": 4, "median": 10, "least": 9, "most": 11},
                  {"time": "processor_seconds", "side": "B", "runs": 4, "median": 5, "least": 4, "most": 6, "ratio": 0.5, "low": 0.4,
                   "high": 0.6, "verdict": "more than noise"}],
        "settings": [{"name": "--nkp", "A": "-", "B": odd}],
        "counts": [{"name": "total_rollbacks", "words": "rollbacks", "A": 360, "B": 720, "ratio_B": 2}],
        "changes": [{"rule": "rollbacks", "text": odd, "A": 0.5, "change_B": "gone"}, {"rule": "gvt-often", "text": "Often", "B": 0.1, "change_B": "new"}]}}


def least_run():
    """Only a summary: nothing was sampled, and the run was killed."""
    run = full_run("least")
    for key in ("series", "phases", "ahead", "rollbacks", "traffic", "offsets", "allows", "predicted", "model_fields", "tasks", "tracers", "memory", "clock", "wall", "virtual"):
        del run[key]
    run.update(complete=False, problems=["The run was killed: its last records are missing."], findings=[], absent=[
        {"view": view, "text": f"Nothing for {view}: --option-{view} records it."} for view in
        ("rates", "phases", "memory", "ahead", "rollbacks", "traffic", "offsets", "allows", "predicted", "model", "tasks", "tracers")])
    return run


def other_run():
    """As the full one in half of the wall clock and with twice the rollbacks, without tasks."""
    run = full_run("after")
    run.update(wall=[0, 5], wall_seconds=5)
    run["counters"][4]["value"] = 720
    del run["tasks"]
    run["absent"] = [{"view": "tasks", "text": "No tasks recorded: --task-trace=1 records them."}]
    return run
