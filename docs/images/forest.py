"""Draw docs/images/forest.png: the effect of each claim in our runs, relative to the effect in the paper.

Usage: python docs/images/forest.py [FILE.png]     (reads results/, one minute)
"""

import math
import sys
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib import pyplot

from divergent.plots import STYLE
from divergent.replicate import _claim_tables as claim_tables
from divergent.replicate import _claims as claims
from divergent.replicate._claim_tests import TESTS
from divergent.replicate._replication import read_replication

HOME = Path(__file__).parents[2]
COLOURS = {
    claims.REPLICATED: "#009E73",
    claims.NOT_CONFIRMED: "#E69F00",
    claims.CONTRADICTED: "#D55E00",
    claims.UNDECIDED: "#56B4E9",
}
EXPLORATORY = "#7F7F7F"
WIDEST = 3.0  # of the axis on either side; wider intervals end in an arrow


def rows(results: Path) -> list[dict[str, Any]]:
    """Return the outcome of each directional claim, and its effect and interval relative to the effect in the paper."""
    tables = claims.tables(read_replication(results).experiments)
    decided, committed = claims.evaluate(tables), claim_tables.evaluate_committed(tables)
    drawn = []
    for claim, fresh, known in zip(claims.CLAIMS, decided.itertuples(), committed.itertuples(), strict=True):
        pending = math.isnan(fresh.effect)
        row = known if pending else fresh
        if TESTS[claim.test].direction == 0 or math.isnan(row.effect):
            continue
        ends = sorted((row.low / row.paper, row.high / row.paper))
        drawn.append(
            {"claim": claim.id, "effect": row.effect / row.paper, "low": ends[0], "high": ends[1]}
            | {"outcome": fresh.outcome, "fresh": claim.primary and not pending}
        )
    return drawn


@matplotlib.rc_context(STYLE)
def draw(target: Path, drawn: list[dict[str, Any]]) -> None:
    """Draw one line per claim: 1 is an effect as large as in the paper, 0 no effect, negative the opposite."""
    figure, axes = pyplot.subplots(figsize=(9, 0.3 * len(drawn) + 1.4), layout="constrained")
    for y, row in enumerate(reversed(drawn)):
        colour = COLOURS.get(row["outcome"], EXPLORATORY)
        low, high = max(row["low"], -WIDEST), min(row["high"], WIDEST)
        axes.plot([low, high], [y, y], color=colour, linewidth=2)
        for end, bound, marker in ((row["low"], -WIDEST, "<"), (row["high"], WIDEST, ">")):
            if abs(end) > WIDEST and end * bound > 0:
                axes.plot(bound, y, marker=marker, color=colour)
        if abs(row["effect"]) <= WIDEST:
            face = colour if row["fresh"] else "white"
            axes.plot(row["effect"], y, "o", color=colour, markerfacecolor=face, markersize=7)
        axes.text(WIDEST + 0.15, y, row["outcome"], va="center", fontsize=8)
    axes.axvline(0, color="black", linewidth=0.9)
    axes.axvline(1, color="black", linewidth=0.9, linestyle=(0, (4, 2)))
    axes.set_yticks(range(len(drawn)), [row["claim"] for row in reversed(drawn)], fontsize=8.5)
    axes.set_xlim(-WIDEST - 0.1, WIDEST + 0.1)
    axes.set_xlabel("effect in our runs divided by the effect in the paper, with 95 % interval")
    top = len(drawn) - 0.3
    axes.set_ylim(-0.7, top + 0.6)
    for x, text, side in ((-0.06, "opposite effect", "right"), (1.06, "as large as in the paper or larger", "left")):
        axes.text(x, top, text, ha=side, fontsize=8, style="italic")
    axes.text(WIDEST + 0.15, top, "outcome in confirmatory runs", fontsize=8, style="italic")
    shapes = {"filled: confirmatory runs": "black", "open: exploratory runs, seeds 0 to 99": "white"}
    handles = [
        axes.plot([], [], "o", color="black", markerfacecolor=face, markersize=7, label=text)[0]
        for text, face in shapes.items()
    ]
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.09), ncols=2)
    figure.savefig(target, bbox_inches="tight", dpi=130)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("forest.png"), rows(HOME / "results"))
