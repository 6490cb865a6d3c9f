#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Help texts of programs: --help lists the model's and the most used options, --help=all every one, --version
# the versions, --help=roff a manual page; each option has a word for its value.
# test: processors=2 timeout=60
. "$WS_SRC/tests/support/lib.sh"

# count FILE: number of options in the help, without --version.
count() {
    grep -v '^  --version' "$1" | grep -c '^  --'
}

for model in agents airport $(echo memsim | built) netsim pcs phold qnet torus warp; do
    "$WS_BIN/$model" --help >brief.txt || fail "$model --help"
    "$WS_BIN/$model" --help=all >all.txt || fail "$model --help=all"
    assert_eq "$model: lines over 80 columns" "" "$(awk 'length($0) > 80' brief.txt all.txt)"
    assert_eq "$model: the last line" "--help=all shows all $(count all.txt) options." \
        "$(tail -1 brief.txt)"
    assert_eq "$model: options without a word of their own" "" "$(grep -e '=TEXT' all.txt)"
    assert_eq "$model: options of no effect in --help" "" "$(grep -e 'no effect' brief.txt)"
    for option in synch end restart stats-path event-trace subscribers; do
        assert_contains "$model: --$option" brief.txt "  --$option="
    done
done
"$WS_BIN/phold" --help >brief.txt
assert_eq "phold: options in --help" 25 "$(count brief.txt)"
"$WS_BIN/phold" --help=all >all.txt
for words in stats-path=DIR transport='auto|mpi|shm' observer-memory=SIZE report-json=FILE \
    end=TIME nkp=N; do
    assert_contains "the word for a value" all.txt "  --$words "
done

# The manual page has each option that has an effect, its value and its default.
options_on() {
    sed -n '/^\.TP$/{n;s/\\f.//g;s/\\-/-/g;s/\\|//g;s/\(--[a-z0-9-]*\).*/\1/p;}' "$1" | sort
}
"$WS_BIN/phold" --help=roff >phold.1
options_on phold.1 >on_page.txt
awk '/^  --/ { name = $1; sub(/=.*/, "", name); print name } /no effect/ { print name }' all.txt | sort | uniq -u |
    { grep -vx -e --version; echo "-h, --help"; } | sort >with_effect.txt
assert_same "options of the manual page" with_effect.txt on_page.txt
assert_contains "a value on the page" phold.1 '\fB\-\-lp\-map\fR=\fIFILE\fR'
assert_contains "a default on the page" phold.1 '(default 1)'
! have groff || assert_eq "troff about the page" "" "$(groff -man -ww -z phold.1 2>&1)"

# The page that is installed has the options that each model has.
page=$WS_BUILD/packaging/warpscope-options.7
if [ -e "$page" ]; then
    sed '/^\.SS PHOLD/,/^\.SS ROSS/d' phold.1 >common.1
    options_on common.1 >common.txt
    options_on "$page" >on_page.txt
    assert_num "options of each model" "$(wc -l <common.txt)" ">" 50
    assert_same "options of the installed page" common.txt on_page.txt
    assert_contains "name of the installed page" "$page" 'warpscope\-options \- options'
    ! have groff || assert_eq "troff about the installed page" "" "$(groff -man -ww -z "$page" 2>&1)"
fi

# Help is printed once, and before any error; also for a model written for ROSS.
assert_ok "help on two ranks" run_mpi 2 "$WS_BIN/phold" --no-such-option --help
assert_eq "help on two ranks" 1 "$(grep -c '^usage: phold' last.out)"
assert_ok "help of a model for ROSS 8" "$WS_TEST_BIN/as_for_ross8" --help
assert_contains "help of a model for ROSS 8" last.out "--help=all shows all "
assert_refused "--help=every: write --help or --help=all" 1 "$WS_BIN/phold" --help=every

assert_ok "--version" run_mpi 2 "$WS_BIN/phold" --synch=9 --version
assert_eq "--version" 3 "$(wc -l <last.out | tr -d ' ')"
assert_contains "the version of Warpscope" last.out "phold: Warpscope "
assert_contains "the build id" last.out "build id: "
assert_contains "the version of MPI" last.out "MPI: "
id=$(sed -n 's/^build id: //p' last.out)
assert_ok "a run" "$WS_BIN/phold" --synch=1 --quiet --end=2 --event-trace=3 --stats-path=run
assert_ok "its facts" "$WS_BIN/warpscope" info --json run
assert_contains "the build id of the run" last.out "$id"
[ ! -e /dev/full ] || assert_status "--version to a full disk" 1 \
    sh -c 'exec "$0" --version >/dev/full' "$WS_BIN/phold"
finish
