/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rcheck_model.h - random models for the checks of reverse handlers.
 *
 * An event executes a list of steps, each of which can be undone. The reverse handler undoes them
 * from the last to the first. A mistake is made at one step of the list, or elsewhere. LPs may have
 * types with a reverse handler, without one, and with a state that holds a pointer.
 */
#ifndef WARPSCOPE_TESTS_RCHECK_MODEL_H
#define WARPSCOPE_TESTS_RCHECK_MODEL_H

#include "ross.h"

#define LPS       9
#define WORDS     6
#define STEPS_MAX 12
#define STREAMS   2

enum step_kind {
    STEP_ADD,    /* to a word */
    STEP_XOR,    /* a word */
    STEP_SWAP,   /* a word with one of the message, swapped back when undone */
    STEP_KEEP,   /* a word gets another value, the message keeps the old value */
    STEP_BRANCH, /* a word is changed or not; a bit of the bit field records which */
    STEP_DRAW,
    STEP_NORMAL,
    STEP_OUTPUT,
    STEP_PAST_END,
    STEP_KINDS
};

enum mistake {
    MISTAKE_NONE,
    MISTAKE_FORGET,  /* the step is not undone */
    MISTAKE_TWICE,   /* STEP_DRAW: undone twice */
    MISTAKE_ORDER,   /* this step and the next are undone in the wrong order */
    MISTAKE_MESSAGE, /* the message is restored wrongly */
    MISTAKE_COMMIT,  /* the commit handler changes a word */
    MISTAKE_HIDDEN,  /* the forward handler uses a global variable */
    MISTAKE_LATE,    /* the second time it is undone, the message is restored wrongly */
    MISTAKE_STALE,   /* the message is restored wrongly, and later the state */
    MISTAKE_POINTER, /* the target of a pointer of the state is not restored */
    /* Like MISTAKE_HIDDEN, and this is all that the global variable changes: */
    MISTAKE_HIDDEN_STATE,
    MISTAKE_HIDDEN_DRAW, /* of stream 1, in every other run */
    MISTAKE_HIDDEN_SENT  /* a byte of the message sent */
};

struct step {
    enum step_kind kind;
    unsigned word;
    unsigned stream;
};

struct message {
    uint64_t value;
    uint64_t other;           /* for STEP_SWAP */
    uint64_t undone;          /* for MISTAKE_LATE and _STALE: how often, once it was; forwards: 0 */
    uint64_t kept[STEPS_MAX]; /* for the reverse handler */
};

struct state {
    uint64_t words[WORDS];
};

struct pointing_state {
    struct state state;
    uint64_t *far; /* one word, elsewhere */
};

/* The model of the next run. */
static struct {
    struct step steps[STEPS_MAX];
    unsigned n_steps;
    enum mistake mistake;
    unsigned at; /* step or word */
} model;

/* Results of a run for the test. */
struct outcome {
    uint64_t hash;
    uint64_t checkpoints; /* that are not cleaned */
    uint64_t commits;
};
static struct outcome *outcome; /* in memory shared with the runs */
static uint64_t hidden;
static uint64_t turns;  /* runs forwards */
static uint64_t undone; /* 1 and 2 by turns: --synch=6 undoes each event twice */

static bool errs(enum mistake mistake, unsigned at)
{
    return model.mistake == mistake && model.at == at;
}

/* Never 0, and odd. */
static uint64_t amount(const struct message *m, unsigned at)
{
    return (m->value * (at + 3)) | 1u;
}

static void send(tw_lp *lp, double offset, uint64_t value)
{
    tw_lpid dest = (lp->gid + value) % LPS;
    tw_event *event = tw_event_new(dest, offset, lp);
    struct message *m = tw_event_data(event); /* kept[] is not set: it holds anything */
    m->value = value;
    m->other = value ^ 0x55 ^ (model.mistake == MISTAKE_HIDDEN_SENT ? turns : 0);
    m->undone = 0;
    tw_event_send(event);
}

static void step_forward(struct state *s, tw_bf *bf, struct message *m, tw_lp *lp, unsigned at)
{
    const struct step *step = &model.steps[at];
    uint64_t *word = &s->words[step->word];
    uint64_t kept;
    unsigned calls;
    switch (step->kind) {
    case STEP_ADD:
        *word += amount(m, at);
        break;
    case STEP_XOR:
        *word ^= amount(m, at);
        break;
    case STEP_SWAP:
        kept = *word;
        *word = m->other;
        m->other = kept;
        break;
    case STEP_KEEP:
        m->kept[at] = *word;
        *word = *word * 3 + amount(m, at);
        break;
    case STEP_BRANCH:
        bf->c3 = m->value % 3 != 0;
        *word += bf->c3 ? 0x100 : 0;
        break;
    case STEP_DRAW:
        *word += 1 + (uint64_t)tw_rand_integer(&lp->rng[step->stream], 0, 1000);
        m->kept[at] = *word;
        break;
    case STEP_NORMAL:
        kept = (uint64_t)(long)(tw_rand_normal01(&lp->rng[step->stream], &calls) * 1000.0);
        m->kept[at] = calls;
        *word ^= kept;
        s->words[0] += calls;
        m->other ^= *word; /* undone by: */
        m->other ^= *word;
        *word ^= kept;
        break;
    case STEP_OUTPUT:
        tw_output(lp, "%" PRIu64 "\n", *word);
        break;
    default:
        send(lp, 1e6, 1);
        break;
    }
}

static void step_reverse(struct state *s, const tw_bf *bf, struct message *m, tw_lp *lp,
                         unsigned at)
{
    const struct step *step = &model.steps[at];
    uint64_t *word = &s->words[step->word];
    uint64_t kept;
    if (errs(MISTAKE_FORGET, at)) {
        return;
    }
    switch (step->kind) {
    case STEP_ADD:
        *word -= amount(m, at);
        break;
    case STEP_XOR:
        *word ^= amount(m, at);
        break;
    case STEP_SWAP:
        kept = *word;
        *word = m->other;
        m->other = kept;
        break;
    case STEP_KEEP:
        *word = m->kept[at];
        break;
    case STEP_BRANCH:
        *word -= bf->c3 ? 0x100 : 0;
        break;
    case STEP_DRAW:
        tw_rand_reverse_unif(&lp->rng[step->stream]);
        if (errs(MISTAKE_TWICE, at)) {
            tw_rand_reverse_unif(&lp->rng[step->stream]);
        }
        kept = 1 + (uint64_t)tw_rand_integer(&lp->rng[step->stream], 0, 1000);
        tw_rand_reverse_unif(&lp->rng[step->stream]);
        *word -= kept;
        break;
    case STEP_NORMAL:
        s->words[0] -= m->kept[at];
        for (; m->kept[at] > 0; m->kept[at]--) {
            tw_rand_reverse_unif(&lp->rng[step->stream]);
        }
        break;
    default:
        break;
    }
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    turns++;
    s->words[0] += model.mistake == MISTAKE_HIDDEN_STATE ? turns : 0;
    if (model.mistake == MISTAKE_HIDDEN_DRAW && turns % 2 == 0) {
        tw_rand_unif(&lp->rng[1]);
    }
    for (unsigned at = 0; at < model.n_steps; at++) {
        step_forward(s, bf, m, lp, at);
    }
    s->words[0] += m->undone == 2;
    uint64_t stale = model.mistake == MISTAKE_STALE ? m->undone : 0;
    m->undone = stale;
    if (model.mistake == MISTAKE_HIDDEN) {
        hidden++;
    }
    uint64_t value = (s->words[model.at % WORDS] ^ m->value) * 31 + hidden + stale;
    double offset = 0.25 + tw_rand_unif(&lp->rng[0]);
    send(lp, offset, value);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    tw_rand_reverse_unif(&lp->rng[0]);
    for (unsigned at = model.n_steps; at-- > 0;) {
        if (at > 0 && errs(MISTAKE_ORDER, at - 1)) {
            step_reverse(s, bf, m, lp, at - 1);
            step_reverse(s, bf, m, lp, at);
            at--;
        } else {
            step_reverse(s, bf, m, lp, at);
        }
    }
    s->words[0] -= model.mistake == MISTAKE_HIDDEN_STATE ? turns : 0;
    if (model.mistake == MISTAKE_HIDDEN_DRAW && turns % 2 == 0) {
        tw_rand_reverse_unif(&lp->rng[1]);
    }
    m->value += model.mistake == MISTAKE_MESSAGE;
    if (model.mistake == MISTAKE_STALE) {
        s->words[0] += m->undone++;
        return;
    }
    undone = undone % 2 + 1;
    m->undone = model.mistake == MISTAKE_LATE ? undone : 0;
}

static void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    (void)bf;
    (void)msg;
    (void)lp;
    outcome->commits++;
    s->words[model.at % WORDS] += model.mistake == MISTAKE_COMMIT;
}

static void init(void *sv, tw_lp *lp)
{
    struct state *s = sv;
    s->words[1] = lp->gid;
    send(lp, 0.5 + 0.01 * (double)lp->gid, lp->gid * 7 + 1);
}

static void final(void *sv, tw_lp *lp)
{
    const struct state *s = sv;
    for (unsigned i = 0; i < WORDS; i++) {
        outcome->hash = outcome->hash * 31 + s->words[i];
    }
    outcome->hash = outcome->hash * 31 + lp->rng[0].count + 7 * lp->rng[1].count;
}

/* ---- A type whose state holds a pointer ------------------------------------------------------ */

static void pointing_init(void *sv, tw_lp *lp)
{
    struct pointing_state *s = sv;
    s->far = tw_calloc(TW_LOC, "a word", sizeof *s->far, 1);
    init(&s->state, lp);
}

/* The pointer is another after each event. */
static void move(struct pointing_state *s, uint64_t change)
{
    uint64_t *far = tw_calloc(TW_LOC, "a word", sizeof *far, 1);
    *far = *s->far + change;
    free(s->far);
    s->far = far;
}

static void pointing_forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    move(sv, 5);
    forward(sv, bf, msg, lp);
}

static void pointing_reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    reverse(sv, bf, msg, lp);
    move(sv, model.mistake == MISTAKE_POINTER ? 0 : (uint64_t)-5);
}

static void pointing_final(void *sv, tw_lp *lp)
{
    struct pointing_state *s = sv;
    final(&s->state, lp);
    outcome->hash += *s->far;
    free(s->far);
}

struct checkpoint {
    struct state state;
    uint64_t *far; /* of its own, so that clean_lp has something to do */
};

static void save_lp(void *checkpoint, const void *state)
{
    const struct pointing_state *s = state;
    struct checkpoint *c = checkpoint;
    if (c->far != NULL) {
        abort(); /* it should be zeros */
    }
    c->state = s->state;
    c->far = tw_calloc(TW_LOC, "a word", sizeof *c->far, 1);
    *c->far = *s->far;
    outcome->checkpoints++;
}

static void clean_lp(void *checkpoint)
{
    free(((struct checkpoint *)checkpoint)->far);
    outcome->checkpoints--;
}

static bool check_lps(void *state, const void *checkpoint)
{
    const struct pointing_state *s = state;
    const struct checkpoint *c = checkpoint;
    return memcmp(&s->state, &c->state, sizeof c->state) == 0 && *s->far == *c->far;
}

static void print_lp(FILE *out, const char *prefix, void *state)
{
    fprintf(out, "%sfar word %" PRIu64 "\n", prefix, *((struct pointing_state *)state)->far);
}

static void print_checkpoint(FILE *out, const char *prefix, void *checkpoint)
{
    fprintf(out, "%sfar word was %" PRIu64 "\n", prefix, *((struct checkpoint *)checkpoint)->far);
}

static void print_event(FILE *out, const char *prefix, void *state, void *msg)
{
    (void)state;
    fprintf(out, "%smessage %" PRIu64 "\n", prefix, ((struct message *)msg)->value);
}

/* ---- Types ----------------------------------------------------------------------------------- */

enum { TYPE_PLAIN, TYPE_SAVED, TYPE_POINTING };
/* Types of the LPs, in turn. */
enum variety { ALL_PLAIN, PLAIN_AND_POINTING, ALL_TYPES, ALL_POINTING };
static const int varieties[][4] = {
    [ALL_PLAIN] = {TYPE_PLAIN, TYPE_PLAIN, TYPE_PLAIN, TYPE_PLAIN},
    [PLAIN_AND_POINTING] = {TYPE_PLAIN, TYPE_POINTING, TYPE_PLAIN, TYPE_POINTING},
    [ALL_TYPES] = {TYPE_PLAIN, TYPE_POINTING, TYPE_PLAIN, TYPE_SAVED},
    [ALL_POINTING] = {TYPE_POINTING, TYPE_POINTING, TYPE_POINTING, TYPE_POINTING},
};
static tw_lptype types[] = {
    {init, NULL, forward, reverse, commit, final, NULL, sizeof(struct state)},
    {init, NULL, forward, NULL, NULL, final, NULL, sizeof(struct state)},
    {pointing_init, NULL, pointing_forward, pointing_reverse, commit, pointing_final, NULL,
     sizeof(struct pointing_state)},
};
static crv_checkpointer pointing_check = {&types[TYPE_POINTING],
                                          sizeof(struct checkpoint),
                                          save_lp,
                                          clean_lp,
                                          check_lps,
                                          print_lp,
                                          print_checkpoint,
                                          print_event};

#endif
