#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""advice.py BUILD [options] - follows "warpscope advise", and compares the gain with what is attainable

Draws cases, runs of a model with a setting of the engine, from a table of settings and models. For each case:
  record   records the run, reads the advice, and makes placements for the search
  search   looks for better settings: one factor at a time, then the best of them together
  turns    the run as it was, the best one found, and the advised one take turns

Prints a table in Markdown. A gain is the median of the ratios of the running times within a turn, above 1 if the run
is faster than as it was; in brackets the 95 % interval of the median (order statistics). The share is the logarithm of
the advised gain divided by that of the attainable gain, the larger one of those of the best run and the advised one.

Options
  --seed=N         of the draw (1)                --seconds=S    aimed at for the run as it was (0.3)
  --cases=N        number of cases (30)           --turns=N      (11)
  --after=SEED:N   leaves out the cases that      --settings=N   most settings that the search tries (30)
                   this seed and number draw      --keep=DIR     keeps results: a run that was ended goes on
  --only=LIST      numbers of cases, such as 3,17 --list         prints the cases and ends
  --reread         reads the advice anew from kept recordings (recorded anew where they were removed), and makes the
                   turns again only where it differs
  --time=processor compares the processor time of the busiest rank, if other programs use the machine (wall)

The launcher is BUILD/mpirun, or MPIEXEC.
"""
import itertools
import json
import math
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

# Models: program, number of LPs, LPs that stay together in a random placement, a typical offset of an event, an end
# time for the first run, and options. {N} stands for N divided by the number of ranks.
MODELS = {
    "phold": [
        ("phold", 1024, 1, 1.0, 100, "--nlp={1024} --lookahead=0.1 --remote=0.1"),
        ("phold", 1024, 1, 1.0, 100, "--nlp={1024} --lookahead=0.1 --remote=0.6"),
        ("phold", 128, 1, 1.0, 200, "--nlp={128} --lookahead=0.1 --remote=0.5 --work=2000"),
        ("phold", 128, 1, 1.0, 100, "--nlp={128} --lookahead=0.1 --hot-lps=16 --work=5000"),
        ("phold", 4096, 1, 1.0, 30, "--nlp={4096} --lookahead=0.1 --remote=0.02 --work=300"),
    ],
    "qnet": [
        ("qnet", 2000, 4, 1.0, 300, "--network=open3 --copies=500 --cross=0.05"),
        ("qnet", 400, 4, 1.0, 1000, "--network=open3 --copies=100 --cross=0.5"),
        ("qnet", 400, 4, 1.0, 1000, "--network=central --copies=100"),
    ],
    "netsim": [
        ("netsim", 33, 3, 1e-5, 0.01, "--load=0.6"),
        ("netsim", 99, 9, 1e-5, 0.01, "--load=0.3 --hosts=8"),
    ],
    "torus": [
        ("torus", 512, 2, 32.0, 2000, "--dims=8x8x4"),
        ("torus", 4000, 2, 32.0, 1000, "--dims=20x20x5 --rate=0.1"),
        ("torus", 512, 2, 32.0, 3000, "--dims=16x16 --pattern=tornado"),
    ],
    "pcs": [
        ("pcs", 256, 1, 1.0, 50, ""),
        ("pcs", 1024, 1, 1.0, 20, "--width=32 --height=32 --phones=10 --stay=20"),
    ],
    "airport": [
        ("airport", 64, 1, 20.0, 20000, ""),
        ("airport", 1024, 1, 20.0, 3000, "--airports=1024 --planes=4 --leg=5"),
    ],
    "agents": [
        ("agents", 1024, 1, 1.0, 60, "--width=32 --height=32 --agents=4 --growth=4 --overgrazed=0"),
        ("agents", 3600, 1, 1.0, 20, "--width=60 --height=60 --agents=8 --growth=4 --overgrazed=0"),
    ],
    "clinic": [
        ("bench_clinic", 128, 1, 5.0, 3000, "--hospitals=16"),
        ("bench_clinic", 512, 1, 5.0, 1000, "--hospitals=64 --hot=8"),
        ("bench_clinic", 512, 1, 5.0, 1000, "--hospitals=64 --desk-work=3000 --walk=0.01"),
    ],
}
# Settings: ranks, and options of the engine. LOOKAHEAD is a tenth of the typical offset, MAP a random placement.
SETTINGS = {
    "plain": (2, "--synch=3"),
    "one rank": (1, "--synch=1"),
    "optimistic on one rank": (1, "--synch=3"),
    "conservative": (2, "--synch=2"),
    "one KP": (2, "--synch=3 --nkp=1"),
    "many KPs": (2, "--synch=3 --nkp=256"),
    "short interval": (2, "--synch=3 --gvt-interval=1"),
    "short interval and batch": (2, "--synch=3 --gvt-interval=1 --batch=1"),
    "long interval": (2, "--synch=3 --gvt-interval=5000"),
    "large batch": (2, "--synch=3 --batch=4096"),
    "small bound": (2, "--synch=3 --max-opt-lookahead=LOOKAHEAD"),
    "small bound, one KP": (2, "--synch=3 --max-opt-lookahead=LOOKAHEAD --nkp=1"),
    "random placement": (2, "--synch=3 --lp-map=MAP"),
    "random placement, short interval": (2, "--synch=3 --lp-map=MAP --gvt-interval=4"),
    "random rollbacks": (2, "--synch=3 --random-rollbacks=2"),
}
PARALLEL = ["nkp", "batch", "gvt-interval", "max-opt-lookahead", "lp-map", "random-rollbacks"]
CLEARLY = 1.03  # a factor is worth a combination if it is faster by this ratio


class Failure(Exception):
    """What ends the program with a message."""


def draw(seed, n, without=()):
    """Cases by seed: each model and each setting is drawn as often as any other, give or take one."""
    rng = random.Random(seed)
    taken, cases, decks = set(without), [], {}

    def deal(deck, values):
        if not decks.get(deck):
            decks[deck] = rng.sample(values, len(values))
        return decks[deck].pop()

    for _ in range(100 * n):
        if len(cases) == n:
            return cases
        model = deal("models", sorted(MODELS))
        case = (model, deal(model, list(range(len(MODELS[model])))), deal("settings", sorted(SETTINGS)))
        if case not in taken:
            taken.add(case)
            cases.append(case)
    raise Failure("the table has too few cases")


def split(options):
    """Options as a dictionary; of equal ones the last counts, as for the engine."""
    return dict(o[2:].split("=", 1) for o in options.split())


class Case:
    """A case, and how to run it. A configuration is a dictionary of options, and of the number of ranks."""

    def __init__(self, arguments, case, folder):
        self.a, self.folder = arguments, folder
        self.model, variant, self.setting = case
        self.program, self.lps, self.together, self.step, self.end, self.options = MODELS[self.model][variant]
        ranks, options = SETTINGS[self.setting]
        options = options.replace("LOOKAHEAD", "%g" % (self.step / 10)).replace("MAP", "random.map")
        self.base = dict(split(options), ranks=ranks)
        self.events = None  # that a run commits
        self.tried = {}     # by text of the configuration: running times, in s
        self.busy = {}      # by text of the configuration: processor times of the busiest rank, in s
        self.recorded = []  # parts of the reports of the recorded runs
        os.makedirs(folder, exist_ok=True)
        if "lp-map" in self.base:
            rng = random.Random(4711)
            with open(os.path.join(folder, "random.map"), "w", encoding="ascii") as out:
                print("warpscope-lp-map 1", file=out)
                for first in range(0, self.lps, self.together):
                    rank = rng.randrange(2)
                    for lp in range(first, min(first + self.together, self.lps)):
                        print(lp, rank, file=out)

    def command(self, config, *more):
        """A placement for two ranks, and options of parallel runs, are left out where they have no meaning."""
        ranks = config["ranks"]
        words = re.sub(r"\{(\d+)\}", lambda m: str(int(m.group(1)) // ranks), self.options).split()
        words += ["--%s=%s" % (k, v) for k, v in config.items() if k != "ranks" and (k != "lp-map" or ranks > 1)]
        launch = [] if ranks == 1 else [self.a["mpirun"], "-n", str(ranks)]
        return launch + [os.path.join(self.a["bin"], self.program), *words, "--end=%.9g" % self.end, "--quiet", *more]

    def run(self, config, *more, limit=60.0):
        """Runs once and returns the running time; infinity if the run fails, or takes longer than limit."""
        report = os.path.join(self.folder, "report.json")
        with open(os.path.join(self.folder, "run.txt"), "w", encoding="utf-8") as out:
            process = subprocess.Popen(self.command(config, "--report-json=report.json", *more), cwd=self.folder,
                                       stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True)
            try:
                status = process.wait(limit + 2.0)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return math.inf
        if status != 0:
            return math.inf
        with open(report, encoding="utf-8") as file:
            found = json.load(file)
        if self.events is not None and found["net_events"] != self.events:
            raise Failure("%s committed %d events instead of %d" % (text(config), found["net_events"], self.events))
        self.events, self.report = found["net_events"], found
        cpu = found["processor"]
        self.busy.setdefault(text(config), []).append(
            max(u + s for u, s in zip(cpu["processor_user_ns"], cpu["processor_system_ns"])) / 1e9)
        return self.busy[text(config)][-1] if self.a["time"] == "processor" else found["run_seconds"]

    def attempt(self, config):
        """Tries a configuration once, unless it was tried, and returns the median of its times. The run is ended when
        it is clearly slower than the best."""
        times = self.tried.get(text(config))
        if times is None:
            if len(self.tried) >= self.a["settings"]:
                return math.inf
            best = min((statistics.median(t) for t in self.tried.values()), default=20.0)
            times = self.tried[text(config)] = [self.run(config, limit=2.0 * best * self.a["patience"])]
        return statistics.median(times)

    def size(self):
        """Sets the end time so that the run as it was takes about as long as is aimed at."""
        for _ in range(4):
            self.events = None
            seconds = self.run(self.base)
            if math.isinf(seconds):
                raise Failure("cannot run %s" % " ".join(self.command(self.base)))
            ratio = self.a["seconds"] / max(seconds, 1e-4)
            if 0.6 < ratio < 1.6:
                return
            self.end *= min(max(ratio, 0.02), 20.0)
        self.events = None
        self.run(self.base)

    # ---- Advice ----

    def record(self):
        """Records the run in both ways that the advice asks for, and makes placements for the search."""
        for name, options in (("committed", ["--event-trace=3", "--event-times=1"]), ("causes", ["--event-trace=2"])):
            shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)
            if math.isinf(self.run(self.base, "--stats-path=" + name, *options, limit=120.0)):
                raise Failure("cannot record %s" % text(self.base))
            self.recorded.append({k: self.report[k] for k in ("run_seconds", "phase_seconds", "processor", "counters")})
            if self.base["ranks"] == 1 or self.base["synch"] == "2":
                break  # --event-trace=2 records causes of rollbacks
        for kps, name in ((0, "cut.map"), (16, "cut-kps.map")):
            self.reader("partition", "--ranks=2", "--force", "--kps=%d" % kps, "--output=" + name, "committed")

    def advise(self):
        """What is advised from each recording."""
        return [json.loads(self.reader("advise", "--json", "--force", "--map=%s.map" % name, name))
                for name in ("committed", "causes") if os.path.exists(os.path.join(self.folder, name))]

    def reader(self, *words):
        done = subprocess.run([os.path.join(self.a["bin"], "warpscope"), *words], cwd=self.folder, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise Failure("warpscope %s: %s" % (" ".join(words), done.stderr.decode()))
        return done.stdout.decode()

    def follow(self, found):
        """The configuration advised: the advice on committed events, then what only the other recording tells. One
        rank is advised by itself: other options have no meaning there. Returns the configuration, what was advised,
        and the gain promised: that of the largest share of the time that one of them is expected to save."""
        rows, subjects = [], set()
        for advice in found:
            rows += [row for row in advice["advice"] if row["subject"] not in subjects]
            subjects |= {row["subject"] for row in advice["advice"] + advice["unchanged"]}
        alone = [row for row in rows if row.get("launcher") == "-n 1"][:1]
        config, said, saved = dict(self.base), [], 0.0
        for row in alone or rows:
            options = row.get("options") or ""
            ranks = re.search(r"-n (\d+)", row.get("launcher") or "")
            if ranks:
                config["ranks"] = int(ranks.group(1))
                said.append(ranks.group(0))
                # The number of ranks comes with a scheduler, in the words of the advice, and with a placement.
                if "--synch" not in options:
                    options += " " + " ".join(re.findall(r"--synch=\d", row["advice"])[:1])
                made = re.search(r"warpscope partition (--ranks=2[^\"]*)", row["advice"])
                if made:
                    self.reader("partition", *made.group(1).split(), "--force", "--output=advised.map", "committed")
                    options += " --lp-map=advised.map"
            config.update(split(options))
            said += options.split()
            saved = max(saved, row.get("weight", 0.0) if options else 0.0)
        if config["synch"] == "1":
            config = {k: v for k, v in config.items() if k not in PARALLEL}  # without effect
        return config, " ".join(said), 1.0 / (1.0 - min(saved, 0.99))

    # ---- Search ----

    def factors(self, start):
        """Values of each factor that differ from those of start; None: leave the option out."""
        values = {
            "nkp": [None, "1", "4", "64"],
            "batch": [None, "4", "64", "256"],
            "gvt-interval": [None, "16", "64", "1024"],
            "max-opt-lookahead": [None, "%g" % self.step, "%g" % (4 * self.step), "%g" % (16 * self.step)],
            "lp-map": [None, "cut.map"] + ["cut-kps.map"] * (int(start.get("nkp", 16)) >= 16),
            "random-rollbacks": [None],
        }
        for factor in PARALLEL if start["synch"] == "3" else ["batch", "lp-map"]:
            for value in values[factor]:
                if value != start.get(factor):
                    yield factor, value

    def search(self):
        """Returns the best configuration found."""
        base = self.attempt(self.base)
        configs = {text(self.base): self.base}

        def attempt(config):
            configs.setdefault(text(config), config)
            return self.attempt(config)

        attempt({"synch": "1", "ranks": 1})
        others = [{"synch": "2", "ranks": 2}, {"synch": "3", "ranks": 2}]
        for config in others:
            attempt(config)
        start = self.base if self.base["ranks"] == 2 else min(others, key=attempt)
        best = {}
        for factor, value in self.factors(start):
            seconds = attempt(put(start, {factor: value}))
            if seconds < best.get(factor, (math.inf,))[0]:
                best[factor] = (seconds, value)
        good = sorted((s, f, v) for f, (s, v) in best.items() if s * CLEARLY < attempt(start))
        for n in (2, 3, 4, 5):
            for some in itertools.combinations(good[:3] if n == 2 else good[:n], n):
                attempt(put(start, {factor: value for _, factor, value in some}))
        for some in ({"lp-map": "cut.map"}, {"lp-map": "cut-kps.map"}):
            attempt(put({"synch": "3", "ranks": 2}, some))
        finals = sorted(configs.values(), key=attempt)[:4]
        for _ in range(2):
            for config in finals:
                if attempt(config) < base:
                    self.tried[text(config)].append(self.run(config, limit=2.0 * base * self.a["patience"]))
        return min(configs.values(), key=attempt)

    def turns(self, best, advised):
        """Running times of the three configurations, which take turns; of equal ones only one runs."""
        configs = {"base": self.base, "best": best, "advised": advised}
        times = {name: [] for name in configs}
        for turn in range(self.a["turns"]):
            seen = {}
            names = list(configs)
            for name in names[turn % 3:] + names[:turn % 3]:
                key = text(configs[name])
                if key not in seen:
                    seen[key] = self.run(configs[name])
                times[name].append(seen[key])
        return times


def text(config):
    """A configuration in one line."""
    return " ".join(["-n %d" % config["ranks"]] + ["--%s=%s" % (k, config[k]) for k in sorted(config) if k != "ranks"])


def put(config, changes):
    new = dict(config, **changes)
    return {k: v for k, v in new.items() if v is not None}


def interval(values):
    """The median, and the ends of its 95 % interval by order statistics; of few values the least and the greatest."""
    values, n = sorted(values), len(values)
    k = 0
    while 2.0 * sum(math.comb(n, i) for i in range(k + 2)) / 2.0 ** n <= 0.05:
        k += 1
    return [statistics.median(values), values[k], values[n - 1 - k]]


def study(arguments, case, number):
    """All results of a case, as kept. With --reread, what is advised from the kept recordings takes the place of what was
    advised before, and the turns are made again only if it differs."""
    folder = os.path.join(arguments["keep"], "%02d" % number)
    kept = os.path.join(folder, "result.json")
    one = Case(arguments, case, folder)
    result = None
    if os.path.exists(kept):
        with open(kept, encoding="utf-8") as file:
            result = json.load(file)
        if result["case"] == list(case) and not arguments["reread"]:
            return result
    if result is None or result["case"] != list(case):
        for name in ("committed", "causes"):
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
        one.size()
        one.record()
        best = one.search()
        result = {"case": list(case), "model": " ".join([one.program, one.options]), "end": one.end,
                  "events": one.events, "base": text(one.base), "best": text(best), "config": best, "times": {},
                  "tried": one.tried, "busy": one.busy, "recorded": one.recorded}
    one.end, one.events = result["end"], result["events"]
    if not os.path.exists(os.path.join(folder, "committed")):
        one.record()
        result["recorded"] = one.recorded
    advice = one.advise()
    advised, said, promised = one.follow(advice)
    if result.get("advised") != text(advised):
        result["times"] = one.turns(result["config"], advised)
    result.update({"advice": advice, "advised": text(advised), "said": said, "promised": promised})
    for name in ("best", "advised"):
        result[name + "_gain"] = interval([b / t for b, t in zip(result["times"]["base"], result["times"][name])])
    with open(kept + ".new", "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    os.replace(kept + ".new", kept)
    return result


def judge(result):
    """Adds the attainable gain, the share that the advice reaches, and what holds."""
    best, advised = result["best_gain"], result["advised_gain"]
    attainable = result["attainable"] = max(best, advised)
    result["by"] = result["best"] if best >= advised else result["advised"]
    much = attainable[1] >= 1.15
    result["share"] = math.log(advised[0]) / math.log(attainable[0]) if attainable[0] > 1.0 and much else None
    result["reaches"] = result["share"] >= 0.6 if much else advised[0] >= 0.95
    result["slower"] = advised[0] < 0.95
    result["silent"] = not result["said"] and much
    promised = result["promised"]
    result["kept"] = promised is not None and 1 / 1.5 <= promised / advised[0] <= 1.5
    return result


def gain(values):
    return "%.2f (%.2f to %.2f)" % tuple(values)


def row(number, r):
    return "| %d | `%s` | `%s` | %s | %s | %s | %s | `%s` | %s |" % (
        number, r["model"].strip(), r["base"], "`%s`" % r["said"] if r["said"] else "none",
        "%.2f" % r["promised"] if r["promised"] else "", gain(r["advised_gain"]), gain(r["attainable"]), r["by"],
        "%.2f" % r["share"] if r["share"] is not None else "")


def parse(words):
    numbers = {"seed": 1, "cases": 30, "turns": 11, "settings": 30}
    a = dict(numbers, seconds=0.3, time="wall", keep=None, after=None, only=None, list=False, reread=False, build=None)
    for word in words:
        name, _, value = word[2:].partition("=")
        if not word.startswith("--"):
            a["build"] = word
        elif word in ("--list", "--reread"):
            a[name] = True
        elif name in a and name not in ("list", "reread", "build") and value:
            a[name] = value
        else:
            raise Failure("no such option: %s\n\n%s" % (word, __doc__))
    try:
        a.update({name: int(a[name]) for name in numbers})
        a["seconds"] = float(a["seconds"])
        a["only"] = a["only"] and [int(n) for n in a["only"].split(",")]
        a["after"] = a["after"] and [int(n) for n in a["after"].split(":", 1)]
    except ValueError as error:
        raise Failure("%s\n\n%s" % (error, __doc__)) from error
    if a["build"] is None:
        raise Failure(__doc__)
    a["patience"] = 1 if a["time"] == "wall" else 20  # running time in units of what is compared
    if a["time"] not in ("wall", "processor"):
        raise Failure("--time=wall or --time=processor")
    a["bin"] = os.path.abspath(os.path.join(a["build"], "bin"))
    a["mpirun"] = os.environ.get("MPIEXEC") or os.path.abspath(os.path.join(a["build"], "mpirun"))
    return a


def bench(a):
    cases = draw(a["seed"], a["cases"], draw(*a["after"]) if a["after"] else ())
    print("seed %d, %d cases; %d turns\n" % (a["seed"], a["cases"], a["turns"]))
    if a["list"]:
        for number, case in enumerate(cases, 1):
            print("%2d  %-8s %d  %s" % ((number,) + case))
        return
    print("| case | model | run as it was | advised | promised | gain of the advice | attainable | by | share |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    results = []
    for number, case in enumerate(cases, 1):
        if not a["only"] or number in a["only"]:
            try:
                results.append(judge(study(a, case, number)))
                print(row(number, results[-1]), flush=True)
            except Failure as failure:  # the other cases go on
                print("case %d: %s" % (number, failure), file=sys.stderr, flush=True)

    def count(name):
        return sum(bool(r[name]) for r in results)

    print("\nOf %d cases, %d reach 0.6 of the attainable gain, %d are slower than 0.95, %d promise a gain within a "
          "factor of 1.5 of the measured one; in %d there is no advice, and a gain of 1.15 or more is attainable."
          % (len(results), count("reaches"), count("slower"), count("kept"), count("silent")))


def main():
    try:
        a = parse(sys.argv[1:])
        if a["keep"]:
            os.makedirs(a["keep"], exist_ok=True)
            bench(a)
        else:
            with tempfile.TemporaryDirectory() as a["keep"]:
                bench(a)
    except Failure as failure:
        sys.exit("advice.py: %s" % failure if str(failure) != __doc__ else __doc__)


if __name__ == "__main__":
    main()
