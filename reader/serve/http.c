/* SPDX-License-Identifier: BSD-3-Clause */
/* http.c - connections and answers; see http.h. */
#include "serve/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/messages.h"
#include "text/date.h"

#define PORTS         20u   /* number of ports that are tried */
#define REQUEST_MAX   5.0   /* seconds for a request */
#define REQUEST_LEAST 1.0   /* the same if there are many connections */
#define ANSWER_MAX    60.0  /* seconds for reading an answer */
#define EVENT_MAX     20.0  /* seconds for reading an event */
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
    int length = snprintf(line, sizeof line, "%s\n", words);
    http_answer(client, status, "text/plain; charset=utf-8", line,
                length < (int)sizeof line ? (size_t)length : sizeof line - 1,
                MHD_RESPMEM_MUST_COPY);
}

void http_json(struct http_client *client,
               void (*write)(struct json_writer *json, struct http_client *client))
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    struct json_writer json = {.out = out, .compact = true};
    if (out != NULL) {
        write(&json, client);
        fclose(out);
        http_answer(client, MHD_HTTP_OK, "application/json", bytes, size, MHD_RESPMEM_MUST_FREE);
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
    enum MHD_Result result =
        client->response == NULL
            ? MHD_NO
            : MHD_queue_response(client->connection, client->status, client->response);
    if (client->response != NULL) {
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

void http_resume(struct http_client *client)
{
    client->is_suspended = false;
    client->since = date_clock();
    MHD_resume_connection(client->connection);
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

struct serve_run *http_run(struct http_client *client)
{
    const struct serve *serve = client->server->serve;
    uint64_t number;
    if (!serve_number_read(http_argument(client, "run"), SERVE_RUNS_MAX, SERVE_RUNS_MAX, &number) ||
        number >= serve->n_runs) {
        http_say(client, MHD_HTTP_NOT_FOUND, "run=N must name a run of the list");
        return NULL;
    }
    return serve->runs[number];
}

/* Returns true if the header Host names this server. Otherwise a page of another host reached it, whose
 * name leads here for that purpose. */
static bool host_fits(const struct http_client *client)
{
    char address[INET6_ADDRSTRLEN] = "", name[256] = "";
    struct sockaddr_storage at;
    socklen_t size = sizeof at;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(client->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (info == NULL || getsockname(info->connect_fd, (struct sockaddr *)&at, &size) != 0 ||
        getnameinfo((struct sockaddr *)&at, size, address, sizeof address, NULL, 0,
                    NI_NUMERICHOST) != 0) {
        return false;
    }
    bool is_here = strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
    if (!is_here) {
        gethostname(name, sizeof name - 1);
    }
    return serve_host_is(header(client, MHD_HTTP_HEADER_HOST), address,
                         (uint16_t)client->server->serve->port, is_here ? "localhost" : name);
}

static bool is_admitted(const struct http_client *client)
{
    const struct serve *serve = client->server->serve;
    char name[32];
    snprintf(name, sizeof name, "warpscope-%u", (unsigned)serve->port);
    const char *cookie = MHD_lookup_connection_value(client->connection, MHD_COOKIE_KIND, name);
    return serve_bearer_is(header(client, MHD_HTTP_HEADER_AUTHORIZATION), serve->token) ||
           (cookie != NULL && serve_secret_is(cookie, strlen(cookie), serve->cookie));
}

/* Returns true if a page of this server sent the request, or no page at all. */
static bool is_own(const struct http_client *client, bool is_post)
{
    const char *origin = header(client, "Origin"), *site = header(client, "Sec-Fetch-Site");
    bool is_script = header(client, MHD_HTTP_HEADER_AUTHORIZATION) !=
                     NULL; /* no page can send it from elsewhere */
    return (origin != NULL ? serve_origin_is(origin, header(client, MHD_HTTP_HEADER_HOST))
                           : !is_post || is_script) &&
           (site == NULL || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0);
}

/* Finds the route. Returns NULL after an answer if there is none. */
static const struct http_route *route_find(struct http_client *client, const char *path,
                                           const char *method)
{
    const struct http_route *route = client->server->routes;
    while (route->path != NULL && strcmp(route->path, path) != 0) {
        route++;
    }
    bool is_get = route->path != NULL && strcmp(route->method, "GET") == 0;
    if (route->path == NULL) {
        http_say(client, MHD_HTTP_NOT_FOUND, "there is no such page");
    } else if (strcmp(route->method, method) != 0 && !(is_get && strcmp(method, "HEAD") == 0)) {
        http_say(client, MHD_HTTP_METHOD_NOT_ALLOWED, "this page has another method");
        http_header(client, MHD_HTTP_HEADER_ALLOW, is_get ? "GET, HEAD" : route->method);
    } else {
        return route;
    }
    return NULL;
}

/* Checks the head of a request. Returns false after an answer that refuses it. */
static bool head_check(struct http_client *client, const char *path, const char *method)
{
    uint64_t length;
    if (!host_fits(client)) {
        http_say(client, MHD_HTTP_MISDIRECTED_REQUEST,
                 "the address in the request is not the one that this server listens on; through a "
                 "tunnel, "
                 "use the same port number on both sides, and the name localhost");
        return false;
    }
    const struct http_route *route = route_find(client, path, method);
    if (route == NULL) {
        return false;
    }
    const char *size = header(client, MHD_HTTP_HEADER_CONTENT_LENGTH);
    bool is_post = strcmp(method, "POST") == 0;
    if ((!route->is_open || is_post) && !is_own(client, is_post)) {
        http_say(client, MHD_HTTP_FORBIDDEN, "the request comes from a page of another server");
    } else if (!route->is_open && !is_admitted(client)) {
        http_say(client, MHD_HTTP_UNAUTHORIZED, "the request has neither the token nor the cookie");
        http_header(client, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    } else if (header(client, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL ||
               (is_post && size == NULL)) {
        http_say(client, MHD_HTTP_LENGTH_REQUIRED, "a body needs a Content-Length");
    } else if (!serve_number_read(size, route->body_max, 0, &length)) {
        http_say(client, MHD_HTTP_CONTENT_TOO_LARGE, "the body is too large");
    } else {
        client->route = route;
        return true;
    }
    return false;
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
        if (*upload_size > HTTP_BODY_MAX - client->n_body) {
            return MHD_NO;
        }
        memcpy(client->body + client->n_body, upload, *upload_size);
        client->n_body += *upload_size;
        *upload_size = 0;
        return MHD_YES;
    }
    if (client->response == NULL && client->poll == NULL) {
        client->route->act(client);
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
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        struct http_client *client = calloc(1, sizeof *client);
        *context = client;
        if (client != NULL) {
            client->server = server;
            client->connection = connection;
            client->since = date_clock();
            client->next = server->clients;
            client->link = &server->clients;
            if (client->next != NULL) {
                client->next->link = &client->next;
            }
            server->clients = client;
            server->n_clients++;
        }
        return;
    }
    struct http_client *client = *context;
    if (client != NULL) {
        *client->link = client->next;
        if (client->next != NULL) {
            client->next->link = client->link;
        }
        server->n_clients--;
        if (client->end != NULL) {
            client->end(client);
        }
        if (client->response != NULL) {
            MHD_destroy_response(client->response);
        }
        serve_text_drop(client->text);
        free(client);
    }
}

void http_tend(struct http_server *server)
{
    const double now = date_clock();
    const double request_max = server->n_clients > CROWD ? REQUEST_LEAST : REQUEST_MAX;
    for (struct http_client *c = server->clients; c != NULL; c = c->next) {
        double max = c->has_events ? EVENT_MAX : c->is_answered ? ANSWER_MAX : request_max;
        if (c->is_suspended && c->poll != NULL) {
            if (c->poll(c)) {
                http_resume(c);
            }
        } else if (!c->is_suspended && now - c->since > max) {
            const union MHD_ConnectionInfo *info =
                MHD_get_connection_info(c->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
            if (info != NULL) {
                shutdown(info->connect_fd, SHUT_RDWR); /* the library then closes it */
            }
        }
    }
}

static bool address_read(const struct serve *serve, uint32_t port, struct sockaddr_storage *to)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)to;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)to;
    *to = (struct sockaddr_storage){0};
    if (inet_pton(AF_INET, serve->address, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons((uint16_t)port);
        return true;
    }
    *to = (struct sockaddr_storage){0};
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons((uint16_t)port);
    return inet_pton(AF_INET6, serve->address, &v6->sin6_addr) == 1;
}

bool http_open(struct http_server *server)
{
    struct serve *serve = server->serve;
    struct sockaddr_storage at;
    uint32_t port = serve->port, last = serve->has_port ? port : port + PORTS - 1;
    int error = 0;
    for (; server->daemon == NULL && port <= last && address_read(serve, port, &at); port++) {
        unsigned flags = MHD_USE_AUTO | MHD_ALLOW_SUSPEND_RESUME |
                         (at.ss_family == AF_INET6 ? MHD_USE_IPv6 : MHD_NO_FLAG);
        errno = 0;
        server->daemon = MHD_start_daemon(
            flags, (uint16_t)port, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR,
            (struct sockaddr *)&at, MHD_OPTION_CONNECTION_LIMIT, HTTP_CLIENTS_MAX,
            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
            (unsigned)ANSWER_MAX, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_CONNECTION,
            connection_note, server, MHD_OPTION_END);
        error = errno;
    }
    if (server->daemon == NULL) {
        return ws_say(&ws_on_stderr, "cannot listen on %s, port %u%s: %s", serve->address,
                      (unsigned)serve->port, serve->has_port ? "" : " or one of the next",
                      strerror(error != 0 ? error : EINVAL));
    }
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    serve->port = info != NULL && info->port != 0 ? info->port : port - 1;
    return true;
}

void http_wait(struct http_server *server, double seconds)
{
    MHD_run_wait(server->daemon, (int32_t)(seconds * 1000));
}

void http_close(struct http_server *server)
{
    server->is_ending = true;
    for (struct http_client *c = server->clients; c != NULL; c = c->next) {
        if (c->is_suspended) {
            http_resume(c);
        }
    }
    http_wait(server, 0);
    MHD_stop_daemon(server->daemon);
}
