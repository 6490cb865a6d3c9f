#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --map=auto in all models, on 2 to 4 ranks, under every scheduler, with the time of the move chosen by the engine and
# by the user, from the model's placement and from random ones: the same events, states and results.
# test: processors=2 timeout=900 labels=long
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/random.sh"
. "$WS_SRC/tests/support/lp_map.sh"
echo "seed $seed"

run_mpi 2 "$WS_BIN/phold" --nlp=20 --end=2 --map=auto --quiet >last.out 2>last.err
! grep -q 'the library METIS' last.err || skip "no METIS, which finds placements"

# A row: end of the run, time of the move, model and options.
table='
200  50   phold --lookahead=0.1
1500 400  torus --dims=4x2x2 --rate=0.9 --buffers=2
40   10   agents --width=9 --height=5
500  200  airport --airports=10 --storms=200
40   20   pcs --width=7 --height=5 --urgent=0.1
0.03 0.01 netsim --hosts=3 --load=0.015 --buffer=3000 --flows-csv=exact
60   20   qnet --network=open3 --copies=12 --cross=0.3 --transit=0.1 --results=exact
1e5  3e3  memsim --workload=stencil --ctas=3 --elements=16 --sms=6 --repeat=2
6e4  2e4  warp --ranks=12 --events=16 --span=3 --remote=0.5
'
n_moved=0
while read -r end at model; do
    [ -n "$end" ] || continue
    [ -x "$WS_BIN/${model%% *}" ] || { partly "no ${model%% *} in this build"; continue; }
    for ranks in 2 3 4; do
        # shellcheck disable=SC2086 # model and options
        set -- $model --end="$end"
        of_ranks=
        if [ "${model%% *}" = phold ]; then
            of_ranks="--nlp=$((48 / ranks))"
            wanted "$@" --nlp=48
        else
            wanted "$@"
        fi
        for options in --synch=3 --synch=5 "--synch=3 --random-rollbacks=3" --synch=2; do
            for when in "" "--map-at=$at"; do
                make_map random.map "$lps" "$ranks" 0
                # The conservative torus refuses maps that separate a terminal from its router.
                case "$model $options" in
                "torus "*--synch=2) map= ;;
                *) map=--lp-map=random.map ;;
                esac
                # shellcheck disable=SC2086 # options
                check_move "$ranks" "$@" $of_ranks $options $when $map --map=auto
                n_moved=$((n_moved + (${moved:-0} > 0)))
            done
            # shellcheck disable=SC2086 # options
            [ "$options" = --synch=3 ] && check_move "$ranks" "$@" $of_ranks $options --map=auto --map-at="$at"
        done
    done
done <<EOT
$table
EOT
assert_num "runs whose LPs move" "$n_moved" '>' 50
finish
