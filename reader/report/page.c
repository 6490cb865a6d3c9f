/* SPDX-License-Identifier: BSD-3-Clause */
/* page.c - writes the page of a report; see report.h. */
#include "report/report.h"

#include <assert.h>
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
    static const struct {
        const char *name;
        const struct report_part *part; /* NULL for TITLE and DATA */
    } places[] = {{"@TITLE@", NULL},
                  {"@STYLE@", &report_style},
                  {"@DATA@", NULL},
                  {"@LICENCE@", &report_licence},
                  {"@LIBRARY@", &report_library},
                  {"@SCRIPT@", &report_script}};
    const char *at = report_template.text;
    bool good = true;
    for (size_t i = 0; good && i < sizeof places / sizeof places[0]; i++) {
        const struct report_part *part = places[i].part;
        const char *mark = strstr(at, places[i].name);
        assert(mark != NULL);
        good = ws_out_write(out, at, (size_t)(mark - at)) &&
               (part != NULL ? ws_out_write(out, part->text, part->size)
                : i == 0     ? title_write(out, title)
                             : data_write(out, json, size));
        at = mark + strlen(places[i].name);
    }
    return good && ws_out_write(out, at, strlen(at));
}
