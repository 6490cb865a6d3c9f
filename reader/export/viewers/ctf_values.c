/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf_values.c - writes model values of events in CTF; see ctf.h.
 */
#include "export/viewers/ctf.h"

#include <stdio.h>
#include <string.h>

uint32_t ctf_values_event(const struct ws_timeline *t, const struct ws_moment *m)
{
    size_t d = m->desc == NULL ? CTF_EVENTS_MAX : (size_t)(m->desc - t->evtrace->descs.descs);
    return d + CTF_EVENT_VALUES < CTF_EVENTS_MAX && m->desc->kind == FMT_PAYLOAD_EV
               ? (uint32_t)d + CTF_EVENT_VALUES
               : 0;
}

static size_t size_of(const struct fmt_payload_field *field)
{
    return (size_t)field->count * fmt_type_size(field->type);
}

size_t ctf_values_max(const struct fmt_payload_desc *desc)
{
    size_t size = 0;
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        size_t of_field = size_of(&desc->fields[f]);
        size += desc->fields[f].type == FMT_CHAR ? ctf_text_max(of_field) : of_field;
    }
    return size;
}

uint8_t *ctf_text_put(uint8_t *to, const void *text, size_t size)
{
    uint8_t *end = (uint8_t *)(size == 0 ? utf8_repair((char *)to, "-", 1)
                                         : utf8_repair((char *)to, text, size));
    *end = 0;
    return end + 1;
}

uint8_t *ctf_values_put(uint8_t *to, const struct fmt_payload_desc *desc, const uint8_t *payload)
{
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        const struct fmt_payload_field *field = &desc->fields[f];
        const uint8_t *from = payload + field->offset;
        size_t size = size_of(field);
        if (field->type == FMT_CHAR) {
            to = ctf_text_put(to, from, strnlen((const char *)from, size));
        } else {
            memcpy(to, from, size);
            to += size;
        }
    }
    return to;
}

void ctf_quoted_write(FILE *out, const char *value)
{
    fputc('"', out);
    for (const char *v = value; *v != '\0';) {
        bool control = (unsigned char)*v < 0x20 || *v == 0x7f;
        size_t n = utf8_length(v, UTF8_MAX);
        char c[UTF8_MAX];
        n = n == 0 ? 1 : n;
        fputs(*v == '"' || *v == '\\' ? "\\" : "", out);
        fwrite(c, 1, (size_t)(utf8_repair(c, control ? "?" : v, n) - c), out);
        v += n;
    }
    fputc('"', out);
}

/* Writes the type of a payload field to the metadata: `type`, or an enumeration of this type if the
 * values of the field have names. */
static void type_write(FILE *out, const struct fmt_payload_field *field, const char *type)
{
    bool any = false;
    for (uint32_t i = 0; field->names != NULL && field->names[i] != NULL; i++) {
        if (field->names[i][0] != '\0') {
            fprintf(out, "%s%s%s", any ? ", " : " enum : ", any ? "" : type, any ? "" : " { ");
            ctf_quoted_write(out, field->names[i]);
            fprintf(out, " = %u", (unsigned)i);
            any = true;
        }
    }
    fprintf(out, " %s", any ? "}" : type);
}

/* Writes the declaration of a payload field to the metadata. An underscore before the name avoids
 * keywords of TSDL; readers of the trace remove it. The unit becomes a comment. */
static void field_write(FILE *out, const struct fmt_payload_field *field)
{
    static const char *const types[] = {
        [FMT_U8] = "uint8_t",   [FMT_U16] = "uint16_t", [FMT_U32] = "uint32_t",
        [FMT_U64] = "uint64_t", [FMT_I8] = "int8_t",    [FMT_I16] = "int16_t",
        [FMT_I32] = "int32_t",  [FMT_I64] = "int64_t",  [FMT_F32] = "float",
        [FMT_F64] = "double",   [FMT_CHAR] = "string"};
    char unit[64];
    utf8_plain(unit, sizeof unit, field->unit, SIZE_MAX);
    for (char *c = unit; *c != '\0'; c++) {
        *c = *c == '*' ? '?' : *c;
    }
    type_write(out, field, types[field->type]);
    fprintf(out, " _%.200s", field->name);
    if (field->type != FMT_CHAR && field->count > 1) {
        fprintf(out, "[%u]", (unsigned)field->count);
    }
    fprintf(out, ";%s%s%s", unit[0] == '\0' ? "" : " /* ", unit, unit[0] == '\0' ? "" : " */");
}

void ctf_values_describe(FILE *out, const struct ws_timeline *t, const char *fields)
{
    const struct fmt_desc_set none = {.n = 0};
    const struct fmt_desc_set *descs = t->evtrace == NULL ? &none : &t->evtrace->descs;
    for (size_t d = 0; d < descs->n && CTF_EVENT_VALUES + d < CTF_EVENTS_MAX; d++) {
        const struct fmt_payload_desc *desc = &descs->descs[d];
        if (desc->n_fields == 0 || desc->kind != FMT_PAYLOAD_EV) {
            continue;
        }
        fprintf(out,
                "event {\n    name = \"event_begin\";\n    id = %zu;\n    stream_id = 0;\n"
                "    fields := struct { %s struct {",
                CTF_EVENT_VALUES + d, fields);
        for (uint32_t f = 0; f < desc->n_fields; f++) {
            field_write(out, &desc->fields[f]);
        }
        fputs(" } values; };\n};\n\n", out);
    }
}
