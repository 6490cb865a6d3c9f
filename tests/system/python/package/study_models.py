# SPDX-License-Identifier: BSD-3-Clause
"""Queues with known means, simulated with numpy for the tests of the statistics."""

import numpy as np


def mm1_delays(load, n, seed):
    """Return the delays in queue of n customers of an M/M/1 queue with service rate 1, empty at first (Lindley)."""
    random = np.random.Generator(np.random.PCG64(seed))
    steps = random.exponential(1.0, n) - random.exponential(1.0 / load, n)
    walk = np.concatenate(([0.0], np.cumsum(steps)[:-1]))
    return walk - np.minimum.accumulate(walk)


def mmc_delays(load, servers, n, seed):
    """Return the delays in queue of n customers of an M/M/c queue with service rate 1 (Kiefer & Wolfowitz)."""
    random = np.random.Generator(np.random.PCG64(seed))
    service, between = random.exponential(1.0, n).tolist(), random.exponential(1.0 / (load * servers), n).tolist()
    free = [0.0] * servers  # when each server will be free, in ascending order, from the arrival of a customer on
    delays = np.empty(n)
    for i in range(n):
        delays[i] = delay = max(free[0], 0.0)
        free[0] = delay + service[i]
        free.sort()
        free = [t - between[i] for t in free]
    return delays
