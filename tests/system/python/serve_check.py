# SPDX-License-Identifier: BSD-3-Clause
"""Asks "warpscope serve" as its page does, as other programs do, and as hostile ones do, while a run waits at
gates (tests/support/control.sh).

    serve_check.py WARPSCOPE RECORDING GATE PROCESS [DIRECTORY]

With DIRECTORY, kills the ranks instead, makes the file "killed", and follows the run that then goes on in DIRECTORY.
Writes a line per failure, then the number of checks. Nothing depends on time but PATIENCE, which ends what hangs.
"""
import json
import os
import random
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import time

from checks import check, end, equal

PATIENCE = 100
WARPSCOPE, RECORDING, GATE, PROCESS = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
N_CONNECTIONS = 1000


def wait_for(what, condition):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    check(what, False, "waited in vain")
    return None


# ---- HTTP -----------------------------------------------------------------------------------------


class Answer:
    def __init__(self, raw):
        head, _, body = raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1]) if lines[0].startswith("HTTP/1.") else 0
        self.headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        self.body = body

    def json(self):
        return json.loads(self.body)


class Server:
    """A server, and the requests of a client that knows its token."""

    def __init__(self, *words):
        # Each command that it starts says something before its own words, which then do not tell what became of it.
        self.process = subprocess.Popen([WARPSCOPE, "serve", "--interval=0.1", *words], stdout=subprocess.PIPE,
                                        stderr=open("serve.err", "ab"), env=os.environ | {"LD_PRELOAD": "/none.so"})
        self.line = self.process.stdout.readline().decode().strip()
        self.address = re.fullmatch(r"http://(127\.0\.0\.1:(\d+))/#([0-9a-f]{32})", self.line)
        check("address of the page", self.address, self.line)
        self.host, self.port, self.token = self.address[1], int(self.address[2]), self.address[3]
        self.origin = "http://" + self.host

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def raw(self, request):
        """Sends bytes; returns what comes back until the server closes the connection, or begins a stream."""
        got = b""
        with self.connect() as s:
            try:
                s.sendall(request)
                while b"text/event-stream" not in got and (part := s.recv(65536)):
                    got += part
            except (ConnectionResetError, BrokenPipeError):
                pass  # closed before all of a request that is too long was sent
        return Answer(got)

    def text(self, path, method="GET", body=None, host=None, **headers):
        """A request. headers: as Sec_Fetch_Site="none"; None: not sent. Without an authorization, with the token."""
        lines = {"Host": host or self.host, "Authorization": "Bearer " + self.token}
        if body is not None:
            lines["Content-Length"] = str(len(body))
        lines.update({name.replace("_", "-"): value for name, value in headers.items()})
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value is not None)
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + (body or b"")

    def ask(self, *request, **headers):
        return self.raw(self.text(*request, **headers))

    def state(self, run=0):
        return self.ask(f"/state?run={run}").json()

    def n_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        equal(f"status after signal {int(number)}", 0, self.process.wait(PATIENCE))


class Events:
    """A stream of events."""

    def __init__(self, server, query):
        self.socket, self.rest = server.connect(), b""
        self.socket.sendall(f"GET /events{query} HTTP/1.1\r\nHost: {server.host}\r\n"
                            f"Authorization: Bearer {server.token}\r\n\r\n".encode())

    def next(self, kind, condition):
        """The data of the next event of a kind for which a condition holds."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            at = self.rest.find(b"\n\n")
            if at < 0:
                self.socket.settimeout(PATIENCE)
                part = self.socket.recv(1 << 16)
                if not part:
                    break
                self.rest += part
                continue
            event, self.rest = self.rest[:at], self.rest[at + 2:]
            text = re.sub(rb"\r\n[0-9a-f]+\r\n", b"", event)  # marks of chunks
            found = re.search(rb"event: (\w+)\ndata: (.*)", text, re.S)
            if found and found[1].decode() == kind:
                data = json.loads(found[2])
                if condition(data):
                    return data
        check(f"event {kind}", False, self.rest[:200])
        return None


# ---- OpenMetrics ----------------------------------------------------------------------------------

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\n"])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (-?(?:[0-9.]+(?:e[-+]?[0-9]+)?|Inf)|NaN)")
ENDINGS = {"counter": ("_total",), "gauge": ("",), "info": ("_info",), "stateset": ("",)}


def metrics_parse(text):
    """A strict parser of what is used of the format: {(name, labels): value}. Raises ValueError."""
    lines = text.split("\n")
    if lines[-2:] != ["# EOF", ""]:
        raise ValueError("no end")
    samples, families, now = {}, {}, None
    for line in lines[:-2]:
        words = line.split(" ", 3)
        if words[0] == "#":
            if len(words) != 4 or words[1] not in ("TYPE", "UNIT", "HELP") or not re.fullmatch(NAME, words[2]):
                raise ValueError("description: " + line)
            if words[1] == "TYPE":
                if words[2] in families or words[3] not in ENDINGS:
                    raise ValueError("type: " + line)
                now, families[words[2]] = words[2], {"type": words[3]}
            elif words[2] != now or words[1] in families[now] or families[now].get("samples"):
                raise ValueError("not where its type is: " + line)
            else:
                families[now][words[1]] = words[3]
            if words[1] == "UNIT" and not words[2].endswith("_" + words[3]):
                raise ValueError("unit: " + line)
            continue
        found = SAMPLE.fullmatch(line)
        if not found or now is None:
            raise ValueError("sample: " + line)
        labels = tuple(sorted(re.findall(LABEL, found[2] or "")))
        kind = families[now]["type"]
        if found[1] not in [now + ending for ending in ENDINGS[kind]] or (found[1], labels) in samples:
            raise ValueError("not of its family, or twice: " + line)
        if kind in ("counter", "info") and not float(found[3]) >= 0:
            raise ValueError("value: " + line)
        if len({label.partition("=")[0] for label in labels}) != len(labels):
            raise ValueError("label twice: " + line)
        families[now]["samples"] = True
        samples[found[1], labels] = float(found[3])
    return samples


def check_parser():
    good = '# TYPE a counter\n# HELP a b\na_total{x="1\\n\\"",y=""} 2\n# EOF\n'
    equal("parser", {("a_total", ('x="1\\n\\""', 'y=""')): 2.0}, metrics_parse(good))
    for bad in (good[:-6], good.replace("_total", ""), good.replace(" 2", " x"), good.replace('y=""', 'x="2"'),
                good.replace("\\n", "\\t"), good.replace(" 2\n", ' 2\na_total{x="1\\n\\"",y=""} 2\n'), "\n" + good):
        try:
            metrics_parse(bad)
            check("parser refuses", False, bad)
        except ValueError:
            check("parser refuses", True)


def check_metrics(server, run):
    answer = server.ask("/metrics")
    equal("type of metrics", "application/openmetrics-text; version=1.0.0; charset=utf-8",
          answer.headers.get("content-type"))
    try:
        samples = metrics_parse(answer.body.decode())
    except ValueError as error:
        check("metrics", False, error)
        return {}
    state = server.state()

    def total(name):
        return sum(value for key, value in samples.items() if key[0] == name and f'run="{run}"' in key[1])

    for member in ("events_committed", "events_processed", "events_rolled_back", "total_rollbacks"):
        equal(f"metric {member}", state[member], total(f"warpscope_{member}_total"))
    equal("metric GVT", state["gvt"], total("warpscope_gvt"))
    info = [key for key in samples if key[0] == "warpscope_run_info" and f'run="{run}"' in key[1]]
    check("the state in metrics", len(info) == 1 and f'state="{state["state"]}"' in info[0][1], info)
    return samples


# ---- Who may ask ----------------------------------------------------------------------------------

DATA = ("/runs", "/state?run=0", "/events?run=0", "/report?run=0", "/metrics")


def check_access(server):
    page = server.ask("/", Authorization=None)
    equal("the page is open", 200, page.status)
    check("the page has no data", RECORDING.encode() not in page.body and server.token.encode() not in page.body)
    policy = page.headers.get("content-security-policy", "")
    for part in ("default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'",
                 "base-uri 'none'", "form-action 'none'"):
        check("policy of the page", part in policy, policy)
    check("policy of the page", "unsafe" not in policy, policy)
    for part in re.findall(rb'(?:src|href)="(/[^"]*)"', page.body):
        equal(f"part {part}", 200, server.ask(part.decode(), Authorization=None).status)

    token = server.token
    wrong = [None, "", "Bearer", "Bearer ", token, "Basic " + token, "Bearer " + token[:-1], "Bearer " + token + "0",
             "Bearer " + "0" * 32, "Bearer " + token.upper() + " "]
    for path in DATA:
        for value in wrong:
            answer = server.ask(path, Authorization=value)
            equal(f"{path} with {value!r}", 401, answer.status)
            check("no data", RECORDING.encode() not in answer.body, answer.body)
    equal("lower case", 200, server.ask("/runs", Authorization="bearer " + token).status)

    # The exchange.
    for body in (b"", token[:-1].encode(), token.encode() + b"\n", b"0" * 32, b"\0" * 32):
        answer = server.ask("/session", "POST", body, Origin=server.origin, Authorization=None)
        equal(f"session by {body!r}", 401, answer.status)
        check("no cookie", "set-cookie" not in answer.headers)
    equal("session, too large", 413, server.ask("/session", "POST", b"x" * 65, Origin=server.origin).status)
    for origin in (None, "null", "http://evil.example", "https://" + server.host, server.origin + "0",
                   server.origin + "/", "http://127.0.0.1"):
        equal(f"session from {origin}", 403, server.ask("/session", "POST", token.encode(), Origin=origin,
                                                        Authorization=None).status)
    answer = server.ask("/session", "POST", token.encode(), Origin=server.origin, Authorization=None)
    equal("session", 204, answer.status)
    cookie = answer.headers.get("set-cookie", "")
    words = [word.strip() for word in cookie.split(";")]
    check("cookie", {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(words) and token not in cookie, cookie)
    check("the cookie is that of this port", words[0].startswith(f"warpscope-{server.port}="), cookie)
    known = {"Cookie": words[0], "Authorization": None}
    equal("the cookie", 200, server.ask("/runs", **known).status)
    equal("the cookie among others", 200, server.ask("/runs", Authorization=None, Cookie="a=b; " + words[0]).status)
    for value in (words[0][:-1], words[0] + "0", words[0].split("=")[0] + "=" + token, words[0].split("=")[0] + "="):
        equal("a wrong cookie", 401, server.ask("/runs", Authorization=None, Cookie=value).status)

    # Pages of other servers, whose browser sends the cookie.
    for site in ("cross-site", "same-site"):
        for path in DATA:
            equal(f"{path}, {site}", 403, server.ask(path, Sec_Fetch_Site=site, **known).status)
    for path, method in (("/runs", "GET"), ("/control?run=0", "POST")):
        for origin in ("null", "http://evil.example", "http://localhost:" + str(server.port)):
            equal(f"{path} from {origin}", 403, server.ask(path, method, b"halt", Origin=origin, **known).status)
    equal("a request without origin", 403, server.ask("/control?run=0", "POST", b"halt", **known).status)

    # Names of other hosts that lead here.
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.2:{server.port}",
                 f"127.0.0.1.evil.example:{server.port}", f"[::1]:{server.port}", f"127.1:{server.port}",
                 f"0x7f000001:{server.port}", f"{server.host}:80", ":" + str(server.port)):
        for path in ("/", "/runs", "/metrics"):
            equal(f"{path} of host {host}", 421, server.ask(path, host=host).status)
    equal("localhost", 200, server.ask("/runs", host=f"LOCALHOST:{server.port}").status)
    check("no host", server.raw(b"GET / HTTP/1.0\r\n\r\n").status in (400, 421))
    check("no host", server.raw(b"GET / HTTP/1.1\r\n\r\n").status in (400, 421))
    return known


# ---- Hostile requests -----------------------------------------------------------------------------


def check_requests(server):
    for path in ("/etc/passwd", "/../etc/passwd", "//etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd",
                 "/state/../../etc/passwd", f"/{RECORDING}", "/live.js/..", "/.", "*", "/Runs", "/runs/", "/%72uns%20"):
        answer = server.ask(path)
        check(f"path {path}", answer.status in (400, 404), answer.status)
        check(f"path {path}", b"root:" not in answer.body)
    for query in ("", "?run=", "?run=1", "?run=64", "?run=-1", "?run=0x0", "?run=18446744073709551616", "?run=../a",
                  "?run=%2fetc", "?run=0x", "?run=0+1"):
        for path in ("/state", "/report"):
            answer = server.ask(path + query)
            check(f"{path}{query}", answer.status in (400, 404, 409) and b"root:" not in answer.body, answer.status)
    for lp in ("x", "-1", "1e3", "99999999999999999999"):
        equal(f"lp={lp}", 400, server.ask(f"/state?run=0&lp={lp}").status)
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "POST", "CONNECT", "GETT"):
        check(f"method {method}", server.ask("/runs", method, Origin=server.origin).status in (400, 405))
    equal("methods", "GET", server.ask("/runs", "PUT").headers.get("allow"))
    equal("GET of /control", 405, server.ask("/control?run=0").status)

    # Twice: others may take the second one.
    for name, value in (("Host", server.host), ("Origin", server.origin), ("Cookie", "a=b"), ("Content-Length", "0"),
                        ("Authorization", "Bearer " + server.token), ("X", "")):
        once = server.text("/session", "POST", server.token.encode(), Origin=server.origin, Cookie="a=b", X="").split(b"\r\n", 1)
        for second in (value, "other"):
            equal(f"{name} twice", 400, server.raw(once[0] + f"\r\n{name.lower()}: {second}\r\n".encode() + once[1]).status)

    # Too large, or of an unknown length.
    host = f"Host: {server.host}\r\nAuthorization: Bearer {server.token}\r\n".encode()
    for name, request in (
            ("path", b"GET /" + b"a" * 200000 + b" HTTP/1.1\r\n" + host + b"\r\n"),
            ("header", b"GET / HTTP/1.1\r\n" + host + b"X: " + b"a" * 200000 + b"\r\n\r\n"),
            ("headers", b"GET / HTTP/1.1\r\n" + host + b"X: a\r\n" * 50000 + b"\r\n"),
            ("body", b"POST /control?run=0 HTTP/1.1\r\n" + host + b"Content-Length: 999999999\r\n\r\n" + b"a" * 200000),
            ("long length", b"POST /control?run=0 HTTP/1.1\r\n" + host + b"Content-Length: " + b"9" * 40 + b"\r\n\r\n"),
            ("negative length", b"POST /control?run=0 HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n"),
            ("body of a GET", b"GET /runs HTTP/1.1\r\n" + host + b"Content-Length: 5\r\n\r\nabcde"),
            ("chunks", b"POST /control?run=0 HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n4\r\nstop\r\n0\r\n\r\n"),
            ("two lengths", b"POST /control?run=0 HTTP/1.1\r\n" + host + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\nstop")):
        status = server.raw(request).status
        check(f"too large: {name}", status == 0 or 400 <= status < 500 and status != 401, status)
    # A second request on a connection is not read.
    twice = server.raw((b"GET /runs HTTP/1.1\r\n" + host + b"\r\n") * 2)
    equal("one request on a connection", 1, twice.body.count(b'"run"'))

    seed = int(os.environ.get("WS_TEST_SEED", "0")) or random.randrange(1 << 30)
    print("seed", seed)
    dice = random.Random(seed)
    whole = b"POST /control?run=0 HTTP/1.1\r\n" + host + b"Content-Length: 6\r\n\r\nnot-me"
    for _ in range(150):
        broken = bytearray(whole)
        for _ in range(dice.randrange(1, 12)):
            broken[dice.randrange(len(broken))] = dice.randrange(256)
        with server.connect() as s:  # what a request lacks does not come: there is no answer then
            s.sendall(broken[:dice.randrange(1, len(broken))])
    equal("alive", 200, server.ask("/runs").status)


def check_crowd(server, events):
    """1,000 connections that send a piece of a request, then nothing: all are closed, and others are answered."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = N_CONNECTIONS + 100
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))
    crowd = []
    for _ in range(min(N_CONNECTIONS, hard - 100)):
        s = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        s.send(b"GET /runs HT")
        crowd.append(s)
    equal("connections", N_CONNECTIONS, len(crowd))
    equal("an answer in the crowd", 200, server.ask("/runs").status)
    check("events in the crowd", events.next("state", lambda _: True))
    until, left = time.monotonic() + PATIENCE, set(crowd)
    poll = select.poll()
    by_number = {s.fileno(): s for s in crowd}
    for s in crowd:
        poll.register(s, select.POLLIN)
    while left and time.monotonic() < until:
        for number, _ in poll.poll(1000):
            poll.unregister(number)
            left.discard(by_number[number])
    equal("connections that are left", 0, len(left))
    for s in crowd:
        s.close()


# ---- Requests to the run --------------------------------------------------------------------------


def check_control(server):
    for body in (b"", b"\n", b"stop\nnow", b"halt", b"set", b"STOP", b"set\n" * 90, b"\xff\xfe", b"--help", b"stop --help"):
        answer = server.ask("/control?run=0", "POST", body)
        equal(f"request {body[:9]!r}", (200, False), (answer.status, answer.json()["done"]))
    equal("request with a zero byte", 400, server.ask("/control?run=0", "POST", b"stop\0").status)
    equal("request, too large", 413, server.ask("/control?run=0", "POST", b"a" * 5000).status)
    equal("request to no run", 404, server.ask("/control?run=1", "POST", b"status").status)


# ---- The course -----------------------------------------------------------------------------------


def gate_reached(number):
    wait_for(f"gate {number}", lambda: os.path.exists(f"{GATE}.{number}"))


def gate_open():
    with open(GATE, "a") as gate:
        gate.write("x")


def ask_across_gate(server, body, mark, **headers):
    """Sends a request to the run, and opens the gate at which the run waits once the request has come to it."""
    with server.connect() as s:
        s.sendall(server.text("/control?run=0", "POST", body.encode(), **headers))
        requests = os.path.join(RECORDING, "warpscope-control")
        wait_for("the request", lambda: mark in open(requests).read())
        equal("an answer meanwhile", 200, server.ask("/runs").status)
        gate_open()
        got = b""
        while part := s.recv(65536):
            got += part
    return Answer(got)


def settled(server):
    """The state at a gate, where the run stands still, equals what warpscope top prints."""
    def same():
        top = json.loads(subprocess.check_output([WARPSCOPE, "top", "--once", "--json", RECORDING]))
        state = server.state()
        return (top, state) if state["records"] == top["records"] else None
    top, state = wait_for("the records of warpscope top", same)
    for member in ("directory", "command", "gvt", "end_time", "records", "events_processed", "events_rolled_back",
                   "total_rollbacks", "events_committed", "lps_sampled"):
        equal(f"{member} of top", top[member], state[member])
    equal("PEs of top", [pe["events_processed"] for pe in top["pes"]], [pe["events_processed"] for pe in state["pes"]])
    return state


def main():
    check_parser()
    server = Server("--control",
                    '--on=stalled:env >stalled.env',
                    '--on=ended:printf "%s" "$WARPSCOPE_STATE $WARPSCOPE_GVT" >ended.txt',
                    "--on=failed:touch failed.txt", RECORDING)
    gate_reached(0)
    state = settled(server)
    events = Events(server, "?run=0")
    check("the list", events.next("state", lambda data: data["runs"][0]["directory"] == RECORDING))
    known = check_access(server)
    check_metrics(server, RECORDING)
    equal("no report yet", 409, server.ask("/report?run=0").status)
    check_control(server)
    n_files = server.n_files()
    check_requests(server)
    # The run stands still: an event for an alert.
    wait_for("the alert of a stalled run", lambda: os.path.exists("stalled.env") and
             "WARPSCOPE_WARNING=" in open("stalled.env").read())
    facts = dict(line.split("=", 1) for line in open("stalled.env").read().splitlines() if line.startswith("WARPSCOPE_"))
    equal("event of the alert", "stalled", facts.get("WARPSCOPE_EVENT"))
    equal("directory of the alert", RECORDING, facts.get("WARPSCOPE_DIRECTORY"))
    check("warning of the alert", "no news" in facts.get("WARPSCOPE_WARNING", ""), facts)
    gate_open()  # the run goes on below the crowd
    check_crowd(server, events)
    gate_reached(1)
    gvt = settled(server)["gvt"]
    check("GVT advances", gvt > state["gvt"], gvt)
    equal("the same by event", gvt, (events.next("state", lambda data: data["gvt"] >= gvt) or {}).get("gvt"))
    wait_for("no descriptor is left open", lambda: server.n_files() <= n_files)

    # Requests wait for the run, and nobody for them.
    answer = ask_across_gate(server, "set\nno-such-option=1", "no-such-option")
    equal("a refused request", (200, False), (answer.status, answer.json()["done"]))
    check("a refused request", "no-such-option" in answer.json()["text"], answer.body)
    gate_reached(2)
    answer = ask_across_gate(server, "set\nreal-time-samp=5", "real-time-samp=5", Origin=server.origin, **known)
    equal("a request of the page", (200, True), (answer.status, answer.json()["done"]))

    # The end.
    wait_for("the end", lambda: server.state()["state"] == "ended")
    check("the end by event", events.next("state", lambda data: data["state"] == "ended"))
    wait_for("the alert of the end", lambda: os.path.exists("ended.txt") and
             open("ended.txt").read() == f"ended {server.state()['gvt']:g}")
    check("no alert of a failure", not os.path.exists("failed.txt"))
    check_metrics(server, RECORDING)
    settled(server)
    report = server.ask("/report?run=0")
    if report.status == 200:
        policy = report.headers["content-security-policy"]
        nonce = re.search(r"script-src 'nonce-([0-9a-f]{32})'", policy)
        check("policy of the report", nonce and "sandbox" in policy and "connect-src" not in policy, policy)
        equal("scripts of the report", 2, report.body.count(f'<script nonce="{nonce[1]}">'.encode()))
        check("other scripts", not re.search(rb"<script>", report.body))
    else:
        check("a report needs d3", b"failed" in report.body, report.body)
    children = f"/proc/{server.process.pid}/task/{server.process.pid}/children"
    wait_for("no child is left", lambda: open(children).read() == "")
    server.end(signal.SIGINT)
    check("events end", events.socket.recv(1 << 20) is not None)

    # Read-only; a directory with two runs, of which one begins later and has a name to be escaped.
    os.makedirs("several")
    odd = 'several/b "\\\n\t<b>\udcff'  # the last is a byte that is not UTF-8
    os.rename(RECORDING, "several/a")
    server = Server("several/")
    wait_for("the first run", lambda: len(server.ask("/runs").json()) == 1)
    equal("read-only", 403, server.ask("/control?run=0", "POST", b"status").status)
    os.makedirs("beside")
    subprocess.run(["cp", "-r", "several/a", "beside/b"], check=True)
    os.rename("beside/b", odd)
    runs = wait_for("the second run", lambda: (lambda found: found if len(found) == 2 and found[1]["state"] == "ended"
                                               else None)(server.ask("/runs").json()))
    equal("runs", ["several/a", odd.replace("\udcff", "\ufffd")], [run["directory"] for run in runs or []])
    samples = check_metrics(server, "several/a")
    check("the odd name", any('run="several/b \\"\\\\\\n\t<b>\ufffd"' in key[1] for key in samples), list(samples)[:3])
    check("no alerts of runs that are over", not os.path.exists("failed.txt"))
    other = subprocess.run([WARPSCOPE, "serve", f"--port={server.port}", "several"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
    equal("a port in use", (1, b""), (other.returncode, other.stdout))
    check("a port in use", str(server.port).encode() in other.stderr, other.stderr)
    server.end()


def follow(directory):
    """A killed run that goes on elsewhere. An alert is given once for each."""
    server = Server("--on=failed:echo $WARPSCOPE_DIRECTORY >>killed.txt",
                    "--on=ended:echo $WARPSCOPE_DIRECTORY >>over.txt", RECORDING)
    events = Events(server, "?run=0")
    state = settled(server)
    for pe in state["pes"]:
        os.kill(pe["process"], signal.SIGKILL)
    killed = events.next("state", lambda data: data["state"] == "killed") or {}
    check("what to do", "warpscope recover" in (killed.get("warning") or ""), killed.get("warning"))
    open("killed", "w").close()
    after = events.next("state", lambda data: data["directory"] == directory and data["state"] == "ended") or {}
    equal("followed", (1, f"the run goes on in {directory}"), (after.get("followed"), after.get("notice")))
    check("it goes on from before", after["gvt"] > state["gvt"], (state["gvt"], after["gvt"]))
    equal("the list", [directory], [run["directory"] for run in server.ask("/runs").json()])
    top = json.loads(subprocess.check_output([WARPSCOPE, "top", "--once", "--json", directory]))
    for member in ("gvt", "records", "events_committed", "total_rollbacks", "end"):
        equal(f"{member} of top", top[member], server.state()[member])
    check("columns of the restart only", server.state()["heat"]["first"] <= 1, server.state()["heat"]["first"])
    wait_for("the alerts", lambda: os.path.exists("over.txt") and len(open("over.txt").readlines()) == 2)
    equal("alerts", ([RECORDING], [RECORDING, directory]), tuple(open(name).read().split() for name in ("killed.txt", "over.txt")))
    server.end()


follow(sys.argv[5]) if len(sys.argv) > 5 else main()
end()
