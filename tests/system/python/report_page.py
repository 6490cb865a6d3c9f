# SPDX-License-Identifier: BSD-3-Clause
"""Opens the page of reports in Chromium, uses it by mouse and keyboard, and reads what it shows:

    report_page.py SOURCES D3.min.js BROWSER [RUN.html STATS.json TWO.html]

Documents with known numbers: see report_documents.py. The pages of recordings were made by "warpscope report", the
numbers by "warpscope stats --json". Prints a line for each check that fails, then how many held."""
import json
import os
import sys

import report_documents as documents
from browser import Browser
from checks import check, end, equal
from report_html import assemble

sources, library, program = sys.argv[1:4]
scratch = os.getcwd()

STRIP = "#timeline svg.panel"
VIEWS = ("rates", "phases", "memory", "ahead", "rollbacks", "traffic", "offsets", "allows", "predicted", "model", "tasks", "tracers")
# What must be there once a view is drawn.
MARKS = {
    "rates": ("#rates path.line", 6), "memory": ("#memory path.line", 2), "phases": ("#phases .bars rect.phase", 6), "offsets": ("#offsets rect.count", 11),
    "allows": ("#allows path.line", 1), "predicted": ("#predicted path.line", 2), "model": ("#model path.line", 1), "tasks": ("#tasks path.line", 1), "tracers": ("#tracers td", 1)}
CELLS = {"ahead": 2, "rollbacks": 1, "traffic": 2}  # canvases
LIT = """[...document.querySelectorAll('#%s canvas.cells')].filter(canvas =>
  canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(value => value > 0)).length"""
CHOSEN = """[...document.querySelectorAll('svg.panel')].map(panel => {
  const box = panel.querySelector('.selection').getBoundingClientRect(), all = panel.querySelector('.overlay').getBoundingClientRect()
  return box.width ? [(box.left - all.left) / all.width, (box.right - all.left) / all.width] : null })"""
CONTRAST = """(() => { const light = color => { const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map(one => {
  one /= 255; return one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4 }); return 0.2126 * r + 0.7152 * g + 0.0722 * b }
  const style = selector => getComputedStyle(document.querySelector(selector))
  const panel = light(style('section').backgroundColor)
  return ['h2', '.note', 'a', '.badge', '.tile-words'].map(selector => { const ink = light(style(selector).color)
    return (Math.max(ink, panel) + 0.05) / (Math.min(ink, panel) + 0.05) }) })()"""


def numbers(page, section, clock, series):
    """What stands at the right of a row of a view over a clock."""
    return page.text(f"#{section} svg[data-clock={clock}] .row-numbers[data-series='{series}']")


def open_document(browser, name, document, **settings):
    path = os.path.join(scratch, name + ".html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(assemble(sources, library, document))
    page = browser.open("file://" + path, **settings)
    equal(f"{name}: made", "yes", page.evaluate("document.documentElement.dataset.ready"))
    return page


def finish(page, what):
    equal(f"{what}: errors", [], page.errors)
    asked = [url for url in page.requests if not url.startswith("data:")]
    check(f"{what}: one request, for the file", len(asked) == 1 and asked[0].startswith("file:"), asked)
    page.close()


def no_scroll(page, what, widths=(1280, 400)):
    for width in widths:
        page.resize(width, 900)
        page.settle()
        equal(f"{what}: width at {width}", width, page.evaluate("document.documentElement.scrollWidth"))


def views(page):
    for view, (selector, least) in MARKS.items():
        seen = page.evaluate(f"document.querySelectorAll({selector!r}).length")
        check(f"marks of {view}", seen >= least, seen)
    for view, many in CELLS.items():
        equal(f"canvases of {view} with cells", many, page.evaluate(LIT % view))
    equal("areas below curves", 0, page.evaluate("[...document.querySelectorAll('.area')].filter(one => getComputedStyle(one).fill === 'none').length"))
    equal("links to all views", ["#summary", *("#" + view for view in VIEWS)],
          page.evaluate("[...document.querySelectorAll('nav a')].map(link => link.getAttribute('href'))"))
    equal("findings lead to their views", ["#rollbacks", "#phases"],
          page.evaluate("[...document.querySelectorAll('.findings a')].map(link => link.getAttribute('href'))"))
    equal("counters", ["20,000", "22,500", "2,500", "87.5 %", "360"], [value.replace("\u202f", " ") for value in page.evaluate(
        "[...document.querySelectorAll('[data-counter]')].map(cell => cell.textContent)")])


def heights(page, view):
    """Heights of the bars of a histogram, in hundredths of the highest."""
    seen = page.evaluate(f"[...document.querySelectorAll('#{view} rect.count')].map(bar => Number(bar.getAttribute('height')))")
    return str([round(one / (max(seen) or 1) * 100) for one in seen])


def shown(page):
    """Numbers of all views that follow the range."""
    return {
        "rates over wall clock": numbers(page, "rates", "wall", "committed"),
        "rates over virtual time": numbers(page, "rates", "virtual", "committed"),
        "phases": page.text("#phases .phase-legend"),
        "rollbacks": page.text("#rollbacks .top-cells tbody"),
        "primary": page.text("#rollbacks [data-rollbacks=primary]"),
        "communication": page.text("#traffic .top-cells tbody"),
        "model": numbers(page, "model", "virtual", "router.backlog"),
        "memory": numbers(page, "memory", "wall", "events"),
        "memory per PE": page.text("#memory .memory-pes tbody"),
        "rollback lengths": heights(page, "rollbacks"),
        "offsets": heights(page, "offsets"),
        "offsets in words": page.text("#offsets p.note"),
        "task durations": page.text("#tasks .task-kinds tbody"),
        "tasks": numbers(page, "tasks", "virtual", "Seattle > Denver"),
        "tiles": page.text(".tiles"),
        "counters": page.text(".counters .in-range"),
    }


def brushing(page):
    whole = shown(page)
    equal("mean of the whole run", "mean 2.00 k, peak 3.00 k", whole["rates over wall clock"])
    equal("over virtual time", "mean 200, peak 300", whole["rates over virtual time"])
    check("rollbacks of the whole run", "PE 1 → KP 1 of PE 130083.3 %" in whole["rollbacks"], whole["rollbacks"])
    equal("efficiency is of all events", "mean 87.5 %, least 80.0 %", numbers(page, "rates", "wall", "efficiency"))
    equal("nothing chosen", None, page.evaluate(CHOSEN)[0])

    page.drag(STRIP + " .overlay", 0.5, 0.9999)
    half = shown(page)
    for view, before in whole.items():
        check(f"{view} follows the range", half[view] != before, before)
    equal("mean of the second half", "mean 3.00 k, peak 3.00 k", half["rates over wall clock"])
    equal("over virtual time, too", "mean 300, peak 300", half["rates over virtual time"])
    check("only what is in the range", "KP 0" not in half["rollbacks"] and "300" in half["rollbacks"], half["rollbacks"])
    equal("primary rollbacks of the range", "180", half["primary"])
    equal("model", "mean 6, peak 12", half["model"])
    equal("memory", "mean 3.00 MB, peak 3.00 MB", half["memory"])
    equal("memory of each PE", "PE 02.00 MB3.00 MB6.00 MBPE 14.00 MB5.00 MB8.00 MB", half["memory per PE"])
    equal("no rollback in the second half", str([0] * 4), half["rollback lengths"])
    equal("offsets of the second half", str([0] * 10 + [100]), half["offsets"])
    check("and their words", half["offsets in words"].startswith("least 1.5, mean 1.5, largest 1.5."), half["offsets in words"])
    check("no task ended in the second half", half["task durations"].endswith("Denver0–––"), half["task durations"])
    chosen = page.evaluate(CHOSEN)
    check("all views show the range", all(one and abs(one[0] - 0.5) < 0.01 and one[1] > 0.99 for one in chosen), chosen)
    check("the range in words", page.text(".range-text").startswith("5.00 s to "), page.text(".range-text"))
    page.key("Escape")
    equal("Escape clears", whole, shown(page))

    page.drag("#rates svg[data-clock=virtual] .overlay", 0.25, 0.5)
    chosen = page.evaluate(CHOSEN)
    check("virtual time chooses on the wall clock", all(one and abs(one[0] - 0.25) < 0.01 and abs(one[1] - 0.5) < 0.01 for one in chosen), chosen)
    equal("the first half", "mean 1.00 k, peak 1.00 k", numbers(page, "rates", "wall", "committed"))
    equal("rollback lengths of the first half", str([0, 100, 0, 0]), heights(page, "rollbacks"))
    equal("memory of each PE in the first half", "PE 01.00 MB2.00 MB4.00 MBPE 12.00 MB3.00 MB4.00 MB", page.text("#memory .memory-pes tbody"))
    check("tasks of the first half", page.text("#tasks .task-kinds tbody").endswith("Denver3001.51.51.5"), page.text("#tasks .task-kinds tbody"))
    page.click("#rates svg[data-clock=wall] .overlay", 0.9)
    page.evaluate("document.activeElement.blur()")
    page.mouse("mouseMoved", 2, 2)
    page.settle()
    equal("a click clears", whole, shown(page))

    page.click(".findings .choose")
    chosen = page.evaluate(CHOSEN)
    check("a finding chooses its period", all(one and abs(one[0] - 0.25) < 0.01 and abs(one[1] - 0.5) < 0.01 for one in chosen), chosen)
    page.key("Escape")

    box = page.box("#rates svg[data-clock=wall] .overlay")
    page.mouse("mouseMoved", box["x"] + box["width"] * 0.9, box["y"] + 5)
    page.settle()
    equal("the value at the pointer", "3.00 k here", numbers(page, "rates", "wall", "committed"))
    equal("the same moment of the other clock", "300 here", numbers(page, "rates", "virtual", "committed"))
    page.mouse("mouseMoved", 2, 2)
    page.settle()


def keyboard(page):
    page.click("h1")
    for _ in range(30):
        page.key("Tab")
        if page.evaluate(f"document.activeElement === document.querySelector({STRIP!r})"):
            break
    check("Tab reaches the timeline", page.evaluate(f"document.activeElement === document.querySelector({STRIP!r})"))
    check("it shows the focus", page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none")
    check("it has a label", len(page.evaluate("document.activeElement.getAttribute('aria-label')")) > 10)
    page.key("ArrowRight")
    first = page.evaluate(CHOSEN)[0]
    page.key("ArrowRight")
    second = page.evaluate(CHOSEN)[0]
    check("an arrow makes a range, the next moves it", first and second and second[0] > first[0] and
          abs((second[1] - second[0]) - (first[1] - first[0])) < 0.001, (first, second))
    page.key("ArrowLeft")
    equal("the other arrow moves it back", first, page.evaluate(CHOSEN)[0])
    page.key("ArrowRight")
    page.key("ArrowRight", shift=True)
    third = page.evaluate(CHOSEN)[0]
    check("with shift its end", third[1] > second[1] and abs(third[0] - second[0]) < 0.001, third)
    page.key("End")
    check("to the end", abs(page.evaluate(CHOSEN)[0][1] - 1) < 0.001)
    page.key("Escape")
    equal("Escape", None, page.evaluate(CHOSEN)[0])

    equal("rows of KPs say the PE", [f"PE {pe} KP {kp}" for pe in (0, 1) for kp in range(4)],
          page.evaluate("[...document.querySelectorAll('#ahead svg[data-clock=wall] text.tick')].map(one => one.textContent)"))
    page.evaluate("document.querySelector('#ahead svg.panel').focus()")
    page.key("ArrowDown")
    page.key("ArrowDown")
    check("a KP is read out", page.text("#ahead .reading").startswith("KP 1 of PE 0: mean 2 "), page.text("#ahead .reading"))
    page.evaluate("document.querySelector('#traffic svg').focus()")
    page.key("ArrowDown")
    page.key("ArrowRight")
    check("a cell is read out", page.text("#traffic .reading").startswith("PE 0 → PE 1: 210 events"), page.text("#traffic .reading"))
    page.evaluate("document.querySelector('#offsets svg').focus()")
    page.key("ArrowRight")
    page.key("ArrowRight")
    check("a bar is read out", "100 events" in page.text("#offsets .reading"), page.text("#offsets .reading"))
    page.evaluate("document.querySelector('#phases .bars').focus()")
    page.key("ArrowDown")
    check("a PE is read out", page.text("#phases .reading").startswith("PE 0: "), page.text("#phases .reading"))
    check("its lost time is read out", page.text("#phases .reading").endswith("other threads had its processor for 12.5 %"),
          page.text("#phases .reading"))
    equal("and shown alone", "PE 0 over wall clock", page.text("#phases .pair > figure h4"))
    page.key("ArrowUp")

    tables = page.evaluate("document.querySelectorAll('.as-table').length")
    figures = page.evaluate("document.querySelectorAll('svg.panel, .matrix-map, .histogram, .bars').length - 1")
    check("each figure has a table", tables >= figures - 1, (tables, figures))  # phases over time stand in the legend
    rows = page.evaluate("[...document.querySelectorAll('.as-table')].map(one => { one.open = true })") and None
    page.settle()
    rows = page.evaluate("[...document.querySelectorAll('.as-table')].map(one => one.querySelectorAll('tbody tr').length)")
    check("the tables have rows", all(rows), rows)
    page.evaluate("document.querySelectorAll('.as-table').forEach(one => { one.open = false })")


def look(page):
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    for dark in (False, True):
        page.theme(dark)
        page.settle()
        ratios = page.evaluate(CONTRAST)
        check(f"contrast, {'dark' if dark else 'light'}", min(ratios) >= 4.5, ratios)
    check("dark is dark", page.evaluate("getComputedStyle(document.body).backgroundColor") != light)
    page.print_to(os.path.join(scratch, "page.pdf"))
    with open(os.path.join(scratch, "page.pdf"), "rb") as file:
        check("it prints", file.read(5) == b"%PDF-")
    page.settle()
    equal("after printing", False, page.evaluate("document.documentElement.classList.contains('printing')"))
    page.theme(False)


def shifts(page):
    return page.evaluate("new Promise(done => { const observer = new PerformanceObserver(list => {}); "
                         "observer.observe({type: 'layout-shift', buffered: true});"
                         "setTimeout(() => done(observer.takeRecords().reduce((sum, one) => sum + one.value, 0)), 50) })")


def test_full(browser):
    page = open_document(browser, "full", documents.document(documents.full_run()))
    views(page)
    brushing(page)
    moved = shifts(page)
    check("nothing moves while ranges are chosen", moved < 0.02, moved)
    keyboard(page)
    look(page)
    no_scroll(page, "full")
    finish(page, "full")


def test_two(browser):
    page = open_document(browser, "two", documents.comparison(documents.full_run("before"), documents.other_run()))
    equal("the comparison is first", "compare", page.evaluate("document.querySelector('section').id"))
    row = page.text("#compare .counters tbody tr")
    equal("the ratio of a count", "rollbacks3607202", row)
    row = page.text("#compare .times tr[data-time=processor_seconds][data-side=B]").replace("\u202f", " ")
    check("the ratio, its interval and the verdict", row.endswith("\u00d70.50.4 to 0.6more than noise"), row)
    equal("marks of runs whose times count", 1, page.evaluate("document.querySelectorAll('#compare tr[data-time=wall_seconds][data-side=A] .dot').length"))
    check("findings that are gone and new", [page.text(f"#compare .changes tbody tr:nth-child({at}) td:last-child") for at in (1, 2)] == ["\u2013 gone", "10.0 % new"])
    equal("both runs in each view", [2] * (len(VIEWS) + 1), page.evaluate("[...document.querySelectorAll('section:not(#compare)')].map(one => one.querySelectorAll('.runs')[0].children.length)"))
    equal("the second against the first", "mean 2.00 k (equal)",
          page.text("#rates .run[data-run='1'] svg[data-clock=wall] .row-numbers[data-series=committed]"))
    check("absent in one", "--task-trace=1" in page.text("#tasks .run[data-run='1'] .absent"))
    page.drag("#rates .run[data-run='0'] svg[data-clock=wall] .overlay", 0.5, 0.999)
    # 5 s to 10 s of the first are 2.5 s to 5 s of the second, and both axes end at 10 s.
    other = page.evaluate(CHOSEN.replace("svg.panel", "#rates .run[data-run=\"1\"] svg[data-clock=wall]"))[0]
    check("the same virtual time in the other run", other and abs(other[0] - 0.25) < 0.01 and abs(other[1] - 0.5) < 0.01, other)
    page.key("Escape")
    page.drag("#rates .run[data-run='0'] svg[data-clock=virtual] .overlay", 0.5, 0.9999)
    again = page.evaluate(CHOSEN.replace("svg.panel", "#rates .run[data-run=\"1\"] svg[data-clock=wall]"))[0]
    check("chosen by virtual time, too", again and abs(again[0] - 0.25) < 0.01 and abs(again[1] - 0.5) < 0.01, again)
    no_scroll(page, "two")
    finish(page, "two")


def test_three(browser):
    page = open_document(browser, "three", documents.document(documents.full_run("a"), documents.other_run(), documents.full_run("c")))
    equal("three runs in each view", [3] * (len(VIEWS) + 1), page.evaluate("[...document.querySelectorAll('section')].map(one => one.querySelectorAll('.runs')[0].children.length)"))
    equal("a line of each over the whole run", 3, page.evaluate("document.querySelectorAll('#timeline .row').length"))
    equal("letters", "ABC", page.text("#rates .letter-0") + page.text("#rates .letter-1") + page.text("#rates .letter-2"))
    no_scroll(page, "three")
    finish(page, "three")


def test_least(browser):
    page = open_document(browser, "least", documents.document(documents.least_run()))
    for view in VIEWS:
        equal(f"absent: {view}", f"Nothing for {view}: --option-{view} records it.", page.text(f"#absent [data-view={view}] .absent"))
    check("the problem is said at the top", "its last records are missing" in page.text("#summary .problem"))
    check("incomplete, in words", "incomplete" in page.text("#summary .badge"))
    no_scroll(page, "least")
    finish(page, "least")


def test_part(browser):
    """A flight recorder did its duty; what is zero everywhere, or one cell, is not drawn; findings come before numbers."""
    run = documents.full_run()
    run.update(problems=["only the last records of evtrace, from GVT 9 on (--buffer-overwrite)"],
               covers={"what": "part", "text": "part of the run", "virtual_from": 9, "virtual_to": None})
    run["traffic"].update(pes=[0], pe_cells=[[3, 0, 0, 7]], types=["one"])
    zero = dict(run["series"]["wall"][0], name="rollbacks", words="Rollbacks", values=[0] * 240)
    queue = dict(zero, name="queue", words="Pending events per PE", unit="events", values=[1] * 240, high=[2] * 239 + [20])
    run["series"]["wall"] = [one for one in run["series"]["wall"] if one["name"] not in ("rollbacks", "queue")] + [zero, queue]
    run["series"]["virtual"].append(dict(zero, values=[1] * 240))
    page = open_document(browser, "part", documents.document(run))
    check("a part that the user chose is no fault", "part of the run" in page.text("#summary .badge"))
    equal("and not red", 0, page.evaluate("document.querySelectorAll('#summary .problem, #summary .badge.bad').length"))
    check("but said", "only the last records" in page.text("#summary .what-ran"))
    equal("curves of zeros", 0, page.evaluate("document.querySelectorAll('#rates svg[data-clock=wall] [data-series=rollbacks]').length"))
    equal("matrices of one cell", 0, page.evaluate("document.querySelectorAll('#traffic').length"))
    equal("the largest of any PE", "mean 1, peak 20", numbers(page, "rates", "wall", "queue"))
    check("findings come first", page.evaluate("document.querySelector('.findings').compareDocumentPosition(document.querySelector('.tiles')) === 4"))
    check("findings are on the first screen", page.evaluate("document.querySelector('.findings').getBoundingClientRect().top < 400"))
    finish(page, "part")


def test_hostile(browser):
    page = open_document(browser, "hostile", documents.document(documents.full_run(odd=documents.HOSTILE)))
    equal("no element out of a name", 0, page.evaluate("document.querySelectorAll('img, b, main script, iframe, object').length"))
    equal("nothing ran", "undefined", page.evaluate("typeof window.hit"))
    equal("the whole title", documents.HOSTILE.rstrip("\a"), page.evaluate("document.title").rstrip("\a"))
    shown_name = page.text("h1 bdi")
    check("a name is shown as it is", shown_name.startswith("</script><img src=x onerror=\"window.hit = 1\"><b>'&amp;"), shown_name)
    check("marks that turn text around are shown", "⟨202E⟩evil⟨0007⟩" in shown_name, shown_name)
    no_scroll(page, "hostile")
    finish(page, "hostile")
    page = open_document(browser, "long", documents.document(documents.full_run(odd=documents.LONG), documents.full_run(odd=documents.LONG)))
    no_scroll(page, "long names")
    finish(page, "long")


def test_recorded(browser):
    """A recording of three PEs with everything but tasks and tracers."""
    run, stats, _ = sys.argv[4:7]
    page = browser.open("file://" + os.path.abspath(run))
    for view, (selector, least) in MARKS.items():
        if view not in ("tasks", "tracers", "predicted"):  # handlers were not timed
            seen = page.evaluate(f"document.querySelectorAll({selector!r}).length")
            check(f"marks of the recorded {view}", seen >= min(least, 3), seen)
    for view, many in CELLS.items():
        equal(f"canvases of the recorded {view}", many, page.evaluate(LIT % view))
    check("what records tasks", "--task-trace=1" in page.text("#absent [data-view=tasks]"))

    with open(stats, encoding="utf-8") as file:
        files = json.load(file)["files"]
    wanted = {}
    for one in files:
        prefix = "trace_" if one["stream"] == "evtrace" else ""
        for name, value in one.get("totals", {}).items():
            wanted.setdefault(prefix + name, []).append(f"{value:,}")
        if "efficiency" in one:
            wanted.setdefault("efficiency", []).append(f"{one['efficiency']:.1f} %")
    seen = page.evaluate("[...document.querySelectorAll('[data-counter]')].map(cell => [cell.dataset.counter, cell.textContent])")
    check("counters of the recording", len(seen) > 15, len(seen))
    for name, value in seen:
        check(f"{name} as by warpscope stats", value.replace("\u202f", " ") in wanted.get(name, []), (value, wanted.get(name)))

    selectors = {"rates": "#rates .row-numbers", "phases": "#phases .phase-legend", "rollbacks": "#rollbacks .top-cells tbody",
                 "communication": "#traffic .top-cells tbody", "model": "#model .row-numbers", "memory": "#memory .row-numbers", "memory per PE": "#memory .memory-pes tbody"}
    before = {view: page.text(selector) for view, selector in selectors.items()}
    offsets = heights(page, "offsets")
    page.drag("#ahead svg[data-clock=wall] .overlay", 0.3, 0.4)
    for view, selector in selectors.items():
        check(f"{view} of the recording follows the range", page.text(selector) != before[view], before[view])
    check("offsets of the recording follow the range", heights(page, "offsets") != offsets)
    check("all views of the recording show the range", all(page.evaluate(CHOSEN)))
    page.key("Escape")
    equal("the whole recording again", before, {view: page.text(selector) for view, selector in selectors.items()})
    no_scroll(page, "recording")
    finish(page, "recording")


def test_two_recorded(browser):
    page = browser.open("file://" + os.path.abspath(sys.argv[6]))
    check("two recordings", page.evaluate("document.querySelectorAll('.runs-2').length") > 6)
    check("times of both", page.evaluate("document.querySelectorAll('#compare .times tbody tr').length") == 8)
    check("differences", page.evaluate("[...document.querySelectorAll('.counters td:last-child')].some(one => /^[0-9.]+$/.test(one.textContent))"))
    no_scroll(page, "two recordings")
    finish(page, "two recordings")


def test_standing(browser):
    """GVT stands still from 2 s to 8 s: such a range is one step of virtual time, and not nothing."""
    run = documents.full_run("standing")
    run["clock"] = [min(50, 100 * edge / 96) if edge < 192 else 50 + 50 * (edge - 192) / 48 for edge in range(241)]
    page = open_document(browser, "standing", documents.document(run))
    page.drag(STRIP + " .overlay", 0.4, 0.6)
    equal("rates while GVT stands still", "mean 300, peak 300", numbers(page, "rates", "virtual", "committed"))
    check("the range in words", page.text(".range-text").endswith("virtual time 50 to 50.42"), page.text(".range-text"))
    finish(page, "standing")


def test_noise(browser):
    """Sampled times of phases that are far from the time of the run are marked as estimates; exact ones never."""
    for exact in (False, True):
        run = documents.full_run("noise")
        run["phases"]["seconds"][0] = [12, 3, 15]
        run["facts"].append(["phase times", "exact" if exact else "sampled"])
        page = open_document(browser, "noise", documents.document(run))
        seen = page.text("#phases .run > p.note")
        check("a note about noise", ("PE 0 add up to 30.0 s of 10.0 s" in seen) != exact, seen)
        finish(page, "noise")


def test_selection(browser):
    document = documents.document(documents.full_run("chosen"))
    document.update(selection="--from=10 --type=</p>", selected_time=True)
    page = open_document(browser, "chosen", document)
    seen = page.text("#summary .selection")
    check("what was selected is on top", seen.startswith("Only records chosen by --from=10 --type=</p>. Samples count"), seen)
    finish(page, "chosen")


def test_damaged(browser):
    """A part that cannot be drawn, in a program to come: all others are there."""
    run = documents.full_run()
    run["rollbacks"] = {"from": None, "to": [], "cells": [[0, 0, 0, 1, 1, 0]]}
    run["offsets"]["edges"] = None
    page = open_document(browser, "damaged", documents.document(run))
    check("what could not be drawn says so", "could not be drawn" in page.text("#rollbacks .problem"))
    check("views after it", page.evaluate("document.querySelectorAll('#tasks path.line').length") > 0)
    page.drag(STRIP + " .overlay", 0.5, 0.9999)
    equal("and they follow the range", "mean 6, peak 12", numbers(page, "model", "virtual", "router.backlog"))
    check("the console has the errors", len(page.errors) >= 2, page.errors)
    page.close()


def test_uneven(browser):
    """Two runs of which one has no virtual time, and the other no wall clock."""
    first, second = documents.full_run("first"), documents.full_run("second")
    for run, clock, views in ((first, "virtual", ("model_fields", "tasks")), (second, "wall", ("phases", "memory", "rollbacks", "traffic"))):
        for key in (clock, "clock", *views):
            del run[key]
        run["series"] = {key: rows for key, rows in run["series"].items() if key != clock}
        run["ahead"] = {key: rows for key, rows in run["ahead"].items() if key != clock}
    page = open_document(browser, "uneven", documents.document(first, second))
    page.drag(STRIP + " .overlay", 0.5, 0.9999)
    equal("the first on its clock", "mean 3.00 k, peak 3.00 k", numbers(page, "rates", "wall", "committed"))
    equal("the second is not touched", "mean 200, peak 300", numbers(page, "rates", "virtual", "committed").replace(" (equal)", ", peak 300"))
    finish(page, "uneven")


def test_policy(browser):
    page = open_document(browser, "policy", documents.document(documents.least_run()))
    equal("the policy lets no picture in", "img-src", page.evaluate(
        "new Promise(done => { document.addEventListener('securitypolicyviolation', event => done(event.effectiveDirective));"
        "const image = new Image(); image.onerror = () => setTimeout(done, 1000); image.src = 'http://127.0.0.1:9/x.png' })"))
    equal("and no data", "connect-src", page.evaluate(
        "new Promise(done => { document.addEventListener('securitypolicyviolation', event => done(event.effectiveDirective));"
        "fetch('http://127.0.0.1:9/').catch(() => setTimeout(done, 1000)) })"))
    page.close()


with Browser(program, scratch) as the_browser:
    tests = [test_full, test_two, test_three, test_least, test_part, test_hostile, test_standing, test_noise, test_selection, test_damaged, test_uneven, test_policy]
    for test in tests + ([test_recorded, test_two_recorded] if len(sys.argv) > 4 else []):
        test(the_browser)
end()
