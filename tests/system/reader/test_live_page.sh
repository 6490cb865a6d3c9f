#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The page of "warpscope serve" in a real browser, about runs of 2 and of 8 ranks that go on: its numbers are those of
# "warpscope top --json", updates arrive and leave the focus alone, requests act, names are text, a run that ends becomes
# its report, and the page says when the server does not know it or has ended.
# test: processors=2 timeout=240
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"

warpscope=$WS_BIN/warpscope
browser=${WS_BROWSER-$(command -v chromium || command -v chromium-browser || command -v google-chrome-stable)}
[ -n "$browser" ] || skip "there is no Chromium here (Debian: chromium)"
grep -q '^WARPSCOPE_REPORT:[A-Z]*=ON' "$WS_BUILD/CMakeCache.txt" || skip "the library d3 is not installed (Debian: node-d3)"
if "$warpscope" serve --port=0 --listen=nowhere . 2>&1 | grep -q 'without libmicrohttpd'; then
    skip "libmicrohttpd is not installed (Debian: libmicrohttpd-dev)"
fi
export PYTHONDONTWRITEBYTECODE=1

# A finished run whose LPs have hostile names.
cat >hostile.gml <<'GML'
graph [
  node [ id 0 label "<img src=x onerror=hacked=1>" ]
  node [ id 1 label "</script><script>hacked=1</script>" ]
  edge [ source 0 target 1 ]
]
GML
assert_ok "hostile names" run_mpi 2 "$WS_BIN/netsim" --synch=3 --quiet --topology=hostile.gml --capacity=1e9 --delay=0.001 \
    --end=0.05 --random-rollbacks=4 --enable-gvt-stats=1 --kp-data=1 --lp-data=1 --model-stats=1 --stats-path=hostile

server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null' EXIT
for ranks in 2 8; do
    gated_start "$ranks" 6 --synch=3 --real-time-samp=1 --kp-data=1 --random-rollbacks=3
    await_gate
    "$warpscope" serve --port=0 --control rec hostile >serve.out 2>serve.err &
    server=$!
    assert_ok "the address" wait_for "$server" test -s serve.out
    assert_ok "the page about $ranks ranks" python3 "$WS_SRC/tests/system/python/live_page.py" "$browser" "$warpscope" \
        "$(head -n 1 serve.out)" "$server" "$ranks"
    [ "$failures" -eq 0 ] || cat last.out last.err serve.err
    assert_num "checks" "$(sed -n 's/ checks, 0 failed$//p' last.out)" ">=" 12
    kill "$server" 2>/dev/null
    wait "$server"
    server=
    printf xxxxxxxx >>gate
    gated_end
    assert_eq "the run was stopped" 143 "$gated_status"
done
finish
