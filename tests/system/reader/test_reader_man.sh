#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The help texts of the warpscope command fit into 80 columns, and the manual page has all commands
# and options that they have, and no others; both are installed.
# test: processors=1 timeout=60
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
page=$WS_SRC/docs/warpscope.1

"$warpscope" --help >help.txt || fail "--help"
commands=$(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' help.txt)
assert_num "commands" "$(echo "$commands" | wc -l)" ">=" 6

# The part of the page about a command.
section() {
    awk -v name="$1" '/^\.Ss / { on = $2 == name } /^\.Sh / { on = 0 } on' "$page"
}
options_of_page() {
    sed -n 's/^\.It Fl \\-\([a-z-]*\).*/\1/p' "$1" | sort -u
}

awk '/^\.Sh SELECTING/ { on = 1; next } /^\.Sh / { on = 0 } on' "$page" >selecting.txt
options_of_page selecting.txt >selecting.opt
assert_eq "options that select" "from kp lp pe to type" "$(tr '\n' ' ' <selecting.opt | sed 's/ $//')"
for command in $commands; do
    section "$command" >section.txt
    assert_num "words about $command" "$(wc -l <section.txt)" ">=" 3
    "$warpscope" "$command" --help >help.txt || fail "$command --help"
    assert_eq "longest line of $command --help" "" "$(awk 'length > 80' help.txt)"
    sed -n '/^options:/,$s/^  --\([a-z-]*\).*/\1/p' help.txt | grep -vx help | sort -u >has.opt
    options_of_page section.txt >page.opt
    if grep -qx type has.opt; then
        sort -u page.opt selecting.opt >both.opt
        assert_contains "commands that select" selecting.txt ".Ic $command"
    else
        cp page.opt both.opt
    fi
    assert_same "options of $command" both.opt has.opt
done
assert_eq "commands of the page" "$(echo "$commands" | sort | tr '\n' ' ')" \
    "$(sed -n 's/^\.Ss //p' "$page" | sort | tr '\n' ' ')"
assert_eq "longest line of --help" "" "$("$warpscope" --help | awk 'length > 80')"
assert_eq "longest line of the page" "" "$(awk 'length > 100' "$page")"

if command -v groff >/dev/null; then
    groff -mandoc -ww -z "$page" 2>troff.err
    assert_eq "troff about the page" "" "$(cat troff.err)"
    groff -mandoc -Tascii "$page" 2>/dev/null | sed 's/.\x08//g' >page.txt
    assert_contains "the page" page.txt "EXIT STATUS"
    assert_eq "longest line of the formatted page" "" "$(awk 'length > 80' page.txt)"
fi
if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$page" >mandoc.err 2>&1
    assert_eq "mandoc about the page" "" "$(grep -v 'referenced manual not found' mandoc.err)"
fi

if command -v cmake >/dev/null; then
    assert_ok "install" cmake --install "$WS_BUILD" --prefix "$PWD/root" --component reader
    assert_ok "the installed command" root/bin/warpscope --version
    assert_same "the installed page" "$(find root -name warpscope.1)" "$page"
fi
finish
