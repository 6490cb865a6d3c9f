/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * carried.c - the samples that travel with an LP, to a restarted run or to another rank: the number of
 * its events since the last sample at virtual times. Samples at virtual times begin with them.
 */
#include <assert.h>
#include <stdlib.h>

#include "record/recorder.h"

void recorder_lp_write(const struct recorder *recorder, const tw_lp *lp, struct fmt_out *out)
{
    const struct vt_sampling *vt = &recorder->vt;
    const uint64_t events = vt_sampling_events(vt, lp->id);
    if (events > 0) {
        fmt_out_f64(out, vt->timeline.interval);
        fmt_out_u64(out, events);
    }
}

bool recorder_lp_read(struct recorder *recorder, const tw_lp *lp, struct fmt_in *in,
                      bool takes_over)
{
    if (in->size == 0) {
        return true;
    }
    const double interval = fmt_in_f64(in);
    const uint64_t events = fmt_in_u64(in);
    if (in->bad || !(interval > 0.0)) {
        return false;
    }
    const double own = takes_over ? recorder->options.vt_interval : 0.0;
    if (interval < own || interval > own) { /* other points: the count has no meaning for them */
        return true;
    }
    if (recorder->vt_events == NULL) {
        recorder->vt_events = tw_calloc(TW_LOC, "samples", sizeof(*recorder->vt_events), g_tw_nlp);
    }
    recorder->vt_events[lp->id] = events;
    return true;
}

enum tw_status recorder_begin_vt(struct recorder *recorder)
{
    const struct record_options *o = &recorder->options;
    struct vt_slots slots = {recorder->sample_payloads.slots,
                             o->built_for_ross8 ? NULL : recorder->model_payloads.slots};
    enum tw_status status = vt_sampling_init(&recorder->vt, o, &recorder->streams[RECORD_VT],
                                             &recorder->streams[RECORD_MODEL], slots);
    if (status == TW_OK && recorder->vt.is_on && recorder->vt_events != NULL) {
        vt_sampling_continue(&recorder->vt, recorder->vt_events);
    }
    free(recorder->vt_events);
    recorder->vt_events = NULL;
    return status;
}
