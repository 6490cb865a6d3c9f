/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * named_fields.h - payloads with names of values that are hard to show: lists that differ by payload
 * type, names of columns that are taken, names with odd bytes.
 */
#ifndef WARPSCOPE_TESTS_NAMED_FIELDS_H
#define WARPSCOPE_TESTS_NAMED_FIELDS_H

#include <stdint.h>

#include "format/format.h"

static const char *const named_codes[] = {"zer\xf6",
                                          "on\xff"
                                          "e",
                                          NULL};
static const char *const named_others[] = {"", "quote \" and, comma", NULL};
static const char *const named_kps[] = {"", "k1", NULL};
static const char *const named_signed[] = {"nulla", "uno", NULL};
static const char *const named_nothing[] = {"", "", NULL};

/* "other_name" is a field, "kp" a field of the records. */
static const struct fmt_payload_field named_first[] = {
    {"code", "", FMT_U8, 0, 1, FMT_IDENTITY, named_codes},
    {"other", "", FMT_U8, 1, 1, FMT_IDENTITY, named_others},
    {"other_name", "", FMT_U8, 2, 1, 0, NULL},
    {"kp", "", FMT_U16, 3, 1, 0, named_kps}};
/* The same name, other names of values, another kind of number. */
static const struct fmt_payload_field named_second[] = {
    {"code", "", FMT_I8, 0, 1, FMT_IDENTITY, named_signed}};
/* The same name, without names of values. */
static const struct fmt_payload_field named_third[] = {
    {"code", "", FMT_U8, 0, 1, FMT_IDENTITY, NULL},
    {"none", "", FMT_U8, 1, 1, FMT_IDENTITY, named_nothing}};
static const struct fmt_payload_desc named_descs[] = {{1, FMT_PAYLOAD_EV, 5, 4, "", named_first},
                                                      {2, FMT_PAYLOAD_EV, 1, 1, "", named_second},
                                                      {3, FMT_PAYLOAD_EV, 2, 2, "", named_third}};
#define NAMED_DESCS 3

/* Payloads of five records: type, size, bytes. */
static const struct {
    uint32_t type, size;
    uint8_t bytes[8];
} named_rows[] = {
    {1, 5, {0, 1, 7, 1, 0}}, {2, 1, {0xff}}, {2, 1, {1}}, {3, 2, {1, 1}}, {0, 0, {0}}};
#define NAMED_ROWS 5u

#endif
