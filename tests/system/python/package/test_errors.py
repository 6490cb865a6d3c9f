# SPDX-License-Identifier: BSD-3-Clause
"""Wrong arguments, closed runs, damaged and vanished files, missing libraries: exceptions with a message."""

import copy
import os
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import support
import warpscope
from warpscope import _plot


def fresh(code, **environment):
    """Run code in another Python. Returns its status and output."""
    done = subprocess.run([sys.executable, "-B", "-W", "error", "-c", code], env={**os.environ, **environment},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout.decode()


class Arguments(unittest.TestCase):
    def test_open(self):
        for path, kind in (("no-such-path", warpscope.PathNotFoundError), ("/dev/null", warpscope.SystemRefusedError),
                           ("layout.c", warpscope.NotRecordsError), (os.sep + "dev", warpscope.NotRecordsError),
                           ("a\0b", warpscope.InvalidArgumentError), ("", warpscope.Error), (None, TypeError),
                           (3.5, TypeError), (b"no-such-path", FileNotFoundError)):
            with self.subTest(path=path):
                with self.assertRaises(kind) as raised:
                    warpscope.open(path)
                self.assertTrue(str(raised.exception))
        self.assertIn("no-such-path", str(self.error(warpscope.open, "no-such-path")))

    @staticmethod
    def error(function, *arguments, **more):
        try:
            function(*arguments, **more)
        except warpscope.Error as error:
            return error
        raise AssertionError("no exception")

    def test_choices(self):
        with warpscope.open("stats-output") as run:
            table = run.events
            for chosen, kind in (
                    (dict(lps=-1), warpscope.InvalidArgumentError), (dict(lps=[]), warpscope.InvalidArgumentError),
                    (dict(lps=1.5), TypeError), (dict(lps=True), TypeError), (dict(lps=[1, None]), TypeError),
                    (dict(lps="3-1"), warpscope.InvalidArgumentError), (dict(lps=""), warpscope.Error),
                    (dict(lps=10**30), warpscope.Error), (dict(lps="a*", types="b"), warpscope.InvalidArgumentError),
                    (dict(pes="x"), warpscope.InvalidArgumentError), (dict(pes=99), warpscope.NotFoundError),
                    (dict(kps="0,,1"), warpscope.InvalidArgumentError), (dict(types=3), TypeError),
                    (dict(types="nothing"), warpscope.NotFoundError), (dict(types=[]), warpscope.InvalidArgumentError),
                    (dict(since="now"), TypeError), (dict(since=float("nan")), warpscope.InvalidArgumentError),
                    (dict(until=1j), TypeError), (dict(where="hops>"), warpscope.InvalidArgumentError),
                    (dict(where="nothing>1"), warpscope.NotFoundError), (dict(where=3), TypeError),
                    (dict(where="hops>1\0"), warpscope.InvalidArgumentError),
                    (dict(where="(" * 100000), warpscope.Error),
                    (dict(fields="nothing"), warpscope.NotFoundError), (dict(fields=[]), warpscope.InvalidArgumentError),
                    (dict(fields=["hops", "hops"]), warpscope.InvalidArgumentError), (dict(fields=7), TypeError),
                    (dict(fields=[""]), warpscope.InvalidArgumentError), (dict(nonsense=1), TypeError)):
                with self.subTest(chosen=chosen):
                    self.assertRaises(kind, lambda: table(**chosen))
                    self.assertRaises(kind, lambda: list(table.blocks(**chosen)))
            self.assertEqual(len(table(lps=[0, 1])), len(table(lps="0-1")))  # the run goes on after errors

    def test_tables(self):
        with warpscope.open("stats-output") as run:
            for rows, kind in ((0, ValueError), (-5, ValueError), (1.5, TypeError), ("3", TypeError), (True, TypeError)):
                self.assertRaises(kind, run.events.blocks, rows=rows)
            self.assertRaises(warpscope.NotFoundError, lambda: run.events["nothing"])
            self.assertRaises(TypeError, lambda: run.events[0])
            self.assertRaises(TypeError, iter, run.events)
            self.assertRaises(KeyError, lambda: next(run.events.blocks())["nothing"])
            error = self.error(lambda: run.rollbacks)
            self.assertIsInstance(error, LookupError)
            self.assertIn("--event-trace=2", str(error))
            self.assertFalse(hasattr(run, "rollbacks"))
            self.assertNotIn("rollback", run)
            self.assertIn("stats", str(self.error(run.stats, fields="hops")) + "stats")
            self.assertRaises(warpscope.InvalidArgumentError, run.stats, where="hops>1")
            self.assertRaises(TypeError, run.stats, nonsense=1)
            self.assertRaises(TypeError, run.blocks, nonsense=1)

    def test_two_runs_in_a_directory(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a", "b"):
                shutil.copy("made/a-gvt.bin", f"{folder}/{name}-gvt.bin")
            with warpscope.open(folder) as run:
                self.assertEqual(len(run.tables), 2)
                self.assertEqual(run.kinds, ["gvt_pe"])
                self.assertIn("b-gvt.bin", str(self.error(lambda: run["gvt_pe"])))
                self.assertEqual([len(table()) for table in run], [len(run.tables[0])] * 2)
                self.assertEqual(len(run.stats()["files"]), 2)
                self.assertEqual(sum(block.records for block in run.blocks()), 2 * len(run.tables[0]))
            os.remove(f"{folder}/b-gvt.bin")
            shutil.copy("stats-output/warpscope-rt.bin", f"{folder}/<b>-rt.bin")  # no kind is there twice
            with warpscope.open(folder) as run:
                for use in (lambda: run.facts, lambda: run.gvt, lambda: run.rt, lambda: run["rt_pe"], run.findings,
                            lambda: run.blocks("gvt_pe")):
                    error = self.error(use)
                    self.assertIsInstance(error, warpscope.InvalidArgumentError)
                    self.assertIn("has 2 runs, <b> and a", str(error))
                    self.assertIn("<b>-rt.bin", str(error))
                self.assertIsInstance(self.error(lambda: run.vt), warpscope.NotRecordedError)
                self.assertIn("2 runs", repr(run))
                self.assertIn("2 runs: &lt;b&gt;, a<", run._repr_html_())
                self.assertTrue(all(len(table()) == len(table) for table in run))
            with warpscope.open(f"{folder}/a-gvt.bin") as run:
                self.assertTrue(run.facts and len(run.gvt))

    def test_continued_recording(self):
        """Files with a number behind the prefix are parts of the run if they state that they begin midway."""
        own = "warpscope"  # the prefix that the recording tells
        for names, n_runs in ((["2-model"], 1), (["model", "2-model"], 1), (["gvt", "2-model"], 1)):
            with self.subTest(names=names), tempfile.TemporaryDirectory() as folder:
                for name in names:
                    shutil.copy(f"changed/{own}-{name}.bin", folder)
                with warpscope.open(folder) as run:
                    self.assertEqual(run.facts["prefix"], own)
                    self.assertNotIn("runs", repr(run))
        for names in (["x-gvt", "x-2-rt"], ["x-2-gvt", "x-3-rt"], [f"{own}-gvt", f"{own}-2-rt"]):
            with self.subTest(names=names), tempfile.TemporaryDirectory() as folder:
                for name in names:
                    shutil.copy(f"stats-output/warpscope-{name.rsplit('-', 1)[1]}.bin", f"{folder}/{name}.bin")
                with warpscope.open(folder) as run:
                    self.assertIn("2 runs", str(self.error(lambda: run.facts)))
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a-gvt", "b-gvt"):
                shutil.copy("made/a-gvt.bin", f"{folder}/{name}.bin")
            with warpscope.open(folder) as run:
                self.assertIn("2 runs", str(self.error(lambda: run.gvt)))
                self.assertEqual([os.path.basename(table.file.path) for table in run], ["a-gvt.bin", "b-gvt.bin"])

    def test_parts(self):
        """A table has the records of all parts of its stream, and the values of all of them."""
        with warpscope.open("changed") as run:
            self.assertEqual([(os.path.basename(file.path), file.part) for file in run.files],
                             [("warpscope-gvt.bin", 1), ("warpscope-2-gvt.bin", 2), ("warpscope-model.bin", 1), ("warpscope-2-model.bin", 2),
                              ("warpscope-vt.bin", 1)])
            model = run.model()
            parts = []
            for file in run.files[2:4]:
                with tempfile.TemporaryDirectory() as folder:
                    with warpscope.open(shutil.copy(file.path, folder)) as part:
                        parts.append(part.model())
            with warpscope.open(run.files[3].path) as again:
                self.assertEqual(len(again.model), len(model))
            self.assertEqual(len(run.model), sum(map(len, parts)))
            self.assertTrue(all(len(part) for part in parts))
            for name in ("lp", "gvt", "sample", "kind"):
                self.assertEqual(model[name].tolist(), [value for part in parts for value in part[name].tolist()])
            self.assertEqual(sum(block.records for block in run.model.blocks(rows=7)), len(model))
            self.assertEqual([part["path"] for part in run.stats()["files"][1]["parts"]],
                             [file.path for file in run.files[2:4]])
            self.assertEqual(len(run.info()["files"]), 5)
            self.assertTrue(run.complete)
            run.findings()

    def test_gaps(self):
        """A table knows when it was switched off, and pictures have nothing there."""
        with warpscope.open("changed") as run:
            gap, = run.gvt.gaps
            self.assertEqual(run.model.gaps, ())
            gvt = run.gvt["gvt"]
            for low, high, field in ((*gap.virtual_time, "gvt"), (*gap.real_time, "real_time")):
                self.assertLess(low, high)
                times = run.gvt[field]
                self.assertFalse(((times > low) & (times < high)).any())
                self.assertTrue((times <= low).any() and (times >= high).any())
            self.assertEqual(run.stats()["files"][0]["gaps"][0]["virtual_to"], gap.virtual_time[1])
            self.assertAlmostEqual(run.stats()["files"][0]["virtual_time"],
                                   150 - (gap.virtual_time[1] - gap.virtual_time[0]))
            for clock in ("virtual_time", "real_time"):
                edges, _, changes = _plot._changes(run.gvt, clock, ["events_committed"], 1000)
                steps = changes["events_committed"][0]
                low, high = getattr(gap, clock)
                inside = (edges[:-1] >= low) & (edges[1:] <= high)
                self.assertTrue(inside.any())
                self.assertEqual(np.isnan(steps).tolist(), inside.tolist())
                self.assertAlmostEqual(np.nansum(steps), run.gvt["events_committed"].sum())
                beside = (edges[1:] <= low) | (edges[:-1] >= high)
                self.assertAlmostEqual(steps[beside].sum(), np.nansum(steps), delta=20)
            self.assertEqual(len(gvt), len(run.gvt))


class Closed(unittest.TestCase):
    def test_closed(self):
        run = warpscope.open("stats-output")
        table, plot = run.events, run.plot
        array = table()
        walk = table.blocks(rows=10)
        block = next(walk)
        run.close()
        run.close()
        self.assertTrue(run.closed)
        for use in (table, run.stats, run.info, lambda: next(walk), lambda: table["hops"], lambda: len(
                table.select(lps=3)), run.__enter__, lambda: run.events(), table.to_pandas,
                    lambda: list(run.blocks()), plot.efficiency):
            try:
                use()
            except warpscope.LibraryError:  # pandas or matplotlib
                continue
            except warpscope.ClosedError as error:
                self.assertIn("stats-output", str(error))
            else:
                self.fail(f"{use} works with a closed run")
        self.assertIn("closed", repr(run))
        self.assertIn("closed", run._repr_html_())
        self.assertEqual(len(block["recv_ts"]), 10)
        self.assertEqual(len(array), len(table))
        self.assertTrue(run.facts and run.files and table.fields)
        self.assertEqual((run.faults, run.complete), ([], True))

    def test_closed_after_damage(self):
        """What was found by reading stays known: a closed run tells what it told before."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy("made/a-gvt.bin", folder)
            with open(f"{folder}/a-rt.bin", "wb") as file:
                file.write(b"nothing" * 1000)
            with warpscope.open(folder) as run:
                faults = run.faults
            self.assertTrue(faults)
            self.assertEqual(run.faults, faults)
            self.assertFalse(run.complete)

    def test_pickle(self):
        with warpscope.open("stats-output") as run, pickle.loads(pickle.dumps(run)) as other:
            self.assertEqual(other.kinds, run.kinds)
            self.assertEqual(len(other.events()), len(run.events))

    def test_pickle_tables(self):
        """Tables and blocks reach other processes; a table reads there what it reads here."""
        with warpscope.open("stats-output") as run:
            table = run.events.select(since=0.0002, fields=["recv_ts", "hops", "lp_type"])
            other = pickle.loads(pickle.dumps(table))
            self.assertIsNot(other.run, run)
            self.assertEqual(other.fields, table.fields)
            self.assertEqual(other().tolist(), table().tolist())
            self.assertEqual(len(pickle.loads(pickle.dumps(run.events))), len(run.events))
            for block in list(table.blocks(rows=500))[:3]:
                again = pickle.loads(pickle.dumps(block))
                self.assertEqual((again.kind, again.pe, again.records, list(again)), (block.kind, block.pe, block.records, list(block)))
                self.assertEqual(again.to_numpy().tolist(), block.to_numpy().tolist())
                self.assertEqual(again.codes("lp_type").tolist(), block.codes("lp_type").tolist())
                self.assertEqual(repr(again), repr(block))
            self.assertEqual(again.table.name, "event")
            shallow = copy.copy(table)
            self.assertIs(shallow.run, run)
            with self.assertRaisesRegex(TypeError, "table"):
                pickle.dumps(table.blocks())
            bundle = pickle.dumps(block)
        again = pickle.loads(bundle)  # its arrays need no run
        self.assertEqual(len(again["hops"]), again.records)

    def test_pickle_of_a_run_that_is_gone(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy("made/a-gvt.bin", folder)
            with warpscope.open(folder) as run:
                bundles = [pickle.dumps(one) for one in (run, run.gvt)]
                block = pickle.dumps(next(run.gvt.blocks()))
            os.remove(f"{folder}/a-gvt.bin")
            for bundle in bundles:
                with self.assertRaises(warpscope.Error):
                    pickle.loads(bundle)
            again = pickle.loads(block)
            self.assertTrue(len(again["gvt"]))
            with self.assertRaises(warpscope.Error):
                again.table


class Files(unittest.TestCase):
    def read_all(self, path):
        """Read all there is. Returns the number of records."""
        n = 0
        with warpscope.open(path) as run:
            for table in run:
                for block in table.blocks(rows=100):
                    n += block.records
                    for name in block:
                        block[name]
                table.to_numpy()
            run.stats(), run.info(), repr(run), run._repr_html_(), run.faults
            if not run.complete:
                self.assertIn("incomplete", repr(run))
        return n

    def test_damaged(self):
        """Random changes, with right checksums in every second file: values or exceptions, never a crash."""
        change = os.path.join(os.environ["WS_TEST_BIN"], "change_file")
        files = ["made/a-evtrace.bin", "made/a-model.bin", "made/a-gvt.bin", "names/n-evtrace.bin",
                 "stats-output/warpscope-evtrace.bin", "tasks/warpscope-task.bin"]
        read = refused = 0
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(60):
                path = f"{folder}/x-{os.path.basename(files[seed % len(files)]).split('-')[1]}"
                subprocess.run([change, files[seed % len(files)], path, str(seed)], check=True)
                try:
                    read += self.read_all(path) > 0
                except warpscope.Error as error:
                    self.assertTrue(str(error))
                    refused += 1
                os.remove(path)
        self.assertGreater(read, 10)

    def test_damage_found_while_reading(self):
        """Damage that the structure of the file does not show makes the run incomplete once it was read."""
        with open("stats-output/warpscope-evtrace.bin", "rb") as file:
            data = bytearray(file.read())
        found = 0
        with tempfile.TemporaryDirectory() as folder:
            for at in range(len(data) // 4, len(data) - 1000, len(data) // 8):
                changed = data[:]
                changed[at] ^= 0xff
                with open(f"{folder}/x-evtrace.bin", "wb") as file:
                    file.write(changed)
                run = warpscope.open(folder)
                if not run.complete:
                    run.close()
                    continue
                self.assertNotIn("incomplete", repr(run) + run._repr_html_())
                self.assertFalse(run.faults)
                if len(run.events()) == len(run.events):  # the byte is none of the records
                    self.assertEqual(run.complete, not run.faults)
                    run.close()
                    continue
                self.assertTrue(run.faults)
                self.assertFalse(run.complete)
                self.assertIn("incomplete", repr(run))
                self.assertIn("incomplete", run._repr_html_())
                run.close()
                self.assertFalse(run.complete)
                found += 1
        self.assertGreater(found, 2)

    def test_cut_off(self):
        with tempfile.TemporaryDirectory() as folder, open("stats-output/warpscope-evtrace.bin", "rb") as file:
            data = file.read()
            generator = random.Random(5)
            for size in [0, 1, 100, 4096, *(generator.randrange(len(data)) for _ in range(12))]:
                with open(f"{folder}/x-evtrace.bin", "wb") as cut:
                    cut.write(data[:size])
                try:
                    with warpscope.open(folder) as run:
                        self.assertFalse(run.complete)
                        self.assertLessEqual(self.read_all(folder), 10**6)
                except warpscope.Error as error:
                    self.assertIn("x-evtrace.bin", str(error))

    def test_vanishing(self):
        """The files vanish, or become shorter, while they are read."""
        for harm in (shutil.rmtree, self.shorten):
            with tempfile.TemporaryDirectory() as folder:
                path = shutil.copytree("stats-output", f"{folder}/run")
                with warpscope.open(path) as run:
                    walk = run.events.blocks(rows=500)
                    next(walk)
                    harm(path)
                    for use in (lambda: list(walk), lambda: run.gvt(), lambda: run.stats(), lambda: run.info(),
                                lambda: run.events["hops"], lambda: run.faults, lambda: run._repr_html_()):
                        try:
                            use()
                        except warpscope.Error as error:
                            self.assertTrue(str(error))

    @staticmethod
    def shorten(path):
        for name in os.listdir(path):
            with open(os.path.join(path, name), "r+b") as file:
                file.truncate(5000)

    def test_unreadable_among_others(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy("made/a-gvt.bin", folder)
            with open(f"{folder}/a-rt.bin", "wb") as file:
                file.write(b"nothing" * 1000)
            with warpscope.open(folder) as run:
                self.assertEqual([file.readable for file in run.files], [True, False])
                self.assertFalse(run.complete)
                self.assertTrue(run.faults)
                self.assertIn("Damage", run._repr_html_())

    def test_names_are_escaped(self):
        """What notebooks and terminals show holds no markup, control or direction characters of recordings."""
        hostile = "x<script>alert(1)</script>\"'\x1b[31m\u202e&"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, hostile.replace("/", "_"))
            shutil.copytree("names", path)
            with warpscope.open(path) as run:
                markup = run._repr_html_() + run.tables[0]._repr_html_()
                texts = repr(run) + repr(run.files[0]) + repr(run.plot) + repr(run.tables) + str(self.message(run))
        self.assertNotIn("<script>", markup)
        self.assertIn("&lt;script&gt;", markup)
        for text in ("\x1b", "\u202e"):
            self.assertNotIn(text, markup + texts)

    @staticmethod
    def message(run):
        try:
            run.gvt
        except warpscope.Error as error:
            return error
        raise AssertionError("no exception")


class Loading(unittest.TestCase):
    OPEN = """
import warpscope
try:
    warpscope.open('stats-output')
except warpscope.LibraryError as error:
    print(error)
"""

    def test_missing(self):
        for where in ("/no/such/library.so", os.getcwd(), os.path.abspath("layout.c")):
            status, shown = fresh(self.OPEN, WARPSCOPE_READER_LIBRARY=where)
            self.assertEqual(status, 0, shown)
            self.assertIn("WARPSCOPE_READER_LIBRARY", shown)
            self.assertIn(where, shown)

    def test_another_library(self):
        status, shown = fresh(self.OPEN, WARPSCOPE_READER_LIBRARY="libc.so.6")
        self.assertEqual(status, 0, shown)
        self.assertIn("is not the reader library", shown)

    def test_another_version(self):
        status, shown = fresh("import warpscope._library as l; l.__version__ = '0.2.0'" + self.OPEN)
        self.assertEqual(status, 0, shown)
        self.assertIn("is version 0.1", shown)
        self.assertIn("is version 0.2.0", shown)

    def test_directory(self):
        folder = os.path.dirname(os.environ["WARPSCOPE_READER_LIBRARY"])
        status, shown = fresh("import warpscope; warpscope.open('stats-output'); print(warpscope.library_path())",
                              WARPSCOPE_READER_LIBRARY=folder)
        self.assertEqual(status, 0, shown)
        self.assertIn(folder, shown)

    def test_optional_packages(self):
        code = """
import sys
sys.modules['pandas'] = sys.modules['matplotlib'] = None
import warpscope
run = warpscope.open('stats-output')
for use in (run.gvt.to_pandas, run.plot.efficiency):
    try:
        use()
    except warpscope.LibraryError as error:
        print(error)
"""
        status, shown = fresh(code)
        self.assertEqual(status, 0, shown)
        self.assertIn("python3-pandas", shown)
        self.assertIn("python3-matplotlib", shown)

    def test_findings(self):
        with warpscope.open("stats-output") as run:
            try:
                found = run.findings()
            except NotImplementedError as error:
                self.assertIn("findings", str(error))
                return
            self.assertTrue(all(finding.text and finding.rule for finding in found))
            self.assertEqual([one.weight for one in found], sorted((one.weight for one in found), reverse=True))


if __name__ == "__main__":
    support.main()
