#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Findings of "warpscope report" in recordings of real runs that depend on which rank has a processor when: each
# run is repeated until it has its finding. test_findings.sh has those that need no repetition, test_findings_kept.sh
# those in kept recordings.
# test: processors=2 timeout=600 labels=long
# shellcheck disable=SC2086 # lists
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/findings.sh"

phold="$WS_BIN/phold --quiet"

seen efficiency-period 3 $phold --nlp=64 --nkp=64 --remote=0.7 --synch=3 --lookahead=0.01 --end=60 --enable-gvt-stats=1
seen queue-grows 1 "$WS_BIN/agents" --quiet --synch=3 --width=20 --height=20 --energy=10 --growth=100 --grass=1000 \
    --appetite=4 --metabolism=1.8 --end=60 --enable-gvt-stats=1
many=$(($(nproc) + 1))
if [ "$many" -le 5 ]; then
    seen ranks "$many" $phold --nlp=8 --synch=2 --end=5 --enable-gvt-stats=1
    assert_contains "more ranks than processors" found.json "$many ranks shared"
else
    partly "crowded ranks need more ranks than the $((many - 1)) processors here"
fi
finish
