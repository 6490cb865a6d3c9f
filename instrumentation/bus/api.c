/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * api.c - the table of functions for subscriber libraries in a simulation. The table refers to
 * functions in other files of the bus; bus.c passes it to the libraries.
 */
#include "bus/tables/api.h"

#include "bus/state.h"

static const char *api_stats_path(void)
{
    return stats_dir_ask(&g_st_bus.stats_dir);
}

static unsigned api_rank(void)
{
    return (unsigned)g_tw_mynode;
}

static unsigned api_n_ranks(void)
{
    return tw_nnodes();
}

const st_api bus_api = {ST_API_FUNCTIONS, .stats_path = api_stats_path, .rank = api_rank,
                        .n_ranks = api_n_ranks};
