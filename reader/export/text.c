/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - writes records as CSV, TSV, JSON and JSON lines, one file per kind of record. The text
 * is that of "warpscope dump", made by the same code.
 */
#include "cli/emit.h"
#include "export/export.h"

static bool kind_begin(struct ws_export *x, struct ws_table_schema *kind)
{
    struct ws_emitter *e = kind->sink;
    if (!ws_fields_apply(&x->fields, &kind->table)) {
        return ws_no_memory(&x->outs.failed);
    }
    e->lines = x->format == &ws_export_jsonl;
    e->json = e->lines || x->format == &ws_export_json;
    e->tabs = x->format == &ws_export_tsv;
    e->out = ws_export_out(x, kind->name);
    if (e->out != NULL) {
        ws_emit_begin(e, &kind->table);
    }
    return !x->outs.failed;
}

static bool kind_rows(struct ws_export *x, struct ws_table_schema *kind, const struct ws_rows *rows)
{
    (void)x;
    /* A kind of record may have none of the columns to show. */
    return ws_table_shown(&kind->table) == 0 || ws_emit_rows(kind->sink, &kind->table, rows);
}

static bool kind_end(struct ws_export *x, struct ws_table_schema *kind)
{
    struct ws_emitter *e = kind->sink;
    ws_emit_end(e);
    return !x->outs.failed && ws_out_end(e->out);
}

static void kind_fini(struct ws_table_schema *kind)
{
    ws_emit_free(kind->sink);
}

#define TEXT_FORMAT(format_name)                                                                   \
    {                                                                                              \
        .name = format_name, .extension = "." format_name, .to_pipe = true, .per_kind = true,      \
        .is_text = true, .sink_size = sizeof(struct ws_emitter), .with_labels = true,              \
        .kind_begin = kind_begin, .kind_rows = kind_rows, .kind_end = kind_end,                    \
        .kind_fini = kind_fini,                                                                    \
    }
const struct ws_export_format ws_export_csv = TEXT_FORMAT("csv");
const struct ws_export_format ws_export_tsv = TEXT_FORMAT("tsv");
const struct ws_export_format ws_export_json = TEXT_FORMAT("json");
const struct ws_export_format ws_export_jsonl = TEXT_FORMAT("jsonl");
