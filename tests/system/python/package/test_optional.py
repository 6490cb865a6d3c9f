# SPDX-License-Identifier: BSD-3-Clause
"""DataFrames and pictures: each part is skipped where its module is not installed."""

import importlib.util
import unittest

import numpy as np

import support
import warpscope


def needs(module):
    return unittest.skipUnless(importlib.util.find_spec(module), f"no {module}")


@needs("pandas")
class Frames(unittest.TestCase):
    def test_values(self):
        for path in support.RECORDINGS:
            with warpscope.open(path) as run:
                for table in run:
                    if len(table.fields) > 100:
                        continue
                    with self.subTest(path=path, kind=table.name):
                        array, frame = table(), table.to_pandas()
                        self.assertEqual(list(frame.columns), list(array.dtype.names))
                        self.assertEqual(len(frame), len(array))
                        for name in frame.columns:
                            self.assertEqual(self.values(frame[name]), self.expected(array[name], table.fields[name]))

    @staticmethod
    def values(series):
        import pandas

        return ["absent" if pandas.isna(value) else value for value in series.astype(object).tolist()]

    @staticmethod
    def expected(column, field):
        """NaN and absent values are the same in columns of floats."""
        return ["absent" if value is None or value != value else value for value in column.tolist()]

    def test_types(self):
        with warpscope.open("stats-output") as run:
            frame = run.model.to_pandas()
            self.assertEqual(frame["lp_type"].dtype.name, "category")
            self.assertEqual(frame["sent"].dtype.name, "UInt64")
            self.assertEqual(frame["delay_mean"].dtype.name, "float64")
            self.assertEqual(frame["pe"].dtype.name, "uint32")
            self.assertEqual(int(frame["sent"].isna().sum()), int(run.model["sent"].mask.sum()))
            self.assertEqual(frame.attrs["units"], run.model.units)
            self.assertEqual((frame.attrs["kind"], frame.attrs["file"]), ("model_lp", run.model.file.path))
            self.assertEqual(frame.attrs["descriptions"]["lp"], run.model.fields["lp"].text)
            empty = run.model.to_pandas(since=1e9)
            self.assertEqual((len(empty), list(empty.columns)), (0, list(frame.columns)))
            block = next(run.model.blocks(rows=5))
            self.assertTrue(block.to_pandas().equals(frame.head(5)))

    def test_repeated_names(self):
        """Several numbers may have one name, which is one category."""
        with warpscope.open("names") as run:
            frame = run.events.to_pandas()
            for name in frame.columns:
                if run.events.fields[name].type == "name":
                    self.assertEqual(len(set(frame[name].cat.categories)), len(frame[name].cat.categories))
        import pandas
        from warpscope._blocks import Column
        from warpscope._frames import _series

        field = warpscope.Field("x", "name", "", "", None, True, ("a", "", "a"))
        series = _series(pandas, Column(field, np.array([2, 1, 0, 2**32 - 1], np.uint32), np.arange(4) == 3))
        self.assertEqual(series.tolist(), ["a", "", "a", np.nan])
        self.assertEqual(list(series.categories), ["a", ""])


@needs("matplotlib")
class Pictures(unittest.TestCase):
    def setUp(self):
        self.run_ = warpscope.open("stats-output")
        self.addCleanup(self.run_.close)

    def tearDown(self):
        from matplotlib import pyplot

        pyplot.close("all")

    def draw(self, axes, name):
        axes.figure.savefig(f"{name}.png", dpi=40)
        return axes

    def test_all(self):
        plot = self.run_.plot
        for clock in ("real_time", "virtual_time"):
            for name in ("efficiency", "rates", "ahead"):
                axes = self.draw(getattr(plot, name)(clock=clock, bins=20), name)
                self.assertIn("virtual" if clock == "virtual_time" else "wall clock", axes.get_xlabel())
        self.draw(plot.phases(), "phases")
        self.draw(plot.rollbacks(), "rollbacks")

    def test_axes_are_used(self):
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(5)
        for one, name in zip(axes, ("efficiency", "rates", "phases", "ahead", "rollbacks")):
            self.assertIs(getattr(self.run_.plot, name)(ax=one), one)
            self.assertTrue(one.get_title())
        self.assertEqual(len(figure.axes), 6)  # with the scale of the heat map

    def test_sums(self):
        """What is spread over the steps adds up to what was recorded."""
        from warpscope import _plot

        for clock in ("real_time", "virtual_time"):
            for table in (self.run_.gvt, self.run_.rt):
                names = ["events_processed", "events_committed", "total_rollbacks"]
                edges, pes, changes = _plot._changes(table, clock, names, 17)
                self.assertEqual((len(edges), pes.tolist()), (18, [0, 1]))
                for name in names:
                    self.assertAlmostEqual(changes[name].sum(), float(table[name].sum()), places=3)

    def test_efficiency(self):
        from warpscope import _plot

        executed, undone = np.array([0, 10, 10, 4, 10, 10.0]), np.array([0, 0, 5, 8, 10, 6.0])
        np.testing.assert_array_equal(_plot._efficiency(executed, undone), [np.nan, 100, 0, 0, 0, -50])
        total = self.run_.gvt(fields="events_processed,events_rolled_back")
        whole = _plot._efficiency(*(np.array([float(total[name].sum())]) for name in total.dtype.names))
        shown = [file["efficiency"] for file in self.run_.stats()["files"] if file["stream"] == "gvt"]
        self.assertAlmostEqual(whole[0], shown[0])

    def test_phases(self):
        """The bars are the ticks of the samples in seconds."""
        axes = self.run_.plot.phases()
        top = max(patch.get_y() + patch.get_height() for patch in axes.patches)
        fields = [name for name in self.run_.rt.keys() if name.endswith("_cc")]
        data = self.run_.rt(fields=["pe", *fields])
        sums = [sum(float(data[name][data["pe"] == pe].sum()) for name in fields) for pe in (0, 1)]
        self.assertAlmostEqual(top, max(sums) / float(self.run_.facts["ticks_per_second"]))

    def test_held(self):
        from warpscope import _plot

        self.assertEqual(_plot._interpolated(np.array([0, 1, 2.0]), np.array([0, 0, 2.0]),
                                             np.array([0, 5, 7.0])).tolist(), [0, 6, 7])
        held = _plot._held(np.array([[0, 6, 0, 8.0]]), np.array([[0, 2, 0, 1]]))
        self.assertEqual(held.tolist(), [[None, 3, 3, 8]])

    def test_not_recorded(self):
        with warpscope.open("tasks") as run:
            for name, option in (("efficiency", "--enable-gvt-stats"), ("phases", "--real-time-samp"),
                                 ("ahead", "--granularity"), ("rollbacks", "--event-trace=2")):
                with self.assertRaises(warpscope.NotRecordedError) as raised:
                    getattr(run.plot, name)()
                self.assertIn(option, str(raised.exception))

    def test_arguments(self):
        plot = self.run_.plot
        for use in (lambda: plot.efficiency(clock="now"), lambda: plot.rates(bins=0), lambda: plot.ahead(bins=1.5),
                    lambda: plot.rollbacks(top=0)):
            self.assertRaises(warpscope.InvalidArgumentError, use)


if __name__ == "__main__":
    support.main()
