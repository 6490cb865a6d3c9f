#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# memsim refuses invalid options and traces with one message that says what, where and what to do, on all
# ranks. A run that ends early reports how far it came, and so does its trace.
# test: processors=1 timeout=120
. "$WS_SRC/tests/support/lib.sh"

memsim() {
    assert_ok "memsim $*" "$WS_BIN/memsim" --synch=1 --quiet "$@"
}
zeros='\000\000\000\000\000\000\000\000'
# trace SM...: a launch with an access by each SM, to stdout
trace() {
    printf '\030\nk\n'
    for sm in "$@"; do printf '%b' "\\004\\000\\000\\000\\00$sm\\000\\000\\000$zeros$zeros"; done
    printf '%b' "$zeros$zeros$zeros"
}
trace 0 0 >good.trc
trace 2 >sm2.trc

# ---- Refusals -------------------------------------------------------------------------------------

# refused TEXT OPTIONS...
refused() {
    text=$1
    shift
    assert_refused "$text" 1 "$WS_BIN/memsim" --synch=1 "$@"
}
for option in sms=5000 outstanding=0 clock=0 clock=nan header=0 slices=0 dram-bandwidth=-3 t-rcd=inf \
    element-size=0 fan-in=1 network-latency=0 row-size=64; do
    refused "memsim: --${option%=*}" --workload=producer --$option
done
for option in slices=3 line=96 row-size=3000; do
    refused "is not a power of two" --workload=producer --$option
done
refused "are more than --slices=2" --workload=producer --slices=2 --channels=4
refused "--l2-size=1000 is not" --workload=producer --l2-size=1000
refused "--workload=x: must be" --workload=x
refused "--cta-schedule=x: must be" --workload=producer --cta-schedule=x
refused "give either --trace=FILE[,FILE...] or --workload=NAME"
refused "give either" --workload=producer --trace=good.trc
refused "none.trc: cannot open" --trace=good.trc,none.trc
for list in 'good.trc,' ',good.trc' 'good.trc,,good.trc'; do
    refused "--trace=$list: a name of a file is missing" --trace=$list
done
refused "memsim: --element-size=300000000: must be a whole number from 1 to 1048576" --workload=producer \
    --element-size=300000000
refused "--trace names 65 files; at most 64" --trace="good.trc$(printf ',good.trc%.0s' $(seq 64))"
refused "--trace-out: none/x-1: no file can be made" --workload=producer --trace-out=none/x
mkdir -p folder-2
cp good.trc own-1
echo --quiet >args-2
refused "name the same file, own-1; give two" --workload=producer --trace-out=own --csv=own-1
refused "name the same file, ./args-2" --workload=producer --trace-out=args --args-file=./args-2
assert_eq "args file" --quiet "$(cat args-2)"
rm args-2
refused "name the same file, own-1; give two" --trace=own-1 --trace-out=own
ln -f own-1 linked.trc
refused "--trace-out=own would replace linked.trc, which is read" --trace=linked.trc --trace-out=own
refused "--trace-out: folder-2 is a directory" --trace=good.trc,good.trc --trace-out=folder
assert_eq "files after refusals" folder-2 "$(echo folder-*)"
refused "choose a directory with --scratch" --workload=producer --scratch=none
head -c 40 good.trc >cut.trc
refused "cut.trc: at byte" --trace=cut.trc
refused "sm2.trc: superstep 0 has an access by SM 2, and there are 2 SMs" --trace=sm2.trc --sms=2
memsim --trace=sm2.trc
# More accesses than a temporary file may have: 3 blocks of 512 bytes.
small_files() {
    trap '' XFSZ
    ulimit -f 3
    exec "$WS_BIN/memsim" "$@"
}
(small_files --synch=1 --workload=producer --elements=1000) >last.out 2>last.err
assert_eq "status of a run with small files" 2 $?
assert_contains "message of a run with small files" last.err "choose another directory with --scratch"
# Ranks that find another trace, or none.
mkdir -p other
trace 0 1 >other/good.trc
cat >in_other.sh <<'END'
[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" = 0 ] || cd other || exit
exec "$@"
END
for case in 'good,the ranks have not read the same' 'sm2,sm2.trc: cannot open'; do
    assert_status "${case%,*} on ranks that differ" 2 \
        run_mpi 2 sh in_other.sh "$WS_BIN/memsim" --synch=2 --trace="${case%,*}.trc"
    assert_contains "${case%,*} on ranks that differ" last.err "memsim: ${case#*,}"
done

# ---- Runs that end early --------------------------------------------------------------------------

bandwidth() { awk '$1 == "bandwidth" { print $2 }' last.out; }

# Small input, long run: an access is 8192 requests.
"$WS_BIN/memsim" --synch=1 --quiet --workload=producer --element-size=1048576 --trace-out=early >last.out 2>last.err &
wait_for $! grep -q 'memsim: DRAM' last.out
wait_until_heard $! 100
kill -TERM $!
wait $!
assert_eq "status after a signal" 143 $?
assert_contains "a run that a signal has ended" last.out "ns, before its launches"
assert_num "GB/s up to the signal" "$(bandwidth)" '>' 0.1
assert_ok "its trace" "$WS_BIN/warpscope" memtrace info early-1
# Accesses planned beyond the end do not count as done before it.
assert_ok "a run that is cut off" "$WS_BIN/memsim" --synch=1 --quiet --workload=producer --elements=1000 \
    --dram-bandwidth=0.1 --channels=1 --end=9000
assert_num "GB/s before the end" "$(bandwidth)" '<=' 0.1
assert_ok "a trace left by one of the same number" sh -c 'echo left >left-1.part-$$
    exec "$1" --synch=1 --quiet --workload=producer --trace-out=left' sh "$WS_BIN/memsim"
assert_ok "the trace" "$WS_BIN/warpscope" memtrace info left-1
assert_ok "with a trace left" "$WS_BIN/memsim" --synch=1 --quiet --workload=producer --trace-out=left
assert_contains "what is said" last.err "memsim: note: left-1.part-"
assert_eq "what was left" "left" "$(cat left-1.part-*)"
assert_ok "all of it undone" "$WS_BIN/memsim" --synch=4 --quiet --workload=producer --trace-out=undone
assert_contains "all of it undone" last.err "no launch of stream 1 has begun, so undone-1 is not written"
finish
