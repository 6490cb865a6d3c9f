/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - main() of benchmark programs, see measure.h. */
#include "support/measure.h"

int main(int argc, char **argv)
{
    const struct measure_program *p = &measure_program;
    int status = measure_options(p->table, p->about, argc, argv, false);
    if (status != MEASURE_GO_ON) {
        return status;
    }
    p->run();
    measure_flush();
    return 0;
}
