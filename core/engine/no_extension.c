/* no_extension.c - the extension of an engine without instrumentation, see probe.h. */
#include "engine/probe.h"

const struct tw_extension tw_extension = {0};
