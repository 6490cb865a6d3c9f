/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - torus: packets in a torus network with flow control by credits. README.md describes the
 * model and its use.
 */
#include "common/program.h"
#include "model.h"

int main(int argc, char **argv)
{
    struct model_error error;
    g_tw_ts_end = TO_DEFAULT_END;
    tw_opt_add(to_options);
    tw_init(&argc, &argv);
    if (!to_settings_check(argc, argv, &error)) {
        return model_end("torus", error.text, MODEL_REFUSED);
    }
    if (!to_model_define(&error)) {
        return model_end("torus", error.text, MODEL_REFUSED);
    }
    if (tw_ismaster()) {
        to_report_heading(stdout, to_model());
    }
    tw_run();
    to_report_results(stdout, to_model());
    tw_end();
    return 0;
}
