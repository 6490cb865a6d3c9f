# SPDX-License-Identifier: BSD-3-Clause
"""Builds wheels and source archives of the package with Python alone, so that pip needs no network (PEP 517, 660)."""

from __future__ import annotations

import ast
import base64
import hashlib
import os
import tarfile
import zipfile
from typing import Any, Dict, Iterator, List, Optional, Tuple

_HERE = os.path.dirname(os.path.abspath(__file__))
_TIME = (1980, 1, 1, 0, 0, 0)  # time of all files in wheels, so that the same sources give the same bytes


def _project() -> Dict[str, Dict[str, Any]]:
    """Return the tables of pyproject.toml. Each of its values must be on one line, and valid as a Python literal."""
    tables: Dict[str, Dict[str, Any]] = {}
    table: Dict[str, Any] = {}
    with open(os.path.join(_HERE, "pyproject.toml"), encoding="utf-8") as file:
        for line in file:
            line = line.strip()
            if line.startswith("["):
                table = tables[line.strip("[]")] = {}
            elif line and not line.startswith("#"):
                key, value = line.split("=", 1)
                table[key.strip()] = ast.literal_eval(value.strip())
    return tables


def _metadata() -> str:
    tables = _project()
    project, extras = tables["project"], tables["project.optional-dependencies"]
    lines = [
        "Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}",
        f"Summary: {project['description']}", f"License: {project['license']}",
        f"Keywords: {','.join(project['keywords'])}", f"Requires-Python: {project['requires-python']}",
        *(f"Classifier: {one}" for one in project["classifiers"]),
        *(f"Requires-Dist: {one}" for one in project["dependencies"])]
    for extra, packages in extras.items():
        lines.append(f"Provides-Extra: {extra}")
        lines.extend(f'Requires-Dist: {one}; extra == "{extra}"' for one in packages)
    lines.append("Description-Content-Type: text/markdown")
    with open(os.path.join(_HERE, project["readme"]), encoding="utf-8") as file:
        return "\n".join(lines) + "\n\n" + file.read()


def _stem() -> str:
    project = _project()["project"]
    return f"{project['name']}-{project['version']}"


def _package_files() -> Iterator[Tuple[str, str]]:
    """Yield the name in the wheel and the path of each file of the package, except the file that cmake writes."""
    for folder, _, names in sorted(os.walk(os.path.join(_HERE, "warpscope"))):
        for name in sorted(names):
            if name.endswith(".py") and name != "_installed.py" or name == "py.typed":
                path = os.path.join(folder, name)
                yield os.path.relpath(path, _HERE), path


def _write_wheel(directory: str, files: List[Tuple[str, bytes]]) -> str:
    info = f"{_stem()}.dist-info"
    files = files + [
        (f"{info}/METADATA", _metadata().encode()),
        (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: warpscope\nRoot-Is-Purelib: true\nTag: py3-none-any\n")]
    record = []
    name = f"{_stem()}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files:
            _add(wheel, path, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}")
        record.append(f"{info}/RECORD,,")
        _add(wheel, f"{info}/RECORD", ("\n".join(record) + "\n").encode())
    return name


def _add(wheel: zipfile.ZipFile, path: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(path, _TIME)
    entry.external_attr = 0o644 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    wheel.writestr(entry, data)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def build_wheel(wheel_directory: str, config_settings: Optional[Dict[str, Any]] = None,
                metadata_directory: Optional[str] = None) -> str:
    """Build a wheel in wheel_directory and return the name of its file."""
    return _write_wheel(wheel_directory, [(name, _read(path)) for name, path in _package_files()])


def build_editable(wheel_directory: str, config_settings: Optional[Dict[str, Any]] = None,
                   metadata_directory: Optional[str] = None) -> str:
    """Build, in wheel_directory, a wheel that refers to the sources, and return the name of its file."""
    return _write_wheel(wheel_directory, [("warpscope.pth", (_HERE + "\n").encode())])


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, Any]] = None) -> str:
    """Build an archive of the sources in sdist_directory and return the name of its file."""
    name = f"{_stem()}.tar.gz"
    with tarfile.open(os.path.join(sdist_directory, name), "w:gz") as archive:
        for path in ["pyproject.toml", "README.md", "build_backend.py", *(name for name, _ in _package_files())]:
            archive.add(os.path.join(_HERE, path), f"{_stem()}/{path}")
        info = os.path.join(sdist_directory, "PKG-INFO")
        with open(info, "w", encoding="utf-8") as file:
            file.write(_metadata())
        archive.add(info, f"{_stem()}/PKG-INFO")
        os.remove(info)
    return name
