# SPDX-License-Identifier: BSD-3-Clause
"""Finds and loads libwarpscope-reader. Declares the structs and functions of warpscope/reader.h."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
import threading
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p
from typing import Iterator, List, Optional, Tuple

from ._errors import LibraryError
from ._version import __version__

OK, END = 0, 1
JOURNALS = 1

VARIABLE = "WARPSCOPE_READER_LIBRARY"
"""The environment variable that names the library file to load, or its directory."""


class Fact(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("text", c_char_p)]


class File(ctypes.Structure):
    _fields_ = [
        ("path", c_char_p), ("stream", c_char_p),
        ("records", c_uint64), ("pending", c_uint64), ("missing", c_uint64), ("dropped", c_uint64),
        ("blocks", c_uint64), ("bytes", c_uint64), ("unknown_blocks", c_uint64), ("faults", c_uint64),
        ("n_pes", c_uint32), ("journals", c_uint32), ("part", c_uint32),
        ("readable", c_bool), ("complete", c_bool), ("running", c_bool), ("loss_unknown", c_bool),
        ("virtual_from", c_double), ("virtual_to", c_double), ("real_from", c_double), ("real_to", c_double),
        ("outcome", c_char_p), ("end_gvt", c_double), ("end_real_time", c_double),
        ("facts", POINTER(Fact)), ("n_facts", c_size_t),
    ]


class Field(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p), ("unit", c_char_p), ("text", c_char_p),
        ("type", c_int), ("size", c_uint32), ("measure", c_int), ("optional", c_bool),
        ("names", POINTER(c_char_p)), ("n_names", c_uint32), ("names_of", c_char_p),
    ]


class Gap(ctypes.Structure):
    _fields_ = [
        ("virtual_from", c_double), ("virtual_to", c_double), ("real_from", c_double), ("real_to", c_double),
    ]


class Kind(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p), ("text", c_char_p), ("file", POINTER(File)), ("records", c_uint64),
        ("fields", POINTER(Field)), ("n_fields", c_uint32), ("gaps", POINTER(Gap)), ("n_gaps", c_size_t),
    ]


class Select(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("pes", c_char_p), ("kps", c_char_p), ("lps", c_char_p), ("types", c_char_p),
        ("where", c_char_p), ("fields", c_char_p), ("from", c_double), ("to", c_double),
    ]


class Column(ctypes.Structure):
    _fields_ = [("field", c_void_p), ("values", c_void_p), ("present", c_void_p), ("offsets", c_void_p)]


class Block(ctypes.Structure):
    _fields_ = [("pe", c_uint32), ("n", c_uint32), ("n_columns", c_uint32), ("columns", c_void_p)]


class Finding(ctypes.Structure):
    _fields_ = [("rule", c_char_p), ("text", c_char_p), ("advice", c_char_p), ("weight", c_double)]


# Runs and scans have the type c_void_p, because only the library knows their contents.
_PROTOTYPES = {
    "wsr_status_text": (c_char_p, [c_int]),
    "wsr_version": (c_char_p, []),
    "wsr_open": (c_int, [POINTER(c_void_p), c_char_p, c_uint]),
    "wsr_close": (None, [c_void_p]),
    "wsr_message": (c_char_p, [c_void_p]),
    "wsr_file_count": (c_size_t, [c_void_p]),
    "wsr_file_at": (POINTER(File), [c_void_p, c_size_t]),
    "wsr_fact_count": (c_size_t, [c_void_p]),
    "wsr_fact_at": (POINTER(Fact), [c_void_p, c_size_t]),
    "wsr_fault_count": (c_size_t, [c_void_p]),
    "wsr_lp_name": (c_char_p, [c_void_p, c_uint64]),
    "wsr_fault_at": (c_char_p, [c_void_p, c_size_t]),
    "wsr_kind_count": (c_size_t, [c_void_p]),
    "wsr_kind_at": (POINTER(Kind), [c_void_p, c_size_t]),
    "wsr_scan_begin": (c_int, [POINTER(c_void_p), c_void_p, POINTER(Kind), POINTER(Select)]),
    "wsr_scan_next": (c_int, [c_void_p, POINTER(POINTER(Block))]),
    "wsr_scan_end": (None, [c_void_p]),
    "wsr_stats_json": (c_int, [c_void_p, POINTER(Select), POINTER(c_void_p)]),
    "wsr_info_json": (c_int, [c_void_p, POINTER(c_void_p)]),
    "wsr_text_free": (None, [c_void_p]),
}
# Functions that may be missing in an earlier build of the library with the same version.
_OPTIONAL = {
    "wsr_findings": (c_int, [c_void_p, POINTER(POINTER(Finding)), POINTER(c_size_t)]),
}


class Library:
    """The loaded library. Its functions are attributes, whose names omit the prefix ``wsr_``."""

    def __init__(self, path: str) -> None:
        """Load the library.

        path: a path, or a name that the loader finds. Raise OSError if the library cannot be loaded, and LibraryError
        if it is not the library of this version.
        """
        self.path = path
        dll = ctypes.CDLL(path)
        try:
            dll.wsr_version.restype = c_char_p
            self.version_text = dll.wsr_version().decode("ascii", "backslashreplace")
            self._check_version()
            self._declare(dll, _PROTOTYPES)
        except AttributeError as error:
            raise LibraryError(f"{path} is not the reader library of Warpscope {__version__}: {error}") from None
        self.has_findings = hasattr(dll, "wsr_findings")
        if self.has_findings:
            self._declare(dll, _OPTIONAL)

    def _declare(self, dll: ctypes.CDLL, prototypes: dict) -> None:
        for name, (result, arguments) in prototypes.items():
            function = getattr(dll, name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name[len("wsr_"):], function)

    def _check_version(self) -> None:
        """Raise LibraryError for another minor version. Until 1.0, each minor version may change the interface."""
        if _interface(self.version_text) != _interface(__version__):
            raise LibraryError(
                f"{self.path} is version {self.version_text} of the library, but this package is version "
                f"{__version__}: install both from the same version of Warpscope, or name the right library in "
                f"the environment variable {VARIABLE}")


def _interface(version: str) -> Tuple[str, ...]:
    return tuple(version.split(".")[:2])


def file_names() -> List[str]:
    """Return the possible file names of the library, the preferred one first."""
    interface = ".".join(_interface(__version__))
    stem = "libwarpscope-reader"
    if sys.platform == "darwin":
        return [f"{stem}.{interface}.dylib", f"{stem}.dylib"]
    return [f"{stem}.so.{interface}", f"{stem}.so"]


def _in_directory(directory: str) -> Iterator[str]:
    for name in file_names():
        path = os.path.join(directory, name)
        if os.path.exists(path):
            yield path


def _candidates() -> Iterator[str]:
    """Yield the paths and names of the library to try, in this order."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        if os.path.isdir(chosen):
            yield from _in_directory(chosen)
        else:
            yield chosen
        return
    try:  # "cmake --install" writes this file with the path of the library relative to the package
        from ._installed import LIBRARY_DIRECTORY
        yield from _in_directory(os.path.normpath(os.path.join(os.path.dirname(__file__), LIBRARY_DIRECTORY)))
    except ImportError:
        pass
    yield from file_names()  # the loader searches for these names: LD_LIBRARY_PATH, ldconfig
    command = shutil.which("warpscope")
    if command:
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(command)))
        for directory in ("lib", "lib64", os.path.join("lib", f"{os.uname().machine}-linux-gnu")):
            yield from _in_directory(os.path.join(prefix, directory))


def load() -> Library:
    """Load the first library that can be loaded. Raise LibraryError if there is none."""
    reasons = []
    for path in _candidates():
        try:
            return Library(path)
        except OSError as error:
            reasons.append(f"  {error}")
    if not reasons:
        reasons.append(f"  {os.environ.get(VARIABLE)}: the directory has no {file_names()[0]}")
    raise LibraryError(
        "the library libwarpscope-reader was not found. It is installed with the command warpscope; the "
        f"environment variable {VARIABLE} can name the file or its directory. Tried:\n" + "\n".join(reasons))


_lock = threading.Lock()
_loaded: Optional[Library] = None


def library() -> Library:
    """Return the library. The first call loads it."""
    global _loaded
    with _lock:
        if _loaded is None:
            _loaded = load()
        return _loaded


def text_of(value: Optional[bytes]) -> str:
    """Return a string of the library as a text. Bytes that are not UTF-8 become ``\\xNN``; None becomes ""."""
    return "" if value is None else value.decode("utf-8", "backslashreplace")
