"""The problems of the gallery are what they say, and the table in docs is that of the results."""

import math
import random
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from deap import gp

import divergent
from divergent.individual import Outcomes
from divergent.plots import by_maze
from divergent.runs import load_problem
from divergent.runs._many import DEFAULT_SEARCHES
from divergent.runs.record import TEXT
from divergent.selection import check_strategy

HOME = Path(__file__).parents[1]
GALLERY = HOME / "examples" / "gallery"
PROBLEMS = ("mountain_car", "acrobot", "santa_fe_ant", "regression", "spiral", "tartarus", "reference_sets")


def script(name):
    """Return the module of a problem file, which is executed once."""
    path = GALLERY / f"{name}.py"
    load_problem(path)
    return next(module for module in sys.modules.values() if getattr(module, "__file__", None) == str(path))


def trees(name, count):
    random.seed(4)
    return [gp.PrimitiveTree(gp.genHalfAndHalf(script(name).KNOWN, 1, 6)) for _ in range(count)]


def nested(nodes):
    """A tree as lists of name and arguments."""
    node = next(nodes)
    return [node.name, *(nested(nodes) for _ in range(node.arity))]


@pytest.mark.parametrize("name", PROBLEMS)
def test_gallery_problem_runs_with_its_searches_and_repeats(name):
    problem = load_problem(GALLERY / f"{name}.py")
    assert problem.name == name
    searches = list(problem.searches or DEFAULT_SEARCHES)
    assert searches[:3] == ["objective", "novelty", "surprise"]
    for search in searches:
        options = {"clusters": 4} if search == "surprise" else {}
        record = divergent.run(problem, search=search, seed=3, population=6, generations=3, **options)
        assert record.solved or 6 < record.evaluations <= 18
    again = divergent.run(problem, search=search, seed=3, population=6, generations=3, **options)
    assert again.files()[TEXT] == record.files()[TEXT]


def test_gallery_has_the_listed_problems_in_two_screens():
    assert {path.stem for path in GALLERY.glob("*.py")} == {*PROBLEMS, "trees"}
    for path in GALLERY.glob("*.py"):
        assert len(path.read_text().splitlines()) <= 110


def test_ant_trail_has_89_pellets():
    food = script("santa_fe_ant").FOOD
    assert food.shape == (32, 32)
    assert food.sum() == 89


def steps_of(program, sees_food):
    """What a program does in one turn, action by action; `sees_food` is asked when it matters."""
    name, *arguments = program
    if name == "if_food":
        yield from steps_of(arguments[0] if sees_food() else arguments[1], sees_food)
    elif arguments:
        for argument in arguments:
            yield from steps_of(argument, sees_food)
    else:
        yield name


def eaten_slowly(program, food, moves, samples):
    place, heading, food, eaten, made = 0 + 0j, 1 + 0j, set(food), [0] * samples, 0
    total = len(food)

    def wrapped(place):
        return complex(place.real % 32, place.imag % 32)

    def sees_food():
        return wrapped(place + heading) in food

    while True:
        for action in steps_of(program, sees_food):
            if made == moves:
                return eaten
            if action == "forward":
                place = wrapped(place + heading)
                food.discard(place)
            else:
                heading *= -1j if action == "left" else 1j
            eaten[made * samples // moves] = total - len(food)
            made += 1


def test_compiled_ants_equal_the_reference():
    ant = script("santa_fe_ant")
    food = {complex(column, row) for row, column in np.argwhere(ant.FOOD).tolist()}
    most = 0
    for tree in trees("santa_fe_ant", 150):
        expected = eaten_slowly(nested(iter(tree)), food, 100, 8)
        eaten = ant.walk(ant.numbered(tree, ant.ARITY), np.array(list(ant.ARITY.values())), ant.FOOD.copy(), 100, 8)
        assert eaten.tolist() == expected
        most = max(most, expected[-1])
    assert most > 5


def value(formula, x):
    if formula == ["x"]:
        return x
    name, first, second = formula[0], value(formula[1], x), value(formula[2], x)
    with np.errstate(all="ignore"):
        return {
            "add": first + second,
            "subtract": first - second,
            "multiply": first * second,
            "divide": np.where(second == 0, 1.0, first / second),
        }[name]


def test_compiled_formulas_equal_numpy():
    regression = script("regression")
    x = np.array([-1.0, -0.3, 0.0, 0.7, 2.0])
    for tree in trees("regression", 150):
        computed = regression.compute(regression.numbered(tree, regression.ARITY), x)
        assert computed == pytest.approx(value(nested(iter(tree)), x), rel=1e-9, nan_ok=True)


def test_regression_with_the_quartic_is_solved():
    regression = script("regression")
    squared = "multiply(x, x)"
    quartic = f"add(add(multiply({squared}, {squared}), multiply(x, {squared})), add({squared}, x))"
    tree = regression.creator.Formula(gp.PrimitiveTree.from_string(quartic, regression.KNOWN))
    outcome = regression.evaluate(tree)
    assert outcome[0] == pytest.approx(0, abs=1e-12)
    assert outcome.behaviour == pytest.approx(np.zeros(20), abs=1e-12)


def test_regression_with_overflowing_formulas_has_a_finite_behaviour():
    regression = script("regression")
    tiny = "subtract(x, x)"
    for _ in range(9):
        tiny = f"add({tiny}, multiply(x, x))" if tiny.startswith("sub") else f"multiply({tiny}, {tiny})"
    tree = regression.creator.Formula(gp.PrimitiveTree.from_string(f"divide(x, {tiny})", regression.KNOWN))
    outcome = regression.evaluate(tree)
    assert np.isfinite(outcome.behaviour).all()
    assert outcome[0] <= regression.LARGEST


def test_spiral_has_twenty_turns_and_the_length_of_its_polygon():
    spiral = script("spiral")
    angles = np.linspace(0, spiral.LAST, 200_001)
    places = np.array([spiral.place(angle) for angle in angles])
    assert spiral.length(spiral.LAST) == pytest.approx(np.linalg.norm(np.diff(places, axis=0), axis=1).sum(), rel=1e-6)
    assert spiral.place(2 * math.pi) == pytest.approx((0.01 * 2 * math.pi, 0.0))


def bulldozer(board, row, column, heading, choices):
    """Let it work by the clock: a network of one hidden node cannot, so the outputs are made constant."""
    tartarus = script("tartarus")
    actions = np.zeros(choices, dtype=np.int64)
    inward = np.zeros((1, 10))
    inward[0, 0] = 1.0  # the hidden node holds tanh(1)
    return tartarus.work(inward, np.array([[1.0], [0.0], [0.0]]), board, row, column, heading, actions), actions


def empty_board():
    board = np.full((8, 8), 2)
    board[1:7, 1:7] = 0
    return board


def test_bulldozer_pushes_a_box_up_to_the_wall():
    board = empty_board()
    board[4, 3] = 1
    score, actions = bulldozer(board, 5, 3, 0, 10)
    assert board[1, 3] == 1
    assert (score, actions.tolist()) == (1, [0] * 10)


def test_bulldozer_counts_a_corner_twice_and_does_not_push_two_boxes():
    board = empty_board()
    board[1, 1] = board[3, 4] = board[2, 4] = 1
    score, _ = bulldozer(board, 4, 4, 0, 5)
    assert score == 2
    assert board[2, 4] == board[3, 4] == 1


def test_bulldozer_boards_have_six_boxes_away_from_the_walls():
    tartarus = script("tartarus")
    for board, (row, column, heading) in zip(tartarus.BOARD, tartarus.START, strict=True):
        assert (board == 1).sum() == (board[2:6, 2:6] == 1).sum() == 6
        assert board[row, column] == 0
        assert 0 <= heading < 4


def test_novelty_along_the_spiral_passes_check_strategy():
    check_strategy(script("spiral").AlongSpiral(neighbours=2))


def test_novelty_along_the_spiral_compares_lengths():
    spiral = script("spiral")
    angles = np.array([10.0, 10.0 + 2 * math.pi, 12.0])
    places = np.array([spiral.place(angle) for angle in angles])
    lengths = spiral.length(angles)
    scores = spiral.AlongSpiral(neighbours=1, archiving="none").score(Outcomes(np.zeros(3), places))
    assert scores == pytest.approx([lengths[2] - lengths[0], lengths[1] - lengths[2], lengths[2] - lengths[0]])


def test_visited_counts_new_parts_of_the_spiral_only():
    spiral = script("spiral")
    ends = [spiral.place(angle) for angle in (0.0, 0.0, spiral.LAST, 0.1, spiral.LAST / 2)]
    assert spiral.visited(ends).tolist() == [1, 1, 2, 2, 3]


@pytest.fixture
def tables(monkeypatch):
    monkeypatch.syspath_prepend(HOME / "benchmarks")
    return import_module("gallery")


def test_gallery_page_has_the_table_of_the_committed_results(tables):
    page = tables.PAGE.read_text(encoding="utf-8")
    parts = {"runs": tables.make_table(tables.read())}
    if (tables.RESULTS / "arm.csv").is_file():
        parts["arm"] = tables.make_arm_table()
    for part, text in parts.items():
        begin, end = tables.MARKS[part]
        assert page.split(begin)[1].split(end)[0].strip() == text


def test_gallery_results_have_twenty_seeds_per_search_and_little_size(tables):
    runs = tables.read()
    assert {*PROBLEMS} <= {*runs["problem"]}
    for (name, search), group in runs.groupby(["problem", "search"]):
        assert search in tables.searches(name)
        assert group["seed"].tolist() == list(range(20))
    assert sum(path.stat().st_size for path in tables.RESULTS.iterdir()) < 1.5e6


def test_gallery_figure_has_a_panel_for_each_solved_problem(tables, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        tables, "by_maze", lambda *arguments, **options: drawn.append(by_maze(*arguments, **options)) or drawn[0]
    )
    runs = tables.read()
    tables.draw(runs, tmp_path / "gallery.png")
    assert (tmp_path / "gallery.png").stat().st_size > 10_000
    solved = runs.groupby("problem")["solved"].any().sum()
    assert sum(panel.get_visible() for panel in drawn[0]) == solved
    assert "Santa Fe ant" in [panel.get_title("left") for panel in drawn[0]]
    (legend,) = drawn[0][0].figure.legends
    shades = {
        text.get_text(): handle.get_color() for text, handle in zip(legend.texts, legend.legend_handles, strict=True)
    }
    assert len(set(shades.values())) == len(shades)  # each search and each variant has its own colour


def test_gallery_collect_writes_rows_of_records_with_visits_of_the_spiral(tables, tmp_path):
    spiral = load_problem(GALLERY / "spiral.py")
    small = {"population": 10, "generations": 3, "progress": False, "clusters": 5}
    divergent.run_many(spiral, runs=2, out=tmp_path / "records", **small)
    tables.collect(tmp_path / "records", tmp_path / "few")
    assert not list((tmp_path / "few").iterdir())  # fewer than 20 runs
    tables.collect(tmp_path / "records", tmp_path / "results", runs=2)
    runs = tables.read(tmp_path / "results")
    assert list(dict.fromkeys(runs["search"])) == list(spiral.searches)
    assert runs["evaluations"].tolist() == [30] * 10
    record = divergent.read(tmp_path / "records" / "spiral" / "objective" / "seed-0000")
    assert runs["measure"][0] == script("spiral").visited(record.behaviours.astype(float))[-1] / 100
    assert "| [spiral](../../examples/gallery/spiral.py), fraction visited | objective | 0 of 2 |" in tables.make_table(
        runs
    )


def test_gallery_p_values_compare_with_objective_search(tables):
    runs = pd.DataFrame(
        {
            "problem": "trap",
            "search": ["objective"] * 8 + ["novelty"] * 8,
            "solved": [False] * 8 + [True] * 8,
            "evaluations": [100] * 8 + list(range(8)),
            "population": 10,
            "generations": 10,
        }
    )
    assert tables.p_values(runs, "evaluations", "p_log_rank_corrected") == {("trap", "novelty"): "<0.001"}
