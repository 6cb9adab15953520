"""Forest plot of the claims: the effect of each claim in our runs, divided by the effect in the paper."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from divergent.plots._results import styled
from divergent.plots._style import choose_axes
from divergent.replicate._claim_tests import TESTS
from divergent.replicate._claims import CLAIMS, CONTRADICTED, NOT_CONFIRMED, REPLICATED, UNDECIDED

COLOURS = {REPLICATED: "#009E73", NOT_CONFIRMED: "#E69F00", CONTRADICTED: "#D55E00", UNDECIDED: "#56B4E9"}
EXPLORATORY = "#7F7F7F"
WIDEST = 3.0  # of the axis on either side; wider intervals end in an arrow


def relative_effects(decided: pd.DataFrame, exploratory: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the outcome, the relative effect and its interval for each directional claim with a known effect.

    Parameters
    ----------
    decided : pandas.DataFrame
        Outcomes of the claims, as `divergent.replicate._claims.evaluate` returns them.
    exploratory : pandas.DataFrame
        Effects in exploratory runs, as `divergent.replicate._claim_tables.evaluate_committed` returns them. They
        replace the effects of claims whose runs are incomplete.

    Returns
    -------
    list of dict
        One dictionary per claim, in the order of the claims. The keys are `claim`, `effect`, `low`, `high`, `outcome`,
        and `fresh`, which is True if the effect is that of confirmatory runs. `effect`, `low` and `high` are relative
        to the effect in the paper.
    """
    drawn = []
    for claim, fresh, known in zip(CLAIMS, decided.itertuples(), exploratory.itertuples(), strict=True):
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


@styled
def draw_forest(effects: Sequence[dict[str, Any]]) -> Any:
    """Draw one line per claim: 1 is an effect as large as in the paper, 0 no effect, negative the opposite.

    Parameters
    ----------
    effects : sequence of dict
        Effects and outcomes of the claims, as `relative_effects` returns them.

    Returns
    -------
    matplotlib.axes.Axes
        Axes of the plot.
    """
    axes = choose_axes(None, (9, 0.3 * len(effects) + 1.4))
    for y, row in enumerate(reversed(effects)):
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
    axes.set_yticks(range(len(effects)), [row["claim"] for row in reversed(effects)], fontsize=8.5)
    axes.set_xlim(-WIDEST - 0.1, WIDEST + 0.1)
    axes.set_xlabel("effect in our runs divided by the effect in the paper, with 95 % interval")
    top = len(effects) - 0.3
    axes.set_ylim(-0.7, top + 0.6)
    for x, text, side in ((-0.06, "opposite effect", "right"), (1.06, "as in the paper or larger", "left")):
        axes.text(x, top, text, ha=side, fontsize=8, style="italic")
    axes.text(WIDEST + 0.15, top, "outcome in confirmatory runs", fontsize=8, style="italic")
    shapes = {"filled: confirmatory runs": "black", "open: exploratory runs, seeds 0 to 99": "white"}
    handles = [
        axes.plot([], [], "o", color="black", markerfacecolor=face, markersize=7, label=text)[0]
        for text, face in shapes.items()
    ]
    below = -1.89 / len(effects)  # in units of the height of the axes, which grows with the number of claims
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, below), ncols=2)
    return axes
