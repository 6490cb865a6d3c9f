/* SPDX-License-Identifier: BSD-3-Clause */
/* page.c - writes the page of a report; see report.h. */
#include "report/report.h"

#include <stdio.h>
#include <string.h>

#include "report/page/parts.h"
#include "text/utf8.h"

#define CHUNK 4096u

bool report_page_built(void)
{
    return report_library.size > 0 && report_licence.size > 0 && report_template.size > 0;
}

size_t report_json_escape(char *to, const char *json, size_t size)
{
    char *begin = to;
    for (size_t i = 0; i < size; i++) {
        if (json[i] == '<' || json[i] == '>' || json[i] == '&') {
            to += sprintf(to, "\\u%04x", (unsigned)json[i]);
        } else {
            *to++ = json[i];
        }
    }
    return (size_t)(to - begin);
}

static bool data_write(struct ws_out *out, const char *json, size_t size)
{
    char escaped[CHUNK * REPORT_ESCAPE_MAX + 1];
    bool good = true;
    for (size_t at = 0; good && at < size; at += CHUNK) {
        size_t part = size - at < CHUNK ? size - at : CHUNK;
        good = ws_out_write(out, escaped, report_json_escape(escaped, json + at, part));
    }
    return good;
}

/* Writes the title as text of HTML. Bytes that are not UTF-8 become U+FFFD, and control characters
 * become blanks. */
static bool title_write(struct ws_out *out, const char *title)
{
    char repaired[3 * REPORT_TITLE_MAX + 1];
    const char *end = utf8_repair(repaired, title, strnlen(title, REPORT_TITLE_MAX));
    for (const char *p = repaired; p < end; p++) {
        const char *text = *p == '<'   ? "&lt;"
                           : *p == '>' ? "&gt;"
                           : *p == '&' ? "&amp;"
                           : *p == '"' ? "&quot;"
                                       : NULL;
        bool control = (unsigned char)*p < ' ' || *p == '\x7f';
        if (!(text != NULL ? ws_out_write(out, text, strlen(text))
                           : ws_out_write(out, control ? " " : p, 1))) {
            return false;
        }
    }
    return true;
}

bool report_page_write(struct ws_out *out, const char *title, const char *json, size_t size)
{
    static const struct place {
        const char *name;
        const struct report_part *part; /* NULL for TITLE and DATA */
    } places[] = {{"@TITLE@", NULL},
                  {"@STYLE@", &report_style},
                  {"@LIBRARY@", &report_library},
                  {"@LICENCE@", &report_licence},
                  {"@SCRIPT@", &report_script},
                  {"@DATA@", NULL}};
    const char *at = report_template.text, *end = at + report_template.size;
    bool good = true;
    while (good && at < end) {
        const char *mark = memchr(at, '@', (size_t)(end - at));
        const struct place *place = NULL;
        for (size_t i = 0; mark != NULL && i < sizeof places / sizeof places[0]; i++) {
            size_t length = strlen(places[i].name);
            bool same = (size_t)(end - mark) >= length && memcmp(mark, places[i].name, length) == 0;
            place = same ? &places[i] : place;
        }
        size_t text = mark == NULL ? (size_t)(end - at) : (size_t)(mark - at) + (place == NULL);
        good = ws_out_write(out, at, text);
        at += text;
        if (place == NULL || !good) {
            continue;
        }
        at += strlen(place->name);
        good = place->part != NULL ? ws_out_write(out, place->part->text, place->part->size)
               : strcmp(place->name, "@TITLE@") == 0 ? title_write(out, title)
                                                     : data_write(out, json, size);
    }
    return good;
}
