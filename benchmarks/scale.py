"""Measure novelty scores and clustering of large populations, compared with scikit-learn and brute force.

Run the script as ``python benchmarks/scale.py``, which takes some minutes and writes docs/images/scale.png. The option
--draw draws the figure from the tables in docs/benchmarks/performance.md instead. Each number is the smallest CPU time
of several repeats in one thread. The behaviours of a population form clusters in a box, and the novelty archive is as
large as the population. The scikit-learn baselines are NearestNeighbors, and KMeans with the same initial centroids and
number of iterations. The time to cluster the first population includes the initialisation by k-means++. Brute force
computes all distances; for clustering, the time of one iteration is multiplied by the number of iterations. The script
also measures a few generations of complete runs in the hard maze.
"""

import dataclasses
import pathlib
import platform
import re
import sys
import time
import warnings

import matplotlib
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D
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
DOCS = pathlib.Path(__file__).parents[1] / "docs"
FIGURE, PAGE = DOCS / "images" / "scale.png", DOCS / "benchmarks" / "performance.md"
SIZES = (250, 2500, 10_000)
BELOW = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16), "frameon": False, "columnspacing": 1.2}


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
    points = clumps(2 * size, numbers, rng)
    population, archive = Outcomes(np.zeros(size), points[:size]), points[size:]

    def ours():
        novelty = Novelty()
        novelty.archive = archive
        return novelty.score(population)

    def theirs():
        return NearestNeighbors(n_neighbors=16).fit(points).kneighbors(population.behaviours)

    def brute():
        for first in range(0, size, 250):
            np.partition(cdist(population.behaviours[first : first + 250], points), 15)

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


def read_page():
    """Return the novelty times and the evaluations per second of the tables on the documentation page."""
    text = PAGE.read_text(encoding="utf-8")
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line] for line in lines]
    first = next(place for place, row in enumerate(cells) if row[0].startswith("novelty: score"))
    rows = [
        ("novelty", *(float(cell.replace(",", "")) for cell in row[1:6])) for row in cells[first : first + len(SCORED)]
    ]
    (slow,) = re.findall(r"2,500\s+individuals\s+is\s+slow:.*?(\d+)\s+microseconds", text, flags=re.DOTALL)
    rates = {("novelty", 2500, "trail:200"): 1e6 / float(slow)}
    for search, small, large, _, trail, *_ in (row for row in cells if len(row) == 6 and row[1].endswith(" us")):
        keys = ((250, "end", small), (10_000, "end", large), (250, "trail:200", trail))
        rates |= {(search, population, behaviour): 1e6 / float(cell[:-3]) for population, behaviour, cell in keys}
    return rows, dict(sorted(rates.items()))


def draw(rows, rates):
    plt.rcParams["font.size"] = 12
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 5), layout="constrained")
    programs = {  # column, and line of each program; scikit-learn has large open markers behind those of divergent
        "divergent": (3, {"linestyle": "-", "marker": "o", "markersize": 5, "zorder": 3}),
        "scikit-learn": (4, {"linestyle": "--", "marker": "s", "markersize": 10, "markerfacecolor": "white"}),
        "brute force": (5, {"linestyle": ":"}),
    }
    shades = dict(zip((2, 20, 400), value_map()([0.0, 0.4, 0.8]), strict=True))
    for dimensions, shade in shades.items():
        drawn = [row for row in rows if row[0] == "novelty" and row[2] == dimensions]
        for column, look in programs.values():
            left.plot([row[1] for row in drawn], [row[column] for row in drawn], color=shade, **look)
    left.set(title="novelty scores", xlabel="population (with an equally large archive)", ylabel="CPU time (ms)")
    keys = [Line2D([], [], color=shade, linewidth=4, label=f"{count} dimensions") for count, shade in shades.items()]
    keys += [Line2D([], [], color="0.3", label=name, **look) for name, (_, look) in programs.items()]
    left.legend(handles=keys, ncols=2, **BELOW)

    behaviours = {"end": {"linestyle": "-", "marker": "o"}, "trail:200": {"linestyle": "--", "marker": "s"}}
    for search in ("surprise", "novelty"):
        for behaviour, look in behaviours.items():
            points = [(key[1], rate) for key, rate in rates.items() if (key[0], key[2]) == (search, behaviour)]
            right.plot(*zip(*points, strict=True), color=colour(search), **look)
    right.set(title="runs in the hard maze", xlabel="population", ylabel="evaluations per second of CPU time")
    keys = [Line2D([], [], color=colour(search), linewidth=4, label=search) for search in ("surprise", "novelty")]
    keys += [Line2D([], [], color="0.3", label=f"behaviour {name}", **look) for name, look in behaviours.items()]
    right.legend(handles=keys, ncols=2, **BELOW)
    right.set_ylim(0, None)
    for axes in (left, right):
        axes.set_xscale("log")
        axes.set_xticks(SIZES, [f"{size:,}" for size in SIZES])
        axes.minorticks_off()
    left.set_yscale("log")
    for axis in (left.yaxis, right.yaxis):
        axis.set_major_formatter("{x:,g}")
    figure.savefig(FIGURE, dpi=100)


def main():
    warnings.simplefilter("ignore")  # KMeans warns that it did not converge within the limited iterations
    matplotlib.use("agg")
    if "--draw" in sys.argv[1:]:
        draw(*read_page())
        return
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
