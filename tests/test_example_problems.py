"""The problem files of the examples run, resume bit for bit, and are what they say."""

from pathlib import Path

import pytest

from divergent import run
from divergent.runs import Settings, execution, load_problem, make_run
from divergent.runs.record import ARRAYS, TEXT

PROBLEMS = Path(__file__).parents[1] / "examples" / "problems"
FILES = sorted(path.stem for path in PROBLEMS.glob("*.py"))


@pytest.mark.parametrize("name", FILES)
def test_problem_file_runs_and_resumes_bit_for_bit(name, tmp_path, monkeypatch):
    if name == "bipedal_walker":
        pytest.skip("an episode of BipedalWalker depends on earlier episodes of the environment in spite of its seed")
    if name == "lunar_lander":
        pytest.importorskip("Box2D")
    monkeypatch.setattr(execution, "CHECKPOINT_EVERY", 3)
    problem = load_problem(PROBLEMS / f"{name}.py")
    assert problem.name == name
    settings = Settings(problem=problem, search="novelty", seed=1, population=12, generations=8)
    whole = run(settings)
    for _ in range(2):
        begun = iter(make_run(settings.resolve(), problem, out=tmp_path))
        for _, _ in zip(range(4), begun, strict=False):
            pass
        begun.close()
    resumed = run(settings, out=tmp_path)
    assert [resumed.files()[file] for file in (TEXT, ARRAYS)] == [whole.files()[file] for file in (TEXT, ARRAYS)]


def test_trap_single_bit_change_lowers_fitness():
    evaluate = load_problem(PROBLEMS / "trap.py").toolbox(None).evaluate
    assert evaluate([1] * 80)[0] == 80
    assert evaluate([0] * 80)[0] == 60
    assert evaluate([1] + [0] * 79)[0] == 59


def test_arm_stretched_reaches_the_limit():
    evaluate = load_problem(PROBLEMS / "arm.py").toolbox(None).evaluate
    outcome = evaluate([0.0] * 12)
    assert outcome[0] == 0
    assert outcome.behaviour == pytest.approx((1.0, 0.0))


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [("", "", 0), ("(", "", 1), ("()", "[]", 2), ("()[]", "(())", 3), ("([)]", "[)]", 1)],
)
def test_edit_distance_of_strings(first, second, distance):
    import sys

    load_problem(PROBLEMS / "strings.py")
    module = next(module for module in sys.modules.values() if getattr(module, "balanced_prefix", None))
    assert module.edit_distance(first, second) == distance
    assert [module.balanced_prefix(text) for text in ("()[]", "([)]", "(", "(()")] == [4, 0, 0, 0]


def test_walk_around_the_roof_reaches_the_goal():
    evaluate = load_problem(PROBLEMS / "roof.py").toolbox(None).evaluate
    assert evaluate([6, 0, 0, 8, -6, 0, 0, 0.1])[0] < 1
    assert evaluate([0, 3, 0, 3, 0, 3, 0, 3])[0] == 5


def test_cma_me_of_the_arm_is_seeded_and_covers_cells(monkeypatch):
    pytest.importorskip("ribs")
    problem = load_problem(PROBLEMS / "arm.py")
    module = problem.toolbox.__globals__
    monkeypatch.setitem(problem.defaults, "generations", 5)
    coverage, score = module["run_cma_me"](3)
    assert (coverage, score) == module["run_cma_me"](3)
    assert 0 < coverage < 0.5
    assert score <= coverage * 400 * -module["WORST"]


def test_arm_table_has_searches_and_cma_me_on_one_grid(monkeypatch, tmp_path):
    problem = load_problem(PROBLEMS / "arm.py")
    module = problem.toolbox.__globals__
    for name, value in (("population", 10), ("generations", 3)):
        monkeypatch.setitem(problem.defaults, name, value)
    monkeypatch.setitem(module, "run_cma_me", lambda seed: (0.5, 7.0 + seed))
    table = module["compare"](2, tmp_path)
    assert sorted(table["search"].unique()) == ["cma_me", "dns", "novelty", "nslc", "objective"]
    assert table.loc[table["search"] == "cma_me", "qd_score"].tolist() == [7.0, 8.0]
    assert (table["qd_score"] > 0).all()
