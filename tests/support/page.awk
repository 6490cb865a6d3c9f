# SPDX-License-Identifier: BSD-3-Clause
# page.awk - the code blocks of a page of documentation, each in a file of its own:
#
#     awk -v language=diff -v prefix=step- -f page.awk PAGE      # step-1, step-2 ...
#     awk -v language=console -v prefix=run- -f page.awk PAGE    # run-1.sh, run-1.expected ...
#
# A command of a console block begins with "$ " and goes on in the next line after a backslash; what
# follows is its output, in which a line "..." stands for any lines.
function start_command() {
    n++
    script = prefix n ".sh"
    expected = prefix n ".expected"
    printf "" >expected
}
/^```/ {
    inside = !inside && $0 == "```" language
    if (inside && language != "console") n++
    goes_on = 0
    next
}
!inside { next }
language != "console" { print >(prefix n); next }
goes_on || /^\$ / {
    if (!goes_on) {
        start_command()
        sub(/^\$ /, "")
    }
    goes_on = sub(/\\$/, "")
    printf "%s%s", $0, goes_on ? " " : "\n" >script
    next
}
{ print >expected }
