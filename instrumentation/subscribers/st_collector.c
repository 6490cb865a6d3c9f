/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_collector.c - a subscriber library that writes the records of streams as text.
 *
 * Each rank writes collector-<rank>.txt in the directory of the recording. The file has one line
 * per record, with tabs between fields:
 *
 *     ts  lp  number  stream  type  point  size  bytes  instance  parent
 *
 * ts is written with all digits. lp is "-" for records without an LP. point and parent are written
 * as function@file:line; "-": none. bytes is hexadecimal; instance is "-" for records without an
 * instance.
 *
 * The lines of all ranks, sorted by ts, lp, stream and number, are the same for any number of
 * ranks, any scheduler and any other tools loaded. This holds only with class committed, for
 * records that have an LP and whose data have no addresses or padding. Command for sorting:
 *
 *     sort -t "$(printf '\t')" -k1,1g -k2,2n -k4,4 -k3,3n collector-*.txt
 *
 * WARPSCOPE_COLLECTOR_CLASS=committed|speculative   class of the subscription; default: committed
 * WARPSCOPE_COLLECTOR_STREAMS=a,b                   streams to write; default: all except those of
 *                                                   the engine (warpscope.engine, warpscope.send,
 *                                                   warpscope.sample, warpscope.trace)
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/trust.h"
#include "st_bus.h"

#define BUFFER_BYTES ((size_t)1 << 18)

static struct collector {
    const st_api *api;
    unsigned n_open; /* number of streams to which the library subscribes */
    st_class records;
    bool is_ready;   /* true once `records` and `path` are set */
    bool has_failed; /* true after an error: no more records are written */
    char path[4352];
    FILE *file;
    /* Protects this struct: outside of simulations, several threads may emit. */
    pthread_mutex_t lock;
} the = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- Output file ----------------------------------------------------------------------------- */

static void fail(const char *what, const char *why)
{
    if (!the.has_failed) {
        fprintf(stderr, "st_collector: rank %u: %s %s: %s; records from here on are not written\n",
                the.api->rank(), what, the.path, why);
    }
    the.has_failed = true;
}

static void open_file(void)
{
    char why[TRUST_WHY_MAX];
    the.file = trust_append(the.path, why, sizeof why);
    if (the.file == NULL) {
        fail("cannot open", why);
    } else {
        setvbuf(the.file, NULL, _IOFBF, BUFFER_BYTES);
    }
}

static void close_file(void)
{
    if (the.file != NULL) {
        errno = 0;
        bool incomplete = ferror(the.file) != 0;
        if (fclose(the.file) != 0 || incomplete) {
            fail("cannot write", errno != 0 ? strerror(errno) : "unknown error");
        }
        the.file = NULL;
    }
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Prints text to out, with "?" in place of control characters, which separate fields and lines. */
static void print_text(FILE *out, const char *text)
{
    for (const char *c = text == NULL ? "" : text; *c != '\0'; c++) {
        putc((unsigned char)*c < ' ' || *c == 127 ? '?' : *c, out);
    }
}

static void print_point(FILE *out, const st_point *point)
{
    if (point == NULL) {
        putc('-', out);
        return;
    }
    print_text(out, the.api->string_text(point->function));
    putc('@', out);
    print_text(out, the.api->string_text(point->file));
    fprintf(out, ":%" PRIu32, point->line);
    if (point->column != 0) {
        fprintf(out, ":%" PRIu32, point->column);
    }
}

static void print_bytes(FILE *out, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        putc(digits[bytes[i] >> 4], out);
        putc(digits[bytes[i] & 15], out);
    }
}

static void print_record(FILE *out, const st_record *r)
{
    errno = 0;
    fprintf(out, "%.17g\t", r->ts);
    if (r->lp == ST_NO_LP) {
        putc('-', out);
    } else {
        fprintf(out, "%" PRIu64, (uint64_t)r->lp);
    }
    fprintf(out, "\t%" PRIu64 "\t", r->number);
    print_text(out, the.api->stream_name(r->stream));
    putc('\t', out);
    print_text(out, the.api->type_name(r->type));
    putc('\t', out);
    print_point(out, r->point);
    fprintf(out, "\t%" PRIu32 "\t", r->size);
    print_bytes(out, r->data, r->size);
    if (r->instance == 0) {
        fputs("\t-\t", out);
    } else {
        fprintf(out, "\t%" PRIu64 "\t", r->instance);
    }
    print_point(out, r->parent);
    if (putc('\n', out) == EOF || ferror(out) != 0) {
        fail("cannot write", errno != 0 ? strerror(errno) : "unknown error");
    }
}

static void collect(const st_record *r, void *arg)
{
    (void)arg;
    pthread_mutex_lock(&the.lock);
    if (!the.has_failed && the.file != NULL) {
        print_record(the.file, r);
    }
    pthread_mutex_unlock(&the.lock);
}

/* ---- Streams --------------------------------------------------------------------------------- */

/* Returns true if `list`, which has names separated by commas, contains `name`. */
static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    while (*list != '\0') {
        size_t n = strcspn(list, ",");
        if (n == length && strncmp(list, name, n) == 0) {
            return true;
        }
        list += n;
        list += *list == ',';
    }
    return false;
}

static bool is_wanted(const char *stream)
{
    const char *list = getenv("WARPSCOPE_COLLECTOR_STREAMS");
    if (list != NULL && list[0] != '\0') {
        return is_listed(list, stream);
    }
    return !is_listed("warpscope.engine,warpscope.send,warpscope.sample,warpscope.trace", stream);
}

static void set_up(const st_api *api)
{
    const char *class = getenv("WARPSCOPE_COLLECTOR_CLASS");
    the.api = api;
    the.is_ready = true;
    the.records = ST_COMMITTED;
    if (class != NULL && strcmp(class, "speculative") == 0) {
        the.records = ST_SPECULATIVE;
    } else if (class != NULL && strcmp(class, "committed") != 0 && api->rank() == 0) {
        fprintf(stderr,
                "st_collector: WARPSCOPE_COLLECTOR_CLASS=%s: give committed or speculative; it is "
                "taken as committed\n",
                class);
    }
    const char *directory = api->stats_path();
    if (directory == NULL) {
        the.has_failed = true;
        if (api->rank() == 0) {
            fprintf(stderr, "st_collector: there is no directory to write to (--disable-output?); "
                            "nothing is collected\n");
        }
        return;
    }
    snprintf(the.path, sizeof the.path, "%s/collector-%u.txt", directory, api->rank());
}

void st_subscriber_init(const st_api *api, unsigned major, unsigned minor, const char *version,
                        const char *stream)
{
    (void)major, (void)minor, (void)version;
    if (!is_wanted(stream)) {
        return;
    }
    if (!the.is_ready) {
        set_up(api);
    }
    if (the.has_failed) {
        return;
    }
    if (the.n_open++ == 0) {
        open_file();
    }
    api->subscribe(api->stream_find(stream), ST_ALL_TYPES, the.records, collect, NULL);
}

void st_subscriber_fini(const char *stream)
{
    if (the.n_open == 0 || !is_wanted(stream)) {
        return;
    }
    the.api->unsubscribe(the.api->stream_find(stream), ST_ALL_TYPES, the.records, collect, NULL);
    if (--the.n_open == 0) {
        close_file();
    }
}
