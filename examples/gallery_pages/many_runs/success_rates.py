"""Success rates with intervals

The figure shows the success rates of six searches in four mazes, with Wilson's 95 % intervals.

Tags: statistics, success rate, maze
"""

from pathlib import Path

import pandas as pd
from matplotlib import pyplot

import divergent
from divergent.analysis import proportion_interval, success_rates
from divergent.plots import colour, label

RESULTS = Path(divergent.__file__).parents[1] / "results"
runs = pd.read_csv(RESULTS / "authored" / "runs.csv", low_memory=False)
table = success_rates(runs)
mazes = ["medium", "hard", "very_hard", "extremely_hard"]
searches = ["objective", "novelty", "surprise", "ssnp", "ssr", "random"]
figure, axes = pyplot.subplots(figsize=(8.5, 3.8), layout="constrained")
for number, search in enumerate(searches):
    rows = table[table["search"] == search].set_index("maze").loc[mazes]
    for place, (solved, count) in enumerate(zip(rows["solved"], rows["runs"], strict=True)):
        low, high = proportion_interval(int(solved), int(count))
        x = place + 0.13 * (number - 2.5)
        axes.plot([x, x], [low, high], color=colour(search), linewidth=2)
        name = label(search) if place == 0 else None
        axes.plot(x, solved / count, "o", color=colour(search), label=name)
axes.set_xticks(range(len(mazes)), [label(maze) for maze in mazes])
axes.set(ylabel="success rate", ylim=(-0.03, 1.03))
axes.legend(ncols=6, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.1))
pyplot.show()
