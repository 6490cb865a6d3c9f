# SPDX-License-Identifier: BSD-3-Clause
"""Usage: site_pages.py SOURCES BUILD TO VERSION: makes the site of static pages TO/html.

It has the guides (docs/, the READMEs), the reference made from the headers and the Python package, and the help of the
commands in BUILD. Links between pages stay; links to headers lead to their reference; links to other files of the sources
become words. Sphinx with the parser MyST makes the pages; a link that leads nowhere is an error.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import reference

HEADERS = [  # in the order of the site's list
    "core/ross.h", "core/ross_types.h", "core/ross_event.h", "core/ross_options.h", "core/ross_state.h", "core/ross_rest.h",
    "instrumentation/st.h", "instrumentation/st_bus.h", "instrumentation/st_point.h", "instrumentation/st_result.h",
    "instrumentation/st_hook.h", "instrumentation/st_task.h", "instrumentation/st_tracer.h", "instrumentation/st_log.h",
    "reader/library/warpscope/reader.h"]
GUIDES = {
    "Begin": "installing porting-from-ross writing-models models options",
    "Observe": "observing watching after-a-crash diffing instrumentation-fields recording-your-own-data exporting reading-recordings"
               " writing-a-tool",
    "Make it fast": "tuning performance placement scaling clusters",
    "Long runs and experiments": "checkpoints experiments",
    "CUDA": "cuda memory-traces",
    "Background": "FORMAT trust architecture"}
LINK = re.compile(r"(!?)\[([^\]\n]*(?:\n[^\]\n]*)?)\]\(([^)#\s]*)(#[^)\s]*)?\)")


def main():
    try:
        import furo, myst_parser, numpy, sphinx  # noqa: F401, E401
    except ImportError as error:
        sys.exit(f"site_pages.py: {error}; install python3-sphinx, python3-myst-parser, furo and python3-numpy")
    sources, build, site = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    to = site / "pages"
    shutil.rmtree(to, ignore_errors=True)
    pages = [path for pattern in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "docs/decisions/*.md",
                                  "models/*/README.md", "bench/README.md", "templates/model/README.md")
             for path in sorted(sources.glob(pattern))]
    for page in pages:
        write(to / page_name(page.relative_to(sources)), guide(page, sources, set(pages)))
    shutil.copytree(sources / "docs/images", to / "docs/images")
    manuals = manual_pages(build, to)
    reference_pages(sources, to)
    with open(to / "index.md", "a", encoding="utf-8") as index:
        index.write(contents(to, manuals, pages, sources))
    shutil.copy(pathlib.Path(__file__).with_name("conf.py"), to)
    shutil.copytree(pathlib.Path(__file__).with_name("static"), to / "static")
    words = {"WARPSCOPE_VERSION": sys.argv[4], "WARPSCOPE_PYTHON": str(sources / "python"),
             "WARPSCOPE_READER_LIBRARY": str(build / "lib"), "PYTHONDONTWRITEBYTECODE": "1"}
    made = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", site / "doctrees", to, site / "html"],
                          env=os.environ | words)
    complete_theme(site / "html/_static")
    sys.exit(made.returncode)


def complete_theme(static):
    """Put into the theme's files what those of Debian load from elsewhere, which pages that are files cannot."""
    script, style = static / "scripts/furo.js", static / "styles/furo.css"
    if (text := script.read_text(encoding="utf-8")).startswith("import Gumshoe"):
        write(script, (static / "scripts/gumshoe-patched.js").read_text(encoding="utf-8") + text.partition("\n")[2])
    if match := re.search(r"@import url\((/javascript/[^)]*)\);?", text := style.read_text(encoding="utf-8")):
        write(style, text.replace(match.group(0), pathlib.Path("/usr/share" + match.group(1)).read_text(encoding="utf-8")))


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def page_name(path):
    """Return the name in the site of a page of the sources."""
    return pathlib.Path("index.md" if str(path) == "README.md" else "docs/pages.md" if str(path) == "docs/README.md" else path)


def guide(page, sources, pages):
    """Return the text of a page, with links that are valid in the site."""
    here = page.parent

    def link(match):
        mark, words, target, part = match.group(1), match.group(2), match.group(3), match.group(4) or ""
        if not target or re.match(r"\w+:", target) or mark:
            return match.group(0)
        path = (here / target).resolve()
        up = "../" * len(here.relative_to(sources).parts)
        if path in pages:
            return f"[{words}]({up}{page_name(path.relative_to(sources))}{part})"
        if path.is_relative_to(sources) and str(path.relative_to(sources)) in HEADERS:
            return f"[{words}]({up}reference/{path.name}.md)"
        if path == sources / "docs/decisions":
            return f"[{words}]({up}docs/decisions/README.md)"
        return words
    out, code = [], False
    for line in LINK.sub(link, page.read_text(encoding="utf-8")).split("\n"):
        code ^= line.lstrip().startswith("```")
        out.append(line)
    return "\n".join(out)


def declared_in(texts):
    """Return the labels of all names that the headers declare, and the functions among them."""
    names, functions = {pathlib.Path(header).name: pathlib.Path(header).name + ".md" for header in texts}, set()
    for text in texts.values():
        for kind, *rest in reference.entries(text):
            for declared in map(reference.declared, rest[0] if kind == "entry" else []):
                if declared and declared[1]:
                    for name in (declared[1], declared[1] + "()") if declared[0] == "function" else (declared[1],):
                        names.setdefault(name, reference.label(*declared))
                    functions |= {declared[1]} if declared[0] == "function" else set()
    return names, functions


def without_use(sources):
    """Return the functions without an example. Only C++ has tw_opt_text(), which TWOPT_CHAR() calls."""
    functions = declared_in({header: (sources / header).read_text(encoding="utf-8") for header in HEADERS})[1]
    return sorted(functions - set(uses_of(functions, sources)) - {"tw_opt_text"})


def reference_pages(sources, to):
    """Make the pages of the headers and of the Python package."""
    texts = {header: (sources / header).read_text(encoding="utf-8") for header in HEADERS}
    names, functions = declared_in(texts)
    uses = uses_of(functions, sources)
    for header, text in texts.items():
        write(to / "reference" / (pathlib.Path(header).name + ".md"),
              reference.page(pathlib.Path(header).name, text, names, uses))
    modules = ["# The Python package warpscope\n"]
    for module in "warpscope", "warpscope.study", "warpscope.study.statistics":
        title = f"## {module}\n\n" if len(modules) > 1 else ""
        modules.append(f"{title}```{{eval-rst}}\n.. automodule:: {module}\n   :members:\n   :imported-members:\n"
                       "   :undoc-members:\n   :exclude-members: __version__, statistics\n```\n")
    write(to / "reference/python.md", "\n".join(modules))


def uses_of(functions, sources):
    """Return a use of each function in the programs that the tests build: the first, with the lines around it. Of functions
    that others define, st_subscriber_..., it is the definition."""
    uses = {}
    for pattern in ("examples/*.c", "templates/*/*.c", "examples/reference/*.c", "models/*/*.c"):
        for path in sorted(sources.glob(pattern)):
            lines = path.read_text(encoding="utf-8").split("\n")
            for number, line in enumerate(lines):
                for name in re.findall(r"\b(\w+)[(;]", line):
                    used = name.startswith("st_subscriber_") or not re.match(r"[\w*]+ .*\{?$|\s*(/?\*|#)", line)
                    if name in functions and name not in uses and used:
                        first, last = statement(lines, number)
                        text = [lines[at] for at in range(first, last + 1)]
                        margin = min(len(part) - len(part.lstrip()) for part in text if part.strip())
                        uses[name] = (str(path.relative_to(sources)), "\n".join(part[margin:] for part in text))
    return uses


def statement(lines, number):
    """Return the first and the last line of what surrounds a line: up to an empty line or a brace, at most five each way."""
    first = last = number
    while first > 0 and number - first < 4 and lines[first - 1].strip() and not lines[first - 1].rstrip().endswith(("{", "}")):
        first -= 1
    while last + 1 < len(lines) and last - number < 4 and lines[last + 1].strip() and not lines[last + 1].startswith("}"):
        last += 1
    return first, last


def manual_pages(build, to):
    """Make a page of each command's help; return their names."""
    program = build / "bin/warpscope"
    names = [""] + subprocess.run([program, "help", "--commands"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    for name in names:
        text = subprocess.run([program, "help", *([name] if name else [])], stdout=subprocess.PIPE, text=True, check=True,
                              env={"COLUMNS": "100", "PATH": "/usr/bin:/bin"}).stdout
        title = ("warpscope " + name).strip()
        write(to / "man" / (title.replace(" ", "-") + ".md"), f"# {title}\n\n```text\n{text.rstrip()}\n```\n")
    return [("warpscope " + name).strip().replace(" ", "-") for name in names]


def contents(to, manuals, pages, sources):
    """Return the lists of pages at the end of the first page, which become the site's navigation."""
    known = {name for names in GUIDES.values() for name in names.split()}
    rest = [page.stem for page in pages if page.parent == sources / "docs" and page.stem not in known | {"README"}]
    parts = [("Documentation", ["docs/pages"])]
    parts += [(title, ["docs/" + name for name in names.split() + (rest if title == "Background" else [])
                       if (to / f"docs/{name}.md").exists()]) for title, names in GUIDES.items()]
    parts += [("Reference", [f"reference/{pathlib.Path(header).name}" for header in HEADERS] + ["reference/python"]),
              ("Commands", ["man/" + name for name in manuals]),
              ("Models", [str(page.relative_to(sources).with_suffix("")) for page in pages
                          if page.parent.parent == sources / "models" or page.parent.name == "model"]),
              ("Project", ["CONTRIBUTING", "bench/README", "docs/decisions/README", "SECURITY", "CHANGELOG"])]
    decisions = sorted(page.stem for page in (to / "docs/decisions").glob("*.md") if page.stem != "README")
    with open(to / "docs/decisions/README.md", "a", encoding="utf-8") as file:
        file.write("\n```{toctree}\n:hidden:\n\n" + "\n".join(decisions) + "\n```\n")
    return "".join(f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n" + "\n".join(names) + "\n```\n" for title, names in parts)


if __name__ == "__main__":
    main()
