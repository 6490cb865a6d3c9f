/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * misuse - a model that calls one function of ross.h at the wrong place or with wrong arguments,
 * chosen by --misuse, at time 5 on LP 1. For tests of the engine's messages.
 */
#include "ross.h"

static char misuse[32] = "none";

struct state {
    uint64_t words[8];
};

static bool is(const char *name)
{
    return strcmp(misuse, name) == 0;
}

static void init(void *state, tw_lp *lp)
{
    (void)state;
    tw_event_send(tw_event_new(lp->gid, 1.0, lp));
    if (is("suspend-init")) {
        tw_lp_suspend(lp, 0, 1);
    } else if (is("snapshot-init")) {
        tw_snapshot(lp, 8);
    } else if (is("hook-now-init")) {
        tw_trigger_gvt_hook_now(lp);
    } else if (is("hook-rev-init")) {
        tw_trigger_gvt_hook_now_rev(lp);
    }
}

static void err_with_snapshots(tw_lp *lp)
{
    if (is("delta-alone")) {
        tw_snapshot_delta(lp, 8);
    } else if (is("snapshot-twice")) {
        tw_snapshot(lp, 8);
        tw_snapshot(lp, 8);
    } else if (is("snapshot-again")) {
        tw_snapshot(lp, 8);
        tw_snapshot_delta(lp, 8);
        tw_snapshot(lp, 8);
    } else if (is("delta-twice")) {
        tw_snapshot(lp, 8);
        tw_snapshot_delta(lp, 8);
        tw_snapshot_delta(lp, 8);
    } else if (is("delta-size")) {
        tw_snapshot(lp, 8);
        tw_snapshot_delta(lp, 16);
    } else if (is("snapshot-size")) {
        tw_snapshot(lp, sizeof(struct state) + 1);
    } else if (is("snapshot-other")) {
        tw_snapshot(tw_getlp(0), 8);
    } else if (is("restore-forward")) {
        tw_snapshot_restore(lp, 8);
    } else if (is("restore-size") || is("restore-twice")) {
        tw_snapshot(lp, 8);
        tw_snapshot_delta(lp, 8);
    }
}

static void event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    (void)msg;
    ((struct state *)state)->words[0]++;
    tw_event_send(tw_event_new(lp->gid, 1.0, lp));
    if (lp->gid != 1 || tw_now(lp) < 5.0) {
        return;
    }
    if (is("type-change")) {
        tw_lp_settype(lp->id, NULL);
    } else if (is("suspend-other")) {
        tw_lp_suspend(tw_getlp(0), 0, 1);
    } else if (is("hook-every")) {
        tw_trigger_gvt_hook_every(0);
    } else if (is("hook-at")) {
        tw_trigger_gvt_hook_at((double)NAN);
    }
    err_with_snapshots(lp);
}

static void reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    (void)msg;
    ((struct state *)state)->words[0]--;
    if (lp->gid != 1 || tw_now(lp) < 5.0) {
        return;
    }
    if (is("suspend-reverse")) {
        tw_lp_suspend(lp, 0, 1);
    } else if (is("restore-alone")) {
        tw_snapshot_restore(lp, 8);
    } else if (is("restore-size")) {
        tw_snapshot_restore(lp, 16);
    } else if (is("restore-twice")) {
        tw_snapshot_restore(lp, 8);
        tw_snapshot_restore(lp, 8);
    }
}

static void commit(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    if (is("suspend-commit")) {
        tw_lp_suspend(lp, 0, 1);
    } else if (is("snapshot-commit")) {
        tw_snapshot(lp, 8);
    }
}

static void final(void *state, tw_lp *lp)
{
    (void)state;
    if (is("suspend-final")) {
        tw_lp_suspend(lp, 0, 1);
    }
}

/* Misuse before tw_init() has read the options. */
static void misuse_early(int argc, char **argv)
{
    MPI_Comm halves;
    MPI_Comm between;
    int rank;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--early=", 8) == 0) {
            snprintf(misuse, sizeof misuse, "%s", argv[i] + 8);
        }
    }
    if (is("comm-null") || is("comm-between") || is("init-late")) {
        MPI_Init(&argc, &argv);
    }
    if (is("comm-null")) {
        tw_comm_set(MPI_COMM_NULL);
    } else if (is("comm-between")) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &halves);
        MPI_Intercomm_create(halves, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &between);
        tw_comm_set(between);
    } else if (is("init-late")) {
        MPI_Finalize();
    } else if (is("init-null")) {
        tw_init(NULL, NULL);
    }
}

/* Misuse between tw_init() and tw_run(). */
static void misuse_late(int argc, char **argv)
{
    if (is("uneven")) { /* valid: the first rank has the fewest KPs */
        g_tw_nkp = g_tw_mynode == 0 ? 1 : 2;
    } else if (is("one-word")) { /* valid: the model uses the argument */
        tw_opt_words_max(argc, argv, 1);
    }
    crv_checkpointer unset = {0};
    if (is("init-twice")) {
        tw_init(&argc, &argv);
    } else if (is("comm-late")) {
        tw_comm_set(MPI_COMM_SELF);
    } else if (is("check-null")) {
        crv_add_custom_state_checkpoint(NULL);
    } else if (is("check-unset")) {
        crv_add_custom_state_checkpoint(&unset);
    } else if (is("io-null")) {
        tw_lptype_state_io(NULL, NULL);
    }
}

static tw_lptype type = {init, NULL, event, reverse, commit, final, NULL, sizeof(struct state)};

static const tw_optdef options[] = {
    TWOPT_GROUP("misuse"),
    TWOPT_CHAR("misuse", misuse, "what to do that must not be done"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    g_tw_ts_end = 10.0;
    misuse_early(argc, argv);
    tw_opt_add(options);
    tw_init(&argc, &argv);
    misuse_late(argc, argv);
    tw_define_lps(2, 8);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
    }
    tw_run();
    tw_end();
    return 0;
}
