# SPDX-License-Identifier: BSD-3-Clause
"""Converts records to pandas.DataFrame. pandas is optional; it is imported when the first DataFrame is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List

import numpy as np

from ._blocks import Column
from ._errors import LibraryError

if TYPE_CHECKING:  # pragma: no cover
    from ._table import Table


def pandas() -> Any:
    """Return the module pandas. Raise LibraryError if it is not installed."""
    try:
        import pandas as module
    except ImportError as error:
        raise LibraryError(
            f"DataFrames need pandas, which is not installed (Debian: python3-pandas): {error}") from None
    return module


def frame_of(table: "Table", columns: List[Column], n: int) -> Any:
    """Return a DataFrame with some columns of a table. `attrs` has units, descriptions, kind and file. n: rows."""
    pd = pandas()
    series: Dict[str, Any] = {column.field.name: _series(pd, column) for column in columns}
    frame = pd.DataFrame(series, index=pd.RangeIndex(n), copy=False)
    fields = [column.field for column in columns]
    frame.attrs.update(
        units={field.name: field.unit for field in fields if field.unit},
        descriptions={field.name: field.text for field in fields if field.text},
        kind=table.name, file=table.file.path)
    return frame


def _series(pd: Any, column: Column) -> Any:
    kind, absent = column.field.type, column.absent
    if kind == "name":
        return _categorical(pd, column)
    values = column.stored
    if absent is None or not absent.any():
        if absent is None or kind in ("f32", "f64", "text", "bytes"):
            return values
    if kind in ("text", "bytes"):
        values = values.copy()
        values[absent] = None
        return values
    if kind in ("f32", "f64"):
        return np.where(absent, values.dtype.type(np.nan), values)
    return pd.arrays.IntegerArray(values, absent)


def _categorical(pd: Any, column: Column) -> Any:
    """Return a column of type ``name`` as categories, which are distinct even if several numbers have the same name."""
    names = column.field.names
    categories = list(dict.fromkeys(names))
    number = {name: i for i, name in enumerate(categories)}
    codes = np.array([*(number[name] for name in names), -1], np.int32)[np.minimum(column.stored, len(names))]
    if column.absent is not None:
        codes[column.absent] = -1
    return pd.Categorical.from_codes(codes, categories=categories)
