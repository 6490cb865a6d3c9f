/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.c - see options.h.
 */
#include "trace/options.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RING_DEFAULT = 1 << 20, RING_MIN = 64, RING_MAX = 1 << 26, PATIENCE_DEFAULT = 60 };
#define NANOSECONDS  UINT64_C(1000000000)
#define PATIENCE_MAX 1000000u /* in seconds */

static bool fail(char *error, const char *name, const char *value, const char *what)
{
    snprintf(error, WS_TRACE_ERROR_MAX, "%s%s=%.200s: must be %s", WS_TRACE_VARIABLE, name, value,
             what);
    return false;
}

static const char *variable(const char *name)
{
    char whole[64];
    assert(sizeof WS_TRACE_VARIABLE + strlen(name) <= sizeof whole);
    snprintf(whole, sizeof whole, "%s%s", WS_TRACE_VARIABLE, name);
    const char *value = getenv(whole);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* Reads a number with an optional suffix k, M or G into *number. Returns false if the text is
 * invalid or the number is too large. */
static bool number_read(const char *text, uint64_t *number)
{
    static const char suffixes[] = "kMG";
    const char *p = text;
    uint64_t n = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (n > (UINT64_MAX >> 30) / 10 - 1) {
            return false;
        }
        n = 10 * n + (uint64_t)(*p - '0');
    }
    const char *suffix = *p == '\0' ? NULL : strchr(suffixes, *p);
    if (p == text || (*p != '\0' && (suffix == NULL || p[1] != '\0'))) {
        return false;
    }
    *number = suffix == NULL ? n : n << 10 * (suffix - suffixes + 1);
    return true;
}

/* Returns the MPI rank, as digits, from the environment that the MPI launcher sets, or "0". */
static const char *rank_find(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                        "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0' && value[strspn(value, "0123456789")] == '\0') {
            return value;
        }
    }
    return "0";
}

static bool directory_read(struct ws_trace_options *o, const char *text, char *error)
{
    size_t at = 0;
    for (const char *p = text; *p != '\0'; p++) {
        char part[32] = {*p, '\0'};
        if (*p == '%') {
            p++;
            if (*p == 'p') {
                snprintf(part, sizeof part, "%ld", (long)getpid());
            } else if (*p == 'r') {
                snprintf(part, sizeof part, "%.30s", rank_find());
            } else if (*p != '%') {
                return fail(error, "", text,
                            "a directory, in which only %p (process), %r (rank) and %% may follow "
                            "a percent sign");
            }
        }
        size_t length = strlen(part);
        if (at + length >= sizeof o->directory) {
            return fail(error, "", text, "a directory of at most 3499 bytes");
        }
        assert(length > 0 && at + length < sizeof o->directory);
        memcpy(o->directory + at, part, length + 1);
        at += length;
    }
    return true;
}

/* Reads an option whose value is the word `first` (the default) or `second`. Sets *is_second to
 * true for `second`. If the value is another word, returns false, with an error message in
 * error. */
static bool choice_read(const char *name, const char *first, const char *second, bool *is_second,
                        char *error)
{
    const char *value = variable(name);
    char what[64];
    if (value == NULL || strcmp(value, first) == 0 || strcmp(value, second) == 0) {
        *is_second = value != NULL && strcmp(value, second) == 0;
        return true;
    }
    snprintf(what, sizeof what, "%s or %s", first, second);
    return fail(error, name, value, what);
}

bool ws_trace_options_read(struct ws_trace_options *o, char *error)
{
    const char *directory = variable(""), *ring = variable("_RING");
    const char *patience = variable("_PATIENCE"), *limit = variable("_LIMIT");
    uint64_t seconds = PATIENCE_DEFAULT;
    *o = (struct ws_trace_options){.ring = RING_DEFAULT};
    if (directory == NULL) {
        return true;
    }
    if (ring != NULL && (!number_read(ring, &o->ring) || o->ring < RING_MIN || o->ring > RING_MAX ||
                         (o->ring & (o->ring - 1)) != 0)) {
        return fail(error, "_RING", ring, "a power of two, 64 to 64M (records)");
    }
    if (patience != NULL &&
        (!number_read(patience, &seconds) || seconds == 0 || seconds > PATIENCE_MAX)) {
        return fail(error, "_PATIENCE", patience, "1 to 1000000 seconds");
    }
    if (limit != NULL && !number_read(limit, &o->limit)) {
        return fail(error, "_LIMIT", limit, "a number of records; 0: no limit");
    }
    o->patience = seconds * NANOSECONDS;
    o->limit = o->limit == 0 ? UINT64_MAX : o->limit;
    return choice_read("_NAMES", "demangled", "mangled", &o->mangled, error) &&
           choice_read("_FORM", "plain", "packed", &o->packed, error) &&
           directory_read(o, directory, error);
}
