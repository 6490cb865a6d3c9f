/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctf_metadata.c - describes a trace in TSDL, the language of CTF 1.8.
 *
 * The facts of the run become the environment of the trace, in which names must be identifiers. In
 * strings, a backslash precedes quotes and backslashes, '?' replaces control characters, and U+FFFD
 * bytes that are not UTF-8.
 */
#include "export/viewers/ctf.h"

#include <stdio.h>
#include <string.h>

#include "text/utf8.h"

#define UUID_FORM "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x"

static const char head[] = /* text before the environment; %s: the UUID */
    "/* CTF 1.8 */\n\n"
    "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
    "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
    "typealias integer { size = 8; align = 8; signed = true; } := int8_t;\n"
    "typealias integer { size = 16; align = 8; signed = true; } := int16_t;\n"
    "typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
    "typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
    "typealias floating_point { exp_dig = 8; mant_dig = 24; align = 8; } := float;\n"
    "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := double;\n\n"
    "trace {\n"
    "    major = 1;\n"
    "    minor = 8;\n"
    "    uuid = \"%s\";\n"
    "    byte_order = le;\n"
    "    packet.header := struct {\n"
    "        uint32_t magic;\n"
    "        uint8_t uuid[16];\n"
    "        uint32_t stream_id;\n"
    "    };\n"
    "};\n\n";

static const char rest[] = /* text after the environment; %s: description of the clock */
    "clock {\n"
    "    name = run;\n"
    "    description = \"%s\";\n"
    "    freq = 1000000000;\n"
    "    offset = 0;\n"
    "};\n\n"
    "typealias integer { size = 64; align = 8; signed = false; map = clock.run.value; }"
    " := time_t;\n\n"
    "stream {\n"
    "    id = 0;\n"
    "    packet.context := struct {\n"
    "        time_t timestamp_begin;\n"
    "        time_t timestamp_end;\n"
    "        uint64_t content_size;\n"
    "        uint64_t packet_size;\n"
    "        uint32_t pe;\n"
    "    };\n"
    "    event.header := struct {\n"
    "        uint8_t id;\n"
    "        time_t timestamp;\n"
    "    };\n"
    "};\n\n";

/* Name and fields of each event, indexed by enum ctf_event. */
static const struct {
    const char *name;
    const char *fields;
} events[] = {
    [CTF_EVENT_BEGIN] = {"event_begin",
                         "uint32_t kp; uint64_t slice; uint64_t lp; uint64_t src_lp;"
                         " double recv_ts; double send_ts; uint8_t undone; string name;"},
    [CTF_EVENT_END] = {"event_end", "uint32_t kp; uint64_t slice;"},
    [CTF_ROLLBACK_BEGIN] = {"rollback_begin",
                            "uint32_t kp; uint64_t slice; uint64_t lp; uint64_t src_lp;"
                            " double back_to; double back_from; uint64_t undone; uint8_t cause;"
                            " string name;"},
    [CTF_ROLLBACK_END] = {"rollback_end", "uint32_t kp; uint64_t slice;"},
    [CTF_SEND] = {"send", "uint32_t kp; uint64_t flow;"},
    [CTF_RECEIVE] = {"receive", "uint32_t kp; uint64_t flow;"},
    [CTF_COUNTER] = {"counter", NULL}, /* counters_write() writes the fields */
    [CTF_TASK_BEGIN] = {"task_begin",
                        "uint32_t track; uint64_t slice; int64_t lp; uint64_t number; int64_t from;"
                        " int64_t parent_lp; uint64_t parent_number; int64_t parent_from;"
                        " double start; double end; uint8_t open; string kind; string what;"
                        " string where;"},
    [CTF_TASK_END] = {"task_end", "uint32_t track; uint64_t slice;"},
    [CTF_TASK_STEP] = {"task_step", "uint32_t track; int64_t lp; uint64_t number; int64_t from;"
                                    " string what;"},
    [CTF_TASK_DETAIL] = {"task_detail", "uint32_t track; uint64_t slice; string text;"},
    [CTF_CHILD_FROM] = {"child_from", "uint32_t track; uint64_t flow;"},
    [CTF_CHILD_TO] = {"child_to", "uint32_t track; uint64_t flow;"},
};

/* Writes `text` as a string: in double quotes, and with escapes. */
static void quoted_write(FILE *out, const char *value)
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

/* Writes a fact of the run to the environment of the trace, as a string. Replaces characters of the
 * key that an identifier cannot have. */
static void fact_write(FILE *out, const char *key, const char *value)
{
    fputs("    run_", out);
    for (const char *k = key; *k != '\0'; k++) {
        bool letter = (*k >= 'a' && *k <= 'z') || (*k >= 'A' && *k <= 'Z');
        fputc(letter || (*k >= '0' && *k <= '9') ? *k : '_', out);
    }
    fputs(" = ", out);
    quoted_write(out, value);
    fputs(";\n", out);
}

/* Writes the fields of the event `counter`: an enumeration of all counters, and the value. */
static void counters_write(FILE *out, const struct ws_timeline *t)
{
    fputs("enum : uint8_t { GVT = 0, pending_events = 1, rollbacks = 2", out);
    for (uint32_t i = WS_COUNTERS; i < t->counters.n; i++) {
        fputs(", ", out);
        quoted_write(out, t->counters.names[i]);
        fprintf(out, " = %u", (unsigned)i);
    }
    fputs(" } what; double value;", out);
}

/* Writes the type of a payload field to the metadata: `type`, or an enumeration of this type if the
 * values of the field have names. */
static void type_write(FILE *out, const struct fmt_payload_field *field, const char *type)
{
    bool any = false;
    for (uint32_t i = 0; field->names != NULL && field->names[i] != NULL; i++) {
        if (field->names[i][0] != '\0') {
            fprintf(out, "%s%s%s", any ? ", " : " enum : ", any ? "" : type, any ? "" : " { ");
            quoted_write(out, field->names[i]);
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

/* Writes the description of the events with model values. fields: declarations of the fields before
 * the values. */
static void values_describe(FILE *out, const struct ws_timeline *t, const char *fields)
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

void ctf_metadata_write(FILE *out, const struct ws_timeline *t, const uint8_t *u)
{
    const struct fmt_superblock *sb = t->base->sb;
    char uuid[40];
    snprintf(uuid, sizeof uuid, UUID_FORM, u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8],
             u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
    fprintf(out, head, uuid);
    fputs("env {\n", out);
    for (uint32_t i = 0; i < sb->n_run; i++) {
        fact_write(out, sb->run[i].key, sb->run[i].value);
    }
    fputs("};\n\n", out);
    fprintf(out, rest,
            t->options.is_virtual ? "virtual time, scaled" : "wall clock since the run began");
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        fprintf(out,
                "event {\n    name = \"%s\";\n    id = %zu;\n    stream_id = 0;\n"
                "    fields := struct { ",
                events[i].name, i);
        if (i == CTF_COUNTER) {
            counters_write(out, t);
        } else {
            fputs(events[i].fields, out);
        }
        fputs(" };\n};\n\n", out);
    }
    values_describe(out, t, events[CTF_EVENT_BEGIN].fields);
}
