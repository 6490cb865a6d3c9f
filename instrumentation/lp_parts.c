/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_parts.c - see lp_parts.h. To add an observer's data, append a row to `parts`.
 */
#include "lp_parts.h"

#include <assert.h>

#include "bus/bus.h"
#include "bus/deferred.h"
#include "bus/sources/engine_stream.h"
#include "bus/state.h"
#include "format/bytes.h"
#include "format/names.h"
#include "record/context.h"
#include "record/recorder.h"
#include "task/context.h"

/* ---- The observers --------------------------------------------------------------------------- */

static void numbers_write(const tw_lp *lp, struct fmt_out *out)
{
    assert(!deferred_any(&g_st_deferred)); /* every record has been delivered */
    record_numbers_write(&g_st_deferred.numbers, lp->id, out);
}

static bool numbers_read(const tw_lp *lp, struct fmt_in *in, bool takes_over)
{
    return record_numbers_read(&g_st_deferred.numbers, lp->id, in, takes_over);
}

static void commits_write(const tw_lp *lp, struct fmt_out *out)
{
    engine_stream_write(&g_st_engine_stream, lp, out);
}

static bool commits_read(const tw_lp *lp, struct fmt_in *in, bool takes_over)
{
    return engine_stream_read(&g_st_engine_stream, lp, in, takes_over);
}

static void tasks_write(const tw_lp *lp, struct fmt_out *out)
{
    if (g_st_tasks != NULL) {
        task_cut_write(g_st_tasks, lp, out);
    }
}

static bool tasks_read(const tw_lp *lp, struct fmt_in *in, bool takes_over)
{
    return task_cut_read(task_context(), lp, in, takes_over);
}

static void samples_write(const tw_lp *lp, struct fmt_out *out)
{
    const struct recorder *recorder = g_st_recorder;
    if (recorder != NULL) {
        recorder_lp_write(recorder, lp, out);
    }
}

static bool samples_read(const tw_lp *lp, struct fmt_in *in, bool takes_over)
{
    return recorder_lp_read(takes_over ? context_recorder() : NULL, lp, in, takes_over);
}

static void name_write(const tw_lp *lp, struct fmt_out *out)
{
    const char *name =
        g_st_recorder != NULL ? own_names_of(&g_st_recorder->own_names, lp->id) : NULL;
    fmt_out_bytes(out, name, name != NULL ? strlen(name) : 0);
}

/* A name that the model has given to the LP before takes precedence. */
static bool name_read(const tw_lp *lp, struct fmt_in *in, bool takes_over)
{
    char name[FMT_LP_NAME_MAX + 1] = "";
    const uint8_t *bytes = fmt_in_bytes(in, in->size);
    if (bytes == NULL || in->size == 0) {
        return true;
    }
    if (fmt_lp_name_fault((const char *)bytes, in->size) != NULL) {
        return false;
    }
    memcpy(name, bytes, in->size);
    return !takes_over ||
           own_names_give(&context_recorder()->own_names, lp->id, g_tw_nlp, name) != ST_NO_MEMORY;
}

/* A kind of part. write() writes nothing if there is nothing to know; read() is called in any case,
 * with an empty `in` if there is no such part. */
static const struct part {
    void (*write)(const tw_lp *lp, struct fmt_out *out);
    bool (*read)(const tw_lp *lp, struct fmt_in *in, bool takes_over);
} parts[] = {
    /* The index plus 1 is the tag in files: only append rows. */
    {numbers_write, numbers_read}, /* record numbers of the streams of the bus */
    {commits_write, commits_read}, /* record numbers of commits on the stream of the engine */
    {tasks_write, tasks_read},     /* open tasks, and results of tracers */
    {bus_libraries_write, bus_libraries_read}, /* state of subscriber libraries */
    {samples_write, samples_read},             /* events since the last sample at virtual times */
    {name_write, name_read},                   /* name of the LP */
};
#define N_PARTS   (sizeof(parts) / sizeof(parts[0]))
#define HEAD_SIZE 8u /* size of a tag and a size in bytes */

/* ---- All observers --------------------------------------------------------------------------- */

bool lp_parts_begin(void)
{
    return g_st_tasks == NULL || task_cut_begin(g_st_tasks);
}

void lp_parts_end(void)
{
    if (g_st_tasks != NULL) {
        task_cut_end(g_st_tasks);
    }
}

/* Returns true if all parts of all LPs are empty, which is usual. */
static bool is_empty(void)
{
    const struct recorder *recorder = g_st_recorder;
    return (recorder == NULL || (!recorder->vt.is_on && recorder->own_names.n == 0)) &&
           g_st_deferred.numbers.n_streams == 0 && g_st_engine_stream.commits == NULL &&
           (g_st_tasks == NULL || g_st_tasks->cut == NULL) && g_st_bus.plugins.n == 0;
}

size_t lp_parts_write(const tw_lp *lp, void *bytes, size_t size)
{
    struct fmt_out out = {.data = bytes, .capacity = bytes != NULL ? size : SIZE_MAX};
    if (is_empty()) {
        return 0;
    }
    for (uint32_t i = 0; i < N_PARTS; i++) {
        const size_t at = out.size, begin = at + HEAD_SIZE;
        if (begin > out.capacity) {
            break; /* the parts that are left are empty */
        }
        out.size = begin;
        parts[i].write(lp, &out);
        if (out.size == begin) {
            out.size = at;
        } else if (bytes != NULL) {
            fmt_put_u32(out.data + at, i + 1);
            fmt_put_u32(out.data + at + 4, (uint32_t)(out.size - begin));
        }
    }
    assert(!out.full && (bytes == NULL || out.size == size));
    return out.size;
}

bool lp_parts_read(tw_lp *lp, const void *bytes, size_t size, bool takes_over)
{
    static const uint8_t nothing[1];
    struct fmt_in in = {.data = size > 0 ? bytes : nothing, .size = size};
    uint32_t tag = size > 0 ? fmt_in_u32(&in) : 0;
    for (uint32_t i = 0; i < N_PARTS && !in.bad; i++) {
        struct fmt_in part = {.data = nothing};
        if (tag == i + 1) {
            part = fmt_in_part(&in, fmt_in_u32(&in));
            tag = in.pos < in.size ? fmt_in_u32(&in) : 0;
        }
        if (!parts[i].read(lp, &part, takes_over) || part.bad || part.pos != part.size) {
            return false;
        }
    }
    return !in.bad && in.pos == in.size && tag == 0;
}
