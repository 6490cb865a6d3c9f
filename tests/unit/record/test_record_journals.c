/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Journals of killed runs with random damage: they do no harm.
 *
 * test: alone=yes
 */
#include "support/killed_run.h"

static uint8_t *read_whole(const char *path, size_t *size)
{
    struct stat st;
    FILE *in = fopen(path, "rb");
    CU_ASSERT_FATAL(in != NULL && fstat(fileno(in), &st) == 0);
    *size = (size_t)st.st_size;
    uint8_t *bytes = malloc(*size + 1);
    CU_ASSERT_EQUAL(fread(bytes, 1, *size, in), *size);
    fclose(in);
    return bytes;
}

static void write_whole(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");
    CU_ASSERT_FATAL(out != NULL);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, size, out), size);
    fclose(out);
}

/* Draws a number that is often at a limit. */
static uint64_t odd_number(uint64_t *random)
{
    static const uint64_t odd[] = {0, 1, 7, 8, 63, 64, 4096, UINT32_MAX, UINT64_MAX, INT64_MAX};
    uint64_t n = random_below(random, 12);
    return n < 10 ? odd[n] : random_bits(random) >> random_below(random, 64);
}

/* Changes a number in the head or in a checkpoint, with a valid checksum, or one of a segment. */
static void change_number(uint8_t *journal, size_t size, uint64_t *random)
{
    struct fmt_journal_head head;
    struct fmt_checkpoint c;
    uint64_t value = odd_number(random);
    memcpy(&head, journal, sizeof(head));
    switch (random_below(random, 3)) {
    case 0:
        memcpy((uint8_t *)&head + 8 * (1 + random_below(random, 6)), &value, 8);
        fmt_journal_begin(journal, head); /* restores what is possible, corrects the checksum */
        break;
    case 1:
        memcpy(&c, journal + FMT_JOURNAL_CHECKPOINT, sizeof(c));
        memcpy((uint8_t *)&c + 8 * (1 + random_below(random, 6)), &value, 8);
        fmt_journal_checkpoint(journal, c.order, &c.at);
        break;
    default: {
        size_t n = (size - head.head_size) / head.segment_size;
        size_t at = head.head_size + random_below(random, n) * head.segment_size;
        memcpy(journal + at + 8 * random_below(random, 9), &value, 8);
    }
    }
}

static size_t damage(uint8_t *bytes, size_t size, uint64_t *random)
{
    if (random_below(random, 8) == 0) {
        return random_below(random, size + 1);
    }
    if (random_below(random, 2) == 0) {
        change_number(bytes, size, random);
        return size;
    }
    for (uint64_t n = 1 + random_below(random, 4); n > 0; n--) {
        size_t range = random_below(random, 2) == 0 ? 1100 : size;
        bytes[random_below(random, range)] ^= (uint8_t)(1 << random_below(random, 8));
    }
    return size;
}

/* For any journal: no crash, and the file is complete, or no worse than before. */
static void test_hostile_journals(void)
{
    uint64_t random = suite_seed();
    suite_print_seed("hostile journals", random);
    struct killed_run run = {.model = calloc(1, sizeof(*run.model))};
    unsigned refused = 0, accepted = 0;
    for (int i = 0; i < 20; i++) {
        size_t file_size, journal_size;
        have_one_killed(&run, &random);
        uint8_t *file_bytes = read_whole(path_file, &file_size);
        uint8_t *journal_bytes = read_whole(path_journal, &journal_size);
        uint8_t *bytes = malloc(journal_size + 1);
        for (int k = 0; k < 30; k++) {
            struct deadly_file file;
            struct fmt_recovery plan;
            memcpy(bytes, journal_bytes, journal_size);
            write_whole(path_journal, bytes, damage(bytes, journal_size, &random));
            write_whole(path_file, file_bytes, file_size);
            deadly_open(&file, 0, 0);
            enum fmt_status status = recover(&file.io, &plan);
            if (status == FMT_OK) {
                *run.model = (struct stream_model){.dropping = true};
                CU_ASSERT_NOT_EQUAL(model_compare(&file.io, run.model), UINT64_MAX);
                accepted++;
            } else {
                size_t now_size;
                uint8_t *now = read_whole(path_file, &now_size);
                CU_ASSERT(now_size == file_size && memcmp(now, file_bytes, file_size) == 0);
                free(now);
                refused++;
            }
            fmt_file_close(&file.file, NULL);
        }
        free(bytes);
        free(journal_bytes);
        free(file_bytes);
    }
    CU_ASSERT(refused > 0 && accepted > 0);
    free(run.model);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"hostile journals", test_hostile_journals},
    };
    if (!killed_runs_begin()) {
        perror("killed runs");
        return EXIT_FAILURE;
    }
    int status = suite_run("record/journals", tests, sizeof(tests) / sizeof(tests[0]));
    killed_runs_end();
    return status;
}
