#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Killed runs (SIGKILL of a random rank at a random moment), restarted on 1, 2 or 3 ranks under another
# scheduler, and perhaps killed and restarted again, end like an undisturbed run.
# test: processors=2 timeout=300
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/random.sh"

kills=${WS_KILLS:-5}
echo "WS_TEST_SEED=$seed kills=$kills"

# The program, with its process number in pids/.
cat >noted.sh <<'END'
: >"pids/$$"
exec "$@"
END

model="$WS_TEST_BIN/chaos --lps=60 --end=400"
# shellcheck disable=SC2086 # words
run_model 1 $model --synch=1
wanted="$net $events $states"
assert_num "net events" "$net" '>' 400000

# start RANKS OPTIONS...: in the background, until it ends or is killed.
start() {
    start_ranks=$1
    shift
    rm -rf pids run.json
    mkdir pids
    # shellcheck disable=SC2086 # words
    run_mpi "$start_ranks" sh noted.sh $model --quiet --fingerprint --report-json=run.json "$@" \
        >run.out 2>run.err &
    launched=$!
    while [ "$(ls pids | wc -l)" -lt "$start_ranks" ] && kill -0 $launched 2>/dev/null; do
        sleep 0.02
    done
}

# Waits until no rank is left. The launcher ends later; the test does not wait for it.
wait_for_end() {
    waited=0
    while [ "$waited" -lt 4800 ]; do
        alive=0
        for pid in $(ls pids); do kill -0 "$pid" 2>/dev/null && alive=1; done
        [ "$alive" = 1 ] || return 0
        sleep 0.05
        waited=$((waited + 1))
    done
    fail "ranks of a killed run are alive"
}

# kill_random TENTHS: kills one of the remaining ranks, if any, so many tenths of a second after the start.
kill_random() {
    while [ ! -d saved ] && kill -0 $launched 2>/dev/null; do sleep 0.02; done
    i=$1
    while [ "$i" -gt 0 ] && [ ! -e run.json ]; do
        sleep 0.1
        i=$((i - 1))
    done
    # shellcheck disable=SC2046 # words
    set -- $(ls pids)
    [ $# -gt 0 ] || return 0
    random $#
    shift "$random"
    kill -KILL "$1" 2>/dev/null && struck=$((struck + 1))
}

# every: draws an interval of checkpoints, by virtual time or by wall clock.
every() {
    random 2
    if [ "$random" = 0 ]; then every=20; else every=0.1s; fi
}

# restart OPTIONS...: continues from the newest checkpoint, or from the start if there is none.
restart() {
    random 3
    ranks=$((random + 1))
    random 2
    synch=$((random + 2))
    from=
    if ls saved/at-*/rank-0-of-*.ckpt >/dev/null 2>&1; then from=--restart=saved; fi
    start $ranks --synch=$synch $from "$@"
}

# On a busy machine the kill may precede the first checkpoint; on a fast one it may follow the end. The test
# repeats until enough kills were in between.
struck=0 restarted=0 again=0 round=0
while [ $round -lt "$kills" ] || { [ $round -lt $((4 * kills)) ] && [ $failures -eq 0 ] &&
    { [ $struck -lt $((kills / 2)) ] || [ $restarted -lt $((kills / 2)) ]; }; }; do
    round=$((round + 1))
    rm -rf saved
    every
    start 3 --synch=3 --checkpoint-every=$every --checkpoint-path=saved
    random 15
    kill_random $((random + 1))
    wait_for_end
    random 3
    if [ "$random" = 0 ]; then # a second time
        again=$((again + 1))
        every
        restart --checkpoint-every=$every --checkpoint-path=saved
        random 8
        kill_random $((random + 1))
        wait_for_end
    fi
    restart
    wait $launched
    status=$?
    if [ -z "$from" ] || ! grep -q "no complete checkpoint" run.err; then
        restarted=$((restarted + (${#from} > 0)))
    else # killed while the first one was being written
        start $ranks --synch=$synch
        wait $launched
        status=$?
    fi
    assert_eq "status of round $round, $ranks ranks, --synch=$synch $from" 0 $status
    [ -s run.json ] || { echo '{}' >run.json && cat run.err; }
    assert_eq "round $round, on $ranks ranks, --synch=$synch $from" "$wanted" \
        "$(json_get run.json net_events) $(json_get run.json committed_fingerprint) $(json_get \
            run.json state_fingerprint)"
done
echo "$struck kills struck, $again runs were killed twice, $restarted went on from a checkpoint"
assert_num "kills that struck" "$struck" '>=' $((kills / 2))
assert_num "runs that went on from a checkpoint" "$restarted" '>=' $((kills / 2))
finish
