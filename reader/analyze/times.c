/* SPDX-License-Identifier: BSD-3-Clause */
/* times.c - see times.h. */
#include "analyze/times.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "access/load.h"
#include "data/histogram.h"
#include "store/array.h"

#define GROUPS_MAX     4096u
#define TIMES_LEAST    (1u << 13) /* of longer traces, blocks with about so many times are read */
#define INTERRUPTED    20.0       /* an interrupted handler took more than this times the median */
#define SLICE_NS       1000000    /* least duration of an interruption that was not marked */
#define RANK_EVENTS    30u /* least number of events of a type and kind by which PEs are compared */
#define RANK_STEPS     20.0 /* least median of their times, in steps of the clock */
#define CLOCK_LEAST_NS 5.0  /* no clock has steps of less than that, as reading it takes longer */

/* A time that was possibly an interruption. */
struct suspect {
    uint32_t group;
    double ns;
};

struct times_pass {
    struct analyze_times *times;
    int32_t time, type;     /* fields */
    double all_rows;        /* number of events of the trace */
    uint64_t rows, missing; /* number of events that were read, and of those without a time */
    double sum, n; /* of the times but those of interrupted handlers, in ns, and their number */
    /* Step of the clock: the least difference of two times that followed one another, but for
     * differences by rounding. last: the latest time. */
    double step, last;
    /* Owned; [group]: times on all PEs, and on the current one; NULL: none. */
    struct ws_histogram **all, **own;
    struct suspect *suspects; /* owned */
    size_t n_listed, room;
    uint32_t pe;
    double *pe_medians;  /* owned; [pe * n_groups + group] */
    uint32_t *pe_events; /* owned; indexed alike */
    bool no_memory;
    struct ws_load load;
};

static bool is_suspect(const struct analyze_times *t, double time)
{
    return time < -1.0 || (!t->is_marked && time >= SLICE_NS);
}

static uint32_t group_of(const struct analyze_times *t, uint32_t type, const uint8_t *payload,
                         size_t size)
{
    const struct fmt_payload_desc *desc = type == 0 ? NULL : fmt_desc_set_find(t->descs, type);
    const struct analyze_kinds *k = &t->kinds[desc == NULL ? 0 : (desc - t->descs->descs) + 1];
    if (!t->has_kinds || k->field == NULL || payload == NULL || size < k->desc->size) {
        return k->first;
    }
    const uint64_t value = fmt_value_read(payload + k->field->offset, k->field->type).as.u;
    return k->first + (value < k->n ? (uint32_t)value : 0);
}

uint64_t analyze_event_time_judge(struct analyze_times *t, int64_t time, uint32_t type,
                                  const uint8_t *payload, size_t payload_size)
{
    const double ns = fabs((double)time);
    const uint32_t group = group_of(t, type, payload, payload_size);
    const bool suspect = is_suspect(t, (double)time);
    const bool interrupted = suspect && ns > INTERRUPTED * t->medians[group];
    assert(t->is_timed);
    t->interrupted += interrupted;
    return t->is_typical                           ? (uint64_t)t->medians[group]
           : interrupted || (time < 0 && !suspect) ? (uint64_t)t->means[group]
                                                   : (uint64_t)ns;
}

double analyze_event_typical(const struct analyze_times *t, uint32_t type, const uint8_t *payload,
                             size_t payload_size)
{
    return t->medians[group_of(t, type, payload, payload_size)];
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool histogram_add(struct ws_histogram **at, double ns)
{
    if (*at == NULL && (*at = calloc(1, sizeof **at)) == NULL) {
        return false;
    }
    ws_histogram_add(*at, ns, 1);
    return true;
}

/* Ends the current PE: keeps the medians of its groups. */
static void pe_end(struct times_pass *p)
{
    for (uint32_t g = 0; g < p->times->n_groups; g++) {
        if (p->own[g] != NULL && p->own[g]->n > 0) {
            const size_t at = (size_t)p->pe * p->times->n_groups + g;
            p->pe_medians[at] = ws_histogram_quantile(p->own[g], 0.5);
            p->pe_events[at] = p->own[g]->n > UINT32_MAX ? UINT32_MAX : (uint32_t)p->own[g]->n;
            *p->own[g] = (struct ws_histogram){.n = 0};
        }
    }
}

static bool time_add(struct times_pass *p, uint32_t group, double time)
{
    const double ns = fabs(time);
    const double more = fabs(ns - p->last);
    p->step = more >= CLOCK_LEAST_NS && more < p->step ? more : p->step;
    p->last = ns;
    bool good = histogram_add(&p->all[group], ns);
    good = good && (p->own == NULL || histogram_add(&p->own[group], ns));
    if (is_suspect(p->times, time)) {
        good = good && array_reserve(&p->suspects, &p->room, p->n_listed + 1, sizeof *p->suspects);
        if (good) {
            p->suspects[p->n_listed++] = (struct suspect){group, ns};
        }
    }
    return good;
}

static void part_add(struct times_pass *p, const struct ws_part *part)
{
    const struct fmt_columns *c = part->columns;
    const bool has = p->times->has_kinds && c->payload_offset != NULL;
    double times[WS_LOAD_MAX];
    uint64_t types[WS_LOAD_MAX];
    for (uint32_t row = 0; !p->no_memory && ws_load_next(&p->load, part, &row);) {
        ws_load_f64(&p->load, p->time, times);
        ws_load_u64(&p->load, p->type, types);
        for (uint32_t i = 0; i < p->load.n; i++) {
            const uint32_t r = p->load.rows[i];
            p->missing += times[i] < 0.0 && times[i] >= -1.0;
            if (times[i] >= 0.0 || times[i] < -1.0) {
                p->no_memory |=
                    !time_add(p,
                              group_of(p->times, (uint32_t)types[i],
                                       has ? c->payload + c->payload_offset[r] : NULL,
                                       has ? c->payload_offset[r + 1] - c->payload_offset[r] : 0),
                              times[i]);
            }
        }
    }
}

/* Reads every `every`th block of events of each PE. Returns false if memory is exhausted. */
static bool blocks_read(struct times_pass *p, struct ws_file *file, const struct fmt_schema *schema,
                        const struct fmt_wanted *wanted, uint64_t every)
{
    struct fmt_error error = {0};
    struct fmt_block block;
    p->rows = p->missing = 0;
    for (p->pe = 0; p->pe < file->sb->layout.n_pes && !p->no_memory; p->pe++) {
        struct ws_walk walk;
        enum fmt_status status;
        uint64_t n = 0;
        ws_walk_init(&walk, file, p->pe);
        while (!p->no_memory && (status = ws_walk_next(&walk, &block)) != FMT_END) {
            if (status != FMT_OK || block.kind != FMT_BLOCK_DATA || block.schema != schema ||
                n++ % every != 0) {
                continue;
            }
            if (ws_file_decode(file, &block, wanted, &file->columns, &error) != FMT_OK) {
                ws_file_fault(file, &error);
                continue;
            }
            p->rows += block.n_records;
            part_add(p, &(struct ws_part){.block = &block, .columns = &file->columns, .all = true});
        }
        if (p->own != NULL) {
            pe_end(p);
        }
    }
    return !p->no_memory;
}

/* ---- Results --------------------------------------------------------------------------------- */

static void means_find(struct analyze_times *t, struct times_pass *p)
{
    for (uint32_t g = 0; g < t->n_groups; g++) {
        t->medians[g] = p->all[g] == NULL ? (double)NAN : ws_histogram_quantile(p->all[g], 0.5);
    }
    for (size_t i = 0; i < p->n_listed; i++) {
        const struct suspect *s = &p->suspects[i];
        if (s->ns > INTERRUPTED * t->medians[s->group]) {
            p->all[s->group]->sum = fmax(0.0, p->all[s->group]->sum - s->ns); /* it was rounded */
            p->all[s->group]->n--;
        }
    }
    for (uint32_t g = 0; g < t->n_groups; g++) {
        p->sum += p->all[g] == NULL ? 0.0 : p->all[g]->sum;
        p->n += p->all[g] == NULL ? 0.0 : (double)p->all[g]->n;
    }
    for (uint32_t g = 0; g < t->n_groups; g++) {
        const bool known = p->all[g] != NULL && p->all[g]->n > 0;
        t->means[g] = known ? p->all[g]->sum / (double)p->all[g]->n : p->sum / fmax(1.0, p->n);
        t->medians[g] = p->all[g] != NULL ? t->medians[g] : t->means[g];
    }
}

/* Compares the medians of each PE with those of all PEs, weighed by the time that its events take. */
static void pe_costs_find(struct analyze_times *t, struct times_pass *p, uint32_t n_pes)
{
    for (uint32_t pe = 0; pe < n_pes; pe++) {
        double cost = 0.0, weight = 0.0;
        for (uint32_t g = 0; g < t->n_groups; g++) {
            const size_t at = (size_t)pe * t->n_groups + g;
            if (p->pe_events[at] >= RANK_EVENTS && t->medians[g] > RANK_STEPS * p->step) {
                cost += p->pe_events[at] * p->pe_medians[at];
                weight += p->pe_events[at] * t->medians[g];
            }
        }
        t->pe_costs[pe] = weight > 0.0 ? cost / weight : 0.0;
    }
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

/* Returns the number of kinds that a field of events states by names of its values. */
static uint32_t kinds_of(const struct fmt_payload_field *field)
{
    uint32_t n = 0;
    const bool whole = field->count == 1 && field->type != FMT_CHAR && field->type != FMT_F32 &&
                       field->type != FMT_F64;
    while (whole && field->names != NULL && n < FMT_VALUE_NAMES_MAX && field->names[n] != NULL) {
        n++;
    }
    return n;
}

static bool groups_init(struct analyze_times *t)
{
    t->kinds = calloc(t->descs->n + 1, sizeof *t->kinds);
    if (t->kinds == NULL) {
        return false;
    }
    t->kinds[0].n = t->n_groups = 1;
    for (size_t i = 0; i < t->descs->n; i++) {
        const struct fmt_payload_desc *desc = &t->descs->descs[i];
        struct analyze_kinds *k = &t->kinds[1 + i];
        *k = (struct analyze_kinds){.desc = desc, .first = t->n_groups, .n = 1};
        for (uint32_t f = 0; f < desc->n_fields && k->field == NULL; f++) {
            const uint32_t n = kinds_of(&desc->fields[f]);
            if (n > 0 && t->n_groups + n < GROUPS_MAX) {
                k->field = &desc->fields[f];
                k->n = n;
            }
        }
        t->has_kinds |= k->field != NULL;
        t->n_groups += k->n;
    }
    t->medians = calloc(t->n_groups, sizeof *t->medians);
    t->means = calloc(t->n_groups, sizeof *t->means);
    return t->medians != NULL && t->means != NULL;
}

/* Reads times, types and kinds of events. */
static bool groups_read(struct analyze_times *t, struct times_pass *p, struct ws_file *file,
                        const struct fmt_schema *schema, bool pe_costs)
{
    const uint32_t n_pes = file->sb->layout.n_pes;
    struct fmt_wanted wanted = {.payload = false};
    if (!groups_init(t)) {
        return false;
    }
    p->all = calloc(t->n_groups, sizeof(struct ws_histogram *));
    if (pe_costs) {
        p->own = calloc(t->n_groups, sizeof(struct ws_histogram *));
        p->pe_medians = calloc((size_t)n_pes * t->n_groups, sizeof *p->pe_medians);
        p->pe_events = calloc((size_t)n_pes * t->n_groups, sizeof *p->pe_events);
        t->pe_costs = calloc(n_pes, sizeof *t->pe_costs);
    }
    if (p->all == NULL || (pe_costs && (p->own == NULL || p->pe_medians == NULL ||
                                        p->pe_events == NULL || t->pe_costs == NULL))) {
        return false;
    }
    ws_want(&wanted, p->time);
    ws_want(&wanted, p->type);
    wanted.payload = t->has_kinds;
    uint64_t n = 0;
    (void)ws_file_kind(file, schema->id, &n);
    p->all_rows = (double)n;
    const uint64_t timed = ws_fact_u64(file->sb, "option_event_times"); /* one event in so many */
    const uint64_t every = 1 + n / TIMES_LEAST / (timed > 1 ? timed : 1);
    if (blocks_read(p, file, schema, &wanted, every) && every > 1 && p->missing == p->rows) {
        blocks_read(p, file, schema, &wanted, 1); /* very few events have times */
    }
    if (!p->no_memory) {
        means_find(t, p);
    }
    if (!p->no_memory && pe_costs) {
        pe_costs_find(t, p, n_pes);
    }
    for (uint32_t g = 0; g < t->n_groups; g++) {
        free(p->all[g]);
        free(pe_costs ? p->own[g] : NULL);
    }
    return !p->no_memory;
}

bool analyze_times_find(struct analyze_times *t, struct ws_file *file,
                        const struct fmt_schema *schema, int32_t time, int32_t type, bool typical,
                        bool pe_costs)
{
    *t = (struct analyze_times){.is_typical = typical, .descs = &file->descs};
    if (time < 0 || (ws_fact(file->sb, "option_event_times") == NULL &&
                     ws_fact(file->sb, "option_event_trace") != NULL)) {
        return true;
    }
    struct times_pass p = {.times = t, .time = time, .type = type, .step = HUGE_VAL};
    t->is_marked = strstr(schema->fields[time].text, "interrupted") != NULL;
    t->least = typical ? 0 : t->is_marked ? INT64_MAX : SLICE_NS;
    const bool good = groups_read(t, &p, file, schema, pe_costs);
    t->is_timed = p.n > 0.0;
    /* Kinds hardly matter if no time that was read has to be replaced. */
    t->has_kinds &= t->is_timed && (typical || p.n_listed > 0 || p.missing > 0);
    t->is_sampled = p.n > 0.0 && p.missing > 0;
    t->is_long = p.n > 0.0 && p.sum * p.all_rows >= 1e9 * ANALYZE_TIME_LEAST * (double)p.rows;
    free(p.all);
    free(p.own);
    free(p.suspects);
    free(p.pe_medians);
    free(p.pe_events);
    return good;
}

void analyze_times_free(struct analyze_times *t)
{
    free(t->kinds);
    free(t->medians);
    free(t->means);
    free(t->pe_costs);
    *t = (struct analyze_times){.n_groups = 0};
}
