/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ross_names - uses the names of ross_rest.h, and look-up functions at any time: before tw_init(),
 * before there are LPs, in the run, and after tw_end(). Prints "name NAME" for each name that is
 * declared and linked, and "wrong N" with the number of failed checks, each with a line of its own.
 */
#define ROSS_MODEL_TYPES_V8
#include <ross-gvt-internal.h>
#include <ross.h>

#define HOOK_TIME 5.0

extern unsigned int nkp_per_pe; /* models declare it themselves */

static char path[64] = "none", label[32] = "none";
static unsigned int n_kps_later; /* value for nkp_per_pe after tw_init(); 0: none */
static unsigned n_wrong, n_hooks;

static tw_optdef const options[] = {
    TWOPT_GROUP("Names"), TWOPT_CHAR("path", *(path), "address of the first element"),
    TWOPT_CHAR("label", label[0], "the same"),
    TWOPT_UINT("kps-later", n_kps_later, "KPs per PE, set in the variable nkp_per_pe"),
    TWOPT_END()};

#define CHECK(condition) check((condition), #condition)
static void check(bool is_right, char const *condition)
{
    if (!is_right) {
        n_wrong++;
        printf("rank %lu: not %s\n", g_tw_mynode, condition);
    }
}

#define VARIABLE(name) printf("name %s %p\n", #name, (void const *)&(name))
#define FUNCTION(name) printf("name %s %d\n", #name, (uintptr_t) & (name) != 0)
static void print_variables(void)
{
    VARIABLE(nkp_per_pe);
    VARIABLE(g_tw_events_per_pe_extra);
    VARIABLE(g_tw_max_sig);
    VARIABLE(g_tw_sim_started);
    VARIABLE(g_tw_max_opt_lookahead);
    VARIABLE(g_tw_lz4_knob);
    VARIABLE(g_tw_gvt_threshold);
    VARIABLE(g_tw_gvt_realtime_interval);
    VARIABLE(g_tw_hash_size);
    VARIABLE(g_tw_net_device_size);
    VARIABLE(g_tw_buddy_alloc);
    VARIABLE(g_tw_delta_sz);
    VARIABLE(g_tw_fossil_attempts);
    VARIABLE(g_st_engine_stats);
    VARIABLE(g_st_pe_data);
    VARIABLE(g_st_kp_data);
    VARIABLE(g_st_lp_data);
    VARIABLE(g_st_num_gvt);
    VARIABLE(g_st_buffer_size);
    VARIABLE(g_st_buffer_free_percent);
    VARIABLE(g_st_disable_out);
    VARIABLE(g_st_sample_count);
    VARIABLE(g_st_vt_interval);
    VARIABLE(g_st_sampling_end);
    VARIABLE(g_st_rt_interval);
    VARIABLE(g_st_analysis_nlp);
    VARIABLE(g_st_stats_out);
    VARIABLE(g_st_stats_path);
}

static void print_functions(void)
{
    FUNCTION(tw_trigger_gvt_hook_at_event_sig);
    FUNCTION(tw_wall_now);
    FUNCTION(tw_wall_sub);
    FUNCTION(tw_wall_to_double);
    FUNCTION(tw_clock_now);
    FUNCTION(tw_net_barrier);
    FUNCTION(tw_gvt_inprogress);
    FUNCTION(tw_kp_next_onpe);
    FUNCTION(tw_lp_next_onpe);
    FUNCTION(tw_opt_print);
    FUNCTION(map_onetype);
    FUNCTION(rng_set_seed);
    tw_wtime t = {0, 0};
    printf("name tw_wtime %g\n", tw_wall_to_double(&t));
}

/* There are no LPs: look-up functions return nothing, and end nothing. */
static void look_up_nothing(bool has_pe)
{
    CHECK(tw_getlp(0) == NULL && tw_getlocal_lp(0) == NULL && tw_getkp(0) == NULL);
    CHECK((tw_getpe(0) != NULL) == has_pe);
    CHECK(tw_lp_next_onpe(NULL, NULL) == NULL && tw_kp_next_onpe(NULL, NULL) == NULL);
    CHECK(tw_lp_rank(0) == (tw_peid)-1);
    CHECK(tw_gvt_inprogress(g_tw_pe) == 0 && tw_clock_now(g_tw_pe) == 0);
    CHECK(g_tw_sim_started == 0 && tw_clock_read() != 0);
    CHECK(!st_task_listened() && st_stream_find("nothing") == 0);
    tw_net_barrier();
}

static void look_up_lps(void)
{
    tw_lpid n_lps = 0;
    tw_kpid n_kps = 0;
    for (tw_lp *lp = NULL; (lp = tw_lp_next_onpe(lp, g_tw_pe)) != NULL; n_lps++) {
        CHECK(lp == tw_getlp(n_lps) && lp == tw_getlocal_lp(lp->gid));
        CHECK(tw_lp_rank(lp->gid) == g_tw_mynode && map_onetype(lp->gid) == 0);
    }
    for (tw_kp *kp = NULL; (kp = tw_kp_next_onpe(kp, g_tw_pe)) != NULL; n_kps++) {
        CHECK(kp == tw_getkp(n_kps));
    }
    CHECK(n_lps == g_tw_nlp && n_kps == g_tw_nkp && nkp_per_pe == g_tw_nkp);
}

static void hook(tw_pe *pe, bool nothing_left)
{
    (void)nothing_left;
    n_hooks += pe->GVT >= HOOK_TIME && pe->GVT <= HOOK_TIME;
    CHECK(g_tw_sim_started == 1 && tw_gvt_inprogress(pe) == 0);
    look_up_lps();
}

static void init(void *state, tw_lp *lp)
{
    (void)state;
    tw_event_send(tw_event_new(lp->gid, 0.5, lp));
}

static void event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    tw_event_sig const now = tw_now_sig(lp);
    CHECK(tw_event_sig_compare_ptr(&now, &g_tw_max_sig) < 0);
    tw_event_send(tw_event_new((lp->gid + 1) % g_tw_total_lps, 0.5, lp));
}

static tw_lptype types[] = {{.init = init, .event = event, .state_sz = 8}};

static void check_streams_and_clock(void)
{
    uint32_t seed[4] = {11111111, 22222222, 33333333, 44444444};
    tw_rng_stream first, seeded;
    tw_rand_initial_seed(&first, 0, NULL);
    rng_set_seed(&seeded, seed, NULL);
    for (int i = 0; i < 3; i++) {
        double const drawn = tw_rand_unif(&first), again = tw_rand_unif(&seeded);
        CHECK(drawn >= again && drawn <= again);
    }
    tw_wtime a = {3, 250000}, b = {1, 500000}, now = {0, 0};
    tw_wall_sub(&a, &a, &b);
    CHECK(tw_wall_to_double(&a) > 1.7499 && tw_wall_to_double(&a) < 1.7501);
    tw_wall_now(&now);
    CHECK(tw_wall_to_double(&now) > 1e9);
}

int main(int argc, char *argv[])
{
    tw_event_sig at = {.recv_ts = HOOK_TIME, .priority = 1.0, .tie_lineage_length = 0};
    CHECK(tw_nnodes() == 1 && tw_ismaster() == 1 && nkp_per_pe == 16);
    look_up_nothing(false);
    g_tw_ts_end = 10.0;
    g_tw_events_per_pe_extra = 1000;
    g_tw_lp_types = types;
    g_tw_lp_typemap = map_onetype;
    g_tw_gvt_hook = hook;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    unsigned const n_ranks = tw_nnodes();
    look_up_nothing(true);
    CHECK(nkp_per_pe == 5 && g_tw_lz4_knob == 9 && g_tw_max_opt_lookahead == 2000);
    CHECK(g_st_engine_stats == 1 && g_st_num_gvt == 3 && g_st_kp_data == 1 && g_st_lp_data == 0);
    CHECK(g_st_buffer_free_percent == 15 && strcmp(g_st_stats_out, "ross-stats") == 0);
    if (n_kps_later != 0) {
        nkp_per_pe = n_kps_later;
    }
    tw_define_lps(6, 8);
    CHECK(g_tw_nkp == (n_kps_later != 0 ? n_kps_later : 5));
    tw_lp_setup_types();
    tw_trigger_gvt_hook_at_event_sig(at);
    check_streams_and_clock();
    tw_run();
    CHECK(n_hooks == 1);
    if (tw_ismaster()) {
        printf("text %s %s\n", path, label);
        print_variables();
        print_functions();
        tw_opt_print();
    }
    tw_end();
    CHECK(tw_nnodes() == n_ranks);
    look_up_nothing(false);
    printf("wrong %u\n", n_wrong);
    return 0;
}
