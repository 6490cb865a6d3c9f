/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fake_control.h - what requests to a running simulation need of an engine, without one: there are no
 * requests. Part of fake_engine.h.
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

enum tw_status control_read_options(int n, char **words, struct options *before, char *error,
                                    size_t error_size)
{
    (void)n;
    (void)words;
    (void)before;
    (void)error;
    (void)error_size;
    abort();
}

void control_forget_option(const char *name)
{
    (void)name;
}

void control_forget_options(const struct options *before)
{
    (void)before;
}

void control_return_to_gvt(tw_pe *pe)
{
    (void)pe;
}

double control_settled_time(const tw_pe *pe)
{
    return pe->GVT;
}

bool control_stop(void)
{
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
