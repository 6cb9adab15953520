import math
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from types import SimpleNamespace

import numpy as np
import pytest

from divergent.individual import MaximisedFitness, Outcome
from divergent.maze import Maze, read_maze
from divergent.maze._robot import drive, sense
from divergent.maze._rules import ROBOTS
from divergent.maze._task import MazeTask
from divergent.neat import Genome, Innovations, express, mutate
from divergent.neat.activation import FUNCTIONS


def random_genomes(count):
    rng = np.random.default_rng(3)
    genomes = []
    for _ in range(count):
        pairs = {(int(rng.integers(16)), int(rng.integers(11, 16))) for _ in range(40)}
        genes = [(number, *pair, rng.normal(0, 1.5), 1) for number, pair in enumerate(sorted(pairs))]
        genomes.append(SimpleNamespace(genes=np.array(genes, dtype=float), inputs=11, outputs=2))
    return genomes


def straight_ahead():
    """Return a genome that drives straight ahead at full speed."""
    return SimpleNamespace(genes=np.array([(0, 0, 12, 10.0, 1)], dtype=float), inputs=11, outputs=2)


def corridor(goal):
    walls = np.array([(0, 0, 400, 0), (400, 0, 400, 100), (400, 100, 0, 100), (0, 100, 0, 0)], dtype=float)
    return Maze("corridor", (20.0, 50.0), 0.0, goal, walls)


def same(first, second):
    return tuple(first) == tuple(second) and first.behaviour.tobytes() == second.behaviour.tobytes()


@pytest.mark.parametrize("robot", ROBOTS)
def test_task_outcome_is_fitness_and_final_position(robot):
    task = MazeTask("hard", robot=robot)
    for genome in random_genomes(20):
        outcome = task(genome)
        end = drive(express(genome), read_maze("hard"), 400, robot=robot).end
        assert isinstance(outcome, Outcome)
        assert outcome.behaviour.tolist() == pytest.approx(end)
        assert outcome == pytest.approx((300 - math.dist(end, (31, 20)),))


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("bias_node", [False, True])
@pytest.mark.parametrize("hidden", FUNCTIONS)
def test_task_with_any_activation_equals_drive_step_by_step(hidden, bias_node, robot):
    maze = read_maze("hard")
    for seed in range(4):
        genome, innovations = wanderer(seed, hidden_activation=hidden, bias_node=bias_node)
        for _ in range(8):
            mutate(genome, innovations=innovations, node_rate=0.3, connection_rate=0.6, rng=np.random.default_rng(seed))
        network = express(genome)
        network.activate(sense(maze, maze.start, maze.heading, robot), passes=10)
        called = drive(network.activate, maze, 60, robot=robot)
        assert MazeTask(maze, steps=60, robot=robot)(genome).behaviour.tolist() == pytest.approx(called.end, abs=1e-6)
        assert drive(network, maze, 60, robot=robot).end == pytest.approx(called.end, abs=1e-6)


def wanderer(seed, **kind):
    genome = Genome.start(11, 2, hidden=3, rng=np.random.default_rng(seed), **kind)
    return genome, Innovations([genome])


def test_bias_node_adds_to_the_bias_input():
    genes = [(0, 0, 13, 0.5, 1), (1, 11, 13, 0.25, 1), (2, 3, 12, 0.2, 1)]
    both = Genome(genes, inputs=11, outputs=2, bias_node=True)
    summed = Genome([(0, 0, 12, 0.75, 1), (2, 3, 11, 0.2, 1)], inputs=11, outputs=2)
    assert MazeTask("hard")(both).behaviour.tolist() == pytest.approx(MazeTask("hard")(summed).behaviour.tolist())


@pytest.mark.parametrize("function", ["identity", "relu"])
def test_unbounded_outputs_are_limited_by_the_robot(function):
    genome = Genome([(0, 0, 12, 10.0, 1), (1, 12, 12, 1e6, 1)], inputs=11, outputs=2, output_activation=function)
    rollout = MazeTask(corridor(goal=(390.0, 10.0)), steps=100).rollout(genome)
    assert np.isfinite(rollout.trail).all()
    assert rollout.trail[1].tolist() == [23.0, 50.0]  # three units a step


def test_task_default_robot_is_six_rangefinder():
    genome = random_genomes(1)[0]
    assert same(MazeTask("hard")(genome), MazeTask("hard", robot="six-rangefinder")(genome))
    assert not same(MazeTask("hard")(genome), MazeTask("hard", robot="five-rangefinder")(genome))


def disconnected_genomes(count):
    """Random genomes, a third of whose genes are disabled, so that some nodes and outputs are not reached."""
    genomes, rng = random_genomes(count), np.random.default_rng(5)
    for number, genome in enumerate(genomes):
        genome.genes[rng.random(len(genome.genes)) < 0.3, 4] = 0.0
        if number % 3 == 0:
            genome.genes[genome.genes[:, 2] == 11, 4] = 0.0
    return genomes


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize(
    "options", [{"silence_unreached": True}, {"round_weights": 2}, {"silence_unreached": True, "round_weights": 3}]
)
def test_task_with_options_of_express_equals_drive_step_by_step(robot, options):
    maze, task = read_maze("hard"), MazeTask("hard", steps=60, robot=robot, **options)
    different = 0
    for genome in disconnected_genomes(12):
        network = express(genome, **options)
        network.activate(sense(maze, maze.start, maze.heading, robot=robot), passes=10)
        called = drive(network.activate, maze, 60, robot=robot).end
        outcome = task(genome)
        assert outcome.behaviour.tolist() == pytest.approx(called, abs=1e-6)
        assert drive(task.network(genome), maze, 60, robot=robot).end == tuple(outcome.behaviour.tolist())
        different += not same(outcome, MazeTask("hard", steps=60, robot=robot)(genome))
    assert different > 3


@pytest.mark.parametrize(("name", "fitness"), [("medium", 47.64), ("hard", 135.92)])
def test_task_fitness_at_the_start_is_known(name, fitness):
    standing = SimpleNamespace(genes=np.empty((0, 5)), inputs=11, outputs=2)
    assert MazeTask(name)(standing)[0] == pytest.approx(fitness, abs=0.01)


@pytest.mark.parametrize(
    ("maze", "steps"),
    [("medium", 400), ("hard", 400), ("very_hard", 500), ("extremely_hard", 1000), ("generated:4", 200)],
)
def test_task_default_steps_are_those_of_the_paper(maze, steps):
    assert MazeTask(maze).steps == MazeTask(read_maze(maze)).steps == steps
    assert MazeTask(maze, steps=7).steps == 7


def test_task_default_steps_of_another_maze_are_400():
    assert MazeTask(corridor((300.0, 50.0))).steps == 400


def test_task_many_equals_single_calls():
    task, genomes = MazeTask("very_hard"), random_genomes(50)
    together = task.many(genomes)
    assert all(same(outcome, task(genome)) for outcome, genome in zip(together, genomes, strict=True))


def test_task_outcome_can_be_assigned_to_a_fitness():
    fitness = MaximisedFitness()
    fitness.values = MazeTask("hard")(straight_ahead())
    assert fitness.behaviour.shape == (2,)
    assert not MazeTask("hard").solved(fitness.values)


def test_task_is_solved_at_the_goal():
    task = MazeTask(corridor((200.0, 50.0)))
    outcome = task(straight_ahead())
    assert task.solved(outcome)
    assert task.rollout(straight_ahead()).reached
    assert not task.solved((295.0,))


def test_task_rollout_trail_ends_at_the_final_position():
    task = MazeTask(corridor((200.0, 50.0)))
    rollout = task.rollout(straight_ahead())
    assert rollout.trail.shape == (rollout.steps + 1, 2)
    assert tuple(rollout.trail[-1]) == rollout.end == tuple(task(straight_ahead()).behaviour)


def test_task_samples_are_positions_at_evenly_spaced_steps():
    maze = corridor((300.0, 90.0))
    behaviour = MazeTask(maze, steps=40, samples=4)(straight_ahead()).behaviour
    trail = MazeTask(maze, steps=40).rollout(straight_ahead()).trail
    assert behaviour.reshape(4, 2).tolist() == trail[[10, 20, 30, 40]].tolist()


def test_task_samples_are_filled_with_the_final_position():
    task = MazeTask(corridor((50.0, 50.0)), steps=40, samples=4)
    rollout, behaviour = task.rollout(straight_ahead()), task(straight_ahead()).behaviour.reshape(4, 2)
    assert 10 < rollout.steps < 20
    assert behaviour[0].tolist() == rollout.trail[10].tolist()
    assert behaviour[1:].tolist() == [list(rollout.end)] * 3


@pytest.mark.parametrize("samples", [1, 3, 7, 200, 400])
def test_task_samples_end_with_the_final_position(samples):
    for genome in random_genomes(5):
        outcome = MazeTask("hard", samples=samples)(genome)
        assert outcome.behaviour.shape == (2 * samples,)
        assert outcome.behaviour[-2:].tolist() == MazeTask("hard")(genome).behaviour.tolist()


def test_task_pickle_is_small_and_gives_equal_outcomes():
    task = MazeTask("hard", steps=300, samples=5, robot="five-rangefinder", silence_unreached=True, round_weights=2)
    copy = pickle.loads(pickle.dumps(task))
    assert (copy.maze, copy.steps, copy.samples, copy.robot) == (task.maze, 300, 5, "five-rangefinder")
    assert (copy.silence_unreached, copy.round_weights) == (True, 2)
    assert repr(copy).endswith("robot='five-rangefinder', silence_unreached=True, round_weights=2)")
    assert all(same(task(genome), copy(genome)) for genome in random_genomes(5))
    assert len(pickle.dumps(task)) < 2000


@pytest.mark.slow
def test_task_in_spawned_workers_gives_equal_outcomes():
    task, genomes = MazeTask("hard"), random_genomes(8)
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as pool:
        remote = list(pool.map(task, genomes))
    assert all(same(here, outcome) for here, outcome in zip(task.many(genomes), remote, strict=True))


def test_task_with_invalid_arguments_raises():
    with pytest.raises(ValueError, match="round_weights must be an integer from 0 to 15 or None, got 16"):
        MazeTask("hard", round_weights=16)
    with pytest.raises(ValueError, match="steps must be an integer of at least 1, got 0"):
        MazeTask("hard", steps=0)
    with pytest.raises(ValueError, match="samples must be an integer from 1 to the number of steps 400, got 0"):
        MazeTask("hard", samples=0)
    with pytest.raises(ValueError, match="samples must be an integer from 1 to the number of steps 10, got 11"):
        MazeTask("hard", steps=10, samples=11)
    with pytest.raises(ValueError, match="maze 'corridor', start: the robot must be at least 8 units from every wall"):
        MazeTask(corridor((300.0, 50.0))._replace(start=(2.0, 50.0)))
    with pytest.raises(ValueError, match="unknown maze 'hrad'"):
        MazeTask("hrad")
    with pytest.raises(ValueError, match="unknown robot 'mine'; choose from six-rangefinder, five-rangefinder"):
        MazeTask("hard", robot="mine")


def test_task_of_a_genome_of_the_wrong_shape_raises():
    genome = SimpleNamespace(genes=np.array([(0, 0, 2, 1.0, 1)]), inputs=2, outputs=1)
    with pytest.raises(ValueError, match="genome that drives the robot must have 11 inputs and 2 outputs, got 2 and 1"):
        MazeTask("hard")(genome)


@pytest.mark.parametrize(
    ("gene", "sentence"),
    [
        ((0, math.nan, 11, 1.0, 1), "a connection must join nodes"),
        ((0, 1, 1e12, 1.0, 1), "a connection must join nodes"),
        ((0, 1, 11.5, 1.0, 1), "a connection must join nodes"),
        ((0, 1, 11, math.inf, 1), "weights of genes must be finite"),
        ((0, 1, 11), "genes must have 5 columns"),
    ],
)
def test_task_of_invalid_genes_raises(gene, sentence):
    with pytest.raises(ValueError, match=sentence):
        MazeTask("hard")(SimpleNamespace(genes=np.array([gene], dtype=float), inputs=11, outputs=2))


def test_task_repr_shows_parameters():
    assert repr(MazeTask("hard")) == "MazeTask('hard', steps=400, samples=None, robot='six-rangefinder')"
