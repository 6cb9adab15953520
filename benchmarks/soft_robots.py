"""Compare searches on soft robots: python benchmarks/soft_robots.py [--size 5] [--seeds 20] [--searches ...].

Every run is appended to results/soft_robots when the run ends. Existing runs are skipped, so that the same command
continues an interrupted experiment. With the option `--report`, the script writes the table and the figure instead of
executing runs. The experimental protocol in docs/benchmarks/soft_robots.md was fixed before the first run.
"""

import argparse
import csv
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from divergent import analysis, steady_state
from divergent.plots import _style as style
from divergent.problems import soft_robots
from divergent.selection import SEARCHES

HOME = Path(__file__).parents[1]
RESULTS = HOME / "results" / "soft_robots"
FIGURE = HOME / "docs" / "images" / "soft_robots.png"
PAGE = HOME / "docs" / "benchmarks" / "soft_robots.md"
START, END = "<!-- results -->", "<!-- end of results -->"
PLANNED = {5: 20, 7: 10, 10: 5}  # planned number of runs of each search, by the side length of the lattice in voxels
COMPARED = ("objective", "novelty", "surprise", "nss", "random")
POPULATION, GENERATIONS = 50, 100
BEST = 20  # diversity is measured over the 20 best bodies of a run
CELLS = 10  # number of cells per dimension of the grid that measures coverage
# numbers of evaluations at which the best distance is recorded
MARKS = np.arange(250, POPULATION * GENERATIONS + 1, 250)


class Observer:
    """Soft-robot task that records every evaluated body and the distance that the body moved."""

    def __init__(self, task: soft_robots.SoftRobotTask):
        self.task = task
        self.distances: dict[bytes, float] = {}
        self.best = 0.0

    def __call__(self, genome: Any) -> Any:
        """Evaluate a genome."""
        outcome = self.task(genome)
        distance = float(outcome[0])
        self.distances[self.task.body(genome).astype(np.uint8).tobytes()] = distance
        self.best = max(self.best, distance)
        return outcome


def mean_voxel_distance(bodies: np.ndarray) -> float:
    """Return the mean fraction of voxels in which two robot bodies differ, over all pairs of bodies."""
    if len(bodies) < 2:
        return 0.0
    first, second = np.triu_indices(len(bodies), 1)
    return float((bodies[first] != bodies[second]).mean())


def coverage(bodies: np.ndarray) -> float:
    """Return the fraction of occupied grid cells; the grid dimensions are the fractions of filled and active voxels."""
    features = np.array([soft_robots.morphology(body) for body in bodies]).reshape(-1, 2)
    cells = np.minimum((features * CELLS).astype(int), CELLS - 1)
    return len({tuple(cell) for cell in cells.tolist()}) / CELLS**2


def run(size: int, search: str, seed: int) -> tuple[dict[str, Any], list[float], np.ndarray]:
    """Execute one run; return its table row, its best distance over evaluations, and its best robot bodies."""
    problem = soft_robots.soft_robots(size)
    rng = np.random.default_rng(seed)
    toolbox = problem.toolbox(rng)
    observer = Observer(toolbox.evaluate.func)
    toolbox.register("evaluate", observer)
    strategy, species = SEARCHES[search](rng=np.random.default_rng((seed, 1))), problem.species(rng)
    population = toolbox.population(n=POPULATION)
    started, curve = time.process_time(), []
    for step in steady_state(population, toolbox, strategy, species, generations=GENERATIONS):
        while len(curve) < len(MARKS) and step.evaluations >= MARKS[len(curve)]:
            curve.append(observer.best)
    valid = sorted(
        (key for key in observer.distances if observer.distances[key] > 0), key=observer.distances.__getitem__
    )
    bodies = np.array([np.frombuffer(key, np.uint8).reshape(size, size) for key in valid[::-1]], np.uint8)
    bodies = bodies.reshape(-1, size, size)
    row = {
        "size": size,
        "search": search,
        "seed": seed,
        "distance": observer.best,
        "diversity": mean_voxel_distance(bodies[:BEST]),
        "coverage": coverage(bodies),
        "bodies": len(bodies),
        "evaluations": step.evaluations,
        "processor_seconds": round(time.process_time() - started, 2),
        "task_version": soft_robots.VERSION,
        "commit": subprocess.run(
            ["git", "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, cwd=HOME, check=True
        ).stdout.strip(),
    }
    return row, curve, bodies[:BEST]


def append(path: Path, row: dict[str, Any]) -> None:
    """Append a row to a CSV file, with a header if the file is new."""
    new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, row, lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow(row)


def keep(row: dict[str, Any], curve: list[float], bodies: np.ndarray) -> None:
    """Add a run to the result files; the row in runs.csv is written last, because it marks a complete run."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    name = f"{row['search']}_{row['seed']}"
    path = RESULTS / f"bodies_{row['size']}.npz"
    known = dict(np.load(path)) if path.exists() else {}
    np.savez_compressed(path, **(known | {name: bodies}))
    identity = {key: row[key] for key in ("size", "search", "seed")}
    best = {str(mark): round(value, 4) for mark, value in zip(MARKS, curve, strict=True)}
    append(RESULTS / "curves.csv", identity | best)
    append(RESULTS / "runs.csv", row | {key: round(row[key], 5) for key in ("distance", "diversity", "coverage")})


def table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a table of the median and quartiles of each measure, by lattice size and search."""
    rows = []
    for (size, search), group in runs.groupby(["size", "search"], sort=False):
        row: dict[str, Any] = {"size": size, "search": search, "runs": len(group)}
        for name in ("distance", "diversity", "coverage"):
            low, middle, high = np.percentile(group[name], [25, 50, 75])
            row |= {name: round(middle, 3), f"{name}_25": round(low, 3), f"{name}_75": round(high, 3)}
        rows.append(row)
    return pd.DataFrame(rows)


def comparisons(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the pre-specified tests that compare searches at each lattice size, with Holm's correction per size."""
    pairs = [
        ("surprise", "novelty", "distance"),
        ("surprise", "novelty", "diversity"),
        ("surprise", "objective", "diversity"),
    ]
    rows = []
    for size, group in runs.groupby("size"):
        tested = []
        for first, second, name in pairs:
            first_values, second_values = (
                group.loc[group["search"] == search, name].to_numpy() for search in (first, second)
            )
            if min(len(first_values), len(second_values)) < 2:
                continue
            test = analysis.mann_whitney(first_values, second_values)
            tested.append(
                {
                    "size": size, "first": first, "second": second, "measure": name,
                    "runs": min(len(first_values), len(second_values)),
                    "difference": round(float(np.median(first_values) - np.median(second_values)), 3),
                    "superiority": round(test["u"] / (len(first_values) * len(second_values)), 3), "p": test["p"],
                }
            )  # fmt: skip
        corrected = analysis.holm([row["p"] for row in tested]) if tested else []
        rows += [
            row | {"p_holm": round(p, 4), "p": round(row["p"], 4)} for row, p in zip(tested, corrected, strict=True)
        ]
    return pd.DataFrame(rows)


def figure(runs: pd.DataFrame, curves: pd.DataFrame, size: int) -> Any:
    """Draw the best distance over evaluations, and the diversity and coverage of all runs, for one lattice size."""
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    drawn, axes = pyplot.subplots(1, 3, figsize=(10, 4), layout="constrained", width_ratios=(1.3, 1, 1))
    drawn.get_layout_engine().set(w_pad=0.1)
    runs, curves = runs[runs["size"] == size], curves[curves["size"] == size]
    searches = [search for search in COMPARED if search in set(runs["search"])]
    for place, search in enumerate(searches):
        best = curves.loc[curves["search"] == search, [str(mark) for mark in MARKS]].to_numpy()
        low, middle, high = np.percentile(best, [25, 50, 75], axis=0)
        look = style.line(search) | {"label": f"{style.label(search)} ({len(best)} runs)"}
        axes[0].plot(MARKS, middle, **look)
        axes[0].fill_between(MARKS, low, high, color=style.colour(search), alpha=0.12, linewidth=0)
        for ax, name in zip(axes[1:], ("diversity", "coverage"), strict=True):
            values = runs.loc[runs["search"] == search, name].to_numpy()
            spread = np.linspace(-0.25, 0.25, len(values)) if len(values) > 1 else np.zeros(1)
            ax.scatter(values, place + spread, s=18, color=style.colour(search), alpha=0.7, linewidths=0)
            ax.vlines(np.median(values), place - 0.35, place + 0.35, color=style.colour(search), linewidth=2.5)
    axes[0].set(xlabel="evaluations", ylabel="best distance (body lengths)", ylim=(0, None))
    axes[0].legend(frameon=False, loc="lower right")
    for ax, text in zip(axes[1:], ("diversity of the 20 best bodies", "coverage"), strict=True):
        ax.set_yticks(range(len(searches)), [style.label(search) for search in searches] if ax is axes[1] else [])
        ax.set(xlabel=text, ylim=(len(searches) - 0.5, -0.5))
        ax.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    drawn.suptitle(f"Soft robots of {size} x {size} voxels; medians, with quartiles on the left", fontsize=12)
    return drawn


def block(runs: pd.DataFrame) -> str:
    """Return the Markdown table of medians with quartiles for the documentation page."""
    lines = ["| lattice | search | runs | best distance | diversity | coverage |", "|---|---|---|---|---|---|"]
    for row in table(runs).to_dict("records"):
        cells = [
            f"{row[name]:.2f} ({row[f'{name}_25']:.2f} to {row[f'{name}_75']:.2f})"
            for name in ("distance", "diversity", "coverage")
        ]
        size = f"{row['size']} x {row['size']}"
        lines.append(
            f"| {size} | {style.label(row['search'])} | {row['runs']} of {PLANNED[row['size']]} | {' | '.join(cells)} |"
        )
    return "\n".join(lines) + "\n"


def write_page(runs: pd.DataFrame) -> None:
    """Replace the table of results on the documentation page."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(START)
    PAGE.write_text(f"{before}{START}\n{block(runs)}{END}{rest.split(END)[1]}", encoding="utf-8")


def report() -> None:
    """Write the tables and figures of all existing runs, and the table on the documentation page."""
    runs, curves = (pd.read_csv(RESULTS / name) for name in ("runs.csv", "curves.csv"))
    for name, result in (("table", table(runs)), ("comparisons", comparisons(runs))):
        result.to_csv(RESULTS / f"{name}.csv", index=False, lineterminator="\n")
        print(result.to_string(index=False), end="\n\n")
    write_page(runs)
    for size in sorted(set(runs["size"])):
        path = FIGURE if size == 5 else FIGURE.with_stem(f"soft_robots_{size}")
        figure(runs, curves, size).savefig(path, dpi=100)


def main() -> None:
    """Execute the missing runs, or write the report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", type=int, default=5, help="voxels on a side (default: 5)")
    parser.add_argument("--seeds", type=int, default=20, help="runs of each search, seeds 1, 2, ... (default: 20)")
    parser.add_argument("--searches", nargs="+", default=COMPARED, choices=COMPARED, help="default: all five")
    parser.add_argument("--report", action="store_true", help="write tables and figures instead")
    options = parser.parse_args()
    if options.report:
        report()
        return
    path = RESULTS / "runs.csv"
    known = pd.read_csv(path) if path.exists() else pd.DataFrame(columns=["size", "search", "seed"])
    done = set(zip(known["size"], known["search"], known["seed"], strict=True))
    for seed in range(1, options.seeds + 1):
        for search in options.searches:
            if (options.size, search, seed) not in done:
                result = run(options.size, search, seed)
                keep(*result)
                print(
                    {key: result[0][key] for key in ("search", "seed", "distance", "diversity", "coverage")}, flush=True
                )


if __name__ == "__main__":
    main()
