# SPDX-License-Identifier: BSD-3-Clause
"""Arrays have the values that the command prints, whole and chosen; sums are those of the command."""

import json
import unittest

import numpy as np

import support
import warpscope
from support import command, dumped, records_of


class Values(unittest.TestCase):
    def compare(self, path, table, array, *options):
        expected = [{name: value for name, value in row.items() if value is not None}
                    for row in dumped(path, table.name, *options)]
        got = records_of(array)
        self.assertEqual(len(got), len(expected), (path, table, options))
        for i, (one, other) in enumerate(zip(got, expected)):
            if not support.same(one, other):
                self.assertEqual(one, other, f"{path} {table.name} record {i} {options}")

    def test_all_kinds(self):
        kinds = set()
        for path in support.RECORDINGS:
            with warpscope.open(path) as run:
                for table in run.tables:
                    with self.subTest(path=path, kind=table.name):
                        wide = len(table.fields) > 1000  # of these some records are enough
                        array = table(since=500) if wide else table()
                        self.compare(table.file.path, table, array, *(["--from=500"] if wide else []))
                        self.assertTrue(len(array) > 0 or not wide)
                        self.assertEqual(len(table.select(since=500) if wide else table), len(array))
                        kinds.add(table.name)
        self.assertLessEqual({"event", "gvt_pe", "rt_kp", "model_lp", "task_begin"}, kinds)

    def test_choices(self):
        with warpscope.open("stats-output") as run:
            table = run.events
            path = table.file.path
            for chosen, options in (
                    (dict(pes=1), ["--pe=1"]),
                    (dict(lps=[3, 5]), ["--lp=3,5"]),
                    (dict(lps=range(4, 9)), ["--lp=4-8"]),
                    (dict(lps="2,4-6", kps="0-3"), ["--lp=2,4-6", "--kp=0-3"]),
                    (dict(since=0.0003, until=0.0004), ["--from=0.0003", "--to=0.0004"]),
                    (dict(where="hops>0 && lp_type==router"), ["--where=hops>0 && lp_type==router"]),
                    (dict(fields=["hops", "lp_type", "recv_ts"]), ["--fields=hops,lp_type,recv_ts"]),
                    (dict(kps=np.array([1, 2])), ["--kp=1,2"])):
                with self.subTest(chosen=chosen):
                    array = table(**chosen)
                    self.compare(path, table, array, *options)
                    self.assertGreater(len(array), 0)
                    self.assertEqual(len(table.select(**chosen)), len(array))
            everything = table()
            for lps in ("rout*", ["router"], "r?uter,r*"):
                self.assertEqual(records_of(table(lps=lps)),
                                 records_of(everything[(everything["lp_type"] == "router").filled(False)]))
            chained = table.select(since=0.0001).select(where="hops>0").select(where="hops<2", fields="hops")
            self.assertEqual(sorted(set(chained()["hops"].tolist())), [1])
            self.assertEqual(table(fields=["dest_lp", "recv_ts"]).dtype.names, ("dest_lp", "recv_ts"))

    def test_chosen_twice(self):
        """Records satisfy both selections; what cannot be combined is refused, never replaced."""
        with warpscope.open("stats-output") as run:
            table = run.events.select(since=0.0002, until=0.0004)
            for chosen, expected in ((dict(since=0.0001), (0.0002, 0.0004)), (dict(since=0.0003), (0.0003, 0.0004)),
                                     (dict(until=0.0005), (0.0002, 0.0004)), (dict(until=0.0003), (0.0002, 0.0003)),
                                     (dict(since=0, until=1), (0.0002, 0.0004))):
                whole = run.events(since=expected[0], until=expected[1])
                self.assertEqual(records_of(table(**chosen)), records_of(whole))
                self.assertEqual(len(table.select(**chosen)), len(whole))
            self.assertRaises(TypeError, table.select, since="now")
            self.assertRaises(warpscope.InvalidArgumentError, table.select, until=float("nan"))
            for one, other, same in ((dict(pes=0), dict(pes=1), dict(pes=[0])),
                                     (dict(kps=[1, 2]), dict(kps=1), dict(kps="2, 1")),
                                     (dict(lps=range(4, 9)), dict(lps="router*"), dict(lps="4-8")),
                                     (dict(lps="router"), dict(lps=3), dict(lps=["router"])),
                                     (dict(types="host"), dict(types="*"), dict(types=["host"])),
                                     (dict(pes=iter([1])), dict(pes=0), dict(pes=np.array([1])))):
                table = run.events.select(**one)
                n = len(table)
                self.assertGreater(n, 0)
                for use in (table.select, table, table.blocks, table.to_numpy):
                    with self.assertRaises(warpscope.InvalidArgumentError) as raised:
                        use(**other)
                    self.assertIn(f"{next(iter(other))} is chosen already", str(raised.exception))
                self.assertEqual(len(table.select(**same)), n)
                self.assertEqual(len(table(**same)), n)
            table = run.events.select(fields="hops", where="hops>0")
            self.assertEqual(table.select(fields=["size"]).keys(), ["size"])
            self.assertRaises(TypeError, table.select, where=3)

    def test_nothing_chosen(self):
        with warpscope.open("stats-output") as run:
            for table in (run.events, run.gvt, run.model):
                with self.assertWarnsRegex(UserWarning, "^no record is selected: "):
                    array = table(since=1e9)
                self.assertEqual(len(array), 0)
                self.assertEqual(array.dtype, table().dtype)
                with self.assertWarns(UserWarning):
                    self.assertEqual(list(table.blocks(since=1e9)), [])
                with self.assertWarns(UserWarning):
                    self.assertEqual(len(table.select(since=1e9)[table.keys()[0]]), 0)
            with self.assertWarnsRegex(UserWarning, "^no record is selected: the records have virtual times "):
                run.stats(since=1e9)

    def test_columns(self):
        with warpscope.open("stats-output") as run:
            whole = run.events()
            for name in run.events.keys():
                column = run.events[name]
                self.assertEqual(column.dtype, whole.dtype[name])
                np.testing.assert_array_equal(column, whole[name])
                self.assertEqual(isinstance(column, np.ma.MaskedArray), run.events.fields[name].optional)
            both = run.events[["hops", "size"]]
            self.assertEqual(both.dtype.names, ("hops", "size"))
            np.testing.assert_array_equal(both["size"], whole["size"])
            self.assertEqual(np.asarray(run.gvt).dtype, run.gvt().dtype)

    def test_absent(self):
        """A value that a record does not have is masked, and counts in no sum."""
        with warpscope.open("stats-output") as run:
            sent = run.model["sent"]
            of_hosts = run.model.select(lps="host")["sent"]
            self.assertEqual(int(sent.mask.sum()), len(run.model) - len(of_hosts))
            self.assertEqual(sent.sum(), of_hosts.sum())
            self.assertFalse(of_hosts.mask.any())

    def test_sums(self):
        for path in support.RECORDINGS:
            with warpscope.open(path) as run:
                self.assertEqual(run.stats(), json.loads(command("stats", "--json", path).decode("utf-8", "replace")))
                self.assertEqual(run.info(), json.loads(command("info", "--json", path).decode("utf-8", "replace")))
        with warpscope.open("stats-output") as run:
            self.assertEqual(run.stats(pes=1), json.loads(command("stats", "--json", "--pe=1", "stats-output")))
            self.assertNotEqual(run.stats(pes=1), run.stats())

    def test_descriptions(self):
        with warpscope.open("stats-output") as run:
            info = run.info()
            self.assertEqual(run.complete, info["complete"])
            self.assertEqual([file.path for file in run.files], [file["path"] for file in info["files"]])
            for file, told in zip(run.files, info["files"]):
                self.assertEqual((file.stream, file.records, file.blocks, file.pes, file.outcome, file.end_gvt),
                                 (told["stream"], told["records"], told["blocks"], told["n_pes"], told["outcome"],
                                  told["end_gvt"]))
                self.assertEqual(list(file.virtual_time), told["virtual_time"])
            self.assertEqual(run.facts, info["files"][0]["run"])
            described = {kind["name"]: kind for file in info["files"] for kind in file["records_of"]}
            for table in run:
                for told in described[table.name]["fields"]:
                    field = table.fields[told["name"]]
                    self.assertEqual((field.type, field.unit, field.text, field.measure),
                                     (told["type"], told["unit"], told["text"], told["measure"]))
                    self.assertEqual(table.units.get(field.name, ""), told["unit"])


if __name__ == "__main__":
    support.main()
