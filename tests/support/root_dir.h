/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * root_dir.h - a directory for the output of the tests of a program, removed at the end.
 */
#ifndef WARPSCOPE_TESTS_ROOT_DIR_H
#define WARPSCOPE_TESTS_ROOT_DIR_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/suite.h"

static char root[] = "test_root_XXXXXX";

/* Runs the tests with the directory. Returns the exit status of the program. */
static inline int root_suite_run(const char *name, const CU_TestInfo *tests, size_t n_tests)
{
    char command[100];
    if (mkdtemp(root) == NULL) {
        perror(root);
        return EXIT_FAILURE;
    }
    int status = suite_run(name, tests, n_tests);
    snprintf(command, sizeof(command), "rm -r %s", root);
    if (system(command) != 0) {
        printf("%s is left behind\n", root);
    }
    return status;
}

/* Runs the tests within the directory, for tests that use fixed file names: earlier or simultaneous
 * runs do not interfere. */
static inline int root_suite_run_inside(const char *name, const CU_TestInfo *tests, size_t n_tests)
{
    char command[100];
    if (mkdtemp(root) == NULL || chdir(root) != 0) {
        perror(root);
        return EXIT_FAILURE;
    }
    int status = suite_run(name, tests, n_tests);
    snprintf(command, sizeof(command), "cd .. && rm -r %s", root);
    if (system(command) != 0) {
        printf("%s is left behind\n", root);
    }
    return status;
}

/* root_suite_run() within MPI. */
static inline int root_mpi_run(const char *name, const CU_TestInfo *tests, size_t n_tests)
{
    MPI_Init(NULL, NULL);
    int status = root_suite_run(name, tests, n_tests);
    MPI_Finalize();
    return status;
}

#endif
