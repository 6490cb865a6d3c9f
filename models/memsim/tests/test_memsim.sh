#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# memsim simulates its configuration: an idle memory needs exactly the sum of its parts, a saturated channel
# reaches its bandwidth, and the workloads have the volumes and transfers of their closed forms
# (models/memsim/README.md).
# test: processors=1 timeout=120
. "$WS_SRC/tests/support/lib.sh"

memsim() {
    assert_ok "memsim $*" "$WS_BIN/memsim" --synch=1 --quiet "$@"
    assert_contains "end of memsim $*" last.out "memsim: all launches have ended"
}
value() { # ROW: prints the first number of a row
    awk -v row="$1" 'index($0, "  " row " ") == 1 { sub("  " row, ""); printf "%.9g", $1; exit }' last.out
}

# ---- Times ----------------------------------------------------------------------------------------

zeros='\000\000\000\000\000\000\000\000'
# record TYPE LINE: 4 bytes, by SM 0 and CTA 0, at address LINE * 256, both octal
record() { printf '%b' "\\004\\000\\000\\$1\\000\\000\\000\\000\\000\\$2\\000\\000\\000\\000\\000\\000$zeros"; }
launch() { printf '\nk\n'; "$@"; printf '%b' "$zeros$zeros$zeros"; }
records() { for one in $(echo "$1" | tr + ' '); do record "${one%,*}" "${one#*,}"; done; }
# trace TYPE,LINE[+TYPE,LINE]...: a launch for each argument, to stdout
trace() { printf '\030'; for all in "$@"; do launch records "$all"; done; }
# Slices and channels alone, a row of two lines in each of two banks. Parts of a load: 12.5 for 25 bytes at 2
# GB/s, 3 of network, 10 cycles of 0.5, 7 to the channel; 11 to close, 13 to open a row, 17 of --t-cl, 64 for
# a line of 256 bytes; 7, 14.5 for 29 bytes, 3. A request of a store carries its data.
parts='--slices=1 --channels=1 --l2-size=4096 --ways=1 --line=256 --row-size=512 --banks=2 --header=25
    --port-bandwidth=2 --network-latency=3 --clock=2 --l2-latency=10 --channel-latency=7
    --dram-bandwidth=4 --t-rp=11 --t-rcd=13 --t-cl=17 --launch-latency=100'
base=38     # 12.5 + 3 + 5 + 14.5 + 3
to_dram=14  # 7 + 7
# idle LATENCY TYPE,LINE...: one access per launch; latency is their mean
idle() {
    wanted=$1
    shift
    trace "$@" >idle.trc
    # shellcheck disable=SC2086 # options
    memsim --trace=idle.trc $parts
    assert_near "latency of $*" "($wanted) / $#" "$(value latency)" 1e-8
    end=$(sed -n 's/.*the last one at \([0-9.]*\) ns/\1/p' last.out)
    assert_num "end of $*" "$end" == "$# * 200 + $wanted"
}
opened="$base + $to_dram + 13 + 17 + 64"
idle "$opened" 000,000
idle "$opened" 020,000                               # stores: 14.5 there, 12.5 back
idle "$opened + 2" 040,000                           # atomics: 14.5 there, 14.5 back
idle "$opened + $base" 000,000 000,000               # hit
idle "$opened + $opened - 13" 000,000 000,001        # row hit
idle "2 * ($opened)" 000,000 000,002                 # another bank
idle "2 * ($opened) + 11" 000,000 000,004            # another row of the first bank
# Another line of the same set: the dirty one is written back after it, which leaves its row open.
idle "3 * ($opened) + 11 - 13" 020,000 000,020 000,000
assert_eq "lines written back" 1 "$(value 'written back')"
assert_eq "lines evicted" 2 "$(value evicted)"

# more OPTIONS LAUNCH...: the same memory with other options; accesses of one launch arrive together.
more() {
    options=$1
    shift
    trace "$@" >more.trc
    # shellcheck disable=SC2086 # options
    memsim --trace=more.trc $parts $options
}
# Stores to a cached line: the second one leaves when the port has passed the first, and finds all ports free.
more '' 020,000 020,000+020,000
assert_near "latency of stores, one after the other" "($opened + 2 * $base) / 3" "$(value latency)" 1e-8
# A port that is faster than the clock: one request per cycle, so none waits for the tags.
more --port-bandwidth=10000 020,000 020,000+020,000+020,000
assert_num "waiting before slices" "$(value waiting)" == 0
# Requests that wait for one line are answered one cycle apart.
more '--clock=0.01 --t-cl=1000' 000,000+000,000+000,000
assert_num "end of merged loads" "$(sed -n 's/.*the last one at \([0-9.]*\) ns/\1/p' last.out)" == \
    "200 + 12.5 + 3 + 1000 + 14 + 13 + 1000 + 64 + 2 * 100 + 14.5 + 3"
# A request behind a stalled one is stalled, too, although an MSHR already waits for its line.
more --mshrs=1 000,000+000,001+000,000
assert_eq "stalled" 2 "$(value stalled)"
# Retries are a cycle apart. A line is requested at 1103 and arrives at 1211; the next one, stalled until
# 1311, arrives at 1406. Then the requests stalled behind it hit, at 1411 and 1511, and all answers are out
# 103 later.
more '--mshrs=1 --clock=0.01 --port-bandwidth=10000' 000,000+000,001+000,000+000,000
assert_eq "stalled" 3 "$(value stalled)"
assert_near "end of retries" 1614 "$(sed -n 's/.*the last one at \([0-9.]*\) ns/\1/p' last.out)" 1e-4
# Work of banks and bus: two rows opened, two rows opened after others were closed, three hits. Requests of 29
# + 5 * 25 bytes and answers of 25 + 5 * 29 through ports of 2 GB/s, seven lines over a bus of 4.
more '' 020,000 000,020 000,000 000,001 000,002 000,003
end=$(sed -n 's/.*the last one at \([0-9.]*\) ns/\1/p' last.out)
percent() { awk -v end="$end" "BEGIN { printf \"%.2f %%\", 100 * ($1) / end }"; }
for row in "row hits +3 are 42[.]86 %" "rows opened +4 of them 2 had to" \
    "SM ports +$(percent 154/2) of" "slice ports +$(percent 170/2) of" \
    "bandwidth .* $(percent '7 * 64') of 4 GB/s"; do
    assert_num "lines of: $row" "$(grep -Ec "^  $row" last.out)" == 1
done
# Two banks, one bus: the second load is ready for it at 42.5, and gets it at 94.
more '' 000,000+000,002
assert_near "waiting before banks and bus" "(94 - 42.5) / 2" \
    "$(awk '$1 == "waiting" { ns = $2 } END { print ns }' last.out)" 1e-8
# Each time the port becomes free again, except the last.
more --outstanding=1 000,000+000,000+000,000
assert_eq "blocked" 2 "$(value blocked)"
# The least recently used of two ways is replaced; a hit counts as a use, and so does the arrival of a line.
two='--ways=2 --l2-size=8192'
for case in '1 000,000 000,020 000,000' '2 000,000 000,020 000,000 000,040 000,000' \
    '2 000,000 000,020 000,000 000,040 000,000 000,020'; do
    # shellcheck disable=SC2086 # launches
    more "$two" ${case#* }
    assert_eq "hits of ${case#* }" "${case%% *}" "$(value hits)"
done
# A line becomes dirty by a store or an atomic that hits, misses or joins a load.
for case in '1 000,000 020,000 000,020' '1 000,000 040,000 000,020' '1 040,000 000,020' \
    '1 000,000+020,000 000,020' '1 000,000+040,000 000,020' '0 000,000+000,000 000,020'; do
    # shellcheck disable=SC2086 # launches
    more '' ${case#* }
    assert_eq "lines written back after ${case#* }" "${case%% *}" "$(value 'written back')"
done
# Two streams on one SM alternate: their launches take about the same time.
trace 000,000+000,000+000,000+000,000+000,000+000,000+000,000+000,000 >turns.trc
# shellcheck disable=SC2086 # options
memsim --trace=turns.trc,turns.trc $parts --outstanding=1
end=$(sed -n 's/.*the last one at \([0-9.]*\) ns/\1/p' last.out)
assert_num "mean time of a launch" "$(sed -n 's/.*mean time \([0-9.]*\) ns$/\1/p' last.out)" '>' "0.9 * $end"

# A channel with row hits and rows opened in time only: as fast as its bus.
for channels in 1 2; do
    memsim --workload=reduction --ctas=1 --elements=8000 --element-size=128 --channels=$channels \
        --dram-bandwidth=2
    assert_num "lines read" "$(value reads)" == 8001
    assert_near "GB/s of $channels channels" "2 * $channels" "$(value bandwidth)" 0.01
    assert_num "GB/s of $channels channels" "$(value bandwidth)" '<=' "2 * $channels"
    assert_contains "bandwidth of $channels channels" last.out "% of $((2 * channels)) GB/s"
done
# A port: 64 bytes and a header of 8 take 72 ns; other times are negligible.
memsim --workload=reduction --ctas=1 --elements=4000 --element-size=64 --port-bandwidth=1 --slices=1 \
    --channels=1 --dram-bandwidth=1000
assert_near "share of the slice's port" 100 "$(value 'slice ports')" 0.01

# ---- Closed forms ---------------------------------------------------------------------------------

# sums FILE: prints the bytes of each superstep, kernel and type, in all and of communication; then kernels,
# bytes and loads of each pair of supersteps.
sums() {
    "$WS_BIN/warpscope" memtrace volumes --csv "$1" | awk -F, 'NR > 1 { print $2, $3, $4, $5, $6 }'
    "$WS_BIN/warpscope" memtrace transfers --csv "$1" | awk -F, 'NR > 1 {
        pair = $6 " " $2 " " $12 " " $8; bytes[pair] += $13; loads[pair] += $14 }
        END { for (pair in bytes) print "transfer", pair, bytes[pair], loads[pair] }'
}
# closed OPTIONS...: compares the sums of a workload with the expected ones in closed.txt.
closed() {
    memsim "$@" --trace-out=workload
    sums workload-1 | sort >sums.txt
    sort closed.txt | awk 'NF' >wanted.txt
    assert_num "rows for $*" "$(wc -l <wanted.txt)" '>' 3
    assert_same "sums of $*" wanted.txt sums.txt
}

for shape in '7 5' '1 1'; do
    c=${shape% *} e=${shape#* } b=3
    n=$((c * e))
    for r in 0 1; do
        echo "$((2 * r)) produce store $((n * b)) $((n * b))"
        echo "$((2 * r + 1)) consume load $((n * b)) $((n * b))"
        echo "transfer $((2 * r)) produce $((2 * r + 1)) consume $((n * b)) $n"
    done >closed.txt
    closed --workload=producer --ctas="$c" --elements="$e" --element-size=$b --repeat=2
done

for shape in '5 3' '3 1' '2 2' '1 4'; do
    c=${shape% *} t=${shape#* } b=8 rounds=4
    awk -v c="$c" -v t="$t" -v b=$b -v rounds=$rounds '
        function inner(sides) { return t > sides ? t - sides : 0 }
        BEGIN {
            halo = 4 * t * c * (c - 1)
            inside = c == 1 ? t : 2 * inner(1) + (c - 2) * inner(2)
            edge = c * c * t * t - inside * inside
            for (k = 0; k < rounds; k++) {
                print k, "stencil load", (c * c * t * t + halo) * b, (k > 0) * halo * b
                print k, "stencil store", c * c * t * t * b, (k < rounds - 1) * edge * b
                if (k > 0 && halo > 0) print "transfer", k - 1, "stencil", k, "stencil", halo * b, halo
            }
        }' >closed.txt
    closed --workload=stencil --ctas="$c" --elements="$t" --element-size=$b --repeat=$rounds
done

for shape in '17 2' '100 10' '3 5'; do
    c=${shape% *} f=${shape#* } e=6 b=4
    awk -v n="$c" -v f="$f" -v e=$e -v b=$b 'BEGIN {
        for (l = 0; ; l++) {
            print l, "reduce load", (l == 0 ? n * e : n) * b, l == 0 ? 0 : n * b
            if (l > 0) print "transfer", l - 1, "reduce", l, "reduce", n * b, n
            if (n == 1) break
            print l, "reduce atomic", n * b, n * b
            n = int((n + f - 1) / f)
        }
        print l, "reduce store", b, 0 }' >closed.txt
    closed --workload=reduction --ctas="$c" --fan-in="$f" --elements=$e --element-size=$b
done

c=9 b=8
n=$((c * c))
for r in 0 1; do
    k=$((3 * r))
    for row in "$k fill store" "$((k + 1)) transpose load" "$((k + 1)) transpose store" \
        "$((k + 2)) use load"; do
        echo "$row $((n * b)) $((n * b))"
    done
    echo "transfer $k fill $((k + 1)) transpose $((n * b)) $n"
    echo "transfer $((k + 1)) transpose $((k + 2)) use $((n * b)) $n"
done >closed.txt
closed --workload=transpose --ctas=$c --element-size=$b --repeat=2

finish
