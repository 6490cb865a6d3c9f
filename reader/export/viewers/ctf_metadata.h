/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf_metadata.h - what describes the events of a trace in the Common Trace Format 1.8.
 */
#ifndef WARPSCOPE_READER_EXPORT_VIEWERS_CTF_METADATA_H
#define WARPSCOPE_READER_EXPORT_VIEWERS_CTF_METADATA_H

#include "cli/out.h"
#include "timeline/timeline.h"

#define CTF_MAGIC     0xc1fc1fc1u
#define CTF_UUID_SIZE 16u

/* Numbers of events in the streams. */
enum ctf_event {
    CTF_EVENT_BEGIN = 0,
    CTF_EVENT_END,
    CTF_ROLLBACK_BEGIN,
    CTF_ROLLBACK_END,
    CTF_SEND,
    CTF_RECEIVE,
    CTF_COUNTER,
    CTF_TASK_BEGIN,
    CTF_TASK_END,
    CTF_TASK_STEP,
    CTF_TASK_DETAIL, /* behind its task_begin */
    CTF_CHILD_FROM,
    CTF_CHILD_TO,
    CTF_EVENT_VALUES /* and the number of the description: an event_begin with the model's values */
};
#define CTF_EVENTS_MAX 256u /* numbers of events */

enum ctf_event ctf_event_of(const struct ws_moment *moment);
/* Made of what the run was: the same for each export of it. */
void ctf_uuid(const struct ws_timeline *timeline, uint8_t *uuid);
/* False: writing failed, which was said. */
bool ctf_metadata_write(struct ws_out *out, const struct ws_timeline *timeline,
                        const uint8_t *uuid);

#endif
