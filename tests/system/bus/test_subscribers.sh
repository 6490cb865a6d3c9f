#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Subscriber libraries from outside: those of the simulator, the example of the docs, and faulty ones.
# test: processors=2 timeout=240
# shellcheck disable=SC2016,SC2034,SC2317 # repeat_until evaluates its condition
. "$WS_SRC/tests/support/lib.sh"

libraries=$WS_BUILD/lib/warpscope
shop=$WS_TEST_BIN/shop
tab=$(printf '\t')
rm -rf run* ./*.so ./*.txt

# make_library NAME: compiles the C program on standard input.
make_library() {
    cat >"$1.c"
    assert_ok "build of $1.so" "$WS_MPICC" -std=gnu11 -O1 -Wall -Wextra -Werror -shared -fPIC \
        -I"$WS_SRC/core" -I"$WS_SRC/instrumentation" -I"$WS_BUILD/include" -o "$1.so" "$1.c"
}

# merged DIRECTORY: prints the lines of all ranks in the order of records.
merged() {
    sort -t "$tab" -k1,1g -k2,2n -k4,4 -k3,3n "$1"/collector-*.txt
}

# run_shop RANKS ARGUMENTS...: output goes to run.out and run.err.
run_shop() {
    shop_ranks=$1
    shift
    assert_ok "shop $* on $shop_ranks ranks" run_mpi "$shop_ranks" "$shop" "$@"
    cp last.out run.out
    cp last.err run.err
    sold=$(sed -n 's/^sold //p' run.out)
}

# ---- The collector: the same committed records everywhere ----
run_shop 1 --synch=1 --subscribers="$libraries/st_collector.so" --stats-path=run
merged run >wanted.txt
assert_num "records of sequential runs" "$(wc -l <wanted.txt)" '>' 3000
assert_eq "sales in the log" "$sold" "$(grep -c "${tab}shop 3 begin$tab" wanted.txt)"
assert_eq "final records" 24 "$(grep -c "${tab}diagnostic begin$tab" wanted.txt)"
assert_eq "fields" 10 "$(awk -F "$tab" '{ print NF }' wanted.txt | sort -u)"
assert_contains "a place" wanted.txt "${tab}sell@"
assert_eq "scopes whose ends do not have the data as it is then" 0 \
    "$(awk -F "$tab" '$5 == "region begin" { was[$2] = $8 }
        $5 == "region end" { n += $8 == was[$2] || $7 != 8 } END { print n + 0 }' wanted.txt)"
assert_eq "scopes whose ends have other instances than their beginnings" 0 \
    "$(awk -F "$tab" '$5 == "region begin" { begun[$2] = $9 }
        $5 == "region end" { n += $9 != begun[$2] || $9 == "-" } END { print n + 0 }' wanted.txt)"
assert_eq "visits without a parent" 0 \
    "$(awk -F "$tab" '$5 ~ /^queue/ { n += $10 !~ /^serve@/ } END { print n + 0 }' wanted.txt)"
assert_contains "where files go" run.err "subscriber libraries write to run"
for setup in "1 3" "2 2" "2 3" "3 3" "4 3"; do
    ranks=${setup% *}
    rm -rf run
    run_shop "$ranks" --synch="${setup#* }" --subscribers="$libraries/st_collector.so" \
        --stats-path=run
    merged run >got.txt
    assert_same "committed records, $ranks ranks, --synch=${setup#* }" wanted.txt got.txt
    assert_eq "files" "$ranks" "$(find run -name 'collector-*.txt' | wc -l)"
done

# Undone records are announced, and the remaining ones equal the committed ones.
run_speculative() {
    rm -rf run
    WARPSCOPE_COLLECTOR_CLASS=speculative
    export WARPSCOPE_COLLECTOR_CLASS
    run_shop 2 --synch=3 --max-opt-lookahead=1e9 --subscribers="$libraries/st_collector.so" \
        --stats-path=run
    unset WARPSCOPE_COLLECTOR_CLASS
}
repeat_until 'grep -q "${tab}rollback begin" run/collector-*.txt' run_speculative
for file in run/collector-*.txt; do
    awk -F "$tab" '
        $5 == "rollback begin" { for (k in line) { split(k, at, " ")
                                     if (at[1] == $2 && at[2] >= $3 && at[2] < 1e15) { delete line[k]; undone++ } }
                                 next }
        { line[$2 " " $3] = $0 }
        END { for (k in line) print line[k]; print undone + 0 >"/dev/stderr" }' "$file" \
        2>>undone.txt
done | sort >remain.txt
sort wanted.txt >committed.txt
assert_same "speculative records that were not undone" committed.txt remain.txt
assert_num "records undone" "$(awk '{ n += $1 } END { print n }' undone.txt)" '>' 0

# ---- The counter ----
run_shop 1 --synch=1 --subscribers="$libraries/st_counter.so"
line=$(grep 'shop shop 3 sell' run.out)
assert_eq "sales emitted and committed" "$sold $sold" "$(echo "$line" | awk '{ print $1, $2 }')"
assert_num "seconds in the scope" "$(awk '/shop region serve/ { print $3 }' run.out)" '>' 0
idle=$(awk '/shop wait shop_init/ { print $4 }' run.out) # from 0 to a shop's first customer
wanted=$(awk -F "$tab" '$5 == "wait end" && !seen[$2]++ { n += $1 } END { printf "%.9g", n }' \
    wanted.txt)
assert_near "virtual time idle at first" "$wanted" "$idle" 1e-6
overlap=$(awk '/shop queue overlap/ { print $4 }' run.out) # visits that do not nest
wanted=$(awk -F "$tab" '$5 == "queue begin" { from[$2 " " $9] = $1 }
    $5 == "queue end" { n += $1 - from[$2 " " $9] } END { printf "%.9g", n }' wanted.txt)
assert_num "virtual time of visits" "$wanted" '>' 100
assert_near "virtual time of visits that overlap" "$wanted" "$overlap" 1e-6
[ ! -e stats-output ] || fail "an empty directory was left"
rm -rf run
run_shop 2 --synch=3 --subscribers="$libraries/st_counter.so" --stats-path=run
assert_eq "sales of both ranks" "$sold" \
    "$(cat run/counter-?.txt | awk '/shop shop 3 sell/ { n += $2 } END { print n }')"

# ---- Calls of libraries: order, number, arguments ----------------
make_library order <<'END'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include "st_bus.h"
void st_subscriber_init(const st_api *api, unsigned major, unsigned minor, const char *version,
                        const char *stream)
{
    printf("init %s %u %u %s %d\n", stream, major, minor, version,
           api->size == sizeof *api && api->stream_find(stream) != 0);
    fflush(stdout);
}
void st_subscriber_fini(const char *stream)
{
    int initialized = 0, finalized = 1;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    printf("fini %s %d %d\n", stream, initialized, finalized);
    fflush(stdout);
}
END
cp order.so other.so
ln -s order.so link.so
rm -rf run
ROSS_SUBSCRIBERS=./link.so,order.so run_shop 1 --synch=1 \
    --subscribers="order.so,./order.so,,$PWD/order.so" --stats-path=run
assert_eq "loaded once" 1 "$(grep -c '^init shop 1 2 1.2 1$' run.out)"
assert_eq "ended once, with MPI" 1 "$(grep -c '^fini shop 1 0$' run.out)"
assert_eq "begun and ended" "$(grep -c '^init' run.out)" "$(grep -c '^fini' run.out)"
[ ! -e run ] || fail "a directory that nobody asked for was left"
ROSS_SUBSCRIBERS=./order.so run_shop 1 --synch=1 --subscribers=./other.so
assert_eq "another file is another library" 2 "$(grep -c '^init shop' run.out)"
ROSS_TRACE_ENABLE=0 run_shop 1 --synch=1 --subscribers=./order.so
assert_lacks "with ROSS_TRACE_ENABLE=0" run.out "init shop"
assert_lacks "with ROSS_TRACE_ENABLE=0" run.err "ROSS_TRACE_ENABLE"
ROSS_TRACE_ENABLE=True run_shop 1 --synch=1 --subscribers=./order.so
assert_contains "with ROSS_TRACE_ENABLE=True" run.out "init shop"
assert_lacks "with ROSS_TRACE_ENABLE=True" run.err "ROSS_TRACE_ENABLE"
ROSS_TRACE_ENABLE=never run_shop 2 --synch=3 --subscribers=./order.so
assert_contains "with ROSS_TRACE_ENABLE=never" run.out "init shop"
assert_eq "warnings about ROSS_TRACE_ENABLE=never" 1 "$(grep -c ROSS_TRACE_ENABLE run.err)"
assert_contains "what is understood" run.err "give 0, false, off or no; or 1, true, on or yes"

# Streams that are closed and opened again while libraries are loaded. Each library is notified of the end at
# the last reference, and of the next beginning, also the other libraries.
make_library closer <<'END'
#include <stdio.h>
#include <string.h>
#include "st_bus.h"
static const st_api *the;
static void say(const char *what, st_result result)
{
    printf("%s: %s\n", what, the->result_text(result));
    fflush(stdout);
}
void st_subscriber_init(const st_api *api, unsigned major, unsigned minor, const char *version,
                        const char *stream)
{
    st_stream_id id[4] = {0};
    the = api;
    if (strcmp(stream, "mine") == 0) {
        printf("closer init %s %u %u %s\n", stream, major, minor, version);
        fflush(stdout);
    }
    if (strcmp(stream, "shop") != 0) {
        return;
    }
    say("open", api->stream_open("mine", 1, 7, &id[0]));
    say("open", api->stream_open("mine", 2, 0, &id[1]));
    say("close", api->stream_close("mine"));
    say("close", api->stream_close("mine"));
    say("close", api->stream_close("mine"));
    say("open", api->stream_open("mine", 3, 1, &id[2]));
    say("close other", api->stream_close("nobody's"));
    say("open next", api->stream_open("next", 1, 0, &id[3]));
    printf("ids %d %d %d\n", id[0] == id[1], id[0] == id[2], id[3] == id[0] + 1);
    fflush(stdout);
}
void st_subscriber_fini(const char *stream)
{
    if (strcmp(stream, "mine") == 0) {
        printf("closer fini %s\n", stream);
        fflush(stdout);
    }
}
END
run_shop 1 --synch=1 --subscribers=./closer.so,./order.so
cat >wanted.closer <<'END'
closer init mine 1 7 1.7
init mine 1 7 1.7 1
open: done
open: already done
close: done
closer fini mine
fini mine 1 0
close: done
close: not found
closer init mine 3 1 3.1
init mine 3 1 3.1 1
open: done
close other: not found
init next 1 0 1.0 1
open next: done
ids 1 1 1
closer fini mine
fini mine 1 0
END
grep -E ' mine|^open|^close|^ids|^init next' run.out >got.closer
assert_same "calls of libraries for a stream that is closed and opened" wanted.closer got.closer

# ---- Faulty libraries: a message for each, and the others run ----
make_library nothing <<'END'
extern int something;
int something = 1;
END
make_library half <<'END'
void st_subscriber_fini(const char *stream);
void st_subscriber_fini(const char *stream) { (void)stream; }
END
echo "not a library" >text.so
rm -rf run
ROSS_SUBSCRIBERS=./text.so run_shop 2 --synch=3 --stats-path=run \
    --subscribers="missing.so,./nothing.so,./half.so,$libraries/st_collector.so"
assert_eq "messages" 4 "$(grep -c 'the run goes on without it$' run.err)"
assert_contains "a missing file" run.err "shop: warning: --subscribers: cannot load missing.so: it is not in a directory of installed libraries ("
assert_contains "without functions" run.err "--subscribers: ./nothing.so is not a subscriber library, \
it does not export st_subscriber_init and st_subscriber_fini"
assert_contains "without one" run.err "./half.so is not a subscriber library, it does not export \
st_subscriber_init;"
assert_contains "no library at all" run.err "ROSS_SUBSCRIBERS: cannot load ./text.so: "
merged run >got.txt
assert_same "records beside bad libraries" wanted.txt got.txt

# A subscriber that causes its own call without end stops the run, and the message names it.
make_library circle <<'END'
#include <stdio.h>
#include <string.h>
#include "st_bus.h"
static const st_api *the;
static void again(const st_record *record, void *arg)
{
    static char data[65000];
    (void)arg; /* not aligned: each call needs a copy */
    the->notify(record->stream, record->type, record->point, data + 1, sizeof data - 1);
}
void st_subscriber_init(const st_api *api, unsigned major, unsigned minor, const char *version,
                        const char *stream)
{
    (void)major, (void)minor, (void)version;
    the = api;
    if (strcmp(stream, "shop") == 0) {
        api->subscribe(api->stream_find(stream), ST_WAIT, ST_SPECULATIVE, again, NULL);
    }
}
void st_subscriber_fini(const char *stream) { printf("fini %s\n", stream); fflush(stdout); }
END
assert_status "a library in a circle" 3 run_mpi 1 "$shop" --synch=1 --subscribers=./circle.so
assert_contains "who it was" last.err "circle.so emits records of stream shop that call it again"
assert_lacks "what a library is told after it has failed" last.out "fini"

# No subscriber may send events or draw random numbers, whatever library it is in. Libraries are not notified
# of the end, because the error occurred in the middle of a call.
for mischief in 1 2; do
    assert_status "--mischief=$mischief" 3 "$shop" --synch=3 --mischief=$mischief \
        --subscribers=./order.so
    assert_contains "who did it" last.err "a subscriber of stream shop, called to observe"
    assert_contains "--mischief=$mischief" last.out "init shop"
    assert_lacks "after --mischief=$mischief" last.out "fini"
done
assert_status "tw_end() in a subscriber" 3 "$shop" --synch=3 --mischief=3
assert_contains "tw_end() in a subscriber" last.err \
    "tw_end() is called by a subscriber, hook or filter; call it after tw_run() has returned"
assert_status "tw_end() in a handler" 3 "$shop" --synch=1 --mischief=4
assert_contains "tw_end() in a handler" last.err "tw_end() is called by a handler;"

# ---- Places to write to ----
rm -rf run
run_shop 1 --synch=1 --disable-output --subscribers="$libraries/st_collector.so" --stats-path=run
assert_contains "without output" run.err "st_collector: there is no directory to write to"
[ ! -e run ] || fail "--disable-output made a directory"
(
    ulimit -f 20000 # blocks of 512 bytes: less than the log, and enough for MPI
    trap '' XFSZ
    "$shop" --synch=1 --lps=240 --end=120 --subscribers="$libraries/st_collector.so" \
        --stats-path=run
) >run.out 2>run.err
assert_eq "status when the disk is full" 0 "$?"
assert_eq "messages when the disk is full" 1 "$(grep -c 'st_collector: rank 0: cannot write' run.err)"
assert_num "sales when the disk is full" "$(sed -n 's/^sold //p' run.out)" '>' 50000
finish
