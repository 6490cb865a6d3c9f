# SPDX-License-Identifier: BSD-3-Clause
"""Reads records block by block. All arrays are copies, so they stay valid after the run is closed.

A block of the library is valid until the library reads the next one, but a Python program may hold an array for
longer. Therefore this module copies the values: it copies several blocks of the library into one block of this
package. Copying takes a small part of the time that decoding takes (bench/read_python.py).
"""

from __future__ import annotations

import ctypes
import struct
import warnings
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Tuple

import numpy as np

from . import _library
from ._fields import Field, field_of
from ._library import text_of
from ._select import select_of

if TYPE_CHECKING:  # pragma: no cover
    from ._table import Origin, Table

ROWS = 65536
"""Number of records in a block, unless the argument `rows` gives another number."""

_memmove = ctypes.memmove
_POINTER = ctypes.sizeof(ctypes.c_void_p)
_Raw = Tuple[int, int, Tuple[int, ...]]  # PE, number of records, and four addresses for each column


class Scan:
    """A scan by the library over the records of one kind. The lock of the run guards each call."""

    def __init__(self, table: "Table", chosen: Dict[str, Any]) -> None:
        self.run = table.run
        self._pointer = ctypes.c_void_p()
        self._block = ctypes.POINTER(_library.Block)()
        self._unpack: Optional[struct.Struct] = None
        self._fields: Dict[int, Field] = {}
        select = select_of(chosen)
        with self.run._lock:
            handle = self.run._open_handle()
            status = self.run._library.scan_begin(self._pointer, handle, table._kind.pointer, select)
            if status != _library.OK:
                raise self.run._error(status)

    def next(self) -> Optional[_Raw]:
        """Return the library's next block, valid until the next call; None at the end. The caller holds the lock."""
        self.run._open_handle()
        if not self._pointer:
            return None
        status = self.run._library.scan_next(self._pointer, self._block)
        if status == _library.END:
            message = text_of(self.run._library.message(self.run._handle))
            self.end()
            if message and self._unpack is None:
                warnings.warn(message, stacklevel=2)
            return None
        if status != _library.OK:
            raise self.run._error(status)
        block = self._block.contents
        if self._unpack is None or self._unpack.size != 4 * block.n_columns * _POINTER:
            self._unpack = struct.Struct(f"{4 * block.n_columns}P")
        return block.pe, block.n, self._unpack.unpack(ctypes.string_at(block.columns, self._unpack.size))

    def field(self, address: int) -> Field:
        """Return the field at `address`, which comes from a block of this scan."""
        found = self._fields.get(address)
        if found is None:
            found = self._fields[address] = field_of(_library.Field.from_address(address))
        return found

    def end(self) -> None:
        """Free the scan. Do nothing if the run is closed, because closing a run frees its scans."""
        pointer, self._pointer = self._pointer, ctypes.c_void_p()
        if pointer:
            with self.run._lock:
                if self.run._handle is not None:
                    self.run._library.scan_end(pointer)

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            self.end()


class ColumnBuffer:
    """A buffer for the values of one field in the records read so far.

    `append()` runs for each column of each block of the library. To make it fast, attributes hold the addresses and
    sizes that it needs.
    """

    __slots__ = ("field", "_n", "_values", "_present", "_objects", "_values_at", "_present_at", "_size")

    def __init__(self, field: Field, rows: int) -> None:
        self.field = field
        self._n = 0
        self._values = None if field.stored is None else np.empty(rows, field.stored)
        self._present = np.empty(rows, np.uint8) if field.optional else None
        self._objects: List[Any] = []  # values of type text or bytes
        self._size = 0 if self._values is None else self._values.itemsize
        self._locate()

    def _locate(self) -> None:
        self._values_at = 0 if self._values is None else self._values.ctypes.data
        self._present_at = 0 if self._present is None else self._present.ctypes.data

    def resize(self, rows: int) -> None:
        for array in (self._values, self._present):
            if array is not None and len(array) != rows:
                array.resize(rows, refcheck=False)
        self._locate()

    def append(self, n: int, first: int, values: int, present: int, offsets: int) -> None:
        """Append the values `first` to `first + n - 1` of a column of the library. The buffer must have space for them.

        values, present, offsets: addresses of the column's arrays.
        """
        at, size = self._n, self._size
        if size:
            _memmove(self._values_at + at * size, values + first * size, n * size)
        else:
            self._append_objects(n, values, offsets + 8 * first)
        if self._present_at:
            if present:
                _memmove(self._present_at + at, present + first, n)
            else:
                self._present[at:at + n] = 1
        self._n = at + n

    def _append_objects(self, n: int, values: int, offsets: int) -> None:
        at = struct.unpack(f"{n + 1}Q", ctypes.string_at(offsets, 8 * (n + 1)))
        data = ctypes.string_at(values + at[0], at[n] - at[0]) if at[n] > at[0] else b""
        pieces = [data[at[i] - at[0]:at[i + 1] - at[0]] for i in range(n)]
        self._objects.extend(pieces if self.field.type == "bytes" else map(text_of, pieces))

    def column(self) -> "Column":
        """Return the appended values. The buffer must not be used afterwards."""
        self.resize(self._n)
        if self._values is None:
            values = np.empty(self._n, object)
            values[:] = self._objects
        else:
            values = self._values
        return Column(self.field, values, None if self._present is None else self._present == 0)


class Column:
    """The values of one field, in the form in which the library stores them."""

    __slots__ = ("field", "stored", "absent")

    def __reduce__(self) -> Any:
        return Column, (self.field, self.stored, self.absent)

    def __init__(self, field: Field, stored: np.ndarray, absent: Optional[np.ndarray]) -> None:
        self.field = field
        self.stored = stored
        self.absent = absent

    def plain(self) -> np.ndarray:
        """Return the values, with names as texts. Absent values are arbitrary."""
        if self.field.type != "name":
            return self.stored
        return name_array(self.field)[np.minimum(self.stored, len(self.field.names))]

    def values(self) -> np.ndarray:
        """Return the values, with names as texts, in a masked array if the field is optional."""
        values = self.plain()
        return values if self.absent is None else np.ma.MaskedArray(values, mask=self.absent)


def name_array(field: Field) -> np.ndarray:
    """Return the names of a field. An empty name at the end stands for numbers without a name."""
    names = np.empty(len(field.names) + 1, field.dtype)
    names[:-1] = field.names
    names[-1] = ""
    return names


class Block(Mapping[str, np.ndarray]):
    """Some consecutive records of one PE: a mapping from the names of fields to arrays of equal length.

    The arrays belong to the program, which may change them. They stay valid after the next block is read and after
    the run is closed. A field whose `optional` is true gives a masked array, any other field a plain array. A field of
    type ``name`` gives an array of texts; `codes()` returns the numbers that the names stand for. A field of type
    ``text`` or ``bytes`` gives an array of objects.

    >>> import warpscope
    >>> run = warpscope.open("stats-output")
    >>> for block in run.blocks("event", fields=["recv_ts", "dest_lp"]):
    ...     print(block.kind, block.pe, block.records, sorted(block))
    event 0 5669 ['dest_lp', 'recv_ts']
    event 1 6461 ['dest_lp', 'recv_ts']
    >>> block = next(run.blocks("event", fields=["lp_type"]))
    >>> block.table.name, block.codes("lp_type").dtype, block.to_numpy().dtype.names
    ('event', dtype('uint32'), ('lp_type',))
    """

    def __init__(self, table: "Table", pe: int, records: int, columns: Dict[str, Column]) -> None:
        self._table: Optional["Table"] = table
        self.kind = table.name
        """The kind of the records, which is also the name of the table."""
        self.pe = pe
        self.records = records
        self._columns = columns
        self._arrays: Dict[str, np.ndarray] = {}

    @property
    def table(self) -> "Table":
        """The table to which the block belongs. For a block from another process, the first access opens the run."""
        if self._table is None:
            from ._table import table_at

            self._table = table_at(*self._origin)
        return self._table

    def __reduce__(self) -> Any:
        origin = self._origin if self._table is None else self._table._origin()
        return _block_again, (origin, self.kind, self.pe, self.records, self._columns)

    def __getitem__(self, name: str) -> np.ndarray:
        array = self._arrays.get(name)
        if array is None:
            array = self._arrays[name] = self._columns[name].values()
        return array

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def codes(self, name: str) -> np.ndarray:
        """Return the values of a field of type ``name`` as numbers, which are indices into the field's `names`."""
        column = self._columns[name]
        if column.field.type != "name":
            raise KeyError(f"{name} is no field of names")
        return column.stored if column.absent is None else np.ma.MaskedArray(column.stored, mask=column.absent)

    def to_numpy(self) -> np.ndarray:
        """Return the records as a structured array."""
        records = RecordBuffer([column.field for column in self._columns.values()], self.records)
        records.append(self)
        return records.array()

    def to_pandas(self) -> Any:
        """Return the records as a pandas.DataFrame."""
        from ._frames import frame_of

        return frame_of(self.table, list(self._columns.values()), self.records)

    def __repr__(self) -> str:
        return f"<warpscope.Block of {self.records} {self.kind} records of PE {self.pe}: {', '.join(self)}>"


def _block_again(origin: "Origin", kind: str, pe: int, records: int, columns: Dict[str, Column]) -> Block:
    """Restore a pickled block with its arrays. The first access to its table opens the run."""
    block = Block.__new__(Block)
    block.__dict__.update(_table=None, _origin=origin, kind=kind, pe=pe, records=records, _columns=columns, _arrays={})
    return block


class BlockReader(Iterator[Block]):
    """An iterator over the records of a table, in blocks of `rows` records of one PE. A PE's last block may have fewer.

    rows: None means blocks as they were recorded. whole: True means one block with all records of all PEs; `rows` is
    then a first guess of their number.
    """

    def __init__(self, table: "Table", chosen: Dict[str, Any], rows: Optional[int], whole: bool = False) -> None:
        self._table = table
        self._rows = rows
        self._whole = whole
        self._raw: Optional[_Raw] = None  # the library's block whose records from _at on are still to be returned
        self._at = 0
        self._scan = Scan(table, chosen)

    def __iter__(self) -> "BlockReader":
        return self

    def __reduce__(self) -> Any:
        raise TypeError("an iterator over blocks cannot be pickled: pickle its table, and call blocks() there")

    def __next__(self) -> Block:
        with self._table.run._lock:
            self._table.run._open_handle()  # the rest of the library's block is valid only while the run is open
            try:
                block = self._read()
            except BaseException:
                self.close()
                raise
        if block is None:
            raise StopIteration
        return block

    def _read(self) -> Optional[Block]:
        if self._raw is None:
            self._raw, self._at = self._scan.next(), 0
            if self._raw is None:
                return None
        pe, n, raw = self._raw
        space = self._rows or n
        buffers = [ColumnBuffer(self._scan.field(address), space) for address in raw[::4]]
        filled = 0
        while self._raw is not None and (self._whole or self._raw[0] == pe):
            _, n, raw = self._raw
            if self._whole and filled + n > space:
                space = max(2 * space, filled + n)
                for buffer in buffers:
                    buffer.resize(space)
            part = min(n - self._at, space - filled)
            for buffer, values, present, offsets in zip(buffers, raw[1::4], raw[2::4], raw[3::4]):
                buffer.append(part, self._at, values, present, offsets)
            filled += part
            self._at += part
            if self._at < n:
                break
            self._raw, self._at = self._scan.next(), 0
        return Block(self._table, pe, filled, {buffer.field.name: buffer.column() for buffer in buffers})

    def close(self) -> None:
        """End the iteration early, so that the library frees the memory of the scan."""
        with self._table.run._lock:
            self._raw = None
            self._scan.end()


class RecordBuffer:
    """A buffer for the records read so far: several structured arrays, so that appending copies no earlier records."""

    def __init__(self, fields: List[Field], expected: int) -> None:
        self._kind = np.dtype([(field.name, field.dtype) for field in fields])
        optional = any(field.optional for field in fields)
        self._mask_kind = np.ma.make_mask_descr(self._kind) if optional else None
        self._parts: List[Tuple[np.ndarray, Optional[np.ndarray]]] = []
        self._begin(expected)

    def _begin(self, rows: int) -> None:
        self._data = np.empty(rows, self._kind)
        self._mask = None if self._mask_kind is None else np.zeros(rows, self._mask_kind)
        self._n = 0

    def _end(self) -> None:
        if self._n > 0:
            mask = None if self._mask is None else self._mask[:self._n]
            self._parts.append((self._data[:self._n], mask))

    def append(self, block: Block) -> None:
        """Append the records of a block."""
        n = block.records
        if self._n + n > len(self._data):
            self._end()
            self._begin(max(2 * len(self._data), n))
        at = self._n
        for name, column in block._columns.items():
            self._data[name][at:at + n] = column.plain()
            if self._mask is not None and column.absent is not None:
                self._mask[name][at:at + n] = column.absent
        self._n += n

    def array(self) -> np.ndarray:
        """Return all records as one array, masked if a field is optional. The buffer must not be used afterwards."""
        if not self._parts and self._n == len(self._data):
            data, mask = self._data, self._mask
        else:
            self._end()
            data = _joined([part[0] for part in self._parts], self._kind)
            mask = None
            if self._mask_kind is not None:
                mask = _joined([part[1] for part in self._parts], self._mask_kind)
        return data if mask is None else np.ma.MaskedArray(data, mask=mask, keep_mask=False)


def _joined(parts: List[Any], kind: np.dtype) -> np.ndarray:
    return np.concatenate(parts) if parts else np.empty(0, kind)
