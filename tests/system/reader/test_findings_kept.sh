#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Findings of "warpscope report" in kept recordings of real runs, for rules whose figures depend on how the machine
# shares its processors; README.md in tests/data/findings says how they were made. Each has its findings and no others,
# so that each of these rules has a recording that it judges and some that it does not.
# test: processors=1 timeout=60
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/findings.sh"

for archive in "$WS_SRC"/tests/data/findings/*.tar.gz; do
    gzip -dc "$archive" | tar -xf - || fail "cannot unpack $archive"
done

# says NAME RULES TEXT: the recording has findings by these rules, in alphabetical order, and one of them says this.
says() {
    found_in "$1"
    assert_eq "findings of $1" "$2" "$(xargs <found.txt)"
    assert_contains "what is said of $1" found.json "$3"
}

says shared "ranks shared" "PE 0 was ready to run, but had no processor, for 83 %"
says ranks "nkp ranks shared" "one rank alone would need about 0.054 s for handlers and queue; this run took 0.455 s"
assert_contains "fewer ranks" found.json '"launcher":"-n 1"'
says efficiency-period "efficiency-period placement ranks" "efficiency falls to 21 %; it is 65 % over the whole run"
says rollback-pair "placement ranks rollback-pair shared" "44 % of the rollbacks hit PE 1 because of events from PE 0"
says waiting "phases-exact placement ranks waiting" "PE 1 spends 85 % of its time waiting and scheduling"
says network-time "network-time placement ranks" "PE 1 spends 42 % of its time taking in messages"
says max-opt-lookahead "max-opt-lookahead placement" "27 % of the executed events were undone"
says tight-bound "max-opt-lookahead phases-exact ranks" "leaves 16 events of a rank between two of the 40000 GVT"
assert_contains "no bound" found.json '"options":"--max-opt-lookahead=0"'
says queue-grows "queue-grows ranks synch" "grows during the whole run: from 6.46e+03 to 3.2e+04 events per PE"
assert_lacks "no fewer ranks" found.json '"launcher":"-n 1"'

# Each rule has a recording of a real run in which it finds something, here or in the tests beside this one.
sed -n '/^| subject/,/^$/s/^| [^a-z]\([a-z-]*\)[^a-z] | .*/\1/p' "$WS_SRC/docs/tuning.md" >rules.txt
assert_eq "rules in docs/tuning.md" 25 "$(grep -c '' <rules.txt)"
while read -r rule; do
    (cd "$WS_SRC/tests/system/reader" && cat test_findings.sh test_findings_kept.sh test_advise.sh) |
        grep -v '^#\|grep' | grep -qwe "$rule" || fail "no recording for the rule $rule"
done <rules.txt
finish
