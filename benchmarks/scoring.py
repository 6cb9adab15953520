"""Measure, for each search, the CPU time to score a generation of 250 individuals and to update the strategy.

Run the script as ``python benchmarks/scoring.py``. Each number is the smallest CPU time of several repeats over the
same generations. NumPy implementations of novelty and surprise search are measured for comparison, with fewer repeats.
The column "one" is the time to score a single child, as in the steady-state loop.
"""

import platform
import time

import numpy as np

from divergent.individual import Outcomes
from divergent.selection import Blend, Novelty, Objective, Random, Surprise, SurpriseNoPrediction, SurpriseRandom

POPULATION = 250
GENERATIONS = 10
REPEATS = 5
TARGETS = {("surprise", 0, 2): 1.0, ("novelty", 5000, 2): 2.0}  # milliseconds


class PlainNovelty:
    """Novelty search that computes all pairwise distances, implemented with NumPy array operations."""

    def __init__(self, archive):
        self.archive = archive

    def score_generation(self, outcomes):
        behaviours = outcomes.behaviours
        to_others = _distances(behaviours, behaviours)
        np.fill_diagonal(to_others, np.inf)
        to_archive = _distances(behaviours, self.archive)
        to_all = np.hstack([to_others, to_archive])
        scores = np.partition(to_all, 14, axis=1)[:, :15].mean(axis=1)
        far = to_archive.min(axis=1, initial=np.inf) > 6.0
        self.archive = np.vstack([self.archive, behaviours[far]])
        return scores


class PlainSurprise:
    """Surprise search with k-means clusters and linear predictions, implemented with NumPy array operations."""

    def __init__(self, centroids):
        self.centroids = [centroids, centroids]
        self.predictions = centroids

    def score_generation(self, outcomes):
        behaviours = outcomes.behaviours
        scores = np.partition(_distances(behaviours, self.predictions), 1, axis=1)[:, :2].mean(axis=1)
        centroids, labels = self.centroids[-1].copy(), None
        while True:
            nearest = _distances(behaviours, centroids).argmin(axis=1)
            if labels is not None and (nearest == labels).all():
                break
            labels = nearest
            for cluster in np.unique(labels):
                centroids[cluster] = behaviours[labels == cluster].mean(axis=0)
        occupied = np.isin(np.arange(len(centroids)), labels)[:, None]
        self.centroids = [self.centroids[-1], centroids]
        self.predictions = np.where(occupied, 2 * centroids - self.centroids[0], self.predictions)
        return scores


def _distances(a, b):
    if a.shape[1] > 10:  # a single array of all differences would need too much memory
        return np.array([np.sqrt(((b - row) ** 2).sum(axis=1)) for row in a])
    return np.sqrt(((a[:, None] - b) ** 2).sum(axis=2))


def generations_of(dimensions, rng):
    """Return generations of random behaviours that form clusters; the clusters drift from generation to generation."""
    clumps = rng.uniform(0, 200, (20, dimensions))
    generations = []
    for _ in range(GENERATIONS):
        clumps += rng.normal(0, 3, clumps.shape)
        behaviours = clumps[rng.integers(20, size=POPULATION)] + rng.normal(0, 8, (POPULATION, dimensions))
        generations.append(Outcomes(rng.random(POPULATION), behaviours))
    return generations


def milliseconds(make, generations, repeats=REPEATS):
    """Return the CPU time of one generation in milliseconds, after two generations of warm-up."""
    times = []
    for _ in range(repeats):
        strategy = make()
        for outcomes in generations[:2]:
            strategy.score_generation(outcomes)
        begin = time.process_time()
        for outcomes in generations[2:]:
            strategy.score_generation(outcomes)
        times.append((time.process_time() - begin) / (len(generations) - 2) * 1e3)
    return min(times)


def microseconds_of_a_child(make, generations):
    strategy = make()
    for outcomes in generations[:3]:
        strategy.learn(outcomes)
    child = Outcomes(np.zeros(1), generations[3].behaviours[:1].copy())
    others = Outcomes(generations[3].fitness[1:], generations[3].behaviours[1:].copy())
    repeats = 2000 if child.behaviours.shape[1] == 2 else 100
    times = []
    for _ in range(REPEATS):
        begin = time.process_time()
        for _ in range(repeats):
            strategy.score(child, among=others)
        times.append((time.process_time() - begin) / repeats * 1e6)
    return min(times)


def main():
    rng = np.random.default_rng(0)
    print(f"population {POPULATION}, {platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}")
    print(f"{'search':<12}{'archive':>8}{'numbers':>9}{'ms':>10}{'numpy ms':>10}{'ratio':>7}{'one, us':>10}   target")
    for dimensions in (2, 400):
        generations = generations_of(dimensions, rng)
        archives = {size: rng.uniform(0, 200, (size, dimensions)) for size in (0, 5000)}
        seeds = generations[0].behaviours[:200].copy()
        bounds = ((0,) * dimensions, (200,) * dimensions)

        def novelty(size, archives=archives):
            strategy = Novelty()
            strategy.archive = archives[size]
            return strategy

        rows = [
            ("objective", 0, Objective, None),
            ("random", 0, Random, None),
            ("surprise", 0, Surprise, lambda seeds=seeds: PlainSurprise(seeds)),
            ("ssnp", 0, SurpriseNoPrediction, None),
            ("ssr", 0, lambda bounds=bounds: SurpriseRandom(bounds=bounds), None),
            ("novelty", 0, lambda: novelty(0), lambda archives=archives: PlainNovelty(archives[0])),
            ("novelty", 5000, lambda: novelty(5000), lambda archives=archives: PlainNovelty(archives[5000])),
            ("blend", 5000, lambda: Blend({novelty(5000): 1, Surprise(): 1}), None),
        ]
        for name, size, make, plain in rows:
            ours = milliseconds(make, generations)
            theirs = milliseconds(plain, generations[:5], repeats=2) if plain else None
            target = TARGETS.get((name, size, dimensions))
            print(
                f"{name:<12}{size:>8}{dimensions:>9}{ours:>10.3f}"
                + (f"{theirs:>10.2f}{theirs / ours:>7.0f}" if plain else f"{'':>17}")
                + f"{microseconds_of_a_child(make, generations):>10.1f}"
                + (f"   {target} ms: {'met' if ours <= target else 'MISSED'}" if target else "")
            )


if __name__ == "__main__":
    main()
