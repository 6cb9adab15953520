"""Runs of any problem: the same seed gives the same record, and an interrupted run resumes to it bit for bit."""

import dataclasses
import math
import random
import time
from functools import partial

import numpy as np
import pytest
from deap import base, creator, tools
from sample_problems import BAG, GENOME, PROBLEMS, SMALL, WALK, walk_toolbox

import divergent
from divergent import Outcome, Problem, analysis, neat
from divergent.explorer._problem_scene import scene_of_problem_record
from divergent.problem import LOOPS
from divergent.runs import EvaluationError, Settings, execution, make_run, read, run
from divergent.runs._evaluation import Evaluator
from divergent.runs.execution import record_folder
from divergent.runs.record import ARRAYS, TEXT
from divergent.selection import Novelty, Surprise

pytestmark = pytest.mark.filterwarnings("ignore:.*uses values.0. of 2 fitness values")


@pytest.fixture
def often(monkeypatch):
    """A checkpoint every four generations."""
    monkeypatch.setattr(execution, "CHECKPOINT_EVERY", 4)


def interrupt(settings, out, generations):
    """Begin a run and stop it after some generations."""
    begun = iter(make_run(settings.resolve(), settings.problem, out=out))
    for _ in range(generations):
        next(begun)
    begun.close()


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_run_interrupted_twice_ends_in_the_same_record(tmp_path, often, name, loop):
    settings = Settings(problem=PROBLEMS[name], search="surprise", loop=loop, seed=3, clusters=5)
    whole = run(settings)
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002
    interrupt(settings, tmp_path, 5)
    assert list(tmp_path.rglob("*.checkpoint.npz"))
    interrupt(settings, tmp_path, 3)
    resumed = run(settings, out=tmp_path)
    for kept in (resumed, read(record_folder(settings, tmp_path))):
        for file in (TEXT, ARRAYS):
            assert kept.files()[file] == whole.files()[file]
    assert not list(tmp_path.rglob("*.checkpoint.npz"))
    other = run(dataclasses.replace(settings, seed=4))
    assert other.files()[ARRAYS] != whole.files()[ARRAYS]


def ring_toolbox(rng):
    """Points that are infeasible within a circle of radius 3; infeasible points have the highest fitness."""
    toolbox = walk_toolbox(rng)

    def evaluate(walk):
        radius = math.hypot(walk[0], walk[1])
        return Outcome((radius,), behaviour=(walk[0], walk[1]), violation=max(0.0, 3.0 - radius))

    toolbox.register("evaluate", evaluate)
    return toolbox


RING = Problem(
    "ring",
    ring_toolbox,
    solved=lambda values: values[0] < 0.5,
    defaults={**SMALL, "loop": "fi2pop", "mutpb": 0.9},
    axes=("x", "y"),
    limits=((-6, 6), (-6, 6)),
)
REPRODUCTION = dataclasses.replace(
    GENOME, species=None, survive=lambda strategy, rng: neat.Reproduction(strategy=strategy, threshold=1.0, rng=rng)
)


@pytest.mark.parametrize(
    ("problem", "options"),
    [
        (RING, {"search": "novelty"}),
        (RING, {"search": "surprise", "clusters": 5}),
        (REPRODUCTION, {"search": "novelty"}),
    ],
    ids=["fi2pop", "fi2pop with clusters", "reproduction"],
)
def test_run_of_a_survivor_selection_interrupted_twice_ends_in_the_same_record(tmp_path, often, problem, options):
    settings = Settings(problem=problem, seed=3, **options)
    whole = run(settings)
    interrupt(settings, tmp_path, 5)
    assert list(tmp_path.rglob("*.checkpoint.npz"))
    interrupt(settings, tmp_path, 3)
    resumed = run(settings, out=tmp_path)
    for kept in (resumed, read(record_folder(settings, tmp_path))):
        for file in (TEXT, ARRAYS):
            assert kept.files()[file] == whole.files()[file]


def test_fi2pop_run_ends_only_at_a_feasible_solution_and_records_violations():
    record = run(RING, search="novelty", seed=1)
    assert not record.solved  # values below 0.5 are infeasible
    assert (record.fitness[:, 0] < 0.5).any()
    assert np.allclose(record.violations, np.maximum(0, 3 - record.fitness[:, 0]))
    feasible = record.violations == 0
    assert feasible[:12].mean() < feasible[-36:].mean()
    assert record.best_fitness == record.fitness[feasible, 0].min()
    elites = analysis.record_elites(record)
    assert set(elites.best.values()) <= set(np.flatnonzero(feasible).tolist())


def test_run_with_a_batch_of_children_as_default_resumes_bit_for_bit(tmp_path, often):
    problem = dataclasses.replace(WALK, defaults={**SMALL, "batch": 5})
    settings = Settings(problem=problem, search="novelty", seed=2)
    whole = run(settings)
    assert whole.settings.batch == 5
    interrupt(settings, tmp_path, 5)
    resumed = run(settings, out=tmp_path)
    for file in (TEXT, ARRAYS):
        assert resumed.files()[file] == whole.files()[file]
    assert Settings(problem=problem, search="novelty", loop="plus").resolve().batch is None


def letters_toolbox(behaviour, rng):
    toolbox = walk_toolbox(rng)

    def evaluate(walk):
        return Outcome((abs(sum(walk)),), behaviour=behaviour("".join("LR"[step > 0] for step in walk)))

    toolbox.register("evaluate", evaluate)
    return toolbox


def different_letters(first, second):
    return float(len(set(enumerate(first)) ^ set(enumerate(second))))


@pytest.mark.parametrize("loop", ["steady", "plus"])
@pytest.mark.parametrize(
    ("behaviour", "distance", "kind"),
    [
        (str, different_letters, str),
        (lambda text: frozenset(enumerate(text)), lambda first, second: float(len(first ^ second)), frozenset),
    ],
    ids=["strings", "sets"],
)
def test_behaviours_that_are_not_vectors_are_recorded_and_resume(tmp_path, often, loop, behaviour, distance, kind):
    searches = {"novelty": partial(Novelty, distance=distance, neighbours=3)}
    problem = Problem("letters", partial(letters_toolbox, behaviour), defaults=SMALL, searches=searches)
    settings = Settings(problem=problem, search="novelty", seed=1, loop=loop)
    whole = run(settings)
    interrupt(settings, tmp_path, 5)
    run(settings, out=tmp_path)
    kept = read(record_folder(settings, tmp_path))
    for file in (TEXT, ARRAYS):
        assert kept.files()[file] == whole.files()[file]
    assert len(kept.behaviours) == kept.evaluations
    assert {type(recorded) for recorded in kept.behaviours} == {kind}
    assert kept.behaviours == whole.behaviours
    with pytest.raises(ValueError, match=r"behaviours of problem 'letters' must be vectors to be shown, got .*report"):
        scene_of_problem_record(kept, problem)


def test_run_without_constraints_has_no_violations():
    assert run(WALK, search="novelty", generations=2).violations is None


def test_custom_loop_follows_the_survivor_selection_of_the_problem():
    plan = Settings(problem=REPRODUCTION, search="objective").resolve()
    assert (plan.loop, plan.cxpb, plan.refresh) == ("custom", None, None)
    record = run(REPRODUCTION, search="objective", seed=1)
    assert record.rows[-1]["species"] >= 1
    with pytest.raises(ValueError, match="setting loop must be a known name, got 'custom'"):
        run(WALK, search="novelty", loop="custom")
    with pytest.raises(ValueError, match='survive must be a callable if the loop is "custom", got None'):
        dataclasses.replace(WALK, defaults={"loop": "custom"})


def test_invalid_outcome_of_a_failed_individual_has_the_violation_of_the_worst():
    evaluator = Evaluator(lambda point: Outcome((float(point[0]),), violation=2.0), "ring, seed 0", on_error="invalid")
    evaluator(creator.SampleWalk([1.0]))
    outcome = evaluator(creator.SampleWalk([]))
    assert (outcome[0], outcome.violation) == (1.0, 2.0)


def test_record_contains_every_fitness_and_behaviour():
    record = run(WALK, search="novelty", seed=1, generations=3)
    assert record.fitness.shape == (36, 1)
    assert record.behaviours.shape == (36, 2)
    assert record.behaviours.dtype == np.float32
    assert np.allclose(record.fitness[:, 0], np.abs(record.behaviours.sum(axis=1) - 20), atol=1e-4)
    assert record.best_fitness == record.fitness.min()
    assert (record.settings.problem, record.settings.search, record.settings.seed) == ("walk", "novelty", 1)
    assert (record.info.axes, record.info.limits, record.info.weights) == (("x", "y"), ((-20, 20), (-20, 20)), (-1.0,))
    assert record.settings.options["neighbours"] == 3
    solution = record.load_solution(WALK)
    assert isinstance(solution, creator.SampleWalk)
    assert abs(sum(solution) - 20) == record.best_fitness


def test_record_of_several_values_has_all_of_them():
    record = run(BAG, search="random", seed=2, loop="plus")
    assert record.fitness.shape == (108, 2)
    assert record.info.weights == (-1.0, 1.0)
    assert not record.solved
    assert not record.info.has_solution


def test_run_ends_at_the_first_solution():
    easy = dataclasses.replace(WALK, solved=lambda values: values[0] < 15)
    record = run(easy, search="objective", seed=1)
    assert record.solved
    assert record.fitness[-1] < 15 <= record.fitness[:-1].min()
    assert record.evaluations == len(record.fitness) < 108


def test_run_and_caller_have_separate_random_states():
    for loop in LOOPS:
        random.seed(2)
        np.random.seed(2)  # noqa: NPY002
        expected = random.random(), np.random.random()  # noqa: NPY002
        random.seed(2)
        np.random.seed(2)  # noqa: NPY002
        run(PROBLEMS["bits"], search="novelty", loop=loop, generations=2)
        assert (random.random(), np.random.random()) == expected  # noqa: NPY002


def test_settings_of_a_problem_have_its_defaults_and_those_of_its_searches():
    problem = dataclasses.replace(
        WALK,
        defaults={"population": 20, "generations": 5, "loop": "plus", "cxpb": 0.2},
        searches={"own": partial(Novelty, neighbours=4, archiving="none")},
    )
    plan = Settings(problem=problem, search="own").resolve()
    assert (plan.population, plan.generations, plan.loop, plan.cxpb, plan.mutpb) == (20, 5, "plus", 0.2, 0.5)
    assert (plan.options["neighbours"], plan.options["archiving"]) == (4, "none")
    assert plan.refresh is plan.batch is plan.learn_from is None
    assert plan.name == "walk/own"
    steady = Settings(problem=problem, search="surprise", loop="steady", population=10).resolve()
    assert (steady.refresh, steady.cxpb, steady.batch, steady.learn_from) == (1, None, 1, "offspring")
    assert Settings(problem=problem, search="ssr", population=10).resolve().options["clusters"] == 8
    assert type(steady).from_json(steady.to_json()) == steady


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"search": "noveltie"}, r"setting search must be a known name, got 'noveltie' \(did you mean novelty\?\)"),
        ({"loop": "endless"}, "setting loop must be a known name, got 'endless'"),
        ({"cxpb": 0.5}, r"cxpb must be None in the steady loop, got 0\.5"),
        ({"steps": 3}, r"maze settings \(maze, steps, robot, species\) must not be set together with a problem"),
        ({"timeout": 0}, "timeout must be a number of seconds above 0, or None, got 0"),
        ({"on_error": "ignore"}, "setting on_error must be a known name, got 'ignore'; choose from raise, invalid"),
        ({"population": 1}, "population must be an integer, at least 2, got 1"),
        ({"population": 10**7}, "population must be at most 1,000,000"),
        ({"colour": "red"}, "options must belong to search novelty, got colour"),
    ],
)
def test_invalid_settings_of_a_problem_raise(settings, message):
    with pytest.raises(ValueError, match=message):
        run(WALK, **{"search": "novelty"} | settings)


def test_settings_with_search_as_argument_raise():
    with pytest.raises(TypeError, match="search must be passed to Settings unless problem is a Problem"):
        run(Settings(maze="hard"), search="novelty")
    with pytest.raises(TypeError, match="problem must be a Problem, Settings or Plan, got 'walk'"):
        run("walk")


def test_toolbox_without_an_operator_raises():
    with pytest.raises(
        TypeError, match=r"toolbox of problem 'empty' must have the operators .* lacks the operator 'population'"
    ):
        run(Problem("empty", lambda rng: base.Toolbox()), search="random")


def test_individuals_without_a_divergent_fitness_raise():
    creator.create("SamplePlain", base.Fitness, weights=(1.0,))
    creator.create("SamplePlainList", list, fitness=creator.SamplePlain)

    def plain(rng):
        toolbox = walk_toolbox(rng)
        toolbox.register("population", tools.initRepeat, list, lambda: creator.SamplePlainList([1.0, 2.0]))
        return toolbox

    with pytest.raises(TypeError, match=r"subclass of divergent\.Fitness"):
        run(Problem("plain", plain), search="random")


def failing(condition, action):
    """The walk problem with an evaluation that does something else for some individuals."""

    def make(rng):
        toolbox = walk_toolbox(rng)
        evaluate = toolbox.evaluate
        toolbox.register("evaluate", lambda walk: action() if condition(walk) else evaluate(walk))
        return toolbox

    return Problem("failing", make, defaults=SMALL)


def divide():
    return 1 / 0


@pytest.mark.parametrize("loop", ["steady", "plus"])
def test_failing_evaluation_names_individual_seed_and_cause(loop):
    problem = failing(lambda walk: sum(walk) > 1, divide)
    with pytest.raises(EvaluationError) as caught:
        run(problem, search="novelty", seed=7, loop=loop)
    message = str(caught.value)
    assert message.startswith("failing, seed 7: the evaluation of [")
    assert "ZeroDivisionError: division by zero (" in message
    assert "test_problems.py, line" in message


@pytest.mark.parametrize("loop", LOOPS)
def test_failing_evaluation_that_is_invalid_gets_the_worst_outcome(tmp_path, often, loop):
    settings = Settings(
        problem=failing(lambda walk: sum(walk) > 3, divide), search="novelty", seed=7, loop=loop, on_error="invalid"
    )
    record = run(settings)
    assert record.failures > 0
    assert record.fitness.min() >= 17
    interrupt(settings, tmp_path, 5)
    assert run(settings, out=tmp_path).files()[ARRAYS] == record.files()[ARRAYS]
    assert read(record_folder(settings, tmp_path)).failures == record.failures


def test_first_evaluation_that_fails_raises_even_if_failures_are_invalid():
    with pytest.raises(EvaluationError, match="the first evaluation of a run must not fail"):
        run(failing(lambda walk: True, divide), search="novelty", on_error="invalid")


def test_evaluation_over_its_time_limit_fails():
    problem = failing(lambda walk: sum(walk) > 3, lambda: time.sleep(20))
    began = time.monotonic()
    with pytest.raises(EvaluationError, match=r"EvaluationTimeout: evaluation must end within 0\.05 s"):
        run(problem, search="novelty", seed=7, timeout=0.05)
    record = run(problem, search="novelty", seed=7, timeout=0.05, on_error="invalid", generations=3)
    assert record.failures > 0
    assert time.monotonic() - began < 15


def test_evaluation_over_its_time_limit_fails_in_another_thread():
    from concurrent.futures import ThreadPoolExecutor

    def endless():
        while True:
            time.sleep(0.001)

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(run, failing(lambda walk: sum(walk) > 3, endless), search="novelty", seed=7, timeout=0.1)
        with pytest.raises(EvaluationError, match="EvaluationTimeout"):
            future.result(timeout=60)


def test_custom_map_of_the_toolbox_evaluates_and_reports_failures():
    mapped = []

    def make(rng):
        toolbox = walk_toolbox(rng)
        evaluate = toolbox.evaluate
        toolbox.register("evaluate", lambda walk: divide() if sum(walk) > 6 else evaluate(walk))
        toolbox.register("map", lambda function, walks: mapped.append(len(walks)) or [function(walk) for walk in walks])
        return toolbox

    problem = Problem("mapped", make, defaults=SMALL)
    record = run(problem, search="novelty", seed=1, loop="plus", on_error="invalid")
    assert sum(mapped) == record.evaluations
    assert record.failures > 0
    with pytest.raises(EvaluationError, match="mapped, seed 1: the evaluation of"):
        run(problem, search="novelty", seed=1, loop="plus")


def test_behaviours_that_are_not_finite_name_the_individual():
    def make(rng):
        toolbox = walk_toolbox(rng)
        toolbox.register("evaluate", lambda walk: Outcome((1.0,), behaviour=(float("inf"), 0.0)))
        return toolbox

    with pytest.raises(ValueError, match="behaviours must be finite"):
        run(Problem("infinite", make, defaults=SMALL), search="novelty")


def test_state_of_a_component_in_a_closure_is_part_of_the_checkpoint(tmp_path, often):
    def noisy(rng):
        toolbox = walk_toolbox(rng)
        evaluate, noise, chance = toolbox.evaluate, np.random.default_rng(5), random.Random(6)

        def with_noise(walk):
            (value,) = outcome = evaluate(walk)
            return Outcome((value + noise.normal() + chance.random(),), behaviour=outcome.behaviour)

        toolbox.register("evaluate", with_noise)
        return toolbox

    settings = Settings(problem=Problem("noisy", noisy, defaults=SMALL), search="objective", loop="plus", seed=1)
    whole = run(settings)
    interrupt(settings, tmp_path, 5)
    assert run(settings, out=tmp_path).files()[ARRAYS] == whole.files()[ARRAYS]


def test_run_with_other_settings_or_a_changed_file_raises_unless_forced(tmp_path, often):
    source = tmp_path / "walk.py"
    text = "from sample_problems import walk_toolbox\nfrom divergent import Problem\n\n\n"
    text += (
        "problem = Problem('walk file', lambda rng: walk_toolbox(rng), defaults={'population': 12, 'generations': 9})\n"
    )
    source.write_text(text)
    problem = divergent.runs.load_problem(source)
    first = run(problem, out=tmp_path, search="novelty", seed=1)
    interrupt(Settings(problem=problem, search="novelty", seed=2), tmp_path, 5)
    with pytest.raises(ValueError, match="this run, got population 12 instead of 13"):
        run(problem, out=tmp_path, search="novelty", seed=1, population=13)
    source.write_text(text + "# changed\n")
    changed = divergent.runs.load_problem(source)
    for seed in (1, 2):
        with pytest.raises(ValueError, match=r"the file of problem walk file has changed;.*--force"):
            run(changed, out=tmp_path, search="novelty", seed=seed)
    assert run(changed, out=tmp_path, search="novelty", seed=1, force=True).files() == first.files()
    forced = run(changed, out=tmp_path, search="novelty", seed=2, force=True)
    assert forced.files()[ARRAYS] == run(problem, search="novelty", seed=2).files()[ARRAYS]


def test_load_problem_names_the_problems_of_a_file(tmp_path):
    several = tmp_path / "several.py"
    several.write_text(
        "from sample_problems import walk_toolbox\nfrom divergent import Problem\n"
        "first = Problem('one', walk_toolbox)\nmore = [Problem('two', walk_toolbox)]\n"
    )
    message = "must define one problem if name is None, got one, two; choose a problem by name"
    with pytest.raises(ValueError, match=message):
        divergent.runs.load_problem(several)
    assert divergent.runs.load_problem(several, "two").name == "two"
    with pytest.raises(ValueError, match=r"name must be the name of a problem in .* \(one, two\), got 'three'"):
        divergent.runs.load_problem(several, "three")
    (tmp_path / "none.py").write_text("x = 1\n")
    with pytest.raises(ValueError, match=r"must define a divergent\.Problem in a global variable, got none"):
        divergent.runs.load_problem(tmp_path / "none.py")
    with pytest.raises(FileNotFoundError, match="problem file must exist"):
        divergent.runs.load_problem(tmp_path / "absent.py")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace('"solved": false', '"solved": "no"'), "content must match the digest"),
        (lambda text: text[: len(text) // 2], "truncated|damaged"),
    ],
)
def test_read_of_a_damaged_problem_record_raises(tmp_path, change, message):
    settings = Settings(problem=WALK, search="random", seed=1)
    run(settings, out=tmp_path)
    file = record_folder(settings, tmp_path) / TEXT
    file.write_text(change(file.read_text()))
    with pytest.raises(ValueError, match=message):
        read(file.parent)


def test_searches_of_a_problem_may_be_partials_with_objects():
    problem = dataclasses.replace(
        WALK, searches={"own": partial(Surprise, clusters=4, predictor=lambda past: past[-1])}
    )
    record = run(problem, search="own", seed=1)
    assert record.settings.options["clusters"] == 4
    assert "predictor" not in record.settings.options
