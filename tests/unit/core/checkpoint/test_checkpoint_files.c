/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_checkpoint_files.c - checkpoint files: written records are read back; any bytes cut off,
 * added or changed are found; directories show which checkpoints are complete.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint/format.h"
#include "checkpoint/record.h"
#include "checkpoint/writer.h"
#include "files/trust.h"
#include "support/checkpoint_reseal.h"
#include "support/suite.h"

static uint64_t seed;
static char error[4096];

/* ---- Files ----------------------------------------------------------------------------------- */

#define RECORDS_MAX 400

/* Expected contents of a file: the records of each kind, in order. */
struct book {
    struct {
        enum ckpt_kind kind;
        uint64_t gid;
        size_t size;
        unsigned char *bytes;
    } record[RECORDS_MAX];
    size_t n;
};

static void book_free(struct book *book)
{
    for (size_t i = 0; i < book->n; i++) {
        free(book->record[i].bytes);
    }
    book->n = 0;
}

/* Adds a record of random bytes, some of which compress. It begins with its length, as all records
 * do, and its number, so that no two records are equal. */
static void book_add(struct book *book, struct ckpt_image *image, enum ckpt_kind kind, size_t size,
                     uint64_t gid)
{
    unsigned char *bytes = malloc(size);
    uint64_t length = size;
    uint64_t number = book->n;
    bool dull = random_below(&seed, 2) == 0;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = dull ? (unsigned char)(i / 100) : (unsigned char)random_bits(&seed);
    }
    memcpy(bytes, &length, sizeof length);
    memcpy(bytes + sizeof length, &number, sizeof number);
    void *record = ckpt_image_add(image, kind, gid, size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(record);
    CU_ASSERT_EQUAL(memcmp(record, &length, sizeof length), 0);
    memcpy(record, bytes, size);
    book->record[book->n].kind = kind;
    book->record[book->n].gid = gid;
    book->record[book->n].size = size;
    book->record[book->n++].bytes = bytes;
}

static void fill(struct book *book, struct ckpt_image *image, size_t n, size_t size_max)
{
    book_add(book, image, CKPT_RUN, 8 * (2 + random_below(&seed, 40)), 0);
    for (size_t i = 1; i < n; i++) {
        size_t size = 8 * (2 + random_below(&seed, size_max / 8));
        book_add(book, image, i < n / 2 ? CKPT_LPS : CKPT_EVENTS, size, i);
    }
}

static void write_image(struct ckpt_image *image, const char *path)
{
    uint64_t written = 0;
    struct stat facts;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    CU_ASSERT_EQUAL(ckpt_image_write(image, fd, &written), 0);
    CU_ASSERT_PTR_NULL(image->first);
    CU_ASSERT(fstat(fd, &facts) == 0 && (uint64_t)facts.st_size == written);
    close(fd);
}

/* Reads the whole file. Its records must be records first .. last of the book, and all that are not
 * of LPs. Returns true if the file is complete. */
static bool read_back(const char *path, const struct book *book, uint64_t first, uint64_t last,
                      uint64_t *n_read)
{
    struct ckpt_file file;
    struct ckpt_view view;
    size_t next = 0;
    bool good = ckpt_file_open(&file, path, error, sizeof error);
    *n_read = 0;
    while (good) {
        good = ckpt_file_next(&file, first, last, &view);
        if (!good || view.kind == CKPT_END) {
            break;
        }
        size_t at = 0;
        size_t size;
        const void *record;
        while ((record = ckpt_view_record(&view, &at, &size)) != NULL) {
            while (book != NULL && next < book->n &&
                   (book->record[next].size != size ||
                    memcmp(book->record[next].bytes, record, size) != 0)) {
                CU_ASSERT(book->record[next].kind == CKPT_LPS && first > 0); /* skipped */
                next++;
            }
            CU_ASSERT(book == NULL || (next < book->n && book->record[next].kind == view.kind));
            next++;
            (*n_read)++;
        }
        CU_ASSERT(view.skipped || at == view.size);
    }
    ckpt_file_close(&file);
    return good;
}

static void test_round_trip(void)
{
    for (int run = 0; run < 20; run++) {
        struct book book = {.n = 0};
        struct ckpt_image image = {0};
        uint64_t n_read;
        fill(&book, &image, 2 + random_below(&seed, RECORDS_MAX - 2), 8192);
        if (run % 4 == 0) { /* longer than a block */
            book_add(&book, &image, CKPT_EVENTS, 3 * CKPT_BLOCK_BYTES, 7);
        }
        write_image(&image, "round.ckpt");
        CU_ASSERT(read_back("round.ckpt", &book, 0, UINT64_MAX, &n_read));
        CU_ASSERT_EQUAL(n_read, book.n);
        book_free(&book);
    }
}

static void test_ranges(void)
{
    struct book book = {.n = 0};
    struct ckpt_image image = {0};
    uint64_t n_all;
    uint64_t n_few;
    fill(&book, &image, RECORDS_MAX, 16384);
    write_image(&image, "ranges.ckpt");
    CU_ASSERT(read_back("ranges.ckpt", &book, 0, UINT64_MAX, &n_all));
    CU_ASSERT(read_back("ranges.ckpt", &book, 50, 60, &n_few));
    CU_ASSERT(n_few < n_all && n_few > RECORDS_MAX / 2); /* blocks were skipped */
    book_free(&book);
}

static void overwrite(const char *path, const unsigned char *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    CU_ASSERT_EQUAL(write(fd, bytes, size), (ssize_t)size);
    close(fd);
}

static size_t small_file(unsigned char *bytes, size_t room)
{
    struct book book = {.n = 0};
    struct ckpt_image image = {0};
    fill(&book, &image, 8, 120);
    write_image(&image, "small.ckpt");
    book_free(&book);
    int fd = open("small.ckpt", O_RDONLY);
    ssize_t n = read(fd, bytes, room);
    close(fd);
    CU_ASSERT(n > 200 && (size_t)n < room);
    return (size_t)n;
}

static void test_damage(void)
{
    unsigned char bytes[8192];
    uint64_t n_read;
    size_t n = small_file(bytes, sizeof bytes - 8);
    CU_ASSERT(read_back("small.ckpt", NULL, 0, UINT64_MAX, &n_read));
    unsigned accepted = 0;
    for (size_t cut = 0; cut < n; cut++) {
        overwrite("small.ckpt", bytes, cut);
        error[0] = '\0';
        accepted += read_back("small.ckpt", NULL, 0, UINT64_MAX, &n_read);
        accepted += strncmp(error, "small.ckpt", 10) != 0;
    }
    CU_ASSERT_EQUAL(accepted, 0);
    for (size_t bit = 0; bit < 8 * n; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        overwrite("small.ckpt", bytes, n);
        error[0] = '\0';
        accepted += read_back("small.ckpt", NULL, 0, UINT64_MAX, &n_read);
        accepted += strncmp(error, "small.ckpt", 10) != 0;
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    CU_ASSERT_EQUAL(accepted, 0);
    bytes[n] = 0;
    overwrite("small.ckpt", bytes, n + 1);
    CU_ASSERT(!read_back("small.ckpt", NULL, 0, UINT64_MAX, &n_read));
    overwrite("small.ckpt", bytes, n);
    CU_ASSERT(read_back("small.ckpt", NULL, 0, UINT64_MAX, &n_read));
}

/* The head has the version of Warpscope, which a refusal names; files of before it had are read. */
static void test_writer(void)
{
    const uint16_t ours[4] = {WARPSCOPE_VERSION_MAJOR, WARPSCOPE_VERSION_MINOR,
                              WARPSCOPE_VERSION_PATCH},
                   other[4] = {7, 8, 9}, none[4] = {0};
    unsigned char bytes[8192];
    uint64_t n_read;
    size_t n = small_file(bytes, sizeof bytes - 8);
    CU_ASSERT_EQUAL(memcmp(bytes + 16, ours, sizeof ours), 0);
    memcpy(bytes + 16, none, sizeof none);
    ckpt_reseal(bytes, n);
    overwrite("small.ckpt", bytes, n);
    CU_ASSERT(read_back("small.ckpt", NULL, 0, UINT64_MAX, &n_read));
    memcpy(bytes + 12, &(uint32_t){CKPT_VERSION + 1}, 4);
    memcpy(bytes + 16, other, sizeof other);
    ckpt_reseal(bytes, n);
    overwrite("small.ckpt", bytes, n);
    CU_ASSERT(!read_back("small.ckpt", NULL, 0, UINT64_MAX, &n_read));
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "Warpscope 7.8.9 wrote it"));
}

static void test_no_room(void)
{
    struct ckpt_image image = {0};
    uint64_t written = 0;
    ckpt_image_add(&image, CKPT_LPS, 0, 64);
    int fd = open("/dev/full", O_WRONLY);
    CU_ASSERT_NOT_EQUAL(ckpt_image_write(&image, fd, &written), 0);
    CU_ASSERT_PTR_NOT_NULL(image.first);
    ckpt_image_fini(&image);
    close(fd);
    CU_ASSERT(!read_back("there is no such file", NULL, 0, 1, &written));
}

/* ---- Records --------------------------------------------------------------------------------- */

/* Records of random bytes, of valid or invalid length, are refused or stay within their bounds. */
static void test_hostile_records(void)
{
    unsigned understood = 0;
    for (int run = 0; run < 200000; run++) {
        size_t size = 8 * (1 + random_below(&seed, 30));
        unsigned char *record = malloc(size); /* so that a sanitizer sees the bounds */
        struct ckpt_lp lp;
        struct ckpt_event event;
        for (size_t i = 0; i < size; i++) {
            record[i] = random_below(&seed, 3) == 0 ? (unsigned char)random_below(&seed, 70) : 0;
        }
        if (ckpt_read_lp(record, size, &lp)) {
            for (int tag = 0; tag < CKPT_PARTS; tag++) {
                const unsigned char *bytes = lp.part[tag].bytes;
                CU_ASSERT(bytes == NULL || (bytes >= record && lp.part[tag].size <= size &&
                                            bytes + lp.part[tag].size <= record + size));
                understood += bytes != NULL;
            }
        }
        if (ckpt_read_event(record, size, 24, &event)) {
            CU_ASSERT((const unsigned char *)event.payload + 24 ==
                      (const unsigned char *)event.lineage);
            CU_ASSERT((const double *)event.lineage + event.head.lineage_len - 1 ==
                      (const double *)(const void *)(record + size));
            understood++;
        }
        free(record);
    }
    CU_ASSERT(understood > 0);
}

/* ---- Folders --------------------------------------------------------------------------------- */

#define NUMBERS 12

static void make_file(uint64_t number, unsigned rank, unsigned n_ranks, const char *suffix)
{
    char folder[CKPT_PATH_MAX];
    char name[CKPT_PATH_MAX + 8];
    ckpt_folder_name(folder, "folder/of/runs", number);
    CU_ASSERT(trust_make_directory(folder, 0777, error, sizeof error));
    ckpt_file_name(name, folder, rank, n_ranks);
    strcat(name, suffix);
    overwrite(name, (const unsigned char *)"x", 1);
}

/* Checkpoints, some complete, against a plain list of the complete ones. */
static void test_folders(void)
{
    for (int run = 0; run < 50; run++) {
        bool complete[NUMBERS + 1] = {false};
        bool begun[NUMBERS + 1] = {false};
        uint64_t newest = 0;
        CU_ASSERT_EQUAL(system("rm -rf folder"), 0);
        CU_ASSERT_EQUAL(ckpt_folder_newest("folder/of/runs", false), 0);
        for (uint64_t number = 1; number <= NUMBERS; number++) {
            unsigned n_ranks = 1 + (unsigned)random_below(&seed, 11);
            unsigned n = (unsigned)random_below(&seed, n_ranks + 1);
            n = random_below(&seed, 2) == 0 ? n_ranks : n;
            begun[number] = n > 0;
            complete[number] = n == n_ranks;
            newest = complete[number] ? number : newest;
            for (unsigned rank = 0; rank < n; rank++) {
                make_file(number, rank, n_ranks, "");
                make_file(number, n_ranks - 1, n_ranks, ".tmp");
            }
        }
        CU_ASSERT_EQUAL(ckpt_folder_newest("folder/of/runs", true), newest);
        unsigned keep = 1 + (unsigned)random_below(&seed, 4);
        ckpt_folder_prune("folder/of/runs", keep);
        unsigned kept = 0;
        for (uint64_t number = NUMBERS; number > 0; number--) {
            char folder[CKPT_PATH_MAX];
            ckpt_folder_name(folder, "folder/of/runs", number);
            bool stays = begun[number] && kept < keep && (complete[number] || kept == 0);
            CU_ASSERT_EQUAL(access(folder, F_OK) == 0, stays);
            CU_ASSERT_EQUAL(ckpt_folder_ranks(folder) > 0, stays && complete[number]);
            kept += complete[number];
        }
    }
}

static void test_strangers(void)
{
    char folder[CKPT_PATH_MAX];
    CU_ASSERT_EQUAL(system("rm -rf folder; mkdir -p folder/of/runs/at-3x folder/of/runs/at-03"), 0);
    make_file(1, 0, 1, "");
    make_file(2, 0, 1, "");
    overwrite("folder/of/runs/at-1/notes", (const unsigned char *)"x", 1);
    CU_ASSERT_EQUAL(ckpt_folder_newest("folder/of/runs", false), 2);
    ckpt_folder_prune("folder/of/runs", 1);
    CU_ASSERT_EQUAL(access("folder/of/runs/at-1/notes", F_OK), 0);
    CU_ASSERT_NOT_EQUAL(access("folder/of/runs/at-1/rank-0-of-1.ckpt", F_OK), 0);
    CU_ASSERT_EQUAL(access("folder/of/runs/at-3x", F_OK), 0);
    make_file(2, 1, 2, ""); /* a file of another run: both checkpoints are incomplete */
    ckpt_folder_name(folder, "folder/of/runs", 2);
    CU_ASSERT_EQUAL(ckpt_folder_ranks(folder), 0);
    make_file(4, 0, 2, "");
    make_file(4, 5, 2, ""); /* two files of two ranks, but not of ranks 0 and 1 */
    ckpt_folder_name(folder, "folder/of/runs", 4);
    CU_ASSERT_EQUAL(ckpt_folder_ranks(folder), 0);
}

int main(void)
{
    /* in memory if possible: thousands of small files */
    bool in_memory = access("/dev/shm", W_OK) == 0;
    char scratch[64];
    snprintf(scratch, sizeof scratch, "%s/checkpoint_filesXXXXXX", in_memory ? "/dev/shm" : "/tmp");
    seed = suite_seed();
    suite_print_seed("checkpoint_files", seed);
    if (mkdtemp(scratch) == NULL || chdir(scratch) != 0) {
        return EXIT_FAILURE;
    }
    static const CU_TestInfo tests[] = {
        {"what is written is read back", test_round_trip},
        {"blocks of other LPs are passed over", test_ranges},
        {"each cut and each changed bit is found", test_damage},
        {"which version wrote a file", test_writer},
        {"a full disk is noticed", test_no_room},
        {"records of random bytes", test_hostile_records},
        {"which checkpoints are complete, which are removed", test_folders},
        {"files of others are left alone", test_strangers},
    };
    int status = suite_run("checkpoint_files", tests, sizeof tests / sizeof tests[0]);
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    return system(command) == 0 ? status : EXIT_FAILURE;
}
