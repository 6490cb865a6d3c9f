#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests that are one program (tests/support/joined.c) define no name but that of their main(): a function in place of the
# engine's would be in place for all of them. Such a test has alone=yes.
# test: processors=1
. "$WS_SRC/tests/support/lib.sh"

find "$WS_BUILD/tests/CMakeFiles" -path '*/tests_*.dir/*.o' >objects.txt
assert_num "tests that share a program" "$(grep -c '/test_' objects.txt)" '>' 150
# shellcheck disable=SC2046 # a list of files
assert_eq "names that these define" "" "$(nm -g --defined-only $(cat objects.txt) |
    awk 'NF == 3 && $3 !~ /^(test_[a-z0-9_]*_)?main$/ { print $3 }')"
finish
