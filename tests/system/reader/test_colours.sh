#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Text has colours on terminals only, without NO_COLOR and with a TERM that can show them, or by
# CLICOLOR_FORCE. The words are the same without colours. Data never has colours.
# test: processors=1 timeout=60
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
unset NO_COLOR CLICOLOR_FORCE
TERM=xterm
export TERM
mkdir run bad
"$WS_TEST_BIN/make_run" run a pes=2 kps=2 lps=5 samples=8 records=80 rollbacks=4 || fail "make_run"
for seed in 1 2; do
    "$WS_BIN/phold" --quiet --synch=1 --nlp=4 --end=$((4 + seed)) --event-trace=3 --stats-path=phold$seed \
        >phold.out 2>&1 || fail "phold"
done
head -c 70000 run/a-rt.bin >bad/a-rt.bin
escape=$(printf '\033')

# coloured FILE: prints how many lines have escape sequences.
coloured() {
    grep -c "$escape\[" "$1"
}
plain() {
    sed "s/$escape\[[0-9]*m//g" "$1"
}

cat >text.txt <<'END'
--help
stats --help
stats run
verify run
verify bad
info run/a-rt.bin
diff phold1 phold1
diff phold1 phold2
END
while read -r command; do
    # shellcheck disable=SC2086 # words
    "$warpscope" $command >piped.txt 2>/dev/null
    assert_eq "colours of $command in a file" 0 "$(coloured piped.txt)"
    # shellcheck disable=SC2086
    CLICOLOR_FORCE=1 "$warpscope" $command >forced.txt 2>/dev/null
    assert_num "colours of $command by force" "$(coloured forced.txt)" ">=" 1
    plain forced.txt >words.txt
    assert_same "words of $command" words.txt piped.txt
    # shellcheck disable=SC2086
    CLICOLOR_FORCE=0 "$warpscope" $command >forced.txt 2>/dev/null
    assert_same "$command with CLICOLOR_FORCE=0" forced.txt piped.txt
    # shellcheck disable=SC2086
    NO_COLOR=1 CLICOLOR_FORCE=1 "$warpscope" $command >forced.txt 2>/dev/null
    assert_same "$command with NO_COLOR" forced.txt piped.txt
done <text.txt
NO_COLOR='' CLICOLOR_FORCE=1 "$warpscope" --help >forced.txt
assert_num "colours with an empty NO_COLOR" "$(coloured forced.txt)" ">=" 1

for command in "stats --json run" "verify --json run" "info --json run" "diff --json phold1 phold2" "dump run" \
    "help --roff stats" "completion bash" "--version" "rerun phold1"; do
    # shellcheck disable=SC2086
    CLICOLOR_FORCE=1 "$warpscope" $command >forced.txt 2>/dev/null
    assert_file "$command" forced.txt
    assert_eq "colours of $command by force" 0 "$(coloured forced.txt)"
done

# on_terminal SETTINGS... COMMAND: what a terminal shows.
on_terminal() {
    script -qec "env $*" /dev/null </dev/null | tr -d '\r' >shown.txt
}
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    on_terminal TERM=xterm "$warpscope" verify run
    assert_num "colours on a terminal" "$(coloured shown.txt)" ">=" 3
    assert_contains "colours on a terminal" shown.txt "$escape[32mcomplete and valid$escape[0m"
    on_terminal TERM=dumb "$warpscope" verify run
    assert_eq "colours on a dumb terminal" 0 "$(coloured shown.txt)"
    on_terminal -u TERM "$warpscope" verify run
    assert_eq "colours on an unknown terminal" 0 "$(coloured shown.txt)"
    on_terminal NO_COLOR=1 "$warpscope" verify run
    assert_eq "colours on a terminal with NO_COLOR" 0 "$(coloured shown.txt)"
else
    partly "no script(1), which makes terminals"
fi
finish
