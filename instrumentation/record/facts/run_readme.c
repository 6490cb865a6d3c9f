/* SPDX-License-Identifier: BSD-3-Clause */
/* run_readme.c - writes the README of a recording, see run_facts.h. */
#include <errno.h>

#include "record/facts/run_facts.h"

static void print_readme(FILE *out, const struct run_facts *facts, const struct readme_file *files,
                         size_t n_files)
{
    fprintf(out, "Recording of a simulation\n=========================\n\nFiles\n-----\n\n");
    for (size_t i = 0; i < n_files; i++) {
        fprintf(out, "%s\n    %s\n", files[i].name, files[i].text);
    }
    if (n_files == 0) {
        fprintf(out, "None yet: the run records what \"warpscope ctl DIRECTORY set\" requests.\n");
    }
    fprintf(out,
            "\nEach file holds the records of all PEs (one PE per MPI rank), its schema (names, "
            "units,\ntypes) and what follows here. Why the run ended is at the end of the "
            "files.\n\nRun\n---\n\n");
    for (size_t i = 0; i < facts->n; i++) {
        fprintf(out, "%-24s %s\n", facts->facts[i].key, facts->facts[i].value);
    }
    fprintf(out, "\n"
                 "Reading\n"
                 "-------\n"
                 "\n"
                 "warpscope info DIRECTORY               the files, and whether they are complete\n"
                 "warpscope dump FILE --format=csv       the records, one per line\n"
                 "warpscope verify FILE                  every checksum\n"
                 "warpscope rerun DIRECTORY              the command that repeats the run\n"
                 "warpscope recover DIRECTORY            after a kill: adds what was in buffers\n"
                 "warpscope export --format=ross FILE    the layouts of ROSS 8\n"
                 "\n"
                 "The layout of the files, byte by byte, is in docs/FORMAT.md of Warpscope.\n");
}

int readme_write(const char *path, const struct run_facts *facts, const struct readme_file *files,
                 size_t n_files)
{
    FILE *out = fopen(path, "wx");
    if (out == NULL) {
        return errno;
    }
    errno = 0;
    print_readme(out, facts, files, n_files);
    bool failed = ferror(out) != 0 || fflush(out) != 0;
    int why = errno != 0 ? errno : EIO;
    if (fclose(out) != 0 && !failed) {
        failed = true;
        why = errno;
    }
    return failed ? why : 0;
}
