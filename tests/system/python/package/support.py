# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the Python package share: the recordings that the script made, and the command."""

import json
import math
import os
import re
import subprocess
import unittest

import numpy as np

RECORDINGS = ("stats-output", "made", "odd", "names", "tasks")


def command(*arguments):
    """Return what the command prints; the status may be 1, for incomplete files."""
    program = os.path.join(os.environ["WS_BIN"], "warpscope")
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert done.returncode in (0, 1), (arguments, done.stderr)
    return done.stdout


def dumped(path, kind, *options):
    """Return the records of a kind as the command prints them: a list of dictionaries."""
    text = command("dump", "--format=jsonl", f"--type={kind}", *options, path).decode("utf-8", "backslashreplace")
    rows = [json.loads(line) for line in text.splitlines()]
    for row in rows:
        row.pop("file", None), row.pop("record", None)
    return rows


def plain(value):
    """Return a value of an array as the command's JSON has it; it has neither NaN nor infinity."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, str):  # arrays show bytes that are no UTF-8 by number
        return re.sub(r"\\x[89a-f][0-9a-f]", "\ufffd", value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def records_of(array):
    """Return the records of a structured array as dictionaries, without the fields that they do not have.

    Where types of LPs have values of different types by one name, the command's JSON has them by that name alone.
    """
    columns = {name: [plain(value) for value in array[name].tolist()] for name in array.dtype.names}
    shared = {name: re.sub(r"\.(unsigned|signed|float|text)$", "", name) for name in columns}
    return [{shared[name]: columns[name][i] for name in columns if columns[name][i] is not None}
            for i in range(len(array))]


def same(one, other):
    """Return whether records are equal; the command prints floats of 32 bits as such, arrays may widen them."""
    return one == other or one.keys() == other.keys() and all(
        one[name] == other[name] or isinstance(one[name], float) and np.float32(one[name]) == np.float32(other[name])
        for name in one)


def main():
    unittest.main(verbosity=0)
