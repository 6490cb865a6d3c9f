/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * http.h - connections of "warpscope serve", and their answers. A connection carries one request, and is
 * closed after the answer. libmicrohttpd parses requests and moves bytes, without a thread of its own.
 *
 *  H1  A connection without an answer is closed after five seconds, after one if there are many.
 *  H2  An answer is closed if its client has not read it, or an event, within a minute.
 *  H3  A suspended connection waits for its answer, or for an event; the loop of the server resumes it.
 */
#ifndef WARPSCOPE_READER_SERVE_HTTP_H
#define WARPSCOPE_READER_SERVE_HTTP_H

#include <microhttpd.h>

#include "report/page/parts.h"
#include "serve/serve.h"

#define HTTP_CLIENTS_MAX 256u

struct http_client {
    struct http_server *server;
    struct MHD_Connection *connection;
    struct http_client *next; /* in the list of all connections */
    double since;             /* when it began, was answered, or got its event */
    bool is_seen;             /* true if the head of its request was read */
    bool is_odd;              /* true if a header occurs twice */
    bool is_answered, is_suspended;
    const struct http_route *route;
    size_t n_body;
    char body[SERVE_REQUEST_MAX + 1]; /* ends with a zero byte */
    struct MHD_Response *response;
    unsigned status;
    struct serve_run *run; /* the run that the request is about; NULL: none */
    /* Returns true once the connection need not wait any more; NULL: it does not wait. */
    bool (*poll)(struct http_client *client);

    /* A stream of events. */
    char *text;        /* owned; the event that is being sent; NULL: none */
    size_t size, sent; /* number of its bytes, and of those that were sent */
    uint64_t version;  /* version of the run that was sent last */
};

/* A route: act() answers, or sets `poll`, which does so later; or write() or `part` is the answer. */
struct http_route {
    const char *path, *method;
    bool is_open; /* true: without token and cookie */
    size_t body_max;
    void (*act)(struct http_client *client);
    const char *type; /* of the answer, if act is NULL */
    void (*write)(FILE *out, struct http_client *client);
    const struct report_part *part;
};

struct http_server {
    struct serve *serve;
    struct MHD_Daemon *daemon;
    const struct http_route *routes; /* end with one whose path is NULL */
    struct http_client *clients;
    bool is_ending;
};

/* Opens the server at serve->address and serve->port, and stores the port and the names of the host. Returns false after an error message. */
bool http_open(struct http_server *server);
/* Closes what took too long, and resumes connections that need not wait any more; then carries out what is
 * ready, and waits for it for at most this number of seconds. */
void http_tend(struct http_server *server, double seconds);
void http_close(struct http_server *server);

/* Answers with `size` bytes. mode: whether they are constant, copied, or to be freed. */
void http_answer(struct http_client *client, unsigned status, const char *type, const void *bytes,
                 size_t size, enum MHD_ResponseMemoryMode mode);
/* Answers with a line of text. */
void http_say(struct http_client *client, unsigned status, const char *words);
/* Answers with what the function writes. */
void http_write(struct http_client *client, const char *type,
                void (*write)(FILE *out, struct http_client *client));
/* Answers with what `read` returns, without an end. */
void http_stream(struct http_client *client, const char *type, MHD_ContentReaderCallback read);
/* Adds a header to the answer, or replaces it. */
void http_header(struct http_client *client, const char *name, const char *value);
/* Makes the connection wait until poll() returns true. */
void http_suspend(struct http_client *client);

/* Sets client->run to the run that the argument "run" names. Returns false after an answer that says there
 * is none. */
bool http_run(struct http_client *client);
/* Returns an argument of the request; NULL if it has none of this name. */
const char *http_argument(struct http_client *client, const char *name);

#endif
