#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A second reader of record files, written from docs/FORMAT.md with Python's standard library only.

    format_reference_reader.py FILE      records as CSV, in the columns of "warpscope dump"
    format_reference_reader.py --unhex   a hexdump (xxd's form) on standard input to bytes on output

It shows that FORMAT.md is complete: the tests compare its output with warpscope's. It reads complete and
valid files, and stops at an error. It does not check checksums.
"""
import csv
import itertools
import math
import struct
import sys

TYPES = {1: ("<B", 1), 2: ("<H", 2), 3: ("<I", 4), 4: ("<Q", 8), 5: ("<b", 1), 6: ("<h", 2),
         7: ("<i", 4), 8: ("<q", 8), 9: ("<f", 4), 10: ("<d", 8)}
CHAR = 11
ROLE_PAYLOAD_TYPE, ROLE_PAYLOAD_SIZE = 4, 5
DATA, META, END = 1, 2, 3
HELD = 4  # kind of a description
# Codes in words, which dump shows in a column FIELD_name.
CODES = {("model_lp", "kind"): {"1": "gvt", "2": "real_time", "3": "virtual_time"},
         ("rollback", "cause"): {"1": "straggler", "2": "secondary"},
         ("task_step", "detail"): {"0": "step", "1": "detail"}}


def need(condition, what):
    if not condition:
        raise SystemExit("format_reference_reader: " + what)


class Bytes:
    """Reads values from bytes, in sequence."""

    def __init__(self, data):
        self.data, self.pos = data, 0

    def take(self, size):
        need(self.pos + size <= len(self.data), "cut off")
        self.pos += size
        return self.data[self.pos - size:self.pos]

    def number(self, form):
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def string(self):
        return self.take(self.number("<H")).decode()

    def text(self):
        """A string of the model, which may not be UTF-8."""
        return self.take(self.number("<H")).decode("utf-8", "replace")

    def part(self, form):
        return Bytes(self.take(self.number(form)))

    def more(self):
        return self.pos < len(self.data)


def lz4(data, size):
    """The LZ4 block format: sequences of literals and copies of earlier bytes."""
    out, i = bytearray(), 0

    def length(start, i):
        if start == 15:
            while True:
                i += 1
                start += data[i - 1]
                if data[i - 1] != 255:
                    break
        return start, i

    while i < len(data):
        token = data[i]
        literals, i = length(token >> 4, i + 1)
        out += data[i:i + literals]
        i += literals
        if i >= len(data):
            break
        offset = data[i] | data[i + 1] << 8
        match, i = length(token & 15, i + 2)
        for _ in range(match + 4):
            out.append(out[-offset])
    need(len(out) == size, "LZ4 block of a wrong size")
    return bytes(out)


def unpack(data, n, bits):
    """Packed numbers: n of them in lanes of words. Returns them and the size of the words in bytes."""
    if n == 0 or bits == 0:
        return [0] * n, 0
    word_bits = 32 if bits <= 32 else 64
    lanes = -(-n // word_bits)
    words = -(-(-(-n // lanes) * bits) // word_bits)
    size = lanes * words * word_bits // 8
    need(size <= len(data), "packed numbers are cut off")
    of_words = struct.unpack("<%d%s" % (lanes * words, "I" if word_bits == 32 else "Q"), data[:size])
    streams = [sum(of_words[k * lanes + lane] << k * word_bits for k in range(words))
               for lane in range(lanes)]
    return [streams[i % lanes] >> i // lanes * bits & (1 << bits) - 1 for i in range(n)], size


def framed(body, width, n):
    """The numbers of FRAME or DELTA, the base added, and what follows the base for DELTA."""
    form = "<I" if width == 4 else "<Q"
    bits, shift, exceptions, base = (body.number(f) for f in ("<B", "<B", "<H", form))
    first = body.number(form) if n[1] else 0
    need(bits + shift <= 8 * width, "too many bits")
    numbers, size = unpack(body.data[body.pos:], n[0], bits)
    body.take(size)
    numbers = [base + (u << shift) for u in numbers]
    for _ in range(exceptions):
        place = body.number("<I")
        numbers[place] = base + body.number(form)
    return numbers, first


def numbers_column(encoding, width, n, body):
    """A column of encodings 3 to 6, as integers."""
    modulus = 1 << 8 * width
    if encoding == 3:
        return [v % modulus for v in framed(body, width, (n, False))[0]]
    if encoding == 4:
        differences, value = framed(body, width, (n - 1, True))
        values = [value]
        for d in differences:
            value = (value + d) % modulus
            values.append(value)
        return values
    if encoding == 5:
        count = body.number("<B") + 1
        entries = [body.number("<I" if width == 4 else "<Q") for _ in range(count)]
        numbers, size = unpack(body.data[body.pos:], n, (count - 1).bit_length())
        body.take(size)
        return [entries[i] for i in numbers]
    need(encoding == 6, "unknown encoding")
    m, bits, inner = body.number("<I"), body.number("<B"), body.number("<B")
    lengths, size = unpack(body.data[body.pos:], m, bits)
    body.take(size)
    need(inner in (3, 4, 5), "wrong encoding of runs")
    values = numbers_column(inner, width, m, body)
    need(sum(lengths) + m == n, "lengths of runs")
    return [v for v, length in zip(values, lengths) for _ in range(length + 1)]


def pieces(width, n, body):
    heads = [(body.number("<B"), body.number("<B"), body.number("<I"))
             for _ in range(body.number("<H"))]
    need(sum(head[0] for head in heads) == width, "widths of pieces")
    need(all(encoding < 7 for _, encoding, _ in heads), "pieces of pieces")
    columns = [(w, column(encoding, w, w * n, body.take(size))) for w, encoding, size in heads]
    return b"".join(values[i * w:(i + 1) * w] for i in range(n) for w, values in columns)


def column(encoding, width, raw, stored):
    if encoding == 0:
        return stored
    if encoding == 1:
        return stored * (raw // width)
    n, body = raw // width, Bytes(stored)
    if encoding == 2:
        planes = lz4(stored, raw)
        return bytes(planes[b * n + i] for i in range(n) for b in range(width))
    if encoding == 7:
        values = pieces(width, n, body)
    else:
        need(width in (4, 8), "numbers of a wrong width")
        values = struct.pack("<%d%s" % (n, "I" if width == 4 else "Q"),
                             *numbers_column(encoding, width, n, body))
    need(not body.more(), "bytes are left over in a column")
    return values


class File:
    def __init__(self, data):
        self.data = data
        self.schemas, self.run, self.descriptions, self.holds = {}, [], {}, False
        self.superblock()
        self.blocks = [block for pe in range(self.n_pes) for block in self.blocks_of(pe)]
        for kind, _, _, columns in self.blocks:
            if kind == META:
                self.meta(columns[0])

    def superblock(self):
        need(self.data[:8] == b"\x89WSC\r\n\x1a\n", "wrong magic")
        major, _, size, self.file_id, self.first, self.extent, self.n_pes, _, at = \
            struct.unpack_from("<HHIQQQIII", self.data, 8)
        need(major == 1, "newer version")
        while at < size - 8:
            tag, length = struct.unpack_from("<II", self.data, at)
            body = Bytes(self.data[at + 8:at + 8 + length])
            if tag == 1:
                self.schema(body)
            elif tag == 2:
                for _ in range(body.number("<I")):
                    key = body.string()
                    self.run.append((key, body.take(body.number("<I")).decode()))
            elif tag == 1 << 31 | 3:
                need(body.number("<I") <= 8, "encodings of a later version")
            else:
                need(tag < 1 << 31, "unknown section that matters")
            at += 8 + (length + 7) // 8 * 8

    def schema(self, body):
        number, n = body.number("<I"), body.number("<I")
        name, _ = body.string(), body.string()
        fields = []
        for _ in range(n):
            entry = body.part("<H")
            kind, role = entry.number("<B"), entry.number("<B")
            fields.append((entry.string(), kind, role))
        self.schemas[number] = (name, fields)

    def blocks_of(self, pe):
        sequence = records = total = 0
        for k in range(len(self.data) // self.extent + 1):
            start = pos = self.first + (k * self.n_pes + pe) * self.extent
            while pos + 128 <= start + self.extent and self.data[pos:pos + 8].strip(b"\0"):
                kind, schema, columns, size, n, seen = self.block(pos, pe)
                need(seen == (sequence, records), "a block is missing")
                sequence, records = sequence + 1, records + n
                yield kind, schema, n, columns
                if kind == END:
                    need(struct.unpack_from("<QQQ", columns[0]) == (records, sequence, total),
                         "totals of the END block")
                    return
                total += size
                pos += (size + 63) // 64 * 64
        raise SystemExit("format_reference_reader: incomplete: no END block of PE %d" % pe)

    def block(self, pos, pe):
        need(self.data[pos:pos + 4] == b"WSBK", "no block at %d" % pos)
        header_size = struct.unpack_from("<I", self.data, pos + 4)[0]
        kind, schema, owner, _, sequence, first, n, n_columns = \
            struct.unpack_from("<IIIIQQII", self.data, pos + 24)
        _, stored_size, file_id = struct.unpack_from("<QQQ", self.data, pos + 104)
        need(owner == pe and file_id == self.file_id, "a block from elsewhere")
        at, columns = pos + header_size, []
        for c in range(n_columns):
            encoding, _, width, raw, stored = \
                struct.unpack_from("<HHIII", self.data, pos + 128 + 16 * c)
            columns.append(column(encoding, width, raw, self.data[at:at + stored]))
            at += stored
        need(at == pos + header_size + stored_size, "sizes of the columns")
        return kind, schema, columns, header_size + stored_size, n, (sequence, first)

    def meta(self, body):
        body = Bytes(body)
        while body.more():
            entry = body.part("<I")
            number, payload_kind, size, n = (entry.number("<I") for _ in range(4))
            owner = entry.string()
            fields = []
            for _ in range(n):
                f = entry.part("<H")
                kind, _, offset, count = (f.number(form) for form in ("<B", "<B", "<I", "<I"))
                name, _ = f.string(), f.string()
                values = [f.text() for _ in range(f.number("<H"))] if f.more() else []
                fields.append((name, kind, offset, count, values))
            self.descriptions[number] = (size, fields, owner)
            self.holds |= payload_kind == HELD


def number_text(value, kind):
    """Formats like warpscope: the shortest of a few precisions that reads back unchanged."""
    if kind not in (9, 10):
        return str(value)
    if math.isnan(value) or math.isinf(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    for digits in range(6, 10) if kind == 9 else range(15, 18):
        text = "%.*g" % (digits, value)
        back = float(text)
        if kind == 9:
            back = struct.unpack("<f", struct.pack("<f", back))[0]
        if back == value:
            break
    return text


def value_at(data, kind, offset):
    return number_text(struct.unpack_from(TYPES[kind][0], data, offset)[0], kind)


def payload_values(taken, fields, data):
    """Yields (column, text) of a payload's fields; data may be None for the columns alone."""
    for name, kind, offset, count, _ in fields:
        if kind == CHAR:
            text = None if data is None else \
                data[offset:offset + count].split(b"\0")[0].decode("utf-8", "replace")
            yield ("payload." + name if name in taken else name), text
            continue
        for i in range(count):
            full = "%s_%d" % (name, i) if count > 1 else name
            text = None if data is None else value_at(data, kind, offset + i * TYPES[kind][1])
            yield ("payload." + full if full in taken else full), text


def named_columns(file, names, codes, taken):
    """The columns of names of payload fields: {field: column}, in their order."""
    fields = [(name, values) for _, described, _ in
              (file.descriptions[number] for number in sorted(file.descriptions))
              for name, _, _, _, values in described]
    exist, columns = {name for name, _ in fields}, {}
    for field, values in fields:
        column = field + "_name"
        prefix = field in taken or column in exist or column in names or column in codes
        if any(values) and not (prefix and column in exist and column in taken):
            columns[field] = ("payload." if prefix else "") + column
    return columns


def payload_names(columns, fields, data):
    """(column, name) of a payload's values that have names."""
    for name, kind, offset, _, values in fields:
        if name in columns and values:
            value = int(value_at(data, kind, offset))
            yield columns[name], values[value] if 0 <= value < len(values) else ""


def filled(rows):
    """Samples with those that the run has left out: of LPs that have the values of their row before."""
    tables, point, first, given = {}, None, {}, {}
    for row in itertools.chain(rows, [None]):
        now = row and (row["pe"], row["kind"] == "3", row["kind"], row["sample"])
        if now != point:
            if point is not None:
                table = tables.setdefault(point[:2], {})
                table.update(given)
                shared = ["kind", "kind_name", "sample", "gvt", "real_time"] + ["lp_ts"] * point[1]
                yield from ({**values, **{name: first[name] for name in shared}}
                            for values in table.values())
            point, first, given = now, row, {}
        if row is not None:
            given[row["lp"]] = row


def dump(file, out):
    need(len(file.schemas) == 1, "only files with one kind of record")
    (record, fields), = file.schemas.values()
    names = [f[0] for f in fields]
    roles = {role: i for i, (_, _, role) in reversed(list(enumerate(fields)))}
    header, taken, hexadecimal = list(names), set(names) | {"payload", "record"}, False
    taken |= {"lp_type"} | {field + "_name" for _, field in CODES}
    if ROLE_PAYLOAD_SIZE in roles:
        hexadecimal = not file.descriptions
        for number in sorted(file.descriptions):
            size, payload, _ = file.descriptions[number]
            hexadecimal |= not payload and size > 0
            for name, _ in payload_values(taken, payload, None):
                if name not in header:
                    header.append(name)
        header += ["payload"] if hexadecimal else []
    codes = {field: words for (of, field), words in CODES.items() if of == record}
    if ROLE_PAYLOAD_TYPE in roles and any(owner for _, _, owner in file.descriptions.values()):
        codes[names[roles[ROLE_PAYLOAD_TYPE]]] = \
            {str(number): owner for number, (_, _, owner) in file.descriptions.items()}
    labels = {name: "lp_type" if roles.get(ROLE_PAYLOAD_TYPE) == i else name + "_name"
              for i, name in enumerate(names) if name in codes}
    header += sorted(labels.values(), key=lambda name: name != "lp_type")
    named = {}
    if ROLE_PAYLOAD_SIZE in roles:
        own = {field + "_name" for of, field in CODES if of == record}
        named = named_columns(file, names, own, taken)
        header += named.values()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    def rows():
        for kind, _, n, columns in file.blocks:
            if kind != DATA:
                continue
            at = 0
            for i in range(n):
                row = {name: value_at(columns[f], kind, i * TYPES[kind][1])
                       for f, (name, kind, _) in enumerate(fields)}
                if ROLE_PAYLOAD_SIZE in roles:
                    size = int(row[names[roles[ROLE_PAYLOAD_SIZE]]])
                    number = int(row[names[roles[ROLE_PAYLOAD_TYPE]]])
                    data = columns[-1][at:at + size]
                    at += size
                    described = file.descriptions.get(number, (0, [], ""))[1]
                    row.update(payload_values(taken, described, data) if size and described
                               else {"payload": data.hex()} if size else {})
                    row.update(payload_names(named, described, data) if size else {})
                row.update({labels[name]: codes[name].get(row[name], "") for name in codes
                            if name in labels})
                yield row

    for row in filled(rows()) if file.holds else rows():
        writer.writerow([row.get(name, "") for name in header])


def unhex(lines):
    out, repeat = bytearray(), False
    for line in lines:
        if line.startswith("*"):
            repeat = True
            continue
        offset, rest = line.split(":", 1)
        if repeat:
            out += bytes(int(offset, 16) - len(out))
        need(int(offset, 16) == len(out), "offsets of the hexdump")
        out += bytes.fromhex(rest[1:41].replace(" ", ""))
        repeat = False
    return bytes(out)


def main():
    if sys.argv[1] == "--unhex":
        sys.stdout.buffer.write(unhex(sys.stdin))
        return
    with open(sys.argv[1], "rb") as f:
        sys.stdout.reconfigure(errors="replace")
        dump(File(f.read()), sys.stdout)


if __name__ == "__main__":
    main()
