"""Checkpoints of custom loops; test_fuzz.py tests that killed loops resume exactly."""

import array
import json
import random
import re

import numpy as np
import pytest
from deap import base, creator, tools

from divergent import Checkpoint, Fitness, Genome, Outcome, Settings, Step, evolve, neat, steady_state
from divergent.maze import read_maze
from divergent.persistence._files import read_sealed_npz, write_sealed_npz
from divergent.runs import execution, make_run
from divergent.selection import Novelty, Objective, Surprise, by_score

creator.create("KeptFitness", Fitness, weights=(-0.1, 1.0))
creator.create("KeptList", list, fitness=creator.KeptFitness)
creator.create("KeptArray", array.array, typecode="f", fitness=creator.KeptFitness)
creator.create("KeptVector", np.ndarray, fitness=creator.KeptFitness)
creator.create("KeptGenome", Genome, fitness=creator.KeptFitness)
creator.create("KeptText", str, fitness=creator.KeptFitness)


def evaluated(individual, behaviour=(1.0, 2.0), values=(0.3, 7.0)):
    individual.fitness.values = Outcome(values, behaviour)
    return individual


def after(population, generation=4):
    return Step(generation, 10 * generation, population, [])


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.npz"


@pytest.fixture
def people():
    return [evaluated(creator.KeptList([number, 0.1])) for number in range(3)]


def test_restore_without_a_file_returns_the_population(path, people):
    start = Checkpoint(path).restore(people)
    assert start.population is people
    assert start[1:] == (0, 0, None)


@pytest.mark.parametrize(
    "individual",
    [
        creator.KeptList([0.1, (2, [True, None])]),
        creator.KeptList([np.float32(0.1), np.int8(3)]),
        creator.KeptArray([0.1, 2.0]),
        creator.KeptVector([[0.1, 2.0], [3.0, 4.0]]),
        creator.KeptVector(np.array([0.1, 0.2], dtype=np.float32)),
        creator.KeptVector(np.array([1, 0, 1], dtype=bool)),
        Genome.start(3, 2, rng=np.random.default_rng(1)),
        Genome.start(3, 2, hidden_activation="tanh", bias_node=True, rng=np.random.default_rng(1)),
        creator.KeptGenome.start(3, 2, rng=np.random.default_rng(1)),
    ],
    ids=lambda individual: type(individual).__name__,
)
@pytest.mark.parametrize("behaviour", [None, (1, 0.1), [0.1], np.array([[1.0], [2.0]], dtype=np.float32), 3.0])
def test_restore_returns_individuals_with_attributes_and_fitness(path, individual, behaviour):
    evaluated(individual, behaviour, values=(0.3, 7.0)[: len(individual.fitness.weights)])
    individual.fitness.score, individual.fitness.crowding_dist, individual.strategy = (
        (0.1, 2.0),
        float("inf"),
        [0.5, 0.25],
    )
    Checkpoint(path).save(after([individual]))
    (again,) = Checkpoint(path).restore([individual]).population
    assert type(again) is type(individual)
    assert again is not individual
    content = [
        vars(version) | {"fitness": vars(version.fitness), "itself": list(getattr(version, "genes", version))}
        for version in (individual, again)
    ]
    assert repr(content[0]) == repr(content[1])
    assert again.fitness.wvalues == individual.fitness.wvalues


@pytest.mark.parametrize("kind", [creator.KeptList, creator.KeptVector, creator.KeptArray])
def test_restore_of_an_individual_that_is_its_own_behaviour_succeeds(path, kind):
    individual = kind([0.5, 2.0])
    Checkpoint(path).save(after([evaluated(individual, individual)]))
    (again,) = Checkpoint(path).restore([individual]).population
    assert list(again.fitness.behaviour) == list(again) == [0.5, 2.0]


def test_restore_of_an_individual_selected_twice_returns_one_object(path, people):
    first, second, _ = people
    Checkpoint(path).save(after([first, second, first]), notes={"best": [second]})
    start = Checkpoint(path).restore(people)
    assert start.population[0] is start.population[2] is not start.population[1]
    assert start.notes["best"][0] is start.population[1]


def test_restore_of_fitness_without_behaviour_or_values_succeeds(path):
    creator.create("KeptDeap", base.Fitness, weights=(1.0,))
    creator.create("KeptOld", list, fitness=creator.KeptDeap)
    first, second = creator.KeptOld([1]), creator.KeptOld([2])
    first.fitness.values = (3.0,)
    Checkpoint(path).save(after([first, second]))
    again = Checkpoint(path).restore([first, second]).population
    assert [individual.fitness.wvalues for individual in again] == [(3.0,), ()]


def test_restore_returns_notes_generations_and_evaluations(path, people):
    Checkpoint(path).save(after(people, 6), notes={"rows": [(1, 2)], "curve": np.arange(2)})
    start = Checkpoint(path).restore(people)
    assert (start.done, start.evaluations) == (7, 60)
    assert repr(start.notes) == repr({"rows": [(1, 2)], "curve": np.arange(2)})


def test_checkpoint_with_dump_and_load_accepts_any_individual(path):
    individual = evaluated(creator.KeptText("ab"))
    with pytest.raises(TypeError, match=r"got 'ab'; pass functions that save and load"):
        Checkpoint(path).save(after([individual]))
    kept = Checkpoint(path, dump=str, load=creator.KeptText)
    kept.save(after([individual]))
    (again,) = kept.restore([individual]).population
    assert (type(again), again, again.fitness.values) == (creator.KeptText, individual, individual.fitness.values)


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_restore_continues_generators_of_every_type(path, people, kind):
    parts = {"numbers": np.random.Generator(kind(3)), "chance": random.Random(4), "old": np.random.RandomState(5)}
    random.gauss(0, 1)
    np.random.standard_normal()  # noqa: NPY002

    def draw():
        numbers, chance, old = parts.values()
        return numbers.random(), chance.random(), old.normal(), random.gauss(0, 1), np.random.standard_normal()  # noqa: NPY002

    Checkpoint(path, **parts).save(after(people))
    drawn = draw()
    Checkpoint(path, **parts).restore(people)
    assert draw() == drawn


def test_save_within_a_generation_raises(path):
    toolbox = base.Toolbox()
    neat.register(toolbox, 2, 1, rng=np.random.default_rng(1))
    toolbox.register("evaluate", lambda genome: Outcome((0.0,), (float(len(genome)),)))
    steps = steady_state(toolbox.population(n=5), toolbox, Objective(), neat.Species(), generations=3)
    seen = []
    for step in steps:
        seen.append(step.ends_generation)
        if not step.ends_generation:
            with pytest.raises(ValueError, match="save steps whose ends_generation is True"):
                Checkpoint(path).save(step)
    assert seen == [True, *[False] * 4, True, *[False] * 4, True]
    assert not path.exists()


def test_steps_of_evolve_end_generations(people):
    toolbox = base.Toolbox()
    toolbox.register("evaluate", lambda individual: Outcome((0.0, 0.0), individual))
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=1)
    toolbox.register("select", tools.selRandom)
    assert all(step.ends_generation for step in evolve(people, toolbox, 3, cxpb=0, survive="plus", offspring=1))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"settings": {"seed": 2}}, r"settings \{'seed': 1\} there, \{'seed': 2\} here"),
        ({"strategy": Surprise()}, r"parts \{'strategy': 'Novelty'\} there, \{'strategy': 'Surprise'\} here"),
        ({"rng": np.random.default_rng()}, r"parts \{'strategy': 'Novelty'\} there, \{'strategy': 'Novelty', 'rng'"),
    ],
)
def test_restore_of_another_run_raises_and_keeps_the_file(path, people, changed, message):
    default = {"settings": {"seed": 1}, "strategy": Novelty()}
    Checkpoint(path, **default).save(after(people))
    rule = re.escape(f"{path}: checkpoint must belong to this run, got another run: ")
    with pytest.raises(ValueError, match=rf"{rule}{message}.*; choose another"):
        Checkpoint(path, **default | changed).restore(people)
    with pytest.raises(ValueError, match="individuals 3 there, 2 here"):
        Checkpoint(path, **default).restore(people[:2])
    with pytest.raises(ValueError, match="class 'KeptList' there, 'Genome' here"):
        Checkpoint(path, **default).restore([Genome.start(2, 1, rng=np.random.default_rng(1))] * 3)
    assert Checkpoint(path, **default).restore(people).done == 5


def test_restore_of_a_damaged_file_raises_and_keeps_the_file(path, people):
    Checkpoint(path, strategy=Novelty()).save(after(people))
    content = path.read_bytes()
    rule = re.escape(f"{path}: the checkpoint is truncated or damaged ")
    for damaged in (b"", b"noise", content[:100], content[:500] + b"?" + content[501:]):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=rf"^{rule}\([^\n]+\); remove it"):
            Checkpoint(path, strategy=Novelty()).restore(people)
        assert path.read_bytes() == damaged


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"version": "0.0.1"}, "the checkpoint version must be .*, got '0.0.1'"),
        ({"population": [0, 1, 3]}, "index of an individual must be an integer from 0 to 2, got 3"),
        ({"population": [0, 1]}, "population must have the saved number of individuals, 3, got 2"),
        ({"generation": -1}, "generation must be an integer, at least 0, got -1"),
        ({"parts": {}}, "damaged .'strategy'"),
        ({"modules": {"random": {"state": 1, "divided": False}}}, "damaged"),
    ],
)
def test_restore_of_invalid_content_raises(path, people, changed, message):
    Checkpoint(path, strategy=Novelty()).save(after(people))
    notes = json.loads(read_sealed_npz(path)["notes"].tobytes()) | changed
    write_sealed_npz(path, notes=np.frombuffer(json.dumps(notes).encode(), dtype=np.uint8))
    with pytest.raises(ValueError, match=rf"{re.escape(str(path))}: .*{message}"):
        Checkpoint(path, strategy=Novelty()).restore(people)


def test_restore_of_a_maze_checkpoint_or_a_folder_raises(tmp_path, people, monkeypatch):
    monkeypatch.setattr(execution, "CHECKPOINT_EVERY", 1)
    plan = Settings(maze="medium", search="random", population=5, generations=3, steps=5).resolve()
    interrupted = iter(make_run(plan, read_maze("medium"), out=tmp_path))
    next(interrupted), next(interrupted)
    interrupted.close()
    (saved,) = tmp_path.rglob("*.checkpoint.npz")
    with pytest.raises(ValueError, match=re.escape(f"{saved}: checkpoint must belong to this run, got another run")):
        Checkpoint(saved).restore(people)
    with pytest.raises(ValueError, match="cannot be read: not a regular file"):
        Checkpoint(tmp_path).restore(people)


def test_restore_removes_unfinished_files(path, people):
    left = path.with_name("run.npz.123-abcd.writing")
    left.write_bytes(b"half of it")
    Checkpoint(path).restore(people)
    assert not left.exists()


def test_checkpoint_of_unsupported_objects_raises(path, people):
    expected = "component strategy must have methods state and restore, or be a NumPy or Python random generator, got 3"
    with pytest.raises(TypeError, match=expected):
        Checkpoint(path, strategy=3)
    with pytest.raises(TypeError, match=r"component strategy must have methods state and restore, .*Novelty"):
        Checkpoint(path, strategy=Novelty)
    with pytest.raises(TypeError, match=r"component rng must have methods state and restore, .*PCG64"):
        Checkpoint(path, rng=np.random.PCG64(1))
    with pytest.raises(TypeError, match=r"individuals must be of class KeptList, got KeptVector\(\[1"):
        Checkpoint(path).save(after([*people, creator.KeptVector([1])]))
    with pytest.raises(ValueError, match="dump and load must be passed together"):
        Checkpoint(path, dump=list)
    with pytest.raises(TypeError, match="and individuals with a DEAP fitness, got <built-in"):
        Checkpoint(path).save(after(people), notes=[print])
    with pytest.raises(ValueError, match="population must be a list of at least one individual"):
        Checkpoint(path).restore([])
    people[0].home = print
    with pytest.raises(TypeError, match="arrays of numbers, got <built-in function print>"):
        Checkpoint(path).save(after(people))
    assert not path.exists()


@pytest.mark.parametrize("loop", ["steady", "plus"])
def test_loop_with_an_evaluate_that_reuses_its_array_resumes_exactly(tmp_path, loop):
    buffer = np.empty(2)

    def reused(vector):
        buffer[:] = vector
        return Outcome((0.0, float(abs(vector).sum())), behaviour=buffer)

    def fresh(vector):
        return Outcome((0.0, float(abs(vector).sum())), behaviour=np.array(vector))

    def evolved(path, generations, evaluate):
        random.seed(3)
        rng = np.random.default_rng(3)
        toolbox = base.Toolbox()
        toolbox.register("evaluate", evaluate)
        toolbox.register("mate", tools.cxBlend, alpha=0.2)
        toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=1)
        strategy = Novelty(neighbours=3, rng=rng)
        toolbox.register("select", by_score, strategy=strategy, select=tools.selBest)
        checkpoint = Checkpoint(path, strategy=strategy)
        start = checkpoint.restore([creator.KeptVector(rng.normal(size=2)) for _ in range(10)])
        if loop == "steady":
            steps = steady_state(start.population, toolbox, strategy, generations=generations, done=start.done)
        else:
            steps = evolve(start.population, toolbox, generations, survive="plus", done=start.done)
        for step in steps:
            if step.ends_generation:
                checkpoint.save(step)
        return [(individual.tolist(), individual.fitness.behaviour.tolist()) for individual in step.population]

    evolved(tmp_path / "stopped.npz", 4, reused)
    resumed = evolved(tmp_path / "stopped.npz", 7, reused)
    assert resumed == evolved(tmp_path / "whole.npz", 7, reused) == evolved(tmp_path / "fresh.npz", 7, fresh)
    assert len({tuple(behaviour) for _, behaviour in resumed}) > 1
