/* SPDX-License-Identifier: BSD-3-Clause */
/* no_extension.c - the empty extension of an engine without instrumentation, see extension.h. */
#include "engine/probe.h"

const struct tw_extension tw_extension = {0};
