/* SPDX-License-Identifier: BSD-3-Clause */
/* fail.c - statuses and messages of the library; see run.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "data/known.h"
#include "library/run.h"

const char *wsr_status_text(int status)
{
    static const char *const texts[] = {[WSR_OK] = "ok",
                                        [WSR_END] = "no further block",
                                        [WSR_NOT_FOUND] = "not found",
                                        [WSR_NOT_RECORDS] = "no record file",
                                        [WSR_UNSUPPORTED] = "made by a later version of the format",
                                        [WSR_DAMAGED] = "damaged",
                                        [WSR_INVALID] = "an argument is wrong",
                                        [WSR_SYSTEM] = "the system refused",
                                        [WSR_NO_MEMORY] = "out of memory"};
    return status >= 0 && status <= WSR_NO_MEMORY ? texts[status] : "unknown status";
}

int ws_run_fail(struct wsr_run *run, int status, const char *words, ...)
{
    WS_FORMAT(run->message, sizeof run->message, words);
    return status;
}

int ws_run_ready(struct wsr_run *run)
{
    return run->opened ? WSR_OK : ws_run_fail(run, WSR_INVALID, "the recording is not open");
}

int ws_run_fail_memory(struct wsr_run *run)
{
    return ws_run_fail(run, WSR_NO_MEMORY, "%s", wsr_status_text(WSR_NO_MEMORY));
}

static void line_keep(void *ctx, const char *line)
{
    struct wsr_run *run = ctx;
    if (run->message[0] == '\0') {
        /* Omits the dashes of an option name, since programs do not give options with dashes. */
        line += strncmp(line, "--", 2) == 0 ? 2 : 0;
        snprintf(run->message, sizeof run->message, "%s", line);
    }
}

struct ws_messages ws_run_keep_first(struct wsr_run *run)
{
    run->message[0] = '\0';
    return (struct ws_messages){.say = line_keep, .ctx = run};
}

int ws_run_status(const struct fmt_error *error)
{
    switch (error->status) {
    case FMT_ERR_MAGIC:
        return WSR_NOT_RECORDS;
    case FMT_ERR_VERSION:
        return WSR_UNSUPPORTED;
    case FMT_ERR_MEMORY:
        return WSR_NO_MEMORY;
    case FMT_ERR_IO:
        return error->sys_errno == ENOENT || error->sys_errno == ENOTDIR ? WSR_NOT_FOUND
                                                                         : WSR_SYSTEM;
    default:
        return WSR_DAMAGED;
    }
}
