/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_models.h - the models' rows of samples at virtual times, from the states of LPs (vt_timeline.h).
 */
#ifndef WARPSCOPE_RECORD_VT_VT_MODELS_H
#define WARPSCOPE_RECORD_VT_VT_MODELS_H

#include "record/vt/vt_sampling.h"

/* A point while it is recorded. */
struct vt_recording {
    struct vt_point at;
    double real_time;
    const struct vt_count_set *counts; /* counts of the point; NULL: no events */
};

/* Finds the LPs with data of models, which the timeline knows. Returns true if data of any LP hold. */
bool vt_models_find(struct vt_sampling *s);

/* Records a point. */
void vt_models_record(struct vt_sampling *s, const struct vt_recording *r);
/* Takes a point that is not recorded: later points exclude its events. */
void vt_models_skip(struct vt_sampling *s, const struct vt_recording *r);

#endif
