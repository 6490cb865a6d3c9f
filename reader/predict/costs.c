/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * costs.c - the costs of the engine and of the machine: defaults, files, and what a run tells.
 *
 * The defaults of the engine were measured on one machine, of two cores of 2.6 GHz; docs/tuning.md has the
 * runs.
 */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/messages.h"
#include "data/number.h"
#include "predict/predict.h"
#include "ross.config.h"
#include "text/nearest.h"

#define AT(member) offsetof(struct predict_costs, member)
static const struct cost {
    const char *name;
    size_t at;
    double value; /* default */
    const char *text;
} costs_of[] = {
    {"keep", AT(keep_ns), 13, "ns by which an event takes longer if it may be undone"},
    {"undo", AT(undo_ns), 50, "ns to undo an event"},
    {"send", AT(machine.send_ns), 100, "ns of the sender for a message"},
    {"receive", AT(machine.receive_ns), 150, "ns of the receiver for a message"},
    {"near-latency", AT(machine.near_ns), 230, "ns between two ranks of a host"},
    {"latency", AT(machine.latency_ns), 1500, "ns between two ranks of different hosts"},
    {"gap", AT(machine.gap_ns), 10, "least ns between two messages of a rank"},
    {"bytes", AT(bytes), 128, "bytes of a message"},
    {"bandwidth", AT(bandwidth), 10, "GB/s of a rank"},
    {"turn", AT(machine.turn_ns), 35, "ns for a turn of the scheduler's loop"},
    {"vote", AT(machine.vote_ns), 225, "ns for a vote for GVT, or to take the result"},
    {"cores", AT(cores), 0, "cores that all ranks share; 0: one for each rank"},
    {"ranks-per-host", AT(per_host), 0, "ranks on a host; 0: all are on one"},
    {"switch", AT(machine.switch_ns), 3000, "ns for a core to change to another rank"},
    {"slice", AT(machine.slice_ns), 1e5, "ns that a rank has a shared core for"},
    {"noise", AT(machine.noise_ns), 37000, "ns of an interruption by the system; 0: none"},
    {"noise-every", AT(machine.noise_every_ns), 2.7e6, "mean ns between two interruptions"},
    {"jitter", AT(machine.jitter), 0.1, "standard deviation of a batch's time over its mean"},
    {"vote-jitter", AT(machine.vote_jitter), 0.7,
     "standard deviation of a vote's time over its mean"},
    {"uneven", AT(machine.uneven), 0, "part by which the slowest rank is slower"},
};
#define N_COSTS (sizeof costs_of / sizeof costs_of[0])
_Static_assert(N_COSTS <= 32, "line_take() has a bit for each");

static double *cost_at(const struct predict_costs *costs, size_t i)
{
    return (double *)(void *)((char *)(uintptr_t)costs + costs_of[i].at);
}

void predict_costs_init(struct predict_costs *costs, const struct ws_evidence *e)
{
    *costs = (struct predict_costs){.is_measured = false};
    for (size_t i = 0; i < N_COSTS; i++) {
        *cost_at(costs, i) = costs_of[i].value;
    }
    (void)predict_costs_take(costs, e);
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Takes a line "name = value". set: bits of the costs that lines have set. Returns NULL, or what is wrong
 * with it. */
static const char *line_take(struct predict_costs *costs, char *line, uint32_t *set)
{
    char name[32], text[64], more;
    double value;
    line[strcspn(line, "#\n")] = '\0';
    if (line[strspn(line, " \t\r")] == '\0') {
        return NULL;
    }
    if (sscanf(line, " %31[a-z-] = %63s %c", name, text, &more) != 2 ||
        !ws_parse_f64(text, &value) || !(value >= 0.0) || value > 1e12) {
        return "is not of the form \"name = number\", with a number from 0 to 1e12";
    }
    for (size_t i = 0; i < N_COSTS; i++) {
        if (strcmp(costs_of[i].name, name) == 0) {
            if ((&costs->cores == cost_at(costs, i) || &costs->per_host == cost_at(costs, i)) &&
                value > floor(value)) {
                return "must have a whole number";
            }
            const bool again = (*set >> i & 1u) != 0;
            *set |= 1u << i;
            *cost_at(costs, i) = value;
            return again ? "sets a cost that a line before it has set" : NULL;
        }
    }
    return "names no cost; --save=- lists them";
}

bool predict_costs_read(struct predict_costs *costs, const char *path)
{
    char line[256];
    const char *wrong = NULL;
    uint32_t n = 0, set = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return ws_say(&ws_on_stderr, "--machine=%s: %s", path, strerror(errno));
    }
    while (wrong == NULL && fgets(line, sizeof line, file) != NULL) {
        n++;
        wrong = strchr(line, '\n') == NULL && feof(file) == 0
                    ? "has more than 254 characters, or a zero byte"
                    : line_take(costs, line, &set);
    }
    const int failed = ferror(file) != 0 ? errno : 0;
    fclose(file);
    if (failed != 0) {
        return ws_say(&ws_on_stderr, "--machine=%s: %s", path, strerror(failed));
    }
    if (wrong == NULL && !(costs->bandwidth > 0.0 && costs->machine.turn_ns > 0.0)) {
        wrong = "or one before it sets bandwidth or turn to 0";
    }
    costs->is_measured |= set != 0;
    return wrong == NULL || ws_say(&ws_on_stderr, "%s:%u: the line %s", path, n, wrong);
}

bool predict_costs_write(const struct predict_costs *costs, struct ws_outs *outs, const char *path)
{
    struct ws_out *out = ws_out_begin(outs, path);
    bool good =
        out != NULL &&
        ws_out_print(out, "# costs for warpscope predict --machine, by warpscope " WARPSCOPE_VERSION
                          "\n");
    for (size_t i = 0; good && i < N_COSTS; i++) {
        good = ws_out_print(out, "%s = %.6g # %s\n", costs_of[i].name, *cost_at(costs, i),
                            costs_of[i].text);
    }
    return good && ws_out_end(out);
}

void predict_costs_table(struct doc *doc, const struct predict_costs *costs)
{
    struct doc_table *table = doc_table(doc, "costs", NULL, "name|value|default|unit");
    for (size_t i = 0; i < N_COSTS; i++) {
        doc_row(table, doc_name(costs_of[i].name), doc_real(*cost_at(costs, i)),
                doc_real(costs_of[i].value), doc_name(costs_of[i].text));
    }
}

/* ---- Costs of a run -------------------------------------------------------------------------- */

#define COUNT_LEAST 1000.0 /* fewer of them do not tell what one takes */
/* A round has two reductions: two votes, and a result that is taken. */
#define ROUND_VOTES 3.0

bool predict_costs_take(struct predict_costs *costs, const struct ws_evidence *e)
{
    double undo = DBL_MAX, receive = DBL_MAX, vote = DBL_MAX;
    for (size_t i = 0; i < e->n_pes && e->ranks > 1 && e->scheduler == WS_SCHED_OPTIMISTIC; i++) {
        const struct ws_evidence_pe *pe = &e->pes[i];
        /* Interruptions by other programs only add to times: the least of all PEs counts. */
        if (pe->sum.undone >= COUNT_LEAST) {
            undo = fmin(undo, pe->phases[WS_PHASE_UNDO] / pe->sum.undone);
        }
        if (pe->sum.gvts >= COUNT_LEAST) {
            vote = fmin(vote, pe->phases[WS_PHASE_GVT] / pe->sum.gvts / ROUND_VOTES);
        }
        /* The rest is what polling takes, which is in each turn. */
        if (pe->sum.remote >= COUNT_LEAST && pe->sum.remote >= 0.05 * pe->sum.processed) {
            const double polls =
                pe->sum.processed / fmax(1.0, e->batch) * costs->machine.turn_ns / 3;
            receive = fmin(receive, (pe->phases[WS_PHASE_NETWORK] - 1e-9 * polls) / pe->sum.remote);
        }
    }
    costs->undo_ns = undo > 0.0 && undo < 1.0 ? 1e9 * undo : costs->undo_ns;
    costs->machine.vote_ns = vote > 0.0 && vote < 1.0 ? 1e9 * vote : costs->machine.vote_ns;
    /* The queue takes the other half of what a message costs its receiver. */
    costs->machine.receive_ns =
        receive > 0.0 && receive < 1.0 ? 2e9 * receive : costs->machine.receive_ns;
    const bool any = fmin(undo, fmin(vote, receive)) < 1.0;
    costs->is_measured |= any;
    return any;
}
