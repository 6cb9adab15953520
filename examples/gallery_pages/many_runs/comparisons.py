"""Pairs of searches compared

Mann-Whitney U tests and log-rank tests compare each pair of searches, with Holm's correction over all pairs.

A bar to the right of 0.5 means that the first search needs fewer evaluations than the second search in most pairs of
runs.

Tags: statistics, Mann-Whitney, log-rank, Holm
"""

from pathlib import Path

import pandas as pd
from matplotlib import pyplot

import divergent
from divergent.analysis import compare
from divergent.plots import label

RESULTS = Path(divergent.__file__).parents[1] / "results"
runs = pd.read_csv(RESULTS / "authored" / "runs.csv", low_memory=False)
searches = ["objective", "novelty", "surprise", "ssnp"]
table = compare(runs[(runs["maze"] == "hard") & runs["search"].isin(searches)])


def p_text(p):
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


columns = ["first", "second", "effect", "p_corrected", "p_log_rank_corrected"]
formatters = {"effect": "{:.2f}".format, "p_corrected": p_text, "p_log_rank_corrected": p_text}
print(table[columns].to_string(index=False, formatters=formatters))
# the effect is positive if the first search needs more evaluations
faster = (1 - table["effect"]) / 2
figure, axes = pyplot.subplots(figsize=(6.4, 3.2), layout="constrained")
names = [f"{label(row.first)} and {label(row.second)}" for row in table.itertuples()]
axes.barh(names, faster - 0.5, left=0.5, color="#56B4E9")
axes.invert_yaxis()  # the order of the table
axes.axvline(0.5, color="black", linewidth=0.8)
axes.set(xlim=(0, 1), xlabel="fraction of pairs of runs in which the first search is faster")
pyplot.show()
