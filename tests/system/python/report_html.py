# SPDX-License-Identifier: BSD-3-Clause
"""Puts a page of "warpscope report" together from its sources and a document, without the command:

    report_html.py SOURCES D3.min.js DOCUMENT.json OUTPUT.html
"""
import html
import json
import os
import re
import sys


def assemble(sources, library, document):
    page = os.path.join(sources, "reader/report/page")

    def read(*path):
        with open(os.path.join(*path), encoding="utf-8") as file:
            return file.read()

    cmake = read(sources, "cmake/WarpscopeReportPage.cmake")
    names = re.search(r"set\(scripts ([^)]*)\)", cmake).group(1).split()
    script = "(function () {\n'use strict'\n" + "".join(read(page, "script", name) + "\n" for name in names) + "})()\n"
    text = json.dumps(document, ensure_ascii=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    parts = {"TITLE": html.escape(document["runs"][0]["name"]), "STYLE": read(page, "page.css"), "LICENCE": "licence",
             "LIBRARY": read(library), "SCRIPT": script, "DATA": text}
    return re.sub("@(" + "|".join(parts) + ")@", lambda match: parts[match.group(1)], read(page, "page.html"))


if __name__ == "__main__":
    with open(sys.argv[3], encoding="utf-8") as file:
        given = json.load(file)
    with open(sys.argv[4], "w", encoding="utf-8") as file:
        file.write(assemble(sys.argv[1], sys.argv[2], given))
