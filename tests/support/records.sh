# SPDX-License-Identifier: BSD-3-Clause
# For tests of recordings: runs phold with records, and reads files and reports.

phold="$WS_BIN/phold"
warpscope="$WS_BIN/warpscope"
usual="--lookahead=0.1 --remote=0.5 --start-events=2 --quiet"

# record NAME RANKS OPTIONS...: runs phold, which must end with status 0. The record files are in NAME unless
# an option names another directory, the report in NAME.json, output in NAME.out and NAME.err.
record() {
    record_any "$@"
    assert_eq "exit status of $name" 0 "$run_status"
}

# record_lossy: like record, for a run that loses or drops records: status 1.
record_lossy() {
    record_any "$@"
    assert_eq "exit status of $name" 1 "$run_status"
}

# record_any: like record, with any status, which it stores in run_status.
record_any() {
    name=$1
    ranks=$2
    shift 2
    rm -rf "$name"
    # shellcheck disable=SC2086 # usual is a list
    run_mpi "$ranks" "$phold" $usual --stats-path="$name" --report-json="$name.json" "$@" \
        >"$name.out" 2>"$name.err"
    run_status=$?
}

# dump FILE COLUMN...: prints these columns of all records, separated by commas, without a header.
dump() {
    dump_file=$1
    shift
    "$warpscope" dump "$dump_file" --format=csv | awk -F, -v names="$*" '
        NR == 1 { n = split(names, want, " ")
                  for (i = 1; i <= NF; i++) at[$i] = i
                  next }
        { line = $(at[want[1]])
          for (i = 2; i <= n; i++) line = line "," $(at[want[i]])
          print line }'
}

records_in() {
    "$warpscope" dump "$1" --format=csv | awk 'END { print NR - 1 }'
}

# counter NAME COUNTER: prints a counter of the engine from the report.
counter() {
    json_get "$1.json" "counters.$2"
}

# member NAME STREAM KEY: prints a member of the report's entry of a recorded stream.
member() {
    member_number=0
    # shellcheck disable=SC2046 # words
    for member_stream in $(json_get "$1.json" $(printf 'recorded.streams.%s.stream ' 0 1 2 3 4)); do
        [ "$member_stream" != "$2" ] || json_get "$1.json" "recorded.streams.$member_number.$3"
        member_number=$((member_number + 1))
    done
}
