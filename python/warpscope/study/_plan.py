# SPDX-License-Identifier: BSD-3-Clause
"""Plans of studies: what to run, with which parameters, how often, and what to collect.

A plan is checked completely before anything runs. Nothing in it is executed but its command, without a shell.
"""

from __future__ import annotations

import hashlib
import importlib
import itertools
import json
import math
import os
import re
import shutil
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._values import Collected, PlanError, collected_of

Value = Union[int, float, str, bool]
MOST_REPLICATIONS = 32767  # of --replication
MOST_CASES = 100000
_RUN_FILES = ("output.txt", "errors.txt", "report.json", "result.json", "report.html")
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}")
_OWN = ("ranks", "replication", "report", "case", "plan")  # placeholders that the study gives
_KEYS = ("name", "command", "files", "ranks", "launcher", "parameters", "cases", "samples", "seed", "replications", "until",
         "collect", "confidence", "time_limit", "recording", "keep", "pages")


def _near(word: str, known: Sequence[str]) -> str:
    import difflib

    found = difflib.get_close_matches(word, known, 1)
    return f"; did you mean {found[0]}?" if found else f": there are {', '.join(known)}"


def check_keys(where: str, given: Mapping[str, Any], known: Sequence[str]) -> None:
    """Raise PlanError if a mapping has an unknown key."""
    for key in given:
        if key not in known:
            raise PlanError(f"{where}: unknown key {key!r}{_near(str(key), known)}")


def _number(where: str, value: Any, least: float = -math.inf, whole: bool = False) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 1e300:
        raise PlanError(f"{where}: must be a number, not {value!r}")
    if value < least or (whole and value != int(value)):
        raise PlanError(f"{where}: must be {'a whole number' if whole else 'a number'} of at least {least:g}, "
                        f"not {value!r}")
    return int(value) if whole else float(value)


@dataclass(frozen=True)
class Case:
    """A combination of parameters, which is run several times."""

    number: int
    """From 1, in the order of the plan."""
    values: Dict[str, Value]

    @cached_property
    def key(self) -> str:
        """Name of the case's directory: its parameters, and a hash that distinguishes them exactly."""
        digest = hashlib.sha256(json.dumps(self.values, sort_keys=True).encode()).hexdigest()[:8]
        text = re.sub(r"[^A-Za-z0-9.=,+-]", "_", str(self))[:60]
        return f"{text or 'case'}-{digest}"

    def __str__(self) -> str:
        return ",".join(f"{name}={text_of(value)}" for name, value in self.values.items())


@dataclass(frozen=True)
class Until:
    """The rule that ends the replications of a case: a mean known within a relative error."""

    value: str
    within: float
    most: int


@dataclass(frozen=True)
class Plan:
    """A checked plan. `of()` makes one of a mapping, `load()` of a file."""

    name: str
    command: List[str]
    files: Dict[str, str]
    """Texts with placeholders, by the name of the file in the directory of each run."""
    ranks: str
    launcher: Optional[List[str]]
    cases: List[Case]
    replications: int
    until: Optional[Until]
    collect: Dict[str, Collected]
    confidence: float
    time_limit: Optional[float]
    recording: str
    keep: bool
    pages: bool
    directory: str
    """Directory of the plan's file, which replaces {plan}."""
    source: Dict[str, Any] = field(repr=False)
    """The mapping from which the plan was made."""

    @property
    def parameters(self) -> List[str]:
        """Names of the parameters, in the order of the plan."""
        return list(self.cases[0].values)

    def ranks_of(self, case: Case) -> int:
        """Return the number of ranks of a case."""
        text = self._fill("ranks", self.ranks, dict(case.values))
        if not (text.isascii() and text.isdigit() and len(text) < 10) or int(text) < 1:
            raise PlanError(f"ranks: must be a number of at least 1, not {text!r} (case {case})")
        return int(text)

    def argv(self, case: Case, replication: int, report: str, find: bool = True) -> List[str]:
        """Return the command of a replication, with the launcher if there is one. find: with the path of the program.

        Where the command has no placeholders {replication} and {report}, the options follow the program's name.
        """
        ranks = self.ranks_of(case)
        own = {"ranks": ranks, "replication": replication, "report": report, "case": case.number,
               "plan": self.directory}
        words = [self._fill("command", word, {**own, **case.values}) for word in self.command]
        used = {name for word in self.command for name in _names(word)}
        words[1:1] = ([] if "replication" in used else [f"--replication={replication}"]) + (
            [] if "report" in used else [f"--report-json={report}"])
        words[0] = self._program(words[0]) if find else words[0]
        launcher = self.launcher if self.launcher is not None else ["mpirun", "-n", "{ranks}"] if ranks > 1 else []
        return [self._fill("launcher", word, {**own, **case.values}) for word in launcher] + words

    def program_of(self, case: Case) -> str:
        """Return the name of the program as the plan has it; raise PlanError if the ranks of the case are wrong."""
        return self._fill("command", self.command[0], {"ranks": self.ranks_of(case), "plan": self.directory, **case.values})

    def inputs(self, case: Case, replication: int) -> List[str]:
        """Return the program, and the files that arguments with {plan} name."""
        argv = self.argv(case, replication, "report.json")
        named = [self._fill("command", word, {"plan": self.directory, **{name: "" for name in _OWN[:-1]}, **case.values})
                 for word in self.command[1:] if "plan" in _names(word)]
        found = [word for word in argv if os.path.isabs(word)] + [part for word in named for part in (word, word.partition("=")[2])]
        return sorted({path for path in found if os.path.isfile(path)})

    def files_of(self, case: Case, replication: int) -> Dict[str, str]:
        """Return the files of a replication, by name."""
        own = {"ranks": self.ranks_of(case), "replication": replication, "case": case.number, "plan": self.directory}
        return {name: self._fill(f"files.{name}", text, {**own, **case.values}) for name, text in self.files.items()}

    def _program(self, name: str) -> str:
        path = shutil.which(os.path.join(self.directory, name)) if os.sep in name else shutil.which(name)
        if path is None:
            place = f"relative to {self.directory}" if os.sep in name else "in PATH"
            raise PlanError(f"command: there is no program {name} ({place})")
        return os.path.abspath(path)

    @staticmethod
    def _fill(where: str, word: str, values: Mapping[str, Value]) -> str:
        def replace(match: "re.Match[str]") -> str:
            name = match.group(1)
            if name is None:
                return match.group(0)[0]
            if name not in values:
                raise PlanError(f"{where}: {{{name}}} has no values{_near(name, list(dict.fromkeys([*values, *_OWN])))}")
            return text_of(values[name])
        return _PLACEHOLDER.sub(replace, word)


def text_of(value: Value) -> str:
    """Return a value as it stands in a command line."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return str(int(value))  # an option that takes whole numbers refuses 1.0
    return repr(value) if isinstance(value, float) else str(value)


def _names(word: str) -> List[str]:
    return [match.group(1) for match in _PLACEHOLDER.finditer(word) if match.group(1)]


# ---- Cases ----------------------------------------------------------------------------------------------------------

def _text(where: str, text: str) -> str:
    """Return a text that can stand in a command line or a file."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise PlanError(f"{where}: {text!r} is not valid Unicode") from None
    if "\0" in text:
        raise PlanError(f"{where}: {text!r} has a zero character")
    return text


def _scalar(where: str, value: Any) -> Value:
    if isinstance(value, str):
        return _text(where, value)
    if isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise PlanError(f"{where}: must be a number or a text, not {value!r}")


def _range_of(where: str, given: Mapping[str, Any]) -> List[Value]:
    """Return the values of {"from": a, "to": b, "step": s} or {..., "count": n, "scale": "log"}."""
    check_keys(where, given, ("from", "to", "step", "count", "scale"))
    if "from" not in given or "to" not in given or ("step" in given) == ("count" in given):
        raise PlanError(f"{where}: a range has from, to, and either step or count")
    low, high = _number(f"{where}.from", given["from"]), _number(f"{where}.to", given["to"])
    whole = isinstance(given["from"], int) and isinstance(given.get("step", 0.5), int)
    if "step" in given:
        step = _number(f"{where}.step", given["step"])
        if step == 0 or (high - low) / step < 0 or (high - low) / step > MOST_CASES:
            raise PlanError(f"{where}: the steps do not lead from {low:g} to {high:g}")
        values = [low + i * step for i in range(int(math.floor((high - low) / step * (1 + 1e-12) + 1e-9)) + 1)]
        return [int(v) if whole else float(f"{v:.12g}") for v in values]
    count = _number(f"{where}.count", given["count"], 1, whole=True)
    if count > MOST_CASES:
        raise PlanError(f"{where}.count: at most {MOST_CASES}")
    if given.get("scale", "linear") == "log":
        if low <= 0 or high <= 0:
            raise PlanError(f"{where}: a logarithmic range is above 0")
        made = np.geomspace(low, high, int(count))
    elif given.get("scale", "linear") == "linear":
        made = np.linspace(low, high, int(count))
    else:
        raise PlanError(f"{where}.scale: must be linear or log, not {given['scale']!r}")
    return [float(f"{v:.12g}") for v in made]


def _hypercube(parameters: Mapping[str, Any], samples: int, seed: int) -> List[Dict[str, Value]]:
    """Return samples of a Latin hypercube: each range is cut into equal parts, and each part is used once.

    McKay, Beckman & Conover, Technometrics 21 (1979).
    """
    random = np.random.Generator(np.random.PCG64(seed))
    columns = {}
    for name, given in parameters.items():
        where = f"parameters.{name}"
        if not isinstance(given, dict):
            raise PlanError(f"{where}: samples of a Latin hypercube need a range, {{\"from\": ..., \"to\": ...}}")
        check_keys(where, given, ("from", "to", "scale"))
        ends = [_number(f"{where}.{end}", given.get(end)) for end in ("from", "to")]
        if given.get("scale") == "log" and min(ends) <= 0:
            raise PlanError(f"{where}: a logarithmic range is above 0")
        share = (random.permutation(samples) + random.random(samples)) / samples
        if given.get("scale") == "log":
            columns[name] = ends[0] * (ends[1] / ends[0]) ** share
        else:
            columns[name] = ends[0] + (ends[1] - ends[0]) * share
    return [{name: float(f"{column[i]:.9g}") for name, column in columns.items()} for i in range(samples)]


def _cases_of(plan: Mapping[str, Any]) -> List[Case]:
    parameters = plan.get("parameters", {})
    if not isinstance(parameters, dict):
        raise PlanError("parameters: must map names to lists of values or ranges")
    for name in parameters:
        if not _PLACEHOLDER.fullmatch("{" + str(name) + "}") or name in _OWN[1:]:
            raise PlanError(f"parameters: {name!r} is not a name for a parameter")
    if "samples" in plan:
        n = int(_number("samples", plan["samples"], 1, whole=True))
        if n > MOST_CASES:
            raise PlanError(f"samples: at most {MOST_CASES}")
        combinations = _hypercube(parameters, n,
                                  int(_number("seed", plan.get("seed", 1), 0, whole=True)))
    else:
        lists = {}
        for name, given in parameters.items():
            where = f"parameters.{name}"
            values = (_range_of(where, given) if isinstance(given, dict) else
                      [_scalar(where, v) for v in given] if isinstance(given, list) else [_scalar(where, given)])
            if not values:
                raise PlanError(f"{where}: has no values")
            lists[name] = values
        if math.prod(map(len, lists.values())) > MOST_CASES:
            raise PlanError(f"parameters: {math.prod(map(len, lists.values()))} combinations, at most {MOST_CASES}; "
                            "samples takes some of them")
        combinations = [dict(zip(lists, chosen)) for chosen in itertools.product(*lists.values())]
    listed = plan.get("cases", [{}])
    if not isinstance(listed, list) or not listed or not all(isinstance(case, dict) for case in listed):
        raise PlanError("cases: must be a list of mappings from names to values")
    for number, case in enumerate(listed, 1):
        if set(case) != set(listed[0]) or set(case) & set(parameters):
            raise PlanError(f"cases: case {number} must have the names of the first one, none of them in parameters")
    made = [{**{name: _scalar(f"cases.{name}", value) for name, value in case.items()}, **chosen}
            for case in listed for chosen in combinations]
    unique = {json.dumps(values, sort_keys=True): values for values in made}
    return [Case(number, values) for number, values in enumerate(unique.values(), 1)]


# ---- Plans ----------------------------------------------------------------------------------------------------------

def _words(where: str, given: Any) -> List[str]:
    if not isinstance(given, list) or not given or not all(isinstance(word, (str, int, float)) for word in given):
        raise PlanError(f"{where}: must be a list of words, as [\"netsim\", \"--load={{load}}\"]; no shell reads it")
    return [_text(where, word) if isinstance(word, str) else text_of(word) for word in given]


def _files_of(given: Any) -> Dict[str, str]:
    if not isinstance(given, dict):
        raise PlanError("files: must map names to texts or lists of lines")
    made = {}
    for name, text in given.items():
        if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", name) or name in _RUN_FILES:
            raise PlanError(f"files: {name!r} is not possible as the name of a file in the directory of a run")
        lines = text if isinstance(text, list) else [text]
        if not all(isinstance(line, str) for line in lines):
            raise PlanError(f"files.{name}: must be a text or a list of lines")
        for line in lines:
            _text(f"files.{name}", line)
        made[name] = text if isinstance(text, str) else "".join(line + "\n" for line in lines)
    return made


def _until_of(given: Any, collect: Mapping[str, Any], replications: int) -> Until:
    if not isinstance(given, dict):
        raise PlanError("until: must be a mapping with value, within and most")
    check_keys("until", given, ("value", "within", "most"))
    if not isinstance(given.get("value"), str) or given["value"] not in collect:
        raise PlanError(f"until.value: {given.get('value')!r} is not collected{_near(str(given.get('value')), list(collect))}")
    within = _number("until.within", given.get("within"), 0)
    if within == 0:
        raise PlanError("until.within: must be greater than 0, as 0.02 for 2 %")
    most = int(_number("until.most", given.get("most", 1000), replications, whole=True))
    return Until(given["value"], within, min(most, MOST_REPLICATIONS))


def of(given: Mapping[str, Any], directory: str = ".", name: str = "study", find: bool = True) -> Plan:
    """Check a mapping and return the plan. directory: replaces {plan}, and relative programs are looked for there.

    find: False accepts a plan whose program is not there, to read results.
    """
    if not isinstance(given, dict):
        raise PlanError("a plan is a mapping (an object) with the members command, parameters, collect ...")
    check_keys("plan", given, _KEYS)
    collect = given.get("collect", {})
    if not isinstance(collect, dict) or not collect:
        raise PlanError("collect: must map names to what is collected, as {\"delay\": \"mean(event.hops)\"}")
    replications = int(_number("replications", given.get("replications", 1), 1, whole=True))
    if replications > MOST_REPLICATIONS:
        raise PlanError(f"replications: at most {MOST_REPLICATIONS}: there are no more streams that cannot overlap")
    confidence = _number("confidence", given.get("confidence", 0.95), 0)
    if not 0 < confidence < 1:
        raise PlanError("confidence: must be between 0 and 1, as 0.95")
    limit = given.get("time_limit")
    recording = given.get("recording", "stats-output")
    own_names = {*_RUN_FILES, *(given["files"] if isinstance(given.get("files"), dict) else ())}
    if not isinstance(recording, str) or os.path.isabs(recording) or ".." in recording.split("/") or (
            os.path.normpath(recording or ".").split("/")[0] in {".", *own_names}):
        raise PlanError("recording: must name a directory below that of the run")
    for key in ("keep", "pages"):
        if not isinstance(given.get(key, True), bool):
            raise PlanError(f"{key}: must be true or false")
    plan = Plan(
        name=_name_of(given.get("name", name)), command=_words("command", given.get("command")),
        files=_files_of(given.get("files", {})),
        ranks=text_of(_scalar("ranks", given.get("ranks", 1))),
        launcher=_words("launcher", given["launcher"]) if given.get("launcher") else given.get("launcher"),
        cases=_cases_of(given), replications=replications,
        until=None if "until" not in given else _until_of(given["until"], collect, replications),
        collect={str(key): collected_of(str(key), what) for key, what in collect.items()},
        confidence=confidence, time_limit=None if limit is None else _number("time_limit", limit, 1e-3),
        recording=recording, keep=given.get("keep", True), pages=given.get("pages", False), directory=os.path.abspath(directory), source=dict(given))
    unused = [n for n in plan.parameters if n != "ranks" and
              not any(n in _names(w) for w in [*plan.command, *plan.files.values(), *(plan.launcher or []), plan.ranks])]
    if unused:
        raise PlanError(f"parameters: {', '.join(unused)}: neither the command nor a file has the placeholder {{{unused[0]}}}")
    columns = [key.lower() for key in (*plan.parameters, *plan.collect)]
    if len(set(columns)) < len(columns):
        raise PlanError("parameters, collect: two names differ only in capitals, or not at all")
    plan.files_of(plan.cases[0], 1)
    for case in {plan.program_of(case): case for case in plan.cases}.values():
        plan.argv(case, 1, "report.json", find)
    return plan


def _name_of(name: Any) -> str:
    if not isinstance(name, str) or not name or name.startswith(".") or "/" in _text("name", name):
        raise PlanError("name: must be a text without /, which does not begin with a dot")
    return name


def load(path: str) -> Plan:
    """Read a plan from a file, JSON or (NAME.toml) TOML."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise PlanError(f"{path}: {error.strerror}") from None
    try:
        if path.endswith(".toml"):
            given = _toml().loads(data.decode())
        else:
            given = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise PlanError(f"{path}: {error}") from None
    directory = os.path.dirname(os.path.abspath(path))
    name = os.path.splitext(os.path.basename(path))[0]
    try:
        return of(given, directory, name)
    except PlanError as error:
        raise PlanError(f"{path}: {error}") from None


def _toml() -> Any:
    for name in ("tomllib", "tomli"):
        try:
            return importlib.import_module(name)
        except ImportError:
            pass
    raise PlanError("plans in TOML need Python 3.11 or the package tomli; JSON needs neither")
