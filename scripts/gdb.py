# SPDX-License-Identifier: BSD-3-Clause
"""Commands for gdb that print the data structures of a Warpscope simulation.

    gdb -x scripts/gdb.py build/bin/phold core      (or: gdb -x scripts/gdb.py -p PID)
    (gdb) ws pe               GVT, counters and sizes of this rank's PE
    (gdb) ws kp 3             uncommitted events of KP 3, oldest first
    (gdb) ws pending 20       the 20 events that come first in the pending queue
    (gdb) ws event ADDRESS    one event, with its notes
    (gdb) ws streams          buffers and write queues of the recorder

They only read memory, so they work on core files and in the middle of an operation. The program
needs debug information: configure with -DCMAKE_BUILD_TYPE=Debug or RelWithDebInfo.
"""
import gdb

STATES = ("free", "new", "pending", "processing", "processed", "sent", "cancelled", "withdrawn")
MODES = ("not in use", "memory only", "open", "off", "closed")
CHUNK_BYTES = 256  # PENDING_CHUNK_BYTES of event/pending_bag.h


def pe():
    """Returns the struct pe of this process."""
    try:
        this = gdb.parse_and_eval("*(struct pe **)&g_tw_pe")
    except gdb.error as error:
        raise gdb.GdbError(f"{error}; the program needs debug information: "
                           "configure with -DCMAKE_BUILD_TYPE=Debug") from error
    if int(this) == 0:
        raise gdb.GdbError("no simulation: tw_init() has not been called")
    return this.dereference()


def started_pe():
    """Returns the struct pe of a simulation whose queue exists."""
    this = pe()
    if int(this["pending"]) == 0:
        raise gdb.GdbError("no simulation is running: tw_run() has not been called")
    return this


def event_line(event):
    """Returns the description of an event in one line."""
    state = int(event["state"]["owner"])
    name = STATES[state] if state < len(STATES) else f"state {state}"
    lp = event["dest_lp"]
    dest = int(lp["gid"]) if int(lp) != 0 else int(event["dest_lpid"])
    return (f"  {name:10} at {float(event['recv_ts']):.17g} prio {float(event['prio']):g} "
            f"tie {float(event['tie']):.17g}  LP {dest} from LP {int(event['send_lp'])}  "
            f"({hex(int(event.address))})")


def bag_entries(bag):
    """Yields the entries of a bag, see event/pending_bag.h."""
    chunk_type = gdb.lookup_type("struct pending_chunk").pointer()
    entry_type = gdb.lookup_type("struct pending_entry")
    while int(bag) != 0:
        chunk = gdb.Value((int(bag) - 1) & ~(CHUNK_BYTES - 1)).cast(chunk_type)
        first = chunk["entry"][0].address
        for i in range((int(bag) - int(first)) // entry_type.sizeof):
            yield first[i]
        older = chunk["older"]
        if int(older) == 0:
            return
        entries = older["entry"]
        bag = entries[0].address + (entries.type.range()[1] + 1)


def pending_entries(queue):
    """Yields all entries of the pending queue, in no order."""
    ladder = queue.cast(gdb.lookup_type("struct pending_ladder").pointer())
    for i in range(int(queue["n_front"])):
        yield queue["front"][i]
    for i in range(int(ladder["heap"]["n"])):
        yield ladder["heap"]["entry"][i]
    for r in range(int(ladder["n_rungs"])):
        rung = ladder["rung"][r]
        for i in range(int(rung["n_staged"])):
            yield rung["staged"][i]["entry"]
        for i in range(int(rung["cur"]), int(rung["n_buckets"])):
            yield from bag_entries(rung["bucket"][i])
    yield from bag_entries(ladder["top"])


def write(text):
    gdb.write(text + "\n")


class Prefix(gdb.Command):
    """Prints the data structures of a Warpscope simulation."""

    def __init__(self):
        super().__init__("ws", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)


class Pe(gdb.Command):
    """ws pe: prints GVT, counters and sizes of this rank's PE."""

    def __init__(self):
        super().__init__("ws pe", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        this = started_pe()
        counters, queue, pool = this["counters"], this["pending"], this["pool"]
        write(f"PE {int(this['head']['id'])} of {int(this['comm']['n_ranks'])}, "
              f"GVT {float(this['head']['GVT']):.17g}, end {float(this['end_time']):g}")
        write(f"  events processed {int(counters['events_processed'])}, "
              f"rolled back {int(counters['events_rolled_back'])}, "
              f"committed {int(counters['events_committed'])}")
        write(f"  pending {int(queue['n_live'])}, "
              f"cancelled in the queue {int(queue['n_cancelled'])}, "
              f"in use {int(pool['in_use'])} of {int(pool['allocated'])} allocated")
        write(f"  {int(this['lps']['count'])} LPs, {int(this['n_kps'])} KPs")
        if int(this["head"]["cur_event"]) != 0:
            write(event_line(this["head"]["cur_event"].dereference()))


class Kp(gdb.Command):
    """ws kp N: prints the uncommitted events of KP N, oldest first."""

    def __init__(self):
        super().__init__("ws kp", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        this = started_pe()
        number = int(gdb.parse_and_eval(argument or "0"))
        if not 0 <= number < int(this["n_kps"]):
            raise gdb.GdbError(f"there is no KP {number}; this PE has {int(this['n_kps'])}")
        kp = this["kps"][number]
        old, young, mask = int(kp["old"]), int(kp["young"]), int(kp["mask"])
        write(f"KP {number}: {young - old} uncommitted events, "
              f"last time {float(kp['head']['last_time']):.17g}")
        for i in range(old, young):
            write(event_line(kp["ring"][i & mask].dereference()))


class Pending(gdb.Command):
    """ws pending [N]: prints the N events that come first in the pending queue (default: all)."""

    def __init__(self):
        super().__init__("ws pending", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        queue = started_pe()["pending"]
        limit = int(gdb.parse_and_eval(argument)) if argument else None
        events = [e["event"].dereference() for e in pending_entries(queue)]
        events = [e for e in events if int(e["state"]["owner"]) != STATES.index("cancelled")]
        events.sort(key=lambda e: (float(e["recv_ts"]), float(e["prio"]), float(e["tie"])))
        write(f"pending queue: {len(events)} events, "
              f"{int(queue['n_cancelled'])} more are cancelled")
        for event in events[:limit]:
            write(event_line(event))


class Event(gdb.Command):
    """ws event ADDRESS: prints one event, with the kinds and sizes of its notes."""

    KINDS = ("lineage", "state", "pairs", "output", "numbers", "past end", "delta", "hook")

    def __init__(self):
        super().__init__("ws event", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        if not argument:
            raise gdb.GdbError("give the address of an event")
        event = gdb.parse_and_eval(argument).cast(gdb.lookup_type("tw_event").pointer())
        write(event_line(event.dereference()))
        note = event["notes"]
        note = note.cast(gdb.lookup_type("struct event_note").pointer())
        while int(note) != 0:
            write(f"    note {self.KINDS[int(note['kind'])]}, {int(note['size'])} bytes")
            note = note["next"]


class Streams(gdb.Command):
    """ws streams: prints the recorder's streams, channels and write queues."""

    def __init__(self):
        super().__init__("ws streams", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        pe()
        recorder = gdb.parse_and_eval("*(struct recorder **)&g_st_recorder")
        if int(recorder) == 0:
            write("nothing is recorded")
            return
        streams = recorder["streams"]
        for i in range(streams.type.range()[1] + 1):
            if int(streams[i]["mode"]) != 0:
                self.print_stream(streams[i])

    @staticmethod
    def print_stream(stream):
        queue = stream["queue"]
        buffers = queue["buffers"]
        path = stream["path"].string() if int(stream["path"]) != 0 else "(no file)"
        write(f"  {path}: {MODES[int(stream['mode'])]}, {int(queue['n'])} closed sub-buffers wait, "
              f"{int(buffers['n'])} of {int(buffers['n_max'])} sub-buffers have memory")
        for i in range(int(stream["n_channels"])):
            channel = stream["channels"][i]
            used = int(channel["next"]) - int(channel["rows"])
            space = int(channel["end"]) - int(channel["rows"])
            write(f"    {channel['schema']['name'].string():12} {int(channel['n_records'])} "
                  f"records, sub-buffer {used} of {space} bytes")


for command in (Prefix, Pe, Kp, Pending, Event, Streams):
    command()
