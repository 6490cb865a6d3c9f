/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * advise.h - what "warpscope advise" finds in passes over the event trace, beside the figures of the run:
 * evidence for the rules of findings/. study.c takes it from other rooms, and command.c prints the
 * statements.
 */
#ifndef WARPSCOPE_READER_ADVISE_ADVISE_H
#define WARPSCOPE_READER_ADVISE_ADVISE_H

#include "findings/findings.h"

struct ws_figures;
struct ws_file;
struct ws_outs;

struct advise_facts {
    struct ws_evidence e; /* that of the figures; e.study is &s */
    struct ws_study s;
};

/* Sets the facts that follow from the gathered figures of a run, and those that require passes over its event
 * trace, if it has a whole one; otherwise these are unknown, with the reason. Writes the placement map `map`
 * through `outs`, if the placement helps; NULL: none. Returns false if that failed, after an error
 * message. */
bool advise_study(struct advise_facts *facts, struct ws_figures *run, const char *map,
                  struct ws_outs *outs);

#endif
