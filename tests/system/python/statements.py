# SPDX-License-Identifier: BSD-3-Clause
"""Compare what stats, top, report and advise of warpscope state about a recording.

statements.py PROGRAM RECORDING...: in this order, each command has the evidence of the ones before it, and more. So a
statement that a command judges must be in each later one with the same rule, verdict and text, in the same order; only
what it has not judged may be judged there.
"""
import json
import subprocess
import sys


def output(*command):
    """Return the JSON that a command prints; recordings may be incomplete."""
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True)
    return json.loads(made.stdout) if made.stdout.strip() else None


def findings(document):
    """Return rule, verdict and text of the statements."""
    return [(one["rule"], one["verdict"], one["text"]) for one in document["findings"]]


def advice(document):
    """Return the same of all statements of advise, the most important first."""
    verdicts = (("advice", "change"), ("not_judged", "not_judged"), ("unchanged", "keep"))
    return [(one["subject"], verdict, one["evidence"]) for name, verdict in verdicts for one in document[name]]


def statements(program, recording):
    """Return what each command states."""
    page = output(program, "report", "--format=json", "-o", "-", recording)
    return {"top": findings(output(program, "top", "--once", "--json", recording)),
            "stats": findings(output(program, "stats", "--json", recording)),
            "report": findings(page["runs"][0]),
            "advise": advice(output(program, "advise", "--json", recording))}


def differences(recording, said):
    """Yield what one command states and a later one does not."""
    for name, later in (("top", "stats"), ("top", "report"), ("stats", "report"), ("report", "advise"),
                        ("stats", "advise")):
        judged = [one for one in said[name] if one[1] != "not_judged"]
        for one in judged:
            if one not in said[later]:
                yield f"{recording}: {name} says {one}, {later} {[x for x in said[later] if x[0] == one[0]]}"
        common = [one for one in said[later] if one in judged and one[1] == "change"]
        if common != [one for one in judged if one in common]:
            yield f"{recording}: {name} and {later} differ in order: {[one[0] for one in common]}"


def main():
    """Compare all recordings."""
    wrong = number = 0
    for recording in sys.argv[2:]:
        said = statements(sys.argv[1], recording)
        number += sum(len(one) for one in said.values())
        for text in differences(recording, said):
            wrong += 1
            print(text)
    print(f"{number} statements")
    return 1 if wrong > 0 or number == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
