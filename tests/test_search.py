"""Search: ask and tell for every loop, in any order, with hostile tells and checkpoints."""

import random

import numpy as np
import pytest
from deap import base, creator, tools
from hypothesis import given, settings
from hypothesis import strategies as st

import divergent
from divergent import Checkpoint, Outcome, Search, neat
from divergent.loops import evolve, steady_state
from divergent.selection import Novelty, Objective, Surprise, by_score

creator.create("SearchLeast", divergent.Fitness, weights=(-1.0,))
creator.create("SearchPoint", list, fitness=creator.SearchLeast)


def evaluate(point):
    return Outcome((sum(x * x for x in point) ** 0.5,), behaviour=tuple(point))


def points(count, seed=1):
    random.seed(seed)
    return [creator.SearchPoint([random.uniform(-5, 5), random.uniform(-5, 5)]) for _ in range(count)]


def make_toolbox(strategy=None):
    box = base.Toolbox()
    box.register("mate", tools.cxBlend, alpha=0.2)
    box.register("mutate", tools.mutGaussian, mu=0, sigma=0.3, indpb=1.0)
    if strategy is not None:
        box.register("select", by_score, strategy=strategy, select=tools.selTournament, tournsize=3)
    return box


def surprise(seed=1):
    return Surprise(clusters=5, rng=np.random.default_rng(seed))


def run_search(search, evaluations, n=1):
    """All steps of a search whose individuals are evaluated at once."""
    steps = []
    while search.evaluations < evaluations:
        individuals = search.ask(n)
        steps += search.tell(individuals, [evaluate(individual) for individual in individuals])
    return steps


def shown(steps):
    return [
        (step.generation, step.evaluations, list(step.offspring), step.ends_generation, list(step.parents))
        for step in steps
    ]


@pytest.mark.parametrize("batch", [1, 4])
def test_search_tell_in_batches_equals_steady_state(batch):
    box = make_toolbox()
    box.register("evaluate", evaluate)
    expected = list(steady_state(points(12), box, surprise(), generations=6, batch=batch))
    search = Search(points(12), make_toolbox(), surprise())
    assert shown(run_search(search, 72, batch)) == shown(expected)
    assert search.population == expected[-1].population


@pytest.mark.parametrize("loop", ["generational", "comma", "plus"])
@pytest.mark.parametrize("n", [1, 5, 100])
def test_search_of_generations_equals_evolve(loop, n):
    strategy = surprise()
    box = make_toolbox(strategy)
    box.register("evaluate", evaluate)
    expected = list(evolve(points(12), box, 6, survive=loop, cxpb=0.5, mutpb=0.4))
    search = Search(points(12), make_toolbox(surprise()), loop=loop, cxpb=0.5, mutpb=0.4)
    assert shown(run_search(search, expected[-1].evaluations, n)) == shown(expected)


def test_search_with_species_equals_steady_state():
    def parts():
        rng = np.random.default_rng(3)
        box = base.Toolbox()
        neat.register(box, 2, 1, rng=rng)
        return box, Novelty(rng=rng), neat.Species(target=4, rng=rng)

    def evaluate_genome(genome):
        return Outcome((0.0,), behaviour=genome.genes[:2, 3])

    box, strategy, species = parts()
    box.register("evaluate", evaluate_genome)
    *_, last = steady_state(box.population(n=15), box, strategy, species, generations=6)
    box, strategy, species = parts()
    search = Search(box.population(n=15), box, strategy, species)
    while search.evaluations < 90:
        (genome,) = search.ask()
        search.tell([genome], [evaluate_genome(genome)])
    assert [genome.to_json() for genome in search.population] == [genome.to_json() for genome in last.population]


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(["steady", "plus", "generational"]))
def test_search_with_late_and_lost_outcomes_counts_every_outcome_once(order, loop):
    strategy = Objective()
    steady = loop == "steady"
    search = Search(points(8), make_toolbox(None if steady else strategy), strategy if steady else None, loop=loop)
    counted, forgotten = 0, 0
    for _ in range(60):
        search.ask(order.randint(1, 4))
        pending, steps = search.pending, []
        order.shuffle(pending)
        chosen = pending[: order.randint(0, len(pending))]
        if chosen and forgotten < 3 and search.evaluations and order.random() < 0.3:
            steps = search.forget(chosen[:1])
            forgotten, chosen = forgotten + 1, chosen[1:]
        steps += search.tell(chosen, map(evaluate, chosen))
        counted += sum(len(step.offspring) for step in steps)
        assert counted == search.evaluations
        assert all(individual.fitness.valid for individual in search.population) or not search.evaluations
    search.tell(search.pending, map(evaluate, search.pending))
    assert search.evaluations >= 5


def test_search_that_waits_for_a_generation_has_nothing_to_ask_for():
    search = Search(points(4), make_toolbox(Objective()), loop="plus")
    asked = search.ask(10)
    assert len(asked) == 4
    assert search.ask(1) == []
    assert search.tell(asked[1:], map(evaluate, asked[1:])) == []
    (step,) = search.tell(asked[:1], map(evaluate, asked[:1]))
    assert (step.generation, step.evaluations) == (0, 4)
    assert len(search.ask(9)) == 4


def test_search_that_forgets_the_last_pending_individual_completes_the_generation():
    search = Search(points(4), make_toolbox(), Objective())
    asked = search.ask(4)
    search.tell(asked[:3], map(evaluate, asked[:3]))
    (step,) = search.forget(asked[3:])
    assert step.population == asked[:3]
    assert search.pending == []
    children = search.ask(2)
    search.forget(children[:1])
    (step,) = search.tell(children[1:], map(evaluate, children[1:]))
    assert step.evaluations == 4


def test_search_that_would_forget_the_whole_first_population_raises():
    search = Search(points(2), make_toolbox(), Objective())
    asked = search.ask(2)
    search.forget(asked[:1])
    with pytest.raises(ValueError, match="a generation must keep at least one individual"):
        search.forget(asked[1:])
    assert search.pending == asked[1:]


def state_of(search):
    return repr(
        (
            search.state(),
            [(list(individual), vars(individual.fitness)) for individual in search.population],
            search.pending,
        )
    )


@pytest.mark.parametrize(
    ("tell", "message"),
    [
        (lambda asked: ([creator.SearchPoint(asked[0])], [evaluate(asked[0])]), "individuals must be pending"),
        (lambda asked: (asked[:1] * 2, [evaluate(asked[0])] * 2), "individuals must be distinct"),
        (
            lambda asked: (asked[:2], [evaluate(asked[0])]),
            "outcomes must contain one outcome for each of the 2 individuals, got 1",
        ),
        (lambda asked: (asked[0], [evaluate(asked[0])]), "individuals must be pending"),
        (lambda asked: (7, []), "individuals must be a list of individuals that ask returned, got 7"),
        (lambda asked: (asked[:1], None), "outcomes must be a list of Outcome objects, got None"),
        (lambda asked: (asked[:1], [3.0]), "outcomes must be Outcome objects, got 3.0 for individual 0"),
        (lambda asked: (asked[:1], [Outcome((1.0, 2.0))]), "fitness must have one value for each of the 1 weights"),
        (
            lambda asked: (asked[:2], [evaluate(asked[0]), Outcome((1.0,), behaviour=(1.0, 2.0, 3.0))]),
            "behaviours must have one length",
        ),
        (
            lambda asked: (asked[:2], [evaluate(asked[0]), Outcome((1.0,), behaviour=(1.0, np.nan))]),
            "behaviours must be finite, individual 1 has",
        ),
        (lambda asked: (asked[:1], [Outcome((np.nan,), behaviour=(1.0, 2.0))]), "fitness must be a number"),
        (lambda asked: (asked[:1], [Outcome((1.0,), behaviour="xy")]), "behaviours must be"),
    ],
)
@pytest.mark.parametrize("begun", [False, True])
def test_search_with_a_hostile_tell_raises_and_changes_nothing(tell, message, begun):
    search = Search(points(5), make_toolbox(), surprise())
    first = search.ask(5)
    search.tell(first[:1], [evaluate(first[0])])
    if begun:
        search.tell(first[1:], map(evaluate, first[1:]))
        first = [first[0], *search.ask(3)]
    before = state_of(search)
    with pytest.raises((TypeError, ValueError), match=message):
        search.tell(*tell(first[1:]))
    assert state_of(search) == before
    with pytest.raises(ValueError, match="individuals must be pending"):
        search.tell(first[:1], [evaluate(first[0])])  # a second time
    assert state_of(search) == before
    assert len(search.tell(first[1:], map(evaluate, first[1:]))) == (3 if begun else 1)


def test_search_with_invalid_arguments_raises():
    with pytest.raises(
        ValueError, match="loop must be a callable or one of the names steady, generational, comma, plus, got"
    ):
        Search(points(3), make_toolbox(), Objective(), loop="spiral")
    with pytest.raises(ValueError, match=r"loop must be a callable or one of .* got array\(\[1, 2\]\)"):
        Search(points(3), make_toolbox(), Objective(), loop=np.array([1, 2]))
    with pytest.raises(TypeError, match=r"strategy must be a divergent\.selection\.Strategy if loop is 'steady'"):
        Search(points(3), make_toolbox())
    with pytest.raises(TypeError, match="strategy and species must be None unless loop is 'steady', got loop='plus'"):
        Search(points(3), make_toolbox(Objective()), Objective(), loop="plus")
    with pytest.raises(ValueError, match="n must be an integer, at least 1, got 0"):
        Search(points(3), make_toolbox(), Objective()).ask(0)
    with pytest.raises(TypeError, match="engine must have the methods propose, insert and discard, got 5"):
        Search.of(5)
    with pytest.raises(
        TypeError, match=r"engine must be an instance, such as MapElites\(...\), got the class MapElites"
    ):
        Search.of(divergent.MapElites)


@pytest.mark.parametrize("loop", ["steady", "plus", "generational", "comma"])
@pytest.mark.parametrize("stop", [5, 29])
def test_search_restored_from_a_checkpoint_continues_as_the_uninterrupted_one(tmp_path, loop, stop):
    def parts(name):
        strategy = surprise(4)
        if loop == "steady":
            search = Search(points(8), make_toolbox(), strategy)
        else:
            search = Search(points(8), make_toolbox(strategy), loop=loop, cxpb=0.5, mutpb=0.5)
        return search, Checkpoint(tmp_path / name, strategy=strategy)

    def drive(search, count):
        """Ask for two and tell the older half of the pending individuals, last one first."""
        steps = []
        for _ in range(count):
            search.ask(2)
            chosen = search.pending[: max(1, len(search.pending) // 2)][::-1]
            steps += search.tell(chosen, map(evaluate, chosen))
        return shown(steps)

    whole, _ = parts("whole.npz")
    drive(whole, stop)
    expected = drive(whole, 40)
    stopped, checkpoint = parts("run.npz")
    drive(stopped, stop)
    checkpoint.save(stopped)
    random.seed(99)
    resumed, checkpoint = parts("run.npz")
    checkpoint.restore(resumed)
    assert resumed.pending == stopped.pending
    assert drive(resumed, 40) == expected
    assert resumed.population == whole.population


def test_checkpoint_of_a_search_with_species_continues(tmp_path):
    def run(path, evaluations, stop):
        rng = np.random.default_rng(3)
        box = base.Toolbox()
        innovations = neat.register(box, 2, 1, rng=rng)
        strategy, species = Novelty(rng=rng), neat.Species(target=4, rng=rng)
        search = Search(box.population(n=10), box, strategy, species)
        checkpoint = Checkpoint(path, strategy=strategy, species=species, innovations=innovations, rng=rng)
        checkpoint.restore(search)
        while search.evaluations < evaluations:
            search.ask(1 if search.pending else 3)
            genome = search.pending[0]
            search.tell([genome], [Outcome((0.0,), behaviour=genome.genes[:2, 3])])
            if search.evaluations == stop:
                checkpoint.save(search)
        return [genome.to_json() for genome in search.population]

    whole = run(tmp_path / "whole.npz", 57, None)
    run(tmp_path / "run.npz", 34, 34)
    assert run(tmp_path / "run.npz", 57, None) == whole


def test_checkpoint_of_a_loop_is_not_restored_as_a_search(tmp_path):
    box = make_toolbox()
    box.register("evaluate", evaluate)
    checkpoint = Checkpoint(tmp_path / "run.npz")
    for step in steady_state(points(4), box, Objective(), generations=2):
        if step.ends_generation:
            checkpoint.save(step)
    with pytest.raises(ValueError, match="search None there, 'Search' here"):
        checkpoint.restore(Search(points(4), make_toolbox(), Objective()))
