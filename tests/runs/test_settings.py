import dataclasses
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from divergent.loops import steady_state
from divergent.maze import read_maze
from divergent.runs import assemble, run
from divergent.runs.settings import Plan, Settings
from divergent.selection import SEARCHES, Strategy


@pytest.fixture(autouse=True)
def _folder_with_a_custom_maze(tmp_path, monkeypatch):
    (tmp_path / "own.txt").write_text("4\n20 20\n0\n80 80\n0 0 100 0\n100 0 100 100\n100 100 0 100\n0 100 0 0\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("maze", "clusters", "neighbours", "steps", "budget"),
    [
        ("medium", 200, 1, 400, 75_000),
        ("hard", 100, 1, 400, 75_000),
        ("very_hard", 200, 2, 500, 250_000),
        ("extremely_hard", 220, 2, 1000, 250_000),
        ("generated:7", 200, 2, 200, 150_000),
        ("own.txt", 200, 2, 400, 75_000),
    ],
)
def test_resolve_of_surprise_gives_the_papers_settings(maze, clusters, neighbours, steps, budget):
    settings = Settings(maze=maze, search="surprise").resolve()
    assert (settings.options["clusters"], settings.options["neighbours"], settings.steps, settings.budget) == (
        clusters,
        neighbours,
        steps,
        budget,
    )
    assert (settings.options["history"], settings.options["predictor"], settings.options["deviation"]) == (
        2,
        "linear",
        "nearest",
    )


@pytest.mark.parametrize(("maze", "neighbours"), [("medium", 15), ("extremely_hard", 10), ("own.txt", 15)])
def test_resolve_of_novelty_gives_the_papers_neighbours(maze, neighbours):
    assert Settings(maze=maze, search="novelty").resolve().options["neighbours"] == neighbours


def test_resolve_with_a_small_population_limits_clusters_to_four_fifths():
    assert Settings(maze="own.txt", population=100).resolve().options["clusters"] == 80
    assert Settings(maze="own.txt", population=240).resolve().options["clusters"] == 192
    assert Settings(maze="hard", population=50).resolve().options["clusters"] == 40
    assert Settings(maze="hard", population=100).resolve().options["clusters"] == 100


def test_resolve_with_chosen_settings_keeps_them():
    settings = Settings(search="surprise", clusters=30, neighbours=3, generations=7, steps=50).resolve()
    assert (settings.options["clusters"], settings.options["neighbours"], settings.generations, settings.steps) == (
        30,
        3,
        7,
        50,
    )
    assert Settings(search="surprise", clusters=1).resolve().options["neighbours"] == 1


def test_resolve_with_a_predictor_gives_the_history_it_needs():
    assert Settings(predictor="cubic").resolve().options["history"] == 4
    assert Settings(predictor="cubic", history=6).resolve().options["history"] == 6


def test_resolve_of_learn_from_depends_on_search_and_loop():
    for search, default in {"novelty": "population", "surprise": "offspring", "ssnp": "offspring"}.items():
        assert Settings(search=search).resolve().learn_from == default
    assert Settings(search="surprise", learn_from="population").resolve().learn_from == "population"
    assert Settings(search="surprise", loop="generational").resolve().learn_from is None
    assert Settings(search="random").resolve().learn_from is None


@pytest.mark.parametrize("search", SEARCHES)
def test_resolve_in_the_steady_loop_gives_learn_from_of_the_strategy(search):
    plan = Settings(search=search, loop="steady").resolve()
    strategy = plan.strategy((0.0, 0.0, 1.0, 1.0), np.random.default_rng(0))
    learns = type(strategy).learn is not Strategy.learn
    assert plan.learn_from == (strategy.learns_from if learns else None)


def test_resolve_of_strategies_with_surprise_learns_from_offspring():
    for search in ("nss", "sslc", "nsslc", "nssslc"):
        assert Settings(search=search, loop="steady").resolve().learn_from == "offspring"
    assert Settings(search="nslc", loop="steady").resolve().learn_from == "population"
    assert Settings(search="nss", learn_from="population").resolve().learn_from == "population"


def test_resolve_of_a_plan_returns_it():
    settings = Settings(maze="hard", search="ssr").resolve()
    assert settings.resolve() == settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"search": "suprise"},
            r"setting search must be a known name, got 'suprise' \(did you mean surprise\?\); choose from objective",
        ),
        ({"clusters": 300}, r"clusters must be at most the population size 250, got 300"),
        ({"clusters": 5, "neighbours": 6}, "neighbours must be at most the number of clusters 5, got 6"),
        ({"seed": -1}, "seed must be an integer, at least 0, got -1"),
        ({"generations": 0}, "generations must be an integer, at least 1, got 0"),
        ({"population": 1}, "population must be an integer, at least 2, got 1"),
        ({"steps": 0}, "steps must be an integer, at least 1, got 0"),
        ({"neighbours": 0}, "neighbours must be .*at least 1, got 0"),
        ({"history": 1}, "history must be an integer, at least 2, got 1"),
        ({"history": 2.5}, "option history must have a value of the documented type, an integer, got 2.5"),
        ({"predictor": "oracle"}, "predictor must be a known name or a callable, got 'oracle'; choose from linear"),
        (
            {"predictor": "cubic", "history": 3},
            "history must be at least the number of generations that the predictor uses, 4 for .*, got 3",
        ),
        (
            {"deviation": "far"},
            "deviation must be a known name or a callable, got 'far'.*; choose from nearest, heatmap",
        ),
        ({"behaviour": "way"}, "behaviour must be 'end' or 'trail:M' with an integer M of at least 1, got 'way'"),
        ({"behaviour": "trail:0"}, "'trail:M' with an integer M of at least 1, got 'trail:0'"),
        (
            {"loop": "endless"},
            "setting loop must be a known name, got 'endless'; choose from steady, generational, plus",
        ),
        (
            {"learn_from": "books"},
            "setting learn_from must be a known name, got 'books'; choose from population, offspring",
        ),
        (
            {"learn_from": "offspring", "loop": "generational"},
            "learn_from must be None in the generational loop, got 'offspring'; "
            "this setting applies only to the steady loop",
        ),
        ({"search": "random", "learn_from": "offspring"}, "learn_from must be None for search random"),
        ({"search": "random", "clusters": 5}, "must belong to search random, got clusters; this search has no options"),
        ({"search": "novelty", "history": 3}, "options must belong to search novelty, got history"),
    ],
)
def test_resolve_of_invalid_settings_names_the_argument(settings, message):
    with pytest.raises(ValueError, match=message):
        Settings(**settings).resolve()


@pytest.mark.parametrize("maze", ["arm", "nowhere/own.txt", "nowhere.txt"])
def test_resolve_of_an_unknown_maze_lists_the_known_mazes(maze):
    known = "choose from extremely_hard, hard, medium, very_hard, generated:SEED, or give the path of a file"
    with pytest.raises((ValueError, FileNotFoundError), match=f"{maze}'.*; {known}"):
        Settings(maze=maze).resolve()


def test_from_json_without_the_maze_file_returns_the_plan():
    data = Settings(maze="own.txt").resolve().to_json()
    Path("own.txt").unlink()
    plan = Plan.from_json(data)
    assert plan.maze == "own.txt"
    assert plan.resolve() is plan


def test_differences_name_settings_and_both_values():
    saved, requested = Settings(clusters=100).resolve(), Settings(clusters=50, seed=3).resolve()
    assert saved.differences(requested) == ["seed 0 instead of 3", "clusters 100 instead of 50"]


def test_differences_missing_option_of_an_earlier_version_has_its_default():
    plan = Settings(search="novelty").resolve()
    options = {name: value for name, value in plan.options.items() if name != "reference"}
    earlier = dataclasses.replace(plan, options=options)
    assert earlier.differences(plan) == plan.differences(earlier) == []
    other = Settings(search="novelty", reference="archive").resolve()
    assert earlier.differences(other) == ["reference both instead of archive"]


def test_name_of_settings_has_no_seed_and_no_path():
    assert Settings(maze="generated:7", search="ssnp").name == "generated-7-ssnp"
    assert Settings(maze="some/where/own.txt").name == "own-surprise"


def test_samples_of_a_plan_is_the_number_of_trail_positions():
    assert Settings(behaviour="end").resolve().samples is None
    assert Settings(behaviour="trail:200").resolve().samples == 200


def test_resolve_of_loop_settings_rejects_those_of_other_loops():
    steady, generational = (Settings(loop=loop).resolve() for loop in ("steady", "generational"))
    assert (steady.species, steady.refresh, steady.cxpb, steady.mutpb) == (16, 12, None, None)
    assert (generational.species, generational.refresh) == (16, None)
    assert (generational.cxpb, generational.mutpb) == (0.7, 0.8)
    with pytest.raises(
        ValueError,
        match=r"cxpb must be None in the steady loop, got 0\.5; this setting applies only to the generational loop",
    ):
        Settings(cxpb=0.5).resolve()
    with pytest.raises(ValueError, match=r"cxpb must be None in the plus loop, got 0\.5"):
        Settings(search="nslc", cxpb=0.5).resolve()
    with pytest.raises(
        ValueError,
        match="species must be None in the plus loop, got 5; this setting applies only to the steady or generational",
    ):
        Settings(loop="plus", species=5).resolve()
    with pytest.raises(ValueError, match=r"mutpb must be a probability from 0 to 1, got 1\.5"):
        Settings(loop="generational", mutpb=1.5).resolve()


def test_resolve_without_a_loop_gives_the_default_of_the_search():
    assert Settings(search="surprise").resolve().loop == "steady"
    assert Settings(search="nslc").resolve().loop == "plus"
    assert Settings(search="nslc", loop="steady").resolve().loop == "steady"
    plan = Settings(search="surprise", loop="plus").resolve()
    assert (plan.species, plan.refresh, plan.learn_from, plan.cxpb, plan.mutpb) == (None,) * 5
    assert Plan.from_json(plan.to_json()) == plan


def test_options_as_keywords_or_mapping_are_equal():
    assert Settings(clusters=50, neighbours=2) == Settings(options={"clusters": 50, "neighbours": 2})
    assert dataclasses.replace(Settings(clusters=50), neighbours=2).options == {"clusters": 50, "neighbours": 2}
    assert Settings(clusters=None) == Settings()


def test_plan_after_json_and_pickle_is_equal():
    plan = Settings(maze="hard", search="novelty", seed=3).resolve()
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_resolve_without_a_robot_gives_that_of_the_rules():
    assert (Settings().resolve().rules, Settings().resolve().robot) == ("divergent", "six-rangefinder")
    plan = Settings(rules="lehman2008").resolve()
    assert (plan.rules, plan.robot) == ("lehman2008", "five-rangefinder")
    assert Settings(rules="lehman2008", robot="six-rangefinder").resolve().robot == "six-rangefinder"
    assert Settings(robot="five-rangefinder").resolve().rules == "divergent"


def test_name_contains_other_rules_and_robots():
    assert Settings(maze="hard", robot="five-rangefinder").name == "hard-surprise-five-rangefinder"
    assert Settings(maze="hard", rules="lehman2008").name == "hard-surprise-lehman2008"
    assert Settings(maze="hard", rules="lehman2008").resolve().name == "hard-surprise-lehman2008"
    both = Settings(maze="hard", rules="lehman2008", robot="six-rangefinder")
    assert both.name == both.resolve().name == "hard-surprise-six-rangefinder-lehman2008"


def test_from_json_without_rules_gives_the_default_rules():
    plan = Settings(maze="hard", search="novelty", robot="five-rangefinder").resolve()
    older = {name: value for name, value in plan.to_json().items() if name != "rules"}
    assert Plan.from_json(older) == plan
    assert "rules" not in older
    with pytest.raises(ValueError, match="setting rules must be a known name, got 'lehman2009'"):
        Plan.from_json(older | {"rules": "lehman2009"})


def test_from_json_of_an_unknown_search_returns_the_plan():
    data = Settings().resolve().to_json() | {"search": "custom", "options": {"colour": "red"}}
    assert Plan.from_json(data).options == {"colour": "red"}
    with pytest.raises(ValueError, match="got missing 'loop'"):
        Plan.from_json({name: value for name, value in data.items() if name != "loop"})


def test_resolve_with_options_the_strategy_rejects_raises():
    with pytest.raises(ValueError, match="cells must give at most 1,000,000 grid cells in total"):
        Settings(deviation="heatmap", behaviour="trail:5").resolve()


@pytest.mark.parametrize(
    ("size", "need"),
    [
        ({"population": 10**6 + 1}, "population must be at most 1,000,000, got 1,000,001, which needs 4 GB of memory"),
        ({"steps": 10**20}, r"steps must be at most 1,000,000, got .*, which needs 1,600,000,000,000 GB of memory"),
        (
            {"generations": 10**9},
            "which need about 482 days on one core and 2,000 GB of memory; choose fewer generations",
        ),
        (
            {"behaviour": "trail:100000000"},
            "M at most 4,000,000 if the population size is 250, got trail:100000000, which needs 400 GB of memory",
        ),
    ],
)
def test_resolve_of_impossible_sizes_reports_time_or_memory(size, need):
    with pytest.raises(ValueError, match=need):
        Settings(**size).resolve()


def test_resolve_of_large_possible_sizes_succeeds():
    assert Settings(population=10_000, generations=10_000).resolve().budget == 10**8


def test_settings_with_a_batch_in_a_maze_are_recorded_only_if_it_is_larger_than_one():
    plain = Settings(maze="hard", search="novelty").resolve()
    assert Settings(maze="hard", search="novelty", batch=1).resolve() == plain
    assert "batch" not in plain.to_json()
    plan = Settings(maze="hard", search="novelty", batch=8).resolve()
    assert plan.to_json()["batch"] == 8
    assert type(plan).from_json(plan.to_json()) == plan
    with pytest.raises(ValueError, match="batch must be None in the plus loop, got 8"):
        Settings(maze="hard", search="novelty", loop="plus", batch=8).resolve()


def test_run_with_a_batch_in_a_maze_equals_steady_state_with_it():
    options = {"maze": "hard", "search": "novelty", "population": 20, "generations": 4, "steps": 50}
    plan = Settings(**options, batch=5).resolve()
    parts = assemble(plan, read_maze("hard"))
    steps = steady_state(
        parts.population, parts.toolbox, parts.strategy, parts.species, generations=4, refresh=plan.refresh, batch=5
    )
    behaviours = [child.fitness.behaviour.tolist() for step in steps for child in step.offspring]
    assert np.allclose(run(plan).positions, behaviours)
    assert not np.allclose(run(Settings(**options)).positions, behaviours)
