/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - prints a comparison as readable text; see diff.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "access/facts.h"
#include "cli/colour.h"
#include "diff/diff.h"
#include "render/text.h"

#define LINE_ELEMENTS 8u /* maximum number of values of a payload in one line */

/* ---- Setups of the runs ---------------------------------------------------------------------- */

/* Facts about a run that determine what its files contain. */
static const struct {
    const char *key;
    /* of_events: the fact matters for event traces. of_samples: the fact matters for other
     * streams. */
    bool of_events, of_samples;
    const char *words;
    const char *unit;
    const char *absent; /* default for a missing fact; NULL: a missing fact is not compared */
} facts[] = {
    {"total_lps", true, true, "The runs are not of the same model size", " LPs", NULL},
    {"option_trace_lps", true, false, "The runs traced different LPs", "", "all"},
    {"option_event_trace", true, false, "The runs traced with different --event-trace", "", NULL},
    {"option_vt_interval", false, true, "The runs sampled at different virtual times: interval", "",
     NULL},
};

#define VALUE_MAX 256u

/* Stores the value of a fact in `to`. If the value differs between the parts of the stream, stores
 * all values, such as "0-7, then all". Returns `to`, or NULL if no part has a value. */
static const char *value_of(char to[VALUE_MAX], const struct ws_diff_side *side, const char *key,
                            const char *absent)
{
    const char *last = NULL;
    size_t used = 0;
    for (uint32_t i = 0; i < ws_stream_parts(side->stream); i++) {
        const struct ws_file *part = ws_stream_part(side->stream, i);
        if (!ws_diff_part_counts(part)) {
            continue;
        }
        const char *value = ws_fact(part->sb, key);
        value = value == NULL ? absent : value;
        if (value != NULL && (last == NULL || strcmp(last, value) != 0) && used < VALUE_MAX) {
            used += (size_t)snprintf(to + used, VALUE_MAX - used, "%s%s",
                                     last == NULL ? "" : ", then ", value);
            last = value;
        }
    }
    return last == NULL ? NULL : to;
}

/* If the runs were set up to record different data, prints the differences and returns true. Then
 * differences between the files are no sign of an error. */
static bool setups_differ(FILE *out, const struct ws_diff *d)
{
    bool events = d->sides[WS_A].stream->sb->stream == FMT_STREAM_EVTRACE, differ = false;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        char values[WS_SIDES][VALUE_MAX];
        const char *a = value_of(values[WS_A], &d->sides[WS_A], facts[i].key, facts[i].absent);
        const char *b = value_of(values[WS_B], &d->sides[WS_B], facts[i].key, facts[i].absent);
        bool matters = events ? facts[i].of_events : facts[i].of_samples;
        if (matters && a != NULL && b != NULL && strcmp(a, b) != 0) {
            fprintf(out, "%s  %s: A has ", differ ? "" : "\n", facts[i].words);
            utf8_plain_print(out, a);
            fprintf(out, "%s, B ", facts[i].unit);
            utf8_plain_print(out, b);
            fputs("\n", out);
            differ = true;
        }
    }
    if (differ) {
        fputs("  That alone makes them differ, so that no handler is to be suspected.\n", out);
    }
    return differ;
}

/* ---- Origin ---------------------------------------------------------------------------------- */

/* Returns true if the run of this side possibly undid events: its scheduler is optimistic or
 * unknown. */
static bool is_optimistic(const struct ws_diff_side *side)
{
    const char *scheduler = ws_fact(side->stream->sb, "scheduler");
    return scheduler == NULL || (strncmp(scheduler, "sequential", strlen("sequential")) != 0 &&
                                 strcmp(scheduler, "conservative") != 0);
}

static void suspects_print(FILE *out, const struct ws_diff *d, const char *handlers)
{
    bool a = is_optimistic(&d->sides[WS_A]), b = is_optimistic(&d->sides[WS_B]);
    if (!a && !b) {
        fputs(
            "  Nothing was undone in either run, so that no reverse handler is to blame: look for\n"
            "  other options or seeds, memory that is used before it is set, data that LPs "
            "share.\n",
            out);
        return;
    }
    fprintf(out,
            "  The first suspect is %s: state that it does not put\n"
            "  back, a random number that it does not give back, an order of undoing that is not\n"
            "  the reverse, a message that it leaves changed.\n",
            handlers);
    if (a != b) {
        fprintf(out, "  Nothing is undone in %s (%s), so trust %s.\n", a ? "B" : "A",
                ws_fact(d->sides[a ? WS_B : WS_A].stream->sb, "scheduler"), a ? "B" : "A");
    } else {
        fputs("  Both runs undo events; a third one with --synch=1 shows which of them is right.\n",
              out);
    }
}

static void origin_print(FILE *out, const struct ws_diff *d)
{
    const struct ws_origin *o = &d->origin;
    char time[DECIMAL_MAX], sent[DECIMAL_MAX], handlers[128];
    decimal_f64(time, o->time);
    decimal_f64(sent, o->sent_ts);
    if (!o->has_lp) {
        fprintf(out, "\nThe runs parted before virtual time %s.\n", time);
        return;
    }
    fprintf(out, "\n%sThe runs parted at LP %" PRIu64 ", virtual time %s.%s\n",
            ws_colour(out, WS_COLOUR_HEADING), o->lp, time, ws_colour(out, WS_COLOUR_END));
    snprintf(handlers, sizeof handlers, "the reverse handler of LP %" PRIu64, o->lp);
    if (o->kind == WS_ORIGIN_SENT && d->at_origin == 0) {
        fputs("  It received nothing at that time, so that this was sent when it was initialised: "
              "are\n"
              "  the options and the seeds of the two runs the same?\n",
              out);
        return;
    }
    if (o->kind == WS_ORIGIN_SENT) {
        fputs("  What it sent when it executed the event of that time is not the same.\n", out);
    } else if (o->kind == WS_ORIGIN_RECORDED) {
        fprintf(out,
                "  It recorded other values for the same event. If they are of its state, look at "
                "this\n"
                "  LP; if they are of the message, at LP %" PRIu64 ", which sent it at %s.\n",
                o->sender, sent);
        if (o->sender != o->lp) {
            snprintf(handlers, sizeof handlers, "the reverse handler of LP %" PRIu64 " or %" PRIu64,
                     o->lp, o->sender);
        }
    } else {
        fputs("  It was not the same at this sample, and was at those before.\n", out);
    }
    suspects_print(out, d, handlers);
}

/* ---- Context of the origin ------------------------------------------------------------------- */

static void payload_line(FILE *out, const struct ws_diff *d, const struct ws_sort_key *item)
{
    const struct fmt_payload_desc *desc = ws_diff_desc(d, item);
    char cell[WS_CELL_MAX];
    uint32_t shown = 0;
    if (desc == NULL) {
        ws_diff_hex_text(&d->layout, item, NULL, 0, cell);
        fprintf(out, "%s%s%s", item->payload_size == 0 ? "" : " payload:", cell,
                item->payload_size > WS_HEX_COLUMNS ? "..." : "");
        return;
    }
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        const struct fmt_payload_field *field = &desc->fields[f];
        for (uint32_t k = 0; k < ws_field_elements(field); k++) {
            if (shown++ == LINE_ELEMENTS) {
                fputs(" ...", out);
                return;
            }
            fprintf(out, " %.60s", field->name);
            if (ws_field_elements(field) > 1) {
                fprintf(out, "[%" PRIu32 "]", k);
            }
            fprintf(out, "=%s", ws_diff_element_text(&d->layout, item, field, k, cell));
        }
    }
}

/* Prints a context record in one line, with its payload. Omits the LP, which all lines have in
 * common, and the type and size of the payload. */
static void line_print(FILE *out, const struct ws_diff *d, char mark,
                       const struct ws_sort_key *item, bool sent)
{
    const struct ws_sort_layout *layout = &d->layout;
    int32_t lp = sent ? ws_sort_layout_part(layout, "src_lp") : layout->lp_part;
    char text[DECIMAL_MAX];
    fprintf(out, "  %c", mark);
    for (uint32_t i = 0; i < layout->n_parts; i++) {
        int32_t view = (int32_t)layout->parts[i].view_field;
        bool size = layout->view.role_field[FMT_ROLE_PAYLOAD_SIZE] == view;
        if ((int32_t)i != lp && (int32_t)i != layout->type_part && !size) {
            struct fmt_value v = ws_sort_key_value(layout, item, i);
            ws_format_value(text, &v, false);
            fprintf(out, " %.60s=%s", layout->schema->fields[layout->parts[i].field].name, text);
        }
    }
    payload_line(out, d, item);
    fputc('\n', out);
}

static void events_print(FILE *out, const struct ws_diff *d, const char *verb,
                         const struct ws_diff_events *events)
{
    if (events->n > 0) {
        fprintf(out, "\nWhat LP %" PRIu64 " %s (A: only so in A; B: only so in B):\n", d->origin.lp,
                verb);
    }
    for (size_t i = 0; i < events->n; i++) {
        const struct ws_sort_key *a = events->list[i].items[WS_A], *b = events->list[i].items[WS_B];
        bool same = events->list[i].equal;
        if (a != NULL) {
            line_print(out, d, same ? ' ' : 'A', a, events == &d->sent);
        }
        if (b != NULL && !same) {
            line_print(out, d, 'B', b, events == &d->sent);
        }
    }
}

/* ---- Complete report ------------------------------------------------------------------------- */

/* Prints when and how a run ended: for both runs if they ended at different times, otherwise only
 * for a run that was stopped or killed. */
static void ends_print(FILE *out, const struct ws_diff *d)
{
    const struct ws_file *a = d->sides[WS_A].stream, *b = d->sides[WS_B].stream;
    bool differ = a->pes_ended > 0 && b->pes_ended > 0 && a->end_gvt != b->end_gvt;
    for (int side = 0; side < WS_SIDES; side++) {
        const struct ws_file *s = d->sides[side].stream;
        char time[DECIMAL_MAX];
        if (!differ && !d->sides[side].early) {
            continue;
        }
        decimal_f64(time, s->end_gvt);
        fprintf(out, "  %c's run ended at virtual time %s: ", "AB"[side], time);
        utf8_plain_print(out, s->end_text);
        fputc('\n', out);
    }
}

/* Prints that the runs are equal, except for records that a stopped run possibly lacks. */
static void equal_part_print(FILE *out, const struct ws_diff *d)
{
    const struct ws_diff_side *a = &d->sides[WS_A], *b = &d->sides[WS_B];
    const char *between = "";
    fprintf(out, ": %sequal as far as %s%s: %" PRIu64 " records", ws_colour(out, WS_COLOUR_DOUBT),
            a->early && b->early ? "A and B go"
            : a->early           ? "A goes"
                                 : "B goes",
            ws_colour(out, WS_COLOUR_END), d->equal);
    if (a->only + b->only > 0) {
        fprintf(out, "; %" PRIu64 " only in A, %" PRIu64 " only in B", a->only, b->only);
    }
    fputs(" (", out);
    for (int side = 0; side < WS_SIDES; side++) {
        const struct ws_file *s = d->sides[side].stream;
        char time[DECIMAL_MAX];
        if (d->sides[side].early) {
            decimal_f64(time, s->end_gvt);
            fprintf(out, "%s%c's run %s at virtual time %s", between, "AB"[side],
                    ws_end_phrase(s->end_code, s->end_text), time);
            between = ", ";
        }
    }
    fputs(")\n", out);
}

/* Prints the windows, unless they cover all times. */
static void windows_print(FILE *out, const struct ws_diff_windows *w)
{
    if (w->whole) {
        return;
    }
    fputs("  compared only where both recorded: virtual time", out);
    for (size_t i = 0; i < w->n; i++) {
        char from[DECIMAL_MAX], to[DECIMAL_MAX];
        decimal_f64(from, w->list[i].from);
        decimal_f64(to, w->list[i].to);
        fputs(i > 0 ? "," : "", out);
        if (isfinite(w->list[i].from)) {
            fprintf(out, " from %s", from);
        }
        if (isfinite(w->list[i].to)) {
            fprintf(out, " to before %s", to);
        }
    }
    fputs(w->n == 0 ? ": nowhere\n" : "\n", out);
}

static void counts_print(FILE *out, const struct ws_diff *d)
{
    const struct ws_diff_side *a = &d->sides[WS_A], *b = &d->sides[WS_B];
    uint64_t differences = d->changed + a->only + b->only;
    utf8_plain_print(out, d->layout.schema->name);
    if (differences + d->equal == 0) {
        fputs(": no records in either\n", out);
    } else if (d->certain + d->changed == 0 && (a->early || b->early)) {
        equal_part_print(out, d);
    } else if (differences == 0) {
        fprintf(out, ": %sequal%s: %" PRIu64 " records\n", ws_colour(out, WS_COLOUR_GOOD),
                ws_colour(out, WS_COLOUR_END), d->equal);
    } else {
        fprintf(out,
                ": %s%s%s: %" PRIu64 " records in A, %" PRIu64 " in B: %" PRIu64
                " the same, %" PRIu64 " changed, %" PRIu64 " only in A, %" PRIu64 " only in B\n",
                ws_colour(out, d->certain > 0 ? WS_COLOUR_BAD : WS_COLOUR_DOUBT),
                d->certain > 0 ? "different" : "not known to be different",
                ws_colour(out, WS_COLOUR_END), a->records, b->records, d->equal, d->changed,
                a->only, b->only);
    }
    windows_print(out, &d->windows);
    for (int side = 0; side < WS_SIDES; side++) {
        bool more = d->sides[1 - side].only > 0;
        if (d->sides[side].lossy) {
            fprintf(out, "  %c is not complete: it may have lost records%s\n", "AB"[side],
                    more ? ", those that only the other has" : "");
        }
    }
    ends_print(out, d);
}

/* Prints the origin and the context records. Reads the context records first, because the wording
 * about the origin depends on them. Returns false if not all records can be read. */
static bool origin_show(FILE *out, struct ws_diff *d, size_t context)
{
    bool good = !d->origin.has_lp || ws_diff_context(d, context);
    origin_print(out, d);
    if (context > 0) {
        events_print(out, d, "sent at that time", &d->sent);
        events_print(out, d, "received", &d->received);
    }
    return good;
}

bool ws_diff_text(FILE *out, struct ws_diff *d, size_t context)
{
    char time[DECIMAL_MAX];
    double end;
    counts_print(out, d);
    if (d->certain == 0) {
        return true;
    }
    bool expected = setups_differ(out, d);
    ws_diff_first(out, d);
    if (expected) {
        return true;
    }
    if (ws_diff_is_behind_end(d, &end)) {
        decimal_f64(time, end);
        fprintf(out,
                "\nOne run just ended earlier: there is no difference before virtual time %s, and\n"
                "--to=%s leaves out what is behind.\n",
                time, time);
        return true;
    }
    return origin_show(out, d, context);
}
