# SPDX-License-Identifier: BSD-3-Clause
"""Fields of records: their types, units, names of values."""

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
_LONGEST = 64  # characters of a name in an array, which takes 4 bytes for each; longer ones are objects


@dataclass(frozen=True)
class Field:
    """A field of a kind of record, a column of its table."""

    name: str
    """The name, as in ``warpscope info FILE``."""
    type: str
    """``u8`` to ``u64``, ``i8`` to ``i64``, ``f32``, ``f64``, ``text``, ``bytes``, or ``name`` for names of numbers."""
    unit: str
    """The unit, "" if none is stated."""
    text: str
    """What the field tells, in a few words."""
    measure: Optional[str]
    """``level`` (of the moment), ``counter`` (since the start), ``change`` (since the record before), ``identity``."""
    optional: bool
    """True if some records may have no value; then arrays of the field are masked."""
    names: Tuple[str, ...] = field(default=(), repr=False)
    """The names that values stand for, of a field of type ``name``."""
    names_of: Optional[str] = None
    """The field whose numbers the names are for; None if there is none of this name."""

    @property
    def dtype(self) -> np.dtype:
        """The numpy type of the values: ``object`` for texts and bytes, texts of the greatest length for names."""
        if self.type == "name":
            longest = max(map(len, self.names), default=0)
            return np.dtype(f"U{max(1, longest)}") if longest <= _LONGEST else np.dtype(object)
        return np.dtype(object) if self.type in ("text", "bytes") else np.dtype(_STORED[self.type])

    @property
    def stored(self) -> Optional[np.dtype]:
        """The type that the library stores; None for texts and bytes, whose lengths differ."""
        kind = _STORED.get(self.type)
        return None if kind is None else np.dtype(kind)


def field_of(raw: _library.Field) -> Field:
    """Return the description of a field as the library has it."""
    known = 0 <= raw.type < len(_TYPES)
    if not known:
        raise _library.LibraryError(f"the library has a type of field that this package does not know: {raw.type}")
    names = tuple(text_of(raw.names[i]) for i in range(raw.n_names)) if raw.names else ()
    return Field(
        name=text_of(raw.name), type=_TYPES[raw.type], unit=text_of(raw.unit), text=text_of(raw.text),
        measure=_MEASURES[raw.measure] if 0 <= raw.measure < len(_MEASURES) else None,
        optional=bool(raw.optional), names=names, names_of=text_of(raw.names_of) if raw.names_of else None)
