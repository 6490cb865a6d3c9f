/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - a model without options of its own, which prints its manual page, see OptionsPage.cmake. */
#include "ross.h"

int main(void)
{
    char program[] = "model", form[] = "--help=roff";
    char *words[] = {program, form, NULL}, **argv = words;
    int argc = 2;
    tw_init(&argc, &argv); /* ends the program */
    return 1;
}
