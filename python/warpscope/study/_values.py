# SPDX-License-Identifier: BSD-3-Clause
"""What a study collects of a run: expressions over records, members of the report, lines of the output.

An expression is a syntax tree of few kinds of nodes, evaluated here: it can name columns, compute, and nothing else.
"""

from __future__ import annotations

import ast
import json
import math
import operator
import re
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

import numpy as np

from .._errors import Error, InvalidArgumentError, NotRecordedError


class PlanError(InvalidArgumentError):
    """A plan, or what it collects, is wrong; the message says where."""


class ValueMissing(Error):
    """A run does not have a value that the plan collects."""


TABLES = {"events": "event", "model": "model_lp", "gvt": "gvt_pe", "rt": "rt_pe", "vt": "vt_pe"}
_OPERATORS: Dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne}
_AGGREGATES = {"min": 1, "max": 1, "mean": 1, "sum": 1, "count": 1, "quantile": 2}
_SELECTIONS = ("since", "until", "lps", "types", "where")
_LONGEST = 10000


@dataclass
class _Aggregate:
    """A call such as mean(event.hops > 3): a function of the rows of one table."""

    function: str
    table: str
    argument: ast.expr
    p: float
    columns: List[str]


@dataclass(frozen=True)
class Collected:
    """A value to collect: exactly one of expression, report and line is set."""

    name: str
    expression: Optional[ast.expr] = None
    text: str = ""
    report: Optional[str] = None
    line: Optional[str] = None
    select: Tuple[Tuple[str, Any], ...] = ()
    source: Any = None


def collected_of(name: str, given: Any) -> Collected:
    """Check a member of "collect": the text of an expression, or a mapping with expression, report or line."""
    try:
        return _collected_of(name, given, f"collect.{name}")
    except (OverflowError, RecursionError):
        raise PlanError(f"collect.{name}: a number is too large, or the expression too deep") from None


def _collected_of(name: str, given: Any, where: str) -> Collected:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise PlanError(f"{where}: the name must consist of letters, digits and _")
    what = {"expression": given} if isinstance(given, str) else given
    if not isinstance(what, dict):
        raise PlanError(f"{where}: must be an expression, or a mapping with expression, report or line")
    for key in what:
        if key not in ("expression", "report", "line", *_SELECTIONS):
            raise PlanError(f"{where}: unknown key {key!r}: there are expression, report, line, {', '.join(_SELECTIONS)}")
    kinds = [key for key in ("expression", "report", "line") if key in what]
    if len(kinds) != 1 or not isinstance(what[kinds[0]], str):
        raise PlanError(f"{where}: must have one of expression, report and line, a text")
    select = tuple((key, what[key]) for key in _SELECTIONS if what.get(key) is not None)
    if kinds[0] != "expression":
        if select:
            raise PlanError(f"{where}: {select[0][0]} chooses records of an expression, not of a {kinds[0]}")
        return Collected(name, **{kinds[0]: what[kinds[0]]}, source=given)
    tree = _parsed(where, what["expression"])
    _aggregates(where, tree)
    return Collected(name, tree, what["expression"], select=select, source=given)


def _parsed(where: str, text: str) -> ast.expr:
    if len(text) > _LONGEST:
        raise PlanError(f"{where}: an expression has at most {_LONGEST} characters")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise PlanError(f"{where}: {text!r}: {getattr(error, 'msg', None) or error}") from None


def _refused(where: str, node: ast.AST) -> PlanError:
    text = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
    return PlanError(f"{where}: {text!r} is not possible in an expression: there are columns such as event.hops, "
                     f"numbers, + - * / comparisons, {', '.join(_AGGREGATES)}")


def _number_of(node: ast.expr) -> Optional[float]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number_of(node.operand)
        return None if inner is None else -inner
    is_number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
    return float(node.value) if is_number else None


def _parts(where: str, node: ast.expr) -> List[ast.expr]:
    """Return the operands of an operation; raise PlanError if the node is not one."""
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return [node.left, node.right]
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OPERATORS:
        return [node.left, node.comparators[0]]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return [node.operand]
    raise _refused(where, node)


def _columns(where: str, node: ast.expr) -> List[Tuple[str, str]]:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return [(TABLES.get(node.value.id, node.value.id), node.attr)]
    if _number_of(node) is not None:
        return []
    return [column for part in _parts(where, node) for column in _columns(where, part)]


def _aggregate(where: str, node: ast.Call) -> _Aggregate:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in _AGGREGATES or node.keywords or len(node.args) != _AGGREGATES[name]:
        raise _refused(where, node)
    p = _number_of(node.args[1]) if name == "quantile" else 0.0
    if p is None or not 0 <= p <= 1:
        raise PlanError(f"{where}: quantile(column, p) needs a p between 0 and 1")
    argument = node.args[0]
    if isinstance(argument, ast.Name) and name == "count":  # count(event): rows
        return _Aggregate(name, TABLES.get(argument.id, argument.id), argument, p, [])
    columns = _columns(where, argument)
    tables = {table for table, _ in columns}
    if len(tables) != 1:
        raise PlanError(f"{where}: {ast.unparse(node)!r} must have columns of one table, as {name}(event.hops)")
    return _Aggregate(name, tables.pop(), argument, p, sorted({column for _, column in columns}))


def _aggregates(where: str, node: ast.expr) -> List[_Aggregate]:
    """Return the aggregates of an expression; raise PlanError if it has none or anything else."""
    def walk(part: ast.expr) -> List[_Aggregate]:
        if isinstance(part, ast.Call):
            return [_aggregate(where, part)]
        if _number_of(part) is not None:
            return []
        if isinstance(part, (ast.Attribute, ast.Name)):
            raise PlanError(f"{where}: {ast.unparse(part)!r} is a column: say of it min, max, mean, sum, count or quantile")
        return [found for operand in _parts(where, part) for found in walk(operand)]
    found = walk(node)
    if not found:
        raise PlanError(f"{where}: the expression has no column")
    return found


def _computed(node: ast.expr, leaf: Callable[[ast.expr], Any]) -> Any:
    """Return the value of a tree whose leaves, columns or calls, have values."""
    number = _number_of(node)
    if number is not None:
        return number
    if isinstance(node, (ast.Attribute, ast.Call)):
        return leaf(node)
    if isinstance(node, ast.UnaryOp):
        return -_computed(node.operand, leaf)
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_computed(node.left, leaf), _computed(node.right, leaf))
    assert isinstance(node, ast.Compare)
    return _OPERATORS[type(node.ops[0])](_computed(node.left, leaf), _computed(node.comparators[0], leaf)) * 1.0


def _as_floats(column: np.ndarray, name: str) -> np.ndarray:
    if not np.issubdtype(column.dtype, np.number) and column.dtype != bool:
        raise PlanError(f"{name} is a text: choose its records by where, as \"{name}==...\"")
    return column.astype(float)


def _aggregate_value(aggregate: _Aggregate, table: Any, select: Mapping[str, Any]) -> float:
    """Return an aggregate over the chosen rows, read in blocks; absent values of optional columns do not count."""
    kept: List[np.ndarray] = []
    count, total, low, high = 0, [], math.inf, -math.inf
    fields = aggregate.columns or [next(iter(table.fields))]
    for block in table.blocks(fields=fields, **select):
        if not aggregate.columns:
            count += block.records
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            made = _computed(aggregate.argument, lambda node: _as_floats(block[node.attr], node.attr))
        array = np.ma.compressed(made) if isinstance(made, np.ma.MaskedArray) else np.asarray(made)
        if aggregate.function == "count":
            count += int(np.count_nonzero(array))
            continue
        count += len(array)
        if len(array) > 0:
            total.append(float(array.sum()))
            low, high = min(low, float(array.min())), max(high, float(array.max()))
            if aggregate.function == "quantile":
                kept.append(array)
    if aggregate.function in ("sum", "count"):
        return math.fsum(total) if aggregate.function == "sum" else float(count)
    if count == 0:
        raise ValueMissing(f"no record is chosen, so there is no {aggregate.function}")
    return {"mean": lambda: math.fsum(total) / count, "min": lambda: low, "max": lambda: high,
            "quantile": lambda: float(np.quantile(np.concatenate(kept), aggregate.p))}[aggregate.function]()


def _report_value(report: Mapping[str, Any], path: str) -> float:
    node: Any = report
    for part in path.split("."):
        if isinstance(node, dict) and part in node:
            node = node[part]
        elif isinstance(node, list) and part.isdigit() and int(part) < len(node):
            node = node[int(part)]
        else:
            there = ", ".join(node) if isinstance(node, dict) else f"a {type(node).__name__}"
            raise ValueMissing(f"the report has no member {path!r}; at {part!r} there is {there}")
    if isinstance(node, bool) or not isinstance(node, (int, float)):
        raise ValueMissing(f"member {path!r} of the report is not a number")
    return float(node)


_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)(?:inity)?"


def _line_value(output: str, line: str) -> float:
    """Return the number behind a text, in the last line of the output that has both with only blanks, : or = between."""
    found = None
    for match in re.finditer(r"(?<!\w)" + re.escape(line) + r"[ \t:=]*(" + _NUMBER + r")(?![\w.]|,\d)", output, re.IGNORECASE):
        found = match
    if found is None:
        raise ValueMissing(f"the output has no line {line!r} with a number behind it (blanks, : or = may stand between)")
    return float(found.group(1))


def value_of(what: Collected, recording: Callable[[], Any], report: Callable[[], str],
             output: Callable[[], str]) -> float:
    """Return a value of a run. The functions return its opened recording, its report's text, and its output.

    Raise ValueMissing, with a message that begins with the value's name, if the run does not have it.
    """
    where = f"collect.{what.name}"
    try:
        if what.report is not None:
            value = _report_value(json.loads(report()), what.report)
        elif what.line is not None:
            value = _line_value(output(), what.line)
        else:
            run, select = recording(), dict(what.select)
            assert what.expression is not None
            value = float(_computed(what.expression, lambda node: _aggregate_value(
                _aggregate(where, node), run[_aggregate(where, node).table], select)))
    except NotRecordedError as error:
        raise ValueMissing(f"{where}: {error}") from None
    except (Error, OSError, ValueError, ZeroDivisionError) as error:
        raise ValueMissing(f"{where}: {error}") from None
    if not math.isfinite(value):
        raise ValueMissing(f"{where}: the value is {value}, not a finite number")
    return value
