/* SPDX-License-Identifier: BSD-3-Clause */
/* server.c - the loop of "warpscope serve", and its routes; see serve.h. */
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/messages.h"
#include "report/page/parts.h"
#include "serve/alerts.h"
#include "serve/routes.h"

#define WAIT_MAX 0.25 /* seconds between looks at signals */

/* ---- Routes ---------------------------------------------------------------------------------- */

static void part_send(struct http_client *client, const char *type, const struct report_part *part)
{
    http_answer(client, MHD_HTTP_OK, type, part->text, part->size, MHD_RESPMEM_PERSISTENT);
}

static void page_send(struct http_client *client)
{
    part_send(client, "text/html; charset=utf-8", &live_template);
}

static void script_send(struct http_client *client)
{
    part_send(client, "text/javascript; charset=utf-8", &live_script);
}

static void library_send(struct http_client *client)
{
    part_send(client, "text/javascript; charset=utf-8", &report_library);
}

static void style_send(struct http_client *client)
{
    part_send(client, "text/css; charset=utf-8", &live_style);
}

/* Exchanges the token for the cookie. */
static void session_open(struct http_client *client)
{
    const struct serve *serve = client->server->serve;
    char cookie[SERVE_SECRET + 128];
    if (!serve_secret_is(client->body, client->n_body, serve->token)) {
        http_say(client, MHD_HTTP_UNAUTHORIZED, "this is not the token of this server");
        return;
    }
    snprintf(cookie, sizeof cookie, "warpscope-%u=%s; Path=/; HttpOnly; SameSite=Strict",
             (unsigned)serve->port, serve->cookie);
    http_answer(client, MHD_HTTP_NO_CONTENT, NULL, "", 0, MHD_RESPMEM_PERSISTENT);
    http_header(client, MHD_HTTP_HEADER_SET_COOKIE, cookie);
}

static void list_write(struct json_writer *json, struct http_client *client)
{
    serve_list_json(json, client->server->serve);
}

static void list_send(struct http_client *client)
{
    http_json(client, list_write);
}

static void state_write(struct json_writer *json, struct http_client *client)
{
    uint64_t lp;
    serve_number_read(http_argument(client, "lp"), UINT64_MAX, UINT64_MAX, &lp);
    json_object_open(json, NULL);
    serve_live_json(json, &client->run->live, &client->run->top, true,
                    lp == UINT64_MAX ? NULL : &lp);
    json_object_close(json);
}

static void state_send(struct http_client *client)
{
    uint64_t lp;
    if (!serve_number_read(http_argument(client, "lp"), UINT64_MAX, UINT64_MAX, &lp)) {
        http_say(client, MHD_HTTP_BAD_REQUEST, "lp=N must be the number of an LP");
    } else if ((client->run = http_run(client)) != NULL) {
        http_json(client, state_write);
    }
}

static void metrics_send(struct http_client *client)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    if (out != NULL) {
        serve_metrics_write(out, client->server->serve);
        fclose(out);
        http_answer(client, MHD_HTTP_OK,
                    "application/openmetrics-text; version=1.0.0; charset=utf-8", bytes, size,
                    MHD_RESPMEM_MUST_FREE);
    }
}

static const struct http_route routes[] = {
    {"/", "GET", true, 0, page_send},
    {"/live.js", "GET", true, 0, script_send},
    {"/live.css", "GET", true, 0, style_send},
    {"/d3.js", "GET", true, 0, library_send},
    {"/session", "POST", true, 64, session_open},
    {"/runs", "GET", false, 0, list_send},
    {"/state", "GET", false, 0, state_send},
    {"/events", "GET", false, 0, routes_events},
    {"/report", "GET", false, 0, routes_report},
    {"/control", "POST", false, HTTP_BODY_MAX, routes_control},
    {"/metrics", "GET", false, 0, metrics_send},
    {NULL, NULL, false, 0, NULL},
};

/* ---- The loop -------------------------------------------------------------------------------- */

int serve_run_server(struct serve *serve)
{
    struct http_server server = {.serve = serve, .routes = routes};
    struct ws_interrupt interrupt;
    if (!http_open(&server)) {
        return WS_EXIT_DAMAGED;
    }
    ws_interrupt_hold(&interrupt);
    bool good = serve->ready(serve);
    while (good && ws_interrupt_waits() == 0) {
        serve_runs_find(serve);
        double left = serve_runs_refresh(serve);
        serve_alerts_reap(serve->alerts);
        routes_publish(&server);
        http_tend(&server);
        http_wait(&server, left < WAIT_MAX ? left : WAIT_MAX);
    }
    http_close(&server);
    serve_runs_free(serve);
    return good ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}
