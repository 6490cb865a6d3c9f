/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * numbers.c - random streams: each distribution, and how draws are undone; clocks and output.
 *
 *     mpicc -o numbers numbers.c $(pkg-config --cflags --libs warpscope) -lm
 *     ./numbers
 */
#include "ross.h"

static tw_rng_stream stream;

/* Draws from each distribution. Returns the sum. */
static double draw_all(void)
{
    unsigned int calls; /* number of draws of the last call; the stream counts them as well */
    double sum = tw_rand_unif(&stream) + rng_gen_val(&stream); /* the same by its older name */
    sum += (double)tw_rand_integer(&stream, 1, 6);
    sum += (double)tw_rand_ulong(&stream, 0, 99);
    sum += (double)tw_rand_binomial(&stream, 10, 0.5); /* heads among 10 coins */
    sum += tw_rand_exponential(&stream, 2.0);          /* time between calls, 2 in the mean */
    sum += tw_rand_gamma(&stream, 3.0, 0.5);
    sum += (double)tw_rand_geometric(&stream, 0.25); /* trials up to the first success */
    sum += tw_rand_normal01(&stream, &calls);
    sum += tw_rand_normal_sd(&stream, 170.0, 10.0, &calls);
    sum += tw_rand_lognormal(&stream, 0.0, 0.5, &calls);
    sum += tw_rand_pareto(&stream, 2.0, 1.0);
    sum += (double)tw_rand_poisson(&stream, 4.0); /* arrivals in a unit of time, 4 in the mean */
    sum += tw_rand_weibull(&stream, 1.0, 1.5);
    return sum;
}

int main(int argc, char **argv)
{
    uint32_t first[4], last[4], seed[4] = {1, 22, 333, 4444};
    tw_wtime begin, end, taken;
    tw_wall_now(&begin);
    tw_clock ticks = tw_clock_read();
    MPI_Init(&argc, &argv);
    tw_comm_set(MPI_COMM_WORLD); /* for ranks that a program chooses */
    tw_init(&argc, &argv);

    tw_rand_initial_seed(&stream, 7, NULL); /* the start of stream 7 of the model's family */
    rng_get_state(&stream, first);
    double sum = draw_all();
    while (stream.count > 1) { /* as a reverse handler does, which knows the number */
        tw_rand_reverse_unif(&stream);
    }
    rng_gen_reverse_val(&stream); /* the same by its older name */
    rng_get_state(&stream, last);
    assert(memcmp(first, last, sizeof first) == 0);
    if (draw_all() != sum) {
        tw_error(TW_LOC, "other numbers than before");
    }
    rng_set_seed(&stream, seed, NULL); /* a stream of the program's own */
    rng_write_state(&stream, stdout);

    tw_wall_now(&end);
    tw_wall_sub(&taken, &end, &begin);
    tw_printf(TW_LOC, "sum %g, %.3f s, %llu ticks", sum, tw_wall_to_double(&taken),
              (unsigned long long)(tw_clock_read() - ticks));
    if (tw_wall_to_double(&taken) > 60.0) {
        tw_warning(TW_LOC, "this took more than a minute");
    }
    tw_fprint_binary_array(stdout, "seed: ", seed, sizeof seed);
    tw_end();
    MPI_Finalize();
    return 0;
}
