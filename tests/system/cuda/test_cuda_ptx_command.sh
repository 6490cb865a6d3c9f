#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope-ptx: every kept module of the programs is rewritten once and stays as it is the second time; reports;
# damaged input, a full disk and wrong options give one message and leave no file.
# test: processors=1 timeout=60 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

ptx=$WS_BIN/warpscope-ptx
[ -x "$ptx" ] || skip "warpscope-ptx is not built (WARPSCOPE_CUDA=OFF)"
modules=$WS_SRC/cuda/programs/ptx

# one_message WHAT STATUS TEXT COMMAND...: the command fails with one line that has the text, and no output.
one_message() {
    message_what=$1
    message_text=$3
    message_status=$2
    shift 3
    assert_status "$message_what" "$message_status" "$@"
    assert_eq "$message_what: lines on standard error" 1 "$(wc -l <last.err)"
    assert_contains "$message_what" last.err "$message_text"
    assert_eq "$message_what: output" "" "$(cat last.out)"
}

mkdir out
find "$modules" -name '*.ptx' | sort >modules.txt
assert_num "kept modules" "$(wc -l <modules.txt)" ">=" 25
while read -r module; do
    if ! "$ptx" --quiet "$module" -o out/once.ptx || ! "$ptx" --quiet out/once.ptx -o out/twice.ptx; then
        fail "$module is not rewritten"
    elif cmp -s "$module" out/once.ptx || ! cmp -s out/once.ptx out/twice.ptx; then
        fail "$module: rewritten once or twice wrongly"
    fi
    # Each line of the source is in its place: all that is not inserted is the same.
    entries=$(grep -c '^[.a-z ]*\.entry ' "$module")
    hidden=$(grep -c '_warpscope_slot)' out/once.ptx)
    [ "$entries" -eq "$hidden" ] || fail "$module: $hidden hidden parameters, $entries kernels"
done <modules.txt

module=$(grep 'sm_90-O0/saxpy\.ptx$' modules.txt)
"$ptx" "$module" >expected.ptx
"$ptx" <"$module" >got.ptx
assert_same "standard input" got.ptx expected.ptx
assert_ok "a report" "$ptx" --list "$module"
assert_contains "its kernels" last.out " saxpy  "
assert_contains "its accesses" last.out "traced: loads "
assert_ok "names" "$ptx" --names -o traced.ptx "$module"
assert_same "the module beside a report" traced.ptx expected.ptx
name=$(head -n 1 last.out | cut -f1)
assert_contains "the name" "$module" ".entry $name("
assert_ok "JSON" "$ptx" --json "$module"
assert_eq "its kernel" "$name" "$(json_get last.out kernels.0.name)"
assert_ok "the help" "$ptx" --help
assert_contains "the help" last.out "usage: warpscope-ptx [options] [FILE]"
for shell in bash zsh fish; do
    assert_ok "completion in $shell" "$ptx" --help=$shell
    cp last.out complete.$shell
    assert_contains "completion in $shell" last.out "warpscope-ptx"
    assert_eq "options in $shell" 1 "$(grep -c -e '--help[][ =]' -e '-l help ' last.out)"
done
if command -v bash >/dev/null && [ "$(bash -c 'echo ${BASH_VERSINFO[0]}')" -ge 4 ]; then
    # complete_line.bash WORDS...: prints the answers of bash to the last word.
    cat >complete_line.bash <<'E'
source ./complete.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
function_of=$(complete -p "${1##*/}" | sed 's/.*-F \([^ ]*\) .*/\1/')
"$function_of" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
E
    assert_ok "syntax" bash -n complete.bash
    : >unlike.ptx
    assert_eq "an option" "--names" "$(bash --norc complete_line.bash warpscope-ptx --na)"
    assert_eq "the operand" "unlike.ptx" "$(bash --norc complete_line.bash warpscope-ptx unlike)"
    assert_eq "the output" "unlike.ptx" "$(bash --norc complete_line.bash warpscope-ptx --output = unlike)"
fi
if have zsh; then assert_ok "syntax" zsh -n complete.zsh; fi
if have fish; then assert_ok "syntax" fish --no-config -n complete.fish; fi

{
    printf '.version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n.reg .b32 %%r<3>; .reg .b64 %%d<3>;\n'
    printf 'suld.b.1d.b32.trap {%%r1}, [%%d1, {%%r2}];\nfrobnicate.global [%%d1];\nret;\n}\n'
} >odd.ptx
assert_ok "instructions that are not traced" "$ptx" odd.ptx -o traced.ptx
assert_contains "their note" last.err "2 instructions may access global memory and are not traced"
assert_ok "their report" "$ptx" --list odd.ptx
assert_contains "a surface" last.out "   7  suld.b.1d.b32.trap  k                       yes"
assert_contains "an unknown word" last.out "   8  frobnicate.global   k                        no"

printf '.version 8.8\n.target sm_80\n.address_size 64\n.entry k(.hidden .param .u64 a)\n{\nret;\n}\n' >hidden.ptx
assert_ok "a kernel that is not traced" "$ptx" hidden.ptx -o hidden_out.ptx
assert_eq "its note" "warpscope-ptx: hidden.ptx: kernel k is not traced: it has parameters with the attribute .hidden" \
    "$(cat last.err)"
assert_ok "without notes" "$ptx" --quiet hidden.ptx -o hidden_out.ptx
assert_eq "without notes" "" "$(cat last.err)"

rm -rf out
mkdir out
head -c 1500 "$module" >cut.ptx
one_message "a cut module" 1 "cut.ptx: line " "$ptx" cut.ptx -o out/cut.ptx
sed 's/sm_90/odd/' "$module" >old.ptx
one_message "an odd target" 1 "old.ptx: the module's target is odd; traces need sm_70" "$ptx" old.ptx -o out/old.ptx
sed 's/^\.version .*/.version 19.0/' "$module" >new.ptx
one_message "a new version" 1 "new.ptx: line " "$ptx" new.ptx -o out/new.ptx
: >empty.ptx
one_message "an empty file" 1 "empty.ptx: line " "$ptx" empty.ptx -o out/empty.ptx
one_message "a missing file" 1 "missing.ptx: cannot read: " "$ptx" missing.ptx -o out/missing.ptx
one_message "a directory" 1 "out: cannot read: " "$ptx" out
one_message "two files" 2 "takes one file" "$ptx" cut.ptx old.ptx
one_message "two reports" 2 "exclude each other" "$ptx" --list --json "$module"
one_message "a report on the output" 2 "both" "$ptx" --list -o - "$module"
one_message "a wrong option" 2 "did you mean --list?" "$ptx" --lisst "$module"
cp "$module" in.ptx
one_message "the input as output" 1 "in.ptx" "$ptx" in.ptx -o in.ptx
assert_same "the input" in.ptx "$module"
if [ -w /dev/full ]; then
    one_message "a full disk" 1 "No space left" "$ptx" "$module" -o /dev/full
    assertions=$((assertions + 1))
    "$ptx" --list "$module" >/dev/full 2>last.err && fail "a report on a full disk: exit status 0"
    assert_contains "a report on a full disk" last.err "No space left"
fi
assert_eq "files of failed runs" "" "$(ls out)"
finish
