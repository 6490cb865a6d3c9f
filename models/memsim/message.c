/* SPDX-License-Identifier: BSD-3-Clause
 *
 * message.c - new messages, the script, and the check of commits, for the LPs of all kinds.
 */
#include "model.h"

static struct ms_script *the_script;

void ms_script_use(struct ms_script *script)
{
    the_script = script;
}

struct ms_script *ms_script(void)
{
    return the_script;
}

void ms_send(tw_lpid to, double offset, const struct ms_message *message, tw_lp *lp)
{
    tw_event *event = tw_event_new(to, offset, lp);
    memcpy(tw_event_data(event), message, sizeof *message);
    tw_event_send(event);
}

void ms_commit_check(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    const struct ms_message *message = msg;
    if (MS_IMPOSSIBLE(bf)) {
        tw_error(TW_LOC, "a message of kind %u came to LP %" PRIu64 ", which cannot receive it",
                 message->kind, (uint64_t)lp->gid);
    }
}

const char *ms_class_name(unsigned type)
{
    static const char *const names[3] = {"load", "store", "atomic"};
    return names[ms_class(type)];
}
