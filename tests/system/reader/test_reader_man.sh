#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The help of each command and its manual page come from the same texts: both fit into 80 columns, have the
# same options and examples, and the examples name options that exist. Roff accepts the pages without a
# warning, apropos finds them, and they are installed.
# test: processors=1 timeout=60
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
pages=$WS_BUILD/share/man/man1

"$warpscope" --help >all.txt || fail "--help"
commands=$("$warpscope" help --commands)
assert_num "commands" "$(echo "$commands" | wc -l)" ">=" 12
assert_eq "longest line of --help" "" "$(awk 'length > 80' all.txt)"
assert_eq "commands of --help" "$commands" \
    "$(sed -n '/^a run at a glance:/,/^options:/s/^  \([a-z]*\) .*/\1/p' all.txt)"
# The commands stand in groups, each of at most six.
assert_num "groups" "$(sed -n '/^a run/,/^options:/p' all.txt | grep -c '^[a-z ]*[A-Za-z]*:$')" ">=" 5
"$warpscope" help >help.txt && assert_same "help without a command" help.txt all.txt

# names_of FILE: the options that a page or a help text lists.
options_of_help() {
    sed -n '/^options:/,/^$/s/^  \(-h, \)\{0,1\}--\([a-z-]*\).*/\2/p' "$1"
}
options_of_page() {
    awk '/^\.SH/ { on = $2 == "\"OPTIONS\"" } on && was { print } { was = on && $0 == ".TP" }' "$1" |
        sed -n 's/\\fB\\-h\\fR, //; s/\\-/-/g; s/^\\fB--\([a-z-]*\)\\fR.*/\1/p'
}

for command in $commands; do
    page=$pages/warpscope-$command.1
    "$warpscope" "$command" --help >help.txt || fail "$command --help"
    assert_eq "longest line of $command --help" "" "$(awk 'length > 80' help.txt)"
    "$warpscope" help "$command" >again.txt && assert_same "help $command" help.txt again.txt
    options_of_help help.txt >has.opt
    options_of_page "$page" >page.opt
    assert_file "options of $command" has.opt
    assert_same "options of the page about $command" page.opt has.opt
    assert_contains "help about $command" help.txt "exit status:"
    summary=$(sed -n "s/^  $command  *//p" all.txt)
    assert_contains "name of the page about $command" "$page" \
        "warpscope\\-$command \\- $(echo "$summary" | sed "s/'/\\\\(aq/g; s/-/\\\\-/g")"
    [ "$command" = help ] || assert_contains "page about $command" "$page" '.SH "EXAMPLES"'
    assert_contains "main page" "$pages/warpscope.1" "warpscope\\-$command"
    # Options in examples are those of the command of the line.
    sed -n '/^examples:/,$s/^  .*warpscope \([a-z]*\) /\1 /p' help.txt | while read -r name words; do
        "$warpscope" "$name" --help >named.txt 2>/dev/null
        for word in $words; do
            case $word in
            --*) grep -q -e "^  ${word%%=*}[= ]" named.txt || echo "$name $word" ;;
            esac
        done
    done >unknown.txt
    assert_eq "unknown options in the examples of $command" "" "$(cat unknown.txt)"
done
# Programs of other rooms have pages of their own, from their help as well. The option for help is in their tables.
programs=
for program in warpscope-nvcc warpscope-ptx; do
    [ -x "$WS_BIN/$program" ] || continue
    programs="$programs $program"
    help=--help
    [ $program = warpscope-ptx ] || help=--warpscope-help
    "$WS_BIN/$program" $help >help.txt || fail "$program $help"
    assert_eq "longest line of $program $help" "" "$(awk 'length > 80' help.txt)"
    page=$(find "$WS_BUILD"/cuda/*/share/man -name "$program.1")
    options_of_help help.txt >has.opt
    options_of_page "$page" >page.opt
    assert_file "options of $program" has.opt
    assert_same "options of the page about $program" page.opt has.opt
    assert_contains "page about $program" "$page" '.SH "EXAMPLES"'
done
for page in "$pages"/*.1 "$WS_BUILD"/cuda/*/share/man/man1/*.1; do
    [ -f "$page" ] || continue
    name=${page##*/}
    # shellcheck disable=SC2086 # several words
    assert_eq "command of $name" 1 "$(echo warpscope $programs $(echo "$commands" | sed 's/^/warpscope-/') |
        tr ' ' '\n' | grep -cx "${name%.1}")"
    if have groff; then
        groff -man -ww -z "$page" 2>troff.err
        assert_eq "troff about $name" "" "$(cat troff.err)"
        groff -man -Tascii "$page" 2>/dev/null | sed 's/.\x08//g; s/\x1b\[[0-9;]*m//g' >page.txt
        assert_eq "longest line of $name" "" "$(awk 'length > 80' page.txt)"
        for title in NAME SYNOPSIS DESCRIPTION OPTIONS "EXIT STATUS" "SEE ALSO"; do
            assert_eq "$title of $name" 1 "$(grep -cx "$title" page.txt)"
        done
    fi
    if have mandoc; then
        mandoc -T lint -W warning "$page" >mandoc.err 2>&1
        assert_eq "mandoc about $name" "" "$(grep -v -e 'referenced manual not found' -e 'missing date' mandoc.err)"
    fi
done

for component in reader $([ -z "$programs" ] || echo cuda); do
    assert_ok "install" cmake --install "$WS_BUILD" --prefix "$PWD/root" --component "$component"
done
assert_ok "the installed command" root/bin/warpscope --version
assert_same "an installed page" "$(find root -name warpscope-stats.1)" "$pages/warpscope-stats.1"
assert_eq "installed pages" "$(find "$pages" "$WS_BUILD"/cuda/*/share/man -name '*.1' 2>/dev/null | sed 's|.*/||' | sort)" \
    "$(find root/share/man/man1 -name '*.1' | sed 's|.*/||' | sort)"
for file in bash-completion/completions/warpscope zsh/site-functions/_warpscope \
    fish/vendor_completions.d/warpscope.fish; do
    assert_same "an installed completion" "root/share/$file" "$WS_BUILD/share/$file"
done
for program in $programs; do
    for file in bash-completion/completions/$program zsh/site-functions/_$program zsh/vendor-completions/_$program \
        fish/vendor_completions.d/$program.fish; do
        assert_contains "an installed completion" "root/share/$file" "$program"
    done
done
if have mandb && mandb -q -c -u root/share/man >mandb.out 2>&1; then
    man -M "$PWD/root/share/man" -k rolls >apropos.txt 2>/dev/null ||
        man -M "$PWD/root/share/man" -k efficiency >apropos.txt
    assert_contains "apropos" apropos.txt "warpscope-stats (1)"
fi

# Without a directory: which recording is meant is not guessed, but named. stats-output is the oldest one.
assert_status "no directory" 2 "$warpscope" stats
assert_eq "no directory" "warpscope stats: needs a directory or a file (see warpscope stats --help)" "$(cat last.err)"
mkdir stats-output stats-output-2 stats-output-old
touch -d '2020-01-01 00:00:00' stats-output
touch -d '2020-01-02 00:00:00' stats-output-2
for command in stats info verify; do
    assert_status "no directory" 2 "$warpscope" $command
    assert_contains "no directory" last.err "$command: needs a directory or a file; the newest recording here is stats-output-2 (see"
done

assert_status "no such command" 2 "$warpscope" help stat
assert_contains "the message" last.err "did you mean stats?"
assert_status "help with a value" 2 "$warpscope" stats --help=x y
finish
