# SPDX-License-Identifier: BSD-3-Clause
"""Blocks: their sizes, that they are copies, several walks at once, threads."""

import gc
import threading
import unittest

import numpy as np

import support
import warpscope


class Blocks(unittest.TestCase):
    def test_sizes(self):
        for path in ("stats-output", "made", "odd", "tasks"):
            with warpscope.open(path) as run:
                for table in run:
                    for rows in (1, 7, 1000, None, 10**9):
                        if len(table) > 200 * (rows or 1000) or len(table.fields) > 100:
                            continue
                        with self.subTest(path=path, kind=table.name, rows=rows):
                            self.check_table(table, rows)

    def check_table(self, table, rows):
        whole = table()
        blocks = list(table.blocks(rows=rows))
        self.assertEqual(sum(block.records for block in blocks), len(whole))
        if rows is not None:
            self.check_sizes(blocks, rows)
        for block in blocks if "pe" in table else ():
            self.assertEqual(set(block["pe"].tolist()), {block.pe})
        for name in whole.dtype.names if blocks else ():
            joined = np.ma.concatenate([block[name] for block in blocks])
            self.assertEqual(str(joined.tolist()), str(whole[name].tolist()))  # as texts, in which NaN equals NaN

    def check_sizes(self, blocks, rows):
        for block, following in zip(blocks, blocks[1:]):
            self.assertGreaterEqual(following.pe, block.pe)
            if following.pe == block.pe:
                self.assertEqual(block.records, rows)
        self.assertTrue(all(1 <= block.records <= rows for block in blocks))

    def test_copies(self):
        """Arrays, blocks and numbers behind names outlive the walk and the run, and may be changed."""
        run = warpscope.open("stats-output")
        whole = run.events().copy()
        blocks = list(run.events.blocks(rows=100))
        first = blocks[0]["recv_ts"]
        first += 1
        self.assertTrue(first.flags.owndata and first.flags.writeable)
        run.close()
        del run
        gc.collect()
        self.assertEqual(sum(block.records for block in blocks), len(whole))
        np.testing.assert_array_equal(np.concatenate([block["dest_lp"] for block in blocks]), whole["dest_lp"])
        np.testing.assert_array_equal(np.ma.concatenate([block["lp_type"] for block in blocks]), whole["lp_type"])
        np.testing.assert_array_equal(blocks[0]["recv_ts"], whole["recv_ts"][:100] + 1)
        np.testing.assert_array_equal(blocks[1].to_numpy(), whole[100:200])

    def test_mapping(self):
        with warpscope.open("stats-output") as run:
            block = next(iter(run.events.blocks(fields=["recv_ts", "lp_type"])))
            self.assertEqual((list(block), len(block), "hops" in block), (["recv_ts", "lp_type"], 2, False))
            self.assertEqual(dict(block)["recv_ts"].dtype, np.float64)
            names = run.events.fields["lp_type"].names
            codes = block.codes("lp_type")
            self.assertEqual([names[code] for code in codes[:50]], block["lp_type"][:50].tolist())
            self.assertRaises(KeyError, lambda: block["hops"])
            self.assertRaises(KeyError, block.codes, "recv_ts")
            self.assertRaises(KeyError, block.codes, "hops")
            self.assertIn("recv_ts, lp_type", repr(block))

    def test_run_blocks(self):
        with warpscope.open("stats-output") as run:
            records = {}
            for block in run.blocks():
                records[block.kind] = records.get(block.kind, 0) + block.records
            self.assertEqual(records, {table.name: len(table) for table in run if len(table)})
            self.assertEqual(sum(block.records for block in run.blocks("gvt_kp", rows=10)), len(run["gvt_kp"]))

    def test_walks_at_once(self):
        with warpscope.open("stats-output") as run:
            whole = run.events()["recv_ts"]
            walks = [run.events.blocks(rows=rows, fields="recv_ts") for rows in (11, 500, 1234)]
            parts = [[], [], []]
            for step in range(20):
                for walk, part in zip(walks, parts):
                    part.extend(block["recv_ts"] for _, block in zip(range(1), walk))
                if step == 10:
                    self.assertEqual(len(run.events["hops"]), len(whole))
                    run.stats()
            for part in parts:
                joined = np.concatenate(part)
                np.testing.assert_array_equal(joined, whole[:len(joined)])
            walks[0].close()
            self.assertRaises(StopIteration, next, walks[0])
            del walks
            gc.collect()

    def test_error_ends_the_walk(self):
        with warpscope.open("stats-output") as run:
            walk = run.events.blocks(rows=100)
            next(walk)
            run.close()
            self.assertRaises(warpscope.ClosedError, next, walk)
            self.assertRaises(warpscope.ClosedError, next, walk)
            del walk
            gc.collect()

    def test_interruption_ends_the_walk(self):
        """After Ctrl-C in the middle of a block, no records are left out silently: the walk is over."""
        with warpscope.open("stats-output") as run:
            walk = run.events.blocks(rows=100)
            next(walk)
            real = warpscope._blocks.ColumnBuffer.append

            def interrupted(*arguments):
                raise KeyboardInterrupt

            warpscope._blocks.ColumnBuffer.append = interrupted
            try:
                self.assertRaises(KeyboardInterrupt, next, walk)
            finally:
                warpscope._blocks.ColumnBuffer.append = real
            self.assertEqual(list(walk), [])
            self.assertEqual(len(run.events["hops"]), len(run.events))

    def test_all_present(self):
        """Without flags every value of a column is there."""
        field = warpscope.Field("x", "u16", "", "", None, optional=True)
        values = np.array([7, 8, 9], np.uint16)
        buffer = warpscope._blocks.ColumnBuffer(field, 5)
        buffer.append(2, 1, values.ctypes.data, 0, 0)
        column = buffer.column().values()
        self.assertEqual((column.tolist(), column.mask.tolist()), ([8, 9], [False, False]))

    def test_threads(self):
        """Threads that share a run, one of which closes it, get whole blocks or ClosedError."""
        expected = warpscope.open("stats-output").events()["recv_ts"]
        for closed_at in (None, 3, 30):
            run = warpscope.open("stats-output")
            failures = []

            def read():
                try:
                    for _ in range(3):
                        blocks = run.events.blocks(rows=100, fields="recv_ts")
                        got = np.concatenate([block["recv_ts"] for block in blocks])
                        if not np.array_equal(got, expected):
                            failures.append("other values")
                        run.facts, run.faults, len(run.gvt)
                except warpscope.ClosedError:
                    if closed_at is None:
                        failures.append("closed")
                except BaseException as error:  # seen by the main thread
                    failures.append(repr(error))

            threads = [threading.Thread(target=read) for _ in range(4)]
            for thread in threads:
                thread.start()
            if closed_at is not None:
                try:
                    for _, _block in zip(range(closed_at), run.events.blocks(rows=10)):
                        pass
                finally:
                    run.close()
            for thread in threads:
                thread.join()
            run.close()
            self.assertEqual(failures, [])

    def test_no_circles(self):
        """A run that is not referred to any more is closed at once, with its walks."""
        gc.disable()
        try:
            closed = []
            real = warpscope._run.Run.close

            def close(run):
                closed.append(run.path)
                real(run)

            warpscope._run.Run.close = close
            try:
                run = warpscope.open("stats-output")
                walk = run.events.blocks(rows=10)
                next(walk)
                run.gvt(), run.stats(), repr(run.tables)
                del run, walk
                self.assertEqual(closed, ["stats-output"])
            finally:
                warpscope._run.Run.close = real
        finally:
            gc.enable()


if __name__ == "__main__":
    support.main()
