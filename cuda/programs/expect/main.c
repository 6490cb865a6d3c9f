/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cuda_expect [--match=start|bytes] [--array=NAME] TABLE PROGRAM: prints the expected volumes,
 * transfers or matrix of a program of the corpus, as CSV. Without arguments, cuda_expect prints the
 * names of the programs.
 */
#include "programs/expect/expect.h"
#include <string.h>

static const struct ex_program *const lists[] = {ex_simple, ex_kernels, ex_language, ex_memory};

enum { LISTS = sizeof lists / sizeof lists[0] };

static int fail(const char *text)
{
    fprintf(stderr,
            "usage: cuda_expect [--match=start|bytes] [--array=NAME] volumes|transfers|matrix "
            "PROGRAM: %s\n",
            text);
    return 2;
}

int main(int argc, char **argv)
{
    static const char *const tables[] = {"volumes", "transfers", "matrix"};
    const char *array = NULL;
    bool bytes = false;
    int i = 1, table = 0;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strncmp(argv[i], "--array=", 8) == 0) {
            array = argv[i] + 8;
        } else if (strcmp(argv[i], "--match=bytes") == 0) {
            bytes = true;
        } else if (strcmp(argv[i], "--match=start") != 0) {
            return fail(argv[i]);
        }
    }
    if (i == argc) {
        for (int l = 0; l < LISTS; l++) {
            for (const struct ex_program *p = lists[l]; p->name != NULL; p++) {
                puts(p->name);
            }
        }
        return 0;
    }
    while (table < 3 && strcmp(argv[i], tables[table]) != 0) {
        table++;
    }
    if (table == 3 || i + 2 != argc) {
        return fail("a table and a program are needed");
    }
    for (int l = 0; l < LISTS; l++) {
        for (const struct ex_program *p = lists[l]; p->name != NULL; p++) {
            if (strcmp(p->name, argv[i + 1]) == 0) {
                p->enumerate();
                ex_print(stdout, (enum ex_table)table, array, bytes);
                return 0;
            }
        }
    }
    return fail("unknown program");
}
