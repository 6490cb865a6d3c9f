/* SPDX-License-Identifier: BSD-3-Clause */
/* publish.c - the results of a command that reads one trace; see document.h. */
#include "cli/files.h"
#include "document/document.h"

bool doc_publish(const struct doc *doc, struct ws_outs *outs, const char *csv_folder,
                 const struct ws_file *file,
                 void (*facts)(struct json_writer *json, const void *from), const void *from)
{
    struct json_writer json = {.out = stdout};
    if ((doc->no_memory && !ws_no_memory(NULL)) ||
        (csv_folder != NULL && !doc_csv(outs, csv_folder, doc)) || !ws_outs_publish(outs)) {
        return false;
    }
    if (facts == NULL) {
        ws_stream_covers_say(stdout, file);
        ws_run_print(stdout, file->sb);
        doc_findings_print(stdout, doc);
        doc_print(stdout, doc);
        return true;
    }
    ws_document_open(&json);
    json_put_string(&json, "path", file->path);
    ws_stream_covers_json(&json, file);
    facts(&json, from);
    doc_findings_json(&json, doc);
    doc_json(&json, doc);
    json_object_close(&json);
    return true;
}
