/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Points have equal ids on every rank, regardless of the points made before. Ids are functions of
 * the strings and numbers of places alone.
 *
 * test: libs=warpscope ranks=1,2,3
 */
#include <mpi.h>
#include <string.h>

#include "bus/tables/points.h"
#include "st.h"
#include "support/suite.h"

/* Returns true if every rank has equal bytes. */
static bool is_same_everywhere(const void *data, size_t size)
{
    unsigned char first[64];
    int same = 1;
    memcpy(first, data, size);
    MPI_Bcast(first, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
    same = memcmp(first, data, size) == 0;
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return same != 0;
}

static void test_ranks(void)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 40 * rank; i++) { /* strings and points get other numbers here */
        char name[64];
        snprintf(name, sizeof(name), "only on rank %d, %d", rank, i);
        CU_ASSERT_PTR_NOT_NULL(st_point_make(name, "other.c", (uint32_t)i, 0, NULL));
    }
    for (uint32_t line = 1; line < 50; line++) {
        const st_point *point = st_point_make("serve", "shop.c", line, line % 3, NULL);
        CU_ASSERT(is_same_everywhere(&point->id, sizeof(point->id)));
        CU_ASSERT(is_same_everywhere(point->id_wide, sizeof(point->id_wide)));
    }
}

/* Both forms depend on the strings only: copies at other addresses give equal ids, which also equal
 * those of earlier runs. */
static void test_texts(void)
{
    char function[] = "f", file[] = "g.c";
    const st_point *point = st_point_make(function, file, 1, 2, NULL);
    CU_ASSERT_EQUAL(point->id_wide[0], 0x25fe2dcbf184c7c2);
    CU_ASSERT_EQUAL(point->id_wide[1], 0x4cdcba6ee77c983d);
    CU_ASSERT_EQUAL(point->id, point->id_wide[0]);
    uint64_t wide[2];
    points_hash("f", "g.c", 1, 2, wide);
    CU_ASSERT_EQUAL(memcmp(wide, point->id_wide, sizeof(wide)), 0);
    struct place {
        const char *function, *file;
        uint32_t line, column;
    };
    static const struct place others[] = {
        {"g", "g.c", 1, 2}, {"f", "f.c", 1, 2}, {"f", "g.c", 2, 2}, {"f", "g.c", 1, 3},
        {"fg", ".c", 1, 2}, {"f", "", 1, 2},    {"", "g.c", 1, 2},  {"f", "g.c", 2, 1}};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        const struct place *o = &others[i];
        const st_point *other = st_point_make(o->function, o->file, o->line, o->column, NULL);
        CU_ASSERT_NOT_EQUAL(other->id, point->id);
        CU_ASSERT_NOT_EQUAL(other->id_wide[0], point->id_wide[0]);
        CU_ASSERT_NOT_EQUAL(other->id_wide[1], point->id_wide[1]);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {{"the same on all ranks", test_ranks},
                                        {"functions of the texts", test_texts}};
    MPI_Init(&argc, &argv);
    int status = suite_run("points", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
