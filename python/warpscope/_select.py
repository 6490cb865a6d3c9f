# SPDX-License-Identifier: BSD-3-Clause
"""Converts the keyword arguments that select records to the library's struct wsr_select."""

from __future__ import annotations

import ctypes
import math
import numbers
import re
from typing import Any, Dict, Iterable, Iterator, Optional, Sequence, Union

from . import _library
from ._errors import InvalidArgumentError

Numbers = Union[None, str, int, Iterable[int]]
Names = Union[None, str, Sequence[str]]

ARGUMENTS = ("pes", "kps", "lps", "types", "since", "until", "where", "fields")
_NUMBERS = re.compile(r"\s*\d+(\s*-\s*\d+)?(\s*,\s*\d+(\s*-\s*\d+)?)*\s*")


def merged(given: Dict[str, Any], more: Dict[str, Any]) -> Dict[str, Any]:
    """Return the arguments that combine two selections. Rows must satisfy both; the columns are those of `more`.

    Raise InvalidArgumentError if both choose pes, kps, lps or types, and the choices differ.
    """
    for name in more:
        if name not in ARGUMENTS:
            raise TypeError(f"unknown argument {name!r}; records are chosen by {', '.join(ARGUMENTS)}")
    both = dict(given)
    for name, value in more.items():
        if value is None:
            continue
        if isinstance(value, Iterator):  # its elements are needed more than once
            value = list(value)
        if name in given and name != "fields":
            value = _both(name, given[name], value)
        both[name] = value
    return both


def _both(name: str, one: Any, other: Any) -> Any:
    """Return the value of the argument `name` that selects the rows which both given values select."""
    if name == "since":
        return max(_time(name, one), _time(name, other))
    if name == "until":
        return min(_time(name, one), _time(name, other))
    if name == "where":
        for condition in (one, other):
            if not isinstance(condition, str):
                raise _no_condition(condition)
        return f"({one}) && ({other})" if one and other else one or other
    text = _names if name == "types" else _numbers
    first, second = ({part.strip() for part in text(name, value).split(",")} for value in (one, other))
    if first != second:
        raise InvalidArgumentError(
            f"{name} is chosen already, as {one!r}: choose {other!r} from a table of which {name} is not chosen")
    return one


def _no_condition(value: Any) -> TypeError:
    return TypeError(f"where must be a text such as 'hops>3', not {value!r}")


def _number(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name}: {value!r} is no number of a PE, KP or LP")
    if value < 0:
        raise InvalidArgumentError(f"{name}: {value} is negative")
    return int(value)


def _numbers(name: str, value: Any) -> str:
    """Return numbers as a text for the library. value: for example 3, range(4, 8), [0, 2] or "0,2,4-7"."""
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Integral):
        return str(_number(name, value))
    if isinstance(value, range) and value.step == 1 and len(value) > 0:
        return f"{_number(name, value.start)}-{value.stop - 1}"
    try:
        several = [one if isinstance(one, str) else str(_number(name, one)) for one in value]
    except TypeError as error:
        raise TypeError(f"{name} must be a number, numbers, or a text such as '0,2,4-7': {error}") from None
    if not several:
        raise InvalidArgumentError(f"{name} is empty")
    return ",".join(several)


def _names(name: str, value: Any) -> str:
    if isinstance(value, str):
        several = [value]
    else:
        try:
            several = list(value)
        except TypeError:
            several = [None]
    for one in several:
        if not isinstance(one, str):
            raise TypeError(f"{name} must be a text or texts, not {value!r}")
    if not several or any(not one.strip() for one in several):
        raise InvalidArgumentError(f"{name} is empty")
    if name == "fields" and len(set(several)) < len(several):
        raise InvalidArgumentError("fields has a name twice")
    return ",".join(several)


def _time(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a virtual time, not {value!r}")
    if math.isnan(value):
        raise InvalidArgumentError(f"{name} is not a number")
    return float(value)


def _encoded(name: str, text: Optional[str]) -> Optional[bytes]:
    if text is None:
        return None
    if "\0" in text:
        raise InvalidArgumentError(f"{name} has a zero character")
    return text.encode("utf-8", "surrogateescape")


def select_of(chosen: Dict[str, Any]) -> _library.Select:
    """Return the struct for keyword arguments. A value of `lps` that is not a list of numbers selects types of LPs."""
    texts: Dict[str, Optional[str]] = {}
    for name in ("pes", "kps", "lps"):
        value = chosen.get(name)
        texts[name] = None if value is None else _numbers(name, value)
    for name in ("types", "fields"):
        value = chosen.get(name)
        texts[name] = None if value is None else _names(name, value)
    if texts["lps"] is not None and not _NUMBERS.fullmatch(texts["lps"]):
        if texts["types"] is not None:
            raise InvalidArgumentError("lps and types both name types of LPs: give one of them")
        texts["types"], texts["lps"] = _names("lps", texts["lps"]), None
    where = chosen.get("where")
    if where is not None and not isinstance(where, str):
        raise _no_condition(where)
    select = _library.Select()
    select.size = ctypes.sizeof(select)
    for name, text in {**texts, "where": where}.items():
        setattr(select, name, _encoded(name, text))
    since, until = chosen.get("since"), chosen.get("until")
    setattr(select, "from", math.nan if since is None else _time("since", since))
    select.to = math.nan if until is None else _time("until", until)
    return select
