#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files, links, directories and libraries of another user: nothing of them is loaded, followed or
# overwritten, with one message, and what belongs to the user or to root is used. The other user's
# objects are made by root. Where fs.protected_symlinks is not 0, the kernel refuses links itself, and
# the cases of links do not test Warpscope.
# test: processors=1 timeout=240
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"

warpscope=$WS_BIN/warpscope
phold="$WS_BIN/phold --quiet --end=5"
graph=$WS_SRC/models/netsim/data/abilene.gml

rm -rf shared own
mkdir -m 1777 shared
chmod 1777 shared
mkdir own

# refused WHAT STATUS WORDS COMMAND...: the command ends with the status and names the policy.
refused() {
    refused_what=$1
    refused_status=$2
    refused_words=$3
    shift 3
    assert_status "$refused_what" "$refused_status" "$@"
    cat last.out last.err >both.txt
    assert_contains "$refused_what" both.txt "$refused_words"
}

# ---- What belongs to the user: links, pipes and descriptors given on purpose are used
echo old >own/target.json
ln -s ../own/target.json shared/mine.json
ln -s ../own/new.json shared/dangling.json
assert_ok "report through an own link" $phold --report-json=shared/mine.json
assert_eq "report through an own link" 32 "$(json_get own/target.json net_events)"
assert_ok "report through an own dangling link" $phold --report-json=shared/dangling.json
assert_eq "report through an own dangling link" 32 "$(json_get own/new.json net_events)"
ln -s ../own/table.csv shared/mine.csv
assert_ok "row through an own link" $phold --csv=shared/mine.csv
assert_ok "another row" $phold --csv=shared/mine.csv
assert_eq "rows through an own link" 3 "$(wc -l <own/table.csv)"
assert_ok "report to /dev/null" $phold --report-json=/dev/null --csv=/dev/null
$phold --report-json=/dev/stdout --csv=none 2>last.err | cat >piped.json
assert_eq "report to a pipe at /dev/stdout" 32 "$(sed -n '/^{/,/^}/p' piped.json >piped2.json && json_get piped2.json net_events)"
echo before >redirected.txt
$phold --report-json=/dev/stdout >>redirected.txt 2>last.err
assert_eq "first line of a file at /dev/stdout" before "$(head -n 1 redirected.txt)"
assert_contains "report to a file at /dev/stdout" redirected.txt '"net_events": 32'
mkfifo -m 600 shared/fifo
cat shared/fifo >piped.json &
assert_ok "report to an own pipe" $phold --report-json=shared/fifo
wait $!
assert_eq "report to an own pipe" 32 "$(json_get piped.json net_events)"
echo '--end=4' >own/args.txt
ln -s ../own/args.txt shared/mine.args
assert_ok "options through an own link" $phold --args-file=shared/mine.args
ln -s ../own shared/away
assert_ok "checkpoints below an own link" $phold --checkpoint-every=2 --checkpoint-path=shared/away/ck
assert_ok "restart below an own link" $phold --restart=shared/away/ck
assert_ok "records below an own link" $phold --event-trace=1 --stats-path=shared/away/run
assert_ok "these records" "$warpscope" verify own/run

# ---- Libraries: those installed come first, and nothing is taken from the current directory
mkdir planted
cat >evil.c <<'END'
#include <stdio.h>
__attribute__((constructor)) static void begin(void)
{
    FILE *f = fopen("loaded", "w");
    if (f != NULL) {
        fclose(f);
    }
}
END
assert_ok "build of a library" "$WS_CC" -shared -fPIC -o evil.so evil.c
# st_collector.so comes with the simulator, st_nothing.so does not.
cp evil.so planted/st_collector.so
cp evil.so planted/st_nothing.so
( cd planted && assert_ok "a library of the same name as an installed one" $phold \
    --subscribers=st_collector.so && assert_lacks "st_collector.so" last.err "goes on without it" &&
    [ "$failures" -eq 0 ] ) || fail "an installed library is not used"
( cd planted && $phold --subscribers=st_nothing.so >last.out 2>last.err )
assert_contains "a library in the current directory only" planted/last.err "cannot load st_nothing.so: it is not in"
assert_lacks "the current directory is not searched" planted/last.err "it is not in .,"
[ ! -e planted/loaded ] || fail "a library in the current directory was loaded"
( cd planted && $phold --subscribers=./st_nothing.so >last.out 2>last.err )
[ -e planted/loaded ] || fail "a library named with a slash was not loaded"
( cd planted && rm loaded &&
    WARPSCOPE_SUBSCRIBERS_PATH=. $phold --subscribers=st_nothing.so >last.out 2>last.err )
[ -e planted/loaded ] || fail "WARPSCOPE_SUBSCRIBERS_PATH was not searched"
rm planted/loaded

# ---- Objects of another user
if [ "$(id -u)" -ne 0 ] || ! chown nobody evil.so 2>last.err; then
    partly "only root can make objects of another user"
    finish
fi
other=nobody
theirs() {
    chown -h "$other" "$@"
}

# Libraries and options
cp evil.so shared/evil.so
theirs shared/evil.so
refused "library of another user" 0 "shared/evil.so belongs to user nobody, and every user may write beside it" \
    $phold --subscribers=shared/evil.so
mkdir shared/lib
cp evil.so shared/lib/
theirs shared/lib shared/lib/evil.so
refused "library in a directory of another user" 0 "shared/lib belongs to user nobody" \
    env WARPSCOPE_SUBSCRIBERS_PATH=shared/lib $phold --subscribers=evil.so
[ ! -e loaded ] || fail "a library of another user was loaded"
echo '--end=4' >shared/their.args
theirs shared/their.args
refused "options of another user" 2 "shared/their.args belongs to user nobody" $phold --args-file=shared/their.args

# Files that exist
echo theirs >shared/their.json
cp own/table.csv shared/their.csv
chmod 666 shared/their.json shared/their.csv
theirs shared/their.json shared/their.csv
refused "report over a file of another user" 2 "--report-json=shared/their.json: cannot be written: shared/their.json belongs to user nobody" \
    $phold --report-json=shared/their.json
refused "row in a file of another user" 2 "belongs to user nobody" $phold --csv=shared/their.csv
mkfifo -m 666 shared/their.fifo
theirs shared/their.fifo
refused "report to a pipe of another user" 2 "belongs to user nobody" $phold --report-json=shared/their.fifo
ln own/target.json shared/hard.json
refused "report over a hard link" 2 "has several names (hard links)" $phold --report-json=shared/hard.json

# Directories
mkdir -m 777 shared/ck own/ck777
chmod 777 shared/ck own/ck777
theirs shared/ck own/ck777
refused "checkpoints in a directory of another user" 2 \
    "--checkpoint-path=shared/ck: cannot be written: shared/ck belongs to user nobody, and every user may write beside it" \
    $phold --checkpoint-every=2 --checkpoint-path=shared/ck
refused "checkpoints in a directory that every user may write to" 2 "own/ck777 belongs to user nobody, and every user may write to it" \
    $phold --checkpoint-every=2 --checkpoint-path=own/ck777
assert_eq "files in these directories" 0 "$(find shared/ck own/ck777 -type f | wc -l)"
cp -r own/ck shared/their-ck
chown -R "$other" shared/their-ck
refused "restart from checkpoints of another user" 2 "belongs to user nobody" $phold --restart=shared/their-ck

# ---- Links of another user
setting=$(cat /proc/sys/fs/protected_symlinks 2>/dev/null)
if [ "${setting:-0}" != 0 ]; then
    partly "fs.protected_symlinks is $setting: the kernel refuses links of other users itself"
    finish
fi
link() {
    ln -s "$1" "$2"
    theirs "$2"
}
echo kept >own/kept.json
link ../own/kept.json shared/link.json
link ../own/table.csv shared/link.csv
link ../own/absent shared/link.absent
link ../own shared/link.folder
cp own/table.csv table.before
for path in shared/link.json shared/link.absent shared/link.folder/kept.json; do
    refused "report through a link of another user: $path" 2 "is a symbolic link of user nobody" \
        $phold --report-json="$path"
done
refused "row through a link of another user" 2 "shared/link.csv is a symbolic link of user nobody; name the file that it points to" \
    $phold --csv=shared/link.csv
refused "checkpoints through a link of another user" 2 "is a symbolic link of user nobody" \
    $phold --checkpoint-every=2 --checkpoint-path=shared/link.folder/other
refused "records through a link of another user" 2 "is a symbolic link of user nobody" \
    $phold --event-trace=1 --stats-path=shared/link.folder/other
refused "flows through a link of another user" 2 "is a symbolic link of user nobody" \
    "$WS_BIN/netsim" --topology="$graph" --end=0.001 --flows-csv=shared/link.json
refused "stations through a link of another user" 2 "is a symbolic link of user nobody" \
    "$WS_BIN/qnet" --end=5 --results=shared/link.json
for words in "export own/run --format=csv --output=shared/link.folder/x" \
    "report own/run --output=shared/link.json --force" "export own/run --format=ctf --output=shared/link.folder"; do
    # shellcheck disable=SC2086 # words
    assert_status "warpscope $words" 1 "$warpscope" $words
    assert_contains "warpscope $words" last.err "is a symbolic link"
done
assert_eq "file behind the links" kept "$(cat own/kept.json)"
assert_same "table behind the links" table.before own/table.csv
[ ! -e own/absent ] && [ ! -e own/other ] && [ ! -e own/x ] || fail "a link of another user was followed"

# ---- Journals: a run makes no links, and another user's file is none of its journals
gated_start 1 3 --synch=1 --event-trace=1
await_gate
kill -9 "$(gated_process)"
wait "$gated_pid"
journal=$(find rec -name '*evtrace.0.journal')
mv "$journal" own/journal
ln -s "$PWD/own/journal" "$journal"
refused "journal that is a link" 1 "is a symbolic link; a run makes none" "$warpscope" recover rec
assert_file "the journal behind the link" own/journal
rm "$journal"
mv own/journal "$journal"
assert_ok "the journal itself" "$warpscope" recover rec
finish
