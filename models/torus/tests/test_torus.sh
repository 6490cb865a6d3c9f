#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The torus agrees with theory: unhindered packets take exactly the time of the parts of their way, uniform
# traffic has the expected number of hops, and throughput reaches the bisection bound and does not exceed it.
# Every packet arrives and every credit returns. Invalid options are refused.
# test: processors=1 timeout=120
. "$WS_SRC/tests/support/lib.sh"

# torus OPTIONS...: the results in last.out. number ROW WORD: the number after the word in a row.
torus() {
    assert_ok "torus $*" "$WS_BIN/torus" --synch=1 --quiet "$@"
    torus_options=$*
}
value() { # ROW: the first number of a row
    awk -v row="$1" 'index($0, "  " row) == 1 { sub("  " row, ""); print $1 + 0; exit }' last.out
}
after() { # ROW WORD: the number after a word of a row
    awk -v row="$1" -v word="$2" 'index($0, "  " row) == 1 {
        for (i = 1; i < NF; i++) if ($i == word) { print $(i + 1) + 0; exit } }' last.out
}
drained() {
    assert_contains "end of $torus_options" last.out \
        "all packets have arrived and all credits are back"
    assert_eq "packets of $torus_options" "$(value made)" "$(value received)"
    assert_num "packets of $torus_options" "$(value made)" '>' 100
}

# Packets alone on their links. A hop takes 256 / 8 = 32 ns to send, 20 ns of link, 20 ns of router. 32 ns
# lead to the terminal. The model itself ends with an error if a packet is faster or takes a detour.
torus --dims=8x4 --pattern=neighbour --arrivals=periodic --rate=1
drained
assert_eq "latency of one hop" 104 "$(value 'mean latency')"
assert_eq "unhindered packets" "$(value made)" "$(after received them)"
torus --dims=12 --pattern=tornado --arrivals=periodic --rate=0.01 --packet=1000 --bandwidth=4 \
    --latency=7.5 --router-delay=3 --end=2000000
drained
assert_eq "latency of five hops" 1552.5 "$(value 'mean latency')" # 5 * (250 + 7.5 + 3) + 250
# Few packets: most are unhindered, and none is faster.
torus --dims=9x5 --rate=0.01 --end=100000
drained
assert_num "unhindered packets" "$(after received them)" '>' "0.9 * $(value made)"

# Mean hops: even, odd, mixed and smallest dimensions; each within 1.5 times its 95 % bound (99.7 %).
for dims in 8x8 7 16x3 4x4x4 2x2x2x2x2 9x2; do
    torus --dims=$dims --rate=0.1 --end=60000
    drained
    assert_num "mean hops of $dims off" "$(awk -v a="$(value 'mean hops')" \
        -v b="$(after 'mean hops' exact)" 'BEGIN { print (a > b ? a - b : b - a) + 0 }')" '<=' \
        "1.5 * $(after 'mean hops' '+-')"
done
assert_eq "mean hops of 9x2" 2.88235 "$(after 'mean hops' exact)" # (20/9 + 1/2) 18/17

# Throughput: all of the load below the bound, the bound above it; buffers cover the round trip of credits.
for run in '16 uniform' '16x4 uniform' '15 uniform' '8 tornado'; do
    dims=${run% *} pattern=${run#* }
    torus --dims=$dims --pattern=$pattern --rate=1 --buffers=32 --end=40000 --stop=30000
    drained
    bound=$(after accepted bound)
    assert_near "throughput of $run, all that goes" "$bound" "$(value accepted)" 0.02
    torus --dims=$dims --pattern=$pattern --rate="$(awk "BEGIN { print 0.8 * $bound }")" \
        --buffers=32 --end=40000 --stop=30000
    drained
    assert_near "throughput of $run, less" "0.8 * $bound" "$(value accepted)" 0.05
done
# With a single place per buffer a link waits for its credits: 32 ns of every 72 + 20 ns.
torus --dims=8 --pattern=neighbour --rate=1 --buffers=1 --arrivals=periodic --end=40000
assert_near "throughput with one place" 0.347826 "$(value accepted)" 0.05
assert_num "stalls with one place" "$(value stalls)" '>' 1000
# Overload with the smallest buffers: still no deadlock.
for pattern in uniform tornado complement neighbour; do
    torus --dims=5x4x2 --pattern=$pattern --rate=1 --buffers=1 --end=30000 --stop=10000
    drained
done
torus --dims=8x8 --end=1000 --stop=1000
assert_contains "what is out at the end" last.out "packets had not arrived and"

refuse() {
    assert_refused "torus: ${1%%=*}" 1 "$WS_BIN/torus" "$@"
}
for dims in 8x 1 8x1 x8 8x8x8x8x8x8x8 1024x1024x2 8*8 2000 ''; do
    refuse "--dims=$dims"
done
refuse --pattern=random
refuse --arrivals=never
refuse --rate=0
refuse --rate=1.5
refuse --rate=nan
refuse --bandwidth=0
refuse --latency=-1
refuse --buffers=0
refuse --source-queue=0
refuse --packet=0
refuse --stop=30000
refuse --warmup=20000
refuse --synch=2 --latency=0
assert_refused '"stray"' 1 "$WS_BIN/torus" stray

# Its records, by the names of their fields.
assert_ok "records" "$WS_BIN/torus" --synch=1 --quiet --dims=4x4 --end=2000 --model-stats=4 \
    --vt-interval=500 --event-trace=3 --task-trace=1 --stats-path=records
"$WS_BIN/warpscope" dump --merge records/warpscope-model.bin >model.csv
assert_contains "model statistics" model.csv made,refused,received,waiting,forwarded,stalls,held
"$WS_BIN/warpscope" dump --merge records/warpscope-evtrace.bin >events.csv
assert_contains "event trace" events.csv number,source,dest,hops,kind
"$WS_BIN/warpscope" tasks records >tasks.txt 2>&1
assert_contains "tasks" tasks.txt unhindered
finish
