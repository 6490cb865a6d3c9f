#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The page of "warpscope report" in a real browser: each view has its marks, a range chosen in one view changes
# the others, the keyboard, absent parts, hostile names, widths, light and dark. Also the pages that the command
# makes of recordings: their numbers are those of "warpscope stats".
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

d3=$(sed -n 's/^WARPSCOPE_D3:[A-Z]*=//p' "$WS_BUILD/CMakeCache.txt")
[ -f "$d3" ] || skip "the library d3 is not installed (Debian: node-d3)"
browser=${WS_BROWSER-$(command -v chromium || command -v chromium-browser || command -v google-chrome-stable)}
[ -n "$browser" ] || skip "there is no Chromium here (Debian: chromium)"
export PYTHONDONTWRITEBYTECODE=1

for seed in 5 6; do
    mkdir run$seed
    assert_ok "recording $seed" "$WS_TEST_BIN/make_run" run$seed a seed=$seed pes=3 kps=4 lps=24 samples=60 \
        records=4000 rollbacks=20
done
assert_ok "report" "$WS_BIN/warpscope" report -o run.html run5
assert_ok "report of two" "$WS_BIN/warpscope" report -o both.html run5 run6
"$WS_BIN/warpscope" stats --json run5 >stats.json
[ "$failures" -eq 0 ] || finish

assert_ok "the page in $browser" python3 "$WS_SRC/tests/system/python/report_page.py" "$WS_SRC" "$d3" "$browser" \
    run.html stats.json both.html
[ "$failures" -eq 0 ] || cat last.out
assert_num "checks" "$(sed -n 's/ checks, 0 failed$//p' last.out)" ">" 140
finish
