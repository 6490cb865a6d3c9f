/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of files/trust: which objects of other users are used. A table of cases makes each object,
 * with its owner, in directories that are open or not. As root the test makes objects of another
 * user; the caller is root, then this user's neighbour. Without root, it tries the own objects only,
 * and counts the rest as skipped.
 */
#include <CUnit/Basic.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "files/trust.h"
#include "support/suite.h"

enum { ROOT = 0, CALLER = 54321, OTHER = 54322 };

static char top[64];

static bool is_root(void)
{
    return getuid() == 0;
}

static const char *in_top(const char *name)
{
    static char paths[4][PATH_MAX];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, PATH_MAX, "%s/%s", top, name);
    return path;
}

static void make_folder(const char *name, unsigned mode, int owner)
{
    const char *path = in_top(name);
    CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
    CU_ASSERT_EQUAL(chmod(path, mode), 0);
    if (is_root()) {
        CU_ASSERT_EQUAL(lchown(path, (uid_t)owner, (gid_t)-1), 0);
    }
}

static void make_file(const char *name, unsigned mode, int owner)
{
    const char *path = in_top(name);
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL(file);
    fputs("kept", file);
    fclose(file);
    CU_ASSERT_EQUAL(chmod(path, mode), 0);
    if (is_root()) {
        CU_ASSERT_EQUAL(lchown(path, (uid_t)owner, (gid_t)-1), 0);
    }
}

static void make_link(const char *target, const char *name, int owner)
{
    const char *path = in_top(name);
    CU_ASSERT_EQUAL(symlink(target, path), 0);
    if (is_root()) {
        CU_ASSERT_EQUAL(lchown(path, (uid_t)owner, (gid_t)-1), 0);
    }
}

/* Makes a new directory for a test, in which everybody may look. */
static void begin(void)
{
    snprintf(top, sizeof top, "/tmp/warpscope-trust-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL(mkdtemp(top));
    CU_ASSERT_EQUAL(chmod(top, 0755), 0);
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", top);
    CU_ASSERT_EQUAL(system(command), 0);
}

/* Checks that the object is used, or refused with a message that has the words. */
static void expect(enum trust_use use, const char *name, const char *words)
{
    char why[TRUST_WHY_MAX] = "", real[PATH_MAX];
    struct stat st;
    errno = 0;
    bool good = trust_check(use, name[0] == '/' ? name : in_top(name), real, &st, why, sizeof why);
    bool right = words == NULL ? good : !good && errno == EPERM && strstr(why, words) != NULL;
    CU_ASSERT(right);
    if (!right) {
        printf("%d %s: %s '%s', expected '%s'\n", (int)use, name, good ? "used" : "refused", why,
               words == NULL ? "used" : words);
    }
}

/* The directories and objects of the table. Those of the other user: o_; of root: r_; of the caller:
 * c_. The directories: sticky (1777), open (0777), shut (0755, root's), theirs (0755, the other's)
 * in each of the former. */
static void make_objects(void)
{
    static const char *const folders[] = {"sticky", "open", "shut"};
    static const unsigned modes[] = {01777, 0777, 0755};
    static const int owners[] = {OTHER, CALLER, ROOT};
    char name[128];
    make_folder("safe", 0755, CALLER);
    make_file("safe/target", 0644, CALLER);
    for (unsigned f = 0; f < 3; f++) {
        make_folder(folders[f], modes[f], ROOT);
        for (unsigned o = 0; o < 3; o++) {
            snprintf(name, sizeof name, "%s/%c_file", folders[f], "ocr"[o]);
            make_file(name, 0644, owners[o]);
            snprintf(name, sizeof name, "%s/%c_link", folders[f], "ocr"[o]);
            make_link("../safe/target", name, owners[o]);
            snprintf(name, sizeof name, "%s/%c_dangling", folders[f], "ocr"[o]);
            make_link("../safe/missing", name, owners[o]);
            snprintf(name, sizeof name, "%s/%c_away", folders[f], "ocr"[o]);
            make_link("../safe", name, owners[o]);
            snprintf(name, sizeof name, "%s/%c_folder", folders[f], "ocr"[o]);
            make_folder(name, 0755, owners[o]);
            snprintf(name, sizeof name, "%s/%c_folder/file", folders[f], "ocr"[o]);
            make_file(name, 0644, owners[o]);
            snprintf(name, sizeof name, "%s/%c_wide", folders[f], "ocr"[o]);
            make_folder(name, 0777, owners[o]);
            snprintf(name, sizeof name, "%s/%c_fifo", folders[f], "ocr"[o]);
            CU_ASSERT_EQUAL(mkfifo(in_top(name), 0644), 0);
            CU_ASSERT_EQUAL(!is_root() || lchown(in_top(name), (uid_t)owners[o], (gid_t)-1) == 0,
                            1);
        }
    }
    CU_ASSERT_EQUAL(link(in_top("safe/target"), in_top("sticky/c_hard")), 0);
    CU_ASSERT_EQUAL(link(in_top("safe/target"), in_top("shut/c_hard")), 0);
    make_file("shut/o_all", 0666, OTHER);
}

#define LINK   "is a symbolic link of user"
#define BESIDE "and every user may write beside it"
#define TO     "and every user may write to it"

static void check_own(char who)
{
    static const char *const folders[] = {"sticky", "open", "shut"};
    char name[128];
    for (unsigned f = 0; f < 3; f++) {
        static const char *const objects[] = {"file",        "link",        "away", "folder",
                                              "folder/file", "away/target", "wide", "fifo"};
        for (unsigned i = 0; i < sizeof objects / sizeof *objects; i++) {
            snprintf(name, sizeof name, "%s/%c_%s", folders[f], who, objects[i]);
            expect(TRUST_WRITE, name, NULL);
            expect(TRUST_INPUT, name, NULL);
        }
        snprintf(name, sizeof name, "%s/%c_dangling", folders[f], who);
        expect(TRUST_WRITE, name, NULL);
        snprintf(name, sizeof name, "%s/%c_file", folders[f], who);
        expect(TRUST_MADE, name, NULL);
        snprintf(name, sizeof name, "%s/%c_link", folders[f], who);
        expect(TRUST_MADE, name, "a run makes none");
        snprintf(name, sizeof name, "%s/%c_wide/new", folders[f], who);
        expect(TRUST_WRITE, name, NULL);
    }
}

static void check_others(void)
{
    for (unsigned f = 0; f < 2; f++) {
        const char *folder = f == 0 ? "sticky" : "open";
        const struct {
            const char *name, *write, *input, *made;
        } cases[] = {
            {"o_file", BESIDE, BESIDE, BESIDE},         {"o_link", LINK, LINK, "a run makes none"},
            {"o_away", LINK, LINK, "a run makes none"}, {"o_away/target", LINK, LINK, LINK},
            {"o_fifo", BESIDE, BESIDE, BESIDE},         {"o_folder", NULL, BESIDE, NULL},
            {"o_folder/file", NULL, BESIDE, NULL},      {"o_wide", NULL, BESIDE, NULL}};
        for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
            char name[128];
            snprintf(name, sizeof name, "%s/%s", folder, cases[i].name);
            expect(TRUST_WRITE, name, cases[i].write);
            expect(TRUST_INPUT, name, cases[i].input);
            expect(TRUST_MADE, name, cases[i].made);
        }
    }
    expect(TRUST_WRITE, "sticky/o_dangling", LINK);
    expect(TRUST_WRITE, "shut/o_file", NULL);
    expect(TRUST_INPUT, "shut/o_file", NULL);
    expect(TRUST_MADE, "shut/o_file", NULL);
    expect(TRUST_WRITE, "shut/o_all", NULL);
    expect(TRUST_INPUT, "shut/o_all", TO);
    expect(TRUST_WRITE, "shut/o_link", LINK);
    expect(TRUST_INPUT, "shut/o_link", NULL);
    expect(TRUST_WRITE, "shut/o_away/target", NULL);
    expect(TRUST_INPUT, "shut/o_folder/file", NULL);
    expect(TRUST_INPUT, "shut/o_wide", TO);
    expect(TRUST_WRITE, "sticky/c_hard", "has several names");
    expect(TRUST_WRITE, "shut/c_hard", NULL);
    expect(TRUST_WRITE, "/dev/null", NULL);
    expect(TRUST_INPUT, "/dev/null", NULL);
}

static void test_table(void)
{
    begin();
    make_objects();
    if (is_root()) {
        check_own('r');
        CU_ASSERT_EQUAL(seteuid(CALLER), 0);
        check_own('c');
        check_own('r');
        check_others();
        CU_ASSERT_EQUAL(seteuid(ROOT), 0);
    } else {
        check_own('c');
        printf("SKIP: partly: only root can make objects of another user\n");
    }
    end();
}

static void test_root_is_not_above_it(void)
{
    if (!is_root()) {
        return;
    }
    begin();
    make_folder("sticky", 01777, ROOT);
    make_folder("safe", 0755, ROOT);
    make_file("safe/target", 0644, ROOT);
    make_link("../safe/target", "sticky/link", OTHER);
    make_folder("sticky/folder", 0755, OTHER);
    make_link("../../safe", "sticky/folder/away", OTHER);
    make_folder("shut", 0755, OTHER);
    make_link("../safe/target", "shut/link", OTHER);
    expect(TRUST_WRITE, "sticky/link", LINK);
    expect(TRUST_INPUT, "sticky/folder", BESIDE);
    expect(TRUST_INPUT, "sticky/folder/away", LINK);
    expect(TRUST_WRITE, "sticky/folder/away/target", LINK);
    expect(TRUST_WRITE, "shut/link", LINK);
    end();
}

static void test_open(void)
{
    char why[TRUST_WHY_MAX], text[16] = "";
    struct stat st;
    begin();
    make_folder("sticky", 01777, ROOT);
    make_folder("safe", 0755, is_root() ? ROOT : (int)getuid());
    make_file("safe/target", 0644, ROOT);
    make_link("../safe/target", "sticky/mine", ROOT);
    make_link("../safe/new", "sticky/dangling", ROOT);
    if (is_root()) {
        make_link("../safe/target", "sticky/link", OTHER);
        CU_ASSERT_PTR_NULL(trust_rewrite(in_top("sticky/link"), why, sizeof why));
        CU_ASSERT_EQUAL(errno, EPERM);
        CU_ASSERT_PTR_NOT_NULL(strstr(why, LINK));
        CU_ASSERT_PTR_NOT_NULL(strstr(why, "use a directory of your own"));
        CU_ASSERT_EQUAL(stat(in_top("safe/target"), &st) == 0 ? (int)st.st_size : -1, 4);
    }
    FILE *file = trust_append(in_top("sticky/mine"), why, sizeof why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("+", file);
    fclose(file);
    file = trust_read(in_top("safe/target"), why, sizeof why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fread(text, 1, sizeof text, file), 5);
    CU_ASSERT_STRING_EQUAL(text, "kept+");
    fclose(file);
    int fd = trust_open(TRUST_WRITE, in_top("sticky/dangling"), O_WRONLY | O_CREAT, 0640, why,
                        sizeof why);
    CU_ASSERT(fd >= 0);
    close(fd);
    CU_ASSERT_EQUAL(stat(in_top("safe/new"), &st), 0);
    CU_ASSERT_EQUAL(trust_open(TRUST_WRITE, in_top("safe/none"), O_WRONLY, 0, why, sizeof why), -1);
    CU_ASSERT_EQUAL(errno, ENOENT);
    CU_ASSERT_EQUAL(trust_open(TRUST_WRITE, in_top("safe/new"), O_WRONLY | O_CREAT | O_EXCL, 0, why,
                               sizeof why),
                    -1);
    CU_ASSERT_EQUAL(errno, EEXIST);
    file = trust_rewrite(in_top("sticky/mine"), why, sizeof why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fclose(file);
    CU_ASSERT_EQUAL(stat(in_top("safe/target"), &st) == 0 ? (int)st.st_size : -1, 0);
    end();
}

/* A shell hands over /dev/fd/N: a pipe, or a file, which is written at the position reached so far. */
static void test_descriptors(void)
{
    char why[TRUST_WHY_MAX], name[64], text[16] = "";
    int ends[2];
    begin();
    CU_ASSERT_EQUAL(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    FILE *file = trust_rewrite(name, why, sizeof why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("pipe", file);
    fclose(file);
    CU_ASSERT_EQUAL(read(ends[0], text, sizeof text), 4);
    CU_ASSERT_STRING_EQUAL(text, "pipe");
    int fd = open(in_top("out"), O_RDWR | O_CREAT, 0644);
    CU_ASSERT_EQUAL(write(fd, "before,", 7), 7);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    file = trust_rewrite(name, why, sizeof why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("in,", file);
    fclose(file);
    CU_ASSERT_EQUAL(write(fd, "after", 5), 5);
    CU_ASSERT_EQUAL(pread(fd, text, sizeof text, 0), 15);
    CU_ASSERT_EQUAL(memcmp(text, "before,in,after", 15), 0);
    close(fd);
    close(ends[0]);
    close(ends[1]);
    end();
}

/* Faults of the system keep their errno values and texts. */
static void test_faults(void)
{
    char why[TRUST_WHY_MAX], real[PATH_MAX], deep[PATH_MAX + 16];
    begin();
    make_file("file", 0644, is_root() ? ROOT : (int)getuid());
    make_link("loop", "loop", ROOT);
    make_link(in_top("file"), "absolute", ROOT);
    memset(deep, 'a', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    const struct {
        const char *name;
        int error;
    } cases[] = {{"none/file", ENOENT}, {"loop", ELOOP},   {"file/", ENOTDIR},
                 {"file/x", ENOTDIR},   {"none/", EISDIR}, {"absolute/x", ENOTDIR}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        CU_ASSERT_FALSE(
            trust_check(TRUST_WRITE, in_top(cases[i].name), real, NULL, why, sizeof why));
        CU_ASSERT_EQUAL(errno, cases[i].error);
        CU_ASSERT_STRING_EQUAL(why, strerror(cases[i].error));
    }
    CU_ASSERT_FALSE(trust_check(TRUST_WRITE, "", NULL, NULL, why, sizeof why));
    CU_ASSERT_EQUAL(errno, ENOENT);
    CU_ASSERT_FALSE(trust_check(TRUST_WRITE, deep, NULL, NULL, why, sizeof why));
    CU_ASSERT_EQUAL(errno, ENAMETOOLONG);
    CU_ASSERT_FALSE(trust_check(TRUST_WRITE, deep + PATH_MAX - 1000, NULL, NULL, why, sizeof why));
    CU_ASSERT_EQUAL(errno, ENAMETOOLONG);
    CU_ASSERT(trust_check(TRUST_INPUT, in_top("absolute"), real, NULL, why, sizeof why));
    CU_ASSERT_STRING_EQUAL(real, in_top("file"));
    CU_ASSERT_FALSE(trust_check(TRUST_INPUT, in_top("none"), real, NULL, why, sizeof why));
    CU_ASSERT_EQUAL(errno, ENOENT);
    CU_ASSERT(trust_check(TRUST_WRITE, "no-such-name", real, NULL, why, sizeof why));
    CU_ASSERT_STRING_EQUAL(real, "no-such-name");
    end();
}

static void test_directories(void)
{
    char why[TRUST_WHY_MAX];
    struct stat st;
    begin();
    make_folder("sticky", 01777, ROOT);
    make_file("file", 0644, ROOT);
    CU_ASSERT(trust_make_directory(in_top("a/b//c/"), 0755, why, sizeof why));
    CU_ASSERT(trust_make_directory(in_top("a/b/c"), 0755, why, sizeof why));
    CU_ASSERT(stat(in_top("a/b/c"), &st) == 0 && S_ISDIR(st.st_mode));
    CU_ASSERT(trust_new_directory(in_top("new/"), 0755, why, sizeof why));
    CU_ASSERT_FALSE(trust_new_directory(in_top("new"), 0755, why, sizeof why));
    CU_ASSERT_EQUAL(errno, EEXIST);
    CU_ASSERT(trust_make_parents(in_top("p/q/file"), 0755, why, sizeof why));
    CU_ASSERT(stat(in_top("p/q"), &st) == 0 && stat(in_top("p/q/file"), &st) != 0);
    CU_ASSERT(trust_make_directory(in_top("sticky/own"), 0755, why, sizeof why));
    CU_ASSERT_FALSE(trust_make_directory(in_top("file"), 0755, why, sizeof why));
    CU_ASSERT_EQUAL(errno, ENOTDIR);
    CU_ASSERT_FALSE(trust_make_directory(in_top("file/below"), 0755, why, sizeof why));
    CU_ASSERT_EQUAL(errno, ENOTDIR);
    if (is_root()) {
        make_folder("safe", 0755, ROOT);
        make_folder("sticky/planted", 0777, OTHER);
        make_link("../safe", "sticky/link", OTHER);
        CU_ASSERT_FALSE(trust_make_directory(in_top("sticky/planted"), 0755, why, sizeof why));
        CU_ASSERT_EQUAL(errno, EPERM);
        CU_ASSERT_FALSE(trust_make_directory(in_top("sticky/link/sub"), 0755, why, sizeof why));
        CU_ASSERT_FALSE(
            trust_make_directory(in_top("sticky/link/sub/deep"), 0755, why, sizeof why));
        CU_ASSERT_FALSE(trust_make_parents(in_top("sticky/link/sub/deep"), 0755, why, sizeof why));
        CU_ASSERT_NOT_EQUAL(stat(in_top("safe/sub"), &st), 0);
        CU_ASSERT_EQUAL(errno, ENOENT);
    }
    end();
}

static void test_private(void)
{
    char why[TRUST_WHY_MAX] = "";
    begin();
    int me = is_root() ? ROOT : (int)getuid();
    make_file("mine", 0600, me);
    make_file("wide", 0640, me);
    make_link("mine", "link", me);
    make_file("twice", 0600, me);
    CU_ASSERT_EQUAL(link(in_top("twice"), in_top("again")), 0);
    CU_ASSERT_EQUAL(mkfifo(in_top("fifo"), 0600), 0);
    int fd = trust_open_private(in_top("mine"), O_RDWR, why, sizeof why);
    CU_ASSERT(fd >= 0);
    close(fd);
    const struct {
        const char *name, *words;
    } cases[] = {{"wide", "other users may open it (mode 0640)"},
                 {"link", "is a symbolic link"},
                 {"twice", "has several names"},
                 {"fifo", "is no regular file"},
                 {"none", "No such file"}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        CU_ASSERT_EQUAL(trust_open_private(in_top(cases[i].name), O_RDWR, why, sizeof why), -1);
        CU_ASSERT_PTR_NOT_NULL(strstr(why, cases[i].words));
    }
    CU_ASSERT_EQUAL(errno, ENOENT);
    if (is_root()) {
        make_file("theirs", 0600, OTHER);
        CU_ASSERT_EQUAL(trust_open_private(in_top("theirs"), O_RDWR, why, sizeof why), -1);
        CU_ASSERT_PTR_NOT_NULL(strstr(why, "belongs to user number 54322"));
    }
    end();
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"table", test_table},    {"root is not above it", test_root_is_not_above_it},
        {"open", test_open},      {"descriptors", test_descriptors},
        {"faults", test_faults},  {"directories", test_directories},
        {"private", test_private}};
    return suite_run("files/trust", tests, sizeof tests / sizeof tests[0]);
}
