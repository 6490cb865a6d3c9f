/* SPDX-License-Identifier: BSD-3-Clause */
/* routes.h - the answers of "warpscope serve" that are made in files of their own; see serve.h. */
#ifndef WARPSCOPE_READER_SERVE_ROUTES_H
#define WARPSCOPE_READER_SERVE_ROUTES_H

#include "serve/http.h"

/* A stream of events, each of which is made once for all clients. A client that is slow gets fewer. */
void routes_events(struct http_client *client);
/* Passes a request to a run, and answers once the run has done so. */
void routes_control(struct http_client *client);
/* The page of a run that has ended. */
void routes_report(struct http_client *client);
/* Sends the events that are new. Called after each refresh. */
void routes_publish(struct http_server *server);

#endif
