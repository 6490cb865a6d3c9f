/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * channel.h - sends a request to a running simulation and reads the answer, through the files of
 * format/control_file.h.
 */
#ifndef WARPSCOPE_READER_CONTROL_CHANNEL_H
#define WARPSCOPE_READER_CONTROL_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "format/control_file.h"

#define WS_CHANNEL_ERROR_MAX 1024

/* Information about a run, from the run itself. */
struct ws_channel_run {
    long pid; /* process id of rank 0 */
    char host[256];
    char program[256];
    long long date; /* start of the run, in seconds since 1970 */
};

struct ws_channel {
    char *requests_path; /* owned */
    char *answers_path;  /* owned */
    int requests;
    int answers;
    uint64_t read_to; /* number of bytes of the answers file read so far */
    char id[CONTROL_ID_MAX];
    struct ws_channel_run run;
    char error[WS_CHANNEL_ERROR_MAX]; /* reason why the latest function failed; one line */
};

struct ws_answer {
    bool done;
    double gvt;
    double seconds;
    double date;
    char text[CONTROL_LINE_MAX];
};

enum ws_wait {
    WS_WAIT_ANSWER,
    WS_WAIT_TIMEOUT,
    WS_WAIT_ENDED,
    WS_WAIT_OFF /* the run goes on, but no longer takes requests */
};

/* Opens the files of the run that records to the directory. Returns false, with a reason, if there
 * is no run, or if this user may not control it. Close it in any case. */
bool ws_channel_open(struct ws_channel *channel, const char *folder);
/* Sends the words of a request, within timeout_s seconds. Returns false, with a reason in
 * channel->error, on failure. */
bool ws_channel_send(struct ws_channel *channel, char *const *words, int n, double timeout_s);
/* Waits at most timeout_s seconds for the answer to the request. */
enum ws_wait ws_channel_wait(struct ws_channel *channel, double timeout_s,
                             struct ws_answer *answer);
void ws_channel_close(struct ws_channel *channel);

#endif
