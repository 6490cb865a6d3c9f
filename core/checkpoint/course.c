/* SPDX-License-Identifier: BSD-3-Clause */
/* course.c - see course.h. */
#include "checkpoint/course.h"

#include <math.h>
#include <string.h>

/* The record in a file. */
struct course_record {
    uint64_t record_bytes;
    uint64_t gvts;
    uint64_t hook_when;
    double hook_time;
    uint64_t hook_every;
    uint64_t gvt_samples;
    uint64_t rt_samples;
    uint64_t vt_points;
    double vt_interval;
};
_Static_assert(sizeof(struct course_record) % 8 == 0, "a record");

bool course_add(struct ckpt_image *image, const struct run_samples *samples)
{
    struct course_record *record = ckpt_image_add(image, CKPT_COURSE, 0, sizeof *record);
    if (record != NULL) {
        *record = (struct course_record){.record_bytes = sizeof *record,
                                         .gvts = g_tw_gvt_done,
                                         .hook_when = g_run.hook.when,
                                         .hook_time = g_run.hook.time,
                                         .hook_every = g_run.hook.every,
                                         .gvt_samples = samples->gvt,
                                         .rt_samples = samples->rt,
                                         .vt_points = samples->vt,
                                         .vt_interval = samples->vt_interval};
    }
    return record != NULL;
}

bool course_read(const void *record, size_t size, struct ckpt_course *course)
{
    struct course_record r;
    struct run_samples *n = &course->samples;
    if (size != sizeof r) {
        return false;
    }
    memcpy(&r, record, sizeof r);
    if (r.hook_when > GVT_HOOK_MODEL || isnan(r.hook_time) || r.hook_every > UINT32_MAX ||
        (r.hook_when == GVT_HOOK_EVERY && r.hook_every == 0) || !(r.vt_interval >= 0.0)) {
        return false;
    }
    course->gvts = r.gvts;
    course->hook = (struct gvt_hook){.when = (enum gvt_hook_when)r.hook_when,
                                     .time = r.hook_time,
                                     .every = (unsigned)r.hook_every};
    n->gvt = r.gvt_samples > n->gvt ? r.gvt_samples : n->gvt;
    n->rt = r.rt_samples > n->rt ? r.rt_samples : n->rt;
    n->vt = r.vt_points > n->vt ? r.vt_points : n->vt;
    n->vt_interval = r.vt_interval;
    return true;
}

void course_resume(const struct ckpt_course *course)
{
    if (course->hook.when != GVT_HOOK_UNUSED && g_run.hook.when != GVT_HOOK_UNUSED) {
        g_run.hook = course->hook;
    }
    g_tw_gvt_done = (tw_stat)course->gvts;
    g_run.samples_before = course->samples;
}
