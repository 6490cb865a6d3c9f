/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * course.h - what a checkpoint holds of the course of a run besides its LPs, events and counters: the
 * number of GVT computations, the calls of g_tw_gvt_hook that are still to come, and the numbers of
 * samples. A restart continues with them. The contents are equal on all ranks, except for the number
 * of samples by wall clock.
 */
#ifndef WARPSCOPE_CHECKPOINT_COURSE_H
#define WARPSCOPE_CHECKPOINT_COURSE_H

#include "checkpoint/format.h"
#include "engine/extension.h"
#include "engine/process/run.h"

struct ckpt_course {
    uint64_t gvts; /* number of GVT computations, g_tw_gvt_done */
    struct gvt_hook hook;
    struct run_samples samples;
};

/* Adds the course of this run to image, as a record of kind CKPT_COURSE. samples: numbers of samples
 * at the cut. Returns false if memory is short. */
bool course_add(struct ckpt_image *image, const struct run_samples *samples);
/* Reads the record of one file, and adds it to *course, which is zero before the first file: the
 * course of a run is that of its rank 0 with the largest numbers of samples of all ranks. Returns
 * false if the record is invalid. */
bool course_read(const void *record, size_t size, struct ckpt_course *course);
/* Makes this run continue the course of the one before it. A hook that this program requests and that
 * run did not, or the other way round, stays as this program requests it. */
void course_resume(const struct ckpt_course *course);

#endif
