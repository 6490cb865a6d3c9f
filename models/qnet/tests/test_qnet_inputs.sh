#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# qnet refuses invalid options and files before the run: exit status 2, one message that says where and what,
# and no file written.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

# refuse RANKS TEXT OPTIONS...
refuse() {
    ranks=$1 text=$2
    shift 2
    assert_refused "$text" "$ranks" "$WS_BIN/qnet" --enable-gvt-stats=1 --results=refused.json "$@"
    assert_eq "files written by $*" "" "$(ls -d stats-output* refused.json 2>/dev/null)"
}

refuse 1 '--copies=0: must be' --copies=0
refuse 2 '--batches=1: must be' --batches=1
refuse 1 '--batches=1001: must be' --batches=1001
refuse 1 '--cross=1.5: must be' --cross=1.5
refuse 1 '--transit=-1: must be' --transit=-1
refuse 1 '--load=1 is out of range' --load=1
refuse 1 '--warmup=10 is out of range' --warmup=10 --end=5
refuse 1 'unexpected argument "open3"' open3
refuse 2 '--network=nosuch: there is central, closed' --network=nosuch
refuse 1 '--jobs=5: open3 is an open network' --jobs=5
refuse 1 '--jobs=10001 is out of range' --network=closed --jobs=10001
refuse 1 '--load: closed is a closed network' --network=closed --load=0.5
refuse 1 '--cross needs an open network' --network=closed --cross=0.5
refuse 2 '--synch=2 needs time between stations' --synch=2 --transit=0
refuse 2 '--transit=1e-300 is lost in rounding before --end=10; give at least 2e-15' --synch=2 --transit=1e-300 --end=10
refuse 1 'missing.qn: cannot be opened: No such file' --network-file=missing.qn
refuse 2 'missing.qn: cannot be opened: No such file' --network-file=missing.qn
mkdir -p folder.qn
refuse 1 'folder.qn: cannot be read: Is a directory' --network-file=folder.qn
printf 'station a rate=1\0' >zero.qn
refuse 1 'zero.qn: is no text' --network-file=zero.qn
refuse 1 '--results=no/such/file: cannot be written' --results=no/such/file
for option in load=nan transit=inf warmup=nan end=nan copies=-1 jobs=x; do
    assert_status "--$option" 2 "$WS_BIN/qnet" "--$option"
done

# file TEXT LINES...: a network of these lines is refused with the text.
file() {
    text=$1
    shift
    printf '%s\n' "$@" >net.qn
    refuse 1 "$text" --network-file=net.qn
}

good='station a rate=1 arrivals=0.5'
file 'net.qn: there are no stations' '# nothing'
file 'net.qn:2: "statoin": a line begins with' "$good" 'statoin b rate=1'
file 'net.qn:1: "": a station needs a name' 'station'
file 'net.qn:1: "a:b": a station needs a name' 'station a:b rate=1'
file 'a station needs a name' "station $(printf '%040d' 0) rate=1"
file 'net.qn:2: station a is there already' "$good" "$good"
file 'net.qn:1: station a has no rate' 'station a'
file 'net.qn:1: rate=0: must be a rate from 1e-9' 'station a rate=0'
file 'net.qn:1: rate=1x: must be a rate' 'station a rate=1x'
file 'net.qn:1: rate=nan: must be a rate' 'station a rate=nan'
file 'net.qn:1: arrivals=-1: must be a rate from 0' 'station a rate=1 arrivals=-1'
file 'net.qn:1: servers=0: must be a whole number' 'station a rate=1 servers=0'
file 'net.qn:1: servers=1.5: must be a whole number' 'station a rate=1 servers=1.5'
file 'net.qn:1: "colour=red": a station has' 'station a rate=1 colour=red'
file 'net.qn:2: a route needs a station' "$good" 'route a'
file 'net.qn:2: there is no station "b" above' "$good" 'route a b:1'
file 'net.qn:2: "a": write TO:P' "$good" 'route a a'
file 'net.qn:2: "a:2": write TO:P with a probability' "$good" 'route a a:2'
file 'net.qn:3: station a has its routes already' "$good" 'route a a:0.1' 'route a a:0.2'
file 'net.qn:2: write jobs N' "$good" 'jobs 0'
file 'the routes of station a sum to 1.2, more than 1' "$good" 'route a a:0.6 a:0.6'
file 'this network has no jobs' 'station a rate=1'
file 'no job ever comes to station b' "$good" 'station b rate=1'
file 'jobs never leave the network from station a on' "$good" 'route a a:1'
file 'station a is offered 2.5 times what its server can do' 'station a rate=0.2 arrivals=0.5'
file 'the routes of station b sum to 0.9; in a closed' 'station a rate=1' 'station b rate=1' \
    'route a b:1' 'route b a:0.9' 'jobs 2'
file 'station a has arrivals in a closed network' "$good" 'route a a:1' 'jobs 1'
file 'jobs cannot go from station b to station a' 'station a rate=1' 'station b rate=1' \
    'route a a:0.5 b:0.5' 'route b b:1' 'jobs 2'
{ printf 'station a rate=1 '; printf 'x%.0s' $(seq 1 9000); echo; } >net.qn
refuse 1 'net.qn:1: longer than 8191 characters' --network-file=net.qn

# Valid input is accepted: comments, blank lines, no newline at the end, CR LF.
printf '# two\r\nstation a rate=1 arrivals=0.5 # one\r\n\r\nstation b servers=inf rate=2\nroute a b:1' >net.qn
assert_ok "a good file" "$WS_BIN/qnet" --network-file=net.qn --end=100 --synch=1 --quiet
assert_contains "heading of a good file" last.out 'net.qn: open, 2 stations, 0.5 jobs per time unit'
assert_contains "no job waits" last.out 'b (inf)'

# A full disk is reported at the end.
if [ -w /dev/full ]; then
    assert_status "full disk" 1 "$WS_BIN/qnet" --end=100 --synch=1 --quiet --results=/dev/full
    assert_contains "message of a full disk" last.err '/dev/full: could not be written completely'
fi
finish
