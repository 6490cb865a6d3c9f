/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c - makes the document of a comparison; see compare.h. */
#include <assert.h>
#include <string.h>

#include "compare/compare.h"

static const char *const letters[COMPARE_SIDES_MAX] = {"A", "B", "C", "D", "E", "F"};

/* Returns the first run of a side. */
static const struct compare_run *first_of(const struct compare *c, uint32_t side)
{
    return &c->runs[c->first[side]];
}

bool compare_is_same(const struct compare_run *a, const struct compare_run *b)
{
    bool same = a->n_settings == b->n_settings;
    for (uint32_t i = COMPARE_HOSTS + 1; same && i < a->n_settings; i++) {
        same = strcmp(a->settings[i].name, b->settings[i].name) == 0 &&
               strcmp(a->settings[i].value, b->settings[i].value) == 0;
    }
    return same;
}

/* The values of a time, or of a count, of the runs of a side; of times, only those that count. */
struct values {
    double of[COMPARE_RUNS_MAX], median; /* ascending; NaN: none */
    size_t n;
};

static struct values values_of(const struct compare *c, uint32_t side, bool is_time, uint32_t i)
{
    struct values v = {.n = 0};
    for (uint32_t r = 0; r < c->n; r++) {
        const struct compare_run *run = &c->runs[r];
        double value = is_time ? run->times[i] : run->counts[i];
        if (run->side == side && !isnan(value) && (run->is_whole || !is_time)) {
            v.of[v.n++] = value;
        }
    }
    v.median = noise_median(v.of, v.n);
    return v;
}

static double count_of(const struct compare *c, uint32_t side, uint32_t i)
{
    return values_of(c, side, false, i).median;
}

/* Returns the cell of a count: whole numbers as such. */
static struct doc_cell count_cell(double v)
{
    return v < 0x1p63 && !(v > (double)(uint64_t)v) ? doc_count((uint64_t)v) : doc_real(v);
}

/* Adds a column for each side, and one for each side but A, called NAME_LETTER. */
static void side_columns(struct compare *c, struct doc_table *table, const char *name,
                         const char *before, const char *after)
{
    for (uint32_t side = 0; side < c->n_sides; side++) {
        doc_column(table, letters[side], letters[side]);
    }
    for (uint32_t side = 1; side < c->n_sides && name != NULL; side++) {
        doc_column(table, doc_text(&c->doc, "%s_%s", name, letters[side]).as.text,
                   doc_text(&c->doc, "%s%s%s", before, letters[side], after).as.text);
    }
}

/* ---- Times ----------------------------------------------------------------------------------- */

static const struct {
    const char *name, *words, *verb; /* verb NULL: no sentence */
    enum doc_kind kind;
} times[COMPARE_TIMES] = {
    {"wall_seconds", "wall clock", "took # times the wall clock of A", DOC_SECONDS},
    {"events_per_second", "committed/s", "committed # times as many events per second as A",
     DOC_REAL},
    {"processor_seconds", "processor time", "used # times the processor time of A", DOC_SECONDS},
    {"lost_seconds", "time lost", NULL, DOC_SECONDS}};

/* Says whether a time of a side differs from that of A by more than noise. */
static void time_say(struct doc *doc, uint32_t time, uint32_t side, const struct noise *noise,
                     const struct values *a, const struct values *b)
{
    static const char *const ends[] = {
        [NOISE_ONE] = ". One run each cannot tell whether this is noise; four each can.",
        [NOISE_FEW] = ". Their ranges lie apart, but so few runs cannot tell whether this is "
                      "noise; four each can.",
        [NOISE_WITHIN] = ": within noise.",
        [NOISE_MORE] = ": more than noise."};
    enum doc_kind kind = times[time].kind;
    char words[400];
    snprintf(words, sizeof words, "%s %s (# and #%s)%s%s", letters[side], times[time].verb,
             noise->verdict == NOISE_ONE ? "" : ", medians of # and # runs", ends[noise->verdict],
             noise->low > 0.0 ? " The 95 % interval is # to #." : "");
    doc_say(doc, words, doc_real(noise->ratio), doc_measure(kind, b->median),
            doc_measure(kind, a->median), doc_count(b->n), doc_count(a->n), doc_real(noise->low),
            doc_real(noise->high));
}

/* Adds the rows of a time. Says how the sides differ in processor time, and in wall clock, or in the
 * rate if they did not commit the same number of events. */
static void time_add(struct compare *c, struct doc_table *table, uint32_t time)
{
    static const char *const verdicts[] = {NULL, "one run each", "too few runs", "within noise",
                                           "more than noise"};
    const struct values a = values_of(c, 0, true, time);
    for (uint32_t side = 0; side < c->n_sides; side++) {
        const struct values b = values_of(c, side, true, time);
        double more = count_of(c, side, COMPARE_COMMITTED) - count_of(c, 0, COMPARE_COMMITTED);
        enum compare_time said = more < 0.0 || more > 0.0 ? COMPARE_RATE : COMPARE_WALL;
        enum doc_kind kind = times[time].kind;
        struct noise noise = {.verdict = NOISE_UNKNOWN};
        if (side > 0 && times[time].verb != NULL) {
            noise = noise_of(a.of, a.n, b.of, b.n);
        }
        bool is_known = noise.verdict != NOISE_UNKNOWN, has_ends = is_known && noise.low > 0.0;
        if (is_known && (time == COMPARE_PROCESSOR || time == said)) {
            time_say(&c->doc, time, side, &noise, &a, &b);
        }
        doc_row(table, doc_name(times[time].name), doc_name(side == 0 ? times[time].words : ""),
                doc_name(letters[side]), doc_count(b.n), doc_measure(kind, b.median),
                doc_if(b.n > 1, doc_measure(kind, b.of[0])),
                doc_if(b.n > 1, doc_measure(kind, b.of[b.n - (b.n > 0)])),
                doc_if(is_known, doc_real(noise.ratio)), doc_if(has_ends, doc_real(noise.low)),
                doc_if(has_ends, doc_real(noise.high)),
                doc_if(is_known, doc_name(verdicts[noise.verdict])));
    }
}

/* Says which runs are compared, and what limits the comparison. */
static void sides_say(struct compare *c)
{
    for (uint32_t side = 0; side < c->n_sides; side++) {
        uint64_t n = 0;
        for (uint32_t i = 0; i < c->n; i++) {
            n += c->runs[i].side == side;
        }
        doc_say(&c->doc, n > 1 ? "#: # and # more." : "#: #.", doc_name(letters[side]),
                doc_name(first_of(c, side)->path), doc_count(n - 1));
    }
    for (uint32_t i = 0; i < c->n; i++) {
        const struct compare_run *run = &c->runs[i];
        const char *letter = letters[run->side];
        if (!run->is_whole) {
            doc_say(&c->doc, "The times of # (#) do not count: #.", doc_name(run->path),
                    doc_name(letter), doc_name(run->covers));
        }
        if (!compare_is_same(first_of(c, run->side), run)) {
            doc_say(&c->doc, "# had other settings than the first run of #.", doc_name(run->path),
                    doc_name(letter));
        }
    }
    if (c->n_sides == 1) {
        doc_say(&c->doc, "All had the same settings: --against names the runs to compare with.");
    }
    for (uint32_t side = 1; side < c->n_sides; side++) {
        const char *program[2] = {first_of(c, 0)->settings[COMPARE_PROGRAM].value,
                                  first_of(c, side)->settings[COMPARE_PROGRAM].value};
        if (strcmp(program[0], program[1]) != 0) {
            doc_say(&c->doc, "# ran another program, #, than A, #.", doc_name(letters[side]),
                    doc_name(program[1]), doc_name(program[0]));
        }
        double committed = count_of(c, side, COMPARE_COMMITTED),
               first = count_of(c, 0, COMPARE_COMMITTED);
        if (committed < first || committed > first) {
            doc_say(&c->doc, "# committed # events, A #.", doc_name(letters[side]),
                    count_cell(committed), count_cell(first));
        }
        const char *last = NULL, *begin = NULL;
        for (uint32_t i = 0; i < c->n; i++) {
            const char *start = c->runs[i].start, **of = c->runs[i].side == 0 ? &last : &begin;
            if (c->runs[i].side == 0 || c->runs[i].side == side) {
                int order = *of == NULL ? 0 : strcmp(start, *of);
                *of = *of == NULL || (of == &last ? order > 0 : order < 0) ? start : *of;
            }
        }
        if (c->n > 2 && strcmp(last, begin) < 0) {
            doc_say(
                &c->doc,
                "A ran before #: if the machine changed meanwhile, the times say that, too. Run "
                "them in turns.",
                doc_name(letters[side]));
        }
    }
}

/* ---- Counts, settings ------------------------------------------------------------------------ */

static void counts_make(struct compare *c)
{
    struct doc_table *table = doc_table(&c->doc, "counts", "Counts", "(name)|words=");
    char words[64];
    side_columns(c, table, "ratio", "", " / A");
    for (uint32_t i = 0; i < COMPARE_COUNTS; i++) {
        struct doc_cell cells[2 + 2 * COMPARE_SIDES_MAX];
        double first = count_of(c, 0, i);
        bool any = false;
        cells[0] = doc_name(compare_counts[i]);
        cells[1] = doc_text(&c->doc, "%s", ws_words(words, sizeof words, compare_counts[i]));
        for (uint32_t side = 0; side < c->n_sides; side++) {
            double v = count_of(c, side, i);
            any |= v > 0.0 || (i == COMPARE_EFFICIENCY && !isnan(v));
            cells[2 + side] = i == COMPARE_EFFICIENCY ? doc_measure(DOC_PERCENT, v) : count_cell(v);
            if (side > 0) {
                cells[1 + c->n_sides + side] =
                    doc_if(i > COMPARE_EFFICIENCY && first > 0.0, doc_real(v / first));
            }
        }
        if (any) {
            doc_row_add(table, cells, 1 + 2 * c->n_sides);
        }
    }
}

/* Returns the value of a setting of a run; NULL if it was not given. */
static const char *setting_of(const struct compare_run *run, const char *name)
{
    const char *value = NULL;
    for (uint32_t i = 0; i < run->n_settings; i++) {
        value = strcmp(run->settings[i].name, name) == 0 ? run->settings[i].value : value;
    }
    return value;
}

static void settings_make(struct compare *c)
{
    struct doc_table *table = doc_table(&c->doc, "settings", "Settings that differ", "name=");
    side_columns(c, table, NULL, "", "");
    table->none = "none";
    for (uint32_t of = 0; of < c->n_sides; of++) {
        const struct compare_run *run = first_of(c, of);
        for (uint32_t i = 0; i < run->n_settings; i++) {
            const char *name = run->settings[i].name, *first = setting_of(first_of(c, 0), name);
            struct doc_cell cells[1 + COMPARE_SIDES_MAX] = {doc_name(name)};
            bool is_new = true, differs = false;
            for (uint32_t side = 0; side < c->n_sides; side++) {
                const char *value = setting_of(first_of(c, side), name);
                is_new &= side >= of || value == NULL; /* no row of an earlier side has it */
                differs |= value == NULL || first == NULL || strcmp(value, first) != 0;
                cells[1 + side] = doc_name(value == NULL ? "-" : value);
            }
            if (is_new && differs) {
                doc_row_add(table, cells, 1 + c->n_sides);
            }
        }
    }
}

/* ---- Findings -------------------------------------------------------------------------------- */

/* Returns the finding of a rule that more than half of the runs of a side have; NULL: none. */
static const struct ws_finding *finding_of(const struct compare *c, uint32_t side, const char *rule)
{
    const struct ws_finding *found = NULL;
    size_t runs = 0, have = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct compare_run *run = &c->runs[i];
        runs += run->side == side;
        for (size_t k = 0; run->side == side && k < run->n_findings; k++) {
            bool is_it = strcmp(run->findings[k].rule, rule) == 0;
            found = is_it && found == NULL ? &run->findings[k] : found;
            have += is_it;
        }
    }
    return 2 * have > runs ? found : NULL;
}

/* Adds the row of a rule, unless there is one, and says what is gone and what is new. */
static void finding_add(struct compare *c, struct doc_table *table, const char *rule)
{
    static const char *const words[2][2] = {{NULL, "new"}, {"gone", "same"}};
    struct doc_cell cells[2 + 2 * COMPARE_SIDES_MAX] = {doc_name(rule)};
    const struct ws_finding *first = finding_of(c, 0, rule), *latest = NULL;
    for (size_t i = 0; i < table->n_rows; i++) {
        if (strcmp(table->cells[i * table->n_columns].as.text, rule) == 0) {
            return;
        }
    }
    for (uint32_t side = 0; side < c->n_sides; side++) {
        const struct ws_finding *f = finding_of(c, side, rule);
        latest = f != NULL ? f : latest;
        cells[2 + side] = doc_if(f != NULL, doc_measure(DOC_SHARE, f == NULL ? 0.0 : f->weight));
        if (side > 0 && (f != NULL || first != NULL)) {
            cells[1 + c->n_sides + side] = doc_name(words[first != NULL][f != NULL]);
        }
        if (side > 0 && (f == NULL) != (first == NULL)) {
            doc_say(&c->doc, f == NULL ? "Gone in #: #" : "New in #: #", doc_name(letters[side]),
                    doc_name(f == NULL ? first->text : f->text));
        }
    }
    if (latest != NULL) {
        cells[1] = doc_name(latest->text);
        doc_row_add(table, cells, 1 + 2 * c->n_sides);
    }
}

/* Aligns the findings of all sides by their rules, in the order in which the sides have them. */
static void findings_make(struct compare *c)
{
    struct doc_table *table = doc_table(&c->doc, "changes", "Findings", "rule=|(text)");
    side_columns(c, table, "change", "in ", "");
    for (uint32_t side = 0; side < c->n_sides; side++) {
        for (uint32_t i = 0; i < c->n; i++) {
            for (size_t k = 0; c->runs[i].side == side && k < c->runs[i].n_findings; k++) {
                finding_add(c, table, c->runs[i].findings[k].rule);
            }
        }
    }
}

/* ---- The document ---------------------------------------------------------------------------- */

void compare_make(struct compare *c)
{
    assert(c->n > 0 && c->n_sides <= COMPARE_SIDES_MAX);
    struct doc_table *table =
        doc_table(&c->doc, "times", "Times",
                  "(time)|=|side|runs|median|least|most|ratio=/ A|low=from|high=to|(verdict)");
    sides_say(c);
    for (uint32_t time = 0; time < COMPARE_TIMES; time++) {
        time_add(c, table, time);
    }
    settings_make(c);
    counts_make(c);
    findings_make(c);
    table = doc_table(&c->doc, "runs", "Runs",
                      "side=|path=|wall_seconds=wall clock|events_per_second=events/s|"
                      "processor_seconds=processor|lost_seconds=lost|is_whole=count|(covers)");
    for (uint32_t i = 0; i < c->n; i++) {
        const struct compare_run *run = &c->runs[i];
        doc_row(table, doc_name(letters[run->side]), doc_name(run->path),
                doc_seconds(run->times[COMPARE_WALL]), doc_real(run->times[COMPARE_RATE]),
                doc_seconds(run->times[COMPARE_PROCESSOR]), doc_seconds(run->times[COMPARE_LOST]),
                doc_bool(run->is_whole), doc_name(run->covers));
    }
}

bool compare_json(struct json_writer *json, const char *key, const struct compare *c)
{
    key == NULL ? ws_document_open(json) : json_object_open(json, key);
    doc_findings_json(json, &c->doc);
    bool good = doc_json(json, &c->doc);
    json_object_close(json);
    return good;
}
