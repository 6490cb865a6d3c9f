/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.c - a program that is no simulation, but is observed through the bus. Threads take jobs from
 * a queue and emit a record of each job on the stream "pool".
 *
 *     cc -o pool pool.c $(pkg-config --cflags --libs warpscope-bus) -pthread
 *     ROSS_SUBSCRIBERS=st_counter.so ./pool
 */
#include <pthread.h>
#include <stdio.h>

#include "st_bus.h"

#define THREADS 4
#define JOBS    1000

static st_stream_id stream;
static st_type taken; /* type of records that state that a job was taken; payload: struct job */
static unsigned next_job;

struct job {
    uint64_t number, size;
};

static double work(const struct job *job)
{
    double sum = 0;
    /* ST_SCOPE() begins a span that ends when the function returns. */
    ST_SCOPE(stream, ST_FUNCTION, ST_POINT());
    for (uint64_t i = 1; i <= job->size; i++) {
        sum += 1.0 / (double)(i * i);
    }
    return sum;
}

static void *run(void *sum)
{
    for (;;) {
        const unsigned number = __atomic_fetch_add(&next_job, 1, __ATOMIC_RELAXED);
        if (number >= JOBS) {
            return NULL;
        }
        const struct job job = {number, 1000 + number % 7 * 500};
        ST_NOTIFY(stream, taken, ST_POINT(), &job, sizeof job);
        *(double *)sum += work(&job);
    }
}

int main(void)
{
    pthread_t threads[THREADS];
    double sums[THREADS] = {0}, sum = 0;
    if (st_stream_open("pool", 1, 0, &stream) != ST_OK ||
        st_type_register("pool", 0, &taken) != ST_OK) {
        fprintf(stderr, "pool: out of memory\n");
        return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, run, &sums[i]) != 0) {
            fprintf(stderr, "pool: cannot start a thread\n");
            return 1;
        }
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += sums[i];
    }
    st_stream_close("pool");
    printf("%d jobs, %.3f\n", JOBS, sum);
    return 0;
}
