/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * feed.h - fills the script (script.h): assigns CTAs to SMs, and stores on each rank the accesses
 * of its SMs.
 */
#ifndef MEMSIM_FEED_H
#define MEMSIM_FEED_H

#include "script.h"
#include "settings.h"

/* The CTAs of a launch and their SMs: a hash table with open addressing. */
struct ms_cta_table {
    uint64_t *ctas;
    uint32_t *sms; /* 1 + index of the SM; 0: free slot */
    size_t room;   /* number of slots, a power of two, or 0 */
    size_t used;
};

struct ms_feed {
    struct ms_script *script;
    unsigned stream;
    unsigned sms; /* number of SMs; SM indices in accesses are smaller */
    /* true: the n-th new CTA of a launch goes to SM n % sms; false: CTAs stay on the recorded
     * SM. */
    bool round_robin;
    unsigned sms_named; /* 1 + largest SM index in the input so far */
    /* This rank and the number of ranks; SM s is on rank (n_streams + s) % ranks. */
    unsigned rank, ranks;
    bool keeps_all; /* true if a map decides which SMs are local */
    struct ms_cta_table ctas;
};

void ms_feed_launch(struct ms_feed *f, const char *name);
bool ms_feed_add(struct ms_feed *f, const struct memtrace_access *access,
                 struct model_error *error);
void ms_feed_fini(struct ms_feed *f);

/*
 * Reads the traces or makes the workload, according to the settings. Sets the number of streams and
 * of SMs in the model. The caller frees s, also after an error. Collective; all ranks return the
 * same result and message.
 */
bool ms_feed_all(struct ms_script *s, const struct ms_settings *settings, MPI_Comm comm,
                 struct model_error *error);

/* Adds the launches of a workload to the script. Defined in workload.c. */
bool ms_workload_make(struct ms_feed *f, const struct ms_settings *settings, enum ms_workload which,
                      struct model_error *error);

#endif
