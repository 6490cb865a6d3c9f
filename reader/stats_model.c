/*
 * stats_model.c - sums of the model's values: of each described number mean, least and largest,
 * over all LPs of a type and all their samples.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "stats.h"
#include "text.h"

#define FIELDS_MAX 4096u /* of all descriptions; more are left out */
#define ROWS_SHOWN 200u  /* of the table of values */

/* ---- Adding up --------------------------------------------------------------------------------
 */

static double as_number(struct fmt_value v)
{
    if (v.type == FMT_F32 || v.type == FMT_F64) {
        return v.as.f;
    }
    return v.type >= FMT_I8 && v.type <= FMT_I64 ? (double)v.as.i : (double)v.as.u;
}

static void field_add(struct ws_model_field *f, const uint8_t *payload)
{
    size_t size = fmt_type_size(f->field->type);
    for (uint32_t i = 0; i < f->field->count; i++) {
        double v = as_number(fmt_value_read(payload + f->field->offset + i * size, f->field->type));
        if (v == v) {
            f->min = f->n == 0 || v < f->min ? v : f->min;
            f->max = f->n == 0 || v > f->max ? v : f->max;
            f->sum += v;
            f->n++;
        }
    }
}

/* Adds the payload of record number row. */
static void record_add(struct ws_model *m, const struct fmt_columns *c, uint32_t row, uint64_t id)
{
    const struct fmt_desc_set *descs = &m->survey->descs;
    const struct fmt_payload_desc *desc = fmt_desc_set_find(descs, (uint32_t)id);
    size_t place = desc == NULL ? descs->n : (size_t)(desc - descs->descs);
    m->types[place]++;
    if (desc == NULL || c->payload_offset == NULL ||
        c->payload_offset[row + 1] - c->payload_offset[row] != desc->size) {
        return;
    }
    for (size_t i = m->first_field[place]; i < m->first_field[place + 1]; i++) {
        field_add(&m->fields[i], c->payload + c->payload_offset[row]);
    }
}

static bool part_add(struct ws_survey *survey, const struct ws_part *part, void *ctx)
{
    struct ws_model *m = ctx;
    const struct fmt_columns *c = part->columns;
    int32_t type = c->schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    int32_t kind = ws_field_find(c->schema, "kind");
    (void)survey;
    for (uint32_t row = 0; row < c->n_records; row++) {
        if (!ws_part_has(part, row)) {
            continue;
        }
        uint64_t why = kind < 0 ? 0 : fmt_columns_value(c, (uint32_t)kind, row).as.u;
        m->records++;
        m->kinds[why < 4 ? why : 0]++;
        record_add(m, c, row, type < 0 ? 0 : fmt_columns_value(c, (uint32_t)type, row).as.u);
    }
    return true;
}

/* Places for all described numbers. */
static bool fields_make(struct ws_model *m)
{
    const struct fmt_desc_set *descs = &m->survey->descs;
    m->first_field = calloc(descs->n + 2, sizeof *m->first_field);
    m->types = calloc(descs->n + 1, sizeof *m->types);
    m->fields = calloc(FIELDS_MAX, sizeof *m->fields);
    if (m->first_field == NULL || m->types == NULL || m->fields == NULL) {
        return false;
    }
    for (size_t d = 0; d < descs->n; d++) {
        const struct fmt_payload_desc *desc = &descs->descs[d];
        m->first_field[d] = m->n_fields;
        for (uint32_t i = 0; i < desc->n_fields && m->n_fields < FIELDS_MAX; i++) {
            if (desc->fields[i].type != FMT_CHAR) {
                m->fields[m->n_fields++] =
                    (struct ws_model_field){.desc = desc, .field = &desc->fields[i]};
            }
        }
    }
    m->first_field[descs->n] = m->first_field[descs->n + 1] = m->n_fields;
    return true;
}

struct ws_model *ws_model_gather(struct ws_survey *survey, const struct ws_select *select)
{
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    struct ws_model *m = calloc(1, sizeof *m);
    struct ws_stats_clocks clocks;
    if (m == NULL) {
        return NULL;
    }
    m->survey = survey;
    m->select = select;
    if (!fields_make(m)) {
        ws_model_free(m);
        return NULL;
    }
    for (uint32_t i = 0; i < survey->sb->n_schemas; i++) {
        const struct fmt_schema *schema = survey->sb->schemas[i];
        int32_t type = schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
        int32_t kind = ws_field_find(schema, "kind");
        wanted[i].payload = schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
        if (type >= 0) {
            fmt_wanted_add(&wanted[i], (uint32_t)type);
        }
        if (kind >= 0) {
            fmt_wanted_add(&wanted[i], (uint32_t)kind);
        }
    }
    ws_stats_clocks_find(&clocks, survey, select);
    ws_stats_span_find(&m->span, &clocks, survey, !select->by_time);
    ws_walk(survey, select, wanted, part_add, m);
    return m;
}

void ws_model_free(struct ws_model *m)
{
    if (m != NULL) {
        free(m->first_field);
        free(m->types);
        free(m->fields);
        free(m);
    }
}

/* ---- For people -------------------------------------------------------------------------------
 */

static void owner_print(FILE *out, const char *owner)
{
    fputs("  ", out);
    ws_plain_column(out, owner[0] != '\0' ? owner : "(not known)", 20);
}

static void types_print(FILE *out, const struct ws_model *m)
{
    const struct fmt_desc_set *descs = &m->survey->descs;
    char number[WS_COUNT_MAX];
    uint32_t shown = 0;
    fprintf(out, "\n  %-20s %-18s %8s %9s %9s %9s\n", "type of LP", "value", "numbers", "mean",
            "least", "largest");
    for (size_t d = 0; d < descs->n && shown < ROWS_SHOWN; d++) {
        if (m->types[d] == 0) {
            continue;
        }
        if (m->first_field[d] == m->first_field[d + 1]) {
            owner_print(out, descs->descs[d].owner);
            fprintf(out, " %-18s %8s\n", "(not described)", ws_count_fit(number, m->types[d], 8));
            shown++;
        }
        for (size_t i = m->first_field[d]; i < m->first_field[d + 1] && shown < ROWS_SHOWN; i++) {
            const struct ws_model_field *f = &m->fields[i];
            char mean[WS_COUNT_MAX], min[WS_COUNT_MAX], max[WS_COUNT_MAX];
            owner_print(out, descs->descs[d].owner);
            fputc(' ', out);
            ws_plain_column(out, f->field->name, 18);
            fprintf(out, " %8s %9s %9s %9s\n", ws_count_fit(number, f->n, 8),
                    ws_number_fit(mean, f->sum / (double)f->n, 9), ws_number_fit(min, f->min, 9),
                    ws_number_fit(max, f->max, 9));
            shown++;
        }
    }
    if (m->types[descs->n] > 0) {
        fprintf(out, "  %-20s %-18s %8s\n", "(no values)", "",
                ws_count_fit(number, m->types[descs->n], 8));
    }
}

void ws_model_text(FILE *out, const struct ws_model *m)
{
    static const char *const words[] = {"otherwise", "at GVT", "by wall clock", "by virtual time"};
    char number[WS_COUNT_MAX];
    if (m->records == 0) {
        ws_stats_nothing_text(out, m->select);
        return;
    }
    fputs("  samples of LPs", out);
    const char *between = ": ";
    for (int i = 0; i < 4; i++) {
        if (m->kinds[i] > 0) {
            fprintf(out, "%s%s %s", between, ws_count_text(number, m->kinds[i]), words[i]);
            between = ", ";
        }
    }
    fputc('\n', out);
    types_print(out, m);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

void ws_model_json(struct ws_json *json, const struct ws_model *m)
{
    static const char *const names[] = {"other", "gvt", "real_time", "virtual_time"};
    const struct fmt_desc_set *descs = &m->survey->descs;
    ws_json_add_u64(json, "records", m->records);
    ws_stats_span_json(json, &m->span);
    ws_json_open(json, "samples", '{');
    for (int i = 0; i < 4; i++) {
        ws_json_add_u64(json, names[i], m->kinds[i]);
    }
    ws_json_close(json, '}');
    ws_json_open(json, "types", '[');
    for (size_t d = 0; d < descs->n; d++) {
        ws_json_line(json);
        ws_json_open(json, NULL, '{');
        ws_json_add_text(json, "owner", descs->descs[d].owner);
        ws_json_add_u64(json, "records", m->types[d]);
        ws_json_open(json, "values", '{');
        for (size_t i = m->first_field[d]; i < m->first_field[d + 1]; i++) {
            const struct ws_model_field *f = &m->fields[i];
            ws_json_open(json, f->field->name, '{');
            ws_json_add_u64(json, "n", f->n);
            ws_json_add_f64(json, "mean", f->n == 0 ? NAN : f->sum / (double)f->n);
            ws_json_add_f64(json, "min", f->n == 0 ? NAN : f->min);
            ws_json_add_f64(json, "max", f->n == 0 ? NAN : f->max);
            ws_json_close(json, '}');
        }
        ws_json_close(json, '}');
        ws_json_close(json, '}');
    }
    ws_json_close(json, ']');
}
