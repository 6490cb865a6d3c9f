#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The documentation of the instrumentation is complete: each field of each record, each option and callback is
# in a table, and each test that a table names exists.
. "$WS_SRC/tests/support/lib.sh"

fields="$WS_SRC/docs/instrumentation-fields.md"
coverage="$WS_SRC/tests/instrumentation-coverage.md"

# named WHAT FILE NAME...: fails for names that are not in a row of a table, between backquotes.
missing() {
    missing_file=$1
    shift
    for name in "$@"; do
        grep -q -e "^|.*\`[^\`]*\<$name\>[^\`]*\`" "$missing_file" || echo "$name"
    done
}

# Fields, from the list that defines the records.
names=$(grep -o 'X([a-z][a-z0-9_]*, [UIF][0-9]*,' "$WS_SRC/instrumentation/format/schema_list.h" |
    sed 's/X(//; s/,.*//' | sort -u)
assert_num "fields found" "$(echo "$names" | wc -l | tr -d ' ')" ">" 40
# shellcheck disable=SC2086 # a list
assert_eq "fields that are not documented" "" "$(missing "$fields" $names)"
records=$(grep -o ' Y([A-Z_]*, [a-z_]*, [0-9]' "$WS_SRC/instrumentation/format/schema_list.h" |
    sed 's/.*([A-Z_]*, //; s/,.*//')
assert_num "records found" "$(echo "$records" | wc -l | tr -d ' ')" ">" 12
# shellcheck disable=SC2086
assert_eq "records that are not documented" "" "$(for r in $records; do
    grep -q -e "\`$r\`" "$fields" || echo "$r"; done)"

# Options, from the help.
assert_ok "--help=all" "$WS_BIN/phold" --help=all
awk '/^[^ ].*:$/ { ours = /^Warpscope instrumentation/ } ours' last.out >help.txt
options=$(grep -o '^  --[a-z-]*' help.txt | sed 's/^  --//')
assert_num "options found" "$(echo "$options" | wc -l | tr -d ' ')" ">" 15
# shellcheck disable=SC2086
assert_eq "options without a test in the table" "" "$(for o in $options; do
    grep -q -e "^|.*\`--$o[=\`]" "$coverage" || echo "$o"; done)"
assert_eq "lines of help beyond 80 columns" "" "$(awk 'length($0) > 80' help.txt)"

# Callbacks, from the struct that models fill.
members=$(awk '/^typedef struct st_model_types/,/^}/' "$WS_SRC/instrumentation/st.h" |
    sed -n 's/^ .*[ *]\([a-z_]*\);.*/\1/p')
assert_num "members found" "$(echo "$members" | wc -l | tr -d ' ')" ">" 8
# shellcheck disable=SC2086
assert_eq "callbacks without a test in the table" "" "$(missing "$coverage" $members)"

# Tests that the table names.
grep -o 'test_[a-z0-9_]*\.\(sh\|c\)' "$coverage" | sort -u >named.txt
assert_num "tests named" "$(wc -l <named.txt | tr -d ' ')" ">" 8
assert_eq "tests that do not exist" "" "$(while read -r test; do
    [ -n "$(find "$WS_SRC/tests" "$WS_SRC/models" -name "$test")" ] || echo "$test"; done <named.txt)"
assert_eq "rows without a test" "" "$(awk -F'|' '
    /^\| / && $4 !~ /^ tests $/ && $4 !~ /test_[a-z0-9_]*\.(sh|c)/' "$coverage")"
finish
