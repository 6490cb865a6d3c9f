/*
 * output.c - tw_output(): text that appears when its event commits.
 *
 * The text is kept in notes on the event, newest first; a rollback drops it with the other notes.
 */
#include <stdarg.h>

#include "engine/engine.h"

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
    if (event == NULL) { /* init, final: nothing to roll back */
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

/* Turns a list of notes round. */
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
    event->notes = reversed(event->notes); /* oldest first; the event is about to be freed */
    for (const struct event_note *note = event->notes; note != NULL; note = note->next) {
        if (note->kind == NOTE_OUTPUT) {
            fputs((const char *)note->bytes, stdout);
        }
    }
}
