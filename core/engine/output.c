/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.c - tw_output(): text that is printed when its event commits.
 *
 * Notes on the event keep the text, newest first; a rollback drops them.
 *
 * Several ranks may write to the same terminal or file. The text of an event therefore always
 * leaves in one write, alone or with other complete texts. It is never split at the end of stdout's
 * buffer.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <unistd.h>

#include "engine/engine.h"

#define BUFFER_LEAST 1024u /* assumed size of stdout's buffer while it has none */

/* Ensures that the next `size` bytes printed leave in one write. If stdout's buffer is too small
 * for them, flushes it and returns false. */
static bool make_room(size_t size)
{
    size_t room = __fbufsize(stdout);
    room = room == 0 ? BUFFER_LEAST : room;
    if (__fpending(stdout) + size > room) {
        fflush(stdout);
    }
    return size <= room;
}

/* Writes `size` bytes of `text` directly to stdout's file. The buffer of stdout must be empty. */
static void write_all(const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(STDOUT_FILENO, text, size);
        if (n < 0 && errno != EINTR) {
            /* Repeats the failed write through stdio, so that stdout's error flag is set. */
            fwrite(text, 1, size, stdout);
            return;
        }
        text += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
}

int tw_output(tw_lp *lp, const char *fmt, ...)
{
    struct pe *pe = pe_of(lp->pe);
    engine_refuse_observer(pe, "calls tw_output()");
    va_list args;
    va_start(args, fmt);
    int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    tw_event *event = pe->head.cur_event;
    if (length < 0) {
        return length;
    }
    va_start(args, fmt);
    if (event == NULL) { /* called by init or final: no rollback is possible */
        make_room((size_t)length);
        length = vprintf(fmt, args);
    } else {
        struct event_note *note =
            event_pool_add_note(&pe->pool, event, NOTE_OUTPUT, (size_t)length + 1);
        if (note == NULL) {
            tw_error(TW_LOC, "out of event memory for tw_output(); raise --max-memory");
        }
        vsnprintf((char *)note->bytes, (size_t)length + 1, fmt, args);
        pe->probes.wanted |= PROBE_ENGINE_COMMITS;
    }
    va_end(args);
    return length;
}

/* Reverses a list of notes, and returns its new head. */
static struct event_note *reversed(struct event_note *note)
{
    struct event_note *done = NULL;
    while (note != NULL) {
        struct event_note *next = note->next;
        note->next = done;
        done = note;
        note = next;
    }
    return done;
}

void engine_print_output(tw_event *event)
{
    if (event_note_find(event, NOTE_OUTPUT) == NULL) {
        return;
    }
    event->notes = reversed(event->notes); /* makes the oldest text the first */
    size_t size = 0;
    for (const struct event_note *note = event->notes; note != NULL; note = note->next) {
        size += note->kind == NOTE_OUTPUT ? strlen((const char *)note->bytes) : 0;
    }
    char *whole = make_room(size) ? NULL : malloc(size + 1);
    char *at = whole;
    for (const struct event_note *note = event->notes; note != NULL; note = note->next) {
        if (note->kind == NOTE_OUTPUT && whole != NULL) {
            at = stpcpy(at, (const char *)note->bytes);
        } else if (note->kind == NOTE_OUTPUT) {
            fputs((const char *)note->bytes, stdout);
        }
    }
    assert(whole == NULL || at == whole + size);
    event->notes = reversed(event->notes);
    if (whole != NULL) {
        write_all(whole, size);
        free(whole);
    }
}
