# SPDX-License-Identifier: BSD-3-Clause
"""Drives Chromium, headless, through the DevTools protocol over a pair of pipes: nothing is installed
beside the browser, and no port is opened.

    with Browser(find_browser(), scratch) as browser:
        page = browser.open("file:///tmp/report.html", width=1280)
        page.evaluate("document.title")
"""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import time

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
PATIENCE = 120  # seconds for one answer: more than any loaded machine takes


def find_browser():
    """The browser's path, or None."""
    named = os.environ.get("WS_BROWSER")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


class BrowserError(Exception):
    pass


class Browser:
    def __init__(self, program, scratch):
        self.to_read, to_write = os.pipe()  # what the browser reads: its 3
        from_read, self.from_write = os.pipe()  # what it writes: its 4
        self.output, self.input = os.fdopen(to_write, "wb", 0), os.fdopen(from_read, "rb", 0)
        self.rest, self.last_id, self.pages = b"", 0, {}
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
                   "--user-data-dir=" + os.path.join(scratch, "browser"), "--no-first-run", "--disable-extensions",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                   "--force-color-profile=srgb", "--disable-lcd-text", "--font-render-hinting=none", "about:blank"]
        fds = (self.to_read, self.from_write)

        def become():
            # The two numbers may be each other's: by way of high ones.
            high = [os.dup2(fd, 60 + at) for at, fd in enumerate(fds)]
            for at, fd in enumerate(high):
                os.dup2(fd, 3 + at, inheritable=True)

        with open(os.path.join(scratch, "browser.log"), "wb") as log:
            self.process = subprocess.Popen(command, preexec_fn=become, close_fds=False, stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log, start_new_session=True)
        os.close(self.to_read)
        os.close(self.from_write)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        try:
            self.call("Browser.close")
            self.process.wait(20)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)  # its own session: the browser and its children
        except ProcessLookupError:
            pass
        self.process.wait()

    def message(self):
        while b"\0" not in self.rest:
            if not select.select([self.input], [], [], PATIENCE)[0]:
                raise BrowserError("the browser does not answer")
            part = self.input.read(1 << 16)
            if not part:
                raise BrowserError("the browser has ended; see browser.log")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def receive(self):
        """Takes one message in; returns it unless it is an event of a page."""
        message = self.message()
        page = self.pages.get(message.get("sessionId"))
        if "method" in message:
            if page:
                page.happened(message["method"], message["params"])
            return None
        return message

    def call(self, method, session=None, **parameters):
        self.last_id += 1
        wanted = self.last_id
        message = {"id": wanted, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.output.write(json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            answer = self.receive()
            if answer and answer.get("id") == wanted:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
        raise BrowserError(f"{method}: no answer")

    def open(self, url, **settings):
        return Page(self, url, **settings)


class Page:
    """One tab. errors: what the console, scripts and the security policy complained of; requests: the addresses that
    the page asked for."""

    def __init__(self, browser, url, width=1280, height=900, dark=False, scale=1):
        self.browser, self.errors, self.requests, self.loaded = browser, [], [], False
        self.width, self.height, self.scale = width, height, scale
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height)
        self.theme(dark)
        self.loaded = False
        self.call("Page.navigate", url=url)
        while not self.loaded:
            browser.receive()

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def happened(self, method, parameters):
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled":
            self.errors.append(f"console.{parameters['type']}: {parameters['args']}")
        elif method == "Log.entryAdded":
            self.errors.append(f"log: {parameters['entry']['text']}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def text(self, selector):
        """The text of an element; "(missing)" if there is none."""
        return self.evaluate("(document.querySelector(%r) || {textContent: '(missing)'}).textContent" % selector).replace("\u202f", " ")

    def settle(self):
        """Waits until the page has drawn what changed."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")

    def resize(self, width, height):
        self.width, self.height = width, height
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=self.scale, mobile=False)

    def theme(self, dark):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def key(self, key, shift=False):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, modifiers=8 if shift else 0,
                      windowsVirtualKeyCode={"Tab": 9, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
                                             "ArrowDown": 40, "Home": 36, "End": 35}.get(key, 0))
        self.settle()

    def mouse(self, kind, x, y, pressed=0):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if kind != "mouseMoved" or pressed else "none",
                  buttons=pressed, clickCount=1 if kind != "mouseMoved" else 0)

    def box(self, selector):
        """Where an element is in the window, after scrolling to it."""
        return self.evaluate("(() => { const node = document.querySelector(" + json.dumps(selector) + ");"
                             "node.scrollIntoView({block: 'center'}); const box = node.getBoundingClientRect();"
                             "return {x: box.x, y: box.y, width: box.width, height: box.height} })()")

    def drag(self, selector, begin, end):
        """Drags within an element from one share of its width to another."""
        box = self.box(selector)
        y = box["y"] + box["height"] / 2
        points = [box["x"] + box["width"] * share for share in (begin, (begin + end) / 2, end)]
        self.mouse("mouseMoved", points[0], y)
        self.mouse("mousePressed", points[0], y, 1)
        for x in points[1:]:
            self.mouse("mouseMoved", x, y, 1)
        self.mouse("mouseReleased", points[-1], y)
        self.settle()

    def click(self, selector, share=0.5):
        box = self.box(selector)
        x, y = box["x"] + box["width"] * share, box["y"] + box["height"] / 2
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, 1)
        self.mouse("mouseReleased", x, y)
        self.settle()

    def screenshot(self, path, selector=None, whole=False):
        # All of it is in the window: what is beyond is painted in pieces.
        width, height = self.width, self.height
        if whole or selector:
            self.resize(width, int(self.evaluate("Math.ceil(document.documentElement.scrollHeight)")))
            self.evaluate("scrollTo(0, 0)")
            self.settle()
        parameters = {"format": "png"}
        if selector:
            # Around all that the selector finds.
            box = self.evaluate("(() => { const boxes = [...document.querySelectorAll(" + json.dumps(selector) + ")].map(node => "
                                "node.getBoundingClientRect()), least = side => Math.min(...boxes.map(box => box[side])), "
                                "most = side => Math.max(...boxes.map(box => box[side]));"
                                "return [least('left'), least('top'), most('right'), most('bottom')] })()")
            parameters.update(clip={"x": box[0], "y": box[1], "width": box[2] - box[0], "height": box[3] - box[1], "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", **parameters)["data"]))
        self.resize(width, height)

    def print_to(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.printToPDF", printBackground=True, pageRanges="1")["data"]))

    def close(self):
        self.call("Page.close")
