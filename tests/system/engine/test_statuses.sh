#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# All models have the same exit statuses: 2 for a file that an option names and that cannot be read or made,
# before anything is written; 1 when results cannot be written in the end.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

# ---- Files that are not there ---------------------------------------------------------------------

for case in netsim,--topology,1 netsim,--traffic,1 qnet,--network-file,2 phold,--args-file,1 \
    $(echo memsim,--trace,1 | built) $(echo memsim,--trace,2 | built); do
    ranks=${case##*,} option=${case#*,} program=${case%%,*}
    option=${option%,*}
    assert_refused missing.file "$ranks" "$WS_BIN/$program" "$option=missing.file" --enable-gvt-stats=1
    assert_eq "files that $program $option has made" "" "$(ls | grep -v '^last')"
done

# ---- Files that cannot be made --------------------------------------------------------------------

for case in netsim,--links-csv=no/x netsim,--flows-csv=no/x qnet,--results=no/x \
    $(echo memsim,--trace-out=no/x,--workload=producer | built); do
    program=${case%%,*}
    # shellcheck disable=SC2046 # words
    assert_refused no/x 1 "$WS_BIN/$program" --synch=1 $(echo "${case#*,}" | tr , ' ')
done

# ---- Results that cannot be written ---------------------------------------------------------------

[ -w /dev/full ] || { partly "no /dev/full for results that cannot be written"; finish; }
ln -s /dev/full full-1
for case in netsim,--links-csv=full-1,--end=0.001 qnet,--results=full-1,--end=100 \
    $(echo memsim,--trace-out=full,--workload=producer | built); do
    program=${case%%,*}
    # shellcheck disable=SC2046 # words
    assert_status "$program on a full disk" 1 "$WS_BIN/$program" --synch=1 --quiet \
        $(echo "${case#*,}" | tr , ' ')
    assert_contains "message of $program on a full disk" last.err "full-1"
    assert_contains "results of $program on a full disk" last.out "$program: "
done
finish
