#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A second reader of Parquet files, written from the format's specification alone (parquet.thrift,
Thrift's compact protocol, Encodings.md, the LZ4 block format), for the output of warpscope export:
flat schemas, data pages of version 1, PLAIN values, RLE levels, no compression or LZ4_RAW;
dictionaries of texts.

    parquet_reference_reader.py FILE        prints the columns' types, the metadata and the rows

It checks everything: pages must follow one another without gaps from the first byte to the metadata,
sizes and counts must agree, and statistics must be those of the values. A ValueError has the error."""

import struct
import sys

from format_reference_reader import lz4

TYPES = {1: "INT32", 2: "INT64", 4: "FLOAT", 5: "DOUBLE", 6: "BYTE_ARRAY"}
SIZES = {"INT32": 4, "INT64": 8, "FLOAT": 4, "DOUBLE": 8}
CONVERTED = {0: "UTF8", 11: "UINT_8", 12: "UINT_16", 13: "UINT_32", 14: "UINT_64",
             15: "INT_8", 16: "INT_16", 17: "INT_32", 18: "INT_64"}


def need(good, words):
    if not good:
        raise ValueError(words)


class Thrift:
    """Reads structures as dictionaries from the number of a field to its value."""

    def __init__(self, data, at=0):
        self.data = data
        self.at = at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = shift = 0
        while True:
            b = self.byte()
            value |= (b & 0x7F) << shift
            shift += 7
            if b < 0x80:
                return value

    def zigzag(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def binary(self):
        size = self.varint()
        need(self.at + size <= len(self.data), "a binary goes beyond the end")
        self.at += size
        return self.data[self.at - size:self.at]

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return struct.unpack("b", bytes([self.byte()]))[0]
        if kind in (4, 5, 6):
            return self.zigzag()
        if kind == 8:
            return self.binary()
        if kind == 9:
            head = self.byte()
            n = head >> 4
            if n == 15:
                n = self.varint()
            return [self.value(head & 15) for _ in range(n)]
        need(kind == 12, "type %d of a field" % kind)
        return self.struct()

    def struct(self):
        fields = {}
        last = 0
        while True:
            head = self.byte()
            if head == 0:
                return fields
            last = last + (head >> 4) if head >> 4 else self.zigzag()
            need(last not in fields, "field %d stands twice" % last)
            fields[last] = self.value(head & 15)


def levels(data, n):
    """Reads n levels of one bit in the hybrid of runs and bits."""
    out = []
    t = Thrift(data)
    while len(out) < n:
        head = t.varint()
        if head & 1:
            for _ in range(head >> 1):
                bits = t.byte()
                out += [bits >> i & 1 for i in range(8)]
        else:
            out += [t.byte()] * (head >> 1)
    need(t.at == len(data), "bytes behind the levels")
    need(all(v == 0 for v in out[n:]), "bits behind the last level")
    return out[:n]


def places(data, n):
    """Reads n indices of a dictionary: the bits of one, then the hybrid of runs and bits."""
    width, out, t = data[0], [], Thrift(data, 1)
    while len(out) < n:
        head = t.varint()
        size = (head >> 1) * width if head & 1 else (width + 7) // 8
        value = int.from_bytes(bytes(t.byte() for _ in range(size)), "little")
        if head & 1:
            out += [value >> i * width & (1 << width) - 1 for i in range((head >> 1) * 8)]
        else:
            out += [value] * (head >> 1)
    need(t.at == len(data), "bytes behind the places")
    need(all(v == 0 for v in out[n:]), "bits behind the last place")
    return out[:n]


class Column:
    def __init__(self, element):
        self.name = element[4].decode()
        self.type = TYPES[element[1]]
        self.optional = element[3] == 1
        self.converted = CONVERTED[element[6]] if 6 in element else ""
        self.logical(element.get(10))

    def logical(self, union):
        """Checks that both descriptions of a column's type agree."""
        if self.converted.startswith(("INT", "UINT")):
            integer = union[10]
            need(self.converted == "%sINT_%d" % ("" if integer[2] else "U", integer[1]),
                 "%s: logical and converted type differ" % self.name)
        elif self.converted == "UTF8":
            need(1 in union, "%s: logical and converted type differ" % self.name)
        else:
            need(union is None, "%s: a logical type without a converted one" % self.name)

    def plain(self, data, n):
        if self.type == "BYTE_ARRAY":
            out = []
            at = 0
            for _ in range(n):
                size = struct.unpack_from("<I", data, at)[0]
                need(at + 4 + size <= len(data), "%s: a value beyond the page" % self.name)
                value = data[at + 4:at + 4 + size]
                out.append(value.decode() if self.converted == "UTF8" else value)
                at += 4 + size
            need(at == len(data), "%s: bytes behind the values" % self.name)
            return out
        code = {"INT32": "i", "INT64": "q", "FLOAT": "f", "DOUBLE": "d"}[self.type]
        if self.converted.startswith("U"):
            code = code.upper()
        need(len(data) == n * SIZES[self.type], "%s: size of the values" % self.name)
        out = list(struct.unpack("<%d%s" % (n, code), data))
        if self.converted:
            bits = int(self.converted.split("_")[1])
            low, high = (0, 2 ** bits) if code.isupper() else (-2 ** (bits - 1), 2 ** (bits - 1))
            need(all(low <= v < high for v in out), "%s: a value has too many bits" % self.name)
        return out


class File:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        data = self.data
        need(data[:4] == b"PAR1" and data[-4:] == b"PAR1", "not a Parquet file")
        size = struct.unpack("<I", data[-8:-4])[0]
        begin = len(data) - 8 - size
        need(begin >= 4, "metadata larger than the file")
        t = Thrift(data, begin)
        meta = t.struct()
        need(t.at == len(data) - 8, "bytes behind the metadata")
        need(meta[1] in (1, 2), "version")
        root, leaves = meta[2][0], meta[2][1:]
        need(root[5] == len(leaves) and all(5 not in leaf for leaf in leaves), "not a flat schema")
        self.name = root[4].decode()
        self.columns = [Column(leaf) for leaf in leaves]
        self.metadata = {pair[1].decode(): pair[2].decode() for pair in meta.get(5, [])}
        self.created_by = meta[6].decode()
        need(meta[7] == [{1: {}}] * len(leaves), "orders of the columns")
        self.n = meta[3]
        self.at = 4
        self.values = [[] for _ in self.columns]
        self.codecs = set()
        self.groups = len(meta[4])
        for group in meta[4]:
            self.read_group(group)
        need(self.at == begin, "pages end at %d, metadata begin at %d" % (self.at, begin))
        need(all(len(v) == self.n for v in self.values), "number of rows")

    def read_group(self, group):
        need(len(group[1]) == len(self.columns), "columns of a row group")
        raw = stored = 0
        for column, values, chunk in zip(self.columns, self.values, group[1]):
            meta = chunk[3]
            need(TYPES[meta[1]] == column.type and meta[3] == [column.name.encode()],
                 "%s: type or name in a row group" % column.name)
            new = self.read_chunk(column, meta)
            need(len(new) == group[3] == meta[5], "%s: rows of a row group" % column.name)
            values += new
            raw += meta[6]
            stored += meta[7]
        need(group[2] == raw and group[6] == stored, "sizes of a row group")

    def read_chunk(self, column, meta):
        dictionary, before = None, self.at
        if 11 in meta:
            dictionary = self.read_dictionary(column, meta)
        before = self.at - before
        need(meta[9] == self.at, "%s: page at %d instead of %d" % (column.name, meta[9], self.at))
        t = Thrift(self.data, self.at)
        header = t.struct()
        page = header[5]
        need(header[1] == 0 and page[2] == (8 if dictionary else 0) and page[3] == 3,
             "%s: kind of page" % column.name)
        need(meta[2] == ([0, 3, 8] if dictionary else [0, 3]), "%s: encodings" % column.name)
        head = t.at - self.at + before
        need(meta[6] == head + header[2] and meta[7] == head + header[3],
             "%s: sizes of the chunk" % column.name)
        data = self.data[t.at:t.at + header[3]]
        self.at = t.at + header[3]
        self.codecs.add(meta[4])
        if meta[4] == 7:
            data = lz4(data, header[2])
        else:
            need(meta[4] == 0 and header[2] == header[3], "%s: codec" % column.name)
        present = [1] * page[1]
        if column.optional:
            size = struct.unpack_from("<I", data)[0]
            present = levels(data[4:4 + size], page[1])
            data = data[4 + size:]
        if dictionary:
            values = [dictionary[place] for place in places(data, sum(present))]
        else:
            values = column.plain(data, sum(present))
        self.check_statistics(column, meta[12], values, page[1])
        at = iter(values)
        return [next(at) if there else None for there in present]

    def read_dictionary(self, column, meta):
        need(meta[11] == self.at and meta[4] == 0, "%s: place of the dictionary" % column.name)
        t = Thrift(self.data, self.at)
        header = t.struct()
        need(header[1] == 2 and header[2] == header[3] and header[7][2] == 0,
             "%s: kind of dictionary" % column.name)
        self.at = t.at + header[3]
        return column.plain(self.data[t.at:self.at], header[7][1])

    @staticmethod
    def check_statistics(column, said, values, n):
        need(said[3] == n - len(values), "%s: number of nulls" % column.name)
        numbers = column.type != "BYTE_ARRAY" and all(v == v for v in values)
        need((5 in said) == (6 in said) == bool(numbers and values),
             "%s: statistics that are there" % column.name)
        if 5 in said:
            low, high = column.plain(said[6], 1)[0], column.plain(said[5], 1)[0]
            need(low == min(values) and high == max(values), "%s: least, greatest" % column.name)
            if column.type in ("FLOAT", "DOUBLE"):
                need((low != 0 or said[6][-1] == 0x80) and (high != 0 or said[5][-1] == 0),
                     "%s: signs of zeros" % column.name)

    def rows(self):
        return zip(*self.values)


def main():
    f = File(sys.argv[1])
    for column in f.columns:
        print("#", column.name, column.type, column.converted, "optional" * column.optional)
    for key, value in f.metadata.items():
        print("# %s: %s" % (key, value))
    for row in f.rows():
        print(*row, sep=",")


if __name__ == "__main__":
    main()
