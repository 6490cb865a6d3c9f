#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every command of warpscope ends quietly when the reader of its output is gone, as in "| head -n 1": by
# SIGPIPE or, where that is ignored, with status 1. Other failures of output are reported with their reason.
# A closed standard error changes nothing.
# test: processors=1 timeout=120
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
mkdir run
"$WS_TEST_BIN/make_run" run a pes=2 kps=2 lps=5 samples=8 records=80 rollbacks=4 || fail "make_run"
[ "$WS_CUDA" = 0 ] || "$WS_BIN/memsim" --quiet --synch=1 --sms=2 --workload=producer --trace-out="$PWD/trace" >memsim.out 2>&1 || fail "memsim"
"$WS_BIN/netsim" --quiet --synch=1 --end=0.001 --task-trace=1 --stats-path=tasks >netsim.out 2>&1 || fail "netsim"
"$WS_BIN/phold" --quiet --synch=1 --nlp=4 --end=5 --event-trace=3 --event-times=1 --stats-path=phold >phold.out 2>&1 ||
    fail "phold"

# Descriptor 4 is a pipe without a reader.
mkfifo pipe
exec 3<>pipe 4>pipe
exec 3<&-

built >commands.txt <<END
--help
--version
help stats
help --roff stats
completion bash
completion zsh
completion fish
info run
info --json run
stats run
stats --json run
analyze phold
analyze --json phold
rollbacks run
rollbacks --json run
advise run
advise --json run
advise --options run
partition --ranks=2 --output=- phold
partition --json --ranks=2 --force phold
predict --ranks=2 phold
predict --json --ranks=2 phold
tasks tasks
tasks --json tasks
dump run
dump --format=tsv run
dump --format=json run
dump --format=jsonl run
dump --merge run
dump --layout=wide run/a-gvt.bin
dump --layout=wide --format=json run/a-rt.bin
diff phold phold
diff --json phold phold
verify run
verify --json run
recover --dry-run run
rerun phold
export --format=csv --output=- phold
export --format=jsonl --output=- phold
export --format=chrome --output=- phold
export --format=perfetto --output=- phold
memtrace info trace-1
memtrace volumes --json trace-1
memtrace dump --csv trace-1
memtrace matrix trace-1
END
for command in "top --once phold" "top --once --json phold" "report --output=- run"; do
    # A report needs a library that a build may lack.
    # shellcheck disable=SC2086 # words
    ! "$warpscope" $command >/dev/null 2>&1 || echo "$command" >>commands.txt
done
# Commands that other programs do not call may be new: each has a line here, but those without output.
for command in $("$warpscope" help --commands); do
    grep -q "^$command " commands.txt || case $command in
    report | top | watch | ctl | study | serve) ;; # have tests of their own
    *) fail "no line for $command" ;;
    esac
done

default=yes
sh -c 'kill -PIPE $$' 2>/dev/null && default= # ignored for all that this process starts
while read -r command; do
    # shellcheck disable=SC2086 # words
    if [ -n "$default" ]; then
        "$warpscope" $command >&4 2>err.txt
        assert_eq "status of $command without a reader" 141 $?
        assert_eq "messages of $command without a reader" "" "$(cat err.txt)"
    fi
    # shellcheck disable=SC2086
    (trap '' PIPE; exec "$warpscope" $command >&4 2>err.txt)
    assert_eq "status of $command with SIGPIPE ignored" 1 $?
    assert_eq "messages of $command with SIGPIPE ignored" "" "$(cat err.txt)"
    # shellcheck disable=SC2086
    "$warpscope" $command >open.txt 2>open.err
    status=$?
    # shellcheck disable=SC2086
    "$warpscope" $command >closed.txt 2>&-
    assert_eq "status of $command with a closed standard error" $status $?
    # The page states when it was made.
    sed -i 's/"made":"[^"]*"//' open.txt closed.txt
    case $command in
    top*) assert_eq "lines of $command with a closed standard error" "$(wc -l <open.txt)" "$(wc -l <closed.txt)" ;;
    *) assert_same "output of $command with a closed standard error" closed.txt open.txt ;; # top shows the time
    esac
    [ -w /dev/full ] || continue
    # shellcheck disable=SC2086
    "$warpscope" $command >/dev/full 2>err.txt
    assert_eq "status of $command on a full disk" 1 $?
    assert_contains "message of $command on a full disk" err.txt "No space left on device"
    # shellcheck disable=SC2086
    "$warpscope" $command >&- 2>err.txt
    assert_eq "status of $command without output" 1 $?
    assert_contains "message of $command without output" err.txt "Bad file descriptor"
done <commands.txt
finish
