/* SPDX-License-Identifier: BSD-3-Clause */
/* lps.c - finds LPs by their numbers, and keeps the rates of the LP that the user follows; see
 * model.h. */
#include <math.h>
#include <string.h>

#include "store/array.h"
#include "top/model.h"

/* Maximum number of LPs. LPs with larger numbers are not listed; nor, if numbers have holes, further
 * LPs. */
#define LPS_MAX (1u << 20)

void top_chosen_add(struct top_chosen_lp *chosen, double real_time, double net)
{
    double seconds = real_time - chosen->sampled;
    if (seconds > 0) {
        unsigned keep = chosen->n < TOP_LP_STEPS ? chosen->n : TOP_LP_STEPS - 1;
        if (keep < chosen->n) {
            memmove(chosen->rates, chosen->rates + 1, keep * sizeof *chosen->rates);
        }
        chosen->rates[keep] = net > 0 ? net / seconds : 0;
        chosen->n = keep + 1;
    }
    chosen->sampled = real_time;
}

void top_model_choose_lp(struct top_model *m, uint64_t lp)
{
    m->chosen = (struct top_chosen_lp){.any = true, .lp = lp, .sampled = NAN};
}

struct top_lp *top_model_lp(struct top_model *m, uint64_t number)
{
    const uint32_t hash = index_hash(number);
    for (uint32_t at = hash, i; m->has_holes && index_next(&m->lp_index, hash, &at, &i);) {
        if (m->lps[i].number == number) {
            return &m->lps[i];
        }
    }
    uint64_t place = m->has_holes ? m->n_lps : number;
    if (place >= LPS_MAX) {
        return NULL;
    }
    if (!array_reserve_zero(&m->lps, &m->room_lps, (size_t)place + 1, sizeof *m->lps) ||
        (m->has_holes && !index_add(&m->lp_index, hash, (uint32_t)place))) {
        m->no_memory = true;
        return NULL;
    }
    m->n_lps = place >= m->n_lps ? (size_t)place + 1 : m->n_lps;
    m->lps[place].number = number;
    return &m->lps[place];
}
