# SPDX-License-Identifier: BSD-3-Clause
"""Descriptions of the fields of records: types, units, names of values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional, Tuple

import numpy as np

from . import _library
from ._library import text_of

_TYPES = ("u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "text", "bytes", "name")
_MEASURES = (None, "level", "counter", "change", "identity")
_STORED = {
    "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "f32": np.float32, "f64": np.float64, "name": np.uint32,
}
_LONGEST = 64  # maximum length of names in arrays of texts (4 bytes per character); longer names are objects


@dataclass(frozen=True)
class Field:
    """A field of a kind of record. It is a column of the table with these records.

    >>> import warpscope
    >>> field = warpscope.open("stats-output").events.fields["lp_type"]
    >>> field.type, field.dtype, field.stored
    ('name', dtype('<U6'), dtype('uint32'))
    """

    name: str
    """The name, as ``warpscope info FILE`` prints it."""
    type: str
    """``u8`` to ``u64``, ``i8`` to ``i64``, ``f32``, ``f64``, ``text``, ``bytes``, or ``name`` (numbers with names)."""
    unit: str
    """The unit; "" if no unit is stated."""
    text: str
    """A description of the field in a few words."""
    measure: Optional[str]
    """``level``, ``counter`` (since the start), ``change`` (since the previous record), ``identity``, None."""
    optional: bool
    """True if some records may have no value; arrays of the field are then masked."""
    names: Tuple[str, ...] = field(default=(), repr=False)
    """For type ``name``: the names, indexed by the numbers that stand for them."""
    names_of: Optional[str] = None
    """For type ``name``: the field whose numbers have these names; None if no column holds that field."""

    @property
    def dtype(self) -> np.dtype:
        """The numpy type of the values. For names: texts of fixed width, or ``object`` if a name is too long."""
        if self.type == "name":
            longest = max(map(len, self.names), default=0)
            return np.dtype(f"U{max(1, longest)}") if longest <= _LONGEST else np.dtype(object)
        return np.dtype(object) if self.type in ("text", "bytes") else np.dtype(_STORED[self.type])

    @property
    def stored(self) -> Optional[np.dtype]:
        """The numpy type of the values that the library stores; None for texts and bytes, whose lengths differ."""
        kind = _STORED.get(self.type)
        return None if kind is None else np.dtype(kind)


def field_of(raw: _library.Field) -> Field:
    """Return the Field that a struct of the library describes."""
    known = 0 <= raw.type < len(_TYPES)
    if not known:
        raise _library.LibraryError(f"the library has a type of field that this package does not know: {raw.type}")
    names = tuple(text_of(raw.names[i]) for i in range(raw.n_names)) if raw.names else ()
    return Field(
        name=text_of(raw.name), type=_TYPES[raw.type], unit=text_of(raw.unit), text=text_of(raw.text),
        measure=_MEASURES[raw.measure] if 0 <= raw.measure < len(_MEASURES) else None,
        optional=bool(raw.optional), names=names, names_of=text_of(raw.names_of) if raw.names_of else None)
