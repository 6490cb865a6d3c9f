/* SPDX-License-Identifier: BSD-3-Clause */
/* course.c - see checkpoint_private.h. */
#include "checkpoint/checkpoint_private.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct ckpt_course) == 72, "the record in a file");

bool course_add(struct ckpt_image *image, const struct run_samples *samples)
{
    struct ckpt_course *record = ckpt_image_add(image, CKPT_COURSE, 0, sizeof *record);
    if (record != NULL) {
        *record = (struct ckpt_course){.record_bytes = sizeof *record,
                                       .gvts = g_tw_gvt_done,
                                       .hook_when = g_run.hook.when,
                                       .hook_time = g_run.hook.time,
                                       .hook_every = g_run.hook.every,
                                       .samples = *samples};
    }
    return record != NULL;
}

bool course_read(const void *record, size_t size, struct ckpt_course *course)
{
    struct ckpt_course r;
    const struct run_samples *before = &course->samples;
    struct run_samples *n = &r.samples;
    if (size != sizeof r) {
        return false;
    }
    memcpy(&r, record, sizeof r);
    if (r.hook_when > GVT_HOOK_MODEL || isnan(r.hook_time) || r.hook_every > UINT32_MAX ||
        (r.hook_when == GVT_HOOK_EVERY && r.hook_every == 0) || !(n->vt_interval >= 0.0)) {
        return false;
    }
    n->gvt = ROSS_MAX(n->gvt, before->gvt);
    n->rt = ROSS_MAX(n->rt, before->rt);
    n->vt = ROSS_MAX(n->vt, before->vt);
    *course = r;
    return true;
}

void course_resume(const struct ckpt_course *course)
{
    if (course->hook_when != GVT_HOOK_UNUSED && g_run.hook.when != GVT_HOOK_UNUSED) {
        g_run.hook = (struct gvt_hook){.when = (enum gvt_hook_when)course->hook_when,
                                       .time = course->hook_time,
                                       .every = (unsigned)course->hook_every};
    }
    g_tw_gvt_done = (tw_stat)course->gvts;
    g_run.samples_before = course->samples;
}
