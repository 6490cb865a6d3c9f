/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slice.h - functions that the handlers of an L2 slice share. slice_parts.c defines those for lists
 * of requests and for sending events, slice_tags.c those for the tags.
 */
#ifndef MEMSIM_SLICE_H
#define MEMSIM_SLICE_H

#include "model.h"

void ms_place_give_back(const struct ms_model *m, struct ms_slice *s, uint32_t place);

/* Appends a copy of the request. There must be a free place. */
void ms_list_append(const struct ms_model *m, struct ms_slice *s, struct ms_list *list,
                    const struct ms_request *r, struct ms_slice_undo *undo);
void ms_list_append_undo(const struct ms_model *m, struct ms_slice *s, struct ms_list *list,
                         const struct ms_slice_undo *undo);
/* Removes the first request from the list and keeps it in undo->popped. */
void ms_list_pop(const struct ms_model *m, struct ms_slice *s, struct ms_list *list,
                 struct ms_slice_undo *undo);
void ms_list_pop_undo(const struct ms_model *m, struct ms_slice *s, struct ms_list *list,
                      const struct ms_slice_undo *undo);

void ms_self_send(double offset, enum ms_kind kind, unsigned mshr, tw_lp *lp);
/* Replies to the request as soon as the port is free. */
void ms_reply(const struct ms_model *m, struct ms_slice *s, const struct ms_request *r,
              struct ms_slice_undo *undo, tw_lp *lp);
void ms_reply_undo(const struct ms_model *m, struct ms_slice *s, const struct ms_request *r,
                   const struct ms_slice_undo *undo, tw_lp *lp);

/* Returns the index of the MSHR that waits for a line. line_plus_1: number of the line + 1; 0 finds
 * a free MSHR. Returns the number of MSHRs if there is none. */
unsigned ms_mshr_find(const struct ms_model *m, struct ms_slice *s, uint64_t line_plus_1);
/* Processes a request whose tags have been read, and returns the outcome. If it is MS_REFUSED, the
 * state is unchanged. */
enum ms_outcome ms_request_try(const struct ms_model *m, struct ms_slice *s, tw_bf *bf,
                               const struct ms_request *r, struct ms_slice_undo *undo, tw_lp *lp);
void ms_request_try_undo(const struct ms_model *m, struct ms_slice *s, const tw_bf *bf,
                         const struct ms_request *r, const struct ms_slice_undo *undo, tw_lp *lp);

/* Returns the first way of the set to which the line belongs. */
static inline struct ms_way *ms_slice_set(const struct ms_model *m, struct ms_slice *s,
                                          uint64_t line)
{
    return s->ways + (size_t)ms_set_of_line(m, line) * m->ways;
}

#endif
