"""Three searches in the medium maze

The figure shows the final positions of all robots and the trajectory of the best robot, for three searches in the
medium maze.

All three runs use the same seed.

Tags: maze, NEAT, objective, novelty, surprise
"""

from matplotlib import patheffects, pyplot

from divergent import Settings, run
from divergent.analysis import visits
from divergent.plots import draw_heatmap, label

figure, panels = pyplot.subplots(1, 3, figsize=(11, 2.8), layout="constrained")
for axes, search in zip(panels, ("objective", "novelty", "surprise"), strict=True):
    record = run(Settings(maze="medium", search=search, seed=3, generations=120))
    counts = visits(record.positions, record.maze.bounds, cell=5)
    draw_heatmap(counts, record.maze, ax=axes, cell=5)
    (line,) = axes.plot(*record.trail.T, color="#D55E00", linewidth=2)
    line.set_path_effects([patheffects.withStroke(linewidth=4, foreground="white")])
    end = "solved" if record.solved else "not solved"
    title = f"{label(search)}: {end}, {record.evaluations:,} evaluations"
    axes.set_title(title, loc="center", fontsize=9)
pyplot.show()
