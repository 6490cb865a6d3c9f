# SPDX-License-Identifier: BSD-3-Clause
"""Counts the checks of a script, and prints those that fail:

    from checks import check, end, equal
    equal("the sum", 4, 2 + 2)
    end()
"""
import sys

held = failed = 0


def check(what, holds, seen=None):
    global held, failed
    if holds:
        held += 1
    else:
        failed += 1
        print(f"FAIL: {what}" + ("" if seen is None else f": {repr(seen)[:1000]}"), flush=True)


def equal(what, wanted, seen):
    check(what, wanted == seen, f"expected {wanted!r}, got {seen!r}")


def end():
    """Print how many checks there were, and end the script: with status 1 if one failed."""
    print(f"{held + failed} checks, {failed} failed")
    sys.exit(failed > 0)
