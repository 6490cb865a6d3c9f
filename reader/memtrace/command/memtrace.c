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
#include "memtrace/output.h"
#include "render/text.h"

#define TOP_DEFAULT 20u

/* ---- Output as text -------------------------------------------------------------------------- */

static uint64_t top_of(const struct ws_memtrace_options *o, enum ws_memtrace_table_id id)
{
    bool short_list = id >= WS_MEMTRACE_TRANSFERS || id == WS_MEMTRACE_LAUNCHES;
    return o->top_given ? o->top : short_list ? TOP_DEFAULT : UINT64_MAX;
}

#define TABLES_MAX 5u

/* Stores the tables of the subcommand in ids; text has all of them, CSV the last one. Returns their
 * number. */
static size_t tables_of(const struct ws_memtrace_options *o,
                        enum ws_memtrace_table_id ids[TABLES_MAX])
{
    static const enum ws_memtrace_table_id volumes[] = {
        WS_MEMTRACE_VOLUMES_KERNEL, WS_MEMTRACE_VOLUMES_CTA, WS_MEMTRACE_VOLUMES_SM};
    const struct {
        enum ws_memtrace_what what;
        enum ws_memtrace_table_id id;
    } all[] = {{WS_MEMTRACE_INFO, WS_MEMTRACE_STREAMS},
               {WS_MEMTRACE_INFO, WS_MEMTRACE_LAUNCHES},
               {WS_MEMTRACE_VOLUMES, volumes[o->by]},
               {WS_MEMTRACE_TRANSFERS_OF, WS_MEMTRACE_TRANSFERS},
               {WS_MEMTRACE_MATRIX,
                o->by == WS_MEMTRACE_BY_SM ? WS_MEMTRACE_FLOWS_SM : WS_MEMTRACE_FLOWS_KERNEL},
               {WS_MEMTRACE_ALLOCATIONS_OF, WS_MEMTRACE_ALLOCATIONS},
               {WS_MEMTRACE_LINES_OF, WS_MEMTRACE_LINES},
               {WS_MEMTRACE_ADDRESSES_OF, WS_MEMTRACE_RANGES},
               {WS_MEMTRACE_ADDRESSES_OF, WS_MEMTRACE_ADDRESSES}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].what == o->what ||
            (o->what == WS_MEMTRACE_ALL && all[i].what < WS_MEMTRACE_ADDRESSES_OF)) {
            ids[n++] = all[i].id;
        }
    }
    return n;
}

static bool no_memory(void)
{
    return ws_memtrace_say(false, "out of memory");
}

/* Prints a table as text, or as CSV, which stands alone. */
static bool table_print(const struct ws_memtrace_options *o, struct ws_memtrace *m,
                        enum ws_memtrace_table_id id, bool is_first)
{
    struct doc doc = {.n = 0};
    struct ws_memtrace_view view = {.m = m, .id = id, .for_text = o->form == WS_MEMTRACE_TEXT};
    struct doc_table *table = ws_memtrace_table(&doc, &view);
    struct ws_outs outs = {.force = false};
    table->n_text = top_of(o, id);
    table->is_first = is_first;
    bool good = view.for_text ? doc_print(stdout, &doc) || no_memory()
                              : doc_table_csv(&outs, "-", table) && !doc.no_memory;
    doc_free(&doc);
    ws_outs_free(&outs);
    return good;
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

/* Says which results depend on the order of the streams. prefix: text before it. */
static void wide_say(const struct ws_memtrace *m, const char *prefix, FILE *out)
{
    if (m->n_streams > 1 && m->wide > 0) {
        fprintf(
            out,
            "%s%" PRIu64 " %s that one stream has written and another touched: what is said"
            "%sabout them is for launches in lockstep; traces do not tell the order of streams\n",
            prefix, m->wide, m->by_bytes ? "bytes" : "addresses", out == stdout ? "\n" : " ");
    }
}

static bool text_print(const struct ws_memtrace_options *o, struct ws_memtrace *m)
{
    enum ws_memtrace_table_id ids[TABLES_MAX];
    size_t n = tables_of(o, ids);
    bool good = true;
    ws_memtrace_notes_print(&m->notes, (const char *const *)o->paths, "", stdout);
    for (size_t i = 0; i < n && good; i++) {
        bool is_first = i == 0 && m->notes.n == 0;
        if (ids[i] == WS_MEMTRACE_FLOWS_KERNEL || ids[i] == WS_MEMTRACE_FLOWS_SM) {
            fputs(is_first ? "" : "\n", stdout);
            good = ws_memtrace_matrix(m, o->by == WS_MEMTRACE_BY_SM, false, stdout) || no_memory();
            is_first = false;
        }
        good = good && table_print(o, m, ids[i], is_first);
    }
    kernels_text(m);
    if (o->what != WS_MEMTRACE_INFO) {
        wide_say(m, "", stdout);
    }
    return good;
}

/* ---- Output as JSON -------------------------------------------------------------------------- */

static bool json_print(const struct ws_memtrace_options *o, struct ws_memtrace *m)
{
    static const unsigned parts[WS_MEMTRACE_WHATS] = {
        [WS_MEMTRACE_INFO] =
            1 << WS_MEMTRACE_STREAMS | 1 << WS_MEMTRACE_LAUNCHES | 1 << WS_MEMTRACE_NOTES,
        [WS_MEMTRACE_MATRIX] =
            1 << WS_MEMTRACE_FLOWS_KERNEL | 1 << WS_MEMTRACE_FLOWS_SM | 1 << WS_MEMTRACE_NOTES,
        [WS_MEMTRACE_VOLUMES] = WS_MEMTRACE_JSON_VOLUMES,
        [WS_MEMTRACE_TRANSFERS_OF] = WS_MEMTRACE_JSON_TRANSFER,
        [WS_MEMTRACE_ADDRESSES_OF] =
            WS_MEMTRACE_JSON_ADDRSET | WS_MEMTRACE_JSON_ADDRESSES | 1 << WS_MEMTRACE_RANGES,
        [WS_MEMTRACE_ALLOCATIONS_OF] = 1 << WS_MEMTRACE_ALLOCATIONS,
        [WS_MEMTRACE_LINES_OF] = 1 << WS_MEMTRACE_LINES,
        [WS_MEMTRACE_ALL] =
            WS_MEMTRACE_JSON_VOLUMES | WS_MEMTRACE_JSON_TRANSFER | WS_MEMTRACE_JSON_ADDRSET};
    unsigned wanted = parts[o->what];
    if (o->set_of_records) {
        wanted &= ~(unsigned)(WS_MEMTRACE_JSON_ADDRSET | WS_MEMTRACE_JSON_ADDRESSES |
                              1 << WS_MEMTRACE_RANGES);
        wanted |= WS_MEMTRACE_JSON_RECORDS;
    }
    return ws_memtrace_json(m, wanted, stdout) || no_memory();
}

/* ---- Command --------------------------------------------------------------------------------- */

static enum ws_memtrace_depth depth_of(const struct ws_memtrace_options *o)
{
    bool all = o->what == WS_MEMTRACE_ALL && o->form == WS_MEMTRACE_JSON;
    if (o->what == WS_MEMTRACE_ADDRESSES_OF || o->what == WS_MEMTRACE_PAGE || all ||
        o->sqlite != NULL) {
        return WS_MEMTRACE_LISTS;
    }
    return o->what == WS_MEMTRACE_INFO && o->sqlite == NULL ? WS_MEMTRACE_COUNT
                                                            : WS_MEMTRACE_COMMUNICATION;
}

/* Checks that the files which --sqlite and --svg name may be written: the analysis may take long.
 * Returns false after an error message. */
static bool files_check(const struct ws_memtrace_options *o, struct ws_outs *outs)
{
    bool good = true;
    for (uint32_t i = 0; i < o->n_paths && good; i++) {
        good = ws_outs_protect(outs, o->paths[i]);
    }
    return good && (o->sqlite == NULL || ws_out_may_begin(outs, o->sqlite)) &&
           (o->svg == NULL || ws_out_may_begin(outs, o->svg)) &&
           (o->page == NULL || ws_out_may_begin(outs, o->page));
}

/* Writes these files. Must be called before anything is printed: an incomplete file can be removed,
 * printed output cannot. Returns false after an error message. */
static bool files_write(const struct ws_memtrace_options *o, struct ws_memtrace *m,
                        struct ws_outs *outs)
{
    return (o->sqlite == NULL || ws_memtrace_sqlite(m, outs, o->sqlite)) &&
           (o->svg == NULL || ws_memtrace_svg(m, outs, o->svg, o->by == WS_MEMTRACE_BY_SM)) &&
           (o->page == NULL || ws_memtrace_page(m, outs, o->page, o->title)) &&
           ws_outs_publish(outs);
}

/* Reads the traces and prints what the options want. Returns false after an error message, or if a
 * trace is incomplete. */
static bool analyse(const struct ws_memtrace_options *o)
{
    struct ws_memtrace m = {.depth = depth_of(o),
                            .by_bytes = o->by_bytes,
                            .wants_places = o->what == WS_MEMTRACE_ALLOCATIONS_OF ||
                                            o->what == WS_MEMTRACE_LINES_OF ||
                                            o->what == WS_MEMTRACE_PAGE || o->sqlite != NULL,
                            .book = {.actors.choice = &o->choice, .original = o->original}};
    struct ws_outs outs = {.force = o->force};
    enum ws_memtrace_table_id ids[TABLES_MAX];
    bool good = files_check(o, &outs) && ws_memtrace_read(&m, o->paths, o->n_paths) &&
                files_write(o, &m, &outs);
    ws_outs_free(&outs);
    if (good && o->what == WS_MEMTRACE_PAGE) {
        fprintf(stderr, "%s\n", o->page);
        good = m.notes.n_incomplete == 0;
    } else if (good) {
        good = o->form == WS_MEMTRACE_TEXT  ? text_print(o, &m)
               : o->form == WS_MEMTRACE_CSV ? table_print(o, &m, ids[tables_of(o, ids) - 1], true)
                                            : json_print(o, &m);
        if (o->form != WS_MEMTRACE_TEXT) {
            wide_say(&m, "warpscope memtrace: note: ", stderr);
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
            ws_memtrace_say(false, "--sqlite: %s", ws_memtrace_sqlite_missing);
            status = WS_EXIT_DAMAGED;
        } else if (o.what == WS_MEMTRACE_DUMP) {
            uint64_t top = o.top_given ? o.top : UINT64_MAX;
            int output_errno;
            bool good = ws_memtrace_dump(o.paths, o.n_paths, &o.choice, o.form, o.all_polls, top,
                                         stdout, &output_errno);
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
