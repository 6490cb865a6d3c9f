# SPDX-License-Identifier: BSD-3-Clause
"""The package runs on Python 3.9: its syntax, and what it takes from the standard library, are not newer."""

import ast
import builtins
import glob
import os
import sys
import unittest

import support
import warpscope

SOURCES = sorted(glob.glob(os.path.join(os.path.dirname(warpscope.__file__), "**", "*.py"), recursive=True))

# What later versions than 3.9 brought, of modules that the package may use.
NEWER = {
    "builtins": {"aiter", "anext", "EncodingWarning", "ExceptionGroup", "BaseExceptionGroup", "PythonFinalizationError"},
    "typing": {"ParamSpec", "Concatenate", "TypeAlias", "TypeGuard", "Self", "Never", "LiteralString", "Required", "NotRequired",
               "Unpack", "TypeVarTuple", "assert_never", "assert_type", "reveal_type", "override", "TypeAliasType", "ReadOnly", "TypeIs"},
    "itertools": {"pairwise", "batched"}, "os": {"EFD_CLOEXEC", "process_cpu_count"}, "math": {"cbrt", "exp2", "sumprod"},
    "contextlib": {"aclosing", "chdir"}, "functools": {"Placeholder"}, "inspect": {"get_annotations", "getmembers_static"},
    "dataclasses": {"KW_ONLY"}, "types": {"NoneType", "EllipsisType", "NotImplementedType", "UnionType", "get_original_bases"},
    "enum": {"StrEnum", "verify", "member", "nonmember", "global_enum"}, "datetime": {"UTC"}, "re": {"NOFLAG"},
    "shutil": set(), "threading": {"gettrace", "getprofile", "setprofile_all_threads"}, "ctypes": {"c_time_t", "memoryview_at"},
}
NEW_MODULES = {"tomllib", "compression", "annotationlib", "concurrent.interpreters"}
# Arguments that functions got later.
NEWER_ARGUMENTS = {"zip": {"strict"}, "dataclass": {"slots", "kw_only", "weakref_slot"}, "rmtree": {"onexc"}, "bisect_left": {"key"}}


def newer(tree):
    """Yield what of a module is newer than Python 3.9."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            module = getattr(node, "module", None)
            names = {alias.name for alias in node.names}
            yield from ({module} if module in NEW_MODULES else set()) | (names & NEW_MODULES if module is None else set())
            yield from names & NEWER.get(module, set())
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in NEWER.get(node.value.id, ()):
                yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Name) and node.id in NEWER["builtins"]:
            yield node.id
        elif isinstance(node, ast.Call):
            function = getattr(node.func, "attr", getattr(node.func, "id", ""))
            for keyword in node.keywords:
                if keyword.arg in NEWER_ARGUMENTS.get(function, ()):
                    yield f"{function}({keyword.arg}=)"
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            for side in (node.left, node.right):  # unions of types at run time
                if isinstance(side, ast.Constant) and side.value is None or \
                        isinstance(side, ast.Name) and isinstance(getattr(builtins, side.id, None), type):
                    yield "a union of types written with |"


def annotations_are_texts(tree):
    return any(isinstance(node, ast.ImportFrom) and node.module == "__future__" and
               any(alias.name == "annotations" for alias in node.names) for node in tree.body)


class Syntax(unittest.TestCase):
    def test_sources(self):
        self.assertGreater(len(SOURCES), 8)
        for path in SOURCES:
            with self.subTest(path=path), open(path, encoding="utf-8") as file:
                text = file.read()
                tree = ast.parse(text, path, feature_version=(3, 9))
                self.assertEqual([], list(newer(tree)))
                annotated = any(isinstance(node, (ast.AnnAssign, ast.arg)) and node.annotation for node in ast.walk(tree))
                self.assertTrue(annotations_are_texts(tree) or not annotated, "from __future__ import annotations")

    def test_what_is_newer_is_found(self):
        for text in ("from typing import Self", "import itertools\nitertools.pairwise([])", "zip([], [], strict=True)",
                     "import tomllib", "one = int | None", "import typing\ntyping.TypeAlias", "anext(x)"):
            self.assertTrue(list(newer(ast.parse(text))), text)
        if sys.version_info >= (3, 10):  # an older parser does not know it at all
            for text in ("match x:\n    case 1: pass", "with (open('a') as a, open('b') as b,):\n    pass",
                         "try: pass\nexcept* OSError: pass", "type X = int", "def f[T](x: T): pass"):
                with self.assertRaises(SyntaxError, msg=text):
                    ast.parse(text, feature_version=(3, 8) if text.startswith("with") else (3, 9))


if __name__ == "__main__":
    support.main()
