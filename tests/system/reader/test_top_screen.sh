#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope top" in a terminal, by tmux: screens of 80x24 and 200x60, keys, a change of size, terminals
# without colors or UTF-8, the end of the run, its kill, and the end of the watcher.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/watch.sh"

command -v tmux >/dev/null || skip "there is no tmux"
nm "$WS_BIN/warpscope" 2>/dev/null | grep -q newterm || ldd "$WS_BIN/warpscope" | grep -q ncurses ||
    skip "warpscope was built without ncurses"

# A server of its own, in this directory.
t() {
    TMUX_TMPDIR=$PWD tmux -f /dev/null -L top "$@"
}
screen_end() {
    t kill-server 2>/dev/null
    watch_end
}
trap screen_end EXIT

# open_screen COLUMNS ROWS VARIABLES COMMAND: the status of the command goes to status.txt.
open_screen() {
    rm -f status.txt
    t kill-session -t s 2>/dev/null
    t -u new-session -d -s s -x "$1" -y "$2" \
        "env LC_ALL=C.UTF-8 $3 $4; echo \$? >status.txt; while sleep 1; do :; done"
    t list-panes -t s -F '#{pane_pid}' >pane.txt
    pane=$(cat pane.txt)
}
look() {
    t capture-pane -p -t s >screen.txt
}
shows() {
    look && grep -q -e "$1" screen.txt
}
lacks() {
    look && [ -s screen.txt ] && ! grep -q -e "$1" screen.txt
}
press() {
    t send-keys -t s "$@"
}
# expect WHAT REGEX: waits until the screen shows it.
expect() {
    assertions=$((assertions + 1))
    wait_for "$pane" shows "$2" || { fail "$1: no '$2' on the screen:"; sed 's/^/    |/' screen.txt; }
}
expect_not() {
    assertions=$((assertions + 1))
    wait_for "$pane" lacks "$2" || { fail "$1: '$2' stays on the screen:"; sed 's/^/    |/' screen.txt; }
}
longest_line() {
    awk '{ if (length > most) most = length } END { print most + 0 }' screen.txt
}

# Without a session the server would end.
t new-session -d -s keep "while sleep 1; do :; done"

live_start live 1e9 --lp-data=1
assert_ok "runs" wait_for $live top_says events_committed '>' 1000 live

# ---- 80x24 ----------------------------------------------------------------------------------------

open_screen 80 24 "" "$warpscope top --interval=0.2 live"
expect "title" "^ warpscope top  live .* running  [0-9:]*"
expect "command" "phold.*--nlp=64"
expect "time" "^running for .* GVT .* of "
expect "rates" "committed/s .* efficiency .*GVT/s"
expect "picture" "^committed/s .*[▁▂▃▄▅▆▇█]"
expect "legend" "E executing  Q queue"
expect "PEs" "^> *0 [EQNGCUASR.]* .* 0 s ago"
expect "KPs" "PE  *KP .*undone"
expect "keys" "overview .*q quit  h help"
look
assert_eq "lines" 24 "$(wc -l <screen.txt)"
assert_num "longest line, in bytes or characters" "$(longest_line)" "<=" 240

press p
expect "PEs" "^ PEs .*q quit"
press k
expect "KPs" "^ KPs "
expect "a KP" "^ *0  *3 "
press s
expect "sorted by the next column" ">just now"
press S
expect "sorted by the column before" ">undone"
press r
expect "reversed" "<undone"
press r Down Down
expect "selected" "^>"
press a Enter
expect "KPs of a PE" "^ KPs of PE 0"
press Enter
expect "LPs of a KP" "^ LPs of KP [0-3] of PE 0"
press l
expect "LPs" "^ LPs, 1 of 64"
press 3 7
expect "a number" "^ LPs, go to 37_"
press Enter
expect "an LP" "^>.* [*]37 "
expect "its rate" "^ LP 37  .* net events/s"
press k 2 Enter
expect "a KP" "^> *0 *2 "
press t
expect "no types" "no data of LP types: record with --event-trace=2"
press f
expect "findings" "^ findings .*q quit"
press h
expect "help" "pause the screen; the run"
press x
expect_not "help" "pause the screen; the run"
press Space
expect "paused" "running, paused"
press Space
expect_not "going on" "running, paused"
press a

# ---- Other sizes ------------------------------------------------------------------------------------

t resize-window -t s -x 200 -y 60
expect "wide: rates and efficiency in one line" "^committed/s .* efficiency "
expect "wide: keys" "Enter choose *$"
look
assert_eq "lines" 60 "$(wc -l <screen.txt)"
# The table has the room on a low screen; columns become narrower, or are left out.
t resize-window -t s -x 50 -y 12
expect "low: line of times" "^[0-9.ms ]* GVT [0-9.,]*  ends in"
expect "low: PEs" "^> *0  .* 0 s ago$"
expect "low: KPs" "^ *PE  *KP  *>undone  *just now  *rollbacks"
expect_not "low: no legend" "E executing"
press h
expect "low: help" "^q  *quit; the run goes on"
press x l
expect "low: LPs" "^ *PE  *KP  *LP  *>undone  *just now  *eff. %$"
press a
t resize-window -t s -x 30 -y 6
expect "small" "^ *overview  *q quit  h help *$"
t resize-window -t s -x 10 -y 2
expect "too small" "too small"
t resize-window -t s -x 80 -y 24
expect "as before" "^> *0 [EQNGCUASR.]* .* 0 s ago"

# ---- A process that is stopped; the run is killed -----------------------------------------------------

kill -STOP $live
expect "stopped" "! no news for [0-9]* s; PE 0 (process $live) is stopped"
kill -CONT $live
expect_not "continued" "no news for"
press q
assert_ok "quit" wait_for "$pane" test -s status.txt
assert_eq "status after q" 0 "$(cat status.txt)"
assert_ok "the run goes on" kill -0 $live

# ---- Terminals -----------------------------------------------------------------------------------------

open_screen 80 24 "NO_COLOR=1" "$warpscope top --interval=0.2 live"
expect "without colors" " running "
t capture-pane -e -p -t s >screen.txt
assert_eq "color sequences" "" "$(grep "$(printf '\033')\[[0-9;]*[34][0-7]m" screen.txt)"
press C-c
assert_ok "Ctrl-C" wait_for "$pane" test -s status.txt
assert_eq "status after Ctrl-C" 0 "$(cat status.txt)"

open_screen 80 24 "LC_ALL=C" "$warpscope top --interval=0.2 live"
expect "ASCII" "^committed/s  *[^ ].* to "
look
assert_eq "other characters" "" "$(LC_ALL=C grep "[^ -~]" screen.txt)"
press q
assert_ok "quit" wait_for "$pane" test -s status.txt

open_screen 80 24 "TERM=dumb" "$warpscope top --interval=0.2 --count=2 live"
expect "lines" "lines instead of the full screen: the terminal cannot show it"
assert_ok "ends" wait_for "$pane" test -s status.txt
assert_eq "status after --count" 0 "$(cat status.txt)"

# ---- The run is killed, and one ends -----------------------------------------------------------------------

open_screen 80 24 "" "$warpscope top --interval=0.2 live"
expect "again" " running "
live_kill
expect "killed" '! the run was killed; "warpscope recover live" completes its files'
expect "its PEs" " killed$"
live_start live 2000
expect "the restart ends: report" "reached the end time"
assert_ok "ends" wait_for "$pane" test -s status.txt
assert_eq "status at the end" 0 "$(cat status.txt)"
expect "counters" "events committed "
wait $live
live=
finish
