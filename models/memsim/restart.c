/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * restart.c - restart of a run from a checkpoint (--restart).
 *
 * States hold no pointers, so the engine writes and reads them. A state is valid only with the same
 * input and the same mapping of lines to slices and banks. Each launcher stores a digest of the
 * input and the mapping, and rejects a checkpoint with another digest. The states of the SMs identify
 * the accesses that were answered before the checkpoint, so that --trace-out writes them, too.
 */
#include "model.h"

/* True if LPs have moved between ranks. The ranks from which they came then have marked the accesses
 * that were completed before the move. */
static bool has_moved;

void ms_restart_moves(void)
{
    has_moved = true;
}

/* The digest does not include times, so a run can continue with a faster memory. */
uint64_t ms_input_digest(const struct ms_model *m, const struct ms_script *script)
{
    const uint64_t words[] = {m->line,      m->slices, m->hash,       m->sets,
                              m->ways,      m->mshrs,  m->channels,   m->banks,
                              m->row_lines, m->sms,    m->outstanding};
    uint64_t digest = script->digest;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        digest = ms_digest_add(digest, words[i]);
    }
    return digest;
}

static bool launcher_restore(void *state, tw_lp *lp, const void *bytes, size_t size)
{
    struct ms_launcher *l = state;
    memcpy(l, bytes, size);
    if (l->input != ms_input_digest(ms_model(), ms_script())) {
        fprintf(stderr,
                "memsim: launcher %" PRIu64 ": the checkpoint is of a run with another input, or "
                "other SMs, L2 cache or DRAM; only times and bandwidths may differ\n",
                (uint64_t)lp->gid);
        return false;
    }
    return true;
}

/* Returns true if item number `item` was answered before the checkpoint. The item must have been
 * issued, that is, be below the task's `at`. An issued item is unanswered exactly if it has a
 * slot. */
static bool is_answered(const struct ms_model *m, struct ms_sm *sm, unsigned stream, uint64_t item)
{
    for (unsigned i = 0; i < ms_n_slots(m); i++) {
        const struct ms_slot *slot = &ms_slots(m, sm)[i];
        if (slot->used && slot->stream == stream && slot->item == item) {
            return false;
        }
    }
    return true;
}

static bool sm_restore(void *state, tw_lp *lp, const void *bytes, size_t size)
{
    const struct ms_model *m = ms_model();
    struct ms_sm *sm = state;
    memcpy(sm, bytes, size);
    bool is_traced = ms_settings()->trace_out[0] != '\0';
    for (unsigned stream = 0; is_traced && !has_moved && stream < m->n_streams; stream++) {
        for (uint64_t i = 0; i < sm->tasks[stream].at; i++) {
            if (is_answered(m, sm, stream, i)) {
                ms_sm_done(stream, i, lp);
            }
        }
    }
    return true;
}

void ms_restart_define(const tw_lptype *types)
{
    static const tw_state_io of_launcher = {.restore = launcher_restore};
    static const tw_state_io of_sm = {.restore = sm_restore};
    tw_lptype_state_io(&types[MS_LAUNCHER], &of_launcher);
    tw_lptype_state_io(&types[MS_SM], &of_sm);
}
