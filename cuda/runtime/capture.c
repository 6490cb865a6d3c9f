/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Capture of streams to graphs; see graph.h.
 */
#include "runtime/graph.h"
#include <assert.h>
#include <stdlib.h>

static void drop(struct gpu_capture *capture)
{
    if (capture && --capture->references == 0) {
        free(capture);
    }
}

void gpu_capture_attach(struct gpu_capture **place, struct gpu_nodes *front,
                        struct gpu_capture *capture)
{
    drop(*place);
    *place = capture;
    free(front->all);
    *front = (struct gpu_nodes){NULL, 0};
    if (capture) {
        capture->references++;
    }
}

/* Returns the code that a call returns which cannot be captured. The capture is lost. */
static int spoil(struct gpu_capture *capture, int code)
{
    capture->broken = true;
    return code;
}

int gpu_capture_add(struct gpu_stream *stream, struct gpu_work *work)
{
    struct gpu_node *node;
    struct gpu_capture *c = stream->capture;
    assert(c != NULL && c->graph != NULL);
    if (c->broken || stream->device != c->graph->device) {
        gpu_work_drop(work);
        return spoil(c, c->broken ? GPU_CAPTURE_INVALIDATED : GPU_CAPTURE_UNSUPPORTED);
    }
    int code = gpu_node_add(c->graph, work, NULL, stream->front.all, stream->front.count, &node);
    stream->front.count = 0;
    return code ?: gpu_nodes_join(&stream->front, &node, 1);
}

int gpu_capture_check(const struct gpu_stream *stream)
{
    for (struct gpu_stream *s = stream->legacy ? stream->device->streams : NULL; s; s = s->next) {
        if (s->capture && s->blocking) {
            return spoil(s->capture, GPU_CAPTURE_IMPLICIT);
        }
    }
    return GPU_OK;
}

int gpu_capture_wait(const struct gpu_stream *stream, const struct gpu_device *device, int mode)
{
    int code = GPU_OK;
    GPU_HOLD;
    if (stream && stream->capture) {
        code = spoil(stream->capture, GPU_CAPTURE_UNSUPPORTED);
    }
    for (struct gpu_stream *s = device ? device->streams : NULL; s; s = s->next) {
        if (s->capture && s->capture->mode != CAPTURE_RELAXED && mode != CAPTURE_RELAXED) {
            code = spoil(s->capture, GPU_CAPTURE_UNSUPPORTED);
        }
    }
    return code;
}

int gpu_capture_record(struct gpu_event *event, const struct gpu_stream *stream)
{
    gpu_capture_attach(&event->capture, &event->front, stream->capture);
    return gpu_nodes_join(&event->front, stream->front.all, stream->front.count);
}

int gpu_capture_join(struct gpu_stream *stream, const struct gpu_event *event)
{
    struct gpu_capture *c = event->capture;
    if (!c) {
        return spoil(stream->capture, GPU_CAPTURE_ISOLATION);
    }
    TRY(CHECK(c->graph, GPU_CAPTURED_EVENT));
    if (stream->legacy || (stream->capture && stream->capture != c)) {
        return spoil(c, stream->legacy ? GPU_CAPTURE_IMPLICIT : GPU_CAPTURE_MERGE);
    }
    if (!stream->capture) {
        gpu_capture_attach(&stream->capture, &stream->front, c);
    }
    return gpu_nodes_join(&stream->front, event->front.all, event->front.count);
}

int gpu_capture_begin(struct gpu_stream *stream, int mode)
{
    struct gpu_graph *graph;
    if (stream->legacy || stream->capture || mode < 0 || mode > CAPTURE_RELAXED) {
        return stream->legacy    ? GPU_CAPTURE_UNSUPPORTED
               : stream->capture ? GPU_ILLEGAL_STATE
                                 : GPU_INVALID_VALUE;
    }
    struct gpu_capture *c = calloc(1, sizeof *c);
    GPU_HOLD;
    int code = c ? gpu_graph_create(stream->device, &graph) : GPU_OUT_OF_MEMORY;
    if (!code) {
        *c = (struct gpu_capture){
            .graph = graph, .origin = stream, .number = ++gpu_state.captures, .mode = mode};
        gpu_capture_attach(&stream->capture, &stream->front, c);
    } else {
        free(c);
    }
    return code;
}

/* Returns true if the last node of a stream of the capture is one on which no node of the origin's
 * stream depends. */
static bool is_unjoined(const struct gpu_capture *c)
{
    for (struct gpu_node *n = c->graph->first; n; n = n->next) {
        n->marked = false;
    }
    for (struct gpu_node *n = c->graph->first; n; n = n->next) {
        for (size_t i = 0; i < n->needs.count; i++) {
            n->needs.all[i]->marked = true;
        }
    }
    for (size_t i = 0; i < c->origin->front.count; i++) {
        c->origin->front.all[i]->marked = true;
    }
    const struct gpu_node *n = c->graph->first;
    while (n && n->marked) {
        n = n->next;
    }
    return n != NULL;
}

int gpu_capture_end(struct gpu_stream *stream, struct gpu_graph **graph)
{
    GPU_HOLD;
    struct gpu_capture *c = stream->capture;
    if (!c || c->origin != stream) {
        return c ? GPU_CAPTURE_UNMATCHED : GPU_ILLEGAL_STATE;
    }
    int code = c->broken ? GPU_CAPTURE_INVALIDATED : is_unjoined(c) ? GPU_CAPTURE_UNJOINED : GPU_OK;
    *graph = c->graph;
    c->graph = NULL;
    c->references++;
    for (int i = 0; i < GPU_DEVICES_MAX; i++) {
        for (struct gpu_stream *s = gpu_state.devices[i] ? gpu_state.devices[i]->streams : NULL; s;
             s = s->next) {
            if (s->capture == c) {
                gpu_capture_attach(&s->capture, &s->front, NULL);
            }
        }
    }
    drop(c);
    if (code) {
        gpu_graph_destroy(*graph);
        *graph = NULL;
    }
    return code;
}

int gpu_capture_status(const struct gpu_stream *stream)
{
    return !stream->capture          ? CAPTURE_NONE
           : stream->capture->broken ? CAPTURE_BROKEN
                                     : CAPTURE_ACTIVE;
}
