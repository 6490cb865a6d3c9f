#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a cut carries (docs/checkpoints.md): a run that is restarted from a checkpoint, or whose LPs move, is for every
# observer the run that was not. This test walks the table of that page: each model with all observers at once, cut at
# a sampling point, between two, and where a task begins, steps and ends; restarted on 1 to 4 ranks, or moved.
# Here a part in which each pair of model, cut and number of ranks occurs; test_cuts_long.sh tries all of them.
# test: processors=2 timeout=300
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/cuts.sh"
walk some
finish
