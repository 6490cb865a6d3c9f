/* SPDX-License-Identifier: BSD-3-Clause */
/* events.c - streams of server-sent events; see routes.h. */
#include <string.h>

#include "serve/routes.h"
#include "text/date.h"

#define STREAMS_MAX 64u
#define BEAT_EVERY  15.0 /* seconds after which a comment is sent if there is no event */

static const char beat[] = ":\n\n";

/* Chooses the next text to send: the list of runs, or the state of the run, if the client does not have the
 * latest one. Texts between that one and the last were skipped. Returns false if there is none. */
static bool text_choose(struct http_client *client)
{
    struct serve *serve = client->server->serve;
    struct serve_text *text = NULL;
    if (client->list_version != serve->list_version) {
        client->list_version = serve->list_version;
        text = serve->list;
    } else if (client->run != NULL && client->run_version != client->run->version) {
        client->run_version = client->run->version;
        text = serve_run_event(client->run);
    }
    if (text != NULL) {
        text->users++;
        client->text = text;
        client->sent = 0;
        client->since = date_clock();
    }
    return text != NULL;
}

/* Called by the library when the client can take bytes. */
static ssize_t stream_read(void *cls, uint64_t at, char *to, size_t max)
{
    struct http_client *client = cls;
    (void)at;
    if (client->server->is_ending) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    if (client->beats) {
        client->beats = false;
        memcpy(to, beat, sizeof beat - 1);
        return sizeof beat - 1;
    }
    if (client->text == NULL && !text_choose(client)) {
        http_suspend(client);
        return 0;
    }
    size_t left = client->text->size - client->sent, n = left < max ? left : max;
    memcpy(to, client->text->bytes + client->sent, n);
    client->sent += n;
    if (client->sent == client->text->size) {
        serve_text_drop(client->text);
        client->text = NULL;
    }
    return (ssize_t)n;
}

void routes_events(struct http_client *client)
{
    unsigned n = 0;
    for (const struct http_client *c = client->server->clients; c != NULL; c = c->next) {
        n += c->has_events;
    }
    if (http_argument(client, "run") != NULL && (client->run = http_run(client)) == NULL) {
        return;
    }
    if (n >= STREAMS_MAX) {
        http_say(client, MHD_HTTP_SERVICE_UNAVAILABLE, "too many streams of events are open");
        return;
    }
    client->run_version = UINT64_MAX;
    http_stream(client, "text/event-stream", stream_read);
    client->has_events = client->response != NULL;
}

void routes_publish(struct http_server *server)
{
    const double now = date_clock();
    bool any = false;
    for (const struct http_client *c = server->clients; c != NULL && !any; c = c->next) {
        any = c->has_events;
    }
    if (any) {
        serve_list_event(server->serve);
    }
    for (struct http_client *c = server->clients; c != NULL; c = c->next) {
        bool is_new = c->list_version != server->serve->list_version ||
                      (c->run != NULL && c->run_version != c->run->version);
        if (c->has_events && c->is_suspended && (is_new || now - c->since > BEAT_EVERY)) {
            c->beats = !is_new;
            http_resume(c);
        }
    }
}
