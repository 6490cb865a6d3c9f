/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * http.h - connections of "warpscope serve", and their answers. A connection carries one request, and is
 * closed after the answer. libmicrohttpd parses requests and moves bytes, without a thread of its own.
 *
 *  H1  A connection without an answer is closed after five seconds, after one if there are many.
 *  H2  An answer is closed if its client has not read it within a minute; of events, one of them in 20 s.
 *  H3  A suspended connection waits for its job, or for an event; the loop of the server resumes it.
 */
#ifndef WARPSCOPE_READER_SERVE_HTTP_H
#define WARPSCOPE_READER_SERVE_HTTP_H

#include <microhttpd.h>

#include "serve/serve.h"

#define HTTP_CLIENTS_MAX 256u
#define HTTP_BODY_MAX    4096u /* maximum number of bytes of a request's body */

struct http_server;

struct http_client {
    struct http_server *server;
    struct MHD_Connection *connection;
    struct http_client *next, **link; /* list of all connections */
    double since;                     /* when it began, was answered, or got its event */
    bool is_seen;                     /* true if the head of its request was read */
    bool is_answered;
    bool is_suspended;
    const struct http_route *route;
    size_t n_body;
    char body[HTTP_BODY_MAX + 1]; /* ends with a zero byte */
    struct MHD_Response *response;
    unsigned status;

    /* A job that makes the answer. poll: returns true once it has called http_answer(). */
    bool (*poll)(struct http_client *client);
    void (*end)(struct http_client *client); /* frees the job */
    void *job;

    /* A stream of events. */
    bool has_events, beats;  /* beats: true if a comment is to be sent */
    struct serve_run *run;   /* NULL: none */
    struct serve_text *text; /* the event that is being sent; NULL: none */
    size_t sent;             /* number of its bytes that were sent */
    uint64_t run_version, list_version;
};

/* A route. act() answers, or begins a job. */
struct http_route {
    const char *path, *method;
    bool is_open; /* true: without token and cookie */
    size_t body_max;
    void (*act)(struct http_client *client);
};

struct http_server {
    struct serve *serve;
    struct MHD_Daemon *daemon;
    const struct http_route *routes; /* end with one whose path is NULL */
    struct http_client *clients;
    unsigned n_clients;
    bool is_ending;
};

/* Opens the server at serve->address and serve->port, or a port after it, and stores the port. Returns
 * false after an error message. */
bool http_open(struct http_server *server);
/* Carries out what is ready; waits for at most this number of seconds. */
void http_wait(struct http_server *server, double seconds);
/* Closes what took too long, and resumes connections whose jobs are done. */
void http_tend(struct http_server *server);
void http_close(struct http_server *server);

/* Answers with `size` bytes. mode: whether they are constant, copied, or to be freed. */
void http_answer(struct http_client *client, unsigned status, const char *type, const void *bytes,
                 size_t size, enum MHD_ResponseMemoryMode mode);
/* Answers with a line of text. */
void http_say(struct http_client *client, unsigned status, const char *words);
/* Answers with a JSON document, which the function writes. */
void http_json(struct http_client *client,
               void (*write)(struct json_writer *json, struct http_client *client));
/* Adds a header to the answer, after http_answer(). */
void http_header(struct http_client *client, const char *name, const char *value);
/* Answers with what `read` returns, without an end. */
void http_stream(struct http_client *client, const char *type, MHD_ContentReaderCallback read);
/* Makes the connection wait; http_resume() ends this. */
void http_suspend(struct http_client *client);
void http_resume(struct http_client *client);

/* Returns the run that the argument "run" names; NULL after an answer that says there is none. */
struct serve_run *http_run(struct http_client *client);
/* Returns an argument of the request; NULL if it has none of this name. */
const char *http_argument(struct http_client *client, const char *name);

#endif
