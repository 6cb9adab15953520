"""Draw docs/images/median_runs.png: a median run of three searches in the hard maze, replayed from committed results.

Usage: python docs/images/median_runs.py [FILE.png] [GENERATIONS]     (default: 300 generations, half a minute)
"""

import sys
from pathlib import Path

import matplotlib
import pandas as pd
from matplotlib import patheffects, pyplot

from divergent import Settings, run
from divergent.analysis import visits
from divergent.plots import STYLE, draw_heatmap, label
from divergent.plots._style import mark_colour

HOME = Path(__file__).parents[2]
SEARCHES = ("objective", "novelty", "surprise")
CELL = 4.0


def median_run(runs: pd.DataFrame) -> tuple[int, int]:
    """Return seed and evaluations of the run with the median number of evaluations.

    Ties, such as runs without a solution, are ordered by their best fitness, and then by seed.
    """
    ranked = runs.sort_values(["evaluations", "best_fitness", "seed"], ascending=[True, False, True])
    row = ranked.iloc[(len(ranked) - 1) // 2]
    return int(row["seed"]), int(row["evaluations"])


def committed_runs(search: str) -> pd.DataFrame:
    """Return the committed runs of a search in the hard maze."""
    runs = pd.read_csv(HOME / "results" / "authored" / "runs.csv", low_memory=False)
    return runs[(runs["maze"] == "hard") & (runs["search"] == search)]


@matplotlib.rc_context(STYLE)
def draw(target: Path, generations: int | None) -> None:
    """Replay the median run of each search and draw final positions and the trajectory of the best robot."""
    figure, panels = pyplot.subplots(1, 3, figsize=(10, 4.4), layout="constrained")
    for axes, search in zip(panels, SEARCHES, strict=True):
        runs = committed_runs(search)
        seed, evaluations = median_run(runs)
        record = run(Settings(maze="hard", search=search, seed=seed, generations=generations))
        if generations is None and record.evaluations != evaluations:
            raise ValueError(f"the replay of {search} must take {evaluations} evaluations, got {record.evaluations}")
        counts = visits(record.positions, record.maze.bounds, cell=CELL)
        draw_heatmap(counts, record.maze, ax=axes, cell=CELL, highest=1000)
        axes.images[0].set_cmap(pyplot.get_cmap("Greys").with_extremes(bad="white"))
        (line,) = axes.plot(*record.trail.T, color=mark_colour("trajectory"), linewidth=2.2, zorder=5)
        line.set_path_effects([patheffects.withStroke(linewidth=4.6, foreground="white")])
        solved = f"{int(runs['solved'].sum())} of {len(runs)} runs solve the maze"
        end = f"solved after {record.evaluations:,}" if record.solved else f"not solved in {record.evaluations:,}"
        axes.set_title(f"{label(search)} search", loc="center", fontsize=12, pad=32)
        where = {"transform": axes.transAxes, "ha": "center", "va": "bottom"}
        axes.text(0.5, 1.01, f"{end} evaluations\n{solved}", fontsize=9, **where)
    bar = figure.colorbar(panels[0].images[0], ax=panels, shrink=0.75, pad=0.01)
    bar.set_label("robots that end in a cell")
    figure.savefig(target, bbox_inches="tight", dpi=150)


if __name__ == "__main__":
    draw(
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("median_runs.png"),
        int(sys.argv[2]) if len(sys.argv) > 2 else None,
    )
