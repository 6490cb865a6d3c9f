/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * logger.h - parts common to all loggers (internal to log/). logger.c checks the states of loggers
 * and counts their entries. Each kind of logger has a struct that starts with st_logger, and a
 * struct log_kind with its functions.
 */
#ifndef WARPSCOPE_LOG_LOGGER_H
#define WARPSCOPE_LOG_LOGGER_H

#include "st_log.h"

#define LOG_ERROR_MAX 512

enum log_state { LOG_NEW = 0, LOG_STARTED, LOG_FINISHED };

/* Functions of a kind of logger. They are called only in the states that st_log.h allows. free()
 * releases what the struct of the logger refers to, but not the struct itself. */
struct log_kind {
    st_result (*start)(st_logger *logger);
    st_result (*add)(st_logger *logger, const st_log_entry *entry);
    st_result (*flush)(st_logger *logger);
    st_result (*finish)(st_logger *logger);
    void (*free)(st_logger *logger);
    /* Returns the text of the first error. NULL: the text is in logger->error. */
    const char *(*error)(const st_logger *logger);
};

struct st_logger {
    const struct log_kind *kind;
    enum log_state state;
    uint64_t entries, lost;
    char error[LOG_ERROR_MAX]; /* text of the first error; "": none */
};

/* Creates a logger in *logger: a zeroed struct of size bytes with its kind set. Returns ST_OK or
 * ST_NO_MEMORY. */
st_result log_create(const struct log_kind *kind, size_t size, st_logger **logger);

/* Stores the text "PATH: WHAT: WHY" as the error of the logger, unless there is an earlier error.
 * path: may be NULL. why: an errno value; 0: no cause. Returns result. */
st_result log_fail(st_logger *logger, st_result result, const char *path, const char *what,
                   int why);

#endif
