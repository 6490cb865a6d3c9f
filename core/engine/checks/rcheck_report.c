/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rcheck_report.c - reports, on stderr, by the checks of reverse handlers: the LP, the event,
 * expected and actual bytes, and a final line with a summary.
 */
#include <assert.h>
#include <stdarg.h>

#include "engine/checks/rcheck_report.h"
#include "engine/lps/lps.h"
#include "engine/lps/place.h"
#include "engine/process/run.h"

#define ROW_BYTES    16u
#define ROWS_MOST    4u /* maximum number of rows of differing bytes in a report */
#define RANGES_MOST  6u
#define MESSAGE_MOST 64u /* maximum number of bytes of a message in a report */
#define TEXT_MOST    640u
#define LINE_MOST    79u
/* Length of the source position that tw_error() adds, such as " (rcheck_report.c:123)". */
#define SOURCE_PLACE 23u

struct rcheck_event rcheck_event_of(const tw_event *event, const unsigned char *message)
{
    return (struct rcheck_event){.recv_ts = event->recv_ts,
                                 .send_ts = event->send_ts,
                                 .prio = event->prio,
                                 .src = event->send_lp,
                                 .message = message};
}

size_t rcheck_first_difference(const struct rcheck_bytes *bytes)
{
    size_t i = 0;
    while (i < bytes->size && bytes->should[i] == bytes->is[i]) {
        i++;
    }
    return i;
}

/* Returns the offset of the end of the differing bytes that begin at offset i. */
static size_t end_of_difference(const struct rcheck_bytes *bytes, size_t i)
{
    while (i < bytes->size && bytes->should[i] != bytes->is[i]) {
        i++;
    }
    return i;
}

static void say_row(const char *name, const unsigned char *bytes, size_t from, size_t size)
{
    fprintf(stderr, "    %-8s %08zx ", name, from);
    for (size_t i = from; i < size && i < from + ROW_BYTES; i++) {
        fprintf(stderr, " %02x", bytes[i]);
    }
    fputc('\n', stderr);
}

/* Prints a line such as "  state, 24 bytes: 9 differ, at offset 0, 8-15". */
static void say_offsets(const char *what, const struct rcheck_bytes *bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes->size; i++) {
        n += bytes->should[i] != bytes->is[i];
    }
    fprintf(stderr, "  %s, %zu bytes: %zu %s, at offset", what, bytes->size, n,
            n == 1 ? "differs" : "differ");
    unsigned ranges = 0;
    for (size_t i = rcheck_first_difference(bytes); i < bytes->size; ranges++) {
        size_t end = end_of_difference(bytes, i);
        if (ranges == RANGES_MOST) {
            fputs(", ...", stderr);
            break;
        }
        fprintf(stderr, end - i > 1 ? "%s %zu-%zu" : "%s %zu", ranges > 0 ? "," : "", i, end - 1);
        i = end;
        while (i < bytes->size && bytes->should[i] == bytes->is[i]) {
            i++;
        }
    }
    fputc('\n', stderr);
}

void rcheck_say_bytes(const char *what, const struct rcheck_bytes *bytes)
{
    unsigned rows = 0;
    say_offsets(what, bytes);
    for (size_t from = 0; from < bytes->size && rows < ROWS_MOST; from += ROW_BYTES) {
        size_t size = bytes->size - from < ROW_BYTES ? bytes->size - from : ROW_BYTES;
        if (memcmp(bytes->should + from, bytes->is + from, size) != 0) {
            say_row(bytes->should_name, bytes->should, from, bytes->size);
            say_row(bytes->is_name, bytes->is, from, bytes->size);
            rows++;
        }
    }
}

static void say_message(const struct rcheck_event *event)
{
    size_t shown = g_tw_msg_sz < MESSAGE_MOST ? g_tw_msg_sz : MESSAGE_MOST;
    fprintf(stderr, "  its message, %zu bytes%s:\n", g_tw_msg_sz,
            shown < g_tw_msg_sz ? ", the first of them" : "");
    tw_fprint_binary_array(stderr, "             ", event->message, shown);
}

void rcheck_say_place(const struct rcheck_place *place)
{
    const tw_lp *lp = place->lp;
    unsigned n_types;
    unsigned number = place_type_number(engine_model_type(lp), &n_types);
    progress_hide(&g_run.progress);
    fflush(stdout);
    fprintf(stderr, "%s: %s has found %s\n", g_run.program, place->option,
            place->found != NULL ? place->found : "a difference");
    fprintf(stderr, "  LP %" PRIu64 ", state of %zu bytes", lp->gid, lp->type->state_sz);
    if (n_types > 1) {
        fprintf(stderr, ", LP type %u of %u", number, n_types);
    }
    const char *name =
        tw_extension.lptype_name != NULL ? tw_extension.lptype_name(engine_model_type(lp)) : NULL;
    fprintf(stderr, name != NULL ? " (%s)\n" : "\n", name);
    const struct rcheck_event *event = place->event;
    if (event == NULL) {
        return;
    }
    fprintf(stderr, "  event at %.17g, priority %g, from LP %" PRIu64 " at %.17g\n", event->recv_ts,
            event->prio, event->src, event->send_ts);
    for (size_t i = 0; i < pe_self()->n_checkpointers; i++) {
        const crv_checkpointer *how = pe_self()->checkpointers[i];
        if (how->lptype == engine_model_type(lp) && how->print_event != NULL &&
            event->message != NULL) {
            how->print_event(stderr, "    ", lp->cur_state, (void *)(uintptr_t)event->message);
            return;
        }
    }
    if (event->message != NULL && g_tw_msg_sz > 0) {
        say_message(event);
    }
}

/* Copies text to the buffer `to`, divided into indented lines of at most LINE_MOST characters. The
 * last line has space for the source position that tw_error() adds. */
static void wrap(char *to, size_t size, const char *text)
{
    size_t n = 0;
    size_t column = LINE_MOST;
    while (*text != '\0' && n + LINE_MOST < size) {
        size_t word = strcspn(text, " ");
        size_t ahead = text[word] == '\0' ? word + SOURCE_PLACE : word;
        bool breaks = column + 1 + ahead > LINE_MOST;
        n += (size_t)snprintf(to + n, size - n, "%s%.*s", breaks ? "\n  " : " ", (int)word, text);
        column = breaks ? 2 + word : column + 1 + word;
        text += word + (text[word] == ' ');
    }
}

void rcheck_fail(const struct rcheck_place *place, const char *fmt, ...)
{
    char text[TEXT_MOST];
    char lines[2 * TEXT_MOST] = "";
    char where[160] = "";
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    wrap(lines, sizeof lines, text);
    if (place->event != NULL) {
        snprintf(where, sizeof where, " at time %.17g, event from LP %" PRIu64,
                 place->event->recv_ts, place->event->src);
    }
    fflush(stderr);
    tw_error(TW_LOC, "LP %" PRIu64 "%s:%s", place->lp->gid, where, lines);
}

/* Prints the copy and the present state of an LP whose model defines the comparison. Uses the print
 * functions of the model, if it has them. */
static void say_states_by_model(const struct rcheck_copy *copy, const tw_lp *lp)
{
    const crv_checkpointer *how = copy->how;
    fputs("  before, from the copy that the model made:\n", stderr);
    if (how->print_checkpoint != NULL) {
        how->print_checkpoint(stderr, "    ", copy->bytes);
    } else {
        tw_fprint_binary_array(stderr, "             ", copy->bytes, copy->size);
    }
    fputs("  after:\n", stderr);
    if (how->print_lp != NULL) {
        how->print_lp(stderr, "    ", lp->cur_state);
    } else {
        tw_fprint_binary_array(stderr, "             ", lp->cur_state, lp->type->state_sz);
    }
}

static _Noreturn void fail_state(const struct rcheck_place *place, const struct rcheck_copy *copy,
                                 const char *after, const char *culprit)
{
    const tw_lp *lp = place->lp;
    if (!rcheck_copy_is_state(copy)) {
        say_states_by_model(copy, lp);
        rcheck_fail(place, "%s the model's check says that the state is not as before; see %s",
                    after, culprit);
    }
    struct rcheck_bytes bytes = {"before", "after", copy->bytes, lp->cur_state, lp->type->state_sz};
    size_t at = rcheck_first_difference(&bytes);
    assert(at < bytes.size);
    rcheck_say_bytes("state", &bytes);
    rcheck_fail(place,
                "%s the state is not as before: the byte at offset %zu of %zu was %02x and is "
                "%02x; see %s",
                after, at, bytes.size, bytes.should[at], bytes.is[at], culprit);
}

static _Noreturn void fail_stream(const struct rcheck_place *place, const char *name,
                                  const tw_rng_stream *was, const tw_rng_stream *is,
                                  const char *after, const char *culprit)
{
    /* Number of draws by which the stream is ahead; negative if the reverse handler undid too
     * many. */
    int64_t ahead = (int64_t)(is->count - was->count);
    fprintf(stderr, "  %s: %" PRId64 " draws before, %" PRId64 " after\n", name,
            (int64_t)was->count, (int64_t)is->count);
    if (ahead > 0) {
        rcheck_fail(place, "%s %s is %" PRId64 " draw%s ahead: too few were given back; see %s",
                    after, name, ahead, ahead == 1 ? "" : "s", culprit);
    }
    if (ahead < 0) {
        rcheck_fail(place, "%s %s is %" PRId64 " draw%s behind: too many were given back; see %s",
                    after, name, -ahead, ahead == -1 ? "" : "s", culprit);
    }
    rcheck_fail(place, "%s %s is not as before, though as many draws were given back; see %s",
                after, name, culprit);
}

void rcheck_fail_copy(const struct pe *pe, const struct rcheck_place *place,
                      const struct rcheck_copy *copy, struct rcheck_difference difference,
                      const char *after, const char *culprit)
{
    assert(difference.part != RCHECK_SAME);
    const tw_lp *lp = place->lp;
    char name[64];
    (void)pe;
    rcheck_say_place(place);
    if (difference.part == RCHECK_STATE) {
        fail_state(place, copy, after, culprit);
    }
    bool core = difference.part == RCHECK_CORE_STREAM;
    unsigned i = difference.stream + (core ? 0 : g_tw_nRNG_core_per_lp);
    snprintf(name, sizeof name, "%s stream %u", core ? "core" : "random", difference.stream);
    fail_stream(place, name, &copy->streams[i], &lp->core_rng[i], after, culprit);
}
