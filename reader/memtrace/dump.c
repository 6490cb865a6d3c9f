/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dump.c - "warpscope memtrace dump": prints the accesses in trace files one by one.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "memtrace/output.h"
#include "store/array.h"
#include "store/index.h"
#include "text/csv.h"
#include "text/json.h"
#include "text/utf8.h"

/* The last access of a CTA, and how often the CTA has repeated it. */
struct last {
    struct memtrace_access access;
    uint64_t times;
};

struct dump {
    const struct ws_memtrace_choice *choice;
    enum ws_memtrace_form form;
    uint64_t rows, top;
    uint32_t stream;
    uint64_t step;
    FILE *out;
    bool all_polls;
    struct last *last; /* of the CTAs of the launch */
    size_t last_room;
    struct index ctas;
    struct ws_memtrace_notes notes;
    int output_errno; /* error number of the failed output; 0: no failure */
    char kernel[WS_KERNEL_SHOWN_MAX];
};

static bool access_chosen(const struct ws_memtrace_choice *c, const struct memtrace_access *a)
{
    return (!c->addresses_given ||
            (a->address >= c->address_from && a->address <= c->address_to)) &&
           ws_allows(&c->sms, a->sm) && (a->cta & c->cta_mask) == c->cta;
}

#define LINE_WIDTH   80
#define KERNEL_WIDTH 16
#define KERNEL_LEAST 10

/* Prints an access as a row of text. If a value does not fit into its column, the name of the kernel
 * gets less space in this row, or the row continues on a second line. */
static void access_text(const struct dump *d, const char *class, const struct memtrace_access *a,
                        uint64_t times, const char *cta)
{
    char head[64], middle[64], tail[96], address[24], count[32] = "";
    if (times > 1) {
        snprintf(count, sizeof count, " x%" PRIu64, times);
    }
    snprintf(address, sizeof address, "0x%" PRIx64, a->address);
    int n =
        snprintf(head, sizeof head, "%3" PRIu32 " %6" PRIu64 " ", d->stream, d->step) +
        snprintf(middle, sizeof middle, " %11s %4" PRIu32, cta, a->sm) +
        snprintf(tail, sizeof tail, " %-6s %18s %8" PRIu32 "%s", class, address, a->size, count);
    bool breaks = LINE_WIDTH - n < KERNEL_LEAST;
    int width = breaks || LINE_WIDTH - n > KERNEL_WIDTH ? KERNEL_WIDTH : LINE_WIDTH - n;
    fputs(head, d->out);
    utf8_plain_column(d->out, d->kernel, (size_t)width);
    fprintf(d->out, "%s%s%s\n", middle, breaks ? "\n   " : "", tail);
}

/* Prints `times` accesses as one row. */
static void access_write(struct dump *d, const struct memtrace_access *a, uint64_t times)
{
    const char *kernel = d->kernel;
    const char *class = ws_memtrace_classes[a->type < 2 ? a->type : 2];
    uint64_t step = d->step;
    char cta[32];
    snprintf(cta, sizeof cta, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, doc_triple_part(a->cta, 0),
             doc_triple_part(a->cta, 1), doc_triple_part(a->cta, 2));
    if (d->form == WS_MEMTRACE_TEXT) {
        access_text(d, class, a, times, cta);
    } else if (d->form == WS_MEMTRACE_CSV) {
        fprintf(d->out, "%" PRIu32 ",%" PRIu64 ",", d->stream, step);
        csv_print(d->out, kernel, strlen(kernel));
        fprintf(d->out, ",%s,%" PRIu32 ",%s,%" PRIu32 ",%" PRIu64 ",%" PRIu32 ",%" PRIu64 "\n", cta,
                a->sm, class, a->type, a->address, a->size, times);
    } else {
        fprintf(d->out, "%s\n {\"stream\": %" PRIu32 ", \"superstep\": %" PRIu64 ", \"kernel\": ",
                d->rows > 0 ? "," : "", d->stream, step);
        json_print_string(d->out, kernel);
        fprintf(d->out,
                ", \"cta\": [%s], \"sm\": %" PRIu32 ", \"type\": %" PRIu32 ", \"address\": %" PRIu64
                ", \"size\": %" PRIu32 ", \"times\": %" PRIu64 "}",
                cta, a->sm, a->type, a->address, a->size, times);
    }
    d->output_errno = ferror(d->out) ? errno : 0;
    d->rows++;
}

/* ---- Polls ------------------------------------------------------------------------------------ */

/* Returns the last access of a CTA; NULL if memory is exhausted. */
static struct last *last_of(struct dump *d, uint64_t cta)
{
    uint32_t hash = index_hash(cta), i;
    for (uint32_t at = hash; index_next(&d->ctas, hash, &at, &i);) {
        if (d->last[i].access.cta == cta) {
            return &d->last[i];
        }
    }
    i = d->ctas.n;
    if (!array_reserve(&d->last, &d->last_room, i + 1u, sizeof *d->last) ||
        !index_add(&d->ctas, hash, i)) {
        return NULL;
    }
    d->last[i] = (struct last){.access.cta = cta};
    return &d->last[i];
}

static void last_write(struct dump *d, struct last *last)
{
    if (last->times > 0 && d->rows < d->top && d->output_errno == 0) {
        access_write(d, &last->access, last->times);
    }
    last->times = 0;
}

static void launch_end(struct dump *d)
{
    for (uint32_t i = 0; i < d->ctas.n; i++) {
        last_write(d, &d->last[i]);
    }
    index_clear(&d->ctas);
}

/* Prints an access, unless its CTA repeats a load. */
static void access_take(struct dump *d, const struct memtrace_access *a)
{
    struct last *last = d->all_polls ? NULL : last_of(d, a->cta);
    if (last != NULL) {
        const struct memtrace_access *b = &last->access;
        if (a->type == MEMTRACE_LOAD && b->type == MEMTRACE_LOAD && a->address == b->address &&
            a->size == b->size && a->sm == b->sm) {
            last->times++;
            return;
        }
        last_write(d, last);
        last->access = *a;
    } else if (!d->all_polls) {
        d->output_errno = ENOMEM;
        return;
    }
    if (d->rows < d->top) {
        access_write(d, a, 1);
    }
}

/* Prints the selected accesses of one trace file, up to its end, an error or the last requested
 * row. Returns the item at which it has stopped. */
static enum memtrace_item stream_dump(struct dump *d, struct memtrace_reader *r)
{
    struct memtrace_access a;
    enum memtrace_item item;
    bool chosen = false;
    while ((item = memtrace_reader_next(r, &a)) != MEMTRACE_ITEM_END &&
           item != MEMTRACE_ITEM_ERROR && d->rows < d->top && d->output_errno == 0) {
        if (item == MEMTRACE_ITEM_LAUNCH) {
            launch_end(d);
            d->step = memtrace_reader_superstep(r);
            ws_kernel_show(d->kernel, memtrace_reader_kernel(r));
            if (ws_memtrace_is_note(memtrace_reader_kernel(r)) &&
                !ws_memtrace_note_add(&d->notes, d->stream, memtrace_reader_kernel(r))) {
                d->output_errno = ENOMEM;
            }
            chosen = ws_memtrace_has_kernel(d->choice, d->stream, d->kernel) &&
                     ws_allows(&d->choice->steps, d->step);
        } else if (chosen && access_chosen(d->choice, &a)) {
            access_take(d, &a);
        }
    }
    launch_end(d);
    return item;
}

bool ws_memtrace_dump(char **paths, uint32_t n, const struct ws_memtrace_choice *choice,
                      enum ws_memtrace_form form, bool all_polls, uint64_t top, FILE *out,
                      int *output_errno)
{
    struct dump d = {
        .choice = choice, .form = form, .all_polls = all_polls, .top = top, .out = out};
    char error[WS_MEMTRACE_ERROR_MAX];
    bool good = true;
    fputs(form == WS_MEMTRACE_TEXT
              ? "str   step kernel                   CTA   SM type              address     size\n"
          : form == WS_MEMTRACE_CSV
              ? "stream,superstep,kernel,cta_x,cta_y,cta_z,sm,type,type_number,address,size,times\n"
              : "[",
          out);
    for (uint32_t i = 0; i < n; i++) {
        struct memtrace_reader *r = memtrace_reader_open(paths[i], error, sizeof error);
        d.stream = i + 1;
        if (r == NULL) {
            good = ws_memtrace_say(false, "%s", error);
        } else if (stream_dump(&d, r) == MEMTRACE_ITEM_ERROR) {
            good = ws_memtrace_say(false, "%s", memtrace_reader_error(r));
        }
        memtrace_reader_close(r);
    }
    if (form == WS_MEMTRACE_JSON) {
        fputs(d.rows > 0 ? "\n]\n" : "]\n", out);
    }
    ws_memtrace_notes_print(&d.notes, (const char *const *)paths,
                            "warpscope memtrace: note: ", stderr);
    if (good && d.rows == 0 && top > 0 && d.notes.n_incomplete == 0) {
        ws_memtrace_say(false, "no access is selected; info lists kernels and supersteps");
        good = !choice->any && !choice->addresses_given;
    }
    good = good && d.notes.n_incomplete == 0;
    ws_memtrace_notes_free(&d.notes);
    index_fini(&d.ctas);
    free(d.last);
    *output_errno = d.output_errno;
    return good;
}
