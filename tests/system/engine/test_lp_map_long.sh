#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --lp-map: every model under random maps, on 1 to 4 ranks, under each scheduler, with and without KPs and random
# rollbacks; then a checkpoint under one map, and a run that continues from it under another one, on another
# number of ranks and under another scheduler. Events, states and results equal those of a sequential run.
# WS_LP_MAP_ROUNDS: how often (default 2).
# test: processors=2 timeout=3000 labels=long
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/random.sh"
. "$WS_SRC/tests/support/lp_map.sh"
echo "seed $seed"

# some_options: prints random options of an optimistic run.
some_options() {
    random 3
    [ $random -gt 0 ] || printf ' --random-rollbacks=3'
    random 3
    [ $random -gt 0 ] || printf ' --nkp=40'
    random 3
    [ $random -gt 0 ] || printf ' --batch=2 --gvt-interval=3'
}

# options_of SYNCH: sets options.
options_of() {
    options=--synch=$1
    if [ "$1" != 2 ]; then
        some_options >options.txt
        options="$options$(cat options.txt)"
    fi
}

# place FILE RANKS: a map that the model under test accepts under each scheduler.
place() {
    random 2
    make_map "$1" "$lps" "$2" $((random * 16)) "$together"
}

matrix() {
    for ranks in 1 2 3 4; do
        for synch in 2 3 5; do
            place map "$ranks"
            options_of $synch
            # shellcheck disable=SC2086 # a list
            check $ranks "$@" $options --lp-map=map
        done
    done
}

continue_each() {
    for ranks in 1 2 3 4; do
        random 4
        other=$((random + 1))
        choose 2 3 5
        options_of "$chosen"
        place map $ranks
        rm -rf checkpoints
        # shellcheck disable=SC2086 # a list
        check $ranks "$@" $options --lp-map=map --checkpoint-every="$every" --checkpoint-path=checkpoints
        assert_num "checkpoints of $*" "$(find checkpoints -mindepth 1 | wc -l)" '>' 0
        for synch in 1 2 3; do
            [ $synch != 1 ] || [ $other = 1 ] || continue
            place map $other
            options_of $synch
            # shellcheck disable=SC2086 # a list
            check $other "$@" $options --lp-map=map --restart=checkpoints
        done
        check $other "$@" --synch=3 --restart=checkpoints
    done
}

# A row: neighbouring LPs that stay together under the conservative scheduler, end and interval of the
# checkpoints, model and options. The number of LPs does not depend on the ranks.
table='
2 1500 500 torus --dims=4x2x2 --rate=0.9 --buffers=2
1 40 15 agents --width=9 --height=5
1 500 180 airport --airports=10 --storms=200
1 40 15 pcs --width=7 --height=5 --urgent=0.1
1 0.03 0.01 netsim --hosts=3 --load=0.015 --buffer=3000 --flows-csv=exact
1 60 25 qnet --network=open3 --copies=12 --cross=0.3 --transit=0.1 --results=exact
1 1e5 2e4 memsim --workload=stencil --ctas=3 --elements=16 --sms=6 --repeat=2
1 6e4 2e4 warp --ranks=12 --cores=9 --events=16 --span=3 --remote=0.5
'
models=0
for _ in $(seq "${WS_LP_MAP_ROUNDS:-2}"); do
    while read -r together end every model; do
        [ -n "$together" ] || continue
        [ -x "$WS_BIN/${model%% *}" ] || { partly "no ${model%% *} in this build"; continue; }
        models=$((models + 1))
        # shellcheck disable=SC2086 # model and options
        set -- $model --end="$end"
        wanted "$@"
        matrix "$@"
        continue_each "$@"
    done <<EOT
$table
EOT
    # LPs per rank are an option of phold.
    together=1 every=15
    wanted phold --nlp=60 --end=40
    for ranks in 1 2 3 4; do
        for synch in 2 3 5; do
            place map $ranks
            options_of $synch
            # shellcheck disable=SC2086 # a list
            check $ranks phold --nlp=$((60 / ranks)) --end=40 $options --lp-map=map
        done
        other=$((ranks % 4 + 1))
        place map $ranks
        rm -rf checkpoints
        check $ranks phold --nlp=$((60 / ranks)) --end=40 --synch=3 --lp-map=map --checkpoint-every=$every \
            --checkpoint-path=checkpoints
        place map $other
        check $other phold --nlp=$((60 / other)) --end=40 --synch=3 --lp-map=map --restart=checkpoints
    done
done
assert_num "models" "$models" '>=' 4
finish
