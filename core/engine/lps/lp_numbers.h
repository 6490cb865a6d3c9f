/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_numbers.h - numbers of LPs with CUSTOM mapping. Numbers may have holes: the model may give its
 * LPs any distinct numbers below 2^64 - 1.
 */
#ifndef WARPSCOPE_ENGINE_LPS_LP_NUMBERS_H
#define WARPSCOPE_ENGINE_LPS_LP_NUMBERS_H

#include "engine/pe/pe.h"

/* Checks that the gids of the local LPs differ, and sets pe->mapping.end. Ends the run if two LPs
 * of this rank have the same gid. Collective. */
void lp_numbers_settle(struct pe *pe);

/* If the gids of all ranks have holes, collects them in pe->mapping.gids. Ends the run if two LPs
 * have the same gid. Collective. Cost: 19 to 29 bytes per LP of the model on each rank. */
void lp_numbers_gather(struct pe *pe);

/* With CUSTOM mapping, ends the run if the function `map` of the type of a local LP puts this LP on
 * another rank. This is also so if two ranks have an LP with the same gid. All types must be set.
 * Not collective. */
void lp_numbers_check_ranks(const struct pe *pe);

#endif
