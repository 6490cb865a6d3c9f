# SPDX-License-Identifier: BSD-3-Clause
"""Writes a C program that prints sizes and offsets of the structs of reader.h as Python declares them."""

import ctypes
import os
import sys

from warpscope import _library

NAMES = {"Fact": "wsr_fact", "File": "wsr_file", "Field": "wsr_field", "Gap": "wsr_gap", "Kind": "wsr_kind", "Select": "wsr_select",
         "Column": "wsr_column", "Block": "wsr_block", "Finding": "wsr_finding"}


def names():
    """Return the structs that the header has: findings may be missing, as the function that returns them."""
    with open(os.environ["WS_HEADER"], encoding="utf-8") as file:
        text = file.read()
    return {python: c for python, c in NAMES.items() if f"struct {c} {{" in text or python != "Finding"}


def lines():
    """Yield "struct member offset size" as ctypes has them."""
    for python, c in names().items():
        struct = getattr(_library, python)
        yield f"{c} - {ctypes.sizeof(struct)}"
        for member, *_ in struct._fields_:
            place = getattr(struct, member)
            yield f"{c} {member} {place.offset} {place.size}"


def program():
    """Return the C program that prints such lines out of the header."""
    text = ['#include "reader.h"', "#include <stdio.h>", "int main(void) {"]
    for python, c in names().items():
        text.append(f'printf("{c} - %zu\\n", sizeof(struct {c}));')
        for member, *_ in getattr(_library, python)._fields_:
            text.append(f'printf("{c} {member} %zu %zu\\n", offsetof(struct {c}, {member}), '
                        f"sizeof(((struct {c} *)0)->{member}));")
    return "\n".join([*text, "return 0; }", ""])


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="ascii") as file:
        file.write(program())
