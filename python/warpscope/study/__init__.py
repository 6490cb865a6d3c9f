# SPDX-License-Identifier: BSD-3-Clause
"""Studies: many runs of a simulation, from a plan to an answer with its interval.

>>> import warpscope.study
>>> plan = {"command": ["netsim", "--load={load}", "--end=0.3"], "parameters": {"load": [0.2, 0.4, 0.6]},
...         "replications": 10, "collect": {"delay": {"line": "mean delay"}}}
>>> study = warpscope.study.run(plan, "load-study")                         # doctest: +SKIP
>>> for case in study.cases:                                                # doctest: +SKIP
...     print(case, study.interval(case, "delay"))

`run()` does the runs that are missing and returns a `Study`; `open()` opens one. The module
`warpscope.study.statistics` has the methods behind the intervals. The command ``warpscope study`` does the same.
"""

from __future__ import annotations

from . import statistics
from ._plan import Case, Plan, PlanError, Until, load, of
from ._runner import StudyStopped, run
from ._study import Result, Study
from ._values import ValueMissing

__all__ = ["Case", "Plan", "PlanError", "Result", "Study", "StudyStopped", "Until", "ValueMissing", "load", "of", "open",
           "run", "statistics"]


def open(directory: str) -> Study:
    """Open the directory of a study that was begun."""
    return Study(directory)
