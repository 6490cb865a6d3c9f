#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --checkpoint-every and --restart from outside: models on other numbers of ranks and under other schedulers,
# the report, and every refusal. test_cuts.sh compares recordings.
# test: processors=2 timeout=200
. "$WS_SRC/tests/support/lib.sh"

# ---- Runs that continue --------------------------------------------------------------------------

# like WHAT: the last run_model ended like the first one.
like() {
    assert_eq "$1" "$wanted" "$net $events $states"
}

phold="$WS_BIN/phold --end=40"
run_model 1 $phold --synch=1 --nlp=24 --checkpoint-every=9 --checkpoint-path=p1 --checkpoint-keep=9
wanted="$net $events $states"
assert_eq "checkpoints" 4 "$(json_get run.json checkpoints.written)"
run_model 1 $phold --synch=1 --nlp=24
like "a run without checkpoints"
past_end=$(json_get run.json counters.events_past_end)
run_model 2 $phold --synch=2 --nlp=12 --restart=p1/at-1
like "phold on 2 ranks, conservative"
assert_eq "where it went on" 9 "$(json_get run.json restarted_at)"
assert_eq "events past the end" "$past_end" "$(json_get run.json counters.events_past_end)"
assert_num "events before" "$(json_get run.json net_events_before)" '>' 100
run_model 3 $phold --synch=3 --nlp=8 --restart=p1 --checkpoint-every=0.001s
like "phold on 3 ranks, optimistic, with checkpoints by wall clock"
assert_num "numbers go on" "$(ls p1 | sed 's/at-//' | sort -n | tail -1)" '>=' 4

netsim="$WS_BIN/netsim --end=0.01"
run_model 1 $netsim --synch=1
wanted="$net $events $states"
run_model 3 $netsim --synch=3 --checkpoint-every=0.002 --checkpoint-path=n3
like "netsim with checkpoints"
assert_eq "two are kept" "at-3 at-4" "$(echo $(ls n3))"
run_model 2 $netsim --synch=3 --restart=n3 --random-rollbacks=50
like "netsim on 2 ranks"
run_model 1 $netsim --synch=1 --restart=n3/at-3
like "netsim on 1 rank"

# ---- Output --------------------------------------------------------------------------------------

chaos="$WS_TEST_BIN/chaos --end=30 --quiet --output=1"
$chaos --synch=1 >all.out
$chaos --synch=1 --checkpoint-every=16 --checkpoint-path=c >other.out
# one file per rank: launchers split the lines of several ranks
run_mpi 2 sh -c 'exec "$@" >rest.out.$$' sh $chaos --synch=3 --restart=c
cat rest.out.* >rest.out
lines() {
    grep "^at [0-9.]* lp " "$1" | sort
}
lines all.out >all.lines
lines rest.out >rest.lines
assert_num "lines after the checkpoint" "$(wc -l <rest.lines)" '>' 10
assert_eq "lines that the whole run does not have" "" "$(comm -13 all.lines rest.lines)"
# Samples are carried by themselves as well. test_cuts.sh records everything at once.
sampled="$WS_BIN/phold --quiet --nlp=24 --end=20 --vt-interval=3 --engine-stats=4 --lp-data=1"
$sampled --stats-path=sampled --checkpoint-every=10 --checkpoint-path=s >sampled.out
$sampled --stats-path=sampled2 --restart=s >sampled2.out
for run in sampled sampled2; do
    "$WS_BIN/warpscope" dump --merge --type=vt_lp --from=12 $run/warpscope-vt.bin >$run.csv
done
assert_num "samples of LPs after the checkpoint" "$(wc -l <sampled2.csv)" '>' 24
assert_same "samples of LPs after the checkpoint" sampled.csv sampled2.csv

# An interval longer than the range of the clock means never.
assert_ok "in 1e300 s" $phold --quiet --nlp=24 --checkpoint-every=1e300s --checkpoint-path=never
assert_eq "checkpoints in 1e300 s" "" "$(ls never)"

# ---- Options of the model ------------------------------------------------------------------------

# Options that differ from those of the checkpoint are reported, and no others.
rm -rf p1
$phold --quiet --nlp=24 --checkpoint-every=9 --checkpoint-path=p1 --checkpoint-keep=9 >p1.out
assert_ok "other options" $phold --nlp=24 --mean=3 --restart=p1
assert_contains "other options" last.err \
    "differ from those of the run that wrote the checkpoint: --mean=3 (was 1)"
assert_ok "the same options" $phold --nlp=24 --restart=p1 --synch=3
assert_eq "the same options" 0 "$(grep -c differ last.err)"
assert_ok "quiet" $phold --nlp=24 --mean=3 --restart=p1 --quiet
assert_contains "quiet" last.err "--mean=3 (was 1)"
assert_lacks "quiet" last.err "goes on at time"

# ---- Refusals ------------------------------------------------------------------------------------

# refused WHAT TEXT OPTIONS...
refused() {
    what=$1 text=$2
    shift 2
    $phold --quiet --nlp=24 "$@" >refused.out 2>refused.err
    assert_eq "status, $what" 2 $?
    assert_eq "lines of error, $what" 1 "$(wc -l <refused.err)"
    assert_contains "$what" refused.err "$text"
}
damage() {
    rm -rf d
    cp -r p1/. d
    file=d/at-4/rank-0-of-1.ckpt
}
echo >plain
refused "no directory" "there is no complete checkpoint" --restart=nowhere
refused "other LPs" "24 LPs, this one has 25" --restart=p1 --nlp=25
refused "other messages" "8 bytes per message" --restart=p1 --payload=24
refused "other generator" "--rng=clcg4" --restart=p1 --rng=fast
refused "other seeds" "other seeds" --restart=p1 --rng-seed1=1 --rng-seed2=2 --rng-seed3=3 \
    --rng-seed4=4
refused "an early end" "at time 36, and this run is to end at 30" --restart=p1 --end=30
$phold --quiet --nlp=24 --mean=9 --checkpoint-every=36 --checkpoint-path=p9 >p9.out
refused "a late end" "cannot continue to 60" --restart=p9 --mean=9 --end=60
refused "a hash that is not known" "without --fingerprint" --restart=p1 --fingerprint
refused "another run's directory" "holds checkpoints of another run" --checkpoint-every=9 \
    --checkpoint-path=p1
refused "a file instead of a directory" "=plain: cannot be written: Not a directory" --checkpoint-every=9 \
    --checkpoint-path=plain
refused "no interval" "--checkpoint-every=0: must be" --checkpoint-every=0
refused "a word" "--checkpoint-every=1m: must be" --checkpoint-every=1m
refused "none to keep" "at least 1" --checkpoint-every=1 --checkpoint-keep=0
: >plain
refused "a file for a directory" "cannot be written: Not a directory" --checkpoint-every=1 \
    --checkpoint-path=plain/x
damage
head -c 1000 p1/at-4/rank-0-of-1.ckpt >$file
refused "a file cut short" "is damaged: it ends too early; to continue from an older" --restart=d
damage
printf 'X' | dd of=$file bs=1 seek=700 conv=notrunc 2>/dev/null
refused "a changed byte" "the checksum of " --restart=d
damage
cp p1/at-3/rank-0-of-1.ckpt $file && mv $file d/at-4/rank-0-of-2.ckpt
cp p1/at-4/rank-0-of-1.ckpt d/at-4/rank-1-of-2.ckpt
refused "files of others" "belongs to another checkpoint" --restart=d
damage
mv $file $file.tmp
assert_ok "an incomplete one is passed over" $phold --nlp=24 --restart=d
assert_contains "an incomplete one is passed over" last.out "Restarted From: d/at-3"

# ---- States with pointers ------------------------------------------------------------------------

# pointing RANKS POINTERS OPTIONS...
pointing() {
    ranks=$1 pointers=$2
    shift 2
    rm -rf pointing
    run_mpi "$ranks" "$WS_TEST_BIN/pointing" --quiet --end=20 --pointers="$pointers" \
        --checkpoint-every=4 --checkpoint-path=pointing "$@" >pointing.out 2>pointing.err
    status=$?
}
if [ -r /proc/self/maps ]; then
    for ranks in 1 3; do
        for pointers in none numbers io; do
            pointing $ranks $pointers
            assert_eq "status, $pointers, ranks $ranks" 0 $status
            assert_eq "checkpoints, $pointers, ranks $ranks" 2 "$(ls pointing | wc -l)"
        done
        pointing $ranks init
        assert_eq "status with pointers, ranks $ranks" 2 $status
        assert_eq "lines with pointers, ranks $ranks" 1 "$(grep -c 'pointing: ' pointing.err)"
        assert_contains "pointers" pointing.err \
            "the state of LP 1 holds a pointer, at offset 8 of 16, which is invalid after a restart"
        assert_eq "checkpoints with pointers" "" "$(ls pointing)"
        pointing $ranks later
        assert_eq "status with pointers later, ranks $ranks" 0 $status
        assert_eq "checkpoints with pointers later, ranks $ranks" "at-1" "$(ls pointing)"
        assert_eq "warnings" 1 "$(grep -c 'holds a pointer, at offset 8 of 16, see' pointing.err)"
        pointing $ranks init --checkpoint-pointers
        assert_eq "status with --checkpoint-pointers, ranks $ranks" 0 $status
        assert_eq "checkpoints with --checkpoint-pointers" "at-3 at-4" "$(echo $(ls pointing))"
    done
    pointing 1 io --fingerprint
    assert_ok "a restart" "$WS_TEST_BIN/pointing" --quiet --end=20 --pointers=io --restart=pointing
fi

# ---- A disk that is full -------------------------------------------------------------------------

(
    trap '' XFSZ
    ulimit -f 20000 # half KiB
    exec $phold --quiet --nlp=100000 --end=4 --payload=200 --checkpoint-every=1 \
        --checkpoint-path=full
) >full.out 2>full.err
assert_eq "status with a full disk" 0 $?
assert_eq "lines on stderr" 1 "$(wc -l <full.err)"
assert_contains "warning" full.err "cannot write its file in full: File too large; the run goes on"
assert_contains "report" full.out "Not Written for Errors"
assert_eq "nothing is left" "" "$(ls full)"
assert_eq "memory of what is left" 0 "$(awk '/Size of Checkpoints on Disk/ { print $NF }' full.out)"
# limited RANKS...: the disk is full for these ranks.
limited() {
    for rank in 0 1 2; do
        limit=unlimited
        case " $* " in *" $rank "*) limit=20000 ;; esac
        echo "-n 1 sh -c 'trap \"\" XFSZ; ulimit -f $limit; exec \"\$@\"' sh $phold --quiet --nlp=20000 --end=4 --payload=1000 --checkpoint-every=1 --checkpoint-path=full3"
    done | paste -s -d: | sed 's/:/ : /g' >command.txt
    rm -rf full3
    eval "$WS_MPIEXEC $(cat command.txt)" >full.out 2>full.err
    assert_eq "status with full disks" 0 $?
    assert_eq "warnings of the ranks $*" 1 "$(grep -c warning: full.err)"
    assert_contains "warning" full.err "$# of 3 ranks cannot write their files in full3: File too large"
    assert_eq "checkpoints of the ranks $*" "0 3" "$(awk '/Checkpoints (Not )?Written/ { print $NF }' full.out | paste -s -d' ')"
    assert_eq "what is left by the ranks $*" "" "$(find full3 -mindepth 1)"
    assert_eq "memory of what is left by the ranks $*" 0 "$(awk '/Size of Checkpoints on Disk/ { print $NF }' full.out)"
}
limited 1
limited 0 1 2
finish
