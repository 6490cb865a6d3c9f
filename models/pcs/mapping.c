/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapping.c - the mapping of cells to ranks. The grid is cut into blocks, as nearly square as the
 * number of ranks allows, and each rank has one block. With these blocks, telephones move between
 * ranks less often than with LINEAR mapping, whose blocks consist of rows.
 *
 * Cells are numbered row by row. Neither these numbers nor the simulated events depend on the
 * number of ranks. Along a side of s cells that is cut into n blocks, block i begins at cell
 * s * i / n. Cell x is in block ((x + 1) * n - 1) / s. On a rank, KPs consist of neighbouring
 * cells, row by row.
 *
 * --lp-map replaces this mapping.
 *
 * Cost: a few divisions to find the rank of a cell.
 */
#include "pcs.h"

#include <assert.h>

struct block {
    tw_lpid x, y, width, height; /* position and size of the block in cells */
};

static struct {
    tw_lpid across, down; /* number of blocks from west to east, and from north to south */
    struct block own;
} grid;

/* Sets grid.across and grid.down, whose product is n_ranks, so that the total length of the borders
 * between blocks is minimal, because moves across a border are expensive. If possible, each block
 * has at least one cell. */
static void choose_blocks(tw_lpid n_ranks)
{
    double best = DBL_MAX;
    for (tw_lpid across = 1; across <= n_ranks; across++) {
        tw_lpid down = n_ranks / across;
        double border = (double)(across * pcs_options.height) + (double)(down * pcs_options.width);
        bool fits = across <= pcs_options.width && down <= pcs_options.height;
        if (across * down == n_ranks && border * (fits ? 1 : 1e6) < best) {
            best = border * (fits ? 1 : 1e6);
            grid.across = across;
            grid.down = down;
        }
    }
}

static tw_lpid own_gid(tw_lpid local)
{
    assert(local < grid.own.width * grid.own.height);
    const struct block *b = &grid.own;
    return (b->y + local / b->width) * pcs_options.width + b->x + local % b->width;
}

static void map_own_cells(void)
{
    for (tw_kpid k = 0; k < g_tw_nkp; k++) {
        tw_kp_onpe(k, g_tw_pe);
    }
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_onpe(i, g_tw_pe, own_gid(i));
        tw_lp_onkp(g_tw_lp[i], g_tw_kp[i * g_tw_nkp / g_tw_nlp]);
    }
}

static tw_lp *own_cell(tw_lpid gid)
{
    const struct block *b = &grid.own;
    tw_lpid x = gid % pcs_options.width - b->x;
    tw_lpid y = gid / pcs_options.width - b->y;
    return x < b->width && y < b->height ? g_tw_lp[y * b->width + x] : NULL;
}

tw_peid pcs_mapping_rank(tw_lpid gid)
{
    assert(grid.across > 0 && grid.down > 0);
    tw_lpid x = gid % pcs_options.width;
    tw_lpid y = gid / pcs_options.width;
    tw_lpid column = ((x + 1) * grid.across - 1) / pcs_options.width;
    tw_lpid row = ((y + 1) * grid.down - 1) / pcs_options.height;
    return (tw_peid)(row * grid.across + column);
}

tw_lpid pcs_mapping_set(void)
{
    choose_blocks(tw_nnodes());
    assert(grid.across * grid.down == tw_nnodes());
    tw_lpid column = g_tw_mynode % grid.across;
    tw_lpid row = g_tw_mynode / grid.across;
    struct block *b = &grid.own;
    b->x = pcs_options.width * column / grid.across;
    b->y = pcs_options.height * row / grid.down;
    b->width = pcs_options.width * (column + 1) / grid.across - b->x;
    b->height = pcs_options.height * (row + 1) / grid.down - b->y;
    g_tw_mapping = CUSTOM;
    g_tw_custom_initial_mapping = map_own_cells;
    g_tw_custom_lp_global_to_local_map = own_cell;
    return b->width * b->height;
}
