# SPDX-License-Identifier: BSD-3-Clause
"""Opens the page of "warpscope serve" in Chromium and uses it:

    live_page.py BROWSER WARPSCOPE ADDRESS SERVER RANKS

The server, a process id, shows the run that goes on in "rec", which stands at a gate (tests/programs/gated.c), and the
finished one in "hostile". Prints a line for each check that fails, then how many held."""
import json
import os
import signal
import subprocess
import sys
import time

from browser import Browser
from checks import check, end

program, warpscope, address, server, ranks = sys.argv[1:4] + [int(word) for word in sys.argv[4:6]]
place = address.split("#")[0]
RATES = ("committed_per_second", "efficiency", "rollbacks_per_second", "gvts_per_second", "events_committed")
NUMBERS = """[...document.querySelectorAll('#now .run:last-child [data-number]')].map(one => [one.dataset.number, one.title])"""


def wait(page, what, expression, wanted=True):
    """Waits until an expression has a value; counts as a check."""
    until, seen = time.monotonic() + 60, None
    while time.monotonic() < until:
        seen = page.evaluate(expression)
        if seen == wanted:
            break
        time.sleep(0.1)
    check(what, seen == wanted, (wanted, seen))


def top(directory):
    return json.loads(subprocess.run([warpscope, "top", "--once", "--json", directory], stdout=subprocess.PIPE, check=False).stdout)


def gate(times=1):
    with open("gate", "a", encoding="utf-8") as file:
        file.write("x" * times)


def confirm(page, control):
    """Requests something of the run, which stands at a gate; returns once the run can find the request."""
    before = os.path.getsize("rec/warpscope-control")
    page.click(f"[data-control={control}]")
    check(f"{control} is asked for", page.evaluate("document.querySelector('dialog').open"))
    page.evaluate(f"document.querySelector('dialog button[value={control}]').click()")
    until = time.monotonic() + 60
    while os.path.getsize("rec/warpscope-control") == before and time.monotonic() < until:
        time.sleep(0.05)
    check(f"{control} is requested", os.path.getsize("rec/warpscope-control") > before)


def same(page, state, columns=2):
    """The numbers of a run that stands still are those of top. At a gate, other ranks may still roll back."""
    wait(page, "committed events", "document.querySelector('#now .run:last-child [data-number=events_committed]').title", str(state["events_committed"]))
    rows = page.evaluate("[...document.querySelectorAll('#pes .run:last-child [data-table=pes] tbody tr')].map(row => "
                         "[...row.children].map(cell => cell.textContent.replace(/,/g, '')))")
    wanted = [[f"PE {pe['pe']}", str(pe["events_committed"]), str(pe["total_rollbacks"])] for pe in state["pes"]]
    seen = [[row[0], row[1], row[3]] for row in rows]
    check("PEs", [row[:columns] for row in seen] == [row[:columns] for row in wanted], (wanted, rows))


def nothing(browser):
    """A directory without runs: the page says so, and what would show one."""
    os.mkdir("none")
    with subprocess.Popen([warpscope, "serve", "--port=0", "none"], stdout=subprocess.PIPE, text=True) as other:
        page = browser.open(other.stdout.readline().strip())
        wait(page, "no runs", "document.querySelector('h1') && document.querySelector('h1').firstChild.textContent", "No runs yet")
        check("what is missing", "--real-time-samp" in page.text("main"), page.text("main"))
        page.close()
        other.terminate()


def goes_on(page):
    state = top("rec")
    check("PEs of the run", len(state["pes"]) == ranks, len(state["pes"]))
    same(page, state)
    shown = float(page.text(".times-line").split()[1].replace(",", ""))
    check("GVT", abs(shown - state["gvt"]) <= 1e-3 * max(1, state["gvt"]), (shown, state["gvt"]))
    check("state", page.text("#now .badge") == "running", page.text("#now .badge"))
    wait(page, "the heat map", "[...document.querySelectorAll('#pes canvas.cells')].some(one => "
         "one.getContext('2d').getImageData(0, 0, one.width, one.height).data.some(part => part > 0))")
    absent = page.text("#now .absent")
    check("what is not recorded is a list", "; LP" in absent, absent)
    # An update comes, and leaves the focus where it is.
    page.evaluate("document.querySelector('#pes svg.panel').focus()")
    before = page.evaluate("document.querySelector('[data-number=events_committed]').title")
    gate()
    wait(page, "an update", f"document.querySelector('[data-number=events_committed]').title !== '{before}'")
    check("the focus stays", page.evaluate("document.activeElement.matches('#pes svg.panel')"))
    # A request acts: the run records LPs from the next GVT on.
    check("LPs are missing", "--lp-data=1" in page.text("#lps"), page.text("#lps"))
    confirm(page, "set")
    gate()
    wait(page, "the run answers", "document.querySelector('[data-note=answer]').textContent.startsWith('Done')")
    wait(page, "LPs are recorded", "document.querySelector('[data-table=lps]') !== null")


def side_by_side(page):
    page.click(".runs-list label:last-child input")
    wait(page, "two runs", "document.querySelectorAll('#now .run').length", 2)
    state = top("hostile")
    same(page, state, columns=3)
    seen = dict(page.evaluate(NUMBERS))
    check("numbers of a finished run", all(abs(float(seen[key]) - state[key]) <= 1e-9 * abs(state[key]) for key in RATES), (seen, state))
    shown = page.text("#now .run:last-child [data-number=events_committed] .tile-value")
    check("a count of any size fits its tile", "," not in shown and 0 < len(shown) <= 6, shown)
    names = page.evaluate("[...document.querySelectorAll('#lps .run:last-child .as-link')].map(one => one.textContent)")
    check("hostile names are text", names == [lp["lp_name"] for lp in state["lps"]] and any("<img" in one for one in names), names)
    page.click("#lps .run:last-child .as-link")
    wait(page, "the fields of an LP", "document.querySelectorAll('#lps [data-lp] path.line').length > 2")
    check("no name became an element", page.evaluate("[document.querySelectorAll('main img').length, typeof hacked]") == [0, "undefined"])
    for width, dark in ((1280, False), (400, True)):
        page.resize(width, 900)
        page.theme(dark)
        page.settle()
        check(f"width at {width}", page.evaluate("document.documentElement.scrollWidth") == width, page.evaluate("document.documentElement.scrollWidth"))
    page.resize(1280, 900)
    page.click(".runs-list label:last-child input")
    wait(page, "one run again", "document.querySelectorAll('#now .run').length", 1)


def ends(page):
    confirm(page, "stop")
    gate(8)
    wait(page, "the report of the run", "location.pathname + location.search", "/report?run=0")


with Browser(program, os.getcwd()) as browser:
    tab = browser.open(address)
    wait(tab, "the page", "document.documentElement.dataset.ready === 'yes' && !!document.querySelector('#pes svg')")
    check("the token is not in the address", "#0" in tab.evaluate("location.href"), tab.evaluate("location.href"))
    goes_on(tab)
    side_by_side(tab)
    ends(tab)
    check("errors", tab.errors == [], tab.errors)
    check("requests to the server only", all(url.startswith((place, "data:")) for url in tab.requests), tab.requests)
    tab.close()
    if ranks == 2:
        nothing(browser)
        tab = browser.open(place + "#1")
        wait(tab, "the finished run", "document.querySelector('#now .badge') && document.querySelector('#now .badge').textContent", "ended")
        other = browser.open("about:blank")
        other.call("Network.clearBrowserCookies")
        stranger = browser.open(place)
        wait(stranger, "without the cookie", "document.getElementById('lost').textContent.includes('does not know this page')")
        os.kill(server, signal.SIGTERM)
        wait(tab, "the end of the server", "document.getElementById('lost').textContent.includes('No answer')")

end()
