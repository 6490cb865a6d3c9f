# SPDX-License-Identifier: BSD-3-Clause
"""The structs that the package declares are those of reader.h; the versions agree."""

import os
import re
import unittest

import make_layout
import support
import warpscope
from warpscope import _library

SOURCES = os.environ["WS_SRC"]


def read(*path):
    with open(os.path.join(SOURCES, *path), encoding="utf-8") as file:
        return file.read()


class Layout(unittest.TestCase):
    def test_structs(self):
        with open("layout.txt", encoding="ascii") as file:
            self.assertEqual(file.read().split("\n")[:-1], list(make_layout.lines()))

    def test_every_function_is_declared(self):
        library = _library.library()
        with open(os.environ["WS_HEADER"], encoding="utf-8") as file:
            declared = set(re.findall(r"\b(wsr_[a-z_]+)\(", re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)))
        known = set(_library._PROTOTYPES) | set(_library._OPTIONAL)
        self.assertEqual(declared - known - {"wsr_kind", "wsr_fact"}, set())
        self.assertTrue(hasattr(library, "scan_next"))

    def test_versions(self):
        version = re.search(r"project\(Warpscope VERSION ([0-9.]+)", read("CMakeLists.txt")).group(1)
        self.assertEqual(warpscope.__version__, version)
        self.assertIn(f'\nversion = "{version}"\n', read("python", "pyproject.toml"))
        self.assertEqual(_library.library().version_text, version)

    def test_types(self):
        """Each member of the enumerations has the number that Python gives it."""
        from warpscope import _errors, _fields
        self.assertEqual([name for name in _fields._TYPES if name not in _fields._STORED], ["text", "bytes"])
        statuses = sorted(kind.status for kind in vars(_errors).values()
                          if isinstance(kind, type) and issubclass(kind, warpscope.Error) and kind.status)
        self.assertEqual(sorted(set(statuses)), [2, 3, 4, 5, 6, 7, 8])


if __name__ == "__main__":
    support.main()
