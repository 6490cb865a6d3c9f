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

enum ctf_event ctf_event_of(const struct ws_moment *m)
{
    /* [kind of moment]: for events, rollbacks and tasks. */
    static const enum ctf_event ids[][3] = {
        [WS_MOMENT_BEGIN] = {CTF_EVENT_BEGIN, CTF_ROLLBACK_BEGIN, CTF_TASK_BEGIN},
        [WS_MOMENT_FLOW_OUT] = {CTF_SEND, CTF_SEND, CTF_CHILD_FROM},
        [WS_MOMENT_FLOW_IN] = {CTF_RECEIVE, CTF_RECEIVE, CTF_CHILD_TO},
        [WS_MOMENT_END] = {CTF_EVENT_END, CTF_ROLLBACK_END, CTF_TASK_END},
        [WS_MOMENT_COUNTER] = {CTF_COUNTER, CTF_COUNTER, CTF_COUNTER},
        [WS_MOMENT_STEP] = {CTF_TASK_STEP, CTF_TASK_STEP, CTF_TASK_STEP}};
    return ids[m->kind][(m->flags & WS_MOMENT_TASK) != 0       ? 2
                        : (m->flags & WS_MOMENT_ROLLBACK) != 0 ? 1
                                                               : 0];
}

void ctf_uuid(const struct ws_timeline *t, uint8_t *uuid)
{
    const struct fmt_superblock *sb = t->base->sb;
    uint64_t hash[2] = {0xcbf29ce484222325u, 0x84222325cbf29ce4u};
    for (uint32_t i = 0; i < sb->n_run; i++) {
        const char *texts[2] = {sb->run[i].key, sb->run[i].value};
        for (int k = 0; k < 2; k++) {
            for (const char *c = texts[k]; *c != '\0'; c++) {
                hash[0] = (hash[0] ^ (uint8_t)*c) * 0x100000001b3u;
                hash[1] = (hash[1] + (uint8_t)*c) * 0x9e3779b97f4a7c15u;
                hash[1] ^= hash[1] >> 31;
            }
        }
    }
    memcpy(uuid, hash, CTF_UUID_SIZE);
    uuid[6] = (uint8_t)((uuid[6] & 0x0f) | 0x80); /* version 8: vendor-specific UUID */
    uuid[8] = (uint8_t)((uuid[8] & 0x3f) | 0x80);
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
    ctf_quoted_write(out, value);
    fputs(";\n", out);
}

/* Writes the fields of the event `counter`: an enumeration of all counters, and the value. */
static void counters_write(FILE *out, const struct ws_timeline *t)
{
    fputs("enum : uint8_t { GVT = 0, pending_events = 1, rollbacks = 2", out);
    for (uint32_t i = WS_COUNTERS; i < t->n_counters; i++) {
        fputs(", ", out);
        ctf_quoted_write(out, t->counters[i]);
        fprintf(out, " = %u", (unsigned)i);
    }
    fputs(" } what; double value;", out);
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
    ctf_values_describe(out, t, events[CTF_EVENT_BEGIN].fields);
}
