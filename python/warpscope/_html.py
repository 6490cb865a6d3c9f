# SPDX-License-Identifier: BSD-3-Clause
"""HTML that notebooks show for runs and tables. Names in recordings can be any text, so all texts are escaped."""

from __future__ import annotations

import html
import unicodedata
from typing import TYPE_CHECKING, Iterable, List

if TYPE_CHECKING:  # pragma: no cover
    from ._run import Run
    from ._table import Table

_FACTS = ("command", "scheduler", "ranks", "total_lps", "kps_per_pe", "end_time", "start_date", "host", "version")


def visible(text: str) -> str:
    """Return the text with numbers in place of control and direction characters, which could hide other characters."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        one if unicodedata.category(one)[0] != "C" else f"\\x{ord(one):02x}" if ord(one) < 256 else f"\\u{ord(one):04x}"
        for one in text)


def _cell(text: object, tag: str = "td") -> str:
    return f'<{tag} style="text-align:left">{html.escape(visible(str(text)))}</{tag}>'


def _rows(rows: Iterable[Iterable[object]]) -> str:
    return "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)


def _headed(titles: List[str], rows: Iterable[Iterable[object]]) -> str:
    head = "".join(_cell(title, "th") for title in titles)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{_rows(rows)}</tbody></table>"


def run_html(run: "Run") -> str:
    """Return HTML with the facts, the tables and the faults of a run."""
    if run.closed:
        return f"<p>{html.escape(repr(run))}</p>"
    state = "complete" if run.complete else "incomplete"
    parts = [f"<p><b>Warpscope recording</b> {html.escape(visible(run.path))}, {state}</p>"]
    if len(run._prefixes) > 1:
        parts.append(f"<p>{len(run._prefixes)} runs: {html.escape(visible(', '.join(run._prefixes)))}</p>")
    else:
        facts = run.facts
        parts.append(f"<table><tbody>{_rows((name, facts[name]) for name in _FACTS if name in facts)}</tbody></table>")
    parts.append(_headed(["table", "records", "fields", "a record is", "file"], (
        (table.name, f"{len(table):,}", len(table.fields), table.text, table.file.path) for table in run.tables)))
    faults = run.faults
    if faults:
        lines = "".join(f"<li>{html.escape(visible(line))}</li>" for line in faults)
        parts.append(f"<p><b>Damage</b></p><ul>{lines}</ul>")
    return "".join(parts)


def table_html(table: "Table") -> str:
    """Return HTML with the fields of a table."""
    fields = table.fields.values()
    return f"<p>{html.escape(repr(table))}</p>" + _headed(
        ["field", "type", "unit", "what it tells"],
        ((field.name, field.type + (", optional" if field.optional else ""), field.unit, field.text)
         for field in fields))
