/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signalled - a model whose LPs send signals to their own process. A token circulates in each LP.
 * The first event after --at raises the signals of --raise in order, and so do the first events
 * after its multiples, --times in all. A signal has been taken when raise() returns, so nothing
 * depends on speed. With --crash the model crashes there instead.
 * At the end each rank prints how many other events it executed after its first signals.
 */
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ross.h"

struct state {
    uint64_t events;
};

struct message {
    uint64_t raised;
};

static unsigned int n_lps = 4; /* per rank */
static double at = 10.0;
static char raises[128] = "none";
static char on[8] = "first";
static char crash[16] = "none";
static unsigned int own = 0;
static char until[128] = "";
static unsigned char *page; /* write-protected */
static unsigned int times = 1;
static unsigned int done; /* times that this rank has raised them */
static double raised_ts;  /* of the first event that raised them */
static uint64_t later;    /* other events executed afterwards */

static void send(tw_lp *lp)
{
    tw_event *event = tw_event_new(lp->gid, 0.5 + tw_rand_unif(lp->rng), lp);
    ((struct message *)tw_event_data(event))->raised = 0;
    tw_event_send(event);
}

/* Makes the page writable; the write is then repeated. */
static void mend(int number)
{
    (void)number;
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void go_deep(volatile unsigned char *caller)
{
    volatile unsigned char room[1024];
    room[0] = caller[0];
    if (room[0] == 0) { /* always */
        go_deep(room);
    }
    caller[0] = room[0]; /* no tail call */
}

static void do_crash(void)
{
    unsigned char nothing = 0;
    if (strcmp(crash, "access") == 0) {
        ((volatile unsigned char *)page)[8] = 1;
    } else if (strcmp(crash, "stack") == 0) {
        go_deep(&nothing);
    } else if (strcmp(crash, "abort") == 0) {
        abort();
    }
}

static void init(void *state, tw_lp *lp)
{
    (void)state;
    if (strcmp(crash, "init") == 0) {
        abort();
    }
    send(lp);
}

static bool is_raiser(const tw_lp *lp)
{
    tw_peid last = tw_nnodes() - 1;
    return lp->id == 0 &&
           (strcmp(on, "all") == 0 || g_tw_mynode == (strcmp(on, "last") == 0 ? last : 0));
}

/* "15,+6,15": SIGTERM, 6 seconds, SIGTERM. */
static void raise_all(void)
{
    done++;
    do_crash();
    while (until[0] != '\0' && access(until, F_OK) != 0) {
        usleep(10000);
    }
    for (const char *c = raises; *c != '\0'; c += strcspn(c, ","), c += *c == ',') {
        long number = strtol(c, NULL, 10);
        if (*c == '+') {
            sleep((unsigned)number);
        } else if (number > 0) {
            raise((int)number);
        }
    }
}

static void event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    (void)msg;
    ((struct state *)state)->events++;
    later += done > 0 && !(is_raiser(lp) && tw_now(lp) == raised_ts);
    if (tw_now(lp) > at * (done + 1) && done < times && is_raiser(lp)) {
        raised_ts = done == 0 ? tw_now(lp) : raised_ts;
        raise_all();
    }
    send(lp);
}

static void reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    (void)msg;
    tw_rand_reverse_unif(lp->rng);
    ((struct state *)state)->events--;
}

static tw_lptype type = {
    .init = init, .event = event, .revent = reverse, .state_sz = sizeof(struct state)};

static const tw_optdef options[] = {
    TWOPT_GROUP("signalled"),
    TWOPT_UINT("lps", n_lps, "LPs per rank"),
    TWOPT_STIME("at", at, "virtual time after which the signals are raised"),
    TWOPT_CHAR("raise", raises, "numbers of signals, with commas between; +N waits N seconds"),
    TWOPT_UINT("times", times, "how often"),
    TWOPT_CHAR("crash", crash, "access: to memory; stack; abort; init: there; none"),
    TWOPT_CHAR("until", until, "the event waits until there is this file"),
    TWOPT_UINT("own", own, "1: a handler of the program's own mends accesses to memory"),
    TWOPT_CHAR("on", on, "rank that raises them: first, last or all"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    g_tw_ts_end = 1e9;
    g_tw_lookahead = 0.5;
    tw_opt_add(options);
    page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (argc > 1 && strcmp(argv[1], "--own=1") == 0) {
        signal(SIGSEGV, mend);
    }
    tw_init(&argc, &argv);
    st_lptype_name(&type, "token");
    tw_define_lps(n_lps, sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
    }
    tw_run();
    if (done > 0) {
        printf("events after the signal: %llu\n", (unsigned long long)later);
    }
    tw_end();
    return 0;
}
