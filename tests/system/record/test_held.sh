#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Samples of models that are pure functions of the state (st_model_pure()): files have records only of LPs
# that executed or undid events, and readers show what a recording with all LPs shows.
# test: timeout=300
. "$WS_SRC/tests/support/lib.sh"

held="$WS_TEST_BIN/held"
warpscope="$WS_BIN/warpscope"

# run NAME RANKS PROGRAM OPTIONS...: records into NAME, report in NAME.json.
run() {
    name=$1
    ranks=$2
    run_program=$3
    shift 3
    rm -rf "$name" "$name.json"
    assert_ok "${run_program##*/} $* on $ranks ranks" run_mpi "$ranks" "$run_program" --quiet \
        --stats-path="$name" --report-json="$name.json" "$@" </dev/null
}

# rows NAME LEFT-OUT...: all samples, without the columns that depend on the clock and on LEFT-OUT, in the order
# of the file.
rows() {
    rows_name=$1
    shift
    "$warpscope" dump "$rows_name/warpscope-model.bin" --format=csv | awk -F, -v names="real_time $*" '
        NR == 1 { n = split(names, name, " ")
                  for (i = 1; i <= NF; i++) for (k = 1; k <= n; k++) if ($i == name[k]) left_out[i] }
        { line = ""
          for (i = 1; i <= NF; i++) if (!(i in left_out)) line = line "," $i
          print line }'
}

# by_time NAME: the samples without the columns that depend on the ranks, sorted.
by_time() {
    rows "$1" pe kp | sort
}

# records NAME: number of records in the file.
records() {
    "$warpscope" info "$1/warpscope-model.bin" | sed -n 's/^  records *\([0-9]*\) in.*/\1/p'
}

# ---- Each model at virtual times, against a recording of all LPs ----

# Models, one a line: interval, end, program and options. @N stands for N divided by the number of ranks.
models='
0.25    40     phold --nlp=@24
0.0001  0.016  netsim --hosts=2 --load=0.002 --buffer=3000
1       120    qnet --network=open3 --copies=6 --cross=0.3 --transit=0.1 --warmup=10
4       1500   torus --dims=4x2 --rate=0.9 --buffers=2
4       500    airport --airports=12 --storms=200
0.5     30     pcs --width=5 --height=4 --urgent=0.1
0.125   10     agents --width=6 --height=5 --overgrazed=9
1       1200   memsim --workload=producer --ctas=4 --repeat=1
64      60000  warp --ranks=12 --cores=9 --events=16 --span=3 --remote=0.5
'

# model RANKS NAME OPTIONS...: a run of the current model.
model() {
    model_ranks=$1
    model_name=$2
    shift 2
    # shellcheck disable=SC2046 # a list of options
    run "$model_name" "$model_ranks" "$WS_BIN/$program" \
        $(echo "$options" | sed "s|@24|$((24 / model_ranks))|") --vt-interval="$interval" --end="$end" "$@"
}

undone=0
echo "$models" | grep . >models.txt
places='1 3' # numbers of ranks, two for each model in turn
while read -r interval end program options; do
    [ -x "$WS_BIN/$program" ] || { echo "no $program in this build"; continue; }
    # With files of ROSS 8, all LPs are asked; --model-stats=3 means virtual times there.
    model 1 all --synch=1 --stats-format=both --model-stats=3
    by_time all >all.csv
    for ranks in $places; do
        model "$ranks" some --synch=3 --random-rollbacks=5 --batch=4 --model-stats=4
        by_time some >some.csv
        assert_same "samples of $program on $ranks ranks" all.csv some.csv
        undone=$((undone + $(json_get some.json counters.events_rolled_back)))
    done
    [ "$places" = '1 3' ] && places='2 4' || places='1 3'
    if [ "$program" != agents ]; then # its samples depend on the time
        assert_num "records of $program" "$(records some)" "<" "$(records all)"
    fi
    assert_contains "kind of the values of $program" "$program.info" "$(
        "$warpscope" info some/warpscope-model.bin >"$program.info"
        [ "$program" = agents ] && echo "model values" || echo "model values of LPs that executed events")"
    assert_ok "diff of $program" "$warpscope" diff all some
    assert_ok "verify $program" "$warpscope" verify some
    if [ "$program" = torus ]; then # all readers fill in
        for format in csv json npy sqlite; do
            "$warpscope" export --format=$format --output=export-$format some/warpscope-model.bin >/dev/null 2>&1
        done
        assert_eq "rows of CSV" "$(wc -l <all.csv)" "$(cat export-csv/*model*.csv | wc -l)"
        "$warpscope" dump --from=100 --to=200 --lp=3 --format=csv some | wc -l >some.n
        "$warpscope" dump --from=100 --to=200 --lp=3 --format=csv all | wc -l >all.n
        assert_same "rows of an LP in a range" all.n some.n
        for name in all some; do # the rates per second differ
            "$warpscope" stats --json --lp=3 --from=110 --to=150 "$name/warpscope-model.bin" | tr ',' '\n' |
                grep -E '"(virtual_from|virtual_time|per_virtual_time)":' >$name.rates
            "$warpscope" stats --json "$name/warpscope-model.bin" | tr ',' '\n' | grep -E '"(mean|least|largest|total)":' \
                >$name.stats
        done
        assert_same "statistics" all.stats some.stats
        assert_same "rates of an LP in a range" all.rates some.rates
        "$warpscope" stats some/warpscope-model.bin >some.text
        assert_contains "words for records that statistics count, but the file lacks" some.text \
            "records, beside samples that were left out"
        if have python3; then
            python3 "$WS_SRC/tests/system/python/format_reference_reader.py" some/warpscope-model.bin >reference.csv
            "$warpscope" dump some/warpscope-model.bin --format=csv >dump.csv
            assert_same "a reader written from FORMAT.md" reference.csv dump.csv
        fi
    fi
done <models.txt
assert_num "events undone in all of these runs" "$undone" ">" 0

# ---- At GVT and by wall clock, against what the model saw of all LPs ----

for ranks in 1 2 3 4; do
    for options in "--model-stats=1 --synch=3 --random-rollbacks=3 --batch=2" "--model-stats=3 --rt-interval=1 --synch=3" \
        "--model-stats=1 --synch=2" "--model-stats=1 --synch=5"; do
        [ "$ranks" = 1 ] || [ "${options##*=}" != 1 ] || continue
        # shellcheck disable=SC2086 # options is a list
        run live "$ranks" "$held" --witness=saw --gvt-interval=4 $options
        cat saw.* | sort -s -n -k1,1 >saw
        "$warpscope" dump live/warpscope-model.bin --format=csv | awk -F, '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { print $(at["pe"]), $(at["lp"]), $(at["count"]), $(at["hash"]) }' >shown
        assert_same "samples with $options on $ranks ranks" saw shown
        assert_num "records with $options" "$(records live)" "<=" "$(wc -l <shown)"
        rm -f saw.*
    done
done

# ---- What keeps all LPs (test_cuts.sh has restarts and moves) ----

run hooked 2 "$held" --synch=3 --model-stats=1 --hook=1
assert_eq "records with a hook that may change states" "$(rows hooked | tail -n +2 | wc -l | tr -d ' ')" "$(records hooked)"
run kept 2 "$held" --synch=3 --model-stats=1 --buffer-overwrite=64K
"$warpscope" info kept/warpscope-model.bin >kept.info
assert_lacks "a flight recorder" kept.info "LPs that executed"
run plain 2 "$held" --synch=3 --model-stats=4 --vt-interval=1 --pure=0
assert_eq "records without the declaration" "$(rows plain | tail -n +2 | wc -l | tr -d ' ')" "$(records plain)"
run whole 2 "$held" --synch=3 --model-stats=4 --vt-interval=1
by_time whole >whole.csv
by_time plain >plain.csv
assert_same "samples with and without the declaration" plain.csv whole.csv

# ---- Damaged files ----

# Readers fill in what they know: of a damaged file, no row has values that the run did not have.
run long 2 "$held" --synch=3 --model-stats=4 --vt-interval=0.25 --buffer-size=8192 --end=150
run every 2 "$held" --synch=3 --model-stats=4 --vt-interval=0.25 --pure=0 --end=150
by_time every >every.csv
by_time long >long.csv
assert_same "samples of an undamaged file" every.csv long.csv
size=$(wc -c <long/warpscope-model.bin)
# The layout of the file depends on time: further places follow if too few of the first 13 lie between records.
faults=0
places=0
for part in 9 13 16 18 20 22 24 26 28 30 32 34 36 10 11 12 14 15 17 19 21 23 25 27 29 31 33 35; do
    places=$((places + 1))
    [ $places -le 13 ] || [ $faults -le 2 ] || break
    at=$((size * part / 37))
    rm -rf damaged cut && mkdir damaged cut
    cp long/warpscope-model.bin damaged
    printf 'damage' | dd of=damaged/warpscope-model.bin bs=1 seek=$at conv=notrunc 2>/dev/null
    head -c $at long/warpscope-model.bin >cut/warpscope-model.bin
    for name in damaged cut; do
        by_time $name >$name.csv 2>$name.err
        faults=$((faults + $(grep -c 'missing before\|body is wrong' $name.err)))
        assert_num "rows of the file $name at byte $at" "$(wc -l <$name.csv)" ">" 100
        assert_eq "wrong rows of the file $name at byte $at" "" "$(comm -23 $name.csv every.csv | head -n 3)"
    done
done
assert_num "faults between records" "$faults" ">" 2
finish
