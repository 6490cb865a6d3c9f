#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The site: it is made without a warning of Sphinx; every link and anchor leads somewhere, nothing is loaded from the network;
# each function that the headers declare has its entry; the search finds a function from a file; and no page is wider than
# its window.
# test: timeout=200 sanitize=no
. "$WS_SRC/tests/support/lib.sh"

for python in python3 /usr/bin/python3; do
    "$python" -c 'import sphinx, myst_parser, furo, numpy' 2>/dev/null && break
    python=
done
[ -n "$python" ] || skip "no python3 with Sphinx, MyST, Furo and numpy"
[ -e "$WS_BUILD/lib/libwarpscope-reader.so" ] || skip "the reader's library is not built"

assert_ok "making the site" "$python" "$WS_SRC/docs/site/site_pages.py" "$WS_SRC" "$WS_BUILD" . 0.1.0
[ "$failures" -eq 0 ] || finish
assert_ok "the site" "$python" "$WS_SRC/tests/system/python/site_check.py" html "$WS_SRC"
finish
