/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * no_instrumentation.c - empty versions of the instrumentation functions that a model calls at
 * set-up. For models built without it: in unit tests, and to measure the cost of disabled
 * instrumentation.
 */
#include "ross.h"
#include "st.h"

st_model_types *g_st_model_types = NULL;
unsigned int g_st_model_stats = 0;
unsigned int g_st_ev_trace = 0;
unsigned int g_st_use_analysis_lps = 0;

void st_model_settype(tw_lpid local_id, st_model_types *types)
{
    (void)local_id;
    (void)types;
}

void st_model_fields(const st_model_types *types, st_payload_kind kind, const st_field *fields)
{
    (void)types;
    (void)kind;
    (void)fields;
}

void st_model_pure(const st_model_types *types)
{
    (void)types;
}

void st_lptype_name(const tw_lptype *type, const char *name)
{
    (void)type;
    (void)name;
}

int st_lp_name(tw_lpid gid, const char *name)
{
    (void)gid;
    (void)name;
    return ST_OK;
}
