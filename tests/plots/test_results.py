import numpy as np
import pandas as pd
import pytest
from matplotlib import colors, pyplot
from matplotlib.legend import Legend

from divergent import analysis
from divergent.maze import generate_maze, read_maze
from divergent.plots import _results as results
from divergent.plots._style import COLOURS, INK, LABELS, LINES, MARKERS, label
from divergent.selection import SEARCHES


def kaplan_meier(mazes=("hard",), searches=("novelty", "surprise")):
    rows = [
        {"maze": maze, "search": search, "evaluations": count, "solved": solved, "runs": 4, "fraction": solved / 4}
        | {"low": solved / 8, "high": (solved + 4) / 8}
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


def test_style_of_each_search_has_its_own_colour_line_marker_and_name():
    for looks in (COLOURS, LINES, MARKERS, LABELS):
        assert set(looks) == set(SEARCHES)
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_style_in_grey_differs_by_lightness_or_line():
    shades = {name: np.dot(colors.to_rgb(colour), (0.299, 0.587, 0.114)) for name, colour in COLOURS.items()}
    for first in COLOURS:
        for second in COLOURS:
            if first != second and str(LINES[first]) == str(LINES[second]):
                assert abs(shades[first] - shades[second]) > 0.05


def test_draw_kaplan_meier_of_searches_draws_a_step_line_for_each():
    axes = results.draw_kaplan_meier(kaplan_meier())
    assert [line.get_label() for line in axes.lines] == ["Novelty", "Surprise"]
    assert [line.get_color() for line in axes.lines] == [COLOURS["novelty"], COLOURS["surprise"]]
    assert axes.lines[0].get_drawstyle() == "steps-post"
    assert axes.get_xlim() == (0, 1000)


def test_draw_kaplan_meier_of_a_search_has_a_band_and_the_runs_at_risk():
    axes = results.draw_kaplan_meier(kaplan_meier(searches=("novelty",)))
    (band,) = axes.collections
    assert (band.get_paths()[0].vertices[:, 1].min(), band.get_paths()[0].vertices[:, 1].max()) == (0, 7 / 8)
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["at risk", "Novelty", "4", "4", "2", "2", "2", "2"]
    assert [text.xy[0] for text in axes.texts[2:]] == axes.get_xticks().tolist() == [0, 200, 400, 600, 800, 1000]
    assert {text.get_color() for text in axes.texts[1:]} == {INK}


def test_legend_columns_of_long_names_are_fewer():
    short, long = ["Novelty"] * 6, ["Novelty, population only"] * 6
    assert [results._legend_columns(names, 6, 7.2) for names in (short, long)] == [6, 3]
    assert results._legend_columns(long, 6, 1.0) == 1


def test_draw_efficiency_of_one_run_is_a_line_without_a_band():
    axes = results.draw_efficiency(efficiency())
    assert axes.lines[0].get_ydata().tolist() == [200, 250]
    assert axes.get_ylabel() == "best fitness so far"


def test_draw_kaplan_meier_with_several_mazes_raises_with_a_remedy():
    with pytest.raises(
        ValueError, match=r"table must contain only one value in the column maze, got medium, hard; use by_maze"
    ):
        results.draw_kaplan_meier(kaplan_meier(mazes=("medium", "hard")))


def test_by_maze_of_several_mazes_has_a_panel_for_each_and_one_legend():
    panels = results.by_maze(results.draw_kaplan_meier, kaplan_meier(mazes=("medium", "hard", "very_hard")))
    assert [axes.get_title("left") for axes in panels] == ["Medium", "Hard", "Very hard"]
    assert all(axes.get_legend() is None for axes in panels)
    (legend,) = panels[0].figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["Novelty", "Surprise"]


def test_by_maze_of_different_ranges_gives_all_panels_the_same_axis():
    rows = [("medium", 200.0), ("medium", 300.0), ("hard", 260.0), ("hard", 270.0)]
    table = pd.DataFrame(
        [
            {"maze": maze, "search": "novelty", "evaluations": 250 * place, "mean": mean, "low": mean, "high": mean}
            for place, (maze, mean) in enumerate(rows)
        ]
    )
    medium, hard = results.by_maze(results.draw_efficiency, table)
    assert medium.get_ylim() == hard.get_ylim()
    assert medium.get_ylim()[1] >= 300.0


def test_draw_functions_on_given_axes_make_no_other_figure():
    _, axes = pyplot.subplots()
    assert results.draw_kaplan_meier(kaplan_meier(), ax=axes) is axes
    assert len(pyplot.get_fignums()) == 1


def test_draw_functions_of_an_empty_table_return_empty_axes():
    assert not results.draw_kaplan_meier(kaplan_meier().iloc[:0]).lines


def sensitivity(clusters, neighbours):
    rows = [
        {"maze": "hard", "search": "surprise", "clusters": k, "neighbours": n, "effort": 0.5, "low": 0.4, "high": 0.7}
        for k in clusters
        for n in neighbours
    ]
    return pd.DataFrame(rows).astype({"clusters": "Int64"})


def series_of(axes):
    """Label, places and joining line of each series."""
    return [(bars.get_label(), bars.lines[0].get_xdata().tolist(), bars.lines[0].get_linestyle())
            for bars in axes.containers]  # fmt: skip


def test_draw_sensitivity_to_clusters_has_a_series_for_each_number_of_neighbours():
    axes = results.draw_sensitivity(sensitivity([40, 20], [1, 2]))
    assert series_of(axes) == [("n = 1", [17, 37], "None"), ("n = 2", [23, 43], "None")]
    assert axes.get_xlabel() == "clusters, k"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["20", "40"]


def test_draw_sensitivity_of_intervals_draws_their_ends():
    axes = results.draw_sensitivity(sensitivity([20], [1]))
    _, ends, _ = axes.containers[0].lines
    assert [end.get_ydata().tolist() for end in ends] == [[0.4], [0.7]]


def test_draw_sensitivity_without_clusters_is_to_neighbours():
    axes = results.draw_sensitivity(sensitivity([pd.NA], [10, 5]))
    assert series_of(axes) == [("Surprise", [5, 10], "None")]
    assert axes.get_xlabel() == "neighbours, n"


def test_draw_heatmap_of_counts_lies_where_the_positions_are():
    maze = read_maze("hard")
    counts = analysis.visits(np.array([maze.goal] * 7), maze.bounds)
    axes = results.draw_heatmap(counts, maze)
    image = axes.images[0]
    left, right, bottom, top = image.get_extent()
    row, column = (np.argwhere(image.get_array() == 7)[0] + 0.5) * analysis.CELL_SIZE
    assert abs(left + column - maze.goal[0]) <= analysis.CELL_SIZE
    assert abs(top + row - maze.goal[1]) <= analysis.CELL_SIZE
    assert axes.yaxis_inverted()
    start, goal = axes.lines
    outlines, walls = axes.collections
    assert goal.get_markerfacecolor() == "white"
    assert start.get_path_effects()
    assert goal.get_path_effects()
    assert outlines.get_linewidth()[0] > walls.get_linewidth()[0]
    assert outlines.get_zorder() < walls.get_zorder()
    assert right > left
    assert bottom > top


def test_draw_heatmaps_of_two_searches_are_in_one_row_with_titles():
    maze = read_maze("medium")
    counts = analysis.visits(np.array([maze.start]), maze.bounds)
    pairs = [("one", maze, counts), ("none", maze, counts * 0), ("two", maze, counts)]
    panels = results.draw_heatmaps(pairs, columns=2)
    assert [axes.get_title("left") for axes in panels] == ["one", "none", "two"]


def test_draw_heatmaps_of_different_counts_have_one_scale():
    maze = read_maze("medium")
    counts = analysis.visits(np.array([maze.start] * 50), maze.bounds)
    panels = results.draw_heatmaps([("many", maze, counts), ("few", maze, counts // 10)])
    assert {axes.images[0].norm.vmax for axes in panels} == {50}
    assert [axes.get_ylabel() for axes in panels[0].figure.axes if axes.get_label() == "<colorbar>"] == [
        "robots that ended there"
    ]


def test_draw_heatmap_on_given_axes_has_no_scale_of_its_own():
    maze = read_maze("medium")
    counts = analysis.visits(np.array([maze.start]), maze.bounds)
    assert len(results.draw_heatmap(counts, maze).figure.axes) == 2
    figure, axes = pyplot.subplots()
    results.draw_heatmap(counts, maze, ax=axes)
    assert len(figure.axes) == 1


def test_draw_heatmaps_with_none_leaves_a_gap():
    maze = read_maze("medium")
    counts = analysis.visits(np.array([maze.start]), maze.bounds)
    panels = results.draw_heatmaps([("one", maze, counts), None, ("two", maze, counts)], columns=2)
    assert [axes.get_title("left") for axes in panels] == ["one", "two"]
    assert [axes.get_subplotspec().rowspan.start for axes in panels] == [0, 1]
    assert [axes.get_visible() for axes in panels[0].figure.axes[:4]] == [True, False, True, False]


def test_draw_examples_of_mazes_are_one_row():
    panels = results.draw_examples([(f"maze {seed}", generate_maze(seed)) for seed in range(3)])
    assert len(panels) == 3


def test_draw_regression_of_searches_draws_points_and_a_line_for_each():
    points = pd.DataFrame(
        {"maze": list("abc") * 2, "search": ["novelty"] * 3 + ["surprise"] * 3, "failures": [0, 0.5, 1] * 2,
         "successes": [1, 0.5, 0, 1, 0.7, 0.4]}
    )  # fmt: skip
    lines = pd.DataFrame({"search": ["novelty", "surprise"], "slope": [-1, -0.6], "intercept": [1.0, 1.0]})
    axes = results.draw_regression(analysis.Deceptiveness(points, lines, 0.1, 0.5, 0.5))
    assert axes.lines[1].get_ydata() == pytest.approx([1, 0.4])
    first, second = (points.get_offsets()[:, 0].tolist() for points in axes.collections)
    assert first == pytest.approx([-0.01, 0.49, 0.99])  # side by side
    assert second == pytest.approx([0.01, 0.51, 1.01])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("failure rate of objective search", "success rate")
    searches, sizes = (child for child in axes.get_children() if isinstance(child, Legend))
    assert [(line.get_label(), line.get_marker()) for line in searches.legend_handles] == [
        ("Novelty", MARKERS["novelty"]), ("Surprise", MARKERS["surprise"])
    ]  # fmt: skip
    assert [text.get_text() for text in sizes.get_texts()] == ["1 maze", "5 mazes", "20 mazes"]


def test_draw_features_of_features_has_a_row_for_each_with_all_outcomes():
    lines = pd.DataFrame(
        [{"outcome": outcome, "feature": feature, "change": 0.1, "low": 0.0, "high": 0.2}
         for outcome in ("novelty", "surprise", "difference") for feature in analysis.FEATURES]
    )  # fmt: skip
    axes = results.draw_features(analysis.FeatureRegression(pd.DataFrame(), lines))
    assert [text.get_text() for text in axes.get_yticklabels()][:2] == ["Shortest path", "Turns"]
    assert axes.get_legend_handles_labels()[1] == ["Novelty", "Surprise", "Surprise less Novelty"]


def test_draw_paper_comparison_of_two_robots_has_two_panels():
    rows = [
        {"maze": "hard", "search": "novelty", "series": series, "measure": measure, "difference": difference,
         "low": difference - 0.1, "high": difference + 0.1}
        for series, difference in (("five-rangefinder robot", 0.0), ("six-rangefinder robot", 0.3))
        for measure in ("solved", "evaluations")
    ]  # fmt: skip
    solved, evaluations = results.draw_paper_comparison(pd.DataFrame(rows))
    assert [axes.get_title("left") for axes in (solved, evaluations)] == ["Solved runs", "Evaluations"]
    assert [bars.lines[0].get_xdata().tolist() for bars in evaluations.containers] == [[0.0], [0.3]]
    labels = [text.get_text() for text in solved.figure.legends[0].get_texts()]
    assert labels == ["five-rangefinder robot", "six-rangefinder robot"]
    for axes in (solved, evaluations):
        assert [axes.xaxis.get_major_formatter()(value) for value in (-0.2, 0, 0.2)] == ["\u221220", "0", "+20"]


def test_label_of_a_name_is_its_display_name():
    assert label("extremely_hard") == "Extremely hard"
    assert label("ssr") == "SSr"
