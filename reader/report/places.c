/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.c - assigns rows to PEs and KPs, and names the rows; see report.h.
 */
#include <assert.h>
#include <inttypes.h>

#include "report/report.h"

/* Writes the PEs of a row to `to`: "3", or "0-7" for several PEs. Returns true if the row has
 * several PEs. */
static bool pe_text(char to[48], const struct ws_places *p, uint32_t row)
{
    uint32_t first = row * p->pes_per_row, last = first + p->pes_per_row - 1;
    last = last < p->n_pes ? last : p->n_pes - 1;
    if (first == last) {
        snprintf(to, 48, "%" PRIu32, first);
    } else {
        snprintf(to, 48, "%" PRIu32 "-%" PRIu32, first, last);
    }
    return first != last;
}

void report_pes_json(struct json_writer *json, const struct ws_places *p)
{
    char text[48], label[64];
    json_array_open(json, "pes");
    for (uint32_t row = 0; row < p->pe_rows; row++) {
        if (pe_text(text, p, row)) {
            snprintf(label, sizeof label, "PE %s", text);
            json_put_string(json, NULL, label);
        } else {
            json_put_u64(json, NULL, row * p->pes_per_row);
        }
    }
    json_array_close(json);
}

void report_pe_json(struct json_writer *json, const struct ws_places *p, uint32_t row)
{
    char text[48], label[64];
    bool several = row < p->pe_rows && pe_text(text, p, row);
    bool known = row < p->pe_rows;
    snprintf(label, sizeof label, "PE %s", several ? text : "");
    ws_put_object(json, NULL, "label|pe|kp",
                  doc_if(!known || several, doc_name(known ? label : "not recorded")),
                  doc_if(known, doc_count(row * p->pes_per_row)),
                  doc_if(known && !several, doc_name(NULL)));
}

void report_kp_json(struct json_writer *json, const struct ws_places *p, uint32_t row)
{
    assert(row < p->pe_rows * p->kp_rows);
    char text[48], label[160];
    uint32_t pe_row = row / p->kp_rows;
    uint64_t first = (uint64_t)(row % p->kp_rows) << p->kp_shift;
    bool several = pe_text(text, p, pe_row);
    bool is_one = p->kp_shift == 0 && !several;
    if (p->kp_shift == 0) {
        snprintf(label, sizeof label, "KP %" PRIu64 " of PE %s", first, text);
    } else {
        uint64_t last = first + ((uint64_t)1 << p->kp_shift) - 1;
        snprintf(label, sizeof label, "KP %" PRIu64 "-%" PRIu64 " of PE %s", first, last, text);
    }
    ws_put_object(json, NULL, "pe|kp|label", doc_count(pe_row * p->pes_per_row),
                  doc_if(is_one, doc_count(first)), doc_if(!is_one, doc_name(label)));
}
