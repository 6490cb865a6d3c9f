/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memtrace.c - "warpscope memtrace": communication of GPU kernels through global memory.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/emit.h"
#include "cli/exit.h"
#include "commands.h"
#include "memtrace/command/options.h"
#include "memtrace/convert/convert.h"
#include "memtrace/json.h"
#include "memtrace/matrix.h"
#include "memtrace/output.h"
#include "memtrace/tables.h"
#include "render/text.h"

#define TOP_DEFAULT 20u

/* ---- Output as text -------------------------------------------------------------------------- */

static uint64_t top_of(const struct ws_memtrace_options *o, enum ws_memtrace_table_id id)
{
    bool short_list = id >= WS_MEMTRACE_TRANSFERS || id == WS_MEMTRACE_LAUNCHES;
    return o->top_given ? o->top : short_list ? TOP_DEFAULT : UINT64_MAX;
}

static enum ws_memtrace_table_id volumes_table(const struct ws_memtrace_options *o)
{
    static const enum ws_memtrace_table_id ids[] = {
        WS_MEMTRACE_VOLUMES_KERNEL, WS_MEMTRACE_VOLUMES_CTA, WS_MEMTRACE_VOLUMES_SM};
    return ids[o->by];
}

static bool no_memory(void)
{
    fputs("warpscope memtrace: out of memory\n", stderr);
    return false;
}

static bool table_text(const struct ws_memtrace_options *o, struct ws_memtrace *m,
                       enum ws_memtrace_table_id id, bool is_first)
{
    struct doc doc = {.n = 0};
    struct ws_memtrace_view view = {.m = m, .id = id, .for_text = true};
    struct doc_table *table = ws_memtrace_table(&doc, &view);
    table->n_text = top_of(o, id);
    table->is_first = is_first;
    return doc_print_free(stdout, &doc) || no_memory();
}

/* Prints the number and the full name of each kernel whose name was cut. */
static void kernels_text(const struct ws_memtrace *m)
{
    const struct ws_actors *actors = &m->book.actors;
    for (uint32_t i = 0; i < actors->names.n; i++) {
        if (actors->kernels[i].is_cut) {
            printf("#%" PRIu32 " is ", i + 1);
            utf8_plain_print(stdout, actors->kernels[i].label);
            putchar('\n');
        }
    }
}

static bool matrix_text(const struct ws_memtrace_options *o, struct ws_memtrace *m)
{
    bool by_sm = o->by == WS_MEMTRACE_BY_SM;
    enum ws_memtrace_table_id id = by_sm ? WS_MEMTRACE_FLOWS_SM : WS_MEMTRACE_FLOWS_KERNEL;
    struct ws_matrix *x = malloc(sizeof *x);
    bool good = x != NULL && ws_matrix_make(x, m, by_sm, true);
    if (good) {
        ws_matrix_text(x, stdout);
        good = table_text(o, m, id, false);
    } else {
        no_memory();
    }
    free(x);
    return good;
}

static const char *unit_of(const struct ws_memtrace *m)
{
    return m->by_bytes ? "bytes" : "addresses";
}

static void wide_say(const struct ws_memtrace *m)
{
    if (m->n_streams > 1) {
        printf("%" PRIu64
               " %s that one stream has written and another touched: what is said about\n"
               "them is for launches in lockstep; traces do not tell the order of streams.\n",
               m->wide, unit_of(m));
    }
}

/* Prints the text of wide_say() on stderr, for output formats that cannot contain such a text. */
static void wide_note(const struct ws_memtrace *m)
{
    if (m->n_streams > 1 && m->wide > 0) {
        fprintf(stderr,
                "warpscope memtrace: note: %" PRIu64 " %s that one stream has written and another "
                "touched: what is said about them is for launches in lockstep\n",
                m->wide, unit_of(m));
    }
}

static bool text_print(const struct ws_memtrace_options *o, struct ws_memtrace *m)
{
    const bool all = o->what == WS_MEMTRACE_ALL, is_first = m->notes.n == 0;
    bool good = true;
    ws_memtrace_notes_print(&m->notes, (const char *const *)o->paths, "", stdout);
    if (all || o->what == WS_MEMTRACE_INFO) {
        good = table_text(o, m, WS_MEMTRACE_STREAMS, is_first) &&
               table_text(o, m, WS_MEMTRACE_LAUNCHES, false);
    }
    if (good && (all || o->what == WS_MEMTRACE_VOLUMES)) {
        good = table_text(o, m, volumes_table(o), is_first && !all);
    }
    if (good && (all || o->what == WS_MEMTRACE_TRANSFERS_OF)) {
        good = table_text(o, m, WS_MEMTRACE_TRANSFERS, is_first && !all);
    }
    if (good && o->what == WS_MEMTRACE_ADDRESSES_OF) {
        good = table_text(o, m, WS_MEMTRACE_ADDRESSES, is_first);
    }
    if (good && (all || o->what == WS_MEMTRACE_MATRIX)) {
        fputs(is_first && !all ? "" : "\n", stdout);
        good = matrix_text(o, m);
    }
    kernels_text(m);
    if (o->what != WS_MEMTRACE_INFO) {
        wide_say(m);
    }
    return good;
}

/* ---- Output as CSV and JSON ------------------------------------------------------------------ */

static bool csv_print(const struct ws_memtrace_options *o, struct ws_memtrace *m)
{
    static const enum ws_memtrace_table_id ids[WS_MEMTRACE_WHATS] = {
        [WS_MEMTRACE_INFO] = WS_MEMTRACE_LAUNCHES,
        [WS_MEMTRACE_TRANSFERS_OF] = WS_MEMTRACE_TRANSFERS,
        [WS_MEMTRACE_ADDRESSES_OF] = WS_MEMTRACE_ADDRESSES};
    enum ws_memtrace_table_id id = ids[o->what];
    if (o->what == WS_MEMTRACE_VOLUMES) {
        id = volumes_table(o);
    } else if (o->what == WS_MEMTRACE_MATRIX) {
        id = o->by == WS_MEMTRACE_BY_SM ? WS_MEMTRACE_FLOWS_SM : WS_MEMTRACE_FLOWS_KERNEL;
    }
    struct doc doc = {.n = 0};
    struct ws_memtrace_view view = {.m = m, .id = id};
    struct ws_outs outs = {.force = false};
    bool good = doc_table_csv(&outs, "-", ws_memtrace_table(&doc, &view)) && !doc.no_memory;
    doc_free(&doc);
    ws_outs_free(&outs);
    return good;
}

static bool json_print(const struct ws_memtrace_options *o, struct ws_memtrace *m)
{
    static const unsigned parts[WS_MEMTRACE_WHATS] = {
        [WS_MEMTRACE_VOLUMES] = WS_MEMTRACE_JSON_VOLUMES,
        [WS_MEMTRACE_TRANSFERS_OF] = WS_MEMTRACE_JSON_TRANSFER,
        [WS_MEMTRACE_ADDRESSES_OF] = WS_MEMTRACE_JSON_ADDRSET | WS_MEMTRACE_JSON_ADDRESSES,
        [WS_MEMTRACE_ALL] =
            WS_MEMTRACE_JSON_VOLUMES | WS_MEMTRACE_JSON_TRANSFER | WS_MEMTRACE_JSON_ADDRSET};
    static const enum ws_memtrace_table_id info[] = {WS_MEMTRACE_STREAMS, WS_MEMTRACE_LAUNCHES,
                                                     WS_MEMTRACE_NOTES};
    static const enum ws_memtrace_table_id flows[] = {WS_MEMTRACE_FLOWS_KERNEL,
                                                      WS_MEMTRACE_FLOWS_SM, WS_MEMTRACE_NOTES};
    if (o->what == WS_MEMTRACE_INFO || o->what == WS_MEMTRACE_MATRIX) {
        struct json_writer json = {.out = stdout, .indent = 1};
        bool good = true;
        json_object_open(&json, NULL);
        for (size_t i = 0; i < 3; i++) {
            good &=
                ws_memtrace_json_rows(&json, m, (o->what == WS_MEMTRACE_INFO ? info : flows)[i]);
        }
        json_object_close(&json);
        return good || no_memory();
    }
    unsigned wanted = parts[o->what];
    if (o->set_of_records) {
        wanted &= ~(unsigned)(WS_MEMTRACE_JSON_ADDRSET | WS_MEMTRACE_JSON_ADDRESSES);
        wanted |= WS_MEMTRACE_JSON_RECORDS;
    }
    return ws_memtrace_json(m, wanted, stdout);
}

/* ---- Command --------------------------------------------------------------------------------- */

static enum ws_memtrace_depth depth_of(const struct ws_memtrace_options *o)
{
    bool all = o->what == WS_MEMTRACE_ALL && o->form == WS_MEMTRACE_JSON;
    if (o->what == WS_MEMTRACE_ADDRESSES_OF || all || o->sqlite != NULL) {
        return WS_MEMTRACE_LISTS;
    }
    return o->what == WS_MEMTRACE_INFO && o->sqlite == NULL ? WS_MEMTRACE_COUNT
                                                            : WS_MEMTRACE_COMMUNICATION;
}

/* Writes the files that --sqlite and --svg name. Must be called before anything is printed: an
 * incomplete file can be removed, printed output cannot. Returns false after an error message. */
static bool files_write(const struct ws_memtrace_options *o, struct ws_memtrace *m)
{
    struct ws_outs outs = {.force = o->force};
    bool good = true;
    for (uint32_t i = 0; i < o->n_paths && good; i++) {
        good = ws_outs_protect(&outs, o->paths[i]);
    }
    if (good && o->sqlite != NULL) {
        good = ws_memtrace_sqlite(m, &outs, o->sqlite);
    }
    if (good && o->svg != NULL) {
        good = ws_memtrace_svg(m, &outs, o->svg, o->by == WS_MEMTRACE_BY_SM);
    }
    good = good && ws_outs_publish(&outs);
    ws_outs_free(&outs);
    return good;
}

/* Reads the traces and prints what the options want. Returns false after an error message, or if a
 * trace is incomplete. */
static bool analyse(const struct ws_memtrace_options *o)
{
    struct ws_memtrace m = {.choice = &o->choice,
                            .depth = depth_of(o),
                            .by_bytes = o->by_bytes,
                            .original = o->original};
    bool good = ws_memtrace_read(&m, o->paths, o->n_paths) && files_write(o, &m);
    if (good) {
        good = o->form == WS_MEMTRACE_TEXT  ? text_print(o, &m)
               : o->form == WS_MEMTRACE_CSV ? csv_print(o, &m)
                                            : json_print(o, &m);
        if (o->form != WS_MEMTRACE_TEXT) {
            wide_note(&m);
        }
        if (o->form == WS_MEMTRACE_CSV) {
            ws_memtrace_notes_print(&m.notes, (const char *const *)o->paths,
                                    "warpscope memtrace: note: ", stderr);
        }
        good = good && m.notes.n_incomplete == 0;
    }
    ws_memtrace_free(&m);
    return good;
}

int ws_command_memtrace(int argc, char **argv)
{
    struct ws_memtrace_options o = {0};
    int status = WS_EXIT_OK;
    if (argc > 1 && strcmp(argv[1], "convert") == 0) {
        return ws_memtrace_convert(argc - 1, argv + 1);
    }
    if (ws_memtrace_options_read(&o, argc, argv, &status)) {
        if (o.what == WS_MEMTRACE_RECORD) {
            status = ws_record_run(&o.record);
        } else if (o.sqlite != NULL && ws_memtrace_sqlite_missing != NULL) {
            fprintf(stderr, "warpscope memtrace: --sqlite: %s\n", ws_memtrace_sqlite_missing);
            status = WS_EXIT_DAMAGED;
        } else if (o.what == WS_MEMTRACE_DUMP) {
            uint64_t top = o.top_given ? o.top : UINT64_MAX;
            int output_errno;
            bool good =
                ws_memtrace_dump(o.paths, o.n_paths, &o.choice, o.form, top, stdout, &output_errno);
            status = output_errno != 0 ? ws_output_failed(output_errno)
                     : good            ? WS_EXIT_OK
                                       : WS_EXIT_DAMAGED;
        } else {
            status = analyse(&o) ? WS_EXIT_OK : WS_EXIT_DAMAGED;
        }
    }
    ws_memtrace_options_free(&o);
    return status;
}
