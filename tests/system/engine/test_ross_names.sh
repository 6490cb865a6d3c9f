#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The names of ROSS's headers that few models use: each exists and has its meaning, or the page for porting
# names it. Look-up functions answer at any time.
# test: processors=2 timeout=30
. "$WS_SRC/tests/support/lib.sh"

# run RANKS OPTION...: all checks of the program pass.
run() {
    ranks=$1
    shift
    assert_ok "$ranks ranks $*" run_mpi "$ranks" "$WS_TEST_BIN/ross_names" --nkp=5 --lz4-knob=9 \
        --max-opt-lookahead=2000 --engine-stats=1 --num-gvt=3 --kp-data=1 --csv=none --quiet --path=there \
        --label=its-name "$@"
    assert_eq "$ranks ranks $*, failed checks" "" "$(grep -e '^rank .*: not ' -e '^wrong [1-9]' last.out)"
    assert_eq "$ranks ranks $*, all ended" "$ranks" "$(grep -c '^wrong 0$' last.out)"
}

run 2 --synch=3 --stats-path=two
run 1 --synch=1 --kps-later=3 --stats-path=one
assert_eq "texts" "text there its-name" "$(grep '^text ' last.out)"
for option in --nkp=3 --end=10 --path=there; do
    assert_eq "tw_opt_print()" "$option" "$(grep -x -e "$option" last.out)"
done
sed -n 's/^name \([a-z0-9_]*\) .*/\1/p' last.out >linked

# The list: names of ROSS 8.1 beyond those in other tests.
page=$WS_SRC/docs/porting-from-ross.md
for name in nkp_per_pe g_tw_events_per_pe_extra tw_trigger_gvt_hook_at_event_sig g_tw_gvt_hook_trigger \
    g_tw_max_sig g_tw_max_opt_lookahead g_tw_gvt_threshold g_tw_gvt_realtime_interval g_tw_lz4_knob \
    g_tw_hash_size g_tw_net_device_size g_tw_sim_started g_tw_buddy_alloc g_tw_delta_sz \
    g_tw_fossil_attempts tw_wtime tw_wall_now tw_wall_sub tw_wall_to_double tw_clock_now \
    tw_net_barrier tw_net_minimum tw_gvt_inprogress tw_kp_next_onpe tw_lp_next_onpe tw_opt_parse \
    tw_opt_print map_onetype tw_get_stats rng_set_seed rng_set_initial_seed g_st_engine_stats \
    g_st_pe_data g_st_kp_data g_st_lp_data g_st_num_gvt g_st_buffer_size g_st_buffer_free_percent \
    g_st_disable_out g_st_sample_count g_st_vt_interval g_st_sampling_end g_st_rt_interval \
    g_st_analysis_nlp g_st_stats_out g_st_stats_path io_init io_register_model_version \
    io_load_checkpoint io_store_checkpoint g_io_lp_types g_io_load_at g_io_events_buffered_per_rank \
    g_io_checkpoint_name io_opts; do
    grep -qx "$name" linked || grep -q "\`$name\`" "$page" ||
        fail "$name is neither declared nor named in $page"
    grep -q "$name" "$page" || fail "$page does not mention $name"
done
finish
