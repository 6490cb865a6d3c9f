#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Samples at virtual times have the committed states at exactly these times. They are the same on any number
# of ranks, under every scheduler, with any rollbacks, for models whose samples change them, without reverse
# handlers, and with events at the very times. Every event is in some sample.
# test: timeout=300
# shellcheck disable=SC2016,SC2034,SC2317 # repeat_until evaluates its condition
. "$WS_SRC/tests/support/lib.sh"

meter="$WS_TEST_BIN/meter"
netsim="$WS_BIN/netsim"
warpscope="$WS_BIN/warpscope"

# run NAME RANKS PROGRAM OPTIONS...: records into NAME, report in NAME.json.
run() {
    name=$1
    ranks=$2
    program=$3
    shift 3
    assert_ok "${program##*/} $* on $ranks ranks" run_mpi "$ranks" "$program" --quiet --fingerprint \
        --stats-path="$name" --report-json="$name.json" --buffer-size=100000 "$@"
}

# table FILE KIND: prints the records of a kind (all if there is only one) as "virtual time,lp,...", without
# the columns that may depend on the number of ranks, in the order of the file.
table() {
    "$warpscope" dump "$1" --format=csv | awk -F, -v kind="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
                  time = "vt" in at ? at["vt"] : at["gvt"]
                  left_out[at["pe"]]; left_out[at["kp"]]; left_out[at["real_time"]]
                  next }
        !("record" in at) || $(at["record"]) == kind {
            line = $time "," $(at["lp"])
            for (i = 1; i <= NF; i++) if (!(i in left_out)) line = line "," $i
            print line }'
}

# of_lps NAME: the part that must be the same for any number of ranks, merged.
of_lps() {
    table "$1/warpscope-vt.bin" vt_lp | sort -t, -k1,1g -k2,2n
    table "$1/warpscope-model.bin" model_lp | sort -t, -k1,1g -k2,2n
}

# compare PROGRAM "SETS OF OPTIONS" CASES...: runs each case (RANKS,OPTION,...) and compares it with
# a sequential run. Sets rolled_back: events undone in all of them.
compare() {
    compare_program=$1
    compare_options=$2
    shift 2
    # shellcheck disable=SC2086 # a list of options
    run reference 1 "$compare_program" --synch=1 $compare_options
    of_lps reference >reference.csv
    assert_num "samples of LPs with $compare_options" "$(wc -l <reference.csv)" ">" 100
    rolled_back=0
    rm -rf other other.json
    for case in "$@"; do
        # shellcheck disable=SC2046,SC2086
        run other "${case%%,*}" "$compare_program" $(echo "${case#*,}" | tr , ' ') $compare_options
        of_lps other >other.csv
        assert_same "samples of ${compare_program##*/} $compare_options, $case" reference.csv other.csv
        for key in net_events committed_fingerprint state_fingerprint; do
            assert_eq "$key of $compare_options, $case" "$(json_get reference.json $key)" \
                "$(json_get other.json $key)"
        done
        rolled_back=$((rolled_back + $(json_get other.json counters.events_rolled_back)))
        assert_ok "verify $case" "$warpscope" verify other
        rm -rf other
    done
    rm -rf reference
}

# ---- A model that its samples change ----

samples="--engine-stats=3 --model-stats=4 --lp-data=1"
all="1,--synch=2 1,--synch=3 2,--synch=2 2,--synch=3,--batch=1 2,--synch=5,--gvt-interval=1
    3,--synch=3,--batch=4,--nkp=2 4,--synch=2 4,--synch=3,--batch=2,--gvt-interval=2
    4,--synch=5,--gvt-interval=1,--batch=1"
some="2,--synch=3,--batch=1,--gvt-interval=1 3,--synch=2"
# shellcheck disable=SC2086
{
    repeat_until 'is_num "$rolled_back" ">" 100' compare "$meter" "$samples --vt-interval=0.5" $all
    assert_num "events that were undone" "$rolled_back" ">" 100
    compare "$meter" "$samples --vt-interval=0.3" $some
    compare "$meter" "$samples --vt-interval=0.01 --end=10" $some
    compare "$meter" "$samples --vt-interval=7" $some
    # a run that ends because no events are left, with and without an end time
    compare "$meter" "$samples --vt-interval=0.5 --hops=20 --end=1e308" $some
    compare "$meter" "$samples --vt-interval=0.75 --hops=20 --end=500" $some
    compare "$meter" "$samples --vt-interval=0.5 --vt-samp-end=9.9" $some
    # without --vt-interval
    compare "$meter" "$samples" $some
}

# ---- netsim ----

cases="1,--synch=5 2,--synch=2 2,--synch=3,--batch=1 3,--synch=5,--gvt-interval=1 4,--synch=3,--gvt-interval=2"
# shellcheck disable=SC2086
compare "$netsim" "$samples --vt-interval=0.00005 --end=0.001" $cases

# ---- Against the committed trace: a sample counts the events before it, and none at it ----

run counted 1 "$meter" --synch=1 $samples --vt-interval=0.5 --event-trace=3 --end=20
"$warpscope" dump counted/warpscope-evtrace.bin --format=csv | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $(at["recv_ts"]) "," $(at["dest_lp"]) }' >events.csv
assert_num "events at the very times of samples" \
    "$(awk -F, '$1 * 2 == int($1 * 2) { n++ } END { print n + 0 }' events.csv)" ">" 100
awk -F, 'NR == FNR { k = int($1 * 2) + 1; n[k, $2]++; next }
    { print $1 "," $2 "," n[$3, $2] + 0 }' events.csv - <<EOD >counted.wanted
$(table counted/warpscope-vt.bin vt_lp | awk -F, '{ print $1 "," $2 "," $5 }')
EOD
table counted/warpscope-vt.bin vt_lp | awk -F, '{ print $1 "," $2 "," $6 }' >counted.got
assert_same "events since the sample before, of each LP" counted.wanted counted.got
assert_eq "all events" "$(wc -l <events.csv)" "$(awk -F, '{ s += $3 } END { print s }' counted.got)"

# ---- Levels, order ----

run levels 2 "$meter" --synch=3 --batch=1 --granularity=1 --vt-interval=0.5 --end=20.2
assert_eq "streams that the interval alone records" "warpscope-README.txt warpscope-vt.bin" \
    "$(ls levels | tr '\n' ' ' | sed 's/ $//')"
for kind in vt_pe vt_kp vt_lp; do
    table levels/warpscope-vt.bin $kind >$kind.csv
    assert_eq "events in all rows of $kind" "$(json_get levels.json net_events)" \
        "$(awk -F, '{ s += $6 } END { print s }' $kind.csv)"
    awk -F, '{ s[$1] += $6; n[$1]++ } END { for (t in s) print t, s[t] }' $kind.csv | sort -g >$kind.sums
done
assert_same "sums over KPs at each time" vt_pe.sums vt_kp.sums
assert_same "sums over LPs at each time" vt_pe.sums vt_lp.sums
assert_eq "sampling points, the end included" 41 "$(wc -l <vt_pe.sums)"
assert_eq "last sampling point" 20.2 "$(awk 'END { print $1 }' vt_pe.sums)"
"$warpscope" dump levels/warpscope-vt.bin --format=csv --type=vt_lp | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { pe = $(at["pe"]); t = $(at["vt"]); lp = $(at["lp"])
      if (pe == pe0 && (t < t0 || (t == t0 && lp <= lp0))) bad++
      if ($(at["sample"]) == 1) first++; else if ($(at["events_committed"]) == 0) idle++
      pe0 = pe; t0 = t; lp0 = lp }
    END { print first, idle + 0, bad + 0 }' >order.txt
assert_eq "rows of LPs at the first point, of idle LPs later, and those not in order of time and LP" "40 0 0" \
    "$(cat order.txt)"
assert_num "rows of LPs at later points" "$(wc -l <vt_lp.csv)" "<" 1640

run alone 1 "$meter" --synch=1 --model-stats=4 --vt-interval=2
assert_eq "streams when the model alone is sampled" "warpscope-README.txt warpscope-model.bin" \
    "$(ls alone | tr '\n' ' ' | sed 's/ $//')"
run nobody 1 "$meter" --synch=1 --model-stats=4 --vt-interval=2 --no-stats
assert_ok "verify a file without records" "$warpscope" verify nobody

# ---- Runs that are stopped ----

"$meter" --quiet --synch=3 --end=1e9 $samples --vt-interval=50000 --stats-path=stopped \
    --report-json=stopped.json >stopped.out 2>&1 &
pid=$!
wait_until_heard $pid
kill -TERM "$pid"
wait "$pid"
assert_eq "exit status after SIGTERM" 143 "$?"
assert_ok "verify after SIGTERM" "$warpscope" verify stopped
"$warpscope" dump stopped/warpscope-vt.bin --format=csv --type=vt_lp >stopped.csv
assert_eq "events until SIGTERM" "$(json_get stopped.json net_events)" \
    "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { s += $(at["events_committed"]) } END { printf "%.0f", s }' stopped.csv)"

# All events are at sampling points, and GVT has usually passed only some of those at one time. Which ones is
# chance, so several runs are stopped.
for round in 1 2 3; do
    "$WS_BIN/phold" --quiet --synch=3 --nlp=61 --end=1e7 --vt-interval=1 --stats-path=tied$round \
        --report-json=tied$round.json >tied.out 2>&1 &
    pid=$!
    wait_for "$pid" [ -e tied$round/warpscope-vt.bin ]
    wait_until_heard "$pid" $((20 + 7 * round))
    kill -TERM "$pid"
    wait "$pid"
    assert_eq "exit status after SIGTERM, run $round" 143 "$?"
    assert_eq "events until SIGTERM, all at sampling points, run $round" \
        "$(json_get tied$round.json net_events)" \
        "$("$warpscope" dump tied$round/warpscope-vt.bin --format=csv | awk -F, '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { s += $(at["events_committed"]) } END { printf "%.0f", s }')"
    rm -rf tied$round
done

assert_status "fatal error" 3 run_mpi 2 "$WS_TEST_BIN/mischief" --quiet --synch=3 \
    --mistake=tw_error --vt-interval=0.1 --lp-data=1 --stats-path=fatal
assert_ok "verify after a fatal error" "$warpscope" verify fatal

# ---- Engine by virtual time, model by something else ----

for model in 1 2 3; do
    assert_ok "engine samples by virtual time, --model-stats=$model" run_mpi 2 "$WS_BIN/phold" --quiet --end=20 \
        --synch=3 --engine-stats=4 --model-stats=$model --stats-path="mixed$model"
    assert_ok "verify with --model-stats=$model" "$warpscope" verify "mixed$model"
done

# ---- Wrong options ----

refused() {
    refused_text=$1
    shift
    assert_status "$*" 2 run_mpi 2 "$meter" --quiet --stats-path=refused "$@"
    assert_contains "message of $*" last.err "$refused_text"
    assert_eq "lines about $*" 1 "$(grep -c -e "$refused_text" last.err)"
    [ ! -e refused ] || fail "$*: a directory was made"
}
refused --vt-interval=0: --vt-interval=0
refused --vt-interval=-1: --vt-interval=-1
refused vt-interval --vt-interval=nan
refused "sampling points up to the time 40" --vt-interval=1e-9
refused --vt-samp-end=0.5: --vt-interval=1 --vt-samp-end=0.5
refused --model-stats=4: --model-stats=4 --end=1e308
finish
