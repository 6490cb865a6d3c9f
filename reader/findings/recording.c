/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording.c - rules about the recording: whether it is whole, and what it cost; see rules.h.
 */
#include <inttypes.h>
#include <math.h>

#include "findings/rules.h"

void ws_rule_lost(struct ws_finding *f, const struct ws_evidence *e)
{
    double lost = fmax(e->records_lost, 0.0), all = lost + fmax(e->records_damaged, 0.0);
    uint64_t blocks = e->blocks_damaged;
    if (all > 0.0) {
        ws_found(f, 1.0, "%s%.0f records are missing in this recording: numbers are too small.",
                 blocks > 0 || e->loss_unknown ? "At least " : "", all);
    } else if (blocks > 0) {
        ws_found(f, 1.0,
                 "%" PRIu64 " block%s of this recording cannot be read: numbers are too small.",
                 blocks, blocks == 1 ? "" : "s");
    } else if (e->loss_unknown) {
        ws_found(f, 1.0, "An unknown number of records is missing in this recording.");
    } else {
        return;
    }
    ws_sentence(
        f->advice,
        lost > 0.0 || (!(all > 0.0) && blocks == 0)
            ? "--buffer-full=spill or block loses none while recording; check that the disk has "
              "room."
            : "The file was damaged after recording: take another copy, if there is one. "
              "\"warpscope verify\" lists all damage.");
}

void ws_rule_incomplete(struct ws_finding *f, const struct ws_evidence *e)
{
    bool damaged = e->records_damaged > 0.0 || e->blocks_damaged > 0;
    if (e->pes_open == 0) {
        return;
    }
    ws_found(f, 1.0, "%" PRIu32 " PE%s did not end %s part: %s.", e->pes_open,
             e->pes_open == 1 ? "" : "s", e->pes_open == 1 ? "its" : "their",
             damaged ? "the file is damaged, the run was killed, or it still goes on"
                     : "the run was killed, or still goes on");
    ws_sentence(f->advice,
                "%sAfter a kill, \"warpscope recover DIR\" adds what was not yet written.",
                damaged ? "\"warpscope verify\" lists all damage. " : "");
}

void ws_rule_recording_time(struct ws_finding *f, const struct ws_evidence *e)
{
    ws_takes(f, e, WS_PHASE_RECORDS, 0.1, 0, "writing records",
             "Leave a core to --writer-thread=on, or record less: --trace-lps, a larger --num-gvt "
             "or --real-time-samp, fewer records of LPs.");
}

void ws_rule_phases_exact(struct ws_finding *f, const struct ws_evidence *e)
{
    if (e->phases_exact) {
        ws_found(f, 0.02, "All phases were timed exactly, which slows the run down.");
        ws_sentence(f->advice, "--phase-times=sampled estimates them at almost no cost.");
    }
}

void ws_rule_queue(struct ws_finding *f, const struct ws_evidence *e)
{
    double ratio = e->queue_last / (e->queue_first > 1.0 ? e->queue_first : 1.0);
    if (e->queue_last >= 1000.0 && ratio >= 2.0 && e->queue_middle > 1.2 * e->queue_first &&
        e->queue_last > 1.2 * e->queue_middle) {
        ws_found(f, fmin(0.5, 0.05 * ratio),
                 "The pending queue grows during the whole run: from %.3g to %.3g events per PE.",
                 e->queue_first, e->queue_last);
        ws_sentence(f->advice,
                    "The model sends more events than it executes: check that what it starts "
                    "also ends. --max-memory=MIB bounds the memory of a rank.");
    }
}
