/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.c - a logger for tests, which keeps copies of entries.
 */
#include <stdlib.h>
#include <string.h>

#include "log/logger.h"
#include "store/array.h"

struct memory {
    st_logger base;
    st_log_entry *list; /* owned, including all data to which the entries point */
    size_t n, room, n_max;
};

static st_result nothing(st_logger *logger)
{
    (void)logger;
    return ST_OK;
}

static void entry_free(st_log_entry *e)
{
    st_log_arg *args = (st_log_arg *)e->args;
    for (size_t i = 0; args != NULL && i < e->n_args; i++) {
        free((char *)args[i].key);
        if (args[i].kind == ST_LOG_TEXT) {
            free((char *)args[i].value.text);
        } else if (args[i].kind == ST_LOG_VECTOR) {
            free((int64_t *)args[i].value.vector.items);
        }
    }
    free(args);
    free((char *)e->name);
    free((char *)e->category);
    free((char *)e->color);
}

static bool text_copy(const char **to, const char *from)
{
    *to = strdup(from == NULL ? "" : from);
    return *to != NULL;
}

static bool vector_copy(st_log_vector *to, const st_log_vector *from)
{
    int64_t *items = malloc((from->n + 1) * sizeof *items);
    to->items = items;
    if (items != NULL && from->n > 0) {
        memcpy(items, from->items, from->n * sizeof *items);
    }
    return items != NULL;
}

static bool args_copy(st_log_entry *to, const st_log_entry *from)
{
    if (from->n_args == 0) {
        return true;
    }
    st_log_arg *args = calloc(from->n_args, sizeof *args);
    to->args = args;
    for (; args != NULL && to->n_args < from->n_args; to->n_args++) {
        const st_log_arg *arg = &from->args[to->n_args];
        st_log_arg *copy = &args[to->n_args];
        *copy = *arg;
        bool good = text_copy(&copy->key, arg->key);
        if (arg->kind == ST_LOG_TEXT) {
            good = text_copy(&copy->value.text, arg->value.text) && good;
        } else if (arg->kind == ST_LOG_VECTOR) {
            good = vector_copy(&copy->value.vector, &arg->value.vector) && good;
        }
        if (!good) {
            to->n_args++; /* counts the incomplete copy too, so that it is freed */
            return false;
        }
    }
    return args != NULL;
}

static st_result memory_add(st_logger *logger, const st_log_entry *entry)
{
    struct memory *m = (struct memory *)(void *)logger;
    if (m->n == m->n_max) {
        return log_fail(logger, ST_FULL, NULL, "no room for more entries", 0);
    }
    if (!array_reserve(&m->list, &m->room, m->n + 1, sizeof *m->list)) {
        return log_fail(logger, ST_NO_MEMORY, NULL, "out of memory", 0);
    }
    st_log_entry copy = *entry;
    copy.name = copy.category = copy.color = NULL;
    copy.args = NULL;
    copy.n_args = 0;
    if (!text_copy(&copy.name, entry->name) || !text_copy(&copy.category, entry->category) ||
        !text_copy(&copy.color, entry->color) || !args_copy(&copy, entry)) {
        entry_free(&copy);
        return log_fail(logger, ST_NO_MEMORY, NULL, "out of memory", 0);
    }
    m->list[m->n++] = copy;
    return ST_OK;
}

static void memory_free(st_logger *logger)
{
    struct memory *m = (struct memory *)(void *)logger;
    for (size_t i = 0; i < m->n; i++) {
        entry_free(&m->list[i]);
    }
    free(m->list);
}

static const struct log_kind kind = {
    .start = nothing, .add = memory_add, .flush = nothing, .finish = nothing, .free = memory_free};

st_result st_log_memory_create(size_t n_max, st_logger **logger)
{
    if (logger == NULL) {
        return ST_INVALID;
    }
    st_result result = log_create(&kind, sizeof(struct memory), logger);
    if (result == ST_OK) {
        ((struct memory *)(void *)*logger)->n_max = n_max;
    }
    return result;
}

const st_log_entry *st_log_memory_entries(const st_logger *logger, size_t *n)
{
    *n = 0;
    if (logger == NULL || logger->kind != &kind) {
        return NULL;
    }
    const struct memory *m = (const struct memory *)(const void *)logger;
    *n = m->n;
    return m->n == 0 ? NULL : m->list;
}
