#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The libraries keep the binary interface of the first version with their soname: no function, variable or type that
# programs use is removed or changed. A removed function would fail.
# test: labels=long timeout=600 sanitize=no
. "$WS_SRC/tests/support/lib.sh"

for tool in abidw abidiff xz; do
    have $tool || skip "there is no $tool"
done
uname -m | grep -q x86_64 || skip "the descriptions are of x86-64"
assert_ok "describing the interfaces" sh "$WS_SRC/scripts/abi.sh" "$WS_SRC" "$PWD/now"
[ "$failures" -eq 0 ] || finish
for name in libwarpscope libwarpscope_bus libwarpscope-reader; do
    xz -dc "$WS_SRC/tests/data/abi/$name.abi.xz" >$name.abi
    assert_num "functions of $name" "$(grep -c "elf-symbol.*type='func-type'" $name.abi)" '>' 20
    # Additions are allowed.
    assert_ok "the interface of $name" abidiff --no-added-syms $name.abi now/$name.abi
done

# Without one of its functions, or with a type of another size, a library fails the comparison.
one=$(sed -n "s/.*elf-symbol name='\(tw_event_new\)'.*/\1/p" now/libwarpscope.abi)
assert_eq "a function" tw_event_new "$one"
sed "/elf-symbol name='$one'/d; /function-decl name='$one'/,/<\/function-decl>/d" now/libwarpscope.abi >less.abi
assert_status "a removed function" 12 abidiff --no-added-syms libwarpscope.abi less.abi
assert_contains "a removed function" last.out "$one"
sed "/class-decl name='tw_lp'/s/size-in-bits='[0-9]*'/size-in-bits='8'/" now/libwarpscope.abi >other.abi
assert_ne "a type of another size" 0 "$(abidiff --no-added-syms libwarpscope.abi other.abi >last.out; echo $?)"
finish
