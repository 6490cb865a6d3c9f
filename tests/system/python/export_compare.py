#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the output of warpscope export with that of warpscope dump, value by value.

    export_compare.py LIST

LIST has a line for each comparison: RECORDS.csv, FILE, KIND and TICKS, separated by tabs. RECORDS.csv:
dumped records, of one kind, or of several if FILE is .csv. FILE: .csv, .parquet, .npy (needs numpy),
.sqlite, or ROSS's .bin with the records of KIND. TICKS: per second, in ROSS's files; empty: 1e9; inf:
unknown. Prints a line for each comparison: the number of rows, or the difference. Exit status 1 if
there is any difference. One process makes all comparisons, because Python takes longer to start than
to compare."""

import csv
import math
import sqlite3
import struct
import sys

import parquet_reference_reader


class Different(Exception):
    pass


def fail(*words):
    raise Different(" ".join(str(word) for word in words))


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def same(text, value):
    """Returns true if the value is that of the text."""
    if isinstance(value, bytes):
        return value == bytes.fromhex(text)
    if isinstance(value, str):
        return value == text
    if isinstance(value, int):
        return value == int(text) or value == int(text) - 2 ** 64 < 0  # the JSON text and SQLite
    number = float(text)
    # A 32-bit number in a column of 64 bits is printed with the digits that 32 bits need.
    return value == number or value == f32(number) or (math.isnan(value) and math.isnan(number))


def unsplit(names, rows):
    """Joins columns that a format splits by the kind of value."""
    split = {}
    for place, name in enumerate(names):
        base, _, kind = name.rpartition(".")
        if kind in ("unsigned", "signed", "float", "text") and base in names:
            split[place] = names.index(base)
    def joined():
        for row in rows:
            row = list(row)
            for place, base in split.items():
                if row[place] is not None:
                    if row[base] is not None:
                        fail("two values for", names[base])
                    row[base] = row[place]
            yield [value for place, value in enumerate(row) if place not in split]
    return [name for place, name in enumerate(names) if place not in split], joined()


def compare(names, rows, header, table, missing):
    """missing(column, text): the expected value for an empty field, or for text NaN; or Ellipsis."""
    if names != header:
        fail("columns", names, "instead of", header)
    n = 0
    for row, expected in zip(rows, table):
        for column, (value, text) in enumerate(zip(row, expected)):
            instead = missing(column, text)
            # An empty text looks like none in a CSV file.
            good = same(text, value) if instead is ... else value == instead or value == text == ""
            if not good:
                fail("row", n, header[column], repr(value), "instead of", repr(text))
        n += 1
    if n != len(table) or next(iter(rows), None) is not None:
        fail(n, "rows instead of", len(table))
    return n


def from_csv(path, kind, header, table):
    """Compares with a dump of several kinds, where each has the columns of all."""
    with open(path, newline="") as f:
        names, *rows = list(csv.reader(f))
    places = [header.index(name) for name in names]
    expected = []
    for row in table:
        if row[header.index("record")] == kind:
            expected.append([row[place] for place in places])
            others = [name for name, value in zip(header, row)
                      if value != "" and name != "record" and name not in names]
            if others:
                fail("columns", others, "are missing")
    if rows != expected:
        fail(path, "differs")
    return len(rows)


def from_parquet(path, header, table):
    f = parquet_reference_reader.File(path)
    return compare(*unsplit([c.name for c in f.columns], f.rows()), header, table,
                   lambda column, text: None if text == "" else ...)


def from_sqlite(path, kind, header, table):
    db = sqlite3.connect(path)
    cursor = db.execute('SELECT * FROM "%s" ORDER BY rowid' % kind)
    names = [d[0] for d in cursor.description]
    described = [row[0] for row in
                 db.execute('SELECT name FROM fields WHERE "table" = ? ORDER BY rowid', (kind,))]
    if described != names:
        fail("the table of fields has", described)
    return compare(*unsplit(names, cursor), header, table,
                   lambda column, text: None if text in ("", "nan") else ...)


def from_npy(path, header, table):
    import numpy
    a = numpy.load(path, mmap_mode="r")
    types = [a.dtype[i] for i in range(len(a.dtype))]
    width = {i: t.itemsize for i, t in enumerate(types) if t.kind == "V"}

    def plain(row):
        return [v.tobytes() if i in width else v.decode() if isinstance(v, bytes) else v
                for i, v in enumerate(row.tolist() if not width else
                                      [x.item() if i not in width else x for i, x in enumerate(row)])]

    def missing(column, text):
        kind = types[column].kind
        if kind == "V":
            return bytes.fromhex(text).ljust(width[column], b"\0")
        return ... if text != "" else "" if kind == "S" else 0 if kind in "iu" else ...
    filled = [["nan" if text == "" and types[i].kind == "f" else text
               for i, text in enumerate(row)] for row in table]
    return compare(list(a.dtype.names), (plain(row) for row in a), header, filled, missing)


# ---- ROSS ---------------------------------------------------------------------------------------

PE = ("<13I13f", ["pe", "events_processed", "events_aborted", "events_rolled_back",
                  "total_rollbacks", "secondary_rollbacks", "fossil_collects", "pq_size",
                  "network_sends", "network_recvs", "num_gvt", "event_ties", "all_reduce_count",
                  "EFFICIENCY", "network_read_cc", "", "gvt_cc", "fossil_collect_cc",
                  "event_abort_cc", "event_processing_cc", "priority_queue_cc", "rollbacks_cc",
                  "cancelq_cc", "avl_cc", "buddy_cc", "lz4_cc"])
KP = ("<9I2f", ["pe", "kp", "events_processed", "events_aborted", "events_rolled_back",
                "total_rollbacks", "secondary_rollbacks", "network_sends", "network_recvs",
                "time_ahead_gvt", "EFFICIENCY"])
LP = ("<8IQf4s", ["pe", "kp", "lp", "events_processed", "events_aborted", "events_rolled_back",
                  "network_sends", "network_recvs", "event_processing_cc", "EFFICIENCY", "PADDING"])
MODEL = ("<3IfiI", ["pe", "kp", "lp", "gvt", "kind", "payload_size"])
EVENT = ("<2I3fI", ["src_lp", "dest_lp", "send_ts", "recv_ts", "real_time", "payload_size"])
FLAGS = [PE, KP, LP, MODEL]
FLAG_OF = {"pe": 0, "kp": 1, "lp": 2}


def ross_records(data, kind):
    """Yields the records of the kind: its members, the payload, and for most the two times before."""
    at = 0
    while at < len(data):
        times = ()
        layout = EVENT
        flag = None
        if kind not in ("event", "rollback"):
            flag, size, *times = struct.unpack_from("<iidd", data, at)
            at += 24
            layout = FLAGS[flag]
            if size != struct.calcsize(layout[0]):
                fail("size", size, "of flag", flag)
        values = struct.unpack_from(layout[0], data, at)
        at += struct.calcsize(layout[0])
        payload = b""
        if layout in (MODEL, EVENT):
            payload = data[at:at + values[-1]]
            at += values[-1]
        if flag in (None, 3) or flag == FLAG_OF[kind[-2:]]:
            yield layout, values, times, payload
    if at != len(data):
        fail("a record goes beyond the end")


def ross_expected(name, row, ticks):
    """Returns the expected value of a member."""
    if name == "PADDING":
        return b"\0\0\0\0"
    if name == "EFFICIENCY":
        undone = int(row["events_rolled_back"])
        net = int(row["events_processed"]) - undone
        return f32(100 * (1 - undone / net)) if net > 0 else 0
    if name not in row:
        return 0
    if name.endswith("_cc") and "lp" not in row:
        return f32(int(row[name]) / ticks)
    if row[name].isdigit():
        return min(int(row[name]), 2 ** 32 - 1)
    return f32(float(row[name]))


def from_ross(path, kind, ticks, header, table):
    with open(path, "rb") as f:
        data = f.read()
    n = 0
    for layout, values, times, payload in ross_records(data, kind):
        if n == len(table):
            fail("more than", n, "rows")
        row = dict(zip(header, table[n]))
        for name, value in zip(layout[1], values):
            expected = ross_expected(name, row, ticks)
            if value != expected and not (name == "lp" and value == expected):
                fail("row", n, name, value, "instead of", expected)
        if times and (times[0] != float(row.get("lp_ts", row["gvt"])) or
                      times[1] != float(row["real_time"])):
            fail("row", n, "times", times)
        if row.get("payload") and payload.hex() != row["payload"]:
            fail("row", n, "payload", payload.hex())
        n += 1
    if n != len(table):
        fail(n, "rows instead of", len(table))
    return n


def unnamed(header, table):
    """Removes the columns of names, which databases and arrays do not have."""
    n = next((i for i, name in enumerate(header) if name in
              ("lp_type", "cause_name", "kind_name", "detail_name")), len(header))
    return header[:n], [row[:n] for row in table]


def compared(records, path, kind, ticks):
    with open(records, newline="", encoding="utf-8", errors="replace") as f:
        header, *table = list(csv.reader(f))
    if path.endswith(".csv"):
        return from_csv(path, kind, header, table)
    if not path.endswith(".parquet"):
        header, table = unnamed(header, table)
    if path.endswith(".parquet"):
        return from_parquet(path, header, table)
    if path.endswith(".npy"):
        return from_npy(path, header, table)
    if path.endswith(".sqlite"):
        return from_sqlite(path, kind, header, table)
    return from_ross(path, kind, float(ticks or "1e9"), header, table)


def main():
    status = 0
    with open(sys.argv[1], encoding="utf-8") as f:
        comparisons = [line.rstrip("\n").split("\t") for line in f]
    for comparison in comparisons:
        try:
            print(compared(*comparison))
        except Exception as error:  # also a file that no reader understands
            print(type(error).__name__ + ":", *str(error).splitlines()[:1])
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
