#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# All commands of the reader on kept recordings: JSON, texts, messages and statuses equal the kept ones in
# tests/data/golden, a file per command. README.md there says how to renew them.
# test: processors=1 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/golden.sh"

for archive in "$golden"/*.tar.gz; do
    gzip -dc "$archive" | tar -xf - || fail "cannot unpack $archive"
done

# at_rest ARGUMENTS...: the same with clocks that stand still.
at_rest() {
    export LD_PRELOAD="$WS_TEST_BIN/libfake_time.so"
    shows "$@"
    unset LD_PRELOAD
}

export FAKE_TIME=1795915886 # while the run "live" went on
runs=$(cd "$golden" && ls | sed -n '/^memtrace/d; s/[.]tar[.]gz$//p')
for run in $runs; do
    left_out="records_of run"
    [ "$run" != optimistic ] || left_out=
    shows info info --json "$run"
    left_out="made time"
    shows verify verify --json "$run"
    shows stats stats --json --top=2 "$run"
    shows tasks tasks --json "$run"
    shows rollbacks rollbacks --json "$run"
    shows analyze analyze --json --no-communities "$run"
    shows advise advise --json "$run"
    shows partition partition --json --ranks=2 --force -o a.map "$run"
    shows predict predict --json --ranks=2,4 "$run"
    shows dump dump --format=jsonl --limit=3 "$run"
    shows dump dump --merge --type=event --limit=3 "$run"
    [ "$run" != sequential ] || shows dump dump --units --type=model_lp --limit=3 "$run"
    shows report report --format=json -o - "$run"
    at_rest top top --once --json "$run"
    case $run in
    optimistic | sequential | damaged)
        for command in verify "stats --top=2" "tasks --top=5" rollbacks advise "analyze --no-communities" "partition --ranks=2 --force -o a.map" "predict --ranks=2,4"; do
            # shellcheck disable=SC2086 # a command with its options
            shows ${command%% *} $command $run
        done
        [ "$run" = sequential ] || shows info info "$run"
        at_rest top top --once "$run"
        ;;
    esac
done
for other in committed2 damaged moved flight hosts live; do
    shows diff diff --json committed $other
    shows diff diff committed $other
done
if [ "$WS_CUDA" = 1 ]; then
    for what in info matrix all; do
        shows memtrace memtrace $what --json memtrace/stencil-1
    done
    shows memtrace memtrace all --top=5 memtrace/stencil-1
fi

# The directory of a run that goes on: its files are locked.
if have flock; then
    mv live going
    exec 8<going/warpscope-rt.bin 9<going/warpscope-evtrace.bin
    flock -s 8 && flock -s 9
    left_out="records_of run made time"
    for command in info verify stats; do
        shows live $command --json going
        shows live $command going
    done
    shows live report --format=json -o - going
    at_rest live top --once --json going
    at_rest live top --once going
fi

# ---- Compared with the kept outputs

if grep -q 'built without METIS' out/partition.txt; then
    partly "built without METIS"
    rm out/partition.txt out/predict.txt out/advise.txt
fi
golden_compare
finish
