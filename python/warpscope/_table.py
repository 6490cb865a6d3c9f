# SPDX-License-Identifier: BSD-3-Clause
"""Tables, which hold the records of one kind and read them on demand."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _html
from ._blocks import ROWS, Block, BlockReader, ColumnBuffer, RecordBuffer
from ._errors import InvalidArgumentError, NotFoundError
from ._fields import Field, field_of
from ._library import text_of
from ._select import Names, Numbers, merged

if TYPE_CHECKING:  # pragma: no cover
    from ._run import File, Run

_FIRST_GUESS = 1 << 24  # maximum number of records for which to allocate space at once if a file claims to have them


@dataclass(frozen=True)
class Gap:
    """A period in which a kind of record was switched off: before a request began it, or between two of its files."""

    virtual_time: Tuple[float, float]
    real_time: Tuple[float, float]


class Kind:
    """The library's description of a kind of record. Runs refer to kinds, and tables to runs, so there is no cycle."""

    def __init__(self, pointer: Any, file: "File") -> None:
        raw = pointer.contents
        self.pointer = pointer
        self.file = file
        self.name = text_of(raw.name)
        self.text = text_of(raw.text)
        self.records = int(raw.records)
        self.gaps = tuple(
            Gap((gap.virtual_from, gap.virtual_to), (gap.real_from, gap.real_to))
            for gap in (raw.gaps[i] for i in range(raw.n_gaps)))
        self.fields = {field.name: field for field in (field_of(raw.fields[i]) for i in range(raw.n_fields))}


class Table:
    """The records of one kind: a table with a row for each record and a column for each field.

    Records are read only on demand: a call of the table returns all rows, an index with the name of a field returns
    one column, and `blocks()` returns blocks of rows. Calls and `blocks()` take the arguments of `select()`, which
    choose rows and columns.

    >>> import warpscope
    >>> run = warpscope.open("stats-output")
    >>> run.events
    <warpscope.Table event: 12130 records of 22 fields>
    >>> int(run.events["hops"].max())
    1
    >>> late = run.events(since=0.00059, fields=["recv_ts", "lp_type"])
    >>> late.dtype.names
    ('recv_ts', 'lp_type')
    >>> few = run.events.select(fields="recv_ts,size")
    >>> few.keys(), few.units["size"], len(few.to_numpy(since=0.00059))
    (['recv_ts', 'size'], 'bytes', 220)
    """

    def __init__(self, run: "Run", kind: "Kind") -> None:
        self.run = run
        self.name = kind.name
        """The kind of the records, such as ``gvt_pe``, ``event`` or ``model_lp``."""
        self.text = kind.text
        """A description of a record, in one line."""
        self.file = kind.file
        """The first file of the stream that contains the records."""
        self.gaps = kind.gaps
        """The periods in which `warpscope ctl` had switched off this kind of record, in ascending order."""
        self._kind = kind
        self._chosen: Dict[str, Any] = {}

    def __reduce__(self) -> Any:
        return table_at, self._origin()

    def _origin(self) -> Origin:
        """Return the arguments with which `table_at()` opens this table again, possibly in another process."""
        return (*self.run._origin(), self.name, _file_name(self), self._chosen)

    def __copy__(self) -> "Table":
        table = type(self).__new__(type(self))
        table.__dict__.update(self.__dict__)
        return table

    @property
    def _fields(self) -> Dict[str, Field]:
        return self._kind.fields

    @property
    def _records(self) -> int:
        return self._kind.records

    @property
    def fields(self) -> Dict[str, Field]:
        """The fields by name, in the order of the columns. After `select()`, only the chosen fields."""
        chosen = self._chosen.get("fields")
        if chosen is None:
            return dict(self._fields)
        names = chosen.split(",") if isinstance(chosen, str) else list(chosen)
        return {name.strip(): self._field(name.strip()) for name in names}

    def _field(self, name: str) -> Field:
        try:
            return self._fields[name]
        except (KeyError, TypeError):
            raise NotFoundError(
                f"{self.name} has no field {name!r}; it has {', '.join(map(_html.visible, self._fields))}") from None

    @property
    def units(self) -> Dict[str, str]:
        """The units of the fields that have one, by name of the field."""
        return {name: field.unit for name, field in self.fields.items() if field.unit}

    def select(self, *, pes: Numbers = None, kps: Numbers = None, lps: Union[Numbers, Names] = None,
               types: Names = None, since: Optional[float] = None, until: Optional[float] = None,
               where: Optional[str] = None, fields: Names = None) -> "Table":
        """Return a table with some of the rows and columns. It also reads records only on demand.

        pes, kps, lps: numbers, such as ``3``, ``range(4, 8)``, ``[0, 2]`` or ``"0,2,4-7"``. KPs are numbered within
        their PE. For events, `lps` are the LPs that received them.
        lps, types: types of LPs, such as ``"router*"`` or ``["router", "host"]``; ``*`` and ``?`` are wildcards.
        since, until: virtual times; choose the rows from `since` (included) to `until` (excluded).
        where: a condition as for ``warpscope dump --where``, such as ``"hops>3 && lp_type==router"``.
        fields: names of the columns, in this order.

        A row must satisfy all arguments, and those that were chosen for this table before: a later `since` and an
        earlier `until` narrow the selection, and conditions in `where` are combined. A row that lacks the field to
        which an argument refers is not chosen. `fields` replaces the columns. Raise InvalidArgumentError if `pes`,
        `kps`, `lps` or `types` differ from those chosen before.

        >>> import warpscope
        >>> run = warpscope.open("stats-output")
        >>> routers = run.events.select(lps="router", until=0.0001)
        >>> len(routers), len(routers.select(where="size>1000"))
        (949, 88)
        """
        given = dict(pes=pes, kps=kps, lps=lps, types=types, since=since, until=until, where=where, fields=fields)
        return self._selected(given)

    def _selected(self, more: Dict[str, Any]) -> "Table":
        table = copy.copy(self)
        table._chosen = merged(self._chosen, more)
        return table

    def __call__(self, **chosen: Any) -> np.ndarray:
        """Return the records as a numpy structured array. The arguments are those of `select()`.

        The array is a `numpy.ma.MaskedArray` if at least one of its fields is optional, as the fields of models are;
        values that a record lacks are masked. Fields of type ``name`` contain texts. Texts and bytes of tasks are
        objects.

        >>> import warpscope
        >>> run = warpscope.open("stats-output")
        >>> values = run.model(until=0.00015, fields="lp,sent,packets")
        >>> values["lp"][:3].tolist(), values["sent"][:3].tolist(), values["packets"][:3].tolist()
        ([0, 1, 2], [None, 36, 41], [71, None, None])
        """
        table = self._selected(chosen) if chosen else self
        blocks = table._reader(ROWS)
        records = RecordBuffer(list(table.fields.values()), table._expected())
        for block in blocks:
            records.append(block)
        return records.array()

    def to_numpy(self, **chosen: Any) -> np.ndarray:
        """Return the records as a numpy structured array, like a call of the table."""
        return self(**chosen)

    def to_pandas(self, **chosen: Any) -> Any:
        """Return the records as a pandas.DataFrame. The arguments are those of `select()`.

        Fields of type ``name`` become categoricals. Values that a record lacks are NaN, or ``<NA>`` in columns of
        integers. ``frame.attrs`` contains the units and descriptions of the fields, the kind and the file.

        >>> import warpscope
        >>> run = warpscope.open("stats-output")
        >>> frame = run.events.to_pandas(fields="recv_ts,size,lp_type")     # doctest: +PANDAS
        >>> frame.attrs["units"]                                            # doctest: +PANDAS
        {'recv_ts': 'virtual time', 'size': 'bytes'}
        """
        from ._frames import frame_of

        table = self._selected(chosen) if chosen else self
        block = table._whole()
        return frame_of(table, list(block._columns.values()), block.records)

    def blocks(self, rows: Optional[int] = ROWS, **chosen: Any) -> BlockReader:
        """Return an iterator over the records in blocks, for more records than fit into memory.

        rows: the number of records in a block; None means blocks as they were recorded. A block has records of only
        one PE, so the last block of each PE may have fewer.
        The other arguments are those of `select()`.

        >>> import warpscope
        >>> run = warpscope.open("stats-output")
        >>> sum(int(block["size"].sum()) for block in run.events.blocks(fields="size"))
        4176064
        """
        if rows is not None:
            if isinstance(rows, bool) or not isinstance(rows, (int, np.integer)):
                raise TypeError(f"rows must be a number or None, not {rows!r}")
            if rows < 1:
                raise InvalidArgumentError(f"rows is {rows}; a block has at least one")
        table = self._selected(chosen) if chosen else self
        return table._reader(rows)

    def _reader(self, rows: Optional[int]) -> BlockReader:
        return BlockReader(self, self._chosen, None if rows is None else min(int(rows), max(1, self._records)))

    def _expected(self) -> int:
        """Return the number of records for which to allocate space at first."""
        rows_are_chosen = any(name != "fields" for name in self._chosen)
        return min(self._records, ROWS if rows_are_chosen else _FIRST_GUESS)

    def _whole(self) -> Block:
        """Return all records as one block, even if there are no records."""
        for block in BlockReader(self, self._chosen, max(1, self._expected()), whole=True):
            return block
        return Block(self, 0, 0, {name: ColumnBuffer(field, 0).column() for name, field in self.fields.items()})

    def __getitem__(self, name: Union[str, Sequence[str]]) -> np.ndarray:
        """Return one column as an array, or several columns as a structured array."""
        if isinstance(name, str):
            self._field(name)
            return self._selected({"fields": [name]})._whole()[name]
        if isinstance(name, (list, tuple)):
            return self(fields=list(name))
        raise TypeError(f"a table is indexed by names of fields, not by {name!r}; records are those of its array")

    __iter__ = None  # type: ignore[assignment]  # a program could expect records or fields

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    def keys(self) -> List[str]:
        """Return the names of the fields."""
        return list(self.fields)

    def __len__(self) -> int:
        """Return the number of records. If `select()` chose rows, the records are read to count them."""
        if all(name == "fields" for name in self._chosen):
            return self._records
        first = next(iter(self._fields))
        return sum(block.records for block in self._selected({"fields": [first]})._reader(ROWS))

    def __bool__(self) -> bool:
        return True

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        array = self()
        return array if dtype is None else array.astype(dtype)

    def _ipython_key_completions_(self) -> List[str]:
        return self.keys()

    def __repr__(self) -> str:
        of = f"{self._records} records of {len(self.fields)} fields"
        rows = ", ".join(f"{name}={value!r}" for name, value in self._chosen.items() if name != "fields")
        return f"<warpscope.Table {_html.visible(self.name)}: {f'some of {of}; {rows}' if rows else of}>"

    def _repr_html_(self) -> str:
        return _html.table_html(self)


Origin = tuple[str, bool, str, str, Dict[str, Any]]  # of a table: path, journals, kind, file, chosen arguments


def _file_name(table: Table) -> str:
    return table.file.path.rsplit("/", 1)[-1]


def table_at(path: str, journals: bool, kind: str, file: str, chosen: Dict[str, Any]) -> Table:
    """Open a run, and return its table with the given kind and first file. Raise NotFoundError if it is gone."""
    from ._run import Run

    run = Run(path, journals=journals)
    for table in run.tables:
        if table.name == kind and _file_name(table) == file:
            return table._selected(chosen)
    raise NotFoundError(f"{_html.visible(path)} has no table {kind} of {_html.visible(file)} any more")
