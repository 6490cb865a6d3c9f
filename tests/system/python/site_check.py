#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Usage: site_check.py HTML SOURCES: examines the site that docs/site/site_pages.py made."""
import html.parser
import pathlib
import re
import sys
import urllib.parse

from browser import Browser, find_browser

NARROW = ("index", "docs/observing", "reference/st_bus.h", "reference/python", "man/warpscope-stats", "docs/FORMAT")


class Links(html.parser.HTMLParser):
    """The links of a page, the names that links can lead to, and the addresses from which it loads something."""

    def __init__(self, path):
        super().__init__()
        self.links, self.names, self.loaded = [], set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        elif tag in ("img", "script", "link", "source"):
            self.loaded.append(attributes.get("src") or attributes.get("href") or "")


def main():
    root, sources = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    wrong = []
    pages = {path: Links(path) for path in root.rglob("*.html")}
    for path, page in pages.items():
        wrong += [f"{path.name} loads {address}" for address in page.loaded if re.match(r"(https?:)?//", address)]
        for link in page.links + page.loaded:
            address, _, name = urllib.parse.unquote(link).partition("#")
            if re.match(r"\w+:", address):
                continue
            to = (path.parent / address.partition("?")[0]).resolve() if address else path
            if not to.exists():
                wrong.append(f"{path.relative_to(root)}: {link} leads nowhere")
            elif name and to in pages and name not in pages[to].names:
                wrong.append(f"{path.relative_to(root)}: {to.relative_to(root)} has no {name}")
    wrong += undescribed(pages, sources)
    wrong += seen(root) if find_browser() else []
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links")
    print("\n".join(wrong[:40]), file=sys.stderr)
    sys.exit(bool(wrong))


def undescribed(pages, sources):
    """The functions that models and tools may call, and that have no entry."""
    names = set().union(*(page.names for path, page in pages.items() if path.parent.name == "reference"))
    sys.path.insert(0, str(sources / "docs/site"))
    from site_pages import HEADERS
    text = re.sub(r"/\*.*?\*/", "", "".join((sources / name).read_text(encoding="utf-8") for name in HEADERS), flags=re.S)
    declared = set(re.findall(r"^[a-zA-Z][\w *\n]*?\b((?:tw|st|wsr|rng)_\w+)\([^;{]*\)[^;{]*;", text, re.M))
    assert len(declared) > 100
    return [f"{name}() has no entry" for name in sorted(declared) if f"function-{name}".replace("_", "-") not in names]


def seen(root):
    """What a browser finds wrong."""
    wrong = []
    with Browser(find_browser(), ".") as browser:
        for name in NARROW:
            page = browser.open((root / f"{name}.html").as_uri())
            for width in (400, 1280):
                page.resize(width, 900)
                page.settle()
                if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
                    wrong.append(f"{name} is {wide} wide in a window of {width}")
            wrong += [f"{name}: {error}" for error in page.errors] + [f"{name} asks for {request}" for request in page.requests
                                                                     if not request.startswith(("file:", "data:"))]
        page = browser.open((root / "search.html").as_uri() + "?q=st_stream_open")
        found = page.evaluate("new Promise(done => { const until = Date.now() + 60000; (function look() {"
                              "const links = [...document.querySelectorAll('#search-results li a')].map(a => a.href);"
                              "if (links.some(l => l.includes('st_bus.h')) || Date.now() > until) done(links.join());"
                              "else setTimeout(look, 50) })() })")
        if "st_bus.h" not in found:
            wrong.append(f"the search for st_stream_open finds {found or 'nothing'}")
    return wrong


if __name__ == "__main__":
    main()
