#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The scripts of docs/clusters.md: shellcheck finds nothing, and the one for PBS runs a model over several jobs,
# with stand-ins for qsub and for the time that a job has.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

scripts() {
    awk '/^```sh$/ { on = 1; text = ""; next }
         /^```$/ { on = 0 }
         on { text = text $0 "\n" }
         on && /^# job\.[a-z]* - / { name = $2 }
         on && name != "" { printf "%s", text > name; text = "" }
         !on { name = "" }' "$WS_SRC/docs/clusters.md"
}
scripts
assert_eq "scripts" "job.pbs job.slurm" "$(echo job.*)"
for script in job.*; do
    assert_eq "first line of $script" '#!/bin/sh' "$(head -n 1 $script)"
    if have shellcheck; then
        assert_ok "shellcheck $script" shellcheck $script
        assert_eq "shellcheck $script" "" "$(cat last.out)"
    fi
done

# A stand-in for timeout that lets the first job begin a checkpoint and then stops it, as the limit would.
mkdir bin
cat >bin/timeout <<'SH'
#!/bin/sh
shift 3
if [ "$PBS_JOBID" = "$FIRST_JOB" ]; then
    exec_mpirun=$1
    shift
    "$exec_mpirun" "$@" --raise=15 --at=10
    [ $? -ne 143 ] || exit 124
    exit 1
fi
exec "$@"
SH
cat >bin/qsub <<'SH'
#!/bin/sh
echo "$*" >>qsub.txt
SH
cat >bin/mpirun <<'SH'
#!/bin/sh
if [ "$1" = --mca ]; then
    shift 3
    exec "$@"
fi
shift 2
exec "$@"
SH
chmod +x bin/*
model="$WS_TEST_BIN/signalled --end=40 --enable-gvt-stats=1 --fingerprint"
[ -x "$WS_TEST_BIN/signalled" ] || skip "signalled is not built"
$model >whole.txt
first=ws$$.1 second=ws$$.2
export FIRST_JOB=$first
run_job() {
    PATH=$PWD/bin:$PATH PBS_JOBID=$1 PBS_O_WORKDIR=$PWD COMMAND=$model sh job.pbs >"$1.txt" 2>&1
}
run_job $first
assert_eq "status of the first job" 0 $?
assert_contains "the first job" $first.txt "Run Ended: stopped by a signal"
assert_contains "the next job" qsub.txt "-v COMMAND=$model job.pbs"
run_job $second
assert_eq "status of the second job" 0 $?
assert_contains "the second job" $second.txt "goes on at time"
assert_eq "events" "$(grep 'Fingerprint' whole.txt)" "$(grep 'Fingerprint' $second.txt)"
for job in $first $second; do
    assert_ok "recording of $job" "$WS_BIN/warpscope" stats rec/$job
    assert_ok "files of $job" "$WS_BIN/warpscope" verify rec/$job
    assert_eq "what is left of $job" "" "$(ls -d /tmp/rec.$job 2>/dev/null)"
done
assert_eq "jobs" 1 "$(grep -c '' qsub.txt)"
finish
