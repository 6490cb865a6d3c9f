/* SPDX-License-Identifier: BSD-3-Clause */
/* http.c - connections and answers; see http.h. */
#include "serve/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/messages.h"

#define REQUEST_MAX   5.0   /* seconds for a request */
#define REQUEST_LEAST 1.0   /* the same if there are many connections */
#define ANSWER_MAX    60.0  /* seconds for reading an answer, or an event */
#define HEAD_MAX      16384 /* bytes for the head of a request, with the library's own data */
#define CROWD         (HTTP_CLIENTS_MAX / 4 * 3)

/* ---- Answers --------------------------------------------------------------------------------- */

/* Headers of all answers. A page loads parts of this server only, and no page embeds another one. */
static const char *const headers[][2] = {
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; "
                                "connect-src 'self'; img-src 'self' data:; "
                                "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Referrer-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
    {"Connection", "close"},
};

void http_header(struct http_client *client, const char *name, const char *value)
{
    if (client->response != NULL) {
        MHD_del_response_header(client->response, name,
                                MHD_get_response_header(client->response, name));
        MHD_add_response_header(client->response, name, value);
    }
}

static void prepare(struct http_client *client, unsigned status, const char *type,
                    struct MHD_Response *response)
{
    for (size_t i = 0; response != NULL && i < sizeof headers / sizeof headers[0]; i++) {
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    }
    if (response != NULL && type != NULL) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    }
    client->response = response;
    client->status = status;
}

void http_answer(struct http_client *client, unsigned status, const char *type, const void *bytes,
                 size_t size, enum MHD_ResponseMemoryMode mode)
{
    /* The library does not change the bytes. */
    prepare(client, status, type,
            MHD_create_response_from_buffer(size, (void *)(uintptr_t)bytes, mode));
}

void http_say(struct http_client *client, unsigned status, const char *words)
{
    char line[512];
    snprintf(line, sizeof line, "%s\n", words);
    http_answer(client, status, "text/plain; charset=utf-8", line, strlen(line),
                MHD_RESPMEM_MUST_COPY);
}

void http_write(struct http_client *client, const char *type,
                void (*write)(FILE *out, struct http_client *client))
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    if (out != NULL) {
        write(out, client);
        fclose(out);
        http_answer(client, MHD_HTTP_OK, type, bytes, size, MHD_RESPMEM_MUST_FREE);
    }
}

void http_stream(struct http_client *client, const char *type, MHD_ContentReaderCallback read)
{
    prepare(client, MHD_HTTP_OK, type,
            MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 32768, read, client, NULL));
}

/* Hands the answer to the library. Without one, which memory was not enough for, the connection is closed. */
static enum MHD_Result queue(struct http_client *client)
{
    enum MHD_Result result = MHD_NO;
    if (client->response != NULL) {
        result = MHD_queue_response(client->connection, client->status, client->response);
        MHD_destroy_response(client->response);
    }
    client->response = NULL;
    client->is_answered = true;
    client->since = date_clock();
    return result;
}

void http_suspend(struct http_client *client)
{
    client->is_suspended = true;
    MHD_suspend_connection(client->connection);
}

/* ---- Requests -------------------------------------------------------------------------------- */

const char *http_argument(struct http_client *client, const char *name)
{
    return MHD_lookup_connection_value(client->connection, MHD_GET_ARGUMENT_KIND, name);
}

static const char *header(const struct http_client *client, const char *name)
{
    return MHD_lookup_connection_value(client->connection, MHD_HEADER_KIND, name);
}

/* Called by the library for each header. */
static enum MHD_Result header_note(void *cls, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    struct http_client *client = cls;
    (void)kind;
    client->is_odd |= header(client, name) != value; /* which is that of the first one */
    return MHD_YES;
}

bool http_run(struct http_client *client)
{
    const struct serve *serve = client->server->serve;
    uint64_t number;
    if (!serve_number_read(http_argument(client, "run"), SERVE_RUNS_MAX, SERVE_RUNS_MAX, &number) ||
        number >= serve->n_runs) {
        http_say(client, MHD_HTTP_NOT_FOUND, "run=N must name a run of the list");
        return false;
    }
    client->run = serve->runs[number];
    return true;
}

/* Returns true if the request has the token or the cookie. */
static bool is_admitted(const struct http_client *client)
{
    static const char scheme[] = "Bearer ";
    const struct serve *serve = client->server->serve;
    const char *bearer = header(client, MHD_HTTP_HEADER_AUTHORIZATION);
    char name[32];
    snprintf(name, sizeof name, "warpscope-%u", (unsigned)serve->port);
    const char *cookie = MHD_lookup_connection_value(client->connection, MHD_COOKIE_KIND, name);
    if (bearer != NULL && strncasecmp(bearer, scheme, sizeof scheme - 1) == 0) {
        bearer += sizeof scheme - 1;
        return serve_secret_is(bearer, strlen(bearer), serve->token);
    }
    return cookie != NULL && serve_secret_is(cookie, strlen(cookie), serve->cookie);
}

/* Returns true if a page of this server, which has this name, sent the request, or no page at all. No page of
 * another one can send an authorization. */
static bool is_own(const struct http_client *client, const char *host, bool is_post)
{
    static const char scheme[] = "http://";
    const char *origin = header(client, "Origin"), *site = header(client, "Sec-Fetch-Site");
    bool is_script = header(client, MHD_HTTP_HEADER_AUTHORIZATION) != NULL;
    return (origin == NULL ? !is_post || is_script
                           : strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
                                 strcasecmp(origin + sizeof scheme - 1, host) == 0) &&
           (site == NULL || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0);
}

/* Checks the head of a request. Returns false after an answer that refuses it. */
static bool head_check(struct http_client *client, const char *path, const char *method)
{
    const struct serve *serve = client->server->serve;
    const struct http_route *route = client->server->routes;
    const char *host = header(client, MHD_HTTP_HEADER_HOST);
    const char *size = header(client, MHD_HTTP_HEADER_CONTENT_LENGTH);
    const bool is_post = strcmp(method, "POST") == 0;
    uint64_t length;
    MHD_get_connection_values(client->connection, MHD_HEADER_KIND, header_note, client);
    while (route->path != NULL && strcmp(route->path, path) != 0) {
        route++;
    }
    client->route = route;
    if (client->is_odd) { /* others would perhaps take the other one (RFC 9112, 3.2) */
        http_say(client, MHD_HTTP_BAD_REQUEST, "a header occurs twice");
    } else if (host == NULL ||
               (strcasecmp(host, serve->host) != 0 && strcasecmp(host, serve->local) != 0)) {
        /* A page of another host may reach this one by a name of its own that leads here. */
        http_say(
            client, MHD_HTTP_MISDIRECTED_REQUEST,
            "use the address that the server has printed; through a tunnel, the name localhost "
            "with the same port number on both sides");
    } else if (route->path == NULL) {
        http_say(client, MHD_HTTP_NOT_FOUND, "there is no such page");
    } else if (strcmp(route->method, method) != 0) {
        http_say(client, MHD_HTTP_METHOD_NOT_ALLOWED, "this page has another method");
        http_header(client, MHD_HTTP_HEADER_ALLOW, route->method);
    } else if ((!route->is_open || is_post) && !is_own(client, host, is_post)) {
        http_say(client, MHD_HTTP_FORBIDDEN, "the request comes from a page of another server");
    } else if (!route->is_open && !is_admitted(client)) {
        http_say(client, MHD_HTTP_UNAUTHORIZED, "the request has neither the token nor the cookie");
        http_header(client, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    } else if (header(client, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL ||
               (is_post && size == NULL)) {
        http_say(client, MHD_HTTP_LENGTH_REQUIRED, "a body needs a Content-Length");
    } else if (!serve_number_read(size, route->body_max, 0, &length)) {
        http_say(client, MHD_HTTP_CONTENT_TOO_LARGE, "the body is too large");
    }
    return client->response == NULL;
}

/* Called by the library for the head of a request, for each piece of its body, at its end, and after it
 * was resumed. */
static enum MHD_Result handle(void *cls, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **context)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct http_client *client = info == NULL ? NULL : info->socket_context;
    (void)cls;
    (void)version;
    (void)context;
    if (client == NULL) {
        return MHD_NO;
    }
    if (!client->is_seen) {
        client->is_seen = true;
        return head_check(client, path, method) ? MHD_YES : queue(client);
    }
    if (*upload_size > 0) {
        if (*upload_size > SERVE_REQUEST_MAX - client->n_body) {
            return MHD_NO;
        }
        memcpy(client->body + client->n_body, upload, *upload_size);
        client->n_body += *upload_size;
        *upload_size = 0;
        return MHD_YES;
    }
    if (client->response == NULL && client->poll == NULL) {
        const struct http_route *route = client->route;
        if (route->act != NULL) {
            route->act(client);
        } else if (route->write != NULL) {
            http_write(client, route->type, route->write);
        } else {
            http_answer(client, MHD_HTTP_OK, route->type, route->part->text, route->part->size,
                        MHD_RESPMEM_PERSISTENT);
        }
        if (client->response == NULL && client->poll != NULL) {
            http_suspend(client);
            return MHD_YES;
        }
    }
    return queue(client);
}

/* ---- Connections ----------------------------------------------------------------------------- */

/* Called by the library when a connection begins and ends. */
static void connection_note(void *cls, struct MHD_Connection *connection, void **context,
                            enum MHD_ConnectionNotificationCode code)
{
    struct http_server *server = cls;
    struct http_client *client = *context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED && (client = calloc(1, sizeof *client)) != NULL) {
        *client = (struct http_client){.server = server,
                                       .connection = connection,
                                       .since = date_clock(),
                                       .next = server->clients};
        *context = server->clients = client;
    } else if (client != NULL) {
        struct http_client **link = &server->clients;
        while (*link != client) {
            link = &(*link)->next;
        }
        *link = client->next;
        if (client->response != NULL) {
            MHD_destroy_response(client->response);
        }
        free(client->text);
        free(client);
    }
}

void http_tend(struct http_server *server, double seconds)
{
    const double now = date_clock();
    const unsigned n =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS)->num_connections;
    const double request_max = n > CROWD ? REQUEST_LEAST : REQUEST_MAX;
    for (struct http_client *c = server->clients; c != NULL; c = c->next) {
        double max = c->is_answered ? ANSWER_MAX : request_max;
        if (c->is_suspended && (server->is_ending || c->poll(c))) {
            c->is_suspended = false;
            c->since = now;
            MHD_resume_connection(c->connection);
        } else if (!c->is_suspended && now - c->since > max) {
            const union MHD_ConnectionInfo *info =
                MHD_get_connection_info(c->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
            if (info != NULL) {
                shutdown(info->connect_fd, SHUT_RDWR); /* the library then closes it */
            }
        }
    }
    MHD_run_wait(server->daemon, (int32_t)(seconds * 1000));
}

/* Stores what the header Host may be: the address listened on, or the name of this host if that is any
 * address; and localhost, which leads nowhere else. Port 80 is not written. */
static void names_find(struct serve *serve)
{
    const bool is_any = strcmp(serve->address, "0.0.0.0") == 0 || strcmp(serve->address, "::") == 0;
    const bool is_v6 = !is_any && strchr(serve->address, ':') != NULL;
    char name[256] = "", port[8] = "";
    gethostname(name, sizeof name - 1);
    if (serve->port != 80)
        snprintf(port, sizeof port, ":%u", (unsigned)serve->port);
    snprintf(serve->host, sizeof serve->host, "%s%s%s%s", is_v6 ? "[" : "",
             is_any ? name : serve->address, is_v6 ? "]" : "", port);
    snprintf(serve->local, sizeof serve->local, "localhost%s", port);
}

bool http_open(struct http_server *server)
{
    struct serve *serve = server->serve;
    const uint16_t port = htons((uint16_t)serve->port);
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = port};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = port};
    const bool is_v6 = inet_pton(AF_INET6, serve->address, &v6.sin6_addr) == 1;
    const void *at = is_v6 ? (const void *)&v6 : &v4;
    inet_pton(AF_INET, serve->address, &v4.sin_addr); /* one of them succeeds */
    server->daemon = MHD_start_daemon(
        MHD_USE_AUTO | MHD_ALLOW_SUSPEND_RESUME | (is_v6 ? MHD_USE_IPv6 : MHD_NO_FLAG),
        (uint16_t)serve->port, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR, at,
        MHD_OPTION_CONNECTION_LIMIT, HTTP_CLIENTS_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HEAD_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)ANSWER_MAX,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_CONNECTION, connection_note, server,
        MHD_OPTION_END);
    if (server->daemon == NULL) {
        return ws_say(&ws_on_stderr, "cannot listen on %s, port %u: %s", serve->address,
                      (unsigned)serve->port, strerror(errno));
    }
    serve->port = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    names_find(serve);
    return true;
}

void http_close(struct http_server *server)
{
    server->is_ending = true;
    http_tend(server, 0);
    MHD_stop_daemon(server->daemon);
}
