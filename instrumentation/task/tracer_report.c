/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer_report.c - prints the part of the final report about tracers: a few lines for each tracer.
 * The file <prefix>-tracer.bin has all results.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "task/tracer_results.h"
#include "text/json.h"
#include "text/utf8.h"

#define TOP           5u  /* maximum number of domains, or of chains of open tasks, in the report */
#define CHAIN_MAX     16u /* maximum number of tasks in a chain */
#define STEPS_IN_TEXT 20u
#define CHAIN_COLUMNS 40u /* maximum width of a string in a chain, in display columns */

/* Writes a task id to `to` for display: LP.NUMBER, and, if the task is a received request, the
 * sender. */
static void id_text(char to[96], st_task_id id)
{
    int length = snprintf(to, 96, "%" PRIu64 ".%" PRIu64, id.lp - 1, id.number);
    if (id.from != 0) {
        snprintf(to + length, 96 - (size_t)length, ".%" PRIu64, id.from - 1);
    }
}

/* ---- Report as text -------------------------------------------------------------------------- */

#define LABEL_COLUMNS 50u
/* Size of a label in bytes: LABEL_COLUMNS characters of up to 4 bytes in UTF-8, and 64 bytes for
 * the indentation and the number of the LP. */
#define LABEL_SIZE (4 * LABEL_COLUMNS + 64)

/* Memory for a copy of a model's string without line breaks and terminal control characters. */
struct plain {
    char text[4 * LABEL_COLUMNS + 1];
};

static const char *plain(struct plain *to, const char *text, size_t columns)
{
    return utf8_plain(to->text, sizeof(to->text), text, columns);
}

/* Prints a label, padded to LABEL_COLUMNS display columns. Bytes are not counted, since names from
 * models may have any characters. */
static void print_label(const char *label, FILE *out)
{
    size_t columns = utf8_columns(label, strlen(label));
    fprintf(out, "\t%s%*s", label, columns < LABEL_COLUMNS ? (int)(LABEL_COLUMNS - columns) : 0,
            "");
}

static void print_count(const char *label, uint64_t value, FILE *out)
{
    fprintf(out, "\t%-50s %11" PRIu64 "\n", label, value);
}

static void print_value(const char *label, double value, FILE *out)
{
    fprintf(out, "\t%-50s %11.6g\n", label, value);
}

static void print_top(const struct tracer_results *r, const struct tracer_result *result, FILE *out)
{
    const struct tracer_line *top[TOP];
    size_t n = tracer_result_top(r, result, top, TOP);
    for (size_t i = 0; i < n; i++) {
        char label[LABEL_SIZE], lp[32];
        struct plain where;
        snprintf(lp, sizeof(lp), " (LP %" PRIu64 ")", (uint64_t)top[i]->lp);
        snprintf(label, sizeof(label), "  %s%s",
                 plain(&where, tracer_line_where(top[i]), LABEL_COLUMNS - 2 - strlen(lp)), lp);
        double value = tracer_line_value(top[i], result->spec->kind);
        print_label(label, out);
        fprintf(out, " %11.6g", value);
        if (result->spec->kind == TRACER_BUSY && r->now > 0.0) {
            fprintf(out, " %5.1f %%", 100.0 * value / r->now);
        }
        fputc('\n', out);
    }
}

static void print_steps(const struct tracer_results *r, const struct tracer_result *result,
                        FILE *out)
{
    size_t n;
    struct tracer_step_sum *steps = tracer_result_steps(r, result, &n);
    for (size_t i = 0; steps != NULL && i < n && i < STEPS_IN_TEXT; i++) {
        char label[LABEL_SIZE];
        struct plain step;
        snprintf(label, sizeof(label), "  %s",
                 plain(&step, tracer_line_second(steps[i].first), LABEL_COLUMNS - 2));
        print_label(label, out);
        fprintf(out, " %11" PRIu64 " in %" PRIu64 " tasks\n", steps[i].occurrences, steps[i].tasks);
    }
    if (n > STEPS_IN_TEXT) {
        fprintf(out, "\t  and %zu more\n", n - STEPS_IN_TEXT);
    }
    free(steps);
}

/* Prints the first TOP open tasks, each with its ancestors that are open. */
static void print_chains(const struct tracer_results *r, const struct tracer_result *result,
                         FILE *out)
{
    size_t chains = 0;
    for (size_t at = result->from; at < result->to; at++) {
        const struct tracer_line *line = r->sorted[at];
        if (line->type != TRACER_LINE_OPEN || ++chains > TOP) {
            continue;
        }
        for (unsigned depth = 0; line != NULL && depth < CHAIN_MAX; depth++) {
            char id[96];
            struct plain texts[3];
            id_text(id, line->id);
            fprintf(out, "\t  %*s%s %s: %s, %s, since %.6g\n", (int)(2 * depth), "", id,
                    plain(&texts[0], tracer_line_second(line), CHAIN_COLUMNS),
                    plain(&texts[1], tracer_line_third(line), CHAIN_COLUMNS),
                    plain(&texts[2], tracer_line_where(line), CHAIN_COLUMNS), line->first);
            line = tracer_result_open(r, result, line->parent);
        }
    }
    if (chains > TOP) {
        fprintf(out, "\t  and %zu more that are open\n", chains - TOP);
    }
}

static void print_result(const struct tracer_results *r, const struct tracer_result *result,
                         FILE *out)
{
    enum tracer_kind kind = result->spec->kind;
    fprintf(out, "Tracer %s\n", result->spec->text);
    print_count("Tasks that began", result->begun, out);
    print_count("Tasks that ended", result->ended, out);
    if (result->begun == 0 && result->seen > 0) {
        fprintf(out,
                "\tHINT: none of the %" PRIu64
                " tasks that began fits this tracer's filter; kinds: ",
                result->seen);
        utf8_plain_print(out, result->others);
        fputc('\n', out);
    } else if (result->begun == 0) {
        fputs("\tHINT: no task began; models tell of tasks by st_task_begin() or st_task_add()\n",
              out);
    }
    if (kind == TRACER_BUSY) {
        print_value("Busy time, sum over places", result->busy, out);
    } else if (kind == TRACER_TOTAL) {
        print_value("Total time", result->total, out);
    } else if (kind == TRACER_AVERAGE) {
        print_value("Average time", result->ended > 0 ? result->total / (double)result->ended : 0.0,
                    out);
    }
    if (kind == TRACER_STEPS) {
        print_steps(r, result, out);
    } else if (kind == TRACER_BACKTRACE) {
        print_chains(r, result, out);
    } else if (kind != TRACER_DATABASE) {
        print_top(r, result, out);
    } else if (r->database_lack != NULL) {
        fprintf(out, "\tINCOMPLETE: there is no tasks.sqlite: %s\n", r->database_lack);
    }
    fputc('\n', out);
}

void tracer_results_text(const struct tracer_results *r, FILE *out)
{
    for (size_t i = 0; i < r->n_results; i++) {
        print_result(r, &r->results[i], out);
    }
    if (r->lines.has_failed) {
        fputs("\tWARNING: out of memory: results of tracers are incomplete\n\n", out);
    }
}

/* ---- Report as JSON -------------------------------------------------------------------------- */

static void json_top(struct json_writer *json, const struct tracer_results *r,
                     const struct tracer_result *result)
{
    const struct tracer_line *top[TOP];
    size_t n = tracer_result_top(r, result, top, TOP);
    json_array_open(json, "top");
    for (size_t i = 0; i < n; i++) {
        json_object_open(json, NULL);
        json_put_u64(json, "lp", (uint64_t)top[i]->lp);
        json_put_string(json, "where", tracer_line_where(top[i]));
        json_put_u64(json, "begun", top[i]->begun);
        json_put_u64(json, "ended", top[i]->ended);
        json_put_double(json, "value", tracer_line_value(top[i], result->spec->kind));
        json_object_close(json);
    }
    json_array_close(json);
}

static void json_steps(struct json_writer *json, const struct tracer_results *r,
                       const struct tracer_result *result)
{
    size_t n;
    struct tracer_step_sum *steps = tracer_result_steps(r, result, &n);
    json_array_open(json, "steps");
    for (size_t i = 0; steps != NULL && i < n; i++) {
        json_object_open(json, NULL);
        json_put_string(json, "step", tracer_line_second(steps[i].first));
        json_put_u64(json, "occurrences", steps[i].occurrences);
        json_put_u64(json, "tasks", steps[i].tasks);
        json_object_close(json);
    }
    json_array_close(json);
    free(steps);
}

static void json_result(struct json_writer *json, const struct tracer_results *r,
                        const struct tracer_result *result)
{
    json_object_open(json, NULL);
    json_put_string(json, "tracer", result->spec->text);
    json_put_u64(json, "seen", result->seen);
    json_put_u64(json, "places", result->domains);
    json_put_u64(json, "begun", result->begun);
    json_put_u64(json, "ended", result->ended);
    json_put_double(json, "total", result->total);
    json_put_double(json, "average",
                    result->ended > 0 ? result->total / (double)result->ended : 0.0);
    if (result->spec->kind == TRACER_BUSY) {
        json_put_double(json, "busy", result->busy);
    }
    if (result->spec->kind == TRACER_DATABASE && r->database_lack != NULL) {
        json_put_string(json, "incomplete", r->database_lack);
    } else if (result->spec->kind == TRACER_DATABASE) {
        json_put_bool(json, "incomplete", false);
    }
    json_top(json, r, result);
    if (result->spec->kind == TRACER_STEPS) {
        json_steps(json, r, result);
    }
    json_object_close(json);
}

void tracer_results_json(const struct tracer_results *r, struct json_writer *json)
{
    json_array_open(json, "tracers");
    for (size_t i = 0; i < r->n_results; i++) {
        json_result(json, r, &r->results[i]);
    }
    json_array_close(json);
}
