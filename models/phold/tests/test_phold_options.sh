#!/bin/sh
# PHOLD refuses options that make no sense: one message, exit status 2, nothing written; and takes
# those that mean nothing here.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

# refuse RANKS TEXT OPTION...: one line on stderr with the text, and nothing else.
refuse() {
    ranks=$1 text=$2
    shift 2
    launcher=
    [ "$ranks" -eq 1 ] || launcher="run_mpi $ranks"
    $launcher "$WS_BIN/phold" "$@" --enable-gvt-stats=1 --report-json=report.json \
        >out.txt 2>err.txt
    assert_eq "exit status of $* on $ranks ranks" 2 $?
    assert_eq "messages of $* on $ranks ranks" 1 "$(grep -c '^phold: ' err.txt)"
    assert_contains "message of $* on $ranks ranks" err.txt "phold: $text"
    assert_lacks "output of $* on $ranks ranks" out.txt "PHOLD model"
    rm -f out.txt err.txt
    assert_eq "files of $* on $ranks ranks" "" "$(ls -A)"
}

refuse 1 --remote --remote=nan
refuse 2 --remote --remote=nan
refuse 1 --remote --remote=-0.1
refuse 1 --remote --remote=1.01
refuse 1 --nlp --nlp=0
refuse 1 --mean --mean=0
refuse 1 --mean --mean=inf
refuse 1 --lookahead --lookahead=-1
refuse 1 --lookahead --lookahead=1.5
refuse 1 --lookahead --lookahead=0.6 --mean=0.5
refuse 1 "stray: takes options" stray

# The defaults are stated in the README: lookahead and mean are 1, so all goes in steps of 1.
assert_ok "defaults" "$WS_BIN/phold" --synch=1 --end=10 --report-json=report.json --quiet=1
assert_eq "net events of the defaults" 72 "$(json_get report.json net_events)"
assert_ok "options without effect" "$WS_BIN/phold" --synch=1 --end=10 --mult=3 --memory=7 \
    --run=a-name --quiet=1
assert_contains "name of the run" last.out "a-name"

# LP g starts g units later: with 5 LPs and steps of 1 until 10, 9 + 8 + 7 + 6 + 5 events.
assert_ok "stagger" "$WS_BIN/phold" --synch=1 --end=10 --nlp=5 --stagger=1 --remote=0 \
    --report-json=stagger.json --quiet=1
assert_eq "net events of a staggered start" 35 "$(json_get stagger.json net_events)"
finish
