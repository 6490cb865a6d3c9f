# SPDX-License-Identifier: BSD-3-Clause
"""The command ``warpscope study``."""

from __future__ import annotations

import argparse
import csv
import os
import shlex
import signal
import sqlite3
import sys
from typing import Any, List, NoReturn, Optional, TextIO, Tuple

from .._errors import Error
from . import PlanError, Study, StudyStopped, load, run
from ._runner import begin

EXIT_OK, EXIT_FAILED, EXIT_USAGE = 0, 1, 2


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(EXIT_USAGE)


def _cell(value: Any) -> str:
    return "-" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _columns(names: List[str], rows: List[List[Any]], out: TextIO) -> None:
    """Print a table: texts to the left, numbers to the right."""
    text = [[_cell(v) for v in row] for row in rows]
    widths = [max([len(name), *(len(row[i]) for row in text)]) for i, name in enumerate(names)]
    left = [bool(rows) and all(isinstance(row[i], str) for row in rows) for i in range(len(names))]
    for line in [names, *text]:
        print("  ".join(cell.ljust(w) if l else cell.rjust(w) for cell, w, l in zip(line, widths, left)).rstrip(), file=out)


def show(study: Study, out: TextIO) -> None:
    """Print how far a study is, and the estimate of each value by case."""
    results = list(study.all_results())
    good = sum(r.status == "ok" for r in results)
    planned = len(study.cases) * study.plan.replications
    print(f"{study.plan.name}: {len(study.cases)} case(s), {good} good run(s) of "
          f"{planned if study.plan.until is None else f'{planned} or more'}, {len(results) - good} failed", file=out)
    for name in study.plan.collect:
        print(f"\n{name}, mean and {100 * study.plan.confidence:g} % interval:", file=out)
        rows = []
        for case in study.cases:
            found = study.interval(case, name)
            rows.append([*map(_cell, case.values.values())] + ([0, None, None, None] if found is None else
                        [found.n, found.estimate, *((None, None) if found.n < 2 else (found.low, found.high))]))
        _columns([*study.plan.parameters, "n", "mean", "low", "high"], rows, out)
    for remark in study.remarks():
        print(f"\nnote: {remark}", file=out)


def _sqlite(study: Study, path: str) -> None:
    if os.path.exists(path):
        raise PlanError(f"{path}: exists; name a new file")
    base = sqlite3.connect(path)
    try:
        for table, (names, rows) in (("cases", study.table()), ("runs", study.runs_table())):
            quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
            base.execute(f"CREATE TABLE {table} ({quoted})")
            base.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(names))})",
                             [[float(v) if isinstance(v, int) and abs(v) >= 1 << 63 else v for v in row] for row in rows])
        base.commit()
    except BaseException:
        os.unlink(path)
        raise
    finally:
        base.close()


SCRIPT = """#!/bin/sh
# Runs the study {name} as an array of jobs, one for each run: sbatch THIS
#SBATCH --job-name={job}
#SBATCH --array=0-{last}%{at_once}
#SBATCH --ntasks={ranks}
{limit}set -eu
exec {command} run {directory} --run="$SLURM_ARRAY_TASK_ID"
"""


def _script(study: Study, at_once: int) -> str:
    plan = study.plan
    ranks = {plan.ranks_of(case) for case in plan.cases}
    if len(ranks) > 1:
        raise PlanError("a job array has jobs of one size, and the cases have different numbers of ranks: make a study of each")
    if plan.until is not None:
        raise PlanError("a job array has a fixed number of jobs; a plan with until needs study run")
    seconds = plan.time_limit
    limit = "" if seconds is None else f"#SBATCH --time={max(1, round(seconds / 60) + 2)}\n"
    job = "".join(c if c.isalnum() else "-" for c in plan.name)
    return SCRIPT.format(name=job, job=job, last=len(plan.cases) * plan.replications - 1, at_once=at_once,
                         ranks=ranks.pop(), limit=limit, command=os.environ.get("WARPSCOPE_STUDY", "warpscope study"),
                         directory=shlex.quote(os.path.abspath(study.directory)))


def _parse(words: List[str]) -> argparse.Namespace:
    parser = _Parser(prog="warpscope study", allow_abbrev=False,
                     description="Runs an experiment: a command with varied parameters, several times, and its results.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def add(name: str, operand: str, text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".", allow_abbrev=False)
        made.add_argument("path", metavar=operand)
        return made
    one = add("run", "PLAN-or-DIR", "run what is missing of a study; finished runs are never repeated")
    one.add_argument("--directory", metavar="DIR", help="directory of the study (default: NAME-study)")
    one.add_argument("--processors", metavar="N", type=int, help="ranks at a time (default: the processors there are)")
    one.add_argument("--retry", action="store_true", help="repeat runs that failed")
    one.add_argument("--run", metavar="N", type=int, help="only run number N, from 0 (for job arrays)")
    one.add_argument("--quiet", action="store_true", help="no progress and no table")
    add("status", "DIR", "say how far a study is, and its results so far")
    two = add("table", "DIR", "write the cases with their estimates, or the runs")
    two.add_argument("--runs", action="store_true", help="a row for each run instead of each case")
    two.add_argument("--format", choices=("csv", "sqlite"), default="csv", help="csv (default), or sqlite: both tables")
    two.add_argument("--output", metavar="FILE", help="file to write (default: standard output; sqlite needs one)")
    three = add("script", "PLAN", "begin a study and print a job script for SLURM")
    three.add_argument("--directory", metavar="DIR", help="directory of the study (default: NAME-study)")
    three.add_argument("--at-once", metavar="N", type=int, default=50, help="jobs at a time (default 50)")
    return parser.parse_args(words)


def _table(arguments: argparse.Namespace) -> None:
    study = Study(arguments.path)
    if arguments.format == "sqlite":
        if not arguments.output:
            raise PlanError("--format=sqlite needs --output=FILE")
        _sqlite(study, arguments.output)
        return
    names, rows = study.runs_table() if arguments.runs else study.table()
    out = open(arguments.output, "x", newline="") if arguments.output else sys.stdout
    with out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)


def _do(arguments: argparse.Namespace) -> int:
    if arguments.command == "table":
        _table(arguments)
        return EXIT_OK
    if arguments.command == "status":
        study = Study(arguments.path)
        show(study, sys.stdout)
    elif arguments.command == "script":
        plan = load(arguments.path)
        study, lock = begin(plan, arguments.directory or f"{plan.name}-study")
        with lock:
            sys.stdout.write(_script(study, arguments.at_once))
        return EXIT_OK
    else:
        study = run(arguments.path, arguments.directory, processors=arguments.processors, retry=arguments.retry,
                    progress=not arguments.quiet, only=arguments.run)
        if arguments.run is not None:
            result = study.result(study.cases[arguments.run % len(study.cases)], arguments.run // len(study.cases) + 1)
            if result is None or result.status != "ok":
                print(f"warpscope study: {result.message if result else 'the run has no result'}", file=sys.stderr)
                return EXIT_FAILED
            return EXIT_OK
        if not arguments.quiet:
            show(study, sys.stdout)
        elif any(r.status != "ok" for r in study.all_results()):
            print(f"warpscope study: runs failed: warpscope study status {study.directory} says why", file=sys.stderr)
    return EXIT_OK if all(r.status == "ok" for r in study.all_results()) else EXIT_FAILED


def main(words: Optional[List[str]] = None) -> int:
    """Run the command with these words, and return its exit status."""
    def stop(number: int, _: Any) -> None:
        signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt(number)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    try:
        return _do(_parse(sys.argv[1:] if words is None else words))
    except PlanError as error:
        print(f"warpscope study: {error}", file=sys.stderr)
        return EXIT_USAGE
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
    except FileExistsError as error:
        print(f"warpscope study: {error.filename}: exists; name a new file", file=sys.stderr)
        return EXIT_FAILED
    except (StudyStopped, Error, OSError, sqlite3.Error) as error:
        print(f"warpscope study: {error}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt as error:
        print("warpscope study: stopped; the same command goes on from here", file=sys.stderr)
        return 128 + (error.args[0] if error.args else signal.SIGINT)


if __name__ == "__main__":
    sys.exit(main())
