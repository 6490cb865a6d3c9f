#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope memtrace convert": both forms have the same results; what is left of a truncated trace is kept and
# marked; existing files and invalid input cost one message.
# test: processors=1 timeout=60 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
rules=$WS_SRC/tests/data/memtrace/rules.trc

assert_ok "to the packed form" "$warpscope" memtrace convert "$rules" packed.trc
assert_ok "and again" "$warpscope" memtrace convert packed.trc again.trc
assert_same "the packed form of the packed form" packed.trc again.trc
assert_ok "back" "$warpscope" memtrace convert --form=plain packed.trc plain.trc
assert_same "the same bytes" plain.trc "$rules"
for what in info all; do
    assert_ok "$what of version 1" "$warpscope" memtrace $what --json plain.trc
    sed 's/plain[.]trc/packed.trc/' last.out >expected.json
    assert_ok "$what of the packed form" "$warpscope" memtrace $what --json packed.trc
    sed "/\"bytes\"/d" expected.json >expected.most
    sed "/\"bytes\"/d" last.out >got.most
    assert_same "$what" got.most expected.most
done

assert_status "an existing file" 1 "$warpscope" memtrace convert "$rules" plain.trc
assert_contains "an existing file" last.err "plain.trc: exists already: --force replaces it"
assert_ok "replaced" "$warpscope" memtrace convert --force "$rules" plain.trc

# What a killed program leaves.
for form in plain packed; do
    assert_ok "$form" "$warpscope" memtrace convert --force --form=$form "$rules" whole.trc
    size=$(wc -c <whole.trc)
    head -c $((size - 30)) whole.trc >"cut-$form.trc"
    assert_status "a truncated file, $form" 1 "$warpscope" memtrace convert "cut-$form.trc" none.trc
    assert_contains "a truncated file, $form" last.err "the file is truncated"
    [ ! -e none.trc ] || fail "a file of half a trace"
    assert_ok "its beginning, $form" "$warpscope" memtrace convert --force --recover "cut-$form.trc" left.trc
    assert_status "its accesses, $form" 1 "$warpscope" memtrace dump --csv left.trc
    assert_contains "the mark, $form" last.err "accesses: cut-$form.trc: at byte"
    assert_num "accesses kept, $form" "$(wc -l <last.out)" ">" 20
done
assert_status "no operand" 2 "$warpscope" memtrace convert plain.trc
assert_status "no form" 2 "$warpscope" memtrace convert --form=other plain.trc x.trc
assert_status "no input" 1 "$warpscope" memtrace convert nowhere.trc x.trc
assert_status "no directory" 1 "$warpscope" memtrace convert plain.trc nowhere/x.trc
assert_contains "no directory" last.err "nowhere/x.trc: cannot create: No such file"
[ -z "$(find . -name '*.part-*')" ] || fail "an incomplete file is left"
finish
