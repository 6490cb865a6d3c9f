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
    /* True if the placement map could not be written; an error message was printed. */
    bool map_failed;
};

/* Sets the facts that follow from the gathered figures of a run; those of passes over the trace become
 * unknown, with the reason. */
void advise_study_begin(struct advise_facts *facts, struct ws_figures *run);

/* Sets the facts that require passes over the event trace. Also writes the placement map through `outs` if
 * the placement helps and facts->s.map is set. */
void advise_study(struct advise_facts *facts, struct ws_file *trace, struct ws_outs *outs);

/* The following functions print statements: as text, as JSON, or only the options for the model, in
 * one line. The second one returns false if memory is exhausted. */
void advise_print_text(const struct ws_file *file, const struct ws_finding *list, size_t n);
bool advise_print_json(const struct ws_figures *run, const struct ws_finding *list, size_t n);
void advise_print_options(const struct ws_finding *list, size_t n);

#endif
