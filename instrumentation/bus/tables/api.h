/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * api.h - the table of functions that is passed to subscriber libraries.
 */
#ifndef WARPSCOPE_BUS_TABLES_API_H
#define WARPSCOPE_BUS_TABLES_API_H

#include "st_bus.h"

/* Initialisers of those members of st_api that are the same in simulations and in other
 * programs. */
#define ST_API_FUNCTIONS                                                                           \
    .size = sizeof(st_api), .result_text = st_result_text, .string = st_string,                    \
    .string_text = st_string_text, .stream_open = st_stream_open, .stream_close = st_stream_close, \
    .stream_find = st_stream_find, .stream_name = st_stream_name, .point_make = st_point_make,     \
    .point_by_id = st_point_by_id, .point_set = st_point_set, .point_get = st_point_get,           \
    .type_register = st_type_register, .type_name = st_type_name, .subscribe = st_subscribe,       \
    .unsubscribe = st_unsubscribe, .notify = st_notify, .enabled = st_enabled,                     \
    .trace_enabled = st_trace_enabled, .point_each = st_point_each, .settle = st_settle,           \
    .notify_instance = st_notify_instance, .stream_open_version = st_stream_open_version,          \
    .stream_version = st_stream_version, .point_make_at = st_point_make_at,                        \
    .point_address = st_point_address, .point_describe = st_point_describe,                        \
    .point_attach = st_point_attach, .point_attached = st_point_attached,                          \
    .kind_register = st_kind_register, .activity_register = st_activity_register,                  \
    .kind_name = st_kind_name, .activity_name = st_activity_name

#endif
