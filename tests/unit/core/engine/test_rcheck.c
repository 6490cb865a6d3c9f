/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_rcheck.c - --synch=6 and --synch=4 on random models. A correct reverse handler is never
 * reported. A wrong one always is, with the place of its mistake.
 *
 * A run that finds a mistake ends its process, so each run has its own.
 */
#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "engine/pe/pe.h"
#include "engine/process/run.h"
#include "support/rcheck_model.h"
#include "support/suite.h"

#define END_TIME "12"
#define SAID_MAX 8192

static uint64_t seed;

/* ---- Runs ------------------------------------------------------------------------------------ */

static void simulate(const char *synch, enum variety variety)
{
    char name[] = "rcheck";
    char option[32];
    char quiet[] = "--quiet";
    char memory[] = "--max-memory=64";
    char end[] = "--end=" END_TIME;
    char kps[] = "--nkp=4";
    snprintf(option, sizeof option, "--synch=%s", synch);
    char *args[] = {name, option, quiet, memory, end, kps, NULL};
    char **argv = args;
    int argc = 6;
    tw_init(&argc, &argv);
    g_run.failing = true; /* a finding ends this process, and not by MPI_Abort() */
    g_tw_nRNG_per_lp = STREAMS;
    tw_define_lps(LPS, sizeof(struct message));
    for (tw_lpid i = 0; i < LPS; i++) {
        tw_lp_settype(i, &types[varieties[variety][i % 4]]);
    }
    crv_add_custom_state_checkpoint(&pointing_check);
    crv_add_custom_state_checkpoint(&pointing_check); /* once suffices, twice is harmless */
    tw_run();
    tw_end();
}

/* Joins the lines of a message. */
static void join_lines(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (strncmp(from, "\n  ", 3) == 0) {
            *to++ = ' ';
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

/* Runs the model in its own process. Returns its exit status. said: its output to stderr. */
static int run(const char *synch, enum variety variety, char said[SAID_MAX])
{
    FILE *err = tmpfile();
    if (err == NULL) {
        return -1;
    }
    fflush(NULL);
    *outcome = (struct outcome){0};
    hidden = 0;
    undone = 0;
    turns = 0;
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDOUT_FILENO);
        dup2(fileno(err), STDERR_FILENO);
        simulate(synch, variety);
        fflush(NULL);
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    rewind(err);
    size_t n = fread(said, 1, SAID_MAX - 1, err);
    said[n] = '\0';
    join_lines(said);
    fclose(err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void random_model(uint64_t *random)
{
    memset(&model, 0, sizeof model);
    model.n_steps = 2 + (unsigned)random_below(random, STEPS_MAX - 2);
    bool has_branch = false;
    for (unsigned i = 0; i < model.n_steps; i++) {
        struct step *step = &model.steps[i];
        do { /* one bit is left for branches */
            step->kind = (enum step_kind)random_below(random, STEP_KINDS);
        } while (step->kind == STEP_BRANCH && has_branch);
        has_branch |= step->kind == STEP_BRANCH;
        step->word = 1 + (unsigned)random_below(random, WORDS - 1);
        step->stream = (unsigned)random_below(random, STREAMS);
    }
}

static void judge(bool right, const char *what, int status, const char *said)
{
    CU_ASSERT(right);
    if (!right) {
        printf("\n    WS_TEST_SEED=%" PRIu64
               ": mistake %d at %u, %s: exit status %d, it said:\n%s\n",
               seed, (int)model.mistake, model.at, what, status, said);
    }
}

static void test_intact(void)
{
    uint64_t random = seed;
    char said[SAID_MAX];
    for (int round = 0; round < 20; round++) {
        random_model(&random);
        enum variety variety = (enum variety)(round % 3);
        int status = run("1", variety, said);
        struct outcome wanted = *outcome;
        int checked = run("6", variety, said);
        bool same = outcome->hash == wanted.hash && outcome->commits == wanted.commits;
        judge(status == 0 && checked == 0, "intact", checked, said);
        judge(same && wanted.commits > 0, "the same results", checked, said);
        judge(outcome->checkpoints == 0, "checkpoints are cleaned", checked, said);
        checked = run("4", variety, said);
        judge(checked == 0 && outcome->commits == 0, "nothing commits", checked, said);
        judge(outcome->checkpoints == 0, "checkpoints are cleaned", checked, said);
    }
}

/* Checks that the scheduler finds the mistake at this step, and prints this text. */
static void expect(const char *synch, enum variety variety, const char *text)
{
    char said[SAID_MAX];
    int status = run(synch, variety, said);
    bool located = strstr(said, text) != NULL && strstr(said, "rcheck: error: LP ") != NULL;
    judge(status == TW_EXIT_MODEL && located, text, status, said);
}

/* Omits the undoing of one step of each kind, at any position. */
static void test_forgotten(void)
{
    static const enum step_kind kinds[] = {STEP_ADD,    STEP_XOR,  STEP_SWAP,  STEP_KEEP,
                                           STEP_BRANCH, STEP_DRAW, STEP_NORMAL};
    uint64_t random = seed + 1;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (int round = 0; round < 3; round++) {
            random_model(&random);
            model.mistake = MISTAKE_FORGET;
            model.at = (unsigned)random_below(&random, model.n_steps);
            for (unsigned i = 0; i < model.n_steps; i++) { /* no other step hides the mistake */
                model.steps[i].word = 1;
                model.steps[i].kind = STEP_OUTPUT;
            }
            for (unsigned i = 0; i < model.at; i++) {
                model.steps[i].kind = STEP_ADD;
            }
            model.steps[model.at].kind = kinds[k];
            model.steps[model.at].word = 4;
            const char *text = kinds[k] == STEP_NORMAL /* words[0] */
                                   ? "the byte at offset 0 of 48"
                                   : "the byte at offset 3"; /* words[4], from 32 on */
            expect("6", ALL_PLAIN, text);
            if (kinds[k] == STEP_ADD || kinds[k] == STEP_DRAW || kinds[k] == STEP_BRANCH) {
                expect("4", ALL_PLAIN, text);
            }
        }
    }
}

static void test_other_mistakes(void)
{
    uint64_t random = seed + 2;
    for (int round = 0; round < 4; round++) {
        random_model(&random);
        model.steps[0] = (struct step){STEP_DRAW, 2, 1};
        model.steps[1] = (struct step){STEP_ADD, 3, 0};
        model.mistake = MISTAKE_TWICE;
        model.at = 0;
        expect("6", ALL_PLAIN, "rcheck: --synch=6 has found a difference");

        random_model(&random);
        model.steps[0] = (struct step){STEP_ADD, 3, 0};
        model.steps[1] = (struct step){STEP_XOR, 3, 0};
        model.mistake = MISTAKE_ORDER;
        model.at = 0;
        expect("6", ALL_PLAIN, "state is not as before");

        random_model(&random);
        model.mistake = MISTAKE_MESSAGE;
        expect("6", ALL_PLAIN, "executed again the event did something");

        random_model(&random);
        model.mistake = MISTAKE_HIDDEN;
        model.at = 0;
        expect("6", ALL_PLAIN, "a variable that is in neither");

        random_model(&random);
        model.mistake = MISTAKE_COMMIT;
        model.at = 2;
        expect("6", ALL_PLAIN, "the commit handler");
        model.mistake = MISTAKE_POINTER;
        expect("6", PLAIN_AND_POINTING, "far word was 0");
        expect("4", PLAIN_AND_POINTING, "the model's check says");
    }
}

/* The place in the message: streams by number and draws, bytes by offset. */
static void test_places(void)
{
    memset(&model, 0, sizeof model);
    model.n_steps = 2;
    model.steps[0] = (struct step){STEP_ADD, 2, 0};
    model.steps[1] = (struct step){STEP_BRANCH, 3, 0};
    model.mistake = MISTAKE_FORGET;
    model.at = 1;
    expect("6", ALL_PLAIN,
           "the byte at offset 25 of 48 was 00 and is 01"); /* 0x100 added to words[3] */
    model.steps[1] = (struct step){STEP_NORMAL, 3, 1};
    model.mistake = MISTAKE_NONE;
    char said[SAID_MAX];
    CU_ASSERT_EQUAL(run("6", ALL_TYPES, said), 0);
}

/* The run from the original message counts, even if the message changed in between. */
static void test_message_kept(void)
{
    uint64_t random = seed + 3;
    char said[SAID_MAX];
    random_model(&random);
    model.mistake = MISTAKE_LATE;
    int status = run("1", ALL_PLAIN, said);
    uint64_t wanted = outcome->hash;
    int checked = run("6", ALL_PLAIN, said);
    judge(status == 0 && checked == 0, "of no consequence", checked, said);
    judge(outcome->hash == wanted, "the same results", checked, said);
}

/* Differences of the second run are reported once, with the bytes where that helps. */
static void expect_hidden(enum mistake mistake, enum variety variety, const char *what,
                          const char *shown)
{
    char said[SAID_MAX];
    model.mistake = mistake;
    expect("6", variety, what);
    int status = run("6", variety, said);
    bool blamed = strstr(said, "a variable that is in neither") != NULL;
    const char *bytes = shown == NULL ? said : strstr(said, shown);
    bool once = shown == NULL || (bytes != NULL && strstr(bytes + 1, shown) == NULL);
    judge(blamed && once, what, status, said);
}

static void test_second_run(void)
{
    memset(&model, 0, sizeof model);
    model.n_steps = 1;
    model.steps[0] = (struct step){STEP_ADD, 2, 0};
    model.at = WORDS - 1;
    expect_hidden(MISTAKE_HIDDEN_STATE, ALL_PLAIN, "at offset 0 of the state, then",
                  "state as it left it");
    expect_hidden(MISTAKE_HIDDEN_STATE, ALL_POINTING,
                  "the model's check says that it left another state", NULL);
    expect_hidden(MISTAKE_HIDDEN_DRAW, ALL_PLAIN, "it left a random stream elsewhere", NULL);
    expect_hidden(MISTAKE_HIDDEN_DRAW, ALL_POINTING, "it left a random stream elsewhere", NULL);
    expect_hidden(MISTAKE_HIDDEN_SENT, ALL_PLAIN, "the message of its event no. 1",
                  "message sent, ");
    model.mistake = MISTAKE_STALE;
    expect("6", ALL_PLAIN, "its message is not as before: the byte at offset 16 of");
}

/* The first check compares the messages of a limited number of sent events, later checks more. */
static void test_many_events(void)
{
    memset(&model, 0, sizeof model);
    model.n_steps = STEPS_MAX;
    for (unsigned i = 0; i < STEPS_MAX; i++) {
        model.steps[i] = (struct step){STEP_PAST_END, 2, 0};
    }
    expect_hidden(MISTAKE_HIDDEN_SENT, ALL_PLAIN, "the message of its event no. 1",
                  "message sent, ");
    model.n_steps = 7;
    expect("6", ALL_PLAIN, "error: LP 1 at time 0.5,");
}

static CU_TestInfo tests[] = {
    {"models without a mistake", test_intact}, {"what is not undone", test_forgotten},
    {"other mistakes", test_other_mistakes},   {"where", test_places},
    {"messages are kept", test_message_kept},  {"the second run", test_second_run},
    {"many events", test_many_events},
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    seed = suite_seed();
    suite_print_seed("rcheck", seed);
    outcome =
        mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = outcome == MAP_FAILED ? EXIT_FAILURE
                                       : suite_run("rcheck", tests, sizeof tests / sizeof tests[0]);
    MPI_Finalize();
    return status;
}
