#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""predict.py BUILD [--runs=N] [--work=DIR] [--cases=LIST] [--machine=FILE] STEP... - predictions beside measured runs

Steps, in the order of their use; each keeps its results in DIR (default predict-check):
  record     records each case on one rank, and makes the maps of "warpscope partition"
  measure    runs each case on one rank, and on 2 ranks with the map, N (11) times, without recording
  crowd      runs each case optimistically on 4 to 64 ranks, which share the cores, 3 times
  check      prints what "warpscope predict" says beside the measured runs

On 2 ranks, "check" judges three criteria: the events between ranks are exact; the time is within 15 % of the median;
undone and resent events and GVT computations are within the quartiles, widened by 25 %. On more ranks only counts are
compared. Run "record" and "measure" on a machine that does nothing else. MPIEXEC chooses a launcher.
"""
import json
import os
import re
import statistics
import subprocess
import sys

# Models and their options; {N} stands for N divided by the number of ranks.
CASES = {
    "phold": "phold --nlp={1024} --lookahead=0.1 --remote=0.1 --end=2000",
    "work": "phold --nlp={256} --lookahead=0.1 --remote=0.2 --work=2000 --end=150",
    "netsim": "netsim --end=0.05",
    "qnet": "qnet --network=open3 --copies=500 --cross=0.05 --end=1500",
    "torus": "torus --dims=20x20x5 --end=4000",
    "skewed": "phold --nlp={256} --hot-lps=9 --lookahead=0.1 --work=2000 --end=8000",
}
# The lookahead that a model declares on 2 ranks with the map, where on one rank it declares another.
LOOKAHEADS = {"netsim": "5.0032e-06"}
CROWD = [4, 8, 16, 32, 64]
SCHEDULERS = {"optimistic": "--synch=3", "conservative": "--synch=2"}
COUNTS = {"undone": "events_rolled_back", "resent": "anti_sends", "rounds": "gvt_rounds"}


class Bench:
    def __init__(self, build, options):
        self.build, self.runs, self.work = build, int(options["runs"]), options["work"]
        self.cases = options["cases"].split(",")
        self.machine = [f"--machine={options['machine']}"] if options["machine"] else []
        self.launcher = os.environ.get("MPIEXEC", f"{build}/mpirun").split()
        os.makedirs(self.work, exist_ok=True)

    def keep(self, name, value):
        with open(f"{self.work}/{name}.json", "w", encoding="utf-8") as file:
            json.dump(value, file)

    def kept(self, name):
        try:
            with open(f"{self.work}/{name}.json", encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return {}

    def reader(self, *words):
        return subprocess.run([f"{self.build}/bin/warpscope", *words], check=True, stdout=subprocess.PIPE,
                              text=True).stdout

    def run(self, case, ranks, *options):
        command = re.sub(r"{(\d+)}", lambda match: str(int(match.group(1)) // ranks), CASES[case]).split()
        launcher = self.launcher + ["-n", str(ranks)] if ranks > 1 else []
        path = f"{self.work}/run.json"
        subprocess.run([*launcher, f"{self.build}/bin/{command[0]}", *command[1:], "--quiet",
                        f"--report-json={path}", *options], check=True, stdout=subprocess.DEVNULL, timeout=600)
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        counters = report["counters"]
        return {"seconds": report["run_seconds"], "remote": counters["remote_events"] - counters["anti_sends"],
                **{name: counters[key] for name, key in COUNTS.items()}}

    def record(self):
        for case in self.cases:
            self.run(case, 1, "--synch=1", "--event-trace=3", "--event-times=1", f"--stats-path={self.work}/{case}")
            for ranks in [2] + CROWD:
                self.reader("partition", f"{self.work}/{case}", f"--ranks={ranks}", "--force", "-o",
                            f"{self.work}/{case}.{ranks}.map")

    def measure(self):
        measured = self.kept("measured")
        for case in self.cases:
            measured[f"{case} 1 sequential"] = [self.run(case, 1, "--synch=1") for _ in range(5)]
            for name, synch in SCHEDULERS.items():
                measured[f"{case} 2 {name}"] = [self.run(case, 2, synch, f"--lp-map={self.work}/{case}.2.map")
                                                for _ in range(self.runs)]
            self.keep("measured", measured)

    def crowd(self):
        measured = self.kept("measured")
        for case in self.cases:
            for ranks in CROWD:
                measured[f"{case} {ranks} optimistic"] = [
                    self.run(case, ranks, "--synch=3", f"--lp-map={self.work}/{case}.{ranks}.map") for _ in range(3)]
                self.keep("measured", measured)

    def predictions(self, case, measured):
        """Predictions by ranks and scheduler: on 2 ranks with a core each, on more with the cores of this machine."""
        rows = {}
        crowd = [ranks for ranks in CROWD if f"{case} {ranks} optimistic" in measured]
        lookahead = [f"--lookahead={LOOKAHEADS[case]}"] if case in LOOKAHEADS else []
        for ranks, options in (([2], lookahead), (crowd, [f"--cores={os.cpu_count()}", "--scheduler=optimistic"])):
            if not ranks:
                continue
            report = json.loads(self.reader("predict", f"{self.work}/{case}", "--json", *self.machine, *options,
                                            "--ranks=" + ",".join(map(str, ranks))))
            for row in report["predictions"] + report["counts"]:
                rows.setdefault(f"{case} {row['ranks']} {row['scheduler']}", {}).update(row)
        return rows

    def check(self):
        measured = self.kept("measured")
        print("median (quartiles) of the measured runs / predicted; * within the criterion, ! outside; rows of more "
              "than 2 ranks: counts alone, as ranks share the cores")
        print("| case | ranks | scheduler | time | between ranks | undone | resent | GVTs |\n|---|---|---|---|---|---|---|---|")
        for case in self.cases:
            predicted = self.predictions(case, measured)
            for key, row in predicted.items():
                if key in measured:
                    print("| " + " | ".join(key.split() + self.cells(measured[key], row)) + " |", flush=True)

    def cells(self, runs, row):
        time = statistics.median(run["seconds"] for run in runs)
        factor = row["seconds"] / time
        is_near = "*" if 0.85 <= factor <= 1.15 else "!"
        cells = ["" if row["ranks"] > 2 else f"{time:.3f} s / {row['seconds']:.3f} s {is_near}"]
        if row["scheduler"] == "sequential":
            return cells + [""] * 4
        remote = runs[0]["remote"]
        cells.append(f"{remote:.0f} / {row['remote']} {'*' if remote == row['remote'] else '!'}")
        for name in COUNTS:
            values = sorted(run[name] for run in runs)
            low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
            is_in = 0.75 * low <= row[name] <= 1.25 * high
            range_ = f" [{row['undone_least']}, {row['undone_most']}]" if name == "undone" and middle > 0 else ""
            cells.append(f"{middle:.0f} ({low:.0f}-{high:.0f}) / {row[name]}{range_} {'*' if is_in else '!'}")
        return cells


def main():
    options = {"runs": "11", "work": "predict-check", "cases": ",".join(CASES), "machine": ""}
    words = []
    for word in sys.argv[1:]:
        match = re.fullmatch(r"--(runs|work|cases|machine)=(.+)", word)
        if match:
            options[match.group(1)] = match.group(2)
        else:
            words.append(word)
    steps = ["record", "measure", "crowd", "check"]
    if len(words) < 2 or any(word not in steps for word in words[1:]) or not options["runs"].isdigit():
        sys.exit(__doc__)
    bench = Bench(words[0], options)
    for step in words[1:]:
        getattr(bench, step)()


if __name__ == "__main__":
    main()
