# SPDX-License-Identifier: BSD-3-Clause
"""Compares analyses of memory traces.

    memtrace_compare.py EXPECTED.json GOT.json             are the two JSON files equal?
    memtrace_compare.py --analyse FILE.trc... GOT.json     is this the output of "memtrace all --json"?
    memtrace_compare.py --random PROGRAM N SEED            compares the output of PROGRAM for "memtrace all"
                                                           and "addresses" on N random sets of traces, by
                                                           start addresses and by bytes, by both rules

The expected analysis is computed here. It is written from docs/memory-traces.md, keeps every record, and
shares no code with the tested program."""
import itertools
import json
import random
import struct
import subprocess
import sys
from collections import defaultdict

NAMES = {0: "Load", 1: "Store"}


def read(path):
    """Returns the launches of a file: (kernel, [(type, size, sm, address, cta)])."""
    data = open(path, "rb").read()
    assert data[0] == 24
    at, launches = 1, []
    while at < len(data):
        end = data.index(b"\n", at + 1)
        name, records, at = data[at + 1:end].decode(), [], end + 1
        while True:
            word, address, cta = struct.unpack_from("<QQQ", data, at)
            at += 24
            if word == 0:
                break
            records.append((word >> 28 & 15, word & 0xfffffff, word >> 32, address, cta))
        launches.append((name, records))
    return launches


def tree():
    return defaultdict(tree)


def keep(kept, r, original):
    last = kept[-1] if kept else None
    if r["type"] > 1:
        kept.append(r)
    elif r["type"] == 1 and not original:
        if last and last["type"] == 1:
            kept.pop()
        kept.append(r)
    elif r["type"] == 1:
        if last is None:
            kept.append(r)
        elif r["it"] > last["it"]:
            if r["actor"] == last["actor"]:
                kept.pop()
            kept.append(r)
        elif last["type"] == 0 and last["actor"] == r["actor"]:
            kept.append(r)
    else:
        behind = []
        for w in reversed(kept):
            if w["type"] > 0:
                break
            behind.append(w)
        else:
            return
        if w["actor"] == r["actor"]:
            return
        if any(b["actor"] == r["actor"] and b["it"] == r["it"] for b in behind):
            return
        kept.append(r)


def add(table, r, name):
    for letter, part in ("K", ()), ("C", (str(r["cta"]),)), ("S", (hex(r["smid"]),)):
        leaf = table[letter + name][r["kernel"]][str(r["it"])]
        for p in part:
            leaf = leaf[p]
        key = NAMES.get(r["type"], "Atomic")
        leaf[key] = (leaf[key] if key in leaf else 0) + r["size"]


def units(r, by_bytes):
    """Yields the accesses of a record, by address."""
    if not by_bytes:
        return [(r["addr"], r)]
    end = min(r["addr"] + r["size"], 1 << 64)
    return [(a, dict(r, addr=a, size=1)) for a in range(r["addr"], end)]


def as_ranges(addresses):
    ranges = []
    for a in sorted(addresses):
        if ranges and ranges[-1][1] + 1 == a:
            ranges[-1][1] = a
        else:
            ranges.append([a, a])
    return ranges


def as_lists(lists, by_bytes):
    """Returns records by address, or by the first address of a range of bytes with equal lists."""
    plain = lambda r: {k: r[k] for k in ("kernel", "it", "cta", "smid", "type")}
    out, first, last = {}, None, None
    for address, kept in sorted(lists.items()):
        if by_bytes and last == address - 1 and list(map(plain, kept)) == list(
                map(plain, out[first])):
            for r in out[first]:
                r["size"] += 1
        else:
            first = address
            out[first] = [dict(plain(r), addr=address, size=r["size"]) for r in kept]
        last = address
    return out


def hot_ranges(blocks, kernels, lists):
    """blocks: bytes by block of 256 bytes, then by kernel and class; kernels: in the order of their launches."""
    out = []
    for block in sorted(blocks):
        if not out or out[-1][-1] < block - 1:
            out.append([])
        out[-1].append(block)
    rows = []
    for members in out:  # without gaps
        uses = {(k, c): sum(blocks[b].get((k, c), 0) for b in members) for k in kernels for c in range(3)}
        of_class = [sum(uses[k, c] for k in kernels) for c in range(3)]
        hot = max(members, key=lambda b: (sum(blocks[b].values()), -b))
        row = dict(address=members[0] * 256, size=len(members) * 256, load_bytes=of_class[0],
                   write_bytes=of_class[1] + of_class[2], atomic_bytes=of_class[2], received_bytes=sum(
                       r["size"] for a, kept in lists.items() if a // 256 in members for r in kept
                       if r["type"] == 0),
                   hot_offset=(hot - members[0]) * 256, hot_bytes=sum(blocks[hot].values()))
        for end, of in ("writer", lambda k: uses[k, 1] + uses[k, 2]), ("reader", lambda k: uses[k, 0]):
            most = max(kernels, key=of)
            if of(most) > 0:
                row[end + "_stream"], row[end] = most
        rows.append(row)
    return rows


def analyse(paths, by_bytes=False, original=False):
    streams = [read(p) for p in paths]
    blocks, kernels = defaultdict(lambda: defaultdict(int)), []
    volumes, transfer, addrset, lists = tree(), tree(), tree(), defaultdict(list)
    for name in "KDV", "CDV", "SDV", "KCV", "CCV", "SCV":
        volumes[name]
    for it in range(max(map(len, streams))):
        for number, launches in enumerate(streams, 1):
            kernel, records = launches[it] if it < len(launches) else ("", [])
            key = number, kernel
            if it < len(launches) and key not in kernels:
                kernels.append(key)
            kernel = kernel if len(paths) == 1 else "%d:%s" % (number, kernel)
            for kind, size, sm, address, cta in records:
                r = dict(kernel=kernel, it=it, cta=cta, addr=address, smid=sm, size=size,
                         type=kind, actor=(kernel, cta))
                add(volumes, r, "DV")
                for a in range(address, min(address + size, 1 << 64)):
                    blocks[a // 256][key, min(kind, 2)] += 1
                for a, unit in units(r, by_bytes):
                    keep(lists[a], unit, original)
    for address, kept in sorted(lists.items()):
        if kept and kept[-1]["type"] == 1:
            kept.pop()
        if len({r["actor"] for r in kept}) < 2:
            del lists[address]
            continue
        for r in kept:
            add(volumes, r, "CV")
            uses = addrset[r["kernel"]][str(r["cta"])][str(r["it"])]
            uses = uses.setdefault(str(r["type"]), [])
            if address not in uses:
                uses.append(address)
            if r["type"] > 0:
                w = r
                continue
            leaf = transfer[w["kernel"]][str(w["cta"])][str(w["it"])][r["kernel"]]
            leaf = leaf[str(r["cta"])][str(r["it"])]
            leaf["cnt"] = leaf.get("cnt", 0) + 1
            leaf["size"] = leaf.get("size", 0) + r["size"]
    volumes["it"] = max(map(len, streams)) - 1
    for part in (s for k in addrset.values() for c in k.values() for s in c.values()):
        for kind in part:
            part[kind] = as_ranges(part[kind]) if by_bytes else sorted(part[kind])
    return dict(volumes=volumes, transfer=transfer, addrset=addrset,
                addresses=as_lists(lists, by_bytes), ranges=hot_ranges(blocks, kernels, lists))


PARTS = {"all": ("volumes", "transfer", "addrset"), "addresses": ("addrset", "addresses", "ranges")}


def write_random(path, rng):
    base, span = rng.choice([(0x7f0000000000, 30), (2**64 - 12, 12), (0, 6), (64, 200)])
    sizes, ctas = rng.choice([(4,), (1, 2, 4, 8), (1, 3, 17, 64)]), rng.choice([2, 3, 9])
    data = b"\x18"
    for _ in range(rng.randint(1, 7)):
        data += b"\n" + rng.choice([b"a", b"void b<1, 2>()", b"b"]) + b"\n"
        for _ in range(rng.choice([0, 3, 30, 60])):
            kind = rng.choice([0] * 8 + [1] * 5 + [2, 14])
            data += struct.pack("<QQQ", rng.randrange(3) << 32 | kind << 28 | rng.choice(sizes),
                                base + rng.randrange(span), rng.randrange(ctas) << 32)
        data += bytes(24)
    open(path, "wb").write(data)


def random_compare(program, n, seed):
    for i in range(n):
        rng = random.Random(seed + i)
        paths = ["random-%d.trc" % s for s in range(rng.choice([1, 1, 2, 3]))]
        for path in paths:
            write_random(path, rng)
        for match, rule in itertools.product(("start", "bytes"), ("values", "original")):
            analysis = analyse(paths, match == "bytes", rule == "original")
            expected = json.loads(json.dumps(analysis))
            for what, parts in PARTS.items():
                options = ["--json", "--match=" + match, "--rule=" + rule]
                got = subprocess.run([program, "memtrace", what] + options + paths,
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                     check=True).stdout
                if json.loads(got) != {p: expected[p] for p in parts}:
                    sys.exit("%s by %s and %s of seed %d differs" % (what, match, rule, seed + i))


if sys.argv[1] == "--random":
    random_compare(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    sys.exit(0)
if sys.argv[1] == "--analyse":
    expected = json.loads(json.dumps(analyse(sys.argv[2:-1])))
    expected = {p: expected[p] for p in PARTS["all"]}
else:
    expected = json.load(open(sys.argv[1]))
got = json.load(open(sys.argv[-1]))
if expected != got:
    sys.exit("%s: differs" % sys.argv[-1])
