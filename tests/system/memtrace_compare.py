"""memtrace_compare.py EXPECTED.json GOT.json: is it the same JSON?
memtrace_compare.py --analyse FILE.trc... GOT.json: is GOT.json what "memtrace all --json FILE.trc..."
must print? What it must, the lines below find out. They are written from docs/memory-traces.md, keep
every record, and share nothing with the program that they check."""
import json
import struct
import sys
from collections import defaultdict

NAMES = {0: "Load", 1: "Store"}


def read(path):
    """Launches of a file: (kernel, [(type, size, sm, address, cta)])."""
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


def keep(kept, r):
    last = kept[-1] if kept else None
    if r["type"] > 1:
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


def analyse(paths):
    streams = [read(p) for p in paths]
    volumes, transfer, addrset, lists = tree(), tree(), tree(), defaultdict(list)
    for name in "KDV", "CDV", "SDV", "KCV", "CCV", "SCV":
        volumes[name]
    for it in range(max(map(len, streams))):
        for number, launches in enumerate(streams, 1):
            kernel, records = launches[it] if it < len(launches) else ("", [])
            kernel = kernel if len(paths) == 1 else "%d:%s" % (number, kernel)
            for kind, size, sm, address, cta in records:
                r = dict(kernel=kernel, it=it, cta=cta, addr=address, smid=sm, size=size,
                         type=kind, actor=(kernel, cta))
                add(volumes, r, "DV")
                keep(lists[address], r)
    for address, kept in sorted(lists.items()):
        if kept and kept[-1]["type"] == 1:
            kept.pop()
        if len({r["actor"] for r in kept}) < 2:
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
    return dict(volumes=volumes, transfer=transfer, addrset=addrset)


if sys.argv[1] == "--analyse":
    expected = json.loads(json.dumps(analyse(sys.argv[2:-1])))
else:
    expected = json.load(open(sys.argv[1]))
got = json.load(open(sys.argv[-1]))
if expected != got:
    sys.exit("%s: differs" % sys.argv[-1])
