/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer.h - the implementation of a st_tracer, for its files and those that print results.
 */
#ifndef WARPSCOPE_TASK_TRACER_H
#define WARPSCOPE_TASK_TRACER_H

#include "ross.h"
#include "st_tracer.h"
#include "task/busy_time.h"
#include "task/task_book.h"

/* X(NAME, text): the kinds, with their names for the user. */
#define TRACER_KINDS(X)                                                                            \
    X(BUSY, "busy")                                                                                \
    X(TOTAL, "total")                                                                              \
    X(AVERAGE, "average")                                                                          \
    X(COUNT, "count")                                                                              \
    X(STEPS, "steps")                                                                              \
    X(BACKTRACE, "backtrace")                                                                      \
    X(DATABASE, "database")

enum tracer_kind {
#define X(name, text) TRACER_##name,
    TRACER_KINDS(X)
#undef X
};
const char *tracer_kind_text(enum tracer_kind kind);

/* Specification of a tracer. Patterns are NULL (any) or point into patterns. */
struct tracer_spec {
    char *text; /* owned */
    enum tracer_kind kind;
    const char *kinds, *whats, *wheres;
    char *patterns; /* owned */
};

/* Returns the bytes of text before the first unquoted character end, or before its end. */
size_t tracer_spec_length(const char *text, char end);
/* Parses text (length bytes). Returns TW_OK, TW_ERR_USAGE with one line in error, or
 * TW_ERR_MEMORY. */
enum tw_status tracer_spec_read(struct tracer_spec *spec, const char *text, size_t length,
                                char *error, size_t error_size);
/* Returns true if the task matches all patterns. */
bool tracer_spec_fits(const struct tracer_spec *spec, const struct task *task);
void tracer_spec_fini(struct tracer_spec *spec);

/* A step in a domain. */
struct tracer_step {
    st_string_id what;
    uint64_t occurrences;
    uint64_t tasks;  /* tasks with at least one occurrence */
    tw_stime ts;     /* time of the record of its first occurrence */
    uint64_t number; /* number of that record */
};

/* Results for a pair (LP, place). */
struct tracer_domain {
    tw_lpid lp; /* gid */
    st_string_id where;
    const char *where_text; /* owned by the bus */
    uint64_t order;         /* ordinal number in the tracer on this rank; ascending within an LP */
    uint64_t begun, ended;
    double total, least, most;
    struct busy_time busy;     /* TRACER_BUSY */
    tw_stime open_start;       /* see tracer_find_open() */
    struct tracer_step *steps; /* TRACER_STEPS; owned */
    size_t n_steps;
};

/* A traced open task. */
struct tracer_task {
    struct tracer_domain *domain;
    tw_stime start;
    st_string_id *had; /* steps that it had; owned */
    size_t n_had;
    struct tracer_task *next; /* next spare entry */
};

#define TRACER_RECENT 256u

struct st_tracer {
    struct tracer_spec spec;
    st_task_filter filter; /* NULL: no filter */
    void *filter_arg;
    struct task_book *book; /* NULL: not attached */
    bool was_attached, has_failed;
    uint64_t seen;                  /* tasks that began, matching or not */
    struct id_map places;           /* (1 + LP, where, 0) -> struct tracer_domain */
    struct tracer_domain **domains; /* owned; by order */
    size_t n_domains;
    struct tracer_domain *recent[TRACER_RECENT]; /* cache of domains, see domain_of() */
    struct id_map open;                          /* values: struct tracer_task, owned */
    struct tracer_task whole;                    /* current whole task; domain NULL: none */
    struct tracer_task *spare;                   /* owned; reused for new tasks */
    struct st_tracer *next;                      /* next attached tracer */
};

/* Sets open_start of all domains to the earliest start of an open task; INFINITY if there is
 * none. */
void tracer_find_open(const struct st_tracer *tracer);
/* Returns the busy time of a domain up to now, including its open tasks; 0 for other kinds of
 * tracers. Call it after tracer_find_open(). */
double tracer_busy(const struct st_tracer *tracer, const struct tracer_domain *domain,
                   tw_stime now);
static inline double tracer_average(const struct tracer_domain *domain)
{
    return domain->ended > 0 ? domain->total / (double)domain->ended : 0.0;
}

/* Returns the domains by LP, then order, in an array that the caller frees; NULL if memory is
 * exhausted. */
struct tracer_domain **tracer_sorted(const struct st_tracer *tracer);

#endif
