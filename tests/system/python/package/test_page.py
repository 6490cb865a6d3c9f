# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/reading-recordings.md and of the docstrings run, and print what they show."""

import doctest
import importlib.util
import os
import sys

import warpscope

OPTIONS = doctest.ELLIPSIS
for _flag, _module in (("PANDAS", "pandas"), ("MATPLOTLIB", "matplotlib")):
    doctest.register_optionflag(_flag)


def there(module):
    return importlib.util.find_spec(module) is not None


def without_missing(test):
    """Leave out the examples that need a module which is not installed."""
    for flag, module in (("PANDAS", "pandas"), ("MATPLOTLIB", "matplotlib")):
        if not there(module):
            test.examples = [one for one in test.examples if doctest.OPTIONFLAGS_BY_NAME[flag] not in one.options]
    return test


def run_tests(tests):
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for test in tests:
        runner.run(without_missing(test))
    return runner.summarize(verbose=False)


def main():
    page = os.path.join(os.environ["WS_SRC"], "docs", "reading-recordings.md")
    if sys.argv[1] == "docstrings":
        finder = doctest.DocTestFinder()
        tests = finder.find(warpscope, "warpscope")
        for name in warpscope.__all__:  # with their methods, which are of other modules
            tests += finder.find(getattr(warpscope, name), name, module=False, globs={})
        failed, tried = run_tests({test.name.replace("warpscope.", "", 1): test for test in tests}.values())
        enough = 20
    else:
        with open(page, encoding="utf-8") as file:
            text = file.read().replace("```", "")
        failed, tried = run_tests([doctest.DocTestParser().get_doctest(text, {}, "reading-recordings.md", page, 0)])
        enough = 40
    print(f"{tried} examples of {sys.argv[1]}, {failed} failed")
    sys.exit(failed > 0 or tried < enough)


if __name__ == "__main__":
    main()
