/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * feed.h - fills the script (script.h): assigns CTAs to SMs, and stores on each rank the accesses
 * of that rank's SMs.
 */
#ifndef MEMSIM_FEED_H
#define MEMSIM_FEED_H

#include "script.h"
#include "settings.h"
#include "store/index.h"

struct ms_feed {
    struct ms_script *script;
    unsigned stream;
    unsigned sms; /* number of SMs; the SM index of each access must be smaller */
    /* true: the n-th new CTA of a launch goes to SM n % sms; false: each CTA goes to its recorded
     * SM. */
    bool round_robin;
    unsigned sms_named; /* 1 + largest SM index in the input so far */
    /* rank: index of this rank; ranks: number of ranks. Without a placement map, SM s is on rank
     * (n_streams + s) % ranks. */
    unsigned rank, ranks;
    /* true: a placement map decides which SMs are local, so this rank stores all accesses. */
    bool keeps_all;
    /* The CTAs of the present launch, for round_robin: CTA i is on SM i % sms. Owned. */
    uint64_t *ctas;
    size_t room;
    struct index index; /* finds the CTAs in `ctas` */
};

/* Begins the next launch of f->stream. name: name of the launched kernel. */
void ms_feed_launch(struct ms_feed *f, const char *name);
/* Chooses the SM of an access and adds the access to the present launch of f->stream. Returns
 * false, with an error message in *error, after an error. */
bool ms_feed_add(struct ms_feed *f, const struct memtrace_access *access,
                 struct model_error *error);
void ms_feed_fini(struct ms_feed *f);

/*
 * Fills s from the traces or from the workload that the settings name. Sets the numbers of streams
 * and SMs in the model. Returns false after an error. The caller frees s by ms_script_fini(), also
 * after an error. Collective; all ranks return the same result and the same error message in
 * *error.
 */
bool ms_feed_all(struct ms_script *s, const struct ms_settings *settings, MPI_Comm comm,
                 struct model_error *error);

/* Adds the launches of the workload `which` to the script of f. Returns false, with an error
 * message in *error, after an error. Defined in workload.c. */
bool ms_workload_make(struct ms_feed *f, const struct ms_settings *settings, enum ms_workload which,
                      struct model_error *error);

#endif
