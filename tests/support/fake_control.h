/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fake_control.h - what requests to a running simulation need of an engine, without one: there are
 * no requests. Part of fake_engine.h.
 */
#ifndef WARPSCOPE_TESTS_FAKE_CONTROL_H
#define WARPSCOPE_TESTS_FAKE_CONTROL_H

#include <stdlib.h>

#include "engine/control.h"

tw_synch g_tw_synchronization_protocol;

struct control_state control_state(const tw_pe *pe)
{
    return (struct control_state){.gvt = pe->GVT};
}

bool control_has_option(const char *name)
{
    return name[0] != '\0';
}

enum tw_status control_read_options(int n, char **words, char *error, size_t error_size)
{
    (void)n;
    (void)words;
    (void)error;
    (void)error_size;
    abort();
}

void control_forget_option(const char *name)
{
    (void)name;
}

struct control_options *control_options_copy(void)
{
    return NULL;
}

void control_options_restore(const struct control_options *copy)
{
    (void)copy;
}

void control_options_free(struct control_options *copy)
{
    (void)copy;
}

enum tw_status control_settings_check(const tw_pe *pe, char *error, size_t error_size)
{
    (void)pe;
    (void)error;
    (void)error_size;
    return TW_OK;
}

void control_settings_apply(tw_pe *pe)
{
    (void)pe;
}

void control_return_to_gvt(tw_pe *pe)
{
    (void)pe;
}

double control_settled_time(const tw_pe *pe)
{
    return pe->GVT;
}

bool control_stop(const tw_pe *pe)
{
    (void)pe;
    return true;
}

bool control_checkpoint(tw_pe *pe, double *at, char *error, size_t error_size)
{
    (void)pe;
    (void)at;
    (void)error;
    (void)error_size;
    return false;
}

#endif
