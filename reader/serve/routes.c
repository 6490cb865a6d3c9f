/* SPDX-License-Identifier: BSD-3-Clause */
/* routes.c - the routes of "warpscope serve", and its loop; see serve.h. */
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "serve/http.h"

#define WAIT_MAX 0.25 /* seconds between looks at signals */
#define BEAT     15.0 /* seconds after which an event is repeated, which shows who has left */

static const char json_type[] = "application/json", page_type[] = "text/html; charset=utf-8";

/* Exchanges the token for the cookie. */
static void session_open(struct http_client *client)
{
    const struct serve *serve = client->server->serve;
    char cookie[SERVE_SECRET + 128];
    if (!serve_secret_is(client->body, client->n_body, serve->token)) {
        http_say(client, MHD_HTTP_UNAUTHORIZED, "this is not the token of this server");
        return;
    }
    /* Browsers send cookies to all ports of a host, so the name has the port. */
    snprintf(cookie, sizeof cookie, "warpscope-%u=%s; Path=/; HttpOnly; SameSite=Strict",
             (unsigned)serve->port, serve->cookie);
    http_answer(client, MHD_HTTP_NO_CONTENT, NULL, "", 0, MHD_RESPMEM_PERSISTENT);
    http_header(client, MHD_HTTP_HEADER_SET_COOKIE, cookie);
}

/* ---- The state ------------------------------------------------------------------------------- */

static void list_write(FILE *out, struct http_client *client)
{
    struct json_writer json = {.out = out, .compact = true};
    serve_list_json(&json, NULL, client->server->serve);
}

static void metrics_write(FILE *out, struct http_client *client)
{
    serve_metrics_write(out, client->server->serve);
}

/* Writes the list of runs and the state of the chosen one. */
static void both_write(FILE *out, struct http_client *client, bool whole)
{
    struct json_writer json = {.out = out, .compact = true};
    ws_document_open(&json);
    serve_list_json(&json, "runs", client->server->serve);
    json_put_bool(&json, "control", client->server->serve->control);
    serve_state_json(&json, client->run, whole, whole && http_argument(client, "lp") != NULL);
    json_object_close(&json);
}

static void state_write(FILE *out, struct http_client *client)
{
    both_write(out, client, true);
}

static void state_send(struct http_client *client)
{
    const char *text = http_argument(client, "lp");
    uint64_t lp;
    if (!serve_number_read(text, UINT64_MAX, 0, &lp)) {
        http_say(client, MHD_HTTP_BAD_REQUEST, "lp=N must be the number of an LP");
    } else if (http_run(client)) {
        struct serve_made *made = &client->run->made[SERVE_LP];
        if (text != NULL && client->run->lp != lp) {
            serve_pass_forget(client->server->serve, client->run, SERVE_LP);
            client->run->lp = lp;
        }
        made->is_wanted |= text != NULL && date_clock() >= made->due;
        http_write(client, json_type, state_write);
    }
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* Makes the event with the latest state of the client's run. Events between that one and the one before are
 * skipped. */
static void event_make(struct http_client *client)
{
    FILE *out = open_memstream(&client->text, &client->size);
    client->version = client->run->version;
    client->since = date_clock();
    client->sent = 0;
    if (out != NULL) {
        fputs("event: state\ndata: ", out);
        both_write(out, client, false); /* which ends its line */
        fputc('\n', out);
        fclose(out);
    }
}

static bool stream_poll(struct http_client *client)
{
    return client->version != client->run->version || date_clock() - client->since > BEAT;
}

/* Called by the library when the client can take bytes. */
static ssize_t stream_read(void *cls, uint64_t at, char *to, size_t max)
{
    struct http_client *client = cls;
    (void)at;
    if (client->server->is_ending) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    if (client->text == NULL && stream_poll(client)) {
        event_make(client);
    }
    if (client->text == NULL) {
        http_suspend(client);
        return 0;
    }
    size_t left = client->size - client->sent, n = left < max ? left : max;
    memcpy(to, client->text + client->sent, n);
    client->sent += n;
    if (client->sent == client->size) {
        free(client->text);
        client->text = NULL;
    }
    return (ssize_t)n;
}

static void events_send(struct http_client *client)
{
    if (http_run(client)) {
        client->version = UINT64_MAX;
        client->poll = stream_poll;
        http_stream(client, "text/event-stream", stream_read);
    }
}

/* ---- The report of a run that has ended ------------------------------------------------------ */

/* Writes the page. Only the scripts in it act: they get a number that its other parts cannot know. Data in
 * a page have no less-than characters. */
static void report_write(FILE *out, struct http_client *client)
{
    static const char mark[] = "\n<script>\n";
    const char *page = client->run->made[SERVE_REPORT].text;
    for (const char *next; (next = strstr(page, mark)) != NULL; page = next + sizeof mark - 1) {
        fprintf(out, "%.*s\n<script nonce=\"%s\">\n", (int)(next - page), page, client->body);
    }
    fputs(page, out);
}

static bool report_poll(struct http_client *client)
{
    char policy[512];
    const struct serve_made *made = &client->run->made[SERVE_REPORT];
    if (!made->is_made) {
        return false;
    }
    if (made->text == NULL || !serve_secret_make(client->body)) {
        http_say(client, MHD_HTTP_INTERNAL_SERVER_ERROR,
                 "warpscope report failed, and said why on the standard error of this server");
        return true;
    }
    http_write(client, page_type, report_write);
    snprintf(
        policy, sizeof policy,
        "default-src 'none'; script-src 'nonce-%.32s'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "sandbox allow-scripts allow-downloads",
        client->body);
    http_header(client, "Content-Security-Policy", policy);
    return true;
}

static void report_send(struct http_client *client)
{
    if (!http_run(client)) {
        return;
    }
    const struct top_run *top = &client->run->top;
    if (top->state != TOP_ENDED && top->state != TOP_KILLED) {
        http_say(client, MHD_HTTP_CONFLICT, "the run has not ended");
        return;
    }
    client->run->made[SERVE_REPORT].is_wanted |= client->run->made[SERVE_REPORT].text == NULL;
    client->run->made[SERVE_REPORT].is_made &= client->run->made[SERVE_REPORT].text != NULL;
    client->poll = report_poll;
}

/* ---- Requests to a run ----------------------------------------------------------------------- */

static void control_write(FILE *out, struct http_client *client)
{
    const struct serve_made *made = &client->run->made[SERVE_CONTROL];
    struct json_writer json = {.out = out, .compact = true};
    ws_put_object(&json, NULL, "done|text", doc_bool(made->is_good),
                  doc_name(made->text == NULL ? "" : made->text));
}

static bool control_poll(struct http_client *client)
{
    if (client->run->made[SERVE_CONTROL].is_made) {
        http_write(client, json_type, control_write);
    }
    return client->response != NULL;
}

static void control_send(struct http_client *client)
{
    struct serve *serve = client->server->serve;
    if (!serve->control) {
        http_say(client, MHD_HTTP_FORBIDDEN,
                 "this server only shows; warpscope serve --control takes requests");
    } else if (memchr(client->body, '\0', client->n_body) != NULL) {
        http_say(client, MHD_HTTP_BAD_REQUEST, "the body has zero bytes");
    } else if (http_run(client) && (client->run->made[SERVE_CONTROL].is_wanted ||
                                    serve->pass[SERVE_CONTROL].child != 0)) {
        http_say(client, MHD_HTTP_SERVICE_UNAVAILABLE, "another request waits for its answer");
    } else if (client->run != NULL) {
        serve_pass_forget(serve, client->run, SERVE_CONTROL);
        memcpy(client->run->request, client->body, sizeof client->body);
        client->run->made[SERVE_CONTROL].is_wanted = true;
        client->poll = control_poll;
    }
}

/* ---- The loop -------------------------------------------------------------------------------- */

static const char script_type[] = "text/javascript; charset=utf-8",
                  metrics_type[] = "application/openmetrics-text; version=1.0.0; charset=utf-8";
static const struct http_route routes[] = {
    {"/", "GET", .is_open = true, .type = page_type, .part = &live_template},
    {"/live.js", "GET", .is_open = true, .type = script_type, .part = &live_script},
    {"/d3.js", "GET", .is_open = true, .type = script_type, .part = &report_library},
    {"/live.css", "GET", .is_open = true, .type = "text/css; charset=utf-8", .part = &live_style},
    {"/session", "POST", .is_open = true, .body_max = 64, .act = session_open},
    {"/control", "POST", .body_max = SERVE_REQUEST_MAX, .act = control_send},
    {"/runs", "GET", .type = json_type, .write = list_write},
    {"/metrics", "GET", .type = metrics_type, .write = metrics_write},
    {"/state", "GET", .act = state_send},
    {"/events", "GET", .act = events_send},
    {"/report", "GET", .act = report_send},
    {NULL, NULL},
};

int serve_run_server(struct serve *serve)
{
    struct http_server server = {.serve = serve, .routes = routes};
    struct ws_interrupt interrupt;
    if (!http_open(&server)) {
        return WS_EXIT_DAMAGED;
    }
    ws_interrupt_hold(&interrupt);
    signal(SIGCHLD, SIG_DFL); /* the system keeps the statuses of processes that have ended */
    printf("http://%s/#%s\n", serve->host, serve->token);
    fflush(stdout); /* main() reports an error */
    while (!ferror(stdout) && ws_interrupt_waits() == 0) {
        serve_runs_find(serve);
        double left = serve_runs_refresh(serve);
        serve_pass_tend(serve);
        http_tend(&server, left < WAIT_MAX ? left : WAIT_MAX);
    }
    http_close(&server);
    serve_runs_free(serve);
    return ferror(stdout) ? WS_EXIT_DAMAGED : WS_EXIT_OK;
}
