/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log_sink.h - loggers that write to memory, and entries for them.
 */
#ifndef WARPSCOPE_TESTS_LOG_SINK_H
#define WARPSCOPE_TESTS_LOG_SINK_H

#include <CUnit/Basic.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "st_log.h"

/* A target in memory that fails after some bytes. */
struct sink {
    char *data;
    size_t used, max, writes;
};

static inline int sink_write(void *ctx, const void *data, size_t size)
{
    struct sink *s = ctx;
    s->writes++;
    if (size > s->max - s->used) {
        return ENOSPC;
    }
    memcpy(s->data + s->used, data, size);
    s->used += size;
    s->data[s->used] = '\0';
    return 0;
}

static inline struct sink sink_make(size_t max)
{
    return (struct sink){.data = calloc(1, max + 1), .max = max};
}

static inline st_log_target target_of(struct sink *s)
{
    return (st_log_target){.path = "sink", .write = sink_write, .ctx = s};
}

typedef st_result (*create_f)(const st_log_target *, const st_log_options *, st_logger **);

static inline st_log_arg text_arg(const char *key, const char *text)
{
    return (st_log_arg){.key = key, .kind = ST_LOG_TEXT, .value = {.text = text}};
}

static inline st_log_arg f64_arg(const char *key, double value)
{
    return (st_log_arg){.key = key, .kind = ST_LOG_F64, .value = {.f64 = value}};
}

/* Returns the output of a logger for the entries. The caller frees it. */
static inline char *log_text(create_f create, const st_log_options *options,
                             const st_log_entry *entries, size_t n)
{
    struct sink s = sink_make(1u << 20);
    st_log_target target = target_of(&s);
    st_logger *log = NULL;
    CU_ASSERT_EQUAL_FATAL(create(&target, options, &log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_start(log), ST_OK);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_EQUAL(st_logger_add(log, &entries[i]), ST_OK);
    }
    CU_ASSERT_EQUAL(st_logger_finish(log), ST_OK);
    CU_ASSERT_EQUAL(st_logger_entries(log), n);
    CU_ASSERT_EQUAL(st_logger_lost(log), 0);
    CU_ASSERT_STRING_EQUAL(st_logger_error(log), "");
    st_logger_destroy(log);
    return s.data;
}

#endif
