/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * logger.c - the states and counts of loggers, see st_log.h.
 *
 * Invariants
 *  L1  The functions of a kind are called only in the states defined in st_log.h.
 *  L2  Every entry given to a STARTED logger counts as written or lost, unless the call returns
 *      ST_INVALID.
 */
#include "log/logger.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

st_result log_create(const struct log_kind *kind, size_t size, st_logger **logger)
{
    assert(size >= sizeof(st_logger));
    *logger = calloc(1, size);
    if (*logger == NULL) {
        return ST_NO_MEMORY;
    }
    (*logger)->kind = kind;
    return ST_OK;
}

st_result log_fail(st_logger *logger, st_result result, const char *path, const char *what, int why)
{
    assert(result != ST_OK);
    if (logger->error[0] == '\0') {
        snprintf(logger->error, sizeof logger->error, "%s%s%s%s%s", path == NULL ? "" : path,
                 path == NULL ? "" : ": ", what, why == 0 ? "" : ": ",
                 why == 0 ? "" : strerror(why));
    }
    return result;
}

st_result st_logger_start(st_logger *logger)
{
    if (logger == NULL || logger->state != LOG_NEW) {
        return logger == NULL ? ST_INVALID : ST_WRONG_STATE;
    }
    st_result result = logger->kind->start(logger);
    /* If only some loggers of a broadcast have started, the broadcast has already set its own
     * state. */
    if (result == ST_OK) {
        logger->state = LOG_STARTED;
    }
    return result;
}

static bool entry_is_sound(const st_log_entry *e)
{
    static const char phases[] = "XBEiCbnestfM", scopes[] = "gpt";
    return e != NULL && (e->phase == '\0' || strchr(phases, e->phase) != NULL) &&
           (e->scope == '\0' || strchr(scopes, e->scope) != NULL) &&
           fabs(e->time) <= ST_LOG_TIME_MAX && e->duration >= 0 && e->duration <= ST_LOG_TIME_MAX &&
           (e->n_args == 0 || e->args != NULL);
}

st_result st_logger_add(st_logger *logger, const st_log_entry *entry)
{
    if (logger == NULL) {
        return ST_INVALID;
    }
    if (logger->state != LOG_STARTED) {
        return ST_WRONG_STATE;
    }
    if (!entry_is_sound(entry)) {
        return ST_INVALID;
    }
    st_result result = logger->kind->add(logger, entry);
    if (result == ST_OK) {
        logger->entries++;
    } else {
        logger->lost++;
    }
    return result;
}

st_result st_logger_flush(st_logger *logger)
{
    if (logger == NULL) {
        return ST_INVALID;
    }
    return logger->state == LOG_STARTED ? logger->kind->flush(logger) : ST_WRONG_STATE;
}

st_result st_logger_finish(st_logger *logger)
{
    if (logger == NULL) {
        return ST_INVALID;
    }
    if (logger->state != LOG_STARTED) {
        return ST_WRONG_STATE;
    }
    logger->state = LOG_FINISHED;
    return logger->kind->finish(logger);
}

void st_logger_destroy(st_logger *logger)
{
    if (logger == NULL) {
        return;
    }
    if (logger->state == LOG_STARTED) {
        st_logger_finish(logger);
    }
    logger->kind->free(logger);
    free(logger);
}

const char *st_logger_error(const st_logger *logger)
{
    if (logger == NULL) {
        return "";
    }
    return logger->kind->error == NULL ? logger->error : logger->kind->error(logger);
}

uint64_t st_logger_entries(const st_logger *logger)
{
    return logger == NULL ? 0 : logger->entries;
}

uint64_t st_logger_lost(const st_logger *logger)
{
    return logger == NULL ? 0 : logger->lost;
}

/* ---- Metadata -------------------------------------------------------------------------------- */

static st_result meta_add(st_logger *logger, const char *what, uint64_t pid, uint64_t tid,
                          st_log_arg arg)
{
    st_log_entry entry = {
        .name = what, .phase = 'M', .pid = pid, .tid = tid, .args = &arg, .n_args = 1};
    return st_logger_add(logger, &entry);
}

static st_log_arg name_arg(const char *name)
{
    return (st_log_arg){.key = "name", .kind = ST_LOG_TEXT, .value = {.text = name}};
}

static st_log_arg order_arg(uint64_t place)
{
    return (st_log_arg){.key = "sort_index", .kind = ST_LOG_U64, .value = {.u64 = place}};
}

st_result st_log_process_name(st_logger *logger, uint64_t pid, const char *name)
{
    st_result result = meta_add(logger, "process_name", pid, 0, name_arg(name));
    return result == ST_OK ? meta_add(logger, "process_sort_index", pid, 0, order_arg(pid))
                           : result;
}

st_result st_log_thread_name(st_logger *logger, uint64_t pid, uint64_t tid, const char *name)
{
    st_result result = meta_add(logger, "thread_name", pid, tid, name_arg(name));
    return result == ST_OK ? meta_add(logger, "thread_sort_index", pid, tid, order_arg(tid))
                           : result;
}
