#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --quiet suppresses the progress line and notices, but no warning.
# test: timeout=60
. "$WS_SRC/tests/support/lib.sh"

phold="$WS_BIN/phold --synch=1 --nlp=8 --end=5"

# warned TEXT COMMAND...: that warning is the only line on standard error, with --quiet.
warned() {
    warned_text=$1
    shift
    assert_ok "$*" "$@" --quiet
    assert_contains "$* --quiet" last.err ": warning: "
    assert_contains "$* --quiet" last.err "$warned_text"
    assert_eq "lines of $* --quiet" 1 "$(grep -c '' last.err)"
}

# shellcheck disable=SC2086 # phold is a list
{
    warned "a shortened option is taken as --report-interval" $phold --report=0.5
    warned "--granularity has no effect" $phold --granularity=1
    warned "--num-gvt has no effect" $phold --num-gvt=4
    warned "--num-gvt has no effect" $phold --num-gvt=4 --event-trace=1
    warned "--trace-lps has no effect" $phold --trace-lps=1
    warned "no LP registers ev_trace" "$WS_TEST_BIN/burst" --synch=1 --event-trace=1
    warned "no LP registers model_stat_fn" "$WS_TEST_BIN/burst" --synch=1 --model-stats=1

    assert_ok "a notice" $phold --event-trace=1 --stats-path=noticed
    assert_contains "a notice" last.err "recording to noticed"
    assert_lacks "a notice" last.err "warning"
    assert_ok "no notice" $phold --event-trace=1 --stats-path=quiet --quiet
    assert_eq "stderr of a quiet run without warnings" "" "$(cat last.err)"
}
finish
