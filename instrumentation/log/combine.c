/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * combine.c - loggers that pass entries to other loggers: a filter, and a broadcast. They own these
 * other loggers.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "log/logger.h"

/* A filter or a broadcast. A filter has one logger in its list. */
struct combined {
    st_logger base;
    st_log_predicate wanted;
    void *ctx;
    int level_max;
    st_logger **list; /* owned, including the loggers in it */
    size_t n;
};

static struct combined *combined_of(st_logger *logger)
{
    return (struct combined *)(void *)logger;
}

static st_result first_of(st_result so_far, st_result next)
{
    return so_far == ST_OK ? next : so_far;
}

static st_result combined_start(st_logger *logger)
{
    struct combined *c = combined_of(logger);
    st_result result = ST_OK;
    for (size_t i = 0; i < c->n; i++) {
        st_result one = st_logger_start(c->list[i]);
        result = first_of(result, one);
        if (c->list[i]->state == LOG_STARTED) {
            logger->state = LOG_STARTED;
        }
    }
    return result;
}

static st_result combined_add(st_logger *logger, const st_log_entry *entry)
{
    struct combined *c = combined_of(logger);
    st_result result = ST_OK;
    if (entry->level > c->level_max || (c->wanted != NULL && !c->wanted(entry, c->ctx))) {
        return ST_OK;
    }
    for (size_t i = 0; i < c->n; i++) {
        st_result one = c->list[i]->state == LOG_STARTED ? st_logger_add(c->list[i], entry) : ST_IO;
        result = first_of(result, one);
    }
    return result;
}

static st_result combined_flush(st_logger *logger)
{
    struct combined *c = combined_of(logger);
    st_result result = ST_OK;
    for (size_t i = 0; i < c->n; i++) {
        if (c->list[i]->state == LOG_STARTED) {
            result = first_of(result, st_logger_flush(c->list[i]));
        }
    }
    return result;
}

static st_result combined_finish(st_logger *logger)
{
    struct combined *c = combined_of(logger);
    st_result result = ST_OK;
    for (size_t i = 0; i < c->n; i++) {
        st_result one = c->list[i]->state == LOG_STARTED ? st_logger_finish(c->list[i]) : ST_IO;
        result = first_of(result, one);
    }
    return result;
}

static void combined_free(st_logger *logger)
{
    struct combined *c = combined_of(logger);
    for (size_t i = 0; i < c->n; i++) {
        st_logger_destroy(c->list[i]);
    }
    free(c->list);
}

static const char *combined_error(const st_logger *logger)
{
    const struct combined *c = (const struct combined *)(const void *)logger;
    for (size_t i = 0; i < c->n; i++) {
        const char *error = st_logger_error(c->list[i]);
        if (error[0] != '\0') {
            return error;
        }
    }
    return "";
}

static st_result combined_create(st_logger *const *list, size_t n, st_logger **logger)
{
    assert(n > 0);
    static const struct log_kind kind = {.start = combined_start,
                                         .add = combined_add,
                                         .flush = combined_flush,
                                         .finish = combined_finish,
                                         .free = combined_free,
                                         .error = combined_error};
    for (size_t i = 0; i < n; i++) {
        bool twice = false;
        for (size_t k = 0; k < i; k++) {
            twice |= list[k] == list[i];
        }
        if (list[i] == NULL || list[i]->state != LOG_NEW || twice) {
            return ST_INVALID;
        }
    }
    st_result result = log_create(&kind, sizeof(struct combined), logger);
    if (result != ST_OK) {
        return result;
    }
    struct combined *c = combined_of(*logger);
    c->list = malloc(n * sizeof(st_logger *));
    if (c->list == NULL) {
        free(c);
        *logger = NULL;
        return ST_NO_MEMORY;
    }
    memcpy(c->list, list, n * sizeof(st_logger *));
    c->n = n;
    return ST_OK;
}

st_result st_log_filter_create(st_log_predicate wanted, void *ctx, int level_max, st_logger *next,
                               st_logger **logger)
{
    if (logger == NULL) {
        return ST_INVALID;
    }
    st_result result = combined_create(&next, 1, logger);
    if (result == ST_OK) {
        struct combined *c = combined_of(*logger);
        c->wanted = wanted;
        c->ctx = ctx;
        c->level_max = level_max;
    }
    return result;
}

st_result st_log_broadcast_create(st_logger *const *loggers, size_t n, st_logger **logger)
{
    if (logger == NULL || loggers == NULL || n == 0) {
        return ST_INVALID;
    }
    st_result result = combined_create(loggers, n, logger);
    if (result == ST_OK) {
        combined_of(*logger)->level_max = INT32_MAX;
    }
    return result;
}
