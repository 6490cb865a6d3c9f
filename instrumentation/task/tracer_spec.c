/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer_spec.c - parses the specification of a tracer, such as "busy:kind=req_in,where=router*".
 *
 * The member `patterns` is a copy of the text after the colon, with zeros instead of commas. A
 * comma or semicolon after a backslash belongs to the pattern. The backslash stays, because
 * fnmatch() handles it.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "task/tracer.h"
#include "text/utf8.h"

#define X(name, text) text,
static const char *const kind_texts[] = {TRACER_KINDS(X)};
#undef X
#define N_KINDS (sizeof(kind_texts) / sizeof(kind_texts[0]))

size_t tracer_spec_length(const char *text, char end)
{
    size_t length = 0;
    while (text[length] != '\0' && text[length] != end) {
        length += text[length] == '\\' && text[length + 1] != '\0' ? 2 : 1;
    }
    return length;
}

/* Sets *kind to the kind whose name is `word`, which has `length` bytes. Returns false if there is
 * no such kind. */
static bool read_kind(enum tracer_kind *kind, const char *word, size_t length)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        if (strlen(kind_texts[i]) == length && memcmp(kind_texts[i], word, length) == 0) {
            *kind = (enum tracer_kind)i;
            return true;
        }
    }
    return false;
}

/* Parses a filter, NAME=PATTERN, up to the terminating zero of text. Returns NULL on success,
 * otherwise the text with which the error message ends. */
static const char *read_filter(struct tracer_spec *spec, const char *text)
{
    static const char *const names[] = {"kind=", "what=", "where="};
    const char **const patterns[] = {&spec->kinds, &spec->whats, &spec->wheres};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t length = strlen(names[i]);
        if (strncmp(text, names[i], length) != 0) {
            continue;
        }
        if (*patterns[i] != NULL) {
            return "is given twice";
        }
        if (text[length] == '\0') {
            return "has no pattern behind it";
        }
        *patterns[i] = text + length;
        return NULL;
    }
    return "is no filter: give kind=, what= or where= and a pattern";
}

static enum tw_status read_filters(struct tracer_spec *spec, char *error, size_t error_size)
{
    for (char *at = spec->patterns, *next; at != NULL; at = next) {
        char *end = at + tracer_spec_length(at, ',');
        next = *end == ',' ? end + 1 : NULL;
        *end = '\0';
        const char *wrong = read_filter(spec, at);
        if (wrong != NULL) {
            char echo[2][OPTIONS_ECHO_MAX + 1];
            return REFUSE(error, error_size, "--tracer=%s: \"%s\" %s",
                          options_echo(spec->text, echo[0]), options_echo(at, echo[1]), wrong);
        }
    }
    return TW_OK;
}

static enum tw_status read_spec(struct tracer_spec *spec, char *error, size_t error_size)
{
    const char *colon = strchr(spec->text, ':');
    size_t length = colon != NULL ? (size_t)(colon - spec->text) : strlen(spec->text);
    if (!read_kind(&spec->kind, spec->text, length)) {
        char echo[OPTIONS_ECHO_MAX + 1];
        return REFUSE(error, error_size,
                      "--tracer=%s: there is no tracer \"%.*s\": give busy, total, average, count, "
                      "steps, backtrace or database",
                      options_echo(spec->text, echo), length < 20 ? (int)length : 20, spec->text);
    }
    if (colon == NULL) {
        return TW_OK;
    }
    spec->patterns = strdup(colon + 1);
    if (spec->patterns == NULL) {
        snprintf(error, error_size, "--tracer=%s: out of memory", spec->text);
        return TW_ERR_MEMORY;
    }
    return read_filters(spec, error, error_size);
}

enum tw_status tracer_spec_read(struct tracer_spec *spec, const char *text, size_t length,
                                char *error, size_t error_size)
{
    *spec = (struct tracer_spec){.text = strndup(text, length)};
    if (spec->text == NULL) {
        snprintf(error, error_size, "--tracer: out of memory");
        return TW_ERR_MEMORY;
    }
    enum tw_status status = read_spec(spec, error, error_size);
    if (status != TW_OK) {
        utf8_drop_controls(error);
        tracer_spec_fini(spec);
    }
    return status;
}

static bool fits(const char *pattern, const char *text)
{
    return pattern == NULL || fnmatch(pattern, text, 0) == 0;
}

bool tracer_spec_fits(const struct tracer_spec *spec, const struct task *task)
{
    return fits(spec->kinds, task->kind) && fits(spec->wheres, task->where) &&
           fits(spec->whats, task->what);
}

void tracer_spec_fini(struct tracer_spec *spec)
{
    free(spec->text);
    free(spec->patterns);
    *spec = (struct tracer_spec){.text = NULL};
}
