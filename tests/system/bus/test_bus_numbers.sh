#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A record's number does not depend on other observers. A tool's log is equal byte for byte, alone and beside
# other tools with any subscriptions, in either class of records, under every scheduler on any number of
# ranks.
# test: processors=2 timeout=240
. "$WS_SRC/tests/support/lib.sh"

collector=$WS_BUILD/lib/warpscope/st_collector.so
counter=$WS_BUILD/lib/warpscope/st_counter.so
[ -f "$collector" ] || skip "no $collector"
shop=$WS_TEST_BIN/shop
tab=$(printf '\t')

# A tool that subscribes to one type of the model's records, or to beginnings of tasks, and prints them in the
# format of the collector, as far as needed here. PICKY_CLASS: 0 speculative, 1 committed.
cat >picky.c <<'END'
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "st_bus.h"
static const st_api *the;
static FILE *out;
static void print(const st_record *r, void *arg)
{
    (void)arg;
    fprintf(out, "%.17g\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s\n", r->ts, (uint64_t)r->lp, r->number,
            the->stream_name(r->stream), the->type_name(r->type));
}
void st_subscriber_init(const st_api *api, unsigned major, unsigned minor, const char *version,
                        const char *stream)
{
    st_type sold;
    st_class records = getenv("PICKY_CLASS")[0] == '0' ? ST_SPECULATIVE : ST_COMMITTED;
    (void)major, (void)minor, (void)version;
    the = api;
    if (out == NULL) {
        char path[4096];
        snprintf(path, sizeof path, "%s/picky-%u.txt", api->stats_path(), api->rank());
        out = fopen(path, "w");
    }
    if (strcmp(stream, "shop") == 0) {
        api->type_register("shop", 3, &sold);
        api->subscribe(api->stream_find(stream), sold, records, print, NULL);
        api->subscribe(api->stream_find(stream), ST_DIAGNOSTIC, records, print, NULL);
    } else if (strcmp(stream, "warpscope.task") == 0) {
        api->subscribe(api->stream_find(stream), ST_TASK_END, records, print, NULL);
    }
}
void st_subscriber_fini(const char *stream) { (void)stream; fflush(out); }
END
assert_ok "build of picky.so" "$WS_MPICC" -std=gnu11 -O1 -Wall -Wextra -Werror -shared -fPIC \
    -I"$WS_SRC/core" -I"$WS_SRC/instrumentation" -I"$WS_BUILD/include" -o picky.so picky.c

# observe NAME RANKS PICKY_CLASS PROGRAM OPTIONS...: leaves the output of the collector and of picky, if they
# are loaded, in NAME.log and NAME.picky, in the order of records.
observe() {
    name=$1 ranks=$2 PICKY_CLASS=$3
    export PICKY_CLASS
    shift 3
    rm -rf run
    assert_ok "$* on $ranks ranks" run_mpi "$ranks" "$@" --quiet --stats-path=run </dev/null
    merge collector "$name.log"
    merge picky "$name.picky"
}

merge() {
    [ ! -e "run/$1-0.txt" ] || sort -t "$tab" -k1,1g -k2,2n -k4,4 -k3,3n run/"$1"-*.txt >"$2"
}

# picked LOG: the lines of the log that picky must have. A tool that subscribes to ends of tasks alone gets
# whole tasks as ends; the collector gets them as whole tasks.
picked() {
    sed "s/${tab}warpscope.task${tab}graph begin$tab/${tab}warpscope.task${tab}task end$tab/" "$1" |
        grep -E "${tab}(shop 3 begin|diagnostic begin|task end)$tab" | cut -f1-5
}

# counted: committed records and virtual times that the counter found on all ranks, by stream, type and point.
# Records of GVT and of LPs depend on the ranks.
counted() {
    cat run/counter-*.txt | awk '$1 == "emitted" || / warpscope.engine [GL]/ { next } {
            committed = $2
            time = $4
            $1 = $2 = $3 = $4 = ""
            sum[$0] += committed
            times[$0] += time
        }
        END { for (what in sum) if (sum[what] > 0) printf "%d %.6g%s\n", sum[what], times[what], what }' | sort
}

# check_model CUT PROGRAM OPTIONS...: CUT is a virtual time after the middle of the run.
check_model() {
    cut=$1
    shift
    rm -f ./*.log ./*.picky
    observe alone 1 1 "$@" --synch=1 --subscribers="$collector"
    assert_num "records of $1" "$(wc -l <alone.log)" '>' 1000
    assert_eq "places of records of $1 that are not unique" "" \
        "$(cut -f2-4 alone.log | sort | uniq -d | head -n 3)"
    picked alone.log >alone.picked
    assert_num "picked records of $1" "$(wc -l <alone.picked)" '>' 200
    observe beside 1 1 "$@" --synch=1 --subscribers="$collector,$counter"
    assert_same "records of $1 beside the counter" alone.log beside.log
    observe picky 1 1 "$@" --synch=1 --subscribers=./picky.so
    assert_same "records of one type of $1, alone" alone.picked picky.picky
    observe picky 1 0 "$@" --synch=1 --subscribers=./picky.so,"$counter"
    assert_same "speculative ones of $1 beside the counter" alone.picked picky.picky
    for setup in "1 3" "2 3" "3 2"; do
        ranks=${setup% *} synch=${setup#* }
        observe all "$ranks" 1 "$@" --synch="$synch" --task-trace=1 --tracer='steps;busy' \
            --subscribers="$counter,./picky.so,$collector"
        assert_same "beside all tools, --synch=$synch on $ranks ranks" alone.log all.log
        assert_same "one type of $1, --synch=$synch on $ranks ranks" alone.picked all.picky
        observe few "$ranks" 1 "$@" --synch="$synch" --subscribers=./picky.so
        assert_same "one type of $1 alone, --synch=$synch on $ranks ranks" alone.picked few.picky
    done
    observe undone 2 1 "$@" --synch=3 --random-rollbacks=2 --subscribers=./picky.so
    assert_same "one type of $1, with random rollbacks" alone.picked undone.picky
    # Numbers go on after a restart, also those of the engine's streams.
    rm -rf saved
    WARPSCOPE_COLLECTOR_STREAMS=shop,qnet,warpscope.task,warpscope.send,warpscope.engine
    export WARPSCOPE_COLLECTOR_STREAMS
    observe first 2 1 "$@" --synch=3 --subscribers="$collector,$counter" --checkpoint-every="$cut" \
        --checkpoint-path=saved
    counted >first.counts
    observe second 3 1 "$@" --synch=2 --subscribers="$collector,$counter" --restart=saved
    counted >second.counts
    unset WARPSCOPE_COLLECTOR_STREAMS
    of_model() { grep -v "${tab}warpscope.engine$tab[GL]" "$1"; } # not GVT, nor LPs with their KPs
    { of_model first.log | awk -v cut="$cut" '$1 < cut' && of_model second.log; } >both.log
    of_model first.log >first.model
    assert_num "records of $1 after the restart" "$(of_model second.log | wc -l)" '>' 500
    assert_same "records of $1 before and after a restart" first.model both.log
    assert_num "lines of the counter for $1" "$(wc -l <first.counts)" '>' 3
    assert_same "counts for $1 before and after a restart" first.counts second.counts
}

check_model 110 "$WS_BIN/qnet" --network=tandem --end=200
check_model 11 "$shop"
finish
