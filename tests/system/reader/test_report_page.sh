#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The page of "warpscope report" in a real browser: each view has its marks, a range chosen in one view changes
# the others, the keyboard, absent parts, hostile names, widths, light and dark.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

d3=$(sed -n 's/^WARPSCOPE_D3:[A-Z]*=//p' "$WS_BUILD/CMakeCache.txt")
[ -f "$d3" ] || skip "the library d3 is not installed (Debian: node-d3)"
browser=${WS_BROWSER-$(command -v chromium || command -v chromium-browser || command -v google-chrome-stable)}
[ -n "$browser" ] || skip "there is no Chromium here (Debian: chromium)"
export PYTHONDONTWRITEBYTECODE=1

assert_ok "the page in $browser" python3 "$WS_SRC/tests/system/python/report_page.py" "$WS_SRC" "$d3" "$browser"
[ "$failures" -eq 0 ] || cat last.out
assert_num "checks" "$(sed -n 's/ checks, 0 failed$//p' last.out)" ">" 90
finish
