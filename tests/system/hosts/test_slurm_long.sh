#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The script for SLURM of docs/clusters.md, under slurmctld, slurmd and munged that run here with a configuration
# of their own: a job reaches its time limit, starts again from its checkpoint, and ends on a request.
# test: processors=2 timeout=400 labels=long
. "$WS_SRC/tests/support/lib.sh"

export PATH="$PATH:/usr/sbin"
for tool in slurmctld slurmd munged sbatch srun; do
    command -v $tool >/dev/null || skip "needs $tool (Debian: slurmctld slurmd slurm-client munge)"
done
[ "$WS_MPI_KIND" = openmpi ] || skip "Debian's SLURM starts Open MPI (pmix)"
[ "$(id -u)" = 0 ] || skip "slurmd needs root"

# ---- A cluster of one node, whose daemons end with this script
slurm=$(mktemp -d) # a short path, for the socket
host=$(hostname -s)
port=$((20000 + $$ % 10000))
daemons=
stop_daemons() {
    [ -z "$job" ] || scancel "$job" 2>/dev/null
    for pid in $daemons; do
        kill "$pid" 2>/dev/null
    done
    for pid in $daemons; do
        wait_for "$pid" false
    done
    rm -rf "$slurm"
}
job=
trap stop_daemons EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$slurm"
mkdir "$slurm/state" "$slurm/spool"
dd if=/dev/urandom of="$slurm/key" bs=1024 count=1 2>/dev/null
chmod 600 "$slurm/key"
cat >"$slurm/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 10000))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge,cred_expire=5
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$PWD/slurmctld.log
SlurmdLogFile=$PWD/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SwitchType=switch/none
MailProg=/bin/true
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$slurm/slurm.conf"
munged --foreground --force --key-file="$slurm/key" --socket="$slurm/munge" --pid-file="$slurm/munged.pid" \
    --log-file="$slurm/munged.log" --seed-file="$slurm/seed" >munged.out 2>&1 &
daemons=$!
wait_for $! test -S "$slurm/munge"
slurmctld -D -f "$SLURM_CONF" >slurmctld.out 2>&1 &
daemons="$! $daemons"
slurmd -D -f "$SLURM_CONF" >slurmd.out 2>&1 &
slurmd_pid=$!
daemons="$slurmd_pid $daemons"
is_idle() {
    sinfo --noheader --format=%T | grep -q idle
}
wait_for $slurmd_pid is_idle
is_idle || { tail -n 5 slurmctld.log; tail -n 5 slurmd.log; skip "the daemons of SLURM do not work here"; }

# ---- The job
awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on && /^# job.pbs/ { exit } on' "$WS_SRC/docs/clusters.md" \
    >job.slurm
job=$(sbatch --parsable --ntasks=2 --time=00:01:00 --signal=TERM@45 --output=job.txt job.slurm \
    "$WS_BIN/phold" --synch=3 --nlp=32 --end=1e9 --fingerprint --enable-gvt-stats=1)
state() {
    scontrol show job "$job" 2>/dev/null | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p'
}
is() {
    [ "$(state)" = "$1" ]
}
goes_on() {
    grep -q 'goes on at time' job.txt
}
assert_ne "job" "" "$job"
wait_for $slurmd_pid test -d rec/0/"$host"
wait_for $slurmd_pid is PENDING
assert_ok "a longer limit for the second start" scontrol update JobId="$job" TimeLimit=20
wait_for $slurmd_pid goes_on
assert_contains "the first start" job.txt "Run Ended: stopped by a signal"
assert_contains "the second start" job.txt "goes on at time"
assert_ok "recording of the first start" "$WS_BIN/warpscope" stats rec/0
assert_contains "two ranks" last.out "optimistic, 2 ranks"
assert_ok "the node" "$WS_BIN/warpscope" verify rec/0/"$host"
# signals by the batch system, then a request that ends the job
assert_ok "USR2" scancel --signal=USR2 "$job"
wait_for $slurmd_pid grep -q 'SIGUSR2: a checkpoint' job.txt
assert_contains "USR2" job.txt "SIGUSR2: a checkpoint at time"
touch enough
assert_ok "stop" "$WS_BIN/warpscope" ctl "/tmp/rec.$job.1" stop --timeout=100
wait_for $slurmd_pid is FAILED
assert_eq "state" FAILED "$(state)"
assert_eq "exit status" 143:0 "$(scontrol show job "$job" | sed -n 's/.* ExitCode=\([0-9:]*\).*/\1/p')"
assert_eq "starts" 2 "$(grep -c 'recording to' job.txt)"
assert_ok "recording of the second start" "$WS_BIN/warpscope" verify rec/1/"$host"
assert_eq "what is left on the node" "" "$(ls -d /tmp/rec."$job".* 2>/dev/null)"
[ "$failures" -eq 0 ] || { tail -n 30 job.txt; tail -n 10 slurmctld.log; }
finish
