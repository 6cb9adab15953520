import pandas as pd
import pytest

from divergent.plots import draw_variants


def curves(*searches, mazes=(None,)):
    """A table of survival curves with two steps each; the last fraction is 0.3, its band ends at 0.45."""
    rows = [
        {"search": search, "evaluations": evaluations, "fraction": fraction, "low": fraction, "high": 1.5 * fraction}
        | {"runs": 10, "solved": int(10 * fraction)}
        | ({} if maze is None else {"maze": maze})
        for maze in mazes
        for search in searches
        for evaluations, fraction in ((0, 0.0), (500, 0.1), (1000, 0.3))
    ]
    return pd.DataFrame(rows)


def test_draw_variants_of_one_maze_has_a_panel_for_each_search_that_is_no_reference():
    panels = draw_variants(curves("novelty", "nslc", "sslc", "dns", "nss"))
    assert [axes.get_title("left") for axes in panels] == ["NSLC", "SSLC", "DNS", "NSS"]
    assert [len(axes.collections) for axes in panels] == [1, 1, 1, 1]  # one band, none of the references
    assert [len(axes.lines) for axes in panels] == [2, 2, 2, 2]


def test_draw_variants_of_some_mazes_has_one_row_for_each_maze():
    panels = draw_variants(curves("novelty", "nslc", "sslc", mazes=("medium", "hard")))
    assert [axes.get_subplotspec().rowspan.start for axes in panels] == [0, 0, 1, 1]
    assert panels[0].get_ylabel().startswith("Medium")


def test_draw_variants_gives_all_panels_the_same_axis_that_ends_above_the_bands():
    panels = draw_variants(curves("novelty", "nslc", "sslc"))
    assert {axes.get_ylim() for axes in panels} == {panels[0].get_ylim()}
    assert panels[0].get_ylim()[1] == pytest.approx(1.02 * 0.6)


def test_draw_variants_of_references_only_has_a_panel_for_each():
    assert [axes.get_title("left") for axes in draw_variants(curves("novelty", "surprise"))] == ["Novelty", "Surprise"]
