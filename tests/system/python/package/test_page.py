# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/reading-recordings.md and of the docstrings run, and print what they show."""

import doctest
import importlib.util
import os
import sys
import types

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


def public():
    """Return the names of the package, and the class of run.plot, which needs matplotlib."""
    plots = {"Plots": type(warpscope.open("stats-output").plot)} if there("matplotlib") else {}
    return {name: getattr(warpscope, name) for name in warpscope.__all__} | plots


def without_example(examples):
    """Return the functions of the package, and the members of its classes, that no example uses."""
    source = "\n".join(one.source for one in examples)
    missing = [] if "warpscope.library_path()" in source and "warpscope.open(" in source else ["functions"]
    for kind in public().values():
        names = [] if not isinstance(kind, type) or issubclass(kind, Exception) else vars(kind)
        missing += [f"{kind.__name__}.{name}" for name in names if not name.startswith("_") and
                    isinstance(vars(kind)[name], (property, types.FunctionType)) and f".{name}" not in source]
    return missing


def main():
    page = os.path.join(os.environ["WS_SRC"], "docs", "reading-recordings.md")
    if sys.argv[1] == "docstrings":
        finder = doctest.DocTestFinder()
        tests = finder.find(warpscope, "warpscope")
        for name, one in public().items():  # with their methods, which are of other modules
            tests += finder.find(one, name, module=False, globs={})
        with open(page, encoding="utf-8") as file:
            examples = doctest.DocTestParser().get_examples(file.read())
        if missing := without_example(examples + [one for test in tests for one in test.examples]):
            sys.exit(f"without an example: {', '.join(missing)}")
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
