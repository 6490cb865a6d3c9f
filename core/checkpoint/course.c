/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * course.c - the course of a run and the options of its model in a checkpoint, see
 * checkpoint_private.h.
 *
 * A difference between the options of a restarted run and those of the run that wrote the
 * checkpoint may be intended (LPs per rank on another number of ranks), or may be a mistake. It
 * therefore causes only a warning. The values are taken before the first event, since the model may
 * change its variables later.
 */
#include <assert.h>
#include <ctype.h>
#include <math.h>

#include "checkpoint/checkpoint_private.h"
#include "engine/probe.h"
#include "text/utf8.h"

#define DIFFERENCES_MAX 512u /* maximum length of the list of differences in the warning */

_Static_assert(sizeof(struct ckpt_course) == 72, "the record in a file");

bool course_add(struct ckpt_image *image, const struct run_samples *samples)
{
    struct ckpt_course *record = ckpt_image_add(image, CKPT_COURSE, 0, sizeof *record);
    if (record != NULL) {
        *record = (struct ckpt_course){.record_bytes = sizeof *record,
                                       .gvts = g_tw_gvt_done,
                                       .hook_when = g_run.hook.when,
                                       .hook_time = g_run.hook.time,
                                       .hook_every = g_run.hook.every,
                                       .samples = *samples};
    }
    return record != NULL;
}

bool course_read(const void *record, size_t size, struct ckpt_course *course)
{
    struct ckpt_course r;
    const struct run_samples *before = &course->samples;
    struct run_samples *n = &r.samples;
    if (size != sizeof r) {
        return false;
    }
    memcpy(&r, record, sizeof r);
    if (r.hook_when > GVT_HOOK_MODEL || isnan(r.hook_time) || r.hook_every > UINT32_MAX ||
        (r.hook_when == GVT_HOOK_EVERY && r.hook_every == 0) || !(n->vt_interval >= 0.0)) {
        return false;
    }
    n->gvt = ROSS_MAX(n->gvt, before->gvt);
    n->rt = ROSS_MAX(n->rt, before->rt);
    n->vt = ROSS_MAX(n->vt, before->vt);
    *course = r;
    return true;
}

void course_resume(const struct ckpt_course *course)
{
    if (course->hook_when != GVT_HOOK_UNUSED && g_run.hook.when != GVT_HOOK_UNUSED) {
        g_run.hook = (struct gvt_hook){.when = (enum gvt_hook_when)course->hook_when,
                                       .time = course->hook_time,
                                       .every = (unsigned)course->hook_every};
    }
    g_tw_gvt_done = (tw_stat)course->gvts;
    g_run.samples_before = course->samples;
}

/* ---- Options of the model --------------------------------------------------------------------- */

static void print_option(void *ctx, const char *name, const char *value)
{
    FILE *out = ctx;
    fprintf(out, "%s=", name);
    for (; *value != '\0'; value++) {
        fputc(iscntrl((unsigned char)*value) ? '?' : *value, out);
    }
    fputc('\n', out);
}

char *model_options_text(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        tw_error(TW_LOC, "out of memory for the options of the model");
    }
    run_visit_model_options(print_option, out);
    if (fclose(out) != 0) {
        tw_error(TW_LOC, "out of memory for the options of the model");
    }
    return text;
}

bool model_options_add(struct ckpt_image *image, const char *text)
{
    size_t length = strlen(text) + 1;
    uint64_t size = sizeof size + (length + 7) / 8 * 8;
    unsigned char *record = ckpt_image_add(image, CKPT_OPTIONS, 0, size);
    if (record == NULL) {
        return false;
    }
    memset(record, 0, size);
    memcpy(record, &size, sizeof size);
    memcpy(record + sizeof size, text, length);
    return true;
}

const char *model_options_read(const void *record, size_t size)
{
    const char *text = (const char *)record + sizeof(uint64_t);
    bool ends = size > sizeof(uint64_t) && memchr(text, '\0', size - sizeof(uint64_t)) != NULL;
    return ends ? text : NULL;
}

/* Searches text for the line "name=value" with this name. Returns the value, and sets *value_length
 * to its length. NULL: there is no such line. */
static const char *find_value(const char *text, const char *name, size_t name_length,
                              size_t *value_length)
{
    for (; *text != '\0'; text += *text == '\n') {
        size_t length = strcspn(text, "\n");
        if (length > name_length && strncmp(text, name, name_length) == 0 &&
            text[name_length] == '=') {
            *value_length = length - name_length - 1;
            return text + name_length + 1;
        }
        text += length;
    }
    return NULL;
}

/* Returns true if the option with this name, of `length` bytes, was given to this run. */
static bool is_given(const char *name, size_t length)
{
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    return options_was_given(&g_run.options, text);
}

void model_options_compare(const char *theirs, const char *ours)
{
    char list[DIFFERENCES_MAX] = "";
    size_t used = 0;
    for (const char *line = ours; *line != '\0'; line += strcspn(line, "\n") + 1) {
        size_t name_length = strcspn(line, "=");
        assert(line[name_length] == '=');
        const char *value = line + name_length + 1;
        size_t length = strcspn(value, "\n");
        size_t other_length = 0;
        const char *other = find_value(theirs, line, name_length, &other_length);
        if (other == NULL || (other_length == length && strncmp(other, value, length) == 0)) {
            continue;
        }
        /* Neither run was given the option, and a newer version of the model names its default. */
        if (other_length == 0 && !is_given(line, name_length)) {
            continue;
        }
        int n = snprintf(list + used, sizeof list - used, "%s--%.*s=%.*s (was %.*s)",
                         used > 0 ? ", " : "", (int)name_length, line, (int)length, value,
                         (int)other_length, other);
        if (n < 0 || (size_t)n >= sizeof list - used) {
            memcpy(list + sizeof list - 4, "...", 4);
            break;
        }
        used += (size_t)n;
    }
    if (list[0] != '\0') {
        utf8_drop_controls(list);
        run_warning("options of the model differ from those of the run that wrote the checkpoint: "
                    "%s",
                    list);
    }
}
