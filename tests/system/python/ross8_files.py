# SPDX-License-Identifier: BSD-3-Clause
"""Reads files in the layout of ROSS 8, independently of the code that writes them, and compares them with
the output of "warpscope dump" for the records that they were made from.

    python3 ross8_files.py PREFIX RECORDS

Reads those of PREFIX-gvt.bin, -rt.bin, -evtrace.bin, -model.bin and -analysis-lps.bin that exist. RECORDS
is a directory with dumps named gvt.csv, rt.csv, evtrace.csv, model.csv. Prints a line "NAME COUNT" for
each file and exits with 1 at the first difference.
"""

import csv
import os
import struct
import sys

HEADER = struct.Struct("<iidd")
PE = struct.Struct("<13I13f")
KP = struct.Struct("<9I2f")
LP = struct.Struct("<8IQf4x")
MODEL = struct.Struct("<IIIfiI")
EVENT = struct.Struct("<IIfffI")
ANALYSIS = struct.Struct("<QQQddii")
FIXED = {0: PE, 1: KP, 2: LP, 3: MODEL}
LEVEL = {0: "pe", 1: "kp", 2: "lp"}
# Places of counts within the structs, by level.
COUNTS = {
    0: {"events_processed": 1, "events_aborted": 2, "events_rolled_back": 3, "total_rollbacks": 4,
        "secondary_rollbacks": 5, "fossil_collects": 6, "pq_size": 7, "network_sends": 8,
        "network_recvs": 9, "num_gvt": 10, "event_ties": 11, "all_reduce_count": 12},
    1: {"kp": 1, "events_processed": 2, "events_aborted": 3, "events_rolled_back": 4,
        "total_rollbacks": 5, "secondary_rollbacks": 6, "network_sends": 7, "network_recvs": 8},
    2: {"kp": 1, "lp": 2, "events_processed": 3, "events_aborted": 4, "events_rolled_back": 5,
        "network_sends": 6, "network_recvs": 7},
}


class Difference(Exception):
    pass


def check(what, expected, found):
    if expected != found:
        raise Difference("%s: %r instead of %r" % (what, found, expected))


def f32(text):
    return struct.unpack("<f", struct.pack("<f", float(text)))[0]


class Bytes:
    """Reads a file from front to back."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        self.at = 0

    def more(self):
        return self.at < len(self.data)

    def take(self, layout):
        values = layout.unpack_from(self.data, self.at)
        self.at += layout.size
        return values

    def payload(self, size):
        if self.at + size > len(self.data):
            raise Difference("byte %d: %d bytes of payload go beyond the end" % (self.at, size))
        self.at += size
        return self.data[self.at - size:self.at]


def samples(data, name, rows):
    """Returns samples of the engine by level, in the order of the dump, which is that of the file."""
    for n, row in enumerate(rows):
        flag, size, gvt, real_time = data.take(HEADER)
        if flag not in LEVEL:
            raise Difference("record %d: flag %d" % (n, flag))
        check("record %d: size" % n, FIXED[flag].size, size)
        values = data.take(FIXED[flag])
        check("record %d: kind" % n, row["record"], "%s_%s" % (name, LEVEL[flag]))
        check("record %d: pe" % n, int(row["pe"]), values[0])
        check("record %d: gvt" % n, float(row["gvt"]), gvt)
        check("record %d: real time" % n, float(row["real_time"]), real_time)
        for field, place in COUNTS[flag].items():
            check("record %d: %s" % (n, field), int(row[field]), values[place])


def events(data, name, rows):
    for n, row in enumerate(rows):
        src, dest, sent, received, real_time, size = data.take(EVENT)
        check("event %d: LPs" % n, (int(row["src_lp"]), int(row["dest_lp"])), (src, dest))
        check("event %d: times" % n,
              (f32(row["send_ts"]), f32(row["recv_ts"]), f32(row["real_time"])),
              (sent, received, real_time))
        check("event %d: payload" % n, row["payload"], data.payload(size).hex())


def model(data, name, rows):
    for n, row in enumerate(rows):
        flag, size, ts, real_time = data.take(HEADER)
        check("sample %d: header" % n, (3, 24), (flag, size))
        pe, kp, lp, gvt, kind, size = data.take(MODEL)
        check("sample %d: place" % n, (int(row["pe"]), int(row["kp"]), int(row["lp"])),
              (pe, kp, lp))
        check("sample %d: times" % n,
              (float(row["lp_ts"]), float(row["real_time"]), f32(row["gvt"])), (ts, real_time, gvt))
        check("sample %d: kind" % n, int(row["kind"]), kind)
        check("sample %d: payload" % n, row["payload"], data.payload(size).hex())


def analysis(data, name, rows):
    for n, row in enumerate(rows):
        lp, kp, pe, ts, real_time, size, flag = data.take(ANALYSIS)
        check("sample %d: place" % n, (int(row["lp"]), int(row["kp"]), int(row["pe"])),
              (lp, kp, pe))
        check("sample %d: times" % n, (float(row["gvt"]), float(row["real_time"])),
              (ts, real_time))
        check("sample %d: flag" % n, 3, flag)
        check("sample %d: size is not 0" % n, True, size > 0)
        check("sample %d: payload" % n, row["payload"], data.payload(size).hex())


def dumped(directory, name):
    with open(os.path.join(directory, name + ".csv"), newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


FILES = {
    "gvt": (samples, "gvt", lambda row: True),
    "rt": (samples, "rt", lambda row: row["record"] != "rt_ahead"),
    "evtrace": (events, "evtrace", lambda row: True),
    "model": (model, "model", lambda row: row["kind"] in ("1", "2")),
    "analysis-lps": (analysis, "model", lambda row: row["kind"] == "3"),
}


def main():
    prefix, directory = sys.argv[1:]
    for name, (read, source, chosen) in FILES.items():
        path = "%s-%s.bin" % (prefix, name)
        if not os.path.exists(path):
            continue
        data = Bytes(path)
        rows = [row for row in dumped(directory, source) if chosen(row)]
        try:
            read(data, name, rows)
            check("bytes behind the last record", False, data.more())
        except (Difference, struct.error) as error:
            print("%s: byte %d: %s" % (path, data.at, error))
            return 1
        print(name, len(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
