#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bash, zsh and fish complete commands, options, values and files of warpscope: all that --help shows, also
# when it was read from "warpscope completion SHELL". Shells that are not there are left out.
# test: processors=1 timeout=120
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
PATH=$WS_BIN:$PATH
shells=
mkdir -p work/stats-output work/other "work/with blank"
touch work/a-gvt.bin work/notes.txt "work/with blank/b-rt.bin"
"$warpscope" help --commands >commands.txt

assert_status "no such shell" 2 "$warpscope" completion ksh
assert_contains "the message" last.err "bash, zsh or fish"
assert_status "no shell" 2 "$warpscope" completion

# options_of COMMAND: its options, with = where they take a value.
options_of() {
    "$warpscope" "$1" --help | sed -n '/^options:/,/^$/s/^  \(-h, \)\{0,1\}\(--[a-z-]*=\{0,1\}\).*/\2/p' | sort
}

# ---- bash: the function is called as readline calls it

# ask WORDS...: prints the answers to the last word.
cat >ask.bash <<'END'
set -u
source "$SCRIPT"
function_of=$(complete -p "${1##*/}" | sed 's/.*-F \([^ ]*\) .*/\1/')
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
cd work
"$function_of" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
if ((${#COMPREPLY[@]} > 0)); then printf '%s\n' "${COMPREPLY[@]}"; fi
END
ask() {
    SCRIPT=$PWD/warpscope.bash bash --norc ask.bash "$@" 2>ask.err
    cat ask.err # nothing, unless bash found a mistake
}
words() {
    sort | tr '\n' ' ' | sed 's/ $//'
}

if have bash && [ "$(bash -c 'echo ${BASH_VERSINFO[0]}')" -ge 4 ]; then
    shells="$shells bash"
    "$warpscope" completion bash >warpscope.bash || fail "completion bash"
    assert_ok "syntax" bash -n warpscope.bash
    assert_same "the built script" warpscope.bash "$WS_BUILD/share/bash-completion/completions/warpscope"
    assert_eq "commands" "$(words <commands.txt)" "$(ask warpscope "" | words)"
    assert_eq "commands by a letter" "diff dump" "$(ask warpscope d | words)"
    assert_eq "of help" "stats" "$(ask warpscope help sta | words)"
    assert_eq "of completion" "bash fish zsh" "$(ask warpscope completion "" | words)"
    while read -r command; do
        [ "$command" = help ] ||
            assert_eq "options of $command" "$(options_of "$command" | words)" \
                "$(ask warpscope "$command" -- | words)"
    done <commands.txt
    assert_eq "one option" "--layout=" "$(ask warpscope dump --la)"
    assert_eq "values" "long wide" "$(ask warpscope dump --layout = | words)"
    assert_eq "a value" "wide" "$(ask warpscope dump --layout = w)"
    assert_eq "a value after a blank" "wide" "$(ask warpscope dump --layout w)"
    assert_eq "a value where = is no break" "--layout=wide" "$(ask warpscope dump --layout=w)"
    assert_eq "no value to offer" "" "$(ask warpscope dump --limit = "")"
    assert_eq "records" "a-gvt.bin other stats-output with blank" "$(ask warpscope info "" | words)"
    assert_eq "records after options" "stats-output" "$(ask warpscope info --json st | words)"
    assert_eq "records after a value" "stats-output" "$(ask warpscope stats --top = 5 st | words)"
    if [ "$WS_CUDA" = 1 ]; then
        assert_eq "any file" "notes.txt" "$(ask warpscope memtrace --sqlite = n)"
        assert_eq "first operand" "transfers" "$(ask warpscope memtrace --top = 3 tr)"
        assert_eq "second operand" "notes.txt" "$(ask warpscope memtrace --top = 3 transfers n)"
    fi
    settings=$("$warpscope" ctl --help | sed -n '/accepts these options/,/stall-warning/p' |
        tr -cs 'a-z-' '\n' | grep -e -)
    assert_num "options that ctl sets" "$(echo "$settings" | wc -l)" ">" 10
    for name in $settings; do
        assert_eq "$name of ctl" "$name=" "$(ask warpscope ctl stats-output set "$name")"
    done
    assert_eq "blanks" "with blank/b-rt.bin" "$(ask warpscope verify "with blank/b")"
fi

# ---- fish completes a line that is an argument

if have fish; then
    shells="$shells fish"
    "$warpscope" completion fish >warpscope.fish || fail "completion fish"
    HOME=$PWD/home
    XDG_CONFIG_HOME=$HOME/config
    XDG_DATA_HOME=$HOME/data
    export HOME XDG_CONFIG_HOME XDG_DATA_HOME
    mkdir -p "$HOME"
    ask_fish() {
        fish --no-config -c "source warpscope.fish; cd work; complete -C '$1'" 2>&1 | cut -f 1 | words
    }
    assert_eq "commands" "$(words <commands.txt)" "$(ask_fish 'warpscope ')"
    assert_eq "of completion" "bash fish zsh" "$(ask_fish 'warpscope completion ')"
    while read -r command; do
        [ "$command" = help ] ||
            assert_eq "options of $command" "$(options_of "$command" | tr -d = | words)" \
                "$(ask_fish "warpscope $command --")"
    done <commands.txt
    assert_eq "values" "--layout=long --layout=wide" "$(ask_fish 'warpscope dump --layout=')"
    assert_eq "records" "a-gvt.bin other/ stats-output/ with blank/" "$(ask_fish 'warpscope info ' | sed 's/\\ / /')"
    if [ "$WS_CUDA" = 1 ]; then
        assert_eq "first operand" "transfers" "$(ask_fish 'warpscope memtrace tr')"
        assert_eq "second operand" "notes.txt" "$(ask_fish 'warpscope memtrace transfers no')"
    fi
fi

# ---- zsh completes in a terminal of its own

if have zsh && zsh -fc 'zmodload zsh/zpty' 2>/dev/null; then
    shells="$shells zsh"
    mkdir -p functions
    "$warpscope" completion zsh >functions/_warpscope || fail "completion zsh"
    assert_ok "syntax" zsh -n functions/_warpscope
    # ask.zsh LINE: prints the line after the Tab key, with the list of answers if there are several.
    cat >ask.zsh <<'END'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1= PS2=; unsetopt zle_bracketed_paste; stty columns 200 rows 60; fpath=($PWD/functions \$fpath)"
zpty -w z "autoload -Uz compinit; compinit -u -d $PWD/compdump; cd work; LISTMAX=1000"
zpty -w z "zstyle ':completion:*' list-colors no=; setopt list_packed; unsetopt beep"
zpty -w z "answer() { BUFFER=\"print -r -- ANS''WER \${(qqq)BUFFER} ENDS\"; zle accept-line }; zle -N answer; bindkey '^X' answer"
# The shell reads keys once its line editor has begun: keys that come earlier may be lost.
zpty -w z "zle-line-init() { print REA''DY }; zle -N zle-line-init"
zpty -r z text '*READY*'
zpty -w -n z "$1"$'\t\C-x'
zpty -r z text '*ANSWER*ENDS*'
print -r -- "$text"
zpty -d z
END
    ask_zsh() {
        timeout 60 zsh -f ask.zsh "$1" 2>&1 | tr -d '\r' >zsh.txt
        sed -n 's/.*ANSWER "*\(.*[^"]\)"* ENDS.*/\1/p' zsh.txt | tail -n 1 | sed 's/ *$//'
    }
    assert_eq "a command" "warpscope verify" "$(ask_zsh 'warpscope veri')"
    assert_eq "an option" "warpscope dump --granularity=" "$(ask_zsh 'warpscope dump --gr')"
    assert_eq "a value" "warpscope dump --layout=wide" "$(ask_zsh 'warpscope dump --layout=w')"
    assert_eq "records" "warpscope info stats-output/" "$(ask_zsh 'warpscope info st')"
    assert_eq "a record file" "warpscope info a-gvt.bin" "$(ask_zsh 'warpscope info a')"
    if [ "$WS_CUDA" = 1 ]; then
        assert_eq "first operand" "warpscope memtrace transfers" "$(ask_zsh 'warpscope memtrace tr')"
        assert_eq "second operand" "warpscope memtrace transfers notes.txt" "$(ask_zsh 'warpscope memtrace transfers no')"
    fi
    ask_zsh 'warpscope stats --' >/dev/null
    assert_contains "options with descriptions" zsh.txt "length of lists of KPs"
fi
# ---- Simulations print such scripts for their options, without MPI
cat >alone.sh <<'END'
PATH=/nowhere OMPI_MCA_btl=nothing exec "$@"
END
"$WS_BIN/netsim" --help=all | sed -n 's/^  \(-h, \)\{0,1\}\(--[a-z0-9-]*=\{0,1\}\).*/\2/p' >all.txt
"$WS_BIN/netsim" --help=all | awk '/^  --/ { name = $1 } /no effect/ { sub(/=.*/, "=", name); print name }' >none.txt
(grep -vxF -f none.txt all.txt; echo --help=) | sort -u >options.txt
assert_num "options of netsim" "$(wc -l <options.txt)" ">" 50
for shell in $shells; do
    assert_ok "netsim for $shell" /bin/sh alone.sh "$WS_BIN/netsim" --help=$shell
    cp last.out netsim.$shell
    cp last.out "functions/_netsim" 2>/dev/null
    assert_lacks "the script of $shell" netsim.$shell "_warpscope"
    case $shell in
    bash)
        ask_model() { SCRIPT=$PWD/netsim.bash bash --norc ask.bash "$@" 2>&1; }
        assert_eq "options of netsim" "$(words <options.txt)" "$(ask_model netsim -- | sort -u | words)"
        assert_eq "options at once" "$(words <options.txt)" "$(ask_model ./netsim "" | sort -u | words)"
        assert_eq "values" "auto mpi shm" "$(ask_model netsim --transport = | words)"
        assert_eq "a file" "notes.txt" "$(ask_model netsim --topology = no)"
        assert_eq "no value after a blank" "--synch=" "$(ask_model netsim --end --synch)"
        ;;
    fish)
        assert_eq "values" "--transport=auto --transport=mpi --transport=shm" \
            "$(fish --no-config -c "source netsim.fish; complete -C 'netsim --transport='" | cut -f 1 | words)"
        assert_eq "options of netsim" "$(tr -d = <options.txt | sort -u | words)" \
            "$(fish --no-config -c "source netsim.fish; complete -C 'netsim --'" | cut -f 1 | words)"
        ;;
    zsh)
        assert_eq "a value of netsim" "netsim --transport=shm" "$(ask_zsh 'netsim --transport=s')"
        assert_eq "an option of netsim" "netsim --topology=" "$(ask_zsh 'netsim --topo')"
        ;;
    esac
done
assert_ok "a model with a directory in its name" /bin/sh alone.sh "$WS_BIN/../bin/phold" --help=bash
assert_contains "the script" last.out "complete -F _phold phold"

# ---- Texts with the characters of shells stay texts, and a program may have any name
odd="odd name;touch harm"
cp "$WS_TEST_BIN/odd_options" "$odd"
for shell in $shells; do
    assert_ok "an odd name for $shell" "./$odd" --help=$shell
    cp last.out odd.$shell
    assert_ok "odd texts for $shell" "$WS_TEST_BIN/odd_options" --help=$shell
    cp last.out odd_options.$shell
    case $shell in
    bash)
        assert_ok "syntax of an odd name" bash -c ". ./odd.bash"
        assert_eq "odd texts" "" "$(cat last.out last.err)"
        ask_odd() { SCRIPT=$PWD/odd_options.bash bash --norc ask.bash odd_options "$@" 2>&1; }
        assert_eq "an odd option" "--brackets=" "$(ask_odd --br)"
        assert_eq "odd words" "" "$(ask_odd --words = "")"
        assert_eq "plain words" "one two" "$(ask_odd --plain = "" | words)"
        ;;
    fish)
        assert_ok "syntax of an odd name" fish --no-config -c "source odd.fish"
        fish --no-config -c "source odd_options.fish; complete -C 'odd_options --'" >odd.txt 2>odd.err
        assert_eq "odd texts" "" "$(cat odd.err)"
        assert_contains "a quote" odd.txt "it's a \"quote\" and a \`touch harm\`"
        assert_contains "dollars" odd.txt "\$(touch harm) \${HOME}"
        assert_contains "the last" odd.txt "ends in a backslash \\"
        assert_contains "lines" odd.txt "one 'two ; touch harm"
        ;;
    zsh)
        assert_ok "syntax of an odd name" zsh -n odd.zsh
        assert_ok "syntax of odd texts" zsh -n odd_options.zsh
        cp odd_options.zsh functions/_odd_options
        ask_zsh 'odd_options --' >/dev/null
        assert_contains "a quote" zsh.txt "it's a \"quote\" and a \`touch harm\`"
        assert_contains "brackets" zsh.txt "[a] ] [ (b) {c,d} a:b: :c"
        assert_contains "dollars" zsh.txt "\$(touch harm) \${HOME}"
        assert_eq "after odd texts" "odd_options --words=" "$(ask_zsh 'odd_options --wo')"
        ;;
    esac
    assert_num "a long text" "$(wc -L <odd_options.$shell)" "<" 160
done
assert_eq "what the scripts have run" "" "$(find . -name 'harm*')"

[ -n "$shells" ] || skip "neither bash, fish nor zsh is here"
echo "shells:$shells"
finish
