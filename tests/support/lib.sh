# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - for test scripts: assertions, MPI runs, numbers out of JSON. POSIX sh; source it:
#
#     . "$WS_SRC/tests/support/lib.sh"
#     run_mpi 2 "$WS_BIN/phold" --synch=3 --report-json=r.json >out.txt
#     assert_eq "net events" 25628 "$(json_get r.json net_events)"
#     finish
#
# The environment of ctest: WS_SRC (source tree), WS_BIN (built programs), WS_BUILD, WS_MPIEXEC
# (launcher; its settings are in the environment), WS_MPI_KIND, WS_CC, WS_MPICC, WS_SANITIZE (0, 1);
# WS_CUDA (0: built without the component CUDA); WS_PART is set where a part of a test that compares many runs is enough.
# The current directory is the test's own. An assertion that fails prints what it saw, is counted, and
# the script goes on; finish turns the count into the exit status.

set -u
failures=0
assertions=0

# Counts one assertion that failed.
fail() {
    failures=$((failures + 1))
    echo "FAIL: $*"
}

# skip REASON: ends the test as skipped.
skip() {
    echo "SKIP: $*"
    exit 77
}

# partly REASON: notes that the test leaves out a part. The rest counts, and ./check counts the test
# as passed in part.
partly() {
    echo "SKIP: partly: $*"
}

# have COMMAND: succeeds if the command is installed; otherwise notes that its part is left out.
have() {
    command -v "$1" >/dev/null && return
    partly "no $1"
    return 1
}

# built: copies the lines of standard input, without those of the component CUDA if this build lacks it.
built() {
    if [ "$WS_CUDA" = 1 ]; then cat; else grep -v -e memsim -e memtrace; fi
}

# Ends the test: status 0 when every assertion held and there was at least one.
finish() {
    if [ "$assertions" -eq 0 ]; then
        echo "FAIL: the test asserted nothing"
        exit 1
    fi
    echo "$assertions assertions, $failures failed"
    [ "$failures" -eq 0 ]
    exit
}

# assert_eq WHAT EXPECTED ACTUAL
assert_eq() {
    assertions=$((assertions + 1))
    [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}

# assert_ne WHAT UNWANTED ACTUAL
assert_ne() {
    assertions=$((assertions + 1))
    [ "$2" != "$3" ] || fail "$1: is '$3'"
}

# assert_num WHAT ACTUAL OP NUMBER: OP is one of < <= == >= >; both may be decimal.
assert_num() {
    assertions=$((assertions + 1))
    case "$2" in
    '' | *[!0-9.eE+-]*) fail "$1: '$2' is no number"; return ;;
    esac
    compare_nums "$2" "$3" "$4" || fail "$1: $2 is not $3 $4"
}

# compare_nums NUMBER OP NUMBER: succeeds if that holds; for natural numbers without another process.
compare_nums() {
    case "$1$3" in
    *[!0-9]* | ??????????????????*)
        awk "BEGIN { exit !(($1) $2 ($3)) }"
        return
        ;;
    esac
    case $2 in
    '<') [ "$1" -lt "$3" ] ;;
    '<=') [ "$1" -le "$3" ] ;;
    '==') [ "$1" -eq "$3" ] ;;
    '>=') [ "$1" -ge "$3" ] ;;
    '>') [ "$1" -gt "$3" ] ;;
    *) false ;;
    esac
}

# assert_near WHAT EXPECTED ACTUAL RELATIVE_TOLERANCE
assert_near() {
    assertions=$((assertions + 1))
    awk "BEGIN { d = ($3) - ($2); if (d < 0) d = -d; m = ($2) < 0 ? -($2) : ($2);
                 exit !(d <= ($4) * m) }" || fail "$1: $3 is not within $4 of $2"
}

# assert_contains WHAT FILE TEXT: some line of the file has the text, which is not empty.
assert_contains() {
    assertions=$((assertions + 1))
    if [ -z "$3" ]; then
        fail "$1: assert_contains without a text"
    elif ! grep -qF -e "$3" "$2"; then
        fail "$1: no '$3' in:"
        head -n 20 "$2" | sed 's/^/    /'
    fi
}

# assert_lacks WHAT FILE TEXT
assert_lacks() {
    assertions=$((assertions + 1))
    ! grep -qF -e "$3" "$2" || fail "$1: '$3' is in $2"
}

# assert_file WHAT FILE: exists and is not empty.
assert_file() {
    assertions=$((assertions + 1))
    [ -s "$2" ] || fail "$1: $2 is missing or empty"
}

# assert_same WHAT FILE FILE: equal bytes.
assert_same() {
    assertions=$((assertions + 1))
    if ! cmp -s "$2" "$3"; then
        fail "$1: $2 and $3 differ:"
        diff "$2" "$3" | head -n 10 | sed 's/^/    /'
    fi
}

# assert_ok WHAT COMMAND...: exit status 0. assert_status WHAT STATUS COMMAND...: that status. The command's
# output goes to last.out and last.err.
assert_ok() {
    ok_what=$1
    shift
    assert_status "$ok_what" 0 "$@"
}

assert_status() {
    assertions=$((assertions + 1))
    status_what=$1
    status_wanted=$2
    shift 2
    "$@" >last.out 2>last.err
    status_got=$?
    if [ "$status_got" -ne "$status_wanted" ]; then
        fail "$status_what: exit status $status_got instead of $status_wanted: $*"
        tail -n 10 last.out last.err | sed 's/^/    /'
    fi
}

# ---- Waiting for conditions, without a time limit shorter than the test's

# is_running PID: succeeds if the process exists and has not ended.
is_running() {
    kill -0 "$1" 2>/dev/null && ! grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null
}

# wait_for PID COMMAND...: repeats the command until it succeeds, while the process runs, for at most four
# minutes. Returns the command's last status.
wait_for() {
    wait_pid=$1
    shift
    for _ in $(seq 2400); do
        "$@" >/dev/null 2>&1 && return 0
        is_running "$wait_pid" || break
        sleep 0.1
    done
    "$@" >/dev/null 2>&1
}

# has_size FILE BYTES: succeeds if the file has at least so many bytes.
has_size() {
    [ "$(wc -c <"$1")" -ge "$2" ]
}

# cpu_time PID: prints the processor time of a process, in hundredths of a second.
cpu_time() {
    sed 's/^.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'
}

has_had() {
    [ "$(cpu_time "$1")" -ge "$2" ]
}

catches_sigterm() {
    grep -q '^SigCgt:[^0-9a-f]*[0-9a-f]*[4567cdef][0-9a-f][0-9a-f][0-9a-f]$' "/proc/$1/status"
}

# wait_until_heard PID [HUNDREDTHS]: returns when a simulation of one rank has installed its signal handlers,
# and has then used so much processor time (default 30, so that it has executed events on any machine). Where
# the system does not show this, waits for some seconds.
wait_until_heard() {
    if [ ! -r "/proc/$1/stat" ]; then
        sleep 3
    elif wait_for "$1" catches_sigterm "$1"; then
        wait_for "$1" has_had "$1" $(($(cpu_time "$1") + ${2:-30}))
    fi
}

# repeat_until CONDITION COMMAND...: repeats the command until the condition (shell words) holds, at most 20
# times; reports the number of runs if there was more than one. For events that depend on chance, such as
# which rank is late. Assert them afterwards. The condition must not be the purpose of the test, or a fault
# that shows only sometimes would pass.
repeat_until() {
    repeat_up_to 20 "$@"
}

# repeat_up_to N CONDITION COMMAND...: the same with at most N runs.
repeat_up_to() {
    repeat_most=$1
    repeat_condition=$2
    shift 2
    for repeat_runs in $(seq "$repeat_most"); do
        "$@"
        eval "$repeat_condition" && break
    done
    [ "$repeat_runs" -eq 1 ] ||
        echo "note: $repeat_runs runs until $(printf '%s' "$repeat_condition" | tr -s '\n ' ' ')"
}

# is_num NUMBER OP NUMBER: compares like assert_num, but counts no failure.
is_num() {
    compare_nums "${1:-0}" "$2" "$3"
}

# run_mpi RANKS PROGRAM ARGUMENTS... One rank runs without the launcher, which takes longer than most runs;
# mpi/ and unit/ have tests of one rank with the launcher.
run_mpi() {
    run_ranks=$1
    shift
    if [ "$run_ranks" = 1 ]; then
        "$@"
    else
        "$WS_MPIEXEC" -n "$run_ranks" "$@"
    fi
}

# assert_refused TEXT RANKS PROGRAM ARGUMENTS...: the run is refused with exit status 2 and one line that
# begins with the program's name and contains TEXT. Lines of the launcher do not count.
assert_refused() {
    refused_text=$1
    refused_ranks=$2
    refused_name=${3##*/}
    shift 2
    assert_status "$refused_name refused on $refused_ranks ranks" 2 run_mpi "$refused_ranks" "$@"
    assert_contains "message for $*" last.err "$refused_text"
    assert_eq "lines of $refused_name for $*" 1 "$(grep -c "^$refused_name: " last.err)"
    [ "$refused_ranks" -gt 1 ] || assert_eq "lines for $*" 1 "$(grep -c '' last.err)"
    assert_eq "output for $*" "" "$(cat last.out)"
}

record_separator=$(printf '\036')

# json_get FILE PATH...: prints the value at a dotted path (array members by number from 0), strings without
# their quotes. Prints nothing and returns 1 if there is none. Of several paths, prints a line for each, empty if
# there is none. Example: json_get r.json ranks.0.events
json_get() {
    json_file=$1
    shift
    # A path may contain blanks: a character that separates records stands between paths.
    json_paths=$1
    shift
    for json_path; do
        json_paths=$json_paths$record_separator$json_path
    done
    awk -v wanted="$json_paths" -f "$WS_SRC/tests/support/json.awk" "$json_file"
}

# run_model RANKS PROGRAM ARGUMENTS...: a run that must succeed. Its output goes to last.out, its report to
# run.json. Sets net (events), events and states (fingerprints); they are empty without a report.
run_model() {
    model_ranks=$1
    model_program=$2
    shift 2
    rm -f run.json
    assert_ok "${model_program##*/} $* on $model_ranks ranks" run_mpi "$model_ranks" \
        "$model_program" "$@" --quiet --fingerprint --report-json=run.json
    read_report
}

# read_report: sets net, events and states from run.json.
read_report() {
    [ -s run.json ] || echo '{}' >run.json
    { read -r net; read -r events; read -r states; } <<VALUES
$(json_get run.json net_events committed_fingerprint state_fingerprint)
VALUES
}

# whole_line FILE: the first line of a text, with the lines that go on with it after two blanks.
whole_line() {
    awk 'NR > 1 && !/^  [^ ]/ { exit } { sub(/^  /, NR > 1 ? " " : "  "); printf "%s", $0 } END { print "" }' "$1"
}
