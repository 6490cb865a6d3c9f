/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random_kernel SEED - prints the random kernel of a seed, as PTX.
 *
 * test: libs=random_kernels
 */
#include <stdio.h>
#include <stdlib.h>

#include "support/generate/generate.h"

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: random_kernel SEED\n");
        return 2;
    }
    struct generate_kernel made = generate_kernel(strtoull(argv[1], NULL, 0));
    if (made.text == NULL) {
        return 1;
    }
    fwrite(made.text, 1, made.size, stdout);
    free(made.text);
    return fflush(stdout) != 0;
}
