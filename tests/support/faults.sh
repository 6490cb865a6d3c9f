# SPDX-License-Identifier: BSD-3-Clause
# faults.sh - runs in which system calls fail, or in which a rank is killed at a call, by the library of
# programs/fault_io.c. Source it after lib.sh and random.sh. The files of a run are in the directory "case",
# those of the same run without a fault in base-NAME.

warpscope="$WS_BIN/warpscope"
all_calls=open,write,pread,fallocate,ftruncate,mmap,mremap,fsync,close,flock,rename,unlink,mkdir

# The library precedes that of the sanitizers.
ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0"
export ASAN_OPTIONS

# ---- The runs ------------------------------------------------------------------------------------

# configure NUMBER: sets name, ranks, program, arguments (words), and results: files that are the same without
# a fault. All files are made in the directory "case".
configure() {
    [ "$1" != 6 ] || [ "$WS_CUDA" = 1 ] || set -- 5
    phold_usual="--lookahead=0.5 --remote=0.5 --start-events=3 --end=40 --event-trace=3 \
--enable-gvt-stats=1 --buffer-size=20000 --stats-path=case/run"
    saved="--checkpoint-every=12 --checkpoint-path=case/saved"
    results= ranks=1 program="$WS_BIN/phold"
    case $1 in
    0)
        name=phold-1
        arguments="$phold_usual $saved --nlp=60 --synch=1 --writer-thread=off --csv=case/table.csv"
        ;;
    1)
        name=phold-1-optimistic
        arguments="$phold_usual $saved --nlp=60 --synch=3 --writer-thread=on --stats-format=both"
        ;;
    2)
        name=netsim-1
        program="$WS_BIN/netsim"
        results="links.csv flows.csv"
        arguments="--end=0.004 --synch=1 --event-trace=1 --model-stats=1 --stats-path=case/run \
--links-csv=case/links.csv --flows-csv=case/flows.csv"
        ;;
    3)
        name=phold-2
        ranks=2
        arguments="$phold_usual $saved --nlp=30 --synch=3 --csv=case/table.csv --writer-thread=off"
        ;;
    4)
        name=qnet-1
        program="$WS_BIN/qnet"
        results=results.json
        arguments="--end=2000 --synch=1 --event-trace=1 --buffer-full=block --buffer-size=3000 \
--stats-path=case/run --results=case/results.json"
        ;;
    5)
        name=phold-2-conservative
        ranks=2
        arguments="$phold_usual --nlp=30 --synch=2 --stats-format=ross8 --buffer-full=block"
        ;;
    6)
        name=memsim-1
        program="$WS_BIN/memsim"
        results=trace-1
        arguments="--workload=producer --elements=64 --synch=1 --event-trace=2 --stats-path=case/run \
--trace-out=case/trace"
        ;;
    7)
        name=tasks-1
        program="$WS_TEST_BIN/chores"
        arguments="--synch=1 --nlp=4 --end=300 --tracer=database --event-trace=1 --stats-path=case/run"
        ;;
    esac
}
configurations=8

# ---- Running them --------------------------------------------------------------------------------

# run_with VARIABLE=VALUE...: runs with these faults, and with the arguments in extra; sets run_status.
run_with() {
    rm -rf case
    mkdir case
    go_on_with "$@"
}

# go_on_with VARIABLE=VALUE...: the same in the existing directory.
go_on_with() {
    rm -f struck.txt
    # shellcheck disable=SC2086 # words
    set -- env "$@" LD_PRELOAD="$WS_TEST_BIN/libfault_io.so" FAULT_LOG="$PWD/struck.txt" "$program" \
        $arguments ${extra:-} --quiet --fingerprint --report-json=case/report.json
    [ "$ranks" = 1 ] || set -- "$WS_MPIEXEC" -n "$ranks" "$@"
    timeout -k 30 300 "$@" >run.out 2>run.err
    run_status=$?
    [ -e struck.txt ] || : >struck.txt
}

# Lists the calls of the run: calls.txt has a line "RANK CALL PATH" for each. kinds.txt in the base has each
# distinct line once, without the parts that differ between runs.
list_calls() {
    run_with FAULT_CALL=$all_calls FAULT_PATH=case/ FAULT_ERRNO=none FAULT_COUNT=0
    sed -e 's,^\([0-9]* [a-z]*\) .*/case/,\1 case/,' -e 's, (deleted)$,,' -e 's,\.part-[0-9]*$,.part,' \
        -e 's,\(\.tmp-\)[0-9]*$,\1,' -e 's,\(/\.warpscope-\)[0-9a-f]*$,\1,' \
        struck.txt >calls.txt
    sort -u calls.txt >case/kinds.txt
}

# count_calls RANK CALLS PATH: number of calls of the rank whose path contains the text.
count_calls() {
    awk -v rank="$1" -v calls=",$2," -v part="$3" '
        $1 == rank && index(calls, "," $2 ",") && index($3, part) { n++ } END { print n + 0 }' \
        "base-$name/calls.txt"
}

# run_fault [VARIABLE=VALUE...]
run_fault() {
    run_with "$@" FAULT_CALL="$call" FAULT_PATH="$file" FAULT_NTH="$nth" FAULT_COUNT="$count" \
        FAULT_ERRNO="$error" FAULT_SHORT="$short" FAULT_RANK="$rank"
}

# fingerprints FILE: prints those of the report.
fingerprints() {
    grep -E 'Fingerprint|Net Events Processed' "$1"
}

# Runs each configuration once without a fault; its files remain in base-NAME.
list_once() {
    [ ! -d "base-$name" ] || return 0
    extra=--stats-format=both
    run_with FAULT_CALL=none
    extra=
    mv case/run/warpscope-evtrace.bin records.bin
    list_calls
    assert_eq "status of $name without a fault" 0 "$run_status"
    mv case "base-$name"
    mv run.out run.err calls.txt records.bin "base-$name"
}

# Draws one of the run's calls; sets call, file, nth, rank.
choose_call() {
    random "$(wc -l <"base-$name/kinds.txt")"
    # shellcheck disable=SC2046 # three words
    set -- $(sed -n "$((random + 1))p" "base-$name/kinds.txt")
    rank=$1 call=$2 file=$3
    random "$(count_calls "$rank" "$call" "$file")"
    nth=$((random + 1))
}
