/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer.h - the data of a st_tracer, for the files that implement it and print results.
 */
#ifndef WARPSCOPE_TASK_TRACER_H
#define WARPSCOPE_TASK_TRACER_H

#include "ross.h"
#include "st_tracer.h"
#include "task/busy_time.h"
#include "task/task_book.h"

/* List of the kinds of tracers: X(NAME, text), where text is the user-visible name of the kind. */
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
/* Adds a kind of tasks to the list `others` (TRACER_OTHERS bytes), unless it has the kind already,
 * or has no space for it. Neither allocates nor formats. */
void tracer_others_add(char *others, const char *kind, size_t length);

/* Specification of a tracer. kinds, whats and wheres are patterns for the texts of a task; NULL:
 * any text matches. */
struct tracer_spec {
    char *text; /* owned; text of the specification */
    enum tracer_kind kind;
    const char *kinds, *whats, *wheres;
    char *patterns; /* owned; memory to which the patterns point */
};

/* Returns the length of text up to the first unquoted character `end`; the length of all of text if
 * there is no such character. */
size_t tracer_spec_length(const char *text, char end);
/* Parses the specification in the first `length` bytes of text, and sets *spec. Returns TW_OK; or
 * TW_ERR_USAGE or TW_ERR_MEMORY, with one line in error (error_size bytes). */
enum tw_status tracer_spec_read(struct tracer_spec *spec, const char *text, size_t length,
                                char *error, size_t error_size);
/* Returns true if the task matches all patterns of spec. */
bool tracer_spec_fits(const struct tracer_spec *spec, const struct task *task);
void tracer_spec_fini(struct tracer_spec *spec);

/* Results of a tracer for one step in a domain. */
struct tracer_step {
    st_string_id what;
    uint64_t occurrences;
    uint64_t tasks;  /* number of tasks in which the step happened at least once */
    tw_stime ts;     /* virtual time of the record of the step's first occurrence */
    uint64_t number; /* record number of the record of the step's first occurrence */
};

/* Results of a tracer for one domain, a pair of an LP and a place. */
struct tracer_domain {
    tw_lpid lp; /* gid of the LP */
    st_string_id where;
    const char *where_text; /* name of the place, owned by the bus */
    /* Ordinal number of the domain among those of the tracer on this rank, from 0. */
    uint64_t order;
    uint64_t begun, ended;
    /* total: sum of the durations of ended tasks; least, most: shortest and longest of these
     * durations; all in virtual time. */
    double total, least, most;
    struct busy_time busy;     /* busy time, for kind TRACER_BUSY */
    tw_stime open_start;       /* earliest start of an open task, see tracer_find_open() */
    struct tracer_step *steps; /* owned; steps, for kind TRACER_STEPS */
    size_t n_steps;
};

/* A task that a tracer observes and that has not ended. */
struct tracer_task {
    struct tracer_domain *domain;
    tw_stime start;
    st_string_id *had; /* owned; the n_had different steps that the task has taken */
    size_t n_had;
    struct tracer_task *next; /* next entry of the spare list */
};

#define TRACER_RECENT 256u
#define TRACER_OTHERS 192u /* size of a list of kinds of tasks in bytes */

struct st_tracer {
    struct tracer_spec spec;
    st_task_filter filter; /* additional condition for tasks to be traced; NULL: none */
    void *filter_arg;
    /* Task book that notifies the tracer; NULL: the tracer is not attached. */
    struct task_book *book;
    bool was_attached, has_failed;
    uint64_t seen; /* number of tasks that began, matching or not */
    /* Kinds of tasks that began before the first one that matched, separated by commas: the first
     * ones that fit. */
    char others[TRACER_OTHERS];
    /* Map from the id (1 + LP, where, 0) to the struct tracer_domain. */
    struct id_map places;
    struct tracer_domain **domains; /* owned; n_domains domains in the order of their creation */
    size_t n_domains;
    struct tracer_domain *recent[TRACER_RECENT]; /* cache of domains, see domain_of() */
    /* Open tasks that are traced; the values are pointers to struct tracer_task, owned. */
    struct id_map open;
    /* Whole task of which the tracer is being notified; its domain is NULL if there is none. */
    struct tracer_task whole;
    struct tracer_task *spare; /* owned; list of free entries, reused for new tasks */
    struct st_tracer *next;    /* next tracer in the list of attached tracers */
    /* 1 + gid of the LP whose results were read last from a checkpoint; 0: none. */
    tw_lpid restored_lp;
    bool is_continued; /* true if the tracer continues results of the run before a restart */
};

/* Adds a domain without results. Returns NULL if memory is exhausted. */
struct tracer_domain *tracer_domain_make(struct st_tracer *tracer, tw_lpid lp, st_string_id where);
/* Adds an open task that the tracer traces, in a domain; does not change `begun`. The tracer must not
 * have the task yet. Returns NULL if memory is exhausted. */
struct tracer_task *tracer_task_restore(struct st_tracer *tracer, const struct task *task,
                                        struct tracer_domain *domain);
/* Lets the tracer trace an open task that began before the tracer was attached. */
void tracer_adopt(struct st_tracer *tracer, const struct task *task);
/* Discards all results of the tracer and its open tasks: their LPs have left this rank. */
void tracer_forget(struct st_tracer *tracer);

/* Sets open_start of all domains of the tracer to the earliest start of an open task in the domain;
 * INFINITY if there is none. */
void tracer_find_open(const struct st_tracer *tracer);
/* Returns the busy time of a domain up to the virtual time `now`, including the open tasks of the
 * domain; 0 if the kind of the tracer is not TRACER_BUSY. Call it after tracer_find_open(). */
double tracer_busy(const struct st_tracer *tracer, const struct tracer_domain *domain,
                   tw_stime now);
static inline double tracer_average(const struct tracer_domain *domain)
{
    return domain->ended > 0 ? domain->total / (double)domain->ended : 0.0;
}

/* Returns the domains of a tracer, sorted by LP, then by order, in an array that the caller frees;
 * NULL if memory is exhausted. */
struct tracer_domain **tracer_sorted(const struct st_tracer *tracer);

#endif
