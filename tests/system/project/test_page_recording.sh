#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# docs/recording-your-own-data.md: its patches apply to the template one after another, each result compiles
# without warnings and commits the same events under every scheduler, and its commands print the output that
# the page shows.
# test: timeout=200 sanitize=no
. "$WS_SRC/tests/support/lib.sh"

page="$WS_SRC/docs/recording-your-own-data.md"
library="$WS_BUILD/lib/libwarpscope.so"
[ -e "$library" ] || skip "the library that others link is not built"
command -v patch >/dev/null || skip "no patch(1)"

awk -v language=diff -v prefix=step- -f "$WS_SRC/tests/support/page.awk" "$page"
awk -v language=console -v prefix=command- -f "$WS_SRC/tests/support/page.awk" "$page"
assert_eq "patches" "step-1 step-2 step-3" "$(echo step-*)"

cp "$WS_SRC/templates/model/travel.c" travel.c
mkdir build
for step in 1 2 3; do
    assert_ok "patch of step $step" patch -p0 travel.c step-$step
    assert_ok "compiling after step $step" "$WS_MPICC" -std=c11 -Wall -Wextra -Werror \
        -I"$WS_SRC/core" -I"$WS_SRC/instrumentation" -I"$WS_BUILD/include" travel.c \
        -o build/travel "$library" "-Wl,-rpath,$WS_BUILD/lib" -lm
    [ "$failures" -eq 0 ] || finish
    assert_ok "reverse handlers after step $step" build/travel --synch=6 --end=20 --quiet \
        --event-trace=1 --model-stats=4 --vt-interval=1 --task-trace=1 --stats-path=checked-$step
done

# The page's commands, run in the directory of the programs.
mkdir tools
ln -s "$WS_BIN/warpscope" tools/warpscope
printf '#!/bin/sh\nexec "%s" "$@"\n' "$WS_MPIEXEC" >tools/mpirun
if ! command -v sqlite3 >/dev/null; then
    cat >tools/sqlite3 <<'PYTHON'
#!/usr/bin/env python3
import sqlite3, sys
separator = "|"
if sys.argv[1] == "-separator":
    separator = sys.argv[2]
    del sys.argv[1:3]
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print(separator.join(str(value) for value in row))
PYTHON
fi
chmod +x tools/*
PATH="$PWD/tools:$PATH"

# shown EXPECTED OUTPUT: the lines of the first are in the second, in this order; other lines may stand only
# where the first has a line "...".
shown() {
    awk 'NR == FNR { line[++n] = $0; next }
        line[at] == "..." { if (at < n && line[at + 1] == $0) at += 2; next }
        line[at] != $0 { print "unexpected: " $0; bad = 1; exit }
        { at++ }
        END { if (line[at] == "...") at++
              if (!bad && at <= n) print "missing: " line[at] }' "$1" at=1 "$2"
}

n=0
while [ -e command-$((n + 1)).sh ]; do
    n=$((n + 1))
    if grep -q sqlite command-$n.sh && ! grep -q "^SQLITE_FOUND:INTERNAL=1" "$WS_BUILD/CMakeCache.txt"; then
        continue
    fi
    sh ./command-$n.sh >output-$n 2>&1
    assert_eq "status of $(cat command-$n.sh)" 0 $?
    assert_eq "output of $(cat command-$n.sh)" "" "$(shown command-$n.expected output-$n)"
done
assert_num "commands" $n ">=" 6
assert_num "days" "$(grep -c . days.txt)" "==" 50
finish
