import pytest
from matplotlib import pyplot

from divergent.replicate._claims import CLAIMS, PENDING, evaluate
from divergent.replicate._forest import EXPLORATORY, WIDEST, draw_forest, relative_effects

NAMES = ("effect", "low", "high")


def evaluated(**effects):
    """Outcomes of all claims without runs, in which the named claims have an effect, an interval and an outcome."""
    table = evaluate({}).set_index("claim").astype(dict.fromkeys(NAMES, float))
    for name, (outcome, *values) in effects.items():
        claim = name.replace("_", "-")
        table.loc[claim, "outcome"] = outcome
        for column, value in zip(NAMES, values, strict=True):
            table.loc[claim, column] = value * table.loc[claim, "paper"]
    return table.reset_index().assign(claim=[claim.id for claim in CLAIMS])


def test_relative_effects_without_runs_are_empty():
    assert relative_effects(evaluated(), evaluated()) == []


def test_relative_effects_are_divided_by_the_effect_in_the_paper():
    # the effect in the paper is negative, so that the lower end of the interval divided by it is the upper end
    decided = evaluated(faster_medium=("undecided", 0.5, 2.0, -1.0))
    (row,) = relative_effects(decided, evaluated())
    assert row == {"claim": "faster-medium", "outcome": "undecided", "fresh": True} | {
        name: pytest.approx(value) for name, value in zip(NAMES, (0.5, -1.0, 2.0), strict=True)
    }


def test_relative_effects_of_pending_claims_are_those_of_exploratory_runs():
    exploratory = evaluated(faster_medium=("descriptive", 0.25, 0.0, 0.5), faster_hard=("descriptive", 0.1, 0.0, 0.2))
    decided = evaluated(faster_hard=("replicated", 1.0, 0.5, 1.5))
    rows = relative_effects(decided, exploratory)
    assert [(row["claim"], row["outcome"], row["fresh"]) for row in rows] == [
        ("faster-medium", PENDING, False),
        ("faster-hard", "replicated", True),
    ]
    assert [row["effect"] for row in rows] == pytest.approx([0.25, 1.0])


def test_relative_effects_omit_claims_without_a_direction():
    decided = evaluated(novelty_like_ssnp=("replicated", 1.0, 0.5, 1.5))
    assert relative_effects(decided, evaluated()) == []


def test_draw_forest_shows_the_first_claim_at_the_top_and_ends_wide_intervals_in_arrows():
    row = {"effect": 1.0, "low": 0.5, "high": 1.5, "outcome": "replicated", "fresh": True}
    wide = {"claim": "wide", "effect": 5.0, "low": -4.0, "high": 9.0, "outcome": PENDING, "fresh": False}
    axes = draw_forest([{"claim": "narrow", **row}, wide])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["wide", "narrow"]
    (line, *marks) = [drawn for drawn in axes.lines if drawn.get_color() == EXPLORATORY]
    assert list(line.get_xdata()) == [-WIDEST, WIDEST]
    assert [drawn.get_marker() for drawn in marks] == ["<", ">"]  # no circle, because the effect is outside the plot
    pyplot.close(axes.figure)
