# SPDX-License-Identifier: BSD-3-Clause
"""timeline_json.py perfetto FILE | ctf TEXT - prints a timeline as trace events of Chrome.

FILE: a trace of Perfetto, decoded here from the published schema. TEXT: the output of babeltrace2 for a
trace in the Common Trace Format, with --clock-seconds --fields=trace:... and no other options. Slices are
made from beginnings and ends, so that timeline_check.py can check any format. Times stay exact.
"""
import json
import re
import struct
import sys
from fractions import Fraction


def fail(words):
    sys.exit("%s: %s" % (sys.argv[2], words))


class Maker:
    """Collects trace events in order; makes slices from beginnings and ends per thread."""

    def __init__(self):
        self.events, self.open = [], {}

    def begin(self, pe, kp, ns, name, cat, args):
        e = {"ph": "X", "pid": pe, "tid": kp, "ts": ns, "name": name, "cat": cat, "args": args}
        self.open.setdefault((pe, kp), []).append(e)
        self.events.append(e)

    def end(self, pe, kp, ns):
        if not self.open.get((pe, kp)):
            fail("an end without a beginning: PE %d KP %d" % (pe, kp))
        e = self.open[pe, kp].pop()
        e["dur"] = ns - e["ts"]

    def flow(self, pe, kp, ns, id_, ph):
        self.events.append({"ph": ph, "pid": pe, "tid": kp, "ts": ns, "id": id_})

    def step(self, pe, kp, ns, name, args):
        self.events.append({"ph": "i", "s": "t", "pid": pe, "tid": kp, "ts": ns, "name": name,
                            "cat": "step", "args": args})

    def counter(self, pe, ns, name, value):
        self.events.append({"ph": "C", "pid": pe, "tid": 0, "ts": ns, "name": name,
                            "args": {"value": value}})

    def name(self, what, pe, kp, name):
        self.events.append({"ph": "M", "pid": pe, "tid": kp, "name": what, "args": {"name": name}})

    def write(self):
        if any(self.open.values()):
            fail("slices without an end")
        names = [e for e in self.events if e["ph"] == "M"]
        rest = sorted((e for e in self.events if e["ph"] != "M"),
                      key=lambda e: (e["pid"], e["ts"]))
        lines = []
        for e in names + rest:
            times = {}
            for key in ("ts", "dur"):
                if key in e:
                    times[key] = "@%s@%d.%03d" % (key, e[key] // 1000, e[key] % 1000)
            text = json.dumps({**e, **times})
            lines.append(re.sub(r'"@(?:ts|dur)@([0-9.]+)"', r"\1", text))
        print("[" + ",\n".join(lines) + "]")


# ---- Perfetto


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Returns the fields of a message: a list of (number, value)."""
    at, found = 0, []
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        elif tag & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            if len(value) != size:
                fail("a message is cut off")
        else:
            fail("wire type %d" % (tag & 7))
        found.append((tag >> 3, value))
    return found


def double(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def signed(bits):
    return bits - (bits >> 63 << 64)


def names_of(interned, number):
    pairs = [dict(fields(v)) for n, v in interned if n == number]
    return {p[1]: p[2].decode() for p in pairs}


class Perfetto:
    def __init__(self, data):
        self.maker, self.tracks, self.sequences = Maker(), {}, {}
        for number, packet in fields(data):
            if number != 1:
                fail("field %d of the trace" % number)
            self.packet(fields(packet))
        self.maker.write()

    def packet(self, packet):
        one = dict(packet)
        sequence = one[10]
        if one[13] == 1: # the field is absent
            interned = fields(one[12])
            clocks = [dict(fields(v)) for n, v in fields(one[6]) if n == 1]
            if clocks != [{1: 6, 2: 0}, {1: 64, 2: 0, 3: 1}] or dict(fields(one[59])) != {58: 64}:
                fail("clocks %s" % clocks)
            self.sequences[sequence] = {"time": 0, "categories": names_of(interned, 1),
                                        "names": names_of(interned, 2),
                                        "args": names_of(interned, 3)}
            return
        if one[13] != 2:
            fail("flags %d" % one[13])
        state = self.sequences[sequence]
        if 60 in one:
            self.track(dict(fields(one[60])), sequence - 1)
        if 11 in one:
            state["time"] += one[8]
            self.event(fields(one[11]), state, sequence - 1)

    def track(self, track, pe):
        if track[1] in self.tracks:
            fail("track %d twice" % track[1])
        if 3 in track:
            process = dict(fields(track[3]))
            self.maker.name("process_name", pe, 0, process[6].decode())
            self.tracks[track[1]] = ("process", pe)
        elif self.tracks.get(track[5]) != ("process", pe):
            fail("parent of track %d" % track[1])
        elif 4 in track:
            thread = dict(fields(track[4]))
            name = thread[5].decode()
            kp = int(name.split()[1]) if re.fullmatch(r"KP \d+", name) else track[1]
            self.maker.name("thread_name", pe, kp, name)
            self.tracks[track[1]] = ("thread", kp)
        elif 8 in track:
            self.tracks[track[1]] = ("counter", track[2].decode())

    def event(self, event, state, pe):
        one = dict(event)
        kind, of = self.tracks[one[11]]
        if one[9] == 4:
            self.maker.counter(pe, state["time"], of, double(one[44]))
            return
        if kind != "thread":
            fail("a slice on a track that is no thread")
        if one[9] == 2:
            self.maker.end(pe, of, state["time"])
            return
        args = {}
        for number, value in event:
            if number == 4:
                arg = dict(fields(value))
                args[state["args"][arg[1]]] = (double(arg[5]) if 5 in arg else
                                               arg[6].decode() if 6 in arg else
                                               signed(arg[4]) if 4 in arg else arg[3])
        name = one[23].decode() if 23 in one else state["names"][one[10]]
        if one[9] == 3:
            if one[22] != b"step":
                fail("an instant that is no step")
            self.maker.step(pe, of, state["time"], name, args)
            return
        self.maker.begin(pe, of, state["time"], name,
                         one[22].decode() if 22 in one else state["categories"][one[3]], args)
        for number, value in event:
            if number in (47, 48):
                self.maker.flow(pe, of, state["time"], value, "s" if number == 47 else "f")


# ---- what babeltrace2 prints


TASKS = 1000 # tasks' processes are numbered from here on; their PEs are in the context


def task_id(values, prefix=""):
    lp, number, from_ = (values[prefix + k] for k in ("lp", "number", "from"))
    return "%s.%s" % (lp, number) + (".%s" % from_ if from_ != "-1" else "")


def ctf_task(maker, seen, pe, ns, kind, values):
    process, track = TASKS + pe, int(values["track"])
    if process not in seen:
        seen.add(process)
        maker.name("process_name", process, 0, "tasks of PE %d" % pe)
    texts = {k: re.sub(r"\\(.)", r"\1", v[1:-1]) for k, v in values.items() if v.startswith('"')}
    if kind == "task_begin":
        if (process, track) not in seen: # nothing else says which lane it is
            seen.add((process, track))
            maker.name("thread_name", process, track,
                       "%s (LP %s)" % (texts["where"], values["lp"]))
        args = {"id": task_id(values), "start": float(values["start"])}
        if values["parent_lp"] != "-1":
            args["parent"] = task_id(values, "parent_")
        args.update({"open": 1} if values["open"] == "1" else {"end": float(values["end"])})
        name = ": ".join(t for t in (texts["kind"], texts["what"]) if t)
        maker.begin(process, track, ns, name, texts["kind"], args)
        maker.events[-1]["slice"] = values["slice"]
    elif kind == "task_detail":
        begun = maker.open[process, track][-1]
        if begun["slice"] != values["slice"]:
            fail("a detail of another task: %s" % values)
        begun["args"]["detail"] = texts["text"]
    elif kind == "task_end":
        maker.end(process, track, ns)
    elif kind == "task_step":
        maker.step(process, track, ns, texts["what"], {"task": task_id(values)})
    else:
        maker.flow(process, track, ns, int(values["flow"]), "s" if kind == "child_from" else "f")


def ctf_values(text):
    quoted = r'"(?:[^"\\]|\\.)*"'
    return dict(re.findall(r"(\w+) = (%s|\[[^]]*\]|\((?:%s|[^\")])*\)|[^,]+)" % (quoted, quoted), text))


def ctf_value(text):
    """Returns a value of the model: a text, a number, or an array as babeltrace2 prints it."""
    if text.startswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text if text.startswith("[") else float(text) if re.search("[.einf]", text) else int(text)


def ctf_model(values):
    """The model's values of an event. An enumeration has a name, and the number as its container."""
    args = {}
    for name, text in values.items():
        enumeration = re.match(r"\( (.*) : container = (-?\d+) \)$", text)
        args[name] = ctf_value(text if enumeration is None else enumeration[2])
        if enumeration is not None and enumeration[1] != "<unknown>":
            args[name + "_name"] = ctf_value(enumeration[1])
    return args


def ctf(path):
    maker, seen = Maker(), set()
    line_form = re.compile(r"\[(\d+)\.(\d{9})\] \([^)]*\) (\w+): \{ pe = (\d+) \}, \{ (.*) \}$")
    for line in open(path):
        m = line_form.match(line)
        if m is None:
            fail("not understood: %s" % line)
        ns, kind, pe = int(m[1]) * 10**9 + int(m[2]), m[3], int(m[4])
        usual, _, model = m[5].partition(", values = { ")
        values, model = ctf_values(usual), ctf_values(model[:-2])
        if kind == "counter":
            maker.counter(pe, ns, re.search(r'"([^"]*)"', m[5])[1], float(values["value"]))
            continue
        if kind.startswith(("task_", "child_")):
            ctf_task(maker, seen, pe, ns, kind, values)
            continue
        kp = int(values["kp"])
        for key in ((pe, None), (pe, kp)):
            if key not in seen:
                seen.add(key)
                maker.name("process_name" if key[1] is None else "thread_name", pe,
                           key[1] or 0, "PE %d" % pe if key[1] is None else "KP %d" % kp)
        if kind.endswith("_begin"):
            args = {k: float(v) if "back" in k or k.endswith("_ts") else int(v)
                    for k, v in values.items() if k not in ("kp", "slice", "name") and
                    (k != "undone" or kind == "rollback_begin")}
            args.update(ctf_model(model))
            cat = ("rollback" if kind == "rollback_begin" else
                   "undone" if values["undone"] == "1" else "event")
            maker.begin(pe, kp, ns, values.get("name", "rollback").strip('"'), cat, args)
        elif kind.endswith("_end"):
            maker.end(pe, kp, ns)
        else:
            maker.flow(pe, kp, ns, int(values["flow"]), "s" if kind == "send" else "f")
    maker.write()


if sys.argv[1] == "perfetto":
    Perfetto(open(sys.argv[2], "rb").read())
else:
    ctf(sys.argv[2])
