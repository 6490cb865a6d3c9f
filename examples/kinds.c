/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kinds.c - a subscriber library that counts the tasks of each kind that the model begins.
 *
 *     cc -shared -fPIC -o kinds.so kinds.c      (and -I for the headers)
 *     ./model --subscribers=./kinds.so
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "st_task.h"

#define KINDS_MAX 64

static const st_api *api;
static struct {
    char name[64];
    uint64_t n;
    double first, last; /* virtual times at which the first and the last task of the kind began */
} kinds[KINDS_MAX];

static void on_begin(const st_record *record, void *arg)
{
    st_task_record task;
    (void)arg;
    if (!st_task_unpack(record, &task)) {
        return;
    }
    int i = 0;
    while (i < KINDS_MAX - 1 && kinds[i].n > 0 && strcmp(kinds[i].name, task.kind) != 0) {
        i++;
    }
    if (kinds[i].n++ == 0) {
        snprintf(kinds[i].name, sizeof kinds[i].name, "%s", task.kind);
        kinds[i].first = kinds[i].last = task.start;
    }
    kinds[i].first = task.start < kinds[i].first ? task.start : kinds[i].first;
    kinds[i].last = task.start > kinds[i].last ? task.start : kinds[i].last;
}

void st_subscriber_init(const st_api *given, unsigned major, unsigned minor, const char *version,
                        const char *stream)
{
    (void)major, (void)minor, (void)version;
    if (strcmp(stream, ST_TASK_STREAM) == 0) {
        api = given;
        api->subscribe(api->stream_find(stream), ST_TASK_BEGIN, ST_COMMITTED, on_begin, NULL);
    }
}

void st_subscriber_fini(const char *stream)
{
    if (strcmp(stream, ST_TASK_STREAM) == 0) {
        for (int i = 0; i < KINDS_MAX && kinds[i].n > 0; i++) {
            printf("rank %u: %s: %" PRIu64 " began, from %.6g to %.6g\n", api->rank(),
                   kinds[i].name, kinds[i].n, kinds[i].first, kinds[i].last);
        }
        fflush(stdout);
    }
}
