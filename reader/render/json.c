/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - writes JSON member by member; see json.h.
 */
#include "render/json.h"

#include <inttypes.h>
#include <string.h>

#include "render/text.h"

static void name_write(struct ws_json *json, const char *name)
{
    if (json->comma) {
        fputc(',', json->out);
    }
    json->comma = true;
    if (name != NULL) {
        ws_json_string(json->out, name, strlen(name));
        fputc(':', json->out);
    }
}

void ws_json_open(struct ws_json *json, const char *name, char bracket)
{
    name_write(json, name);
    fputc(bracket, json->out);
    json->comma = false;
}

void ws_json_close(struct ws_json *json, char bracket)
{
    fputc(bracket, json->out);
    json->comma = true;
}

void ws_json_line(struct ws_json *json)
{
    fputs(json->comma ? ",\n" : "\n", json->out);
    json->comma = false;
}

void ws_json_add_u64(struct ws_json *json, const char *name, uint64_t value)
{
    name_write(json, name);
    fprintf(json->out, "%" PRIu64, value);
}

void ws_json_add_f64(struct ws_json *json, const char *name, double value)
{
    name_write(json, name);
    ws_json_f64(json->out, value);
}

void ws_json_add_bool(struct ws_json *json, const char *name, bool value)
{
    name_write(json, name);
    fputs(value ? "true" : "false", json->out);
}

void ws_json_add_text(struct ws_json *json, const char *name, const char *value)
{
    name_write(json, name);
    if (value == NULL) {
        fputs("null", json->out);
    } else {
        ws_json_string(json->out, value, strlen(value));
    }
}
