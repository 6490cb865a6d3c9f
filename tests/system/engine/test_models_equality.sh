#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The models torus, agents, airport, pcs and warp commit the same events, end in the same states and print the same
# results and lines under every scheduler on 1 to 4 ranks, also with random rollbacks. The checks of reverse
# handlers (--synch=4 and 6) find no mistake.
# test: processors=2 timeout=300
. "$WS_SRC/tests/support/lib.sh"

# Each rank's standard output in its own file: launchers may split lines of several ranks.
cat >capture.sh <<'SH'
#!/bin/sh
exec "$@" >"out.${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-0}}}"
SH
chmod +x capture.sh

# A row: a run as "ranks,options", then one sequential run's model and options that it must equal.
table='
torus --dims=4x4x2 --end=1500 --rate=0.9 --buffers=2
1,--synch=6 1,--synch=3,--random-rollbacks=1 2,--synch=2 3,--synch=3 4,--synch=2 4,--synch=3 2,--synch=5
torus --dims=5x3 --end=1500 --rate=1 --buffers=1 --pattern=tornado --arrivals=periodic --latency=0
2,--synch=3,--random-rollbacks=2 3,--synch=5
agents --width=9 --height=5 --end=60 --overgrazed=5 --lines
1,--synch=6 1,--synch=2 1,--synch=3,--random-rollbacks=1 2,--synch=3,--random-rollbacks=3 3,--synch=2 4,--synch=3 2,--synch=5
airport --airports=10 --end=500 --storms=200
1,--synch=6 1,--synch=3,--random-rollbacks=1 2,--synch=2 3,--synch=3 4,--synch=3,--random-rollbacks=3 2,--synch=5
pcs --width=7 --height=5 --end=40 --urgent=0.1
1,--synch=6 1,--synch=3,--random-rollbacks=1 2,--synch=2 3,--synch=3 2,--synch=5,--random-rollbacks=3
warp --ranks=12 --cores=9 --events=16 --span=3 --remote=0.5 --end=60000
1,--synch=6 2,--synch=3,--random-rollbacks=1 3,--synch=2 4,--synch=3
'

# run RANKS MODEL OPTIONS...: sets net, events, states (run_model), and writes the model's own output to
# results.txt and lines.txt (of all ranks, sorted).
run() {
    run_of=$1 run_program=$2
    shift 2
    rm -f out.*
    run_model "$run_of" ./capture.sh "$WS_BIN/$run_program" "$@" </dev/null
    sed -n "/^$run_program: packets/,\$p; /^$run_program: after/,\$p; /^$run_program: results/,\$p" out.0 >results.txt
    cat out.* | grep '^agents: [0-9.]* cell' | sort >lines.txt
}

# compare RANKS,OPTIONS MODEL OPTIONS...
compare() {
    cell=$1
    shift
    # shellcheck disable=SC2046 # words
    run "${cell%%,*}" "$@" $(echo "${cell#*,}" | tr , ' ')
    assert_eq "net events of $* ($cell)" "$wanted_net" "$net"
    assert_eq "committed events of $* ($cell)" "$wanted_events" "$events"
    assert_eq "final states of $* ($cell)" "$wanted_states" "$states"
    assert_same "results of $* ($cell)" wanted_results.txt results.txt
    assert_same "lines of $* ($cell)" wanted_lines.txt lines.txt
    cells=$((cells + 1))
    case $cell in
    *random*) assert_num "rollbacks of $* ($cell)" \
        "$(json_get run.json counters.primary_rollbacks)" '>' 10 ;;
    esac
}

cells=0
while read -r row; do
    case $row in
    '') ;;
    [a-z]*)
        model=$row
        [ -x "$WS_BIN/${row%% *}" ] || { partly "no ${row%% *} in this build"; model=; continue; }
        # shellcheck disable=SC2086 # model and options
        run 1 $model --synch=1
        wanted_net=$net wanted_events=$events wanted_states=$states
        mv results.txt wanted_results.txt
        mv lines.txt wanted_lines.txt
        assert_num "net events of $model" "${net:-0}" '>' 300
        # shellcheck disable=SC2086 # model and options
        assert_ok "$model, all of it undone" "$WS_BIN/${model%% *}" ${model#* } --synch=4 --quiet
        assert_num "results of $model" "$(wc -l <wanted_results.txt)" '>' 4
        ;;
    *)
        [ -n "$model" ] || continue
        for cell in $row; do
            # shellcheck disable=SC2086 # model and options
            compare "$cell" $model
        done
        ;;
    esac
done <<EOT
$table
EOT
assert_num "runs compared" $cells '>=' 19
finish
