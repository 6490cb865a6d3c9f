/* SPDX-License-Identifier: BSD-3-Clause */
/* state.c - the state of a run as JSON; see serve.h. */
#include "serve/serve.h"

void serve_state_json(struct json_writer *json, struct serve_run *run, const uint64_t *lp)
{
    (void)lp;
    top_json_write(json, &run->top);
}
