/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shop - a model that emits records of all sorts on its own stream, "shop", for tests of
 * subscribers.
 *
 * Customers move between shops (LPs) at random. A shop serves each within a scope, sells something
 * and is then idle until the next customer comes. The model has no reverse handler. Rank 0 prints
 * the sales.
 */
#include "ross.h"

struct customer {
    uint64_t money;
};

struct shop {
    uint64_t sold;
    uint64_t idle;
    uint64_t visits[2]; /* instances of visits that overlap: each visit ends two customers later */
};

struct sale {
    uint64_t item;
    double price;
};

static unsigned int total_lps = 24;
static unsigned int customers = 2;
static st_stream_id stream;
static st_type sold;
static uint64_t sold_here;
static unsigned int mischief = 0;
static tw_lp *serving;

static void send(tw_lp *lp, uint64_t money)
{
    tw_lpid dest = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)g_tw_total_lps - 1);
    tw_event *event = tw_event_new(dest, 0.01 + tw_rand_exponential(lp->rng, 1.0), lp);
    ((struct customer *)tw_event_data(event))->money = money;
    tw_event_send(event);
}

static void shop_init(void *s, tw_lp *lp)
{
    struct shop *shop = s;
    shop->idle = 1;
    ST_NOTIFY(stream, ST_WAIT, ST_POINT(), NULL, 0);
    for (unsigned i = 0; i < customers; i++) {
        send(lp, lp->gid * 100 + i);
    }
}

/* Ends the visit that began two customers ago, and begins another. */
static void change_visits(struct shop *shop, const st_point *parent)
{
    uint64_t *visit = &shop->visits[shop->sold % 2];
    const st_point *point = ST_POINT_NAMED("overlap");
    if (*visit != 0) {
        ST_NOTIFY_INSTANCE(stream, ST_QUEUE_END, parent, point, visit, NULL, 0);
        *visit = 0;
    }
    ST_NOTIFY_INSTANCE(stream, ST_QUEUE, parent, point, visit, visit, sizeof *visit);
}

static void shop_event(void *s, tw_bf *bf, void *m, tw_lp *lp)
{
    struct shop *shop = s;
    struct customer *customer = m;
    (void)bf;
    serving = lp;
    if (mischief == 4) {
        tw_end();
    }
    const st_point *serve = ST_POINT_NAMED("serve");
    ST_SCOPE_DATA(stream, ST_REGION, NULL, serve, &shop->sold, sizeof shop->sold);
    if (shop->idle != 0) {
        ST_NOTIFY(stream, ST_WAIT_END, ST_POINT(), NULL, 0);
    }
    shop->idle = customer->money % 3 == 0;
    change_visits(shop, serve);
    shop->sold++;
    const struct sale sale = {.item = customer->money, .price = 0.5 * (double)shop->sold};
    ST_NOTIFY(stream, sold, ST_POINT_NAMED("sell"), &sale, sizeof sale);
    if (shop->idle != 0) {
        ST_NOTIFY(stream, ST_WAIT, ST_POINT(), NULL, 0);
    }
    send(lp, customer->money * 7 % 1000 + 1);
}

static void shop_final(void *s, tw_lp *lp)
{
    const struct shop *shop = s;
    (void)lp;
    sold_here += shop->sold;
    ST_NOTIFY(stream, ST_DIAGNOSTIC, ST_POINT(), &shop->sold, sizeof shop->sold);
}

static void do_mischief(const st_record *record, void *arg)
{
    (void)record, (void)arg;
    if (mischief == 1) {
        send(serving, 1);
    } else if (mischief == 2) {
        tw_rand_unif(serving->rng);
    } else {
        tw_end();
    }
}

static tw_lptype shop_type = {
    .init = shop_init, .event = shop_event, .final = shop_final, .state_sz = sizeof(struct shop)};

static const tw_optdef options[] = {
    TWOPT_GROUP("Shops"), TWOPT_UINT("lps", total_lps, "shops of all ranks"),
    TWOPT_UINT("customers", customers, "per shop, at first"),
    TWOPT_UINT(
        "mischief", mischief,
        "a subscriber 1 sends an event, 2 draws a number, 3 calls tw_end(); 4: a handler does"),
    TWOPT_END()};

int main(int argc, char **argv)
{
    g_tw_lookahead = 0.01;
    g_tw_ts_end = 20;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    st_stream_open("shop", 1, 2, &stream);
    st_type_register("shop", 3, &sold);
    if (mischief >= 1 && mischief <= 3) {
        st_subscribe(stream, sold, ST_SPECULATIVE, do_mischief, NULL);
    }
    unsigned ranks = tw_nnodes();
    unsigned rank = (unsigned)g_tw_mynode;
    tw_define_lps(total_lps / ranks + (rank < total_lps % ranks), sizeof(struct customer));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &shop_type);
    }
    tw_run();
    uint64_t all = 0;
    MPI_Reduce(&sold_here, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
    if (tw_ismaster()) {
        printf("sold %llu\n", (unsigned long long)all);
    }
    tw_end();
    return 0;
}
