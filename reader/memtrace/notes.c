/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * notes.c - see notes.h. A note of a kernel is "[not traced] KERNEL: LIST", where LIST has a name
 * and, in parentheses, a number for each kind of instruction, or a reason.
 */
#include "memtrace/notes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "format/memtrace.h"
#include "memtrace/actors.h"
#include "store/array.h"
#include "text/utf8.h"

/* Maximum number of kernels that are printed. */
#define PRINTED_MAX 8u

/* If `name` begins with `mark`, returns the rest after the mark and a space; otherwise NULL. */
static const char *after(const char *name, const char *mark)
{
    size_t length = strlen(mark);
    if (strncmp(name, mark, length) != 0) {
        return NULL;
    }
    return name + length + (name[length] == ' ');
}

bool ws_memtrace_is_note(const char *name)
{
    return after(name, MEMTRACE_INCOMPLETE) != NULL || after(name, MEMTRACE_UNTRACED) != NULL;
}

/* Returns the first `length` bytes of a text as valid UTF-8, which the caller frees. Returns NULL
 * if memory is exhausted. */
static char *shown_make(const char *text, size_t length)
{
    char *copy = strndup(text, length);
    char *shown = copy == NULL ? NULL : malloc(4 * length + 1);
    if (shown != NULL) {
        ws_kernel_show(shown, copy);
    }
    free(copy);
    return shown;
}

/* Returns the sum of the numbers in parentheses that end an element of the list. */
static uint64_t instructions_of(const char *list)
{
    uint64_t sum = 0;
    for (const char *p = list; (p = strchr(p, '(')) != NULL;) {
        char *end;
        uint64_t n = strtoull(++p, &end, 10);
        bool is_count = end > p && end[0] == ')' && (end[1] == ',' || end[1] == '\0');
        sum += is_count ? n : 0;
    }
    return sum;
}

bool ws_memtrace_note_add(struct ws_memtrace_notes *notes, uint32_t stream, const char *name)
{
    const char *text = after(name, MEMTRACE_INCOMPLETE);
    struct ws_memtrace_note note = {.stream = stream, .is_incomplete = text != NULL};
    const char *kernel = note.is_incomplete ? "" : after(name, MEMTRACE_UNTRACED);
    size_t length = 0;
    for (const char *p = kernel; (p = strstr(p, ": ")) != NULL; p++) {
        length = (size_t)(p - kernel);
    }
    if (text == NULL) {
        text = kernel + length + (kernel[length] == ':' ? 2 : 0);
        note.instructions = instructions_of(text);
    }
    note.kernel = shown_make(kernel, length);
    note.text = shown_make(text, strlen(text));
    if (note.kernel == NULL || note.text == NULL ||
        !array_reserve(&notes->list, &notes->room, notes->n + 1, sizeof *notes->list)) {
        free(note.kernel);
        free(note.text);
        return false;
    }
    notes->list[notes->n++] = note;
    notes->n_incomplete += note.is_incomplete;
    return true;
}

void ws_memtrace_notes_free(struct ws_memtrace_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) {
        free(notes->list[i].kernel);
        free(notes->list[i].text);
    }
    free(notes->list);
    *notes = (struct ws_memtrace_notes){.n = 0};
}

void ws_memtrace_notes_print(const struct ws_memtrace_notes *notes, const char *const *paths,
                             const char *prefix, FILE *out)
{
    size_t kernels = notes->n - notes->n_incomplete, printed = 0;
    for (size_t i = 0; i < 2 * notes->n; i++) { /* first those of incomplete traces */
        const struct ws_memtrace_note *note = &notes->list[i % notes->n];
        bool is_incomplete = i < notes->n;
        if (note->is_incomplete == is_incomplete && (is_incomplete || printed++ < PRINTED_MAX)) {
            fprintf(out, "%s%s: ", prefix, is_incomplete ? "incomplete" : "not traced");
            utf8_plain_print(out, is_incomplete ? paths[note->stream - 1] : note->kernel);
            fputs(": ", out);
            utf8_plain_print(out, note->text);
            fputc('\n', out);
        }
    }
    if (kernels > PRINTED_MAX) {
        fprintf(out, "%snot traced: accesses of %zu more kernels (--json lists all)\n", prefix,
                kernels - PRINTED_MAX);
    }
}
