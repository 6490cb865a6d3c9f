#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --lp-map: each model commits the same events, ends in the same states and prints the same results wherever a
# map puts its LPs, with and without KPs, under every scheduler, and also if a run continues from a checkpoint
# under another map. Maps that do not fit, and models that take no part, are refused. test_lp_map_long.sh has
# all combinations.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/random.sh"
. "$WS_SRC/tests/support/lp_map.sh"
echo "seed $seed"

# A row: end of the run; options of a run that continues from a checkpoint on 3 ranks, options of a run on 4
# ranks, or dots for none; lines of the results; model and options.
table='
1500 --random-rollbacks=3 --synch=5 8  torus --dims=4x2x2 --rate=0.9 --buffers=2
40   .                    .         5  agents --width=9 --height=5
500  .                    .         5  airport --airports=10 --storms=200
40   --random-rollbacks=3 .         5  pcs --width=7 --height=5 --urgent=0.1
0.03 --random-rollbacks=3 --synch=2 20 netsim --hosts=3 --load=0.015 --buffer=3000 --flows-csv=exact
60   --synch=2            .         9  qnet --network=open3 --copies=12 --cross=0.3 --transit=0.1 --results=exact
6e4  .                    .         3  warp --ranks=12 --cores=9 --events=16 --span=3 --remote=0.5
1e5  --synch=2            .         9  memsim --workload=stencil --ctas=3 --elements=16 --sms=6 --repeat=2
6e4  .                    .         15 warp --ranks=12 --events=16 --span=3 --remote=0.5
'
rows=0
while read -r end continued options lines model; do
    [ -n "$end" ] || continue
    [ -x "$WS_BIN/${model%% *}" ] || { partly "no ${model%% *} in this build"; continue; }
    rows=$((rows + 1))
    rm -rf checkpoints
    # shellcheck disable=SC2086 # model and options
    set -- $model --end="$end"
    wanted "$@"
    assert_num "lines of results of $model" "$(wc -l <wanted.txt)" '>=' "$lines"
    make_map a.map "$lps" 2 16
    if [ "$continued" = . ]; then
        check 2 "$@" --synch=3 --lp-map=a.map
    else
        make_map b.map "$lps" 3 0
        half=$(awk "BEGIN { print $end / 2 }")
        check 2 "$@" --synch=3 --lp-map=a.map --checkpoint-every="$half" --checkpoint-path=checkpoints
        check 3 "$@" --lp-map=b.map --restart=checkpoints "$continued"
    fi
    if [ "$options" != . ]; then
        make_map c.map "$lps" 4 3
        check 4 "$@" "$options" --lp-map=c.map
    fi
done <<EOT
$table
EOT
assert_num "models" "$rows" '>=' 4

# Where terminals and routers are on different ranks, events that are undone later can cause long chains of events
# with offset 0. Only chains of committed events end a run.
wanted torus --dims=4x2x2 --rate=0.9 --buffers=2 --end=1500
for _ in 1 2 3 4 5 6 7 8 9 10; do
    make_map apart.map 32 3 0
    check 3 torus --dims=4x2x2 --rate=0.9 --buffers=2 --end=1500 --synch=3 --lp-map=apart.map
done

# All LPs of phold have one type; those of chaos get their types by gid, and take part without saying so.
make_map a.map 60 3 5
wanted phold --nlp=60 --end=40
check 3 phold --nlp=20 --end=40 --lp-map=a.map --nkp=5
run_model 1 "$WS_TEST_BIN/chaos" --lps=60 --end=20
chaos=$net/$events/$states
for mapping in 0 1; do
    run_model 3 "$WS_TEST_BIN/chaos" --lps=60 --end=20 --mapping=$mapping --lp-map=a.map
    assert_eq "chaos under a map, mapping $mapping" "$chaos" "$net/$events/$states"
done

# A rank without LPs, and one LP per line or all in one range.
printf 'warpscope-lp-map 1\n0-59 1\n' >one.map
run_model 2 "$WS_TEST_BIN/chaos" --lps=60 --end=20 --lp-map=one.map
assert_eq "chaos with all LPs on rank 1" "$chaos" "$net/$events/$states"

# Refused.
assert_refused "--lp-map: this model has a mapping of its own (CUSTOM)" 1 \
    "$WS_TEST_BIN/chaos" --lps=60 --mapping=2 --lp-map=a.map
printf 'warpscope-lp-map 1\n0-19 0 4\n' >meter.map
assert_refused "several types by tw_lp_settype()" 1 "$WS_TEST_BIN/meter" --lps=20 --end=10 --lp-map=meter.map
assert_refused "--lp-map: one.map:2: rank 1, but the run has 1 rank, 0 to 0" 1 \
    "$WS_TEST_BIN/chaos" --lps=60 --lp-map=one.map
assert_refused "--lp-map: one.map: 5 of the model's 65 LPs have no line, LP 60 first" 2 \
    "$WS_TEST_BIN/chaos" --lps=65 --lp-map=one.map
assert_refused "4 KPs per rank, 0 to 3; give --nkp=5 or more" 1 \
    "$WS_TEST_BIN/chaos" --lps=20 --nkp=4 --lp-map=meter.map
assert_refused "--lp-map: none.map: No such file or directory" 1 \
    "$WS_TEST_BIN/chaos" --lps=60 --lp-map=none.map
if [ -x "$WS_BIN/torus" ]; then
    awk 'BEGIN { print "warpscope-lp-map 1"; for (i = 0; i < 32; i++) print i, i % 2 }' >split.map
    assert_status "torus with split nodes, conservative" 2 \
        run_mpi 2 "$WS_BIN/torus" --dims=4x2x2 --synch=2 --lp-map=split.map
    assert_contains "message" last.err "keep LPs 2n and 2n+1 together, or use --synch=3"
fi
finish
