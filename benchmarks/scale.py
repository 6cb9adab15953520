"""Measure novelty scores and clustering of large populations, compared with scikit-learn and brute force.

Run the script as ``python benchmarks/scale.py``, which takes some minutes and writes docs/images/scale.png. Each number
is the smallest CPU time of several repeats in one thread. The behaviours of a population form clusters in a box, and
the novelty archive is as large as the population. The scikit-learn baselines are NearestNeighbors, and KMeans with the
same initial centroids and number of iterations. The time to cluster the first population includes the initialisation by
k-means++. Brute force computes all distances; for clustering, the time of one iteration is multiplied by the number of
iterations. The script also measures a few generations of complete runs in the hard maze.
"""

import dataclasses
import pathlib
import platform
import time
import warnings

import matplotlib
import numpy as np
from matplotlib import pyplot as plt
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans, kmeans_plusplus
from sklearn.neighbors import NearestNeighbors
from threadpoolctl import threadpool_limits

from divergent.individual import Outcomes
from divergent.neighbours._kmeans import kmeans, kmeans_plus_plus
from divergent.plots._style import colour, value_map
from divergent.runs import Settings, run
from divergent.selection import Novelty

SCORED = ((250, 2), (2500, 2), (10_000, 2), (250, 20), (2500, 20), (10_000, 20), (250, 400), (2500, 400))
LEARNT = ((2500, 400), (10_000, 20))
CLUSTERS = 200
RUNS = ((250, 40), (2500, 3), (10_000, 2))  # population, generations
FIGURE = pathlib.Path(__file__).parents[1] / "docs" / "images" / "scale.png"


def in_turn(*functions, repeats):
    """Repeat a measurement of the CPU time of each function, and return the smallest results in milliseconds."""
    times = np.full((repeats, len(functions)), np.inf)
    for row in times:
        for place, function in enumerate(functions):
            begin = time.process_time()
            function()
            row[place] = (time.process_time() - begin) * 1e3
    return times.min(axis=0)


def clumps(size, numbers, rng):
    return rng.uniform(0, 200, (20, numbers))[rng.integers(20, size=size)] + rng.normal(0, 8, (size, numbers))


def scoring(size, numbers, rng):
    """Return the CPU times that divergent, scikit-learn and brute force need for novelty scores of a population."""
    everyone = clumps(2 * size, numbers, rng)
    population, archive = Outcomes(np.zeros(size), everyone[:size]), everyone[size:]

    def ours():
        novelty = Novelty()
        novelty.archive = archive
        return novelty.score(population)

    def theirs():
        return NearestNeighbors(n_neighbors=16).fit(everyone).kneighbors(population.behaviours)

    def brute():
        for first in range(0, size, 250):
            np.partition(cdist(population.behaviours[first : first + 250], everyone), 15)

    assert np.allclose(ours(), theirs()[0][:, 1:].mean(axis=1))
    work = size * size * numbers
    times = in_turn(ours, theirs, repeats=9 if work < 1e8 else 3)
    return *times, *in_turn(brute, repeats=1)


def learning(size, numbers, rng):
    """Return the CPU times to cluster a first population with k-means++, and to cluster a later population."""
    first = clumps(size, numbers, rng)
    later = first + rng.normal(0, 3, first.shape)
    seeds = kmeans_plus_plus(first, CLUSTERS, np.random.default_rng(0))
    centroids, _ = kmeans(first, seeds)

    def theirs(behaviours, init):
        options = {"init": init, "n_init": 1, "tol": 0, "algorithm": "lloyd"}
        iterations = KMeans(CLUSTERS, **options).fit(behaviours).n_iter_
        return lambda: KMeans(CLUSTERS, **options, max_iter=iterations).fit(behaviours)

    def brute():
        for begin in range(0, size, 250):
            cdist(first[begin : begin + 250], seeds).argmin(axis=1)

    lloyd, lloyd_later = theirs(first, seeds), theirs(later, centroids)
    iterations = lloyd().n_iter_, lloyd_later().n_iter_
    ours_first, theirs_first, ours_later, theirs_later = in_turn(
        lambda: kmeans(first, kmeans_plus_plus(first, CLUSTERS, np.random.default_rng(0))),
        lambda: (kmeans_plusplus(first, CLUSTERS, random_state=0), lloyd()),
        lambda: kmeans(later, centroids),
        lloyd_later,
        repeats=4,
    )
    (once,) = in_turn(brute, repeats=2)
    return (
        (ours_first, theirs_first, once * (iterations[0] + 2 + int(np.log(CLUSTERS)))),
        (ours_later, theirs_later, once * iterations[1]),
    )


def evaluations_per_second(search, population, generations, behaviour):
    """Return how many evaluations a run executes per second of CPU time; a short run compiles the kernels first."""
    settings = Settings(maze="hard", search=search, population=250, generations=12, behaviour=behaviour, seed=1)
    run(settings)
    begin = time.process_time()
    record = run(dataclasses.replace(settings, population=population, generations=generations))
    return record.evaluations / (time.process_time() - begin)


def draw(rows, rates):
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
    for color, numbers in zip(value_map()([0.0, 0.4, 0.8]), (2, 20, 400), strict=True):
        novelty_rows = [row for row in rows if row[2] == numbers and row[0] == "novelty"]
        sizes = [row[1] for row in novelty_rows]
        left.plot(sizes, [row[3] for row in novelty_rows], "o-", color=color, label=f"divergent, {numbers} dimensions")
        left.plot(
            sizes, [row[4] for row in novelty_rows], "s--", color=color, label=f"scikit-learn, {numbers}", alpha=0.7
        )
        left.plot(sizes, [row[5] for row in novelty_rows], ":", color=color, label=f"brute force, {numbers}", alpha=0.7)
    left.set(
        title="novelty scores",
        xscale="log",
        yscale="log",
        xlabel="population (with an equally large archive)",
        ylabel="CPU time to score it (ms)",
    )
    left.legend(fontsize=8, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.14))
    for color, search in ((colour(name), name) for name in ("surprise", "novelty")):
        for style, behaviour in (("o-", "end"), ("s--", "trail:200")):
            points = [(key[1], rate) for key, rate in rates.items() if (key[0], key[2]) == (search, behaviour)]
            right.plot(*zip(*points, strict=True), style, color=color, label=f"{search}, behaviour {behaviour}")
    right.set(
        title="runs in the hard maze",
        xscale="log",
        yscale="log",
        xlabel="population",
        ylabel="evaluations per second of CPU time",
    )
    right.legend(fontsize=8, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.14))
    figure.savefig(FIGURE, dpi=110)


def main():
    warnings.simplefilter("ignore")  # KMeans warns that it did not converge within the limited iterations
    matplotlib.use("agg")
    threadpool_limits(1)
    rng = np.random.default_rng(0)
    versions = f"Python {platform.python_version()}, numpy {np.__version__}"
    print(f"{platform.machine()}, {versions}; ms of CPU time, one thread")
    print(f"{'what':<18}{'rows':>7}{'numbers':>9}{'ours':>10}{'sklearn':>10}{'brute':>10}{'ours/sklearn':>14}")
    rows = []

    def show(what, size, numbers, ours, theirs, brute):
        rows.append((what, size, numbers, ours, theirs, brute))
        print(
            f"{what:<18}{size:>7}{numbers:>9}{ours:>10.1f}{theirs:>10.1f}{brute:>10.0f}{ours / theirs:>14.2f}",
            flush=True,
        )

    for size, numbers in SCORED:
        show("novelty", size, numbers, *scoring(size, numbers, rng))
    for size, numbers in LEARNT:
        first, later = learning(size, numbers, rng)
        show("surprise, first", size, numbers, *first)
        show("surprise, later", size, numbers, *later)

    print(f"\n{'search':<12}{'population':>11}{'end':>9}{'trail:200':>11}   evaluations/s")
    rates = {}
    for search in ("surprise", "novelty"):
        for population, generations in RUNS:
            for behaviour in ("end", "trail:200"):
                if population == 10_000 and behaviour != "end":
                    continue
                rate = evaluations_per_second(search, population, generations, behaviour)
                rates[search, population, behaviour] = rate
            trail = rates.get((search, population, "trail:200"))
            print(
                f"{search:<12}{population:>11}{rates[search, population, 'end']:>9.0f}"
                + (f"{trail:>11.0f}" if trail else ""),
                flush=True,
            )
    draw(rows, rates)


if __name__ == "__main__":
    main()
