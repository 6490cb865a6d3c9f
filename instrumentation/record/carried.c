/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * carried.c - the samples that travel with an LP, to a restarted run or to another rank: the numbers of
 * events since the last sample at virtual times. Samples at virtual times begin with them.
 */
#include <assert.h>
#include <stdlib.h>

#include "record/recorder.h"

void recorder_lp_write(const struct recorder *recorder, const tw_lp *lp, struct fmt_out *out)
{
    const struct vt_sampling *vt = &recorder->vt;
    const struct vt_carried carried = vt_sampling_carried(vt, lp->id);
    if (carried.of_lp > 0 || carried.of_kp > 0) {
        fmt_out_f64(out, vt->points.interval);
        fmt_out_u64(out, carried.of_lp);
        fmt_out_u64(out, carried.of_kp);
    }
}

bool recorder_lp_read(struct recorder *recorder, const tw_lp *lp, struct fmt_in *in,
                      bool takes_over)
{
    if (in->size == 0) {
        return true;
    }
    const double interval = fmt_in_f64(in);
    struct vt_carried carried = {.of_lp = fmt_in_u64(in)};
    if (in->pos < in->size) { /* older checkpoints end here */
        carried.of_kp = fmt_in_u64(in);
    }
    if (in->bad || !(interval > 0.0)) {
        return false;
    }
    const double own = takes_over ? recorder->options.vt_interval : 0.0;
    if (interval < own || interval > own) { /* other points: the count has no meaning for them */
        return true;
    }
    if (recorder->vt_carried == NULL) {
        recorder->vt_carried =
            tw_calloc(TW_LOC, "samples", sizeof(*recorder->vt_carried), g_tw_nlp);
    }
    recorder->vt_carried[lp->id] = carried;
    return true;
}

enum tw_status recorder_begin_vt(struct recorder *recorder, const double *after)
{
    const struct record_options *o = &recorder->options;
    struct vt_slots slots = {recorder->sample_payloads.slots,
                             o->built_for_ross8 ? NULL : recorder->model_payloads.slots};
    enum tw_status status = vt_sampling_init(&recorder->vt, o, &recorder->streams[RECORD_VT],
                                             &recorder->streams[RECORD_MODEL], slots);
    recorder->vt.calls = &recorder->model.calls;
    if (status == TW_OK && after != NULL) {
        status = vt_sampling_begin_after(&recorder->vt, *after, recorder->move != NULL);
    }
    if (status == TW_OK && recorder->vt.is_on && recorder->vt_carried != NULL) {
        vt_sampling_continue(&recorder->vt, recorder->vt_carried);
    }
    free(recorder->vt_carried);
    recorder->vt_carried = NULL;
    return status;
}
