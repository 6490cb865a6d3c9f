#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""warp_model.py BUILD [--runs=N] [--work=DIR] STEP... - the model warp beside measured runs of phold

Steps, in the order of their use; each keeps its results in DIR (default warp-model):
  times      costs of events and messages, in ns, from phold on one rank and bench_transport
  measure    runs phold on 1 to 64 ranks of this machine, N (5) times, and keeps the counts
  fit        fits the parameters that no program measures, to the counts on 4 and 8 ranks
  check      prints the counts on 2 to 64 ranks, measured and simulated
  scale      simulates a cluster of up to 16384 ranks; no measured run is involved
  plot       draws the results of check and scale as DIR/*.png (needs matplotlib)

Run it on a machine with fewer cores than ranks: the simulated ranks then share as many cores. Only
counts are compared. Set MPIEXEC to choose a launcher. The step scale takes up to 3 GB of memory.
"""
import concurrent.futures
import itertools
import json
import math
import os
import re
import statistics
import subprocess
import sys

RANKS = [1, 2, 4, 8, 16, 32, 64]
FIT_RANKS = [4, 8]
# A case: options of phold, and the same for warp.
CASES = {
    "adaptive": ("--nlp=1024 --remote=0.1 --lookahead=0.1 --end=40",
                 "--events=1024 --remote=0.1 --lookahead=0.1 --span=40"),
    "remote": ("--nlp=256 --remote=0.5 --lookahead=0.1 --end=80",
               "--events=256 --remote=0.5 --lookahead=0.1 --span=80"),
    "interval": ("--nlp=256 --remote=0.1 --lookahead=0.1 --end=80 --gvt-interval=8",
                 "--events=256 --remote=0.1 --lookahead=0.1 --span=80 --interval=8"),
    "bound": ("--nlp=1024 --remote=0.1 --lookahead=0.1 --end=40 --max-opt-lookahead=1",
              "--events=1024 --remote=0.1 --lookahead=0.1 --span=40 --bound=1"),
}
# Values of the fitted parameters, the most likely first. Other programs of the machine and the
# system's scheduler determine them.
GRID = {
    "slice": [3e5, 1e5, 1e6, 3e6],
    "noise": [0, 1e6, 3e6, 1e7],
    "noise-every": [3e5, 1e6, 3e6],
    "hop": [1e3, 300, 1e4],
    "switch-cost": [3e3, 3e4],
}
# The cluster of the step scale, a core for each rank: assumptions, except for the costs of events.
# With a fixed interval the lead does not grow from a small one, which would dominate short runs.
CLUSTER = ("--event-cost=50 --undo-cost=250 --send-cost=300 --receive-cost=300 --latency=1500"
           " --vote-cost=300 --remote=0.1 --lookahead=0.1 --interval=16 --span=20")
NOISE = "--uneven=0.02 --noise=20000 --noise-every=1000000"
COUNTS = ["committed", "undone", "sent", "antis", "rollbacks", "rounds", "reductions"]
REPORT = {
    "committed": ["net_events"], "undone": ["counters", "events_rolled_back"],
    "antis": ["counters", "anti_sends"], "rollbacks": ["total_rollbacks"],
    "rounds": ["counters", "gvt_rounds"], "reductions": ["counters", "all_reduces"],
}
ROWS = {"committed": "committed", "undone": "undone", "sent": "sent", "antis": "anti-messages",
        "rollbacks": "rollbacks", "rounds": "rounds", "reductions": "reductions",
        "efficiency": "efficiency", "speed": "speed", "time": "time", "held": "held back"}


def run(command, **options):
    return subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          text=True, **options).stdout


class Bench:
    def __init__(self, build, runs, work):
        self.build, self.runs, self.work = build, runs, work
        self.launcher = os.environ.get("MPIEXEC", f"{build}/mpirun").split()
        os.makedirs(work, exist_ok=True)

    def keep(self, name, value):
        with open(f"{self.work}/{name}.json", "w", encoding="utf-8") as file:
            json.dump(value, file, indent=1)

    def kept(self, name):
        try:
            with open(f"{self.work}/{name}.json", encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            sys.exit(f"{self.work}/{name}.json is missing: run the step that writes it first")

    # ---- Measured runs

    def phold(self, ranks, options):
        path = f"{self.work}/report.json"
        command = [f"{self.build}/bin/phold", "--synch=3", "--quiet", f"--report-json={path}"]
        if ranks > 1:
            command = self.launcher + ["-n", str(ranks)] + command
        run(command + options.split(), timeout=300)
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        counts = {}
        for name, keys in REPORT.items():
            value = report
            for key in keys:
                value = value[key]
            counts[name] = value
        counts["sent"] = report["counters"]["network_sends"] - counts["antis"]
        counts["seconds"] = report["run_seconds"]
        return counts

    def processor_seconds(self, end, options):
        """Returns the processor time of phold on one rank, and its counts."""
        before = os.times()
        counts = self.phold(1, f"--nlp=1024 --remote=0.1 --lookahead=0.1 --end={end} {options}")
        after = os.times()
        return sum(after[2:4]) - sum(before[2:4]), counts

    def cost(self, options):
        """Returns the processor seconds between a short and a long run, and counts of that part.
        The least of several is the best estimate: other work on the machine only adds."""
        parts = []
        for _ in range(self.runs):
            short, first = self.processor_seconds(20, options)
            long, second = self.processor_seconds(420, options)
            parts.append(((long - short), {k: second[k] - first[k] for k in COUNTS}))
        return min(parts, key=lambda part: part[0] / part[1]["committed"])

    def times(self):
        seconds, counts = self.cost("")
        event = 1e9 * seconds / counts["committed"]
        seconds, counts = self.cost("--random-rollbacks=2")
        # An undone event is executed, undone, and executed again.
        undo = (1e9 * seconds - (counts["committed"] + counts["undone"]) * event) / counts["undone"]
        text = run(self.launcher + ["-n", "2", f"{self.build}/bin/bench_transport"])
        rate = re.search(r"one way +16 +[\d.]+ +([\d.]+)", text)
        trip = re.search(r"microseconds there and back\n +[\d.]+ +([\d.]+)", text)
        message = 1e3 / float(rate.group(1))
        times = {"event-cost": round(event, 1), "undo-cost": round(max(undo, 0), 1),
                 "send-cost": round(message, 1), "receive-cost": round(message, 1),
                 "latency": round(max(float(trip.group(1)) * 1e3 / 2 - 2 * message, 1), 1)}
        self.keep("times", times)
        print("measured:", " ".join(f"--{k}={v}" for k, v in times.items()))

    def measure(self):
        measured = {}
        for case, (options, _) in CASES.items():
            for ranks in RANKS:
                runs = [self.phold(ranks, options) for _ in range(self.runs)]
                measured[f"{case} {ranks}"] = runs
                undone = statistics.median(r["undone"] / r["committed"] for r in runs)
                print(f"{case:10} {ranks:3} ranks: {100 * undone:6.2f} % undone", flush=True)
                self.keep("measured", measured)

    # ---- Simulated runs

    def warp(self, ranks, options):
        text = run([f"{self.build}/bin/warp", "--synch=1", "--quiet", f"--ranks={ranks}"] + options)
        counts = {}
        for name, row in ROWS.items():
            counts[name] = float(re.search(rf"^  {row} +([\d.e+-]+)", text, re.M).group(1))
        return counts

    def machine(self, fitted):
        """Ranks that share memory vote on boards, which is a tree of one level."""
        options = {**self.kept("times"), **fitted}
        cores = os.cpu_count()
        return [f"--{k}={v}" for k, v in options.items()] + ["--fanout=64", "--prepare=0"], cores

    def simulate(self, case, ranks, fitted):
        options, cores = self.machine(fitted)
        options = options + CASES[case][1].split() + [f"--cores={min(cores, ranks)}"]
        return self.warp(ranks, options)

    def median(self, case, ranks, count):
        return statistics.median(r[count] for r in self.kept("measured")[f"{case} {ranks}"])

    def distance(self, fitted):
        """Mean square of the logarithms of simulated over measured counts."""
        pairs = list(itertools.product(CASES, FIT_RANKS))
        with concurrent.futures.ThreadPoolExecutor(len(pairs)) as pool:
            runs = list(pool.map(lambda pair: self.simulate(*pair, fitted), pairs))
        squares = []
        for (case, ranks), simulated in zip(pairs, runs):
            for count in ["undone", "rollbacks", "rounds"]:
                ratio = (simulated[count] + 10) / (self.median(case, ranks, count) + 10)
                squares.append(math.log(ratio) ** 2)
        return sum(squares) / len(squares)

    def fit(self):
        """Changes one parameter after the other as long as that brings the counts closer."""
        best = {key: values[0] for key, values in GRID.items()}
        least = self.distance(best)
        changed = True
        while changed:
            changed = False
            for key, values in GRID.items():
                for value in values:
                    tried = {**best, key: value}
                    if value != best[key] and (distance := self.distance(tried)) < 0.98 * least:
                        best, least, changed = tried, distance, True
                        print(f"typical factor {math.exp(math.sqrt(least)):.2f}:", best, flush=True)
        self.keep("fitted", best)
        print("fitted:", " ".join(f"--{k}={v:g}" for k, v in best.items()))

    def check(self):
        fitted = self.kept("fitted")
        measured = self.kept("measured")
        rows = []
        for case, ranks in itertools.product(CASES, RANKS[1:]):
            runs = measured[f"{case} {ranks}"]
            rows.append({"case": case, "ranks": ranks,
                         "measured": {c: statistics.median(r[c] for r in runs) for c in COUNTS},
                         "least": {c: min(r[c] for r in runs) for c in COUNTS},
                         "most": {c: max(r[c] for r in runs) for c in COUNTS},
                         "warp": self.simulate(case, ranks, fitted)})
            self.keep("checked", rows)
        self.print_checked()

    def print_checked(self):
        shown = ["sent", "undone", "rollbacks", "rounds"]
        print("median (least to most) of the measured runs, simulated, simulated / measured")
        print(f"{'case':8} {'ranks':>5}" + "".join(f" {c:>22} {'warp':>7}     " for c in shown))
        for row in self.kept("checked"):
            line = f"{row['case']:8} {row['ranks']:5}"
            for c in shown:
                middle = row["measured"][c]
                text = f"{middle:.0f} ({row['least'][c]}-{row['most'][c]})"
                line += f" {text:>22} {row['warp'][c]:7.0f} {row['warp'][c] / max(middle, 1):4.2f}"
            print(line)

    # ---- A cluster

    def scale(self):
        """Each run: the series, the value on its horizontal axis, ranks, and options of warp."""
        runs = []
        for events, cost, most, noise in [(16, 1000, 1 << 14, ""), (256, 50, 1 << 12, ""),
                                          (256, 1000, 1 << 12, ""), (1024, 50, 1 << 10, ""),
                                          (256, 1000, 1 << 14, NOISE)]:
            for exponent in range(0, most.bit_length(), 2):
                name = f"ranks {events} {cost}" + (" noise" if noise else "")
                runs.append((name, 1 << exponent, 1 << exponent,
                             f"--events={events} --event-cost={cost} --bound=4 {noise}"))
        for ranks in [64, 1024, 4096]:
            for bound in [0.1, 0.25, 0.5, 1, 2, 4, 8, 16]:
                runs.append((f"bound {ranks}", bound, ranks,
                             f"--events=256 --bound={bound} {NOISE}"))
        for ranks in [64, 512]:
            for interval in [1, 4, 16, 64, 256]:
                runs.append((f"interval {ranks}", interval, ranks,
                             f"--events=64 --interval={interval} --span=200 {NOISE}"))
        for bound in [0, 2, 8, 32]:
            runs.append(("few 64", bound, 64, f"--events=64 --bound={bound} --span=200 {NOISE}"))
        for latency in [200, 500, 1500, 5000, 20000, 100000]:
            for bound in [1, 4]:
                runs.append((f"latency {bound}", latency, 1024,
                             f"--events=256 --bound={bound} {NOISE} --latency={latency}"))
        for remote in [0.1, 0.5, 1]:
            for bound in [0, 1]:
                for exponent in range(2, 11, 2):
                    runs.append((f"remote {remote} {bound}", 1 << exponent, 1 << exponent,
                                 f"--events=256 --event-cost=1000 --undo-cost=1000"
                                 f" --remote={remote} --bound={bound} {NOISE} --uneven=0.2"))
        runs.sort(key=lambda r: r[2])
        results = {}
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            futures = [pool.submit(self.warp, ranks, CLUSTER.split() + options.split())
                       for _, _, ranks, options in runs]
            for (series, x, ranks, options), future in zip(runs, futures):
                result = {"x": x, "ranks": ranks, "options": options, **future.result()}
                results.setdefault(series, []).append(result)
                print(f"{series:16} {x:9} {ranks:8} ranks: efficiency {result['efficiency']:.4f}"
                      f" speed {result['speed']:.4f} rounds {result['rounds']:.0f}", flush=True)
                self.keep("scaled", results)

    # ---- Pictures

    def plot(self):
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        plt.rcParams.update({"font.size": 9, "axes.grid": True, "grid.alpha": 0.3,
                             "lines.markersize": 4})
        self.plot_check(plt)
        scaled = self.kept("scaled")
        self.plot_ranks(plt, scaled)
        self.plot_settings(plt, scaled)

    def save(self, plt, figure, name):
        figure.tight_layout()
        figure.savefig(f"{self.work}/{name}.png", dpi=80)
        plt.close(figure)

    def plot_check(self, plt):
        figure, axes = plt.subplots(figsize=(6, 4.5))
        for count, colour in zip(["sent", "undone", "rollbacks", "rounds"],
                                 ["tab:blue", "tab:orange", "tab:green", "tab:red"]):
            for fitted in [False, True]:
                rows = [r for r in self.kept("checked") if (r["ranks"] in FIT_RANKS) == fitted]
                middle = [r["measured"][count] for r in rows]
                low = [r["measured"][count] - r["least"][count] for r in rows]
                high = [r["most"][count] - r["measured"][count] for r in rows]
                axes.errorbar(middle, [r["warp"][count] for r in rows], xerr=[low, high], fmt="o",
                              color=colour, markerfacecolor="none" if fitted else colour,
                              elinewidth=0.8, label=None if fitted else count)
        axes.loglog([50, 1e6], [50, 1e6], color="grey", linewidth=0.8)
        axes.set(xlabel="measured: median, least and most of the runs", ylabel="simulated",
                 title="Counts on 2 to 64 ranks; hollow: used for the fit")
        axes.legend()
        self.save(plt, figure, "warp-check")

    @staticmethod
    def draw(axes, rows, value, label, **style):
        axes.semilogx([r["x"] for r in rows], [r[value] for r in rows], marker="o", label=label,
                      **style)

    def plot_ranks(self, plt, scaled):
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
        for series, rows in scaled.items():
            if series.startswith("ranks"):
                _, events, cost, *noise = series.split()
                label = f"{events} events of {cost} ns" + (", noise" if noise else "")
                self.draw(left, rows, "efficiency", label)
                self.draw(right, rows, "speed", label)
        left.set(xlabel="ranks", title="efficiency: 1 - undone / committed")
        right.set(xlabel="ranks", title="speed, of cores that only execute events", ylim=(0, 1))
        right.legend(fontsize=7)
        self.save(plt, figure, "warp-ranks")
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
        for remote, colour in zip([0.1, 0.5, 1], ["tab:blue", "tab:orange", "tab:green"]):
            for bound, style, word in [(0, "-", "adaptive bound"), (1, ":", "bound 1")]:
                rows = scaled[f"remote {remote} {bound}"]
                label = f"remote {remote}, {word}"
                self.draw(left, rows, "efficiency", label, color=colour, linestyle=style)
                self.draw(right, rows, "speed", label, color=colour, linestyle=style)
        left.set(xlabel="ranks, uneven by 20 %", title="efficiency")
        right.set(xlabel="ranks, uneven by 20 %", title="speed", ylim=(0, 1))
        right.legend(fontsize=7)
        self.save(plt, figure, "warp-remote")

    def plot_settings(self, plt, scaled):
        figure, (left, middle, right) = plt.subplots(1, 3, figsize=(10, 3.4))
        for ranks, colour in zip([64, 1024, 4096], ["tab:blue", "tab:orange", "tab:green"]):
            rows = scaled[f"bound {ranks}"]
            self.draw(left, rows, "speed", f"{ranks} ranks", color=colour)
            self.draw(left, rows, "efficiency", None, color=colour, linestyle=":")
        for ranks, colour in zip([64, 512], ["tab:blue", "tab:orange"]):
            rows = [dict(r, x=16 * r["x"]) for r in scaled[f"interval {ranks}"]]
            self.draw(middle, rows, "speed", f"{ranks} ranks", color=colour)
            self.draw(middle, rows, "efficiency", None, color=colour, linestyle=":")
        for bound in [1, 4]:
            self.draw(right, scaled[f"latency {bound}"], "speed", f"bound {bound}")
        left.set(xlabel="optimism bound, mean offsets", title="speed; dotted: efficiency")
        middle.set(xlabel="events between GVT rounds", title="speed; dotted: efficiency")
        right.set(xlabel="latency in ns, 1024 ranks", title="speed")
        for axes in (left, middle, right):
            axes.set_ylim(0, 1.02)
            axes.legend(fontsize=7)
        self.save(plt, figure, "warp-settings")


def main():
    options = {"runs": "5", "work": "warp-model"}
    words = []
    for word in sys.argv[1:]:
        match = re.fullmatch(r"--(runs|work)=(.+)", word)
        if match:
            options[match.group(1)] = match.group(2)
        else:
            words.append(word)
    steps = ["times", "measure", "fit", "check", "scale", "plot"]
    if len(words) < 2 or any(w not in steps for w in words[1:]) or not options["runs"].isdigit():
        sys.exit(__doc__)
    bench = Bench(words[0], int(options["runs"]), options["work"])
    for step in words[1:]:
        getattr(bench, step)()


if __name__ == "__main__":
    main()
