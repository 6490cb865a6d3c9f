/* SPDX-License-Identifier: BSD-3-Clause */
/* changes.c - the changes of a run that were requested while it went on, for "warpscope info". */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "info/info.h"
#include "text/decimal.h"
#include "text/utf8.h"

#define DATE_MAX 32

/* Writes "2026-01-31T12:00:00Z"; "" for a date that cannot be. */
static void date_write(char out[DATE_MAX], double date)
{
    time_t seconds = date >= 0.0 && date < 1e11 ? (time_t)date : 0;
    struct tm utc;
    out[0] = '\0';
    if (gmtime_r(&seconds, &utc) != NULL) {
        strftime(out, DATE_MAX, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
}

static const char *fact_value(const struct fmt_superblock *sb, const char *key)
{
    for (uint32_t i = 0; i < sb->n_run; i++) {
        if (strcmp(sb->run[i].key, key) == 0) {
            return sb->run[i].value;
        }
    }
    return "";
}

void ws_info_options_text(FILE *out, const struct fmt_superblock *sb,
                          const struct fmt_superblock *shown)
{
    bool first = true;
    for (uint32_t i = 0; i < sb->n_run; i++) {
        const char *key = sb->run[i].key;
        if (strncmp(key, WS_OPTION_FACT, strlen(WS_OPTION_FACT)) == 0 &&
            strcmp(sb->run[i].value, fact_value(shown, key)) != 0) {
            fprintf(out, "  %-15s ", first ? "with" : "");
            utf8_plain_print(out, key);
            fputs(" ", out);
            utf8_plain_print(out, sb->run[i].value);
            fputc('\n', out);
            first = false;
        }
    }
}

void ws_info_changes_text(FILE *out, const struct ws_file *s)
{
    for (size_t i = 0; i < s->n_changes; i++) {
        const struct fmt_change *c = &s->changes[i];
        char gvt[DECIMAL_MAX], date[DATE_MAX];
        decimal_f64(gvt, c->gvt);
        date_write(date, c->date);
        fprintf(out, "  %-15s %" PRIu64 ". ", i == 0 ? "changes" : "", c->number);
        utf8_plain_print(out, c->text);
        fprintf(out, "\n%20s at GVT %s, %.6g s, %s, by ", "", gvt, c->real_time, date);
        utf8_plain_print(out, c->user);
        fputs(" on ", out);
        utf8_plain_print(out, c->host);
        fprintf(out, ", process %" PRIu32 "\n", c->pid);
    }
}

void ws_info_changes_json(struct json_writer *json, const struct ws_file *s)
{
    json_array_open(json, "changes");
    for (size_t i = 0; i < s->n_changes; i++) {
        const struct fmt_change *c = &s->changes[i];
        char date[DATE_MAX];
        date_write(date, c->date);
        json_object_open(json, NULL);
        json_put_u64(json, "number", c->number);
        json_put_string(json, "request", c->text);
        json_put_double(json, "gvt", c->gvt);
        json_put_double(json, "real_time", c->real_time);
        json_put_string(json, "date", date);
        json_put_string(json, "user", c->user);
        json_put_string(json, "host", c->host);
        json_put_u64(json, "pid", c->pid);
        json_object_close(json);
    }
    json_array_close(json);
}
