/* SPDX-License-Identifier: BSD-3-Clause */
/* control.c - passes requests of the page to runs; see routes.h. */
#include <stdlib.h>
#include <string.h>

#include "access/stream_files.h"
#include "control/channel.h"
#include "serve/routes.h"
#include "text/date.h"
#include "text/text_new.h"

#define CONTROLS_MAX 4u   /* number of requests that may wait for their answers */
#define TIMEOUT_S    60.0 /* seconds that a run has for its answer */
#define LOCK_S       0.2  /* seconds to wait while another command writes a request */

struct control {
    struct ws_messages messages; /* they go to answer.text */
    struct ws_channel channel;
    double until;
    struct ws_answer answer;
};

static void message_keep(void *ctx, const char *line)
{
    struct control *control = ctx;
    snprintf(control->answer.text, sizeof control->answer.text, "%s", line);
}

static void control_write(struct json_writer *json, struct http_client *client)
{
    const struct ws_answer *answer = &((struct control *)client->job)->answer;
    json_object_open(json, NULL);
    json_put_bool(json, "done", answer->done);
    json_put_string(json, "text", answer->text);
    json_put_double(json, "gvt", answer->done ? answer->gvt : NAN);
    json_object_close(json);
}

static bool control_poll(struct http_client *client)
{
    struct control *control = client->job;
    enum ws_wait got = ws_channel_wait(&control->channel, 0, &control->answer);
    if (got == WS_WAIT_TIMEOUT && date_clock() < control->until) {
        return false;
    }
    if (got != WS_WAIT_ANSWER) {
        ws_channel_silence_say(&control->channel, got, TIMEOUT_S);
    }
    http_json(client, control_write);
    return true;
}

static void control_end(struct http_client *client)
{
    struct control *control = client->job;
    ws_channel_close(&control->channel);
    free(control);
}

/* Divides the body into lines. Returns the number of words if they have the form of a request; 0
 * otherwise. */
static int words_read(char *body, char *words[CONTROL_FIELDS_MAX])
{
    static const char *const actions[] = {"set", "checkpoint", "save", "stop", "status"};
    int n = 0;
    for (char *line = strtok(body, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (n == CONTROL_FIELDS_MAX) {
            return 0;
        }
        words[n++] = line;
    }
    for (size_t i = 0; n > 0 && i < sizeof actions / sizeof actions[0]; i++) {
        if (strcmp(words[0], actions[i]) == 0) {
            return (n > 1) == (i == 0) ? n : 0;
        }
    }
    return 0;
}

/* Returns the directory of a run's files, which the caller frees. */
static char *folder_find(const struct top_run *run)
{
    if (run->n_files == 0) {
        return strdup(run->folder);
    }
    const char *path = run->files[0].path;
    int length = (int)(ws_path_name(path) - path);
    return length == 0 ? strdup(".") : text_new("%.*s", length > 1 ? length - 1 : 1, path);
}

void routes_control(struct http_client *client)
{
    unsigned n_waiting = 0;
    char *words[CONTROL_FIELDS_MAX];
    int n = 0;
    for (const struct http_client *c = client->server->clients; c != NULL; c = c->next) {
        n_waiting += c->poll == control_poll;
    }
    struct serve_run *run = http_run(client);
    if (run == NULL) {
        return;
    }
    if (!client->server->serve->control) {
        http_say(client, MHD_HTTP_FORBIDDEN,
                 "this server only shows; warpscope serve --control takes requests");
    } else if (n_waiting >= CONTROLS_MAX) {
        http_say(client, MHD_HTTP_SERVICE_UNAVAILABLE, "other requests wait for their answers");
    } else if (memchr(client->body, '\0', client->n_body) != NULL ||
               (n = words_read(client->body, words)) == 0) {
        http_say(client, MHD_HTTP_BAD_REQUEST,
                 "the body must be checkpoint, save, stop, status, or set and a line NAME=VALUE or "
                 "several");
    } else {
        struct control *control = calloc(1, sizeof *control);
        char *folder = folder_find(&run->top);
        if (control != NULL && folder != NULL) {
            control->messages = (struct ws_messages){message_keep, control};
            control->until = date_clock() + TIMEOUT_S;
            client->job = control;
            client->end = control_end;
            if (ws_channel_open(&control->channel, folder, &control->messages) &&
                ws_channel_send(&control->channel, words, n, LOCK_S)) {
                client->poll = control_poll;
            } else {
                http_json(client, control_write);
            }
        } else {
            free(control);
        }
        free(folder);
    }
}
