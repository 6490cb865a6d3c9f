/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slice.h - functions that the handlers of an L2 slice share. slice_requests.c defines
 * them.
 */
#ifndef MEMSIM_SLICE_H
#define MEMSIM_SLICE_H

#include "model.h"

/* Puts a place on the stack of free places. */
void ms_place_give_back(const struct ms_model *m, struct ms_slice *s, uint32_t place);

/* Appends a copy of request r to the list. The slice must have a free place. Stores in *undo the
 * data for ms_list_append_undo(). */
void ms_list_append(const struct ms_model *m, struct ms_slice *s, struct ms_list *list,
                    const struct ms_request *r, struct ms_slice_undo *undo);
void ms_list_append_undo(const struct ms_model *m, struct ms_slice *s, struct ms_list *list,
                         const struct ms_slice_undo *undo);
/* Removes the first request from the list and stores it in undo->popped. */
void ms_list_pop(const struct ms_model *m, struct ms_slice *s, struct ms_list *list,
                 struct ms_slice_undo *undo);
void ms_list_pop_undo(const struct ms_model *m, struct ms_slice *s, struct ms_list *list,
                      const struct ms_slice_undo *undo);

/* Sends an event of kind `kind` from the slice lp to itself. mshr: index of the MSHR, or 0. */
void ms_self_send(double offset, enum ms_kind kind, unsigned mshr, tw_lp *lp);
/* Sends the reply to request r as soon as the outgoing port is free. Stores in *undo the data for
 * ms_reply_undo(). */
void ms_reply(const struct ms_model *m, struct ms_slice *s, const struct ms_request *r,
              struct ms_slice_undo *undo, tw_lp *lp);
void ms_reply_undo(const struct ms_model *m, struct ms_slice *s, const struct ms_request *r,
                   const struct ms_slice_undo *undo, tw_lp *lp);

/* Returns the index of the MSHR that waits for a line and is not draining; m->mshrs: there is none.
 * line_plus_1: number of the line + 1, or 0 to find a free MSHR. */
unsigned ms_mshr_find(const struct ms_model *m, struct ms_slice *s, uint64_t line_plus_1);
/* Processes request r, whose tags have been read. Returns the outcome. If the outcome is
 * MS_REFUSED, the state of the slice is unchanged. */
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
