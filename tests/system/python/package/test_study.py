# SPDX-License-Identifier: BSD-3-Clause
"""Studies: plans, what they collect, running and going on, and the statistics against tables, closed forms and scipy."""

import json
import math
import os
import shutil
import unittest

import numpy as np

import support
import warpscope
import warpscope.study
from study_models import mm1_delays
from warpscope.study import PlanError, statistics

try:
    import scipy.stats
except ImportError:
    scipy = None

# A stand-in for a simulation: notes that it ran, and prints a number that depends on its arguments.
PROGRAM = """#!/bin/sh
echo "$@" >>"$RUNS_LOG"
case $2 in fail) echo "no such load" >&2; exit 3 ;; slow) sleep 30 ;; esac
echo "result: $(($1 * 7 % 5)).5"
"""


def plan_of(**more):
    """Return a plan that the stand-in can run."""
    return {"command": ["./stand-in", "{replication}", "{load}", "{report}"], "parameters": {"load": ["a", "b"]},
            "replications": 3, "collect": {"result": {"line": "result"}}, **more}


class Statistics(unittest.TestCase):
    def test_t(self):
        for p, df, value in ((0.975, 1, 12.7062), (0.975, 9, 2.2622), (0.95, 29, 1.6991), (0.995, 4, 4.6041)):
            self.assertAlmostEqual(statistics.t_quantile(p, df), value, places=4)
            self.assertAlmostEqual(statistics.t_quantile(1 - p, df), -value, places=4)

    @unittest.skipIf(scipy is None, "no scipy")
    def test_against_scipy(self):
        for df in (1, 2, 3, 7, 30, 200):
            for p in (0.5, 0.6, 0.9, 0.975, 0.9995):
                self.assertAlmostEqual(statistics.t_quantile(p, df) / (scipy.stats.t.ppf(p, df) or 1),
                                       0 if p == 0.5 else 1, places=8)
        for n, p in ((1, 0.5), (10, 0.3), (100, 0.95)):
            for k in range(-1, n + 1):
                self.assertAlmostEqual(statistics.binomial_probability(k, n, p), scipy.stats.binom.cdf(k, n, p), places=11)
        values = np.random.default_rng(1).normal(size=12)
        low, high = scipy.stats.t.interval(0.9, 11, values.mean(), scipy.stats.sem(values))
        made = statistics.mean(values, 0.9)
        self.assertAlmostEqual(made.low, low)
        self.assertAlmostEqual(made.high, high)
        first, second = values[:6], values[6:]
        made = statistics.paired(first, second)
        p = scipy.stats.ttest_rel(first, second).pvalue
        self.assertEqual(made.low <= 0 <= made.high, p >= 0.05)

    def test_selection_constants(self):
        # Law, "Simulation Modeling and Analysis", table 10.11 (for two systems both procedures have the same constant).
        for n0, probability, h in ((20, 0.95, 2.453), (40, 0.95, 2.386), (20, 0.90, 1.896), (40, 0.90, 1.852)):
            self.assertAlmostEqual(statistics.rinott_constant(2, n0, probability), h, delta=0.0011)
        # Dunnett, one-sided, 5 %: Hochberg & Tamhane, table 4.
        for k, df, d in ((1, 10, 1.81), (3, 20, 2.19), (4, 30, 2.25)):
            self.assertAlmostEqual(statistics.dunnett_quantile(k, df, 0.95), d, delta=0.006)

    def test_selection(self):
        random = np.random.default_rng(3)
        right, all_true = 0, 0
        for _ in range(60):
            samples = [random.normal(mean, 1, 200) for mean in (0.0, 0.5, 0.6)]
            chosen = statistics.rinott([s[:10] for s in samples], 0.5, 0.95, 10)
            self.assertEqual(chosen.best is None, any(n > 10 for n in chosen.needed))
            right += statistics.rinott([s[:max(n, 10)] for s, n in zip(samples, chosen.needed)], 0.5, 0.95, 10).best == 0
            hsu = statistics.best([s[:30] for s in samples])
            truth = (-0.5, 0.5, 0.6)
            all_true += all(i.low <= t <= i.high for i, t in zip(hsu, truth))
            reverse = statistics.best([-s[:30] for s in samples], largest=True)
            self.assertTrue(all(math.isclose(-a.high, b.low) for a, b in zip(hsu, reverse)))
        self.assertGreaterEqual(right, 54)
        self.assertGreaterEqual(all_true, 54)

    def test_quantile(self):
        made = statistics.quantile(range(1, 101), 0.5)
        self.assertEqual((made.low, made.estimate, made.high, made.n), (40, 50.5, 61, 100))
        self.assertEqual(statistics.quantile([1, 2, 3], 0.5).low, -math.inf)

    def test_too_few(self):
        self.assertTrue(math.isnan(statistics.mean([3.0]).low))
        for wrong in (lambda: statistics.mean([]), lambda: statistics.paired([1], [2]), lambda: statistics.paired([1, 2], [2]),
                      lambda: statistics.batch_means([1.0] * 30), lambda: statistics.mean([1, math.nan]),
                      lambda: statistics.mser([1] * 19), lambda: statistics.best([[1, 2], [1, 2, 3]])):
            self.assertRaises(ValueError, wrong)

    def test_batches(self):
        random = np.random.default_rng(5)
        noise = random.normal(size=20000)
        self.assertTrue(statistics.batch_means(noise).independent)
        walk = np.zeros(2000)
        for i in range(1, len(walk)):
            walk[i] = 0.99 * walk[i - 1] + noise[i]
        made = statistics.batch_means(walk)
        self.assertFalse(made.independent)
        self.assertGreater(made.correlation, 0.3)
        self.assertEqual((made.interval.n, made.size), (20, 100))

    def test_warm_up(self):
        random = np.random.default_rng(6)
        series = random.normal(size=1000) + 20 * np.exp(-np.arange(1000) / 30)
        made = statistics.mser(series)
        means = series.reshape(200, 5).mean(axis=1)
        naive = [means[d:].var() / (200 - d) for d in range(101)]
        self.assertEqual(made.cut, 5 * int(np.argmin(naive)))
        np.testing.assert_allclose(made.curve, naive, rtol=1e-9, atol=1e-12)
        self.assertTrue(made.reliable and 60 < made.cut < 300)
        self.assertFalse(statistics.mser(np.arange(100.0)).reliable)

    def test_coverage(self):
        """50 studies of ten M/M/1 queues each: their intervals have the exact mean delay as often as they should."""
        covered = 0
        for study in range(50):
            delays = [mm1_delays(0.5, 2000, 1000 * study + r)[500:].mean() for r in range(10)]
            made = statistics.mean(delays)
            covered += made.low <= 1.0 <= made.high
        self.assertTrue(42 <= covered <= 50, covered)  # the 99.9 % range of the binomial

    def test_enough(self):
        self.assertFalse(statistics.enough([1.0] * 9, 0.1))
        self.assertTrue(statistics.enough([1.0, 1.01] * 6, 0.1))
        self.assertFalse(statistics.enough([1.0, 3.0] * 6, 0.1))


class Plans(unittest.TestCase):
    def refused(self, text, **more):
        given = plan_of(**more)
        with self.assertRaises(PlanError) as caught:
            warpscope.study.of({k: v for k, v in given.items() if v is not None})
        self.assertIn(text, str(caught.exception))

    def setUp(self):
        with open("stand-in", "w") as file:
            file.write(PROGRAM)
        os.chmod("stand-in", 0o755)

    def test_refused(self):
        self.refused("unknown key 'replication'; did you mean replications?", replication=3)
        self.refused("{size} has no values", command=["./stand-in", "{load}", "{size}"])
        self.refused("load: neither the command nor a file", command=["./stand-in"])
        self.refused("there is no program ./gone", command=["./gone", "{load}"])
        self.refused("no shell reads it", command="./stand-in {load}")
        self.refused("has no values", parameters={"load": []})
        self.refused("either step or count", parameters={"load": {"from": 1, "to": 2}})
        self.refused("do not lead", parameters={"load": {"from": 1, "to": 2, "step": -1}})
        self.refused("at least 1", replications=0)
        self.refused("at most 32767", replications=40000)
        self.refused("collect: must map", collect=None)
        self.refused("'results' is not collected; did you mean result?", until={"value": "results", "within": 0.1})
        self.refused("case 2 must have the names", parameters=None, cases=[{"load": 1}, {"size": 2}])
        self.refused("files: 'a/b'", files={"a/b": ""})
        self.refused("ranks: must be a number", ranks="{load}")
        self.refused("ranks: must be a number", ranks="\u00b2")
        self.refused("recording: must name", recording=".")
        self.refused("recording: must name", recording="report.json")
        self.refused("is not collected", until={"value": ["result"], "within": 0.1})
        self.refused("replications: must be", replications=10 ** 400)
        self.refused("name: must be", name="../x")
        self.refused("differ only in capitals", collect={"Load": {"line": "result"}})

    def test_expressions(self):
        for text in ("__import__('os').system('true')", "event.hops", "mean(event.hops", "mean(event.hops).real", "1 + 2",
                     "mean(lambda: 1)", "mean(event.hops + model.sent)", "quantile(event.hops, 2)", "sum(event.hops ** 2)",
                     "mean(event.hops if 1 else 2)", "open('x')", "max(x for x in event.hops)", "mean(event['hops'])",
                     "True + mean(event.hops)", "mean(event.a.b)", "f'{mean(event.hops)}'", "count(event.hops, 1)"):
            self.refused("collect.x: ", collect={"x": text})
        self.refused("too large", collect={"x": "mean(event.hops) + " + "9" * 400})
        self.refused("has at most", collect={"x": "1+" * 9000 + "1"})

    def test_cases(self):
        plan = warpscope.study.of(plan_of(parameters={"load": {"from": 0.1, "to": 0.3, "step": 0.1}, "n": {"from": 1, "to": 100,
                                                      "count": 3, "scale": "log"}}, command=["./stand-in", "{load}", "{n}"]))
        self.assertEqual([tuple(c.values.values()) for c in plan.cases],
                         [(a, b) for a in (0.1, 0.2, 0.3) for b in (1.0, 10.0, 100.0)])
        self.assertEqual(len({case.key for case in plan.cases}), 9)
        argv = plan.argv(plan.cases[3], 7, "report.json")
        self.assertEqual(argv[1:], ["--replication=7", "--report-json=report.json", "0.2", "1"])
        plan = warpscope.study.of(plan_of(parameters={"load": {"from": 5, "to": 15}}, samples=20, seed=4))
        self.assertEqual(sorted(int((c.values["load"] - 5) * 2) for c in plan.cases), list(range(20)))
        plan = warpscope.study.of(plan_of(parameters=None, cases=[{"load": 1, "ranks": 1}, {"load": 1, "ranks": 4}],
                                          ranks="{ranks}", command=["./stand-in", "{load}"]) | {"parameters": {}})
        self.assertEqual(plan.argv(plan.cases[1], 1, "r")[:3], ["mpirun", "-n", "4"])

    def test_toml(self):
        text = 'command = ["./stand-in", "{load}"]\n[parameters]\nload = [1]\n[collect]\nx = {line = "result"}\n'
        with open("plan.toml", "w") as file:
            file.write(text)
        try:
            self.assertEqual(warpscope.study.load("plan.toml").name, "plan")
        except PlanError as error:
            self.assertIn("need Python 3.11 or the package tomli", str(error))


class Collecting(unittest.TestCase):
    """Values of expressions are those of numpy on the arrays of the recording."""

    def value(self, given):
        from warpscope.study._values import collected_of, value_of

        def none():
            raise AssertionError
        with warpscope.open("stats-output") as run:
            return value_of(collected_of("x", given), lambda: run, none, none)

    def test_values(self):
        with warpscope.open("stats-output") as run:
            hops, delay = run.events["hops"].compressed(), run.events["recv_ts"] - run.events["send_ts"]
            sent = run.model["sent"].compressed()
        for text, expected in (("mean(event.hops)", hops.mean()), ("sum(event.hops > 0)", (hops > 0).sum()),
                               ("count(events)", 12130), ("count(event.hops != 0)", (hops != 0).sum()),
                               ("max(event.recv_ts - event.send_ts)", delay.max()),
                               ("quantile(model.sent, 0.9) / 2", np.quantile(sent, 0.9) / 2),
                               ("-min(model.sent) + 2 * 3", 6 - sent.min()),
                               ("count(event) > 3", 1.0)):
            self.assertAlmostEqual(self.value(text), float(expected), places=9, msg=text)
        self.assertEqual(self.value({"expression": "count(event)", "since": 0.0005, "lps": "router*"}), 978)

    def test_missing(self):
        from warpscope.study import ValueMissing
        for text, words in (("mean(rollback.undone)", "--event-trace=2"), ("mean(event.nothing)", "no field nothing"),
                            ("mean(event.lp_type)", "is a text"), ("1 / (count(event) - 12130)", "collect.x: ")):
            with self.assertRaises(ValueMissing) as caught:
                self.value(text)
            self.assertIn(words, str(caught.exception))

    def test_report_and_lines(self):
        from warpscope.study import ValueMissing
        from warpscope.study._values import collected_of, value_of

        def of(given):
            return value_of(collected_of("x", given), None, lambda: '{"a": {"b": [1, 2.5]}, "c": "d"}',
                            lambda: "delay: 3\nmean delay = -1.5e-3 s\n")
        self.assertEqual(of({"report": "a.b.1"}), 2.5)
        self.assertEqual(of({"line": "delay"}), -1.5e-3)
        for text, line in (("dropped\n42", "dropped"), ("dropped 1,234", "dropped"), ("delay: 5\ndelay: nan", "delay"),
                           ("maxdelay 7", "delay")):
            with self.assertRaises(ValueMissing, msg=text):
                value_of(collected_of("x", {"line": line}), None, None, lambda: text)
        for given in ({"report": "a.x"}, {"report": "c"}, {"line": "loss"}):
            self.assertRaises(ValueMissing, of, given)


class Running(unittest.TestCase):
    def setUp(self):
        Plans.setUp(self)
        shutil.rmtree("study", ignore_errors=True)
        os.environ["RUNS_LOG"] = os.path.abspath("runs.log")
        open("runs.log", "w").close()

    def ran(self):
        """Return the commands that ran since the last call, in order."""
        with open("runs.log") as file:
            lines = sorted(line.rsplit(" ", 1)[0] for line in file.read().splitlines())
        open("runs.log", "w").close()
        return lines

    def run_study(self, **more):
        options = {name: more.pop(name) for name in ("retry", "only", "processors") if name in more}
        return warpscope.study.run(plan_of(**more), "study", **options)

    def test_goes_on(self):
        study = self.run_study()
        self.assertEqual(len(self.ran()), 6)
        self.assertEqual(study.values(study.cases[1], "result"), [2.5, 4.5, 1.5])
        self.assertAlmostEqual(study.interval(study.cases[0], "result").estimate, 8.5 / 3)
        self.run_study()
        self.assertEqual(self.ran(), [])
        self.run_study(replications=4, parameters={"load": ["b", "c"]})
        self.assertEqual(self.ran(), ["1 c", "2 c", "3 c", "4 b", "4 c"])
        self.run_study(collect={"result": {"line": "result"}, "again": {"line": "result"}})
        self.assertEqual(self.ran(), [])  # collected from what was kept
        with open("stand-in", "a") as file:
            file.write("# another program\n")
        self.run_study(parameters={"load": ["a"]})
        self.assertEqual(len(self.ran()), 3)
        shutil.rmtree(os.path.join("study", "runs", study.cases[0].key, "0002"))
        self.run_study(parameters={"load": ["a"]})
        self.assertEqual(self.ran(), ["2 a"])

    def test_failures(self):
        study = self.run_study(parameters={"load": ["a", "fail"]})
        self.assertEqual([r.status for r in study.all_results()], ["ok"] * 3 + ["failed"] * 3)
        self.assertEqual(study.values(study.cases[1], "result"), [])
        self.assertIn("status 3: no such load", study.remarks()[0])
        self.assertEqual(len(self.ran()), 6)
        self.run_study(parameters={"load": ["a", "fail"]})
        self.assertEqual(self.ran(), [])
        self.run_study(parameters={"load": ["a", "fail"]}, retry=True)
        self.assertEqual(self.ran(), ["1 fail", "2 fail", "3 fail"])
        study = self.run_study(parameters={"load": ["slow"]}, replications=1, time_limit=0.2)
        self.assertEqual([r.status for r in study.all_results()], ["timeout"])
        study = self.run_study(collect={"x": "mean(event.hops)"})
        self.assertEqual({r.status for r in study.all_results()}, {"missing"})

    def test_equal_results(self):
        study = self.run_study(command=["./stand-in", "1", "{load}", "{report}", "{replication}"])
        self.assertIn("all replications of load=a and 1 more cases have equal results", study.remarks()[0])

    def test_until(self):
        study = self.run_study(parameters={"load": ["a"]}, replications=10, until={"value": "result", "within": 0.2, "most": 60})
        n = len(study.results(study.cases[0]))
        values = study.values(study.cases[0], "result")
        self.assertTrue(10 < n < 60)
        self.assertTrue(statistics.enough(values, 0.2))
        self.assertFalse(statistics.enough(values[:-1], 0.2))
        other = warpscope.study.run(plan_of(parameters={"load": ["a"]}, replications=10, until={
            "value": "result", "within": 0.2, "most": 60}), "study-2", processors=7)
        self.assertEqual(other.values(other.cases[0], "result"), values)  # in whatever order runs end
        shutil.rmtree("study-2")

    def test_one_of_an_array(self):
        self.run_study(only=4)
        self.assertEqual(self.ran(), ["3 a"])
        self.assertRaises(PlanError, self.run_study, only=6)

    def test_files(self):
        plan = plan_of(files={"in.txt": ["load {load}", "{{}}"]}, command=["./stand-in", "{replication}", "x", "{report}"])
        study = warpscope.study.run(plan, "study")
        with open(os.path.join(study.run_directory(study.cases[1], 1), "in.txt")) as file:
            self.assertEqual(file.read(), "load b\n{}\n")

    def test_read_without_the_program(self):
        self.run_study()
        with open("stand-in", "a") as file:
            file.write("# rebuilt\n")
        study = warpscope.study.open("study")
        self.assertEqual(len(list(study.all_results())), 6)
        self.assertIn("6 run(s) were made by another version of the program", study.remarks()[0])
        os.unlink("stand-in")
        self.assertEqual(len(list(warpscope.study.open("study").all_results())), 6)
        self.assertRaises(PlanError, warpscope.study.run, "study")

    def test_inputs_of_the_plan(self):
        plan = plan_of(command=["./stand-in", "{replication}", "{plan}/input", "{load}", "{report}"])
        for text, runs in (("1", 6), ("1", 0), ("2", 6)):
            with open("input", "w") as file:
                file.write(text)
            warpscope.study.run(plan, "study")
            self.assertEqual(len(self.ran()), runs)

    def test_until_gives_up(self):
        study = self.run_study(parameters={"load": ["fail"]}, until={"value": "result", "within": 0.1, "most": 100})
        self.assertLess(len(study.results(study.cases[0])), 10)
        self.assertIn("most runs failed", study.remarks()[0])

    def test_locked(self):
        import fcntl
        self.run_study()
        with open("study/lock", "a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self.assertRaises(warpscope.study.StudyStopped, self.run_study, replications=4)
        self.assertEqual(warpscope.study.open("study").plan.replications, 3)

    def test_not_a_study(self):
        os.makedirs("study")
        open("study/mine", "w").close()
        self.assertRaises(PlanError, self.run_study)
        self.assertRaises(PlanError, warpscope.study.open, "study")

    def test_page(self):
        from warpscope.study.page import page_of, ticks
        study = self.run_study(parameters={"load": ["<b>", "fail"]}, name="<title><script>")
        page = page_of(study)
        self.assertNotIn("<script", page)
        self.assertIn("&lt;b&gt;", page)
        self.assertNotIn("<b>", page)
        self.assertIn("Failed runs (3)", page)
        self.assertEqual(ticks(0.0, 1.0), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])


if __name__ == "__main__":
    support.main()
