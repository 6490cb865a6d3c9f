/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reports of warpscope-ptx; see report.h.
 */
#include "rewrite/command/report.h"

#include <inttypes.h>
#include <string.h>

#include "text/json.h"

static const char *plural(uint64_t number)
{
    return number == 1 ? "" : "s";
}

static void print(FILE *out, struct ptx_text text)
{
    fwrite(text.s, 1, text.length, out);
}

static void kernels_print(FILE *out, const struct rewrite_result *result)
{
    fprintf(out, "kernels:%s\n", result->kernel_count == 0 ? " none" : "");
    for (size_t i = 0; i < result->kernel_count; i++) {
        const struct rewrite_kernel *kernel = &result->kernels[i];
        fprintf(out, "  line %" PRIu32 ": ", kernel->line);
        print(out, kernel->name);
        fprintf(out, ", %" PRIu32 " parameter%s", kernel->parameters, plural(kernel->parameters));
        if (kernel->reason != NULL) {
            fprintf(out, "; not traced: %s", kernel->reason);
        }
        fputc('\n', out);
    }
}

static void notes_print(FILE *out, const struct rewrite_result *result)
{
    fprintf(out, "not traced:%s\n", result->note_count == 0 ? " none" : "");
    for (size_t i = 0; i < result->note_count; i++) {
        const struct rewrite_note *note = &result->notes[i];
        fprintf(out, "  line %" PRIu32 ": ", note->line);
        print(out, note->instruction);
        fputs(" in ", out);
        print(out, note->function);
        fprintf(out, "%s%s%s\n", note->kind == REWRITE_UNKNOWN ? " (unknown instruction)" : "",
                note->reason == NULL ? "" : ": ", note->reason == NULL ? "" : note->reason);
    }
}

void report_text(FILE *out, const struct rewrite_result *result)
{
    const struct rewrite_counts *c = &result->counts;
    if (result->already) {
        fputs("The module was rewritten before; it is unchanged.\n", out);
    } else {
        fprintf(out,
                "traced: %" PRIu64 " load%s, %" PRIu64 " store%s, %" PRIu64 " atomic%s; %" PRIu64
                " of these with generic addresses\n",
                c->loads, plural(c->loads), c->stores, plural(c->stores), c->atomics,
                plural(c->atomics), c->generic);
        fprintf(out, "other spaces: %" PRIu64 "\n", c->other_spaces);
        fprintf(out, "traced device functions: %" PRIu64 "\n", result->functions);
    }
    if (result->raised != NULL) {
        fprintf(out, "target raised to: %s\n", result->raised);
    }
    kernels_print(out, result);
    if (!result->already) {
        notes_print(out, result);
    }
}

void report_names(FILE *out, const struct rewrite_result *result)
{
    for (size_t i = 0; i < result->kernel_count; i++) {
        if (result->kernels[i].reason == NULL) {
            print(out, result->kernels[i].name);
            fprintf(out, "\t%" PRIu32 "\n", result->kernels[i].parameters);
        }
    }
}

/* ---- JSON ------------------------------------------------------------------------------------- */

/* Writes a piece of text as a JSON string. Cuts the text if it does not fit in the array `copy`,
 * since identifiers may have any length. */
static void put_text(struct json_writer *writer, const char *key, struct ptx_text text)
{
    char copy[4096];
    size_t length = text.length < sizeof copy ? text.length : sizeof copy - 1;
    memcpy(copy, text.s, length);
    copy[length] = '\0';
    json_put_string(writer, key, copy);
}

static void put_reason(struct json_writer *writer, const char *reason)
{
    if (reason != NULL) {
        json_put_string(writer, "reason", reason);
    }
}

static void put_kernels(struct json_writer *writer, const struct rewrite_result *result)
{
    json_array_open(writer, "kernels");
    for (size_t i = 0; i < result->kernel_count; i++) {
        const struct rewrite_kernel *kernel = &result->kernels[i];
        json_object_open(writer, NULL);
        put_text(writer, "name", kernel->name);
        json_put_u64(writer, "line", kernel->line);
        json_put_u64(writer, "parameters", kernel->parameters);
        json_put_bool(writer, "traced", kernel->reason == NULL);
        put_reason(writer, kernel->reason);
        json_object_close(writer);
    }
    json_array_close(writer);
}

static void put_notes(struct json_writer *writer, const struct rewrite_result *result)
{
    json_array_open(writer, "not_traced");
    for (size_t i = 0; i < result->note_count; i++) {
        const struct rewrite_note *note = &result->notes[i];
        json_object_open(writer, NULL);
        json_put_u64(writer, "line", note->line);
        put_text(writer, "instruction", note->instruction);
        put_text(writer, "function", note->function);
        json_put_bool(writer, "known", note->kind != REWRITE_UNKNOWN);
        put_reason(writer, note->reason);
        json_object_close(writer);
    }
    json_array_close(writer);
}

void report_json(FILE *out, const struct rewrite_result *result)
{
    struct json_writer writer = {.out = out};
    json_object_open(&writer, NULL);
    json_put_bool(&writer, "already", result->already);
    if (result->raised != NULL) {
        json_put_string(&writer, "raised", result->raised);
    }
    json_put_u64(&writer, "loads", result->counts.loads);
    json_put_u64(&writer, "stores", result->counts.stores);
    json_put_u64(&writer, "atomics", result->counts.atomics);
    json_put_u64(&writer, "generic", result->counts.generic);
    json_put_u64(&writer, "other_spaces", result->counts.other_spaces);
    json_put_u64(&writer, "functions", result->functions);
    put_kernels(&writer, result);
    put_notes(&writer, result);
    json_object_close(&writer);
}
