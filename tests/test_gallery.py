"""The gallery's problems are what they say, and the table in docs is that of the results."""

import csv
import math
import random
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from deap import gp

from divergent.selection import check_strategy

HOME = Path(__file__).parents[1]
GALLERY = HOME / "examples" / "gallery"
PROBLEMS = ("mountain_car", "acrobot", "santa_fe_ant", "regression", "spiral", "tartarus", "reference_sets")


@pytest.fixture(autouse=True)
def on_path(monkeypatch):
    monkeypatch.syspath_prepend(GALLERY)


def script(name):
    return import_module(name)


def trees(name, count):
    random.seed(4)
    return [gp.PrimitiveTree(gp.genHalfAndHalf(script(name).KNOWN, 1, 6)) for _ in range(count)]


def nested(nodes):
    """A tree as lists of name and arguments."""
    node = next(nodes)
    return [node.name, *(nested(nodes) for _ in range(node.arity))]


@pytest.mark.parametrize("name", PROBLEMS)
def test_problem_with_every_search_and_one_seed_gives_equal_runs(name, monkeypatch):
    problem = script(name)
    monkeypatch.setattr(problem, "POPULATION", 6)
    for search in problem.SEARCHES:
        first = problem.run(search, seed=3, generations=3)
        assert first.solved or first.evaluations == 18
        assert math.isfinite(first.best)
    again = problem.run(search, seed=3, generations=3)
    assert again[:3] == first[:3]


def test_runner_lists_every_problem():
    assert script("run").PROBLEMS == PROBLEMS
    shared = {"run", "searches", "trees"}
    assert {path.stem for path in GALLERY.glob("*.py")} == {*PROBLEMS, *shared}


def test_gallery_rows_have_the_three_searches():
    for name in PROBLEMS:
        assert list(script(name).SEARCHES)[:3] == ["objective", "novelty", "surprise"]


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
        found = ant.walk(ant.numbered(tree, ant.ARITY), np.array(list(ant.ARITY.values())), ant.FOOD.copy(), 100, 8)
        assert found.tolist() == expected
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
        found = regression.compute(regression.numbered(tree, regression.ARITY), x)
        assert found == pytest.approx(value(nested(iter(tree)), x), rel=1e-9, nan_ok=True)


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


def test_archive_novelty_passes_check_strategy():
    check_strategy(script("reference_sets").ArchiveOnly(neighbours=2))


def test_runner_writes_results_and_their_table(tmp_path, capsys):
    run = script("run")
    run.main(["spiral", "--seeds", "2", "--jobs", "1", "--generations", "2", "--results", str(tmp_path)])
    with (tmp_path / "spiral.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["search"], row["seed"]) for row in rows[:3]] == [
        ("objective", "0"),
        ("objective", "1"),
        ("novelty", "0"),
    ]
    assert len(rows) == 10
    printed = capsys.readouterr().out
    assert "| [spiral](../../examples/gallery/spiral.py) | objective | 0 of 2 | 200 |" in printed


def test_runner_with_an_unknown_problem_reports_one_line(capsys):
    for words, message in ((["maze"], "unknown problem 'maze'"), (["--seeds", "0"], "seeds must be at least 1, got 0")):
        with pytest.raises(SystemExit):
            script("run").main(words)
        assert message in capsys.readouterr().err


def test_gallery_page_has_the_table_of_the_results():
    run = script("run")
    page = run.PAGE.read_text(encoding="utf-8")
    assert page.split(run.BEGIN)[1].split(run.END)[0].strip() == run.table()


@pytest.mark.parametrize("path", sorted((GALLERY / "results").glob("*.csv")), ids=lambda path: path.stem)
def test_gallery_results_have_twenty_seeds_per_search(path):
    found = script("run").read(path.stem)
    assert list(found) == list(script(path.stem).SEARCHES)
    for rows in found.values():
        assert [int(row["seed"]) for row in rows] == list(range(20))
