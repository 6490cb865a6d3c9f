/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * joined.c - main() of a program of several tests: runs the one by whose name it is started. CMake makes the list of
 * tests, TESTS, and declares the main() of each as NAME_main() (tests/CMakeLists.txt).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    (void)argc; /* all tests may be without arguments */
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash != NULL ? slash + 1 : argv[0];
#define TEST(test, ...)                                                                            \
    if (strcmp(name, #test) == 0) {                                                                \
        return test##_main(__VA_ARGS__);                                                           \
    }
    TESTS
    fprintf(stderr, "no test here is named %s\n", name);
    return EXIT_FAILURE;
}
