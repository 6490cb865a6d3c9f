/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * channel.h - sends requests to a running simulation and reads the answers, through the files that
 * format/control_file.h defines.
 */
#ifndef WARPSCOPE_READER_CONTROL_CHANNEL_H
#define WARPSCOPE_READER_CONTROL_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "data/messages.h"
#include "format/control_file.h"

/* Information about a run, which the run itself wrote into the file for requests. */
struct ws_channel_run {
    long pid; /* process id of rank 0 */
    char host[256];
    char program[256];
};

struct ws_channel {
    const struct ws_messages *messages; /* borrowed; receiver of reasons */
    char *requests_path;                /* owned */
    char *answers_path;                 /* owned */
    int requests;
    int answers;
    uint64_t read_to; /* offset in the answers file up to which all lines are read or skipped */
    char id[CONTROL_ID_MAX];
    struct ws_channel_run run;
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

/* Opens the files for requests and answers of the run that records to the directory. Returns false,
 * and says why, if there is no such run, or if this user may not control it.
 * The caller must call ws_channel_close() in either case. */
bool ws_channel_open(struct ws_channel *channel, const char *folder,
                     const struct ws_messages *messages);
/* Sends a request of n words to the run. Waits at most timeout_s seconds while another command
 * holds the lock on the file for requests. Returns false, and says why, on failure. */
bool ws_channel_send(struct ws_channel *channel, char *const *words, int n, double timeout_s);
/* Waits at most timeout_s seconds for the answer to the latest request. Stores it in *answer if the
 * result is WS_WAIT_ANSWER. */
enum ws_wait ws_channel_wait(struct ws_channel *channel, double timeout_s,
                             struct ws_answer *answer);
/* Says why there is no answer. why: what ws_channel_wait() returned after timeout_s seconds. */
void ws_channel_silence_say(const struct ws_channel *channel, enum ws_wait why, double timeout_s);
void ws_channel_close(struct ws_channel *channel);

#endif
