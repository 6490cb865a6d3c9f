# SPDX-License-Identifier: BSD-3-Clause
"""The page of a study, one HTML file without scripts: ``warpscope report STUDY``."""

from __future__ import annotations

import argparse
import math
import os
import sys
from html import escape
from itertools import groupby
from typing import Any, Dict, List, Optional, Sequence, Tuple
from urllib.parse import quote

from .. import __version__
from .._errors import Error
from ._plan import Case, PlanError, Value, text_of
from ._study import Result, Study

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 600, 320, 72, 16, 14, 46
COLOURS = ("#1f6fb2", "#b8500f", "#1c7a4d", "#7a4fb5", "#a8321f", "#566173", "#0f7f8c", "#8a6d00")
MOST_LINES = len(COLOURS)
MOST_ROWS = 200

STYLE = """
:root { color-scheme: light dark; --page: #f5f6f8; --panel: #fff; --text: #1b2230; --soft: #566173; --line: #d9dee6; --accent: #1f6fb2;
  --bad: #a8321f; --bad-soft: #fdf0ec }
@media (prefers-color-scheme: dark) { :root { --page: #12161d; --panel: #1a202a; --text: #e3e8ef; --soft: #9aa6b8; --line: #303948;
  --accent: #6cb2f0; --bad: #f08b77; --bad-soft: #351f1d } .chart { filter: brightness(1.35) } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1360px; padding: 0 24px 24px; background: var(--page); color: var(--text);
  font: 14px/1.45 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums }
h1 { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: baseline; font-size: 20px; margin: 16px 0 4px; overflow-wrap: anywhere }
h1 small { font-size: 12px; font-weight: 400; color: var(--soft); margin-left: auto }
h2 { font-size: 16px; margin: 22px 0 8px } h3 { font-size: 14px; margin: 0 0 6px }
.soft { color: var(--soft) } code { overflow-wrap: anywhere }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 480px), 640px)); gap: 14px }
section { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 12px 14px; overflow-x: auto; margin: 0 0 14px }
.panels section { margin: 0 }
table { border-collapse: collapse; min-width: 50% } th, td { text-align: right; padding: 3px 10px; border-bottom: 1px solid var(--line); white-space: nowrap }
th { font-weight: 600; color: var(--soft) } .text { text-align: left } .say { white-space: normal; text-align: left; min-width: 20em }
.remarks { background: var(--bad-soft); border-left: 4px solid var(--bad); padding: 8px 14px; margin: 0 0 14px } .remarks p { margin: 4px 0 }
svg { display: block; width: 100%; height: auto } svg text { font-size: 12px; fill: var(--text) } .tick { stroke: var(--line) }
.legend { display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 4px 0 0; font-size: 12px }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 6px; margin-right: 5px; vertical-align: -1px }
a { color: var(--accent) }
"""


def number(value: Optional[float]) -> str:
    """Return a number with five digits for people, or a dash."""
    if value is None or not math.isfinite(value):
        return "–"
    if value == int(value) and abs(value) < 1e9:
        return f"{int(value):,}"
    if not 1e-4 <= abs(value) < 1e9:
        return f"{value:.4e}"
    return f"{value:,.0f}" if abs(value) >= 99999.5 else f"{value:,.5g}"


class Html(str):
    """A text that is HTML already; all other texts are escaped."""


def _table(names: Sequence[str], rows: Sequence[Sequence[Any]], text: int = 0) -> str:
    """Return a table; the first `text` columns are texts."""
    def cell(tag: str, i: int, value: Any) -> str:
        shown = value if isinstance(value, Html) else escape(
            value if isinstance(value, str) else number(value))
        return f"<{tag}{' class=text' if i < text else ''}>{shown}</{tag}>"
    head = "".join(cell("th", i, name) for i, name in enumerate(names))
    return f"<table><thead><tr>{head}</tr></thead><tbody>" + "".join(
        "<tr>" + "".join(cell("td", i, v) for i, v in enumerate(row)) + "</tr>" for row in rows) + "</tbody></table>"


# ---- Charts ---------------------------------------------------------------------------------------------------------

def ticks(low: float, high: float, most: int = 6) -> List[float]:
    """Return round numbers between two ends."""
    span = high - low or abs(high) or 1.0
    step = 10 ** math.floor(math.log10(span / most))
    step *= next(factor for factor in (1, 2, 5, 10, 20) if span / (step * factor) <= most)
    first = math.ceil(low / step - 1e-9)
    return [float(f"{i * step:.12g}") for i in range(first, math.floor(high / step + 1e-9) + 1)]


Point = Tuple[float, float, float, float, str]  # x, mean, low, high, text


class _Chart:
    """Lines of means with error bars over a parameter, and the single runs behind them."""

    def __init__(self, x_name: str, levels: Sequence[Value]) -> None:
        self.x_name, self.levels = x_name, list(levels)
        self.is_number = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in levels)
        xs = [float(v) for v in levels] if self.is_number else list(range(len(levels)))
        margin = (max(xs) - min(xs)) * 0.06 or 0.5
        self.x_low, self.x_high = min(xs) - margin, max(xs) + margin

    def place(self, value: Value) -> float:
        return float(value) if self.is_number else float(self.levels.index(value))

    def draw(self, y_name: str, lines: Sequence[Tuple[str, List[Point]]], dots: Sequence[Tuple[float, float]],
             joined: bool) -> str:
        ys = [v for _, points in lines for p in points for v in p[1:4] if math.isfinite(v)] + [y for _, y in dots]
        low, high = min(ys), max(ys)
        margin = (high - low) * 0.06 or abs(high) * 0.05 or 1.0
        low, high = low - margin, high + margin

        def px(x: float) -> float:
            return round(LEFT + (x - self.x_low) / (self.x_high - self.x_low) * (WIDTH - LEFT - RIGHT), 1)

        def py(y: float) -> float:
            return round(HEIGHT - BOTTOM - (y - low) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)
        out = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(y_name)} by {escape(self.x_name)}">']
        for y in ticks(low, high):
            out.append(f'<line class=tick x1={LEFT} x2={WIDTH - RIGHT} y1={py(y)} y2={py(y)} />'
                       f'<text x={LEFT - 6} y={py(y) + 4} text-anchor=end>{number(y)}</text>')
        shown = [(x, number(x)) for x in ticks(self.x_low, self.x_high, 8)
                 if x == int(x) or not all(isinstance(v, int) for v in self.levels)] if self.is_number else [
            (float(i), text_of(v)[:14]) for i, v in enumerate(self.levels)]
        out += [f'<text x={px(x)} y={HEIGHT - BOTTOM + 18} text-anchor=middle>{escape(text)}</text>' for x, text in shown]
        out.append(f'<text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 6} text-anchor=middle>{escape(self.x_name)}</text>'
                   f'<g class=chart>')
        out += [f'<circle cx={px(x)} cy={py(y)} r=2.2 fill="#888" opacity=.4 />' for x, y in dots]
        for colour, (_, points) in zip(COLOURS, lines):
            if joined and len(points) > 1:
                path = " ".join(f"{px(p[0])},{py(p[1])}" for p in points)
                out.append(f'<polyline points="{path}" fill=none stroke="{colour}" stroke-width=1.8 />')
            for x, mean, down, up, text in points:
                if math.isfinite(down) and math.isfinite(up):
                    out.append(f'<path d="M{px(x) - 4} {py(up)}h8m-4 0V{py(down)}m-4 0h8" stroke="{colour}" fill=none />')
                out.append(f'<circle cx={px(x)} cy={py(mean)} r=3.6 fill="{colour}"><title>{escape(text)}</title></circle>')
        return "".join(out) + "</g></svg>"


def _levels(study: Study, name: str) -> List[Value]:
    found = {json_key(case.values[name]): case.values[name] for case in study.cases}
    values = list(found.values())
    return sorted(values) if all(isinstance(v, (int, float)) for v in values) else values


def json_key(value: Value) -> str:
    """Return a text that distinguishes values, also 1 and "1"."""
    return f"{type(value).__name__}:{value}"


def _response(study: Study, value: str, parameter: str) -> str:
    """Return the chart of a value over a parameter, a line for each combination of the other parameters."""
    levels = _levels(study, parameter)
    chart, others = _Chart(parameter, levels), [p for p in study.plan.parameters if p != parameter]
    lines: Dict[str, List[Point]] = {}
    dots: List[Tuple[float, float]] = []
    for case in study.cases:
        found = study.interval(case, value)
        if found is not None:
            x = chart.place(case.values[parameter])
            key = ", ".join(f"{p}={text_of(case.values[p])}" for p in others)
            text = f"{case}: {number(found.estimate)}" + (
                f", {number(found.low)} to {number(found.high)}" if found.n > 1 else "") + f" (n={found.n})"
            lines.setdefault(key, []).append((x, found.estimate, found.low, found.high, text))
            dots += [(x, y) for y in study.values(case, value)] if len(study.cases) <= MOST_ROWS else []
    if not lines:
        return ""
    sampled = len(lines) > MOST_LINES or all(len(points) == 1 for points in lines.values())
    if sampled:  # one colour: the cases, and no lines between them
        lines = {"": [point for points in lines.values() for point in points]}
    for points in lines.values():
        points.sort()
    body = chart.draw(value, list(lines.items()), dots, joined=not sampled)
    legend = "".join(f'<span><i style="background:{colour}"></i>{escape(key)}</span>'
                     for colour, key in zip(COLOURS, lines) if key)
    return (f"<section><h3>{escape(value)} by {escape(parameter)}</h3>{body}"
            + (f'<p class=legend>{legend}</p>' if legend else "") + "</section>")


def _effects(study: Study, value: str) -> str:
    """Return the main effects: the mean of a value over all cases with a level, and how far it goes from level to level."""
    rows = []
    for parameter in study.plan.parameters:
        by_level: Dict[str, List[float]] = {}
        for case in study.cases:
            found = study.interval(case, value)
            if found is not None:
                by_level.setdefault(text_of(case.values[parameter]), []).append(found.estimate)
        if len(by_level) > 1 and any(len(means) > 1 for means in by_level.values()):
            means = {level: sum(m) / len(m) for level, m in by_level.items()}
            low, high = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
            rows.append([parameter, means[low], low, means[high], high, means[high] - means[low]])
    if not rows:
        return ""
    rows.sort(key=lambda row: -row[-1])
    return (f"<section><h3>Main effects on {escape(value)}</h3><p class=soft>Means over all cases with a level of the parameter.</p>"
            + _table(["parameter", "least", "at", "greatest", "at", "difference"], rows, 1) + "</section>")


# ---- The page -------------------------------------------------------------------------------------------------------

def _cases(study: Study) -> str:
    percent = f"{100 * study.plan.confidence:g} %"
    names = [*study.plan.parameters, "runs"]
    for value in study.plan.collect:
        names += [value, f"± ({percent})"]
    rows = []
    for case in study.cases[:MOST_ROWS]:
        row: List[Any] = [text_of(v) for v in case.values.values()]
        row.append(sum(r.status == "ok" for r in study.results(case)))
        for value in study.plan.collect:
            found = study.interval(case, value)
            row += [None, None] if found is None else [found.estimate, found.half]
        rows.append(row)
    more = len(study.cases) - len(rows)
    note = f"<p class=soft>{more} more: warpscope study table {escape(study.directory)}</p>" if more > 0 else ""
    return f"<section>{_table(names, rows)}{note}</section>"


def _link(study: Study, result: Result, base: str) -> str:
    page = os.path.join(result.directory, "report.html")
    target = os.path.relpath(page if os.path.exists(page) else result.directory, base)
    text = os.path.relpath(result.directory, os.path.join(study.directory, "runs"))
    return Html(f'<a href="{escape(quote(target))}">{escape(text)}</a>')


def _runs(study: Study, base: str) -> str:
    results = list(study.all_results())
    bad = [r for r in results if r.status != "ok"]
    slow = sorted((r for r in results if r.status == "ok"), key=lambda r: -r.seconds)
    parts = []
    if bad:
        rows = [[_link(study, r, base), r.status, r.seconds, Html(f"<span class=say>{escape(r.message)}</span>")] for r in bad[:20]]
        parts.append(f"<section><h3>Failed runs ({len(bad)})</h3>{_table(['run', 'why', 'seconds', 'message'], rows, 2)}</section>")
    if slow:
        middle = sorted(r.seconds for r in slow)[len(slow) // 2]
        rows = [[_link(study, r, base), r.seconds, r.seconds / middle if middle else None] for r in slow[:10]]
        parts.append(f"<section><h3>Slowest runs</h3>{_table(['run', 'seconds', 'of the median'], rows, 1)}</section>")
    if len(results) <= MOST_ROWS:
        rows = []
        for case, runs in groupby(results, key=lambda r: str(r.case)):
            links = " ".join(_link(study, r, base).replace(f">{r.case.key}/", ">") for r in runs)
            rows.append([case or "all", Html(f"<span>{links}</span>")])
        parts.append(f"<section><h3>All runs</h3><p class=soft>A link leads to the run's own page, where warpscope report wrote one "
                     f"(report.html), or to its directory.</p>{_table(['case', 'replications'], rows, 2)}</section>")
    return "".join(parts)


def page_of(study: Study, title: Optional[str] = None, base: str = ".") -> str:
    """Return the page. base: directory of the file, to which links are relative."""
    plan, results = study.plan, list(study.all_results())
    bad = sum(r.status != "ok" for r in results)
    heading = title or f"{plan.name}, a study"
    parts = [f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
             f"<title>{escape(heading)}</title><style>{STYLE}</style>"
             f"<h1>{escape(heading)}<small>Warpscope {escape(__version__)}</small></h1>"
             f"<p class=soft>{len(study.cases)} case(s), {len(results) - bad} good run(s), {bad} failed; "
             f"<code>{escape(' '.join(plan.command))}</code></p>"]
    remarks = study.remarks()
    if remarks:
        parts.append("<div class=remarks>" + "".join(f"<p>{escape(text)}</p>" for text in remarks) + "</div>")
    parts.append("<h2>Cases</h2>" + _cases(study))
    varied = [p for p in plan.parameters if len(_levels(study, p)) > 1]
    for value in plan.collect:
        charts = "".join(_response(study, value, parameter) for parameter in varied)
        if charts:
            parts.append(f"<h2>{escape(value)}</h2><div class=panels>{charts}{_effects(study, value)}</div>")
    if varied:
        parts.append(f"<p class=soft>Points are means over replications, bars their {100 * plan.confidence:g} % intervals, grey dots "
                     "the runs.</p>")
    parts.append("<h2>Runs</h2>" + _runs(study, base))
    return "".join(parts) + "</html>\n"


def main(words: Optional[List[str]] = None) -> int:
    """Write the page that the command line asks for, and return the exit status."""
    parser = argparse.ArgumentParser(prog="warpscope report", allow_abbrev=False, description="Writes the page of a study.")
    parser.add_argument("study", metavar="STUDY")
    parser.add_argument("--output", "-o", metavar="FILE")
    parser.add_argument("--title", metavar="TEXT")
    parser.add_argument("--force", action="store_true")
    arguments = parser.parse_args(words)
    path = arguments.output or os.path.basename(os.path.abspath(arguments.study)) + ".html"
    try:
        study = Study(arguments.study)
        text = page_of(study, arguments.title, "." if path == "-" else os.path.dirname(os.path.abspath(path)))
        if path == "-":
            sys.stdout.write(text)
        else:
            with open(path, "w" if arguments.force else "x", encoding="utf-8") as file:
                file.write(text)
            if arguments.output is None:
                print(path)
    except FileExistsError:
        print(f"warpscope report: {path}: exists; --force replaces it, --output names another", file=sys.stderr)
        return 1
    except PlanError as error:
        print(f"warpscope report: {error}", file=sys.stderr)
        return 2
    except (Error, OSError) as error:
        print(f"warpscope report: {error}", file=sys.stderr)
        return 1
    return 0 if all(r.status == "ok" for r in study.all_results()) else 1


if __name__ == "__main__":
    sys.exit(main())
