#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# netsim refuses invalid options and files before the run: exit status 2, one message that says where and
# what, and no file written.
# test: processors=2 timeout=300
. "$WS_SRC/tests/support/lib.sh"

# refuse RANKS TEXT OPTIONS...
refuse() {
    ranks=$1 text=$2
    shift 2
    assert_refused "$text" "$ranks" "$WS_BIN/netsim" --enable-gvt-stats=1 --links-csv=refused.csv "$@"
    assert_eq "files written by $*" "" "$(ls -d stats-output* refused.csv 2>/dev/null)"
}

refuse 1 '--hosts=0: must be' --hosts=0
refuse 1 '--hosts=1001: must be' --hosts=1001
refuse 2 '--load=-1: must be' --load=-1
refuse 1 '--load=101: must be' --load=101
refuse 1 '--capacity=0: must be' --capacity=0
refuse 1 '--buffer=-5: must be' --buffer=-5
refuse 1 '--buffer=1000 is too small' --buffer=1000
refuse 1 '--access-rate=0.5: must be' --access-rate=0.5
refuse 1 '--access-delay=-1: must be' --access-delay=-1
refuse 1 '--warmup=2 is out of range' --warmup=2 --end=1
refuse 1 '--warmup=-3 is out of range' --warmup=-3
refuse 2 '--mix=40:x: wrong at "40:x"' --mix=40:x
refuse 1 'unexpected argument "abilene.gml"' abilene.gml

# The option reader may already refuse NaN and similar values.
for option in load=nan load=inf buffer=nan access-delay=inf warmup=nan end=nan hosts=-1 hosts=x; do
    assert_status "--$option" 2 "$WS_BIN/netsim" "--$option"
done

for file in both.csv ./both.csv .//both.csv; do
    assert_refused 'name the same file, both.csv; give two' 1 "$WS_BIN/netsim" --links-csv=both.csv --flows-csv="$file"
    [ "$file" != ./both.csv ] || : >both.csv
done
# An output does not overwrite an input.
echo 'graph [ ]' >own.gml
for option in links-csv flows-csv report-json; do
    assert_refused 'name the same file' 1 "$WS_BIN/netsim" --topology=own.gml --$option=./own.gml
    assert_eq "topology after --$option" 'graph [ ]' "$(cat own.gml)"
done
refuse 1 'missing.gml: cannot be opened: No such file' --topology=missing.gml
refuse 2 'missing.gml: cannot be opened: No such file' --topology=missing.gml
refuse 1 'missing.txt: cannot be opened' --traffic=missing.txt
mkdir -p folder.gml
refuse 1 'folder.gml: cannot be read: Is a directory' --topology=folder.gml
: >empty.gml
refuse 1 'empty.gml:0: the file is empty' --topology=empty.gml
printf 'graph [\n node [ id 1\n' >cut.gml
refuse 3 'cut.gml:3: not a GML graph' --topology=cut.gml
cat >island.gml <<'GML'
graph [
  node [ id 1 label "Here" lat 0 lon 0 ]
  node [ id 2 label "There" lat 0 lon 1 ]
  node [ id 3 label "Nowhere" lat 1 lon 1 ]
  edge [ source 1 target 2 ]
]
GML
refuse 2 'island.gml:4: node "Nowhere" cannot be reached from node "Here"' --topology=island.gml
sed 's/target 2/target 3 ] edge [ source 3 target 2 capacity -1/' island.gml >negative.gml
refuse 1 'negative.gml:5: link "There" - "Nowhere" has capacity -1' --topology=negative.gml
refuse 1 '--delay=9: must be' --delay=9
printf 'Seattle Denver 1e6\nSeattle Boston 1e6\n' >boston.txt
refuse 2 'boston.txt:2: no node of' --traffic=boston.txt

refuse 5 '5 ranks are more than the 4 LPs' --hosts=1 \
    --topology="$WS_SRC/models/netsim/data/bottleneck.gml"
refuse 3 '--synch=2 needs time between ranks' --synch=2 --access-rate=0 --access-delay=0 --hosts=1 \
    --topology="$WS_SRC/models/netsim/data/bottleneck.gml"
assert_status "an output file in no directory" 2 "$WS_BIN/netsim" --flows-csv=no/folder/f.csv
assert_contains "its message" last.err 'no/folder/f.csv: cannot be written: No such file'
finish
