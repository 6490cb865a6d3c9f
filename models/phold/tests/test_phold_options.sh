#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PHOLD refuses invalid options: one message, exit status 2, no file written. It accepts options that have no
# effect.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

# refuse RANKS TEXT OPTION...: a refusal with one line on stderr, which contains the text.
refuse() {
    ranks=$1 text=$2
    shift 2
    assert_refused "phold: $text" "$ranks" "$WS_BIN/phold" "$@" --enable-gvt-stats=1 \
        --report-json=report.json
    rm -f last.out last.err
    assert_eq "files of $* on $ranks ranks" "" "$(ls -A)"
}

refuse 1 --remote --remote=nan
refuse 2 --remote --remote=nan
refuse 1 --remote --remote=-0.1
refuse 1 --remote --remote=1.01
refuse 1 --nlp --nlp=0
refuse 1 --mean --mean=0
refuse 1 --mean --mean=inf
refuse 2 "--mean=1e308: must be from 1e-300 to 1e+300" --mean=1e308
refuse 1 --lookahead --lookahead=-1
refuse 1 --lookahead --lookahead=1.5
refuse 1 --lookahead --lookahead=0.6 --mean=0.5
refuse 1 --payload=7: --payload=7
refuse 1 --payload --payload=1048577
refuse 1 --slow-rank --slow-rank=1 --work=1
refuse 2 --slow-rank --slow-rank=2 --work=1
refuse 1 --slow-rank --slow-rank=-1 --work=1
refuse 1 --slow-rank=0x: --slow-rank=0x --work=1
refuse 1 --slow-rank --slow-rank= --work=1
refuse 1 --slow-rank --slow-rank=0
refuse 1 --hot-lps --hot-lps=9
refuse 2 --hot-lps --hot-lps=17
refuse 1 "unexpected argument \"stray\"" stray

# The README states the defaults: lookahead and mean are 1, so all offsets are 1.
assert_ok "defaults" "$WS_BIN/phold" --synch=1 --end=10 --report-json=report.json --quiet=1
assert_eq "net events of the defaults" 72 "$(json_get report.json net_events)"
assert_ok "options without effect" "$WS_BIN/phold" --synch=1 --end=10 --mult=3 --memory=7 \
    --run=a-name --quiet=1
assert_contains "name of the run" last.out "a-name"

# LP g starts g units later: with 5 LPs and steps of 1 until 10, 9 + 8 + 7 + 6 + 5 events.
assert_ok "stagger" "$WS_BIN/phold" --synch=1 --end=10 --nlp=5 --stagger=1 --remote=0 \
    --report-json=stagger.json --quiet=1
assert_eq "net events of a staggered start" 35 "$(json_get stagger.json net_events)"

# Options that make events expensive do not change them: run OPTIONS... sets the fingerprints, which must
# equal these.
run() {
    ranks=$1
    shift
    assert_ok "phold $* on $ranks ranks" run_mpi "$ranks" "$WS_BIN/phold" --end=20 --remote=0.5 \
        --lookahead=0.1 --start-events=2 --fingerprint --report-json=run.json --quiet=1 "$@"
    prints="$(json_get run.json committed_fingerprint) $(json_get run.json state_fingerprint)"
}

run 1 --nlp=60 --synch=1
plain=$prints
event_bytes=$(json_get run.json sizeof.event_with_model)
for payload in 9 16 255 4096 1048576; do
    run 1 --nlp=60 --synch=1 --payload=$payload
    assert_eq "fingerprints with --payload=$payload" "$plain" "$prints"
    assert_num "bytes of an event with --payload=$payload" \
        "$(json_get run.json sizeof.event_with_model)" '>=' $((event_bytes - 64 + payload))
done
for synch in 2 3; do
    for rank in all 1; do
        run 2 --nlp=30 --synch=$synch --payload=1003 --work=2000 --slow-rank=$rank
        assert_eq "fingerprints with --synch=$synch --slow-rank=$rank" "$plain" "$prints"
    done
done

# Events stay among the hot LPs.
run 1 --nlp=60 --synch=1 --hot-lps=60
assert_eq "fingerprints when all LPs are hot" "$plain" "$prints"
run 1 --nlp=60 --synch=1 --hot-lps=7
assert_ne "fingerprints when 7 LPs are hot" "$plain" "$prints"
hot=$prints
assert_eq "start events of 7 LPs" 14 "$(json_get run.json counters.events_past_end)"
for synch in 2 3; do
    run 2 --nlp=30 --synch=$synch --hot-lps=7
    assert_eq "fingerprints when 7 LPs are hot with --synch=$synch" "$hot" "$prints"
    assert_eq "events between ranks when one has all hot LPs" 0 \
        "$(json_get run.json counters.network_sends)"
    run 2 --nlp=3 --synch=$synch --hot-lps=4
    assert_num "events between ranks when both have hot LPs" \
        "$(json_get run.json counters.network_sends)" '>' 0
done
finish
