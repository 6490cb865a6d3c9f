#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Expected values of test_rng.c, test_rng_fast.c and test_dist.c, computed independently of the engine.

Big integers and Python's doubles (IEEE binary64, rounded after every operation), straight from the
definitions in L'Ecuyer and Andres (1997) and in random_dist.c's sources: no jump tables, no folding,
no constants of the engine but moduli, multipliers, weights and seeds. Run it and compare its output
with the tables in the tests:

    python3 tests/unit/core/base/rng_reference.py
    python3 tests/unit/core/base/rng_reference.py --search    (minutes: finds the rare draws again)
"""
import math
import struct
import sys

M = [2147483647, 2147483543, 2147483423, 2147483323]
A = [45991, 207707, 138556, 49689]
W = [4.65661287524579692e-10, 4.65661310075985993e-10, 4.65661336096842131e-10,
     4.65661357780891134e-10]
MODEL = [11111111, 22222222, 33333333, 44444444]
CORE = [55555555, 66666666, 77777777, 88888888]


def clamp(seed):
    return [min(max(s, 1), m - 1) for s, m in zip(seed, M)]


def place(seed, k):
    start = [pow(a, (2 ** 72) * k, m) * s % m for a, s, m in zip(A, clamp(seed), M)]
    return clamp(start)


def value(c):
    u = W[0] * c[0]
    u -= W[1] * c[1]
    if u < 0:
        u += 1.0
    u += W[2] * c[2]
    if u >= 1.0:
        u -= 1.0
    u -= W[3] * c[3]
    if u < 0:
        u += 1.0
    return u


def before(c):
    """The state one draw earlier."""
    return [pow(a, m - 2, m) * x % m for a, x, m in zip(A, c, M)]


class Stream:
    def __init__(self, seed, k):
        self.c = place(seed, k)
        self.count = 0
        self.second = None

    def draw(self):
        self.c = [a * x % m for a, x, m in zip(A, self.c, M)]
        self.count += 1
        return value(self.c)


def integer(s, low, high):
    return low + int(s.draw() * float(high + 1 - low))


def normal01(s):
    if s.second is not None:
        u1, u2 = s.second
        s.second = None
        return math.sqrt(-2.0 * math.log(u1)) * math.cos(6.28318530718 * u2)
    u1, u2 = s.draw(), s.draw()
    s.second = (u1, u2)
    return math.sqrt(-2.0 * math.log(u1)) * math.sin(6.28318530718 * u2)


def geometric(s, p):
    n = 1
    while s.draw() > p:
        n += 1
    return n


def poisson(s, mean):
    """Product method on exact powers of two, so that it holds for any mean."""
    mantissa, exponent, n = 1.0, 0, -1
    while True:
        mantissa, shift = math.frexp(mantissa * s.draw())
        exponent += shift
        n += 1
        if math.log(mantissa) + exponent * math.log(2.0) <= -mean:
            return n


def gamma(s, shape, scale):
    if shape == 1.0:
        return -scale * math.log(s.draw())
    if shape > 1.0:
        a = 1 / math.sqrt(2 * shape - 1)
        while True:
            u1, u2 = s.draw(), s.draw()
            v = a * math.log(u1 / (1 - u1))
            y = shape * math.exp(v)
            z = u1 * u1 * u2
            w = shape - math.log(4) + (shape + 1 / a) * v - y
            if w + 1 + math.log(4.5) - 4.5 * z >= 0 or w >= math.log(z):
                return scale * y
    b = (math.e + shape) / math.e
    while True:
        p, u2 = b * s.draw(), s.draw()
        if p > 1:
            y = -math.log((b - p) / shape)
            if u2 <= y ** (shape - 1):
                return scale * y
        else:
            y = p ** (1 / shape)
            if u2 <= math.exp(-y):
                return scale * y


DISTRIBUTIONS = [
    ("integer(-3, 12)", lambda s: integer(s, -3, 12)),
    ("integer(LONG_MIN, LONG_MAX)",
     lambda s: -2 ** 63 + int(s.draw() * float(2 ** 64 - 1))),
    ("ulong(10, 4000000000)", lambda s: integer(s, 10, 4000000000)),
    ("binomial(20, 0.3)", lambda s: sum(s.draw() <= 0.3 for _ in range(20))),
    ("geometric(0.2)", lambda s: geometric(s, 0.2)),
    ("poisson(4.5)", lambda s: poisson(s, 4.5)),
    ("poisson(1500)", lambda s: poisson(s, 1500.0)),
    ("exponential(2.5)", lambda s: -2.5 * math.log(s.draw())),
    ("pareto(6, 2)", lambda s: 2.0 / math.pow(s.draw(), 1 / 6.0)),
    ("weibull(2, 1.5)",
     lambda s: 2.0 / math.gamma(1 + 1 / 1.5) * math.pow(-math.log(s.draw()), 1 / 1.5)),
    ("normal01", normal01),
    ("normal_sd(5, 2)", lambda s: 5.0 + 2.0 * normal01(s)),
    ("lognormal(0.5, 0.25)", lambda s: math.exp(0.5 + 0.25 * normal01(s))),
    ("gamma(2.5, 2)", lambda s: gamma(s, 2.5, 2.0)),
    ("gamma(1, 2)", lambda s: gamma(s, 1.0, 2.0)),
    ("gamma(0.5, 2)", lambda s: gamma(s, 0.5, 2.0)),
]


def print_draws(title, s, n):
    print(title, "start", s.c)
    for _ in range(n):
        print("   ", s.draw().hex())


def print_hash(seed, k, n):
    """FNV-1a over the bits of n draws."""
    s, h = Stream(seed, k), 0xcbf29ce484222325
    for _ in range(n):
        bits = struct.unpack("<Q", struct.pack("<d", s.draw()))[0]
        h = (h ^ bits) * 0x100000001b3 % 2 ** 64
    print("hash of %d draws of stream %d: 0x%016x, state %s" % (n, k, h, s.c))


# States whose next draw is exactly 0 or 1 (about one state in 10^16). Also states at whose next draw the sum
# of the first two terms is exactly 0, and that of the first three exactly 1.
RARE = [[1107644847, 1303215555, 737482056, 76176217],
        [1107644847, 1303215555, 1598537106, 295139216],
        [1482962861, 409108928, 1697023261, 760406158],
        [1107644847, 1185609519, 1366640779, 760406158]]


def search_draw(wanted):
    c = [1234567890, 987654321, 0, 0]
    for c2 in range(10 ** 9, 2 * 10 ** 9):
        c[2], c[3] = c2, 0
        c[3] = int(value(c) / W[3]) + (1 if wanted == 1.0 else 0)
        if 0 < c[3] < M[3] and value(c) == wanted:
            return before(c)


def search_first_sum_0():
    for c1 in range(10 ** 9, 2 * 10 ** 9):
        c0 = round(W[1] * c1 / W[0])
        if W[0] * c0 == W[1] * c1:
            return before([c0, c1, 500000000, 1000000000])


def search_second_sum_1():
    for c1 in range(10 ** 9, 2 * 10 ** 9):
        u = W[0] * 1234567890 - W[1] * c1
        u = u + 1.0 if u < 0 else u
        c2 = round((1.0 - u) / W[2])
        if c2 < M[2] and u + W[2] * c2 == 1.0:
            return before([1234567890, c1, c2, 1000000000])


def search_rare():
    return [search_draw(0.0), search_draw(1.0), search_first_sum_0(), search_second_sum_1()]


MASK = 2 ** 64 - 1
GOLDEN = 0x9e3779b97f4a7c15


def mix(z):
    """Stafford's variant 13."""
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & MASK
    z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK
    return z ^ z >> 31


def fast_draws(seed, k, n):
    """The first draws of stream k of --rng=fast."""
    key = 0
    for word in seed:
        key = mix(key + GOLDEN + word & MASK)
    state = mix(mix(key + GOLDEN & MASK) + k * GOLDEN & MASK)
    gamma = mix(mix(key + 2 * GOLDEN & MASK) + k * GOLDEN & MASK) | 1 << 63 | 1
    changes = bin(gamma ^ gamma >> 1).count("1")
    if changes < 24:
        gamma ^= 0x2aaaaaaaaaaaaaaa
    return changes, [((mix(state + i * gamma & MASK) >> 12) + 0.5) / 2 ** 52 for i in range(1, n + 1)]


def print_fast():
    rare = next(k for k in range(1000) if fast_draws(MODEL, k, 1)[0] < 24)
    for name, seed, k in [("model", MODEL, 0), ("model", MODEL, 1), ("model", MODEL, rare),
                          ("model", MODEL, MASK), ("core", CORE, 0), ("core", CORE, 12345)]:
        print("fast", name, k, [x.hex() for x in fast_draws(seed, k, 3)[1]])


if __name__ == "__main__":
    print_fast()
    for k in [0, 1, 2, 1000, 2 ** 33, 2 ** 64 - 1]:
        print_draws("model stream %d" % k, Stream(MODEL, k), 3)
    for k in [0, 7]:
        print_draws("core stream %d" % k, Stream(CORE, k), 3)
    print_draws("seeds 0 2^32-1 1 2^31, stream 3", Stream([0, 2 ** 32 - 1, 1, 2 ** 31], 3), 3)
    print_hash(MODEL, 5, 100000)
    print_hash(CORE, 12345, 100000)
    for name, f in DISTRIBUTIONS:
        s = Stream(MODEL, 42)
        results = [f(s) for _ in range(6)]
        print(name, results, "draws", s.count)
    for c in search_rare() if "--search" in sys.argv else RARE:
        s = Stream(MODEL, 0)
        s.c = list(c)
        print("state", c, "next draw is", s.draw().hex())
