import numpy as np
import pandas as pd
import pytest
from matplotlib import colors, pyplot

from divergent import analysis
from divergent.maze import generate_maze, read_maze
from divergent.plots import results
from divergent.plots.style import COLOURS, LABELS, LINES, MARKERS, label
from divergent.selection import SEARCHES


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def robustness(mazes=("hard",), searches=("novelty", "surprise")):
    rows = [
        {"maze": maze, "search": search, "evaluations": count, "solved": solved, "runs": 4, "share": solved / 4}
        for maze in mazes
        for search in searches
        for count, solved in ((0, 0), (300, 2), (1000, 3))
    ]
    return pd.DataFrame(rows)


def efficiency():
    return pd.DataFrame(
        {"maze": "hard", "search": "surprise", "evaluations": [500, 1000], "runs": 1, "mean": [200.0, 250.0],
         "low": np.nan, "high": np.nan}
    )  # fmt: skip


def test_every_search_has_its_own_colour_line_marker_and_name():
    for looks in (COLOURS, LINES, MARKERS, LABELS):
        assert set(looks) == set(SEARCHES)
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_colours_stay_apart_in_grey_or_by_their_lines():
    shades = {name: np.dot(colors.to_rgb(colour), (0.299, 0.587, 0.114)) for name, colour in COLOURS.items()}
    for first in COLOURS:
        for second in COLOURS:
            if first != second and str(LINES[first]) == str(LINES[second]):
                assert abs(shades[first] - shades[second]) > 0.05


def test_robustness_draws_a_step_line_for_each_search():
    axes = results.draw_robustness(robustness())
    assert [line.get_label() for line in axes.lines] == ["Novelty", "Surprise"]
    assert [line.get_color() for line in axes.lines] == [COLOURS["novelty"], COLOURS["surprise"]]
    assert axes.lines[0].get_drawstyle() == "steps-post"
    assert axes.get_xlim() == (0, 1000)


def test_efficiency_of_one_run_is_a_line_without_a_band():
    axes = results.draw_efficiency(efficiency())
    assert axes.lines[0].get_ydata().tolist() == [200, 250]
    assert axes.get_ylabel() == "best fitness so far"


def test_several_mazes_on_one_axes_are_refused_with_the_way_out():
    with pytest.raises(ValueError, match=r"one maze at a time, got medium, hard; see by_maze"):
        results.draw_robustness(robustness(mazes=("medium", "hard")))


def test_each_maze_has_a_panel_and_all_share_one_legend():
    panels = results.by_maze(results.draw_robustness, robustness(mazes=("medium", "hard", "very_hard")))
    assert [axes.get_title("left") for axes in panels] == ["Medium", "Hard", "Very hard"]
    assert all(axes.get_legend() is None for axes in panels)
    (legend,) = panels[0].figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["Novelty", "Surprise"]


def test_drawing_on_given_axes_makes_no_other_figure():
    _, axes = pyplot.subplots()
    assert results.draw_robustness(robustness(), ax=axes) is axes
    assert len(pyplot.get_fignums()) == 1


def test_an_empty_table_gives_empty_axes():
    assert not results.draw_robustness(robustness().iloc[:0]).lines


def sensitivity(clusters, neighbours):
    rows = [
        {"maze": "hard", "search": "surprise", "clusters": k, "neighbours": n, "effort": 0.5, "low": 0.4, "high": 0.7}
        for k in clusters
        for n in neighbours
    ]
    return pd.DataFrame(rows).astype({"clusters": "Int64"})


def test_sensitivity_to_clusters_has_a_line_for_each_number_of_neighbours():
    axes = results.draw_sensitivity(sensitivity([40, 20], [1, 2]))
    assert axes.get_legend_handles_labels()[1] == ["n = 1", "n = 2"]
    assert axes.lines[0].get_xdata().tolist() == [20, 40]
    assert axes.get_xlabel() == "clusters, k"


def test_sensitivity_without_clusters_is_to_neighbours():
    axes = results.draw_sensitivity(sensitivity([pd.NA], [10, 5]))
    assert axes.lines[0].get_xdata().tolist() == [5, 10]
    assert axes.get_xlabel() == "neighbours, n"


def test_a_heatmap_lies_where_its_positions_are():
    maze = read_maze("hard")
    counts = analysis.visits(np.array([maze.goal] * 7), maze.bounds)
    axes = results.draw_heatmap(counts, maze)
    image = axes.images[0]
    left, right, bottom, top = image.get_extent()
    row, column = (np.argwhere(image.get_array() == 7)[0] + 0.5) * analysis.CELL
    assert abs(left + column - maze.goal[0]) <= analysis.CELL
    assert abs(top + row - maze.goal[1]) <= analysis.CELL
    assert axes.yaxis_inverted()
    assert right > left
    assert bottom > top


def test_heatmaps_stand_side_by_side_with_their_titles():
    maze = read_maze("medium")
    counts = analysis.visits(np.array([maze.start]), maze.bounds)
    pairs = [("one", maze, counts), ("none", maze, counts * 0), ("two", maze, counts)]
    panels = results.draw_heatmaps(pairs, columns=2)
    assert [axes.get_title("left") for axes in panels] == ["one", "none", "two"]


def test_a_gap_between_heatmaps_stays_empty():
    maze = read_maze("medium")
    counts = analysis.visits(np.array([maze.start]), maze.bounds)
    panels = results.draw_heatmaps([("one", maze, counts), None, ("two", maze, counts)], columns=2)
    assert [axes.get_title("left") for axes in panels] == ["one", "two"]
    assert [axes.get_subplotspec().rowspan.start for axes in panels] == [0, 1]
    assert [axes.get_visible() for axes in panels[0].figure.axes] == [True, False, True, False]


def test_maze_examples_are_one_row():
    panels = results.draw_examples([(f"maze {seed}", generate_maze(seed)) for seed in range(3)])
    assert len(panels) == 3


def test_regression_draws_points_and_a_line_for_each_search():
    points = pd.DataFrame(
        {"maze": list("abc") * 2, "search": ["novelty"] * 3 + ["surprise"] * 3, "failures": [0, 0.5, 1] * 2,
         "successes": [1, 0.5, 0, 1, 0.7, 0.4]}
    )  # fmt: skip
    lines = pd.DataFrame({"search": ["novelty", "surprise"], "slope": [-1, -0.6], "intercept": [1.0, 1.0]})
    axes = results.draw_regression(analysis.Deceptiveness(points, lines, 0.1, 0.5, 0.5))
    assert axes.lines[1].get_ydata() == pytest.approx([1, 0.4])
    assert len(axes.collections) == 2


def test_names_are_shown_as_a_reader_writes_them():
    assert label("extremely_hard") == "Extremely hard"
    assert label("ssr") == "SSr"
