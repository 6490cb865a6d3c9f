/*
 * signalled - a model whose LPs send themselves signals: a token goes round in each LP, and the
 * first event after --at raises the signals of --raise, one after the other; so again after its
 * multiples, --times in all. A signal has been taken when raise() returns, so nothing depends on
 * how fast anything runs.
 */
#include <signal.h>
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
static unsigned int times = 1;
static unsigned int done; /* this rank has raised them so often */

static void send(tw_lp *lp)
{
    tw_event *event = tw_event_new(lp->gid, 0.5 + tw_rand_unif(lp->rng), lp);
    ((struct message *)tw_event_data(event))->raised = 0;
    tw_event_send(event);
}

static void init(void *state, tw_lp *lp)
{
    (void)state;
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
    if (tw_now(lp) > at * (done + 1) && done < times && is_raiser(lp)) {
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
    TWOPT_CHAR("on", on, "rank that raises them: first, last or all"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    g_tw_ts_end = 1e9;
    g_tw_lookahead = 0.5;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    tw_define_lps(n_lps, sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
    }
    tw_run();
    tw_end();
    return 0;
}
