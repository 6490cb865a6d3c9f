# SPDX-License-Identifier: BSD-3-Clause
"""Statistics of simulation output: intervals that say how many values they rest on.

The sources are textbooks and the papers they name: A. M. Law, "Simulation Modeling and Analysis", 5th edition, 2015
(chapters 9 and 10, below "Law"), and the papers at each function. Everything is computed here with numpy; the tests
compare with scipy and with tables. Functions raise `ValueError` for too few values, and never return a mean without
its number of values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any, Callable, List, Optional, Sequence, Tuple

import numpy as np

_NORMAL = NormalDist()


@dataclass(frozen=True)
class Interval:
    """An estimate with the number of values it rests on, and its confidence interval."""

    n: int
    estimate: float
    low: float
    """The lower end; NaN if there are too few values for an interval."""
    high: float
    confidence: float
    error: float = math.nan
    """The standard error; NaN where the method has none."""

    @property
    def half(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2

    @property
    def relative(self) -> float:
        """The half width as a part of the estimate; infinite if the estimate is 0."""
        return self.half / abs(self.estimate) if self.estimate != 0 else math.inf

    def __str__(self) -> str:
        return f"{self.estimate:.6g} [{self.low:.6g}, {self.high:.6g}] (n={self.n}, {100 * self.confidence:g} %)"


# ---- Distributions --------------------------------------------------------------------------------------------------

def _beta_fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function (Abramowitz & Stegun 26.5.8, Lentz's method)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > tiny else tiny)
    result = d
    for m in range(1, 500):
        for numerator in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                          -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1.0 + numerator * d
            c = 1.0 + numerator / c
            d = 1.0 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            result *= d * c
        if abs(d * c - 1.0) < 1e-15:
            break
    return result


def beta_probability(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function I_x(a, b)."""
    if not 0.0 < x < 1.0:
        return 0.0 if x <= 0.0 else 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, 1.0 - x) / b


def _root(function: Callable[[float], float], low: float, high: float, within: float = 0.0) -> float:
    """Return where an increasing function changes its sign, by bisection; `high` grows until it is above."""
    while function(high) < 0:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high) or high - low < within:
            break
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return (low + high) / 2


@lru_cache(maxsize=4096)
def t_quantile(p: float, df: float) -> float:
    """Return the quantile p of Student's t distribution with df degrees of freedom."""
    if not 0.0 < p < 1.0 or not df > 0:
        raise ValueError("p must be between 0 and 1, df greater than 0")
    if p == 0.5:
        return 0.0
    if p < 0.5:
        return -t_quantile(1.0 - p, df)
    return _root(lambda t: 1.0 - p - 0.5 * beta_probability(df / (df + t * t), df / 2, 0.5), 0.0, 10.0)


def binomial_probability(k: int, n: int, p: float) -> float:
    """Return the probability of at most k successes in n trials."""
    return 1.0 if k >= n else 0.0 if k < 0 else beta_probability(1.0 - p, n - k, k + 1)


def _normal_cdf(x: np.ndarray) -> np.ndarray:
    return 0.5 * np.vectorize(math.erfc, otypes=[float])(-np.asarray(x, float) / math.sqrt(2))


def _chi_nodes(df: float, n: int) -> Tuple[np.ndarray, np.ndarray]:
    """Return points and weights of the distribution of chi-square with df degrees of freedom (Gauss-Legendre)."""
    spread = 12 * math.sqrt(2 * df) + 60
    low, high = max(0.0, df - spread), df + spread
    # With few degrees of freedom the density is infinite at 0: points are squares, whose density is finite.
    nodes, weights = np.polynomial.legendre.leggauss(n)
    s = (nodes + 1) / 2 * (math.sqrt(high) - math.sqrt(low)) + math.sqrt(low)
    log_density = (df / 2 - 1) * np.log(s * s) - s * s / 2 - df / 2 * math.log(2) - math.lgamma(df / 2)
    w = weights * np.exp(log_density) * 2 * s
    return s * s, w / w.sum()


@lru_cache(maxsize=256)
def rinott_constant(k: int, n0: int, probability: float) -> float:
    """Return h of Rinott's procedure for k systems, n0 replications in the first stage, and P* = probability.

    Y. Rinott, "On two-stage selection procedures and related probability-inequalities", Communications in Statistics A7
    (1978): the h with E[ (E[ Phi(h / sqrt(df (1/X + 1/Y))) | Y ])^(k-1) ] = P*, X and Y chi-square with df = n0 - 1.
    """
    if k < 2 or n0 < 2 or not 1.0 / k < probability < 1.0:
        raise ValueError("Rinott's constant needs k >= 2, n0 >= 2 and 1/k < P* < 1")
    df = n0 - 1
    x, w = _chi_nodes(df, 96)
    spread = np.sqrt(df * (1 / x[:, None] + 1 / x[None, :]))

    def excess(h: float) -> float:
        inner = w @ _normal_cdf(h / spread)
        return float((inner ** (k - 1)) @ w) - probability
    return _root(excess, 0.0, 8.0, 1e-7)


@lru_cache(maxsize=256)
def dunnett_quantile(k: int, df: float, confidence: float) -> float:
    """Return the one-sided critical value of k comparisons with one, all with equal numbers of values.

    The k differences have correlation 1/2 (C. W. Dunnett, JASA 50, 1955): P(max of (Z_i - Z_0) / sqrt(2) <= d S) with
    S^2 chi-square/df, integrated numerically.
    """
    if k < 1 or not df > 0 or not 0.0 < confidence < 1.0:
        raise ValueError("the critical value needs k >= 1, df > 0 and a confidence between 0 and 1")
    nodes, weights = np.polynomial.hermite_e.hermegauss(64)
    weights = weights / weights.sum()
    x, w = _chi_nodes(df, 96)
    s = np.sqrt(x / df)

    def excess(d: float) -> float:
        inner = _normal_cdf(math.sqrt(2) * d * s[:, None] + nodes[None, :]) ** k
        return float(w @ (inner @ weights)) - confidence
    return _root(excess, 0.0, 8.0, 1e-7)


# ---- One mean -------------------------------------------------------------------------------------------------------

def _finite(values: Sequence[float], least: int) -> np.ndarray:
    array = np.asarray(values, float).ravel()
    if len(array) < least:
        raise ValueError(f"{len(array)} values: at least {least} are needed")
    if not np.isfinite(array).all():
        raise ValueError("a value is not a finite number")
    return array


def mean(values: Sequence[float], confidence: float = 0.95) -> Interval:
    """Return the mean of independent values with Student's t interval (Law, equation 4.12).

    One value has no interval: its ends are NaN.
    """
    array = _finite(values, 1)
    n, centre = len(array), float(array.mean())
    if n == 1:
        return Interval(1, centre, math.nan, math.nan, confidence)
    error = float(array.std(ddof=1)) / math.sqrt(n)
    half = t_quantile((1 + confidence) / 2, n - 1) * error
    return Interval(n, centre, centre - half, centre + half, confidence, error)


def quantile(values: Sequence[float], p: float, confidence: float = 0.95) -> Interval:
    """Return the quantile p of independent values, with an interval between two of them.

    The interval holds for any distribution (Conover, "Practical Nonparametric Statistics", 3.2). Its ends are infinite
    where n values are too few for the confidence.
    """
    array = np.sort(_finite(values, 1))
    n, tail = len(array), (1 - confidence) / 2
    low = next((r for r in range(n, 0, -1) if binomial_probability(r - 1, n, p) <= tail), 0)
    high = next((s for s in range(1, n + 1) if binomial_probability(s - 1, n, p) >= 1 - tail), n + 1)
    return Interval(n, float(np.quantile(array, p)), float(array[low - 1]) if low >= 1 else -math.inf,
                    float(array[high - 1]) if high <= n else math.inf, confidence)


def paired(first: Sequence[float], second: Sequence[float], confidence: float = 0.95) -> Interval:
    """Return the mean of the differences first - second of pairs (Law, 10.2.1).

    Pairs are replications with common random numbers: the difference then varies less than its parts.
    """
    a, b = _finite(first, 2), _finite(second, 2)
    if len(a) != len(b):
        raise ValueError(f"{len(a)} and {len(b)} values are no pairs")
    return mean(a - b, confidence)


def enough(values: Sequence[float], within: float, confidence: float = 0.95, least: int = 10) -> bool:
    """Return whether the mean is known within a relative error (Law, 9.4.1, the sequential procedure).

    The half width must be at most within / (1 + within) of the estimate, so that the error is relative to the unknown
    mean. The procedure needs at least ten values; the interval then still undercovers a little.
    """
    if not within > 0:
        raise ValueError("the relative error must be greater than 0")
    if len(values) < max(2, least):
        return False
    return mean(values, confidence).relative <= within / (1 + within)


# ---- One long run ---------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Batches:
    """The mean of a long run by batch means, and whether the batches look independent."""

    interval: Interval
    size: int
    """Observations in a batch; n of the interval is the number of batches."""
    correlation: float
    """Correlation of neighbouring batch means."""
    p_value: float
    """Of von Neumann's test that they are independent: a small one says that batches are too short."""

    @property
    def independent(self) -> bool:
        """True if the test at the level 0.1 does not reject independence."""
        return self.p_value >= 0.1


def batch_means(series: Sequence[float], batches: int = 20, confidence: float = 0.95) -> Batches:
    """Return the mean of a correlated, stationary series by means of batches (Law, 9.5.3).

    The test is von Neumann's: with independent normal means, the ratio of the sum of squared successive differences to the
    sum of squared deviations has mean 2 and, with b batches, the variance 4 (b - 2) / (b^2 - 1). A positive correlation makes the
    interval too short. Observations that do not fill a batch are left out at the beginning.
    """
    if batches < 4:
        raise ValueError("at least 4 batches are needed")
    array = _finite(series, 2 * batches)
    size = len(array) // batches
    means = array[len(array) - size * batches:].reshape(batches, size).mean(axis=1)
    deviations = means - means.mean()
    square = float(deviations @ deviations)
    if square == 0.0:
        return Batches(mean(means, confidence), size, 0.0, 1.0)
    ratio = float((np.diff(means) ** 2).sum()) / square
    z = (ratio - 2.0) / math.sqrt(4.0 * (batches - 2) / (batches ** 2 - 1))
    return Batches(mean(means, confidence), size, float(deviations[1:] @ deviations[:-1]) / square, _NORMAL.cdf(z))


@dataclass(frozen=True)
class WarmUp:
    """What MSER-5 says about the beginning of a series."""

    cut: int
    """Number of observations to leave out."""
    n: int
    """Number of observations of the series."""
    batch: int
    curve: np.ndarray
    """The statistic for each number of batches left out, up to half of the series; its least value is the cut."""
    means: np.ndarray
    """Means of the batches, to be plotted beside it."""

    @property
    def reliable(self) -> bool:
        """False if the least value is at the end of the curve: the series is then too short to have a steady part."""
        return self.cut < (len(self.curve) - 1) * self.batch

    def plot(self) -> Any:
        """Draw the batch means and the statistic, with the cut, by matplotlib; return the figure."""
        import matplotlib.pyplot as plt

        figure, (above, below) = plt.subplots(2, 1, sharex=True)
        above.plot(np.arange(len(self.means)) * self.batch, self.means)
        below.plot(np.arange(len(self.curve)) * self.batch, self.curve)
        above.set_ylabel(f"mean of {self.batch}")
        below.set(ylabel="MSER", xlabel="observations left out")
        for axes in (above, below):
            axes.axvline(self.cut, linestyle="--")
        return figure


def mser(series: Sequence[float], batch: int = 5) -> WarmUp:
    """Return how much of the beginning of a series is warm-up, by MSER-5.

    K. P. White, M. J. Cobb, S. C. Spratt, "A comparison of five steady-state truncation heuristics for simulation",
    WSC 2000: of the means of batches of five, leave out as many as make the standard error of the mean of the others
    least; at most half. Look at the curve: a cut at its end means that the run is too short.
    """
    array = _finite(series, 4 * batch)
    k = len(array) // batch
    means = array[:k * batch].reshape(k, batch).mean(axis=1)
    centred = means - means.mean()  # sums of squares of what is left, without cancellation
    left = np.arange(k, 0, -1, dtype=float)
    sums, squares = np.cumsum(centred[::-1])[::-1], np.cumsum((centred ** 2)[::-1])[::-1]
    curve = (np.maximum(squares - sums ** 2 / left, 0.0) / left ** 2)[:k // 2 + 1]
    return WarmUp(int(np.argmin(curve)) * batch, len(array), batch, curve, means)


# ---- Several systems ------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Selection:
    """What a two-stage selection needs, or has chosen."""

    best: Optional[int]
    """Index of the chosen system; None while replications are missing."""
    needed: List[int]
    """Replications that each system needs in total."""
    n: List[int]
    means: List[float]
    h: float


def rinott(samples: Sequence[Sequence[float]], indifference: float, probability: float = 0.95, n0: int = 20,
           largest: bool = False) -> Selection:
    """Select the system with the smallest mean (or the largest) in two stages (Rinott 1978; Law, 10.4).

    With probability P* at least, the chosen one is the best if the best is better than all others by `indifference`
    or more. samples: independent replications of each system, without common random numbers. The variance of the
    first n0 values decides how many each system needs: call again when they are there.
    """
    if not indifference > 0:
        raise ValueError("the indifference must be greater than 0")
    arrays = [_finite(values, n0) for values in samples]
    h = rinott_constant(len(arrays), n0, probability)
    needed = [max(n0, math.ceil((h / indifference) ** 2 * float(a[:n0].var(ddof=1)))) for a in arrays]
    means = [float(a[:max(n, n0)].mean()) for a, n in zip(arrays, needed)]
    done = all(len(a) >= n for a, n in zip(arrays, needed))
    order = max if largest else min
    return Selection(order(range(len(means)), key=means.__getitem__) if done else None, needed,
                     [len(a) for a in arrays], means, h)


def best(samples: Sequence[Sequence[float]], confidence: float = 0.95, largest: bool = False) -> List[Interval]:
    """Compare each system with the best of the others (J. C. Hsu, Annals of Statistics 12, 1984).

    Return an interval for (mean of a system) - (best mean of the others) of each system, all true at once with the
    confidence. If smaller is better: a system whose interval begins at 0 is not the best; one whose interval ends at 0
    is the best. samples: equal numbers of independent values with equal variances.
    """
    arrays = [_finite(values, 2) for values in samples]
    n = len(arrays[0])
    if len(arrays) < 2 or any(len(a) != n for a in arrays):
        raise ValueError("comparing with the best needs two or more systems with equal numbers of values")
    df = len(arrays) * (n - 1)
    error = math.sqrt(sum(float(a.var(ddof=1)) for a in arrays) / len(arrays) * 2 / n)
    reach = dunnett_quantile(len(arrays) - 1, df, confidence) * error
    sign = -1.0 if largest else 1.0
    means = [sign * float(a.mean()) for a in arrays]
    out = []
    for i, own in enumerate(means):
        difference = own - min(m for j, m in enumerate(means) if j != i)
        ends = sorted((sign * min(difference - reach, 0.0), sign * max(difference + reach, 0.0)))
        out.append(Interval(n, sign * difference, ends[0], ends[1], confidence, error))
    return out
