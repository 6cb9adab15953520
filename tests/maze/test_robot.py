import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divergent.maze import Maze, generate_maze, read_maze
from divergent.maze._robot import Pose, drive, sense, step
from divergent.maze._rollout import direction
from divergent.maze._rules import ROBOTS
from divergent.neat.network import Network, express

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)


# reference implementation in plain Python, one wall and one ray at a time


def reference_sense(maze, position, heading):
    x, y = position
    readings = []
    for angle in (-90, -45, 0, 45, 90, 180):
        ray_x, ray_y = (100 * turn(math.radians(heading + angle)) for turn in (math.cos, math.sin))
        nearest = 100.0
        for x1, y1, x2, y2 in maze.walls.tolist():
            wall_x, wall_y = x2 - x1, y2 - y1
            across = ray_x * wall_y - ray_y * wall_x
            if across != 0:
                on_ray = ((x1 - x) * wall_y - (y1 - y) * wall_x) / across
                on_wall = ((x1 - x) * ray_y - (y1 - y) * ray_x) / across
                if 0 < on_ray < 1 and 0 < on_wall < 1:
                    nearest = min(nearest, 100 * on_ray)
        readings.append(nearest / 100)
    angle = (math.degrees(math.atan2(maze.goal[1] - y, maze.goal[0] - x)) - heading) % 360
    quarter = int(((angle + 45) % 360) // 90)
    return [1.0, *readings, *(float(number == quarter) for number in range(4))]


def reference_clearance(maze, x, y):
    def distance(x1, y1, x2, y2):
        share = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2)
        share = min(max(share, 0), 1)
        return math.hypot(x - x1 - share * (x2 - x1), y - y1 - share * (y2 - y1))

    return min(distance(*wall) for wall in maze.walls.tolist())


def reference_step(pose, outputs, maze):
    turn = min(max(pose.turn + outputs[0] - 0.5, -3), 3)
    speed = min(max(pose.speed + outputs[1] - 0.5, -3), 3)
    x = pose.x + speed * math.cos(math.radians(pose.heading))
    y = pose.y + speed * math.sin(math.radians(pose.heading))
    heading = pose.heading + turn
    if heading > 360:
        heading -= 360
    if heading < 0:
        heading += 360
    if reference_clearance(maze, x, y) < 8:
        x, y = pose.x, pose.y
    return Pose(x, y, heading, speed, turn)


def reference_network(genome):
    """Return a function that keeps the activations in a dictionary."""
    links = [(int(source), int(target), weight) for _, source, target, weight, on in genome.genes.tolist() if on]
    values = {}

    def activate(inputs):
        held = values | dict(enumerate(inputs))
        sums = dict.fromkeys((11, 12), 0.0)
        for source, target, weight in links:
            sums.setdefault(source, 0.0)
            sums[target] = sums.get(target, 0.0) + weight * held.get(source, 0.0)
        values.update((node, 1 / (1 + math.exp(-4.924273 * s))) for node, s in sums.items() if node >= 11)
        return values[11], values[12]

    return activate


def reference_drive(genome, maze, steps):
    activate = reference_network(genome)
    pose = Pose(*maze.start, maze.heading)
    inputs = reference_sense(maze, maze.start, maze.heading)
    for _ in range(10):
        activate(inputs)
    for done in range(1, steps + 1):
        pose = reference_step(pose, activate(inputs), maze)
        if math.dist(pose[:2], maze.goal) < 5:
            return pose, done
        inputs = reference_sense(maze, pose[:2], pose.heading)
    return pose, steps


def random_genome(rng, hidden=None, links=None):
    hidden = int(rng.integers(0, 8)) if hidden is None else hidden
    nodes = 13 + hidden
    links = int(rng.integers(5, 60)) if links is None else links
    pairs = {(int(rng.integers(nodes)), int(rng.integers(11, nodes))) for _ in range(links)}
    genes = [(number, *pair, rng.normal(0, 1.5), rng.random() < 0.9) for number, pair in enumerate(sorted(pairs))]
    return SimpleNamespace(genes=np.array(genes, dtype=float), inputs=11, outputs=2)


def random_pose(rng, maze):
    left, top, right, bottom = maze.bounds
    while True:
        x, y = rng.uniform(left, right), rng.uniform(top, bottom)
        if reference_clearance(maze, x, y) >= 8:
            return Pose(x, y, rng.uniform(0, 360), rng.uniform(-3, 3), rng.uniform(-3, 3))


MAZES = [read_maze(name) for name in ("medium", "hard", "very_hard", "extremely_hard")]
MAZES += [generate_maze(seed) for seed in range(10)]


def random_maze(rng):
    return MAZES[rng.integers(len(MAZES))]


# recorded values


@pytest.mark.parametrize(
    ("name", "rangefinders", "radar"),
    [
        ("medium", (16.8451, 23.6559, 66.4286, 72.4964, 100, 22.2636), (1, 0, 0, 0)),
        ("hard", (100, 81.5560, 55.2432, 24.0711, 17.3830, 29.3529), (0, 0, 0, 1)),
    ],
)
def test_sense_at_the_start_equals_lehmans_program(name, rangefinders, radar):
    maze = read_maze(name)
    inputs = sense(maze, maze.start, maze.heading)
    assert inputs[0] == 1
    assert (inputs[1:7] * 100).tolist() == pytest.approx(rangefinders, abs=1e-3)
    assert tuple(inputs[7:]) == radar


CONSTANT_OUTPUTS = [
    ("medium", (0.5, 1.0), 1, (30.5000, 22.0000), 0, 0.5, 0, 0),
    ("medium", (0.5, 1.0), 10, (52.5000, 22.0000), 0, 3, 0, 0),
    ("medium", (0.5, 1.0), 50, (82.5000, 22.0000), 0, 3, 0, 30),
    ("medium", (0.6, 0.9), 10, (50.1781, 22.7951), 5.5, 3, 1.0, 0),
    ("medium", (0.45, 0.7), 10, (40.9967, 21.7697), 357.25, 2, -0.5, 0),
    ("medium", (0.45, 0.7), 400, (52.0617, 118.0410), 328.5, 3, -3, 201),
    ("medium", (0.5, 0.0), 10, (16.5000, 22.0000), 0, -3, 0, 3),
    ("medium", (1.0, 1.0), 10, (52.0328, 25.8626), 22.5, 3, 3, 0),
    ("hard", (0.5, 1.0), 10, (58.5000, 184.0000), 0, 3, 0, 0),
    ("hard", (0.5, 1.0), 50, (79.5000, 184.0000), 0, 3, 0, 33),
    ("hard", (0.6, 0.9), 50, (76.8790, 188.1849), 106.5, 3, 3, 33),
    ("hard", (0.6, 0.9), 400, (47.9197, 139.5459), 76.5, 3, 3, 246),
    ("hard", (0.5, 0.0), 10, (16.5000, 184.0000), 0, -3, 0, 1),
]


@pytest.mark.parametrize(
    ("name", "outputs", "steps", "position", "heading", "speed", "turn", "blocked"), CONSTANT_OUTPUTS
)
def test_step_with_constant_outputs_equals_lehmans_program(
    name, outputs, steps, position, heading, speed, turn, blocked
):
    maze = read_maze(name)
    pose = Pose(*maze.start, maze.heading)
    stood = 0
    for _ in range(steps):
        before, pose = pose, step(pose, outputs, maze)
        stood += before[:2] == pose[:2] and pose.speed != 0
    assert pose == pytest.approx((*position, heading, speed, turn), abs=1e-3)
    assert stood == blocked
    rollout = drive(lambda inputs: outputs, maze, steps)
    assert (*rollout.end, rollout.heading) == pytest.approx((*position, heading), abs=1e-3)


@pytest.fixture
def start_genome():
    weights = [((7 * i % 11) - 5) / 5 for i in range(1, 12)]
    genes = [(i, i, 13, weight, 1) for i, weight in enumerate(weights)] + [(11, 13, 11, 0.137, 1), (12, 13, 12, 0.4, 1)]
    return SimpleNamespace(genes=np.array(genes, dtype=float), inputs=11, outputs=2)


@pytest.mark.parametrize(
    ("steps", "position", "heading"),
    [
        (1, (30.3253, 22.0000), 0.1299),
        (2, (30.9760, 22.0015), 0.3897),
        (3, (31.9519, 22.0081), 0.7795),
        (20, (73.6929, 29.5307), 27.8211),
    ],
)
def test_drive_of_the_start_network_equals_the_record(start_genome, steps, position, heading):
    rollout = drive(express(start_genome), read_maze("medium"), steps)
    assert (*rollout.end, rollout.heading) == pytest.approx((*position, heading), abs=1e-3)


def test_start_network_activations_equal_the_record(start_genome):
    maze = read_maze("medium")
    settled = express(start_genome).activate(sense(maze, maze.start, maze.heading), passes=10)
    assert settled.tolist() == pytest.approx((0.629914, 0.825323), abs=1e-6)


# values of Lehman's program: its inputs and weights have three decimals; its geometry is in single precision


LEHMAN = {"silence_unreached": True, "round_weights": 3}


@pytest.mark.parametrize(
    ("name", "settled", "ends"),
    [
        (
            "medium",
            (0.661757203, 0.876480729),
            {1: (30.3765, 22.0000, 0.1618), 20: (72.4301, 29.9553, 33.6727), 400: (70.0647, 31.5942)},
        ),
        (
            "hard",
            (0.658354106, 0.871606181),
            {1: (36.3716, 184.0000, 0.1584), 20: (72.7802, 189.4496, 32.8778), 400: (47.9981, 143.3712)},
        ),
    ],
)
def test_five_rangefinder_rollout_equals_lehmans_program(start_genome, name, settled, ends):
    network, maze = express(start_genome, **LEHMAN), read_maze(name)
    inputs = sense(maze, maze.start, maze.heading, robot="five-rangefinder")
    assert network.activate(inputs, passes=10).tolist() == pytest.approx(settled, abs=1e-6)
    for steps, end in ends.items():
        rollout = drive(network, maze, steps, robot="five-rangefinder")
        assert (*rollout.end, rollout.heading)[: len(end)] == pytest.approx(end, abs=1e-3)


def test_five_rangefinder_outputs_lag_as_in_lehmans_program(start_genome):
    network, maze = express(start_genome, **LEHMAN), read_maze("hard")
    network.activate(sense(maze, maze.start, maze.heading, robot="five-rangefinder"), passes=10)
    commands = []

    def controller(inputs):
        commands.append(network.activate(inputs).tolist())
        return commands[-1]

    drive(controller, maze, 3, robot="five-rangefinder")
    for command, expected in zip(commands, [(0.658354, 0.871606)] * 2 + [(0.658317, 0.871552)], strict=True):
        assert command == pytest.approx(expected, abs=2e-6)


def test_silent_output_relaxes_as_in_lehmans_program(start_genome):
    genes = start_genome.genes.copy()
    genes[(genes[:, 1] == 13) & (genes[:, 2] == 11), 4] = 0.0  # from the hidden node to the output that turns
    network = express(SimpleNamespace(genes=genes, inputs=11, outputs=2), **LEHMAN)
    maze = read_maze("medium")
    network.activate(sense(maze, maze.start, maze.heading, robot="five-rangefinder"), passes=10)
    commands = []

    def controller(inputs):
        commands.append(network.activate(inputs).tolist())
        return commands[-1]

    called = drive(controller, maze, 2, robot="five-rangefinder")
    assert commands[0] == pytest.approx([0.0, 0.876481], abs=2e-6)
    assert commands[1] == pytest.approx([0.0, 0.876418], abs=2e-6)  # one step after the readings changed, not two
    assert drive(network, maze, 2, robot="five-rangefinder").end == pytest.approx(called.end)


# sensors


@given(SEEDS)
def test_sense_of_five_rangefinders_shifts_the_radars(seed):
    rng = np.random.default_rng(seed)
    maze = random_maze(rng)
    pose = random_pose(rng, maze)
    described = sense(maze, pose[:2], pose.heading, robot="six-rangefinder").tolist()
    original = sense(maze, pose[:2], pose.heading, robot="five-rangefinder").tolist()
    assert described == sense(maze, pose[:2], pose.heading).tolist()
    assert original == [*described[:6], *described[7:], 0.0]


def test_drive_with_unknown_robot_raises():
    for call in (
        lambda: sense(box(), (100.0, 100.0), 0.0, robot="orignal"),
        lambda: drive(lambda inputs: (0.5, 0.5), box(), 1, robot="orignal"),
    ):
        with pytest.raises(ValueError, match="unknown robot 'orignal'; choose from six-rangefinder, five-rangefinder"):
            call()


def box(*extra, goal=(180.0, 20.0)):
    walls = [(0, 0, 200, 0), (200, 0, 200, 200), (200, 200, 0, 200), (0, 200, 0, 0), *extra]
    return Maze("box", (20.0, 180.0), 0.0, goal, np.array(walls, dtype=float))


def test_sense_equals_hand_measured_distances():
    inputs = sense(box((130, 60, 130, 140), (60, 60, 140, 60)), (100.0, 100.0), 0.0)
    diagonal = 0.3 * math.sqrt(2)
    assert inputs[1:7].tolist() == pytest.approx([0.4, diagonal, 0.3, diagonal, 1, 1])


def test_sense_ignores_a_wall_touched_at_its_end():
    assert sense(box((130, 100, 130, 150)), (100.0, 100.0), 0.0)[3] == 1
    assert sense(box((130, 99, 130, 150)), (100.0, 100.0), 0.0)[3] == pytest.approx(0.3)


def test_sense_ignores_a_wall_in_line_with_the_robot():
    assert sense(box((120, 100, 150, 100)), (100.0, 100.0), 0.0)[3] == 1


@pytest.mark.parametrize(
    ("goal", "radar"),
    [
        ((150, 100), (1, 0, 0, 0)),
        ((150, 50), (1, 0, 0, 0)),  # -45 degrees: the slices include their beginning
        ((150, 150), (0, 1, 0, 0)),
        ((100, 150), (0, 1, 0, 0)),
        ((50, 150), (0, 0, 1, 0)),
        ((50, 100), (0, 0, 1, 0)),
        ((50, 50), (0, 0, 0, 1)),
        ((100, 50), (0, 0, 0, 1)),
        ((100, 100), (0, 0, 0, 1)),  # at the goal itself: 270 degrees, as x is 0 and y is not above 0
    ],
)
def test_sense_radar_points_to_the_goal(goal, radar):
    assert tuple(sense(box(goal=goal), (100.0, 100.0), 0.0)[7:]) == radar


def test_sense_radar_turns_with_the_robot():
    maze = box(goal=(150.0, 100.0))
    assert [int(sense(maze, (100.0, 100.0), heading)[7:].argmax()) for heading in (0, 90, 180, 270)] == [0, 3, 2, 1]


@given(SEEDS)
def test_sense_equals_the_reference_with_one_radar(seed):
    rng = np.random.default_rng(seed)
    maze = random_maze(rng)
    pose = random_pose(rng, maze)
    inputs = sense(maze, pose[:2], pose.heading)
    assert ((inputs >= 0) & (inputs <= 1)).all()
    assert sorted(inputs[7:]) == [0, 0, 0, 1]
    expected = reference_sense(maze, pose[:2], pose.heading)
    assert ((inputs == 1) == (np.array(expected) == 1)).all()
    assert inputs.tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("count", [1, 15, 16, 17, 33, 300])
def test_sense_and_step_accept_any_number_of_walls(count):
    rng = np.random.default_rng(count)
    ends = rng.uniform(0, 300, (count, 2))
    walls = np.column_stack((ends, ends + rng.uniform(5, 40, (count, 2))))
    maze = Maze("many", (-20.0, -20.0), 0.0, (150.0, 150.0), walls)
    for _ in range(50):
        position, heading = rng.uniform(0, 300, 2), rng.uniform(0, 360)
        assert sense(maze, position, heading).tolist() == pytest.approx(
            reference_sense(maze, position, heading), abs=1e-9
        )
        pose = Pose(*position, heading, 3.0, 0.0)
        assert step(pose, (0.5, 0.5), maze) == pytest.approx(reference_step(pose, (0.5, 0.5), maze), abs=1e-9)


# movement


@given(st.floats(0, 360))
def test_direction_is_cosine_and_sine(heading):
    expected = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    assert direction.py_func(heading) == pytest.approx(expected, abs=1e-14)


def test_direction_is_exact_at_right_angles():
    directions = [tuple(map(float, direction.py_func(heading))) for heading in (0.0, 90.0, 180.0, 270.0, 360.0)]
    assert directions == [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 0)]


@given(SEEDS)
def test_step_equals_the_reference_within_bounds(seed):
    rng = np.random.default_rng(seed)
    maze = random_maze(rng)
    pose, outputs = random_pose(rng, maze), rng.random(2)
    after = step(pose, outputs, maze)
    assert after == pytest.approx(reference_step(pose, outputs, maze), abs=1e-9)
    assert abs(after.speed) <= 3
    assert abs(after.turn) <= 3
    assert 0 <= after.heading <= 360
    assert reference_clearance(maze, *after[:2]) >= 8 - 1e-9


@settings(max_examples=60)
@given(SEEDS)
def test_rollout_keeps_a_clearance_of_8_and_never_jumps(seed):
    rng = np.random.default_rng(seed)
    maze = random_maze(rng)
    rollout = drive(express(random_genome(rng)), maze, 200, trail=True)
    assert min(reference_clearance(maze, x, y) for x, y in rollout.trail[::5]) >= 8 - 1e-9
    assert np.linalg.norm(np.diff(rollout.trail, axis=0), axis=1).max() <= 3 + 1e-9


@given(SEEDS)
def test_drive_repeated_returns_equal_rollouts(seed):
    rng = np.random.default_rng(seed)
    maze, network = random_maze(rng), express(random_genome(rng))
    once = drive(network, maze, 100)
    network(np.ones(11))
    assert drive(network, maze, 100) == once


@given(SEEDS)
def test_drive_first_steps_equal_the_reference(seed):
    rng = np.random.default_rng(seed)
    maze, genome = random_maze(rng), random_genome(rng)
    rollout = drive(express(genome), maze, 3)
    pose, steps = reference_drive(genome, maze, 3)
    assert (*rollout.end, rollout.heading) == pytest.approx(pose[:3], abs=1e-9)
    assert rollout.steps == steps


@pytest.mark.slow
def test_drive_equals_the_reference_except_flipped_wall_contacts():
    # a last-bit difference can decide a contact the other way; of these 200 networks none did when this was written
    rng = np.random.default_rng(5)
    agree = 0
    for number in range(200):
        maze, genome = MAZES[number % 4], random_genome(rng)
        rollout = drive(express(genome), maze, 250)
        pose, _ = reference_drive(genome, maze, 250)
        agree += (*rollout.end, rollout.heading) == pytest.approx(pose[:3], abs=1e-6)
    assert agree >= 198


@pytest.mark.parametrize("robot", ROBOTS)
@settings(max_examples=40)
@given(SEEDS)
def test_drive_of_a_network_equals_that_of_a_callable(robot, seed):
    rng = np.random.default_rng(seed)
    maze, network = random_maze(rng), express(random_genome(rng))
    compiled = drive(network, maze, 60, trail=True, robot=robot)
    network.reset()
    network.activate(sense(maze, maze.start, maze.heading, robot), passes=10)
    plain = drive(network.activate, maze, 60, trail=True, robot=robot)
    assert plain.trail == pytest.approx(compiled.trail, abs=1e-6)
    assert (*plain.end, plain.heading) == pytest.approx((*compiled.end, compiled.heading), abs=1e-6)
    assert (plain.reached, plain.steps) == (compiled.reached, compiled.steps)


def test_drive_ends_at_the_goal():
    maze = box(goal=(60.0, 180.0))
    rollout = drive(lambda inputs: (0.5, 1.0), maze, 400, trail=True)
    # 0.5 + 1 + ... + 2.5 + 3 = 10.5 after 6 steps, then 3 a step: 37.5 after 15, closer than 5 to 40
    assert rollout[:4] == ((57.5, 180.0), 0.0, True, 15)
    assert rollout.trail.shape == (16, 2)
    assert rollout.trail[[0, 1, -1]].tolist() == [[20, 180], [20.5, 180], [57.5, 180]]


def test_drive_from_the_goal_has_reached_it():
    maze = box(goal=(22.0, 180.0))
    network = express(SimpleNamespace(genes=np.empty((0, 5)), inputs=11, outputs=2))
    for controller in (network, lambda inputs: (0.5, 1.0)):
        assert drive(controller, maze, 400, trail=True)[:4] == ((20.0, 180.0), 0.0, True, 0)


def test_drive_records_the_trail_on_request():
    assert drive(lambda inputs: (0.5, 1.0), box(), 10).trail is None
    assert drive(lambda inputs: (0.5, 1.0), box(), 10, trail=True).trail.shape == (11, 2)


def test_drive_accepts_any_initial_heading():
    assert drive(lambda inputs: (0.5, 0.5), box()._replace(heading=-90.0), 1).heading == 270


# any controller


@pytest.mark.parametrize("kind", [tuple, list, np.array, lambda outputs: np.array([outputs], dtype=np.float32)])
def test_drive_accepts_outputs_of_any_type(kind):
    rollout = drive(lambda inputs: kind((0.5, 1.0)), box(), 10)
    assert rollout.end == (42.5, 180.0)


def test_drive_calls_the_controller_once_per_step_with_sense():
    seen = []

    def controller(inputs):
        seen.append(inputs)
        return 0.5, 1.0

    rollout = drive(controller, box(), 3, trail=True)
    assert len(seen) == 3
    for inputs, position in zip(seen, rollout.trail[:-1], strict=True):
        assert inputs.tolist() == sense(box(), position, 0.0).tolist()


@pytest.mark.parametrize(
    ("outputs", "sentence"),
    [
        ((0.5, math.nan), r"the controller must return finite outputs, got \[0.5, nan\] in step 3"),
        ((math.inf, 0.5), r"the controller must return finite outputs, got \[inf, 0.5\] in step 3"),
        ((0.5,), "the controller must return 2 outputs, got 1 in step 3"),
        ((0.5, 0.5, 0.5), "the controller must return 2 outputs, got 3 in step 3"),
        (None, "the controller must return 2 numbers, got None in step 3"),
        (("a", "b"), r"the controller must return 2 numbers, got \('a', 'b'\) in step 3"),
    ],
)
def test_drive_with_invalid_outputs_raises(outputs, sentence):
    calls = []

    def controller(inputs):
        calls.append(inputs)
        return outputs if len(calls) == 3 else (0.5, 0.5)

    with pytest.raises(ValueError, match=sentence):
        drive(controller, box(), 10)


@pytest.mark.parametrize("steps", [0, -1, 1.5])
def test_drive_with_invalid_steps_raises(steps):
    with pytest.raises(ValueError, match=f"steps must be an integer of at least 1, got {steps}"):
        drive(lambda inputs: (0.5, 0.5), box(), steps)


def test_drive_with_nan_weight_raises():
    network = Network(np.full((1, 13, 8), math.nan), inputs=11, outputs=2)
    with pytest.raises(ValueError, match="weights of the controller must be finite"):
        drive(network, box(), 10)


def test_drive_with_a_network_of_the_wrong_shape_raises():
    network = express(SimpleNamespace(genes=np.array([(0, 0, 2, 1.0, 1)]), inputs=2, outputs=1))
    with pytest.raises(ValueError, match="must have 11 inputs and 2 outputs, got 2 and 1"):
        drive(network, box(), 10)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 1e300, "x", None, 10**400])
def test_sense_and_step_with_invalid_position_raise(number):
    maze = read_maze("medium")
    with pytest.raises(ValueError, match="must be finite numbers of magnitude at most 1e\\+09"):
        sense(maze, (number, 20.0), 0.0)
    with pytest.raises(ValueError, match="must be finite numbers of magnitude at most 1e\\+09"):
        step(Pose(30.0, 22.0, number), (0.5, 0.5), maze)


@pytest.mark.parametrize(
    "parts", [{"start": (math.nan, 20.0)}, {"goal": (1.0,)}, {"walls": np.ones((3, 5))}, {"heading": "east"}]
)
def test_drive_in_an_invalid_maze_raises(parts):
    maze = read_maze("medium")._replace(**parts)
    for use in (
        lambda: drive(lambda inputs: (0.5, 0.5), maze, 5),
        lambda: sense(maze, (30.0, 22.0), 0.0),
        lambda: step(Pose(30.0, 22.0, 0.0), (0.5, 0.5), maze),
    ):
        with pytest.raises((TypeError, ValueError), match="maze 'medium'"):
            use()


def test_drive_with_too_many_steps_raises():
    with pytest.raises(ValueError, match="steps must be at most 10,000,000, got 10000000000"):
        drive(lambda inputs: (0.5, 0.5), read_maze("medium"), 10**10)


def test_sense_of_a_touching_wall_is_0():
    corner = Maze("corner", (20.0, 20.0), 0.0, (80.0, 20.0), np.array([(0.0, 0.0, 100.0, 0.0), (0.0, 80.0, 0.0, 0.0)]))
    assert not np.isnan(sense(corner, (20.0, 1e-320), 0.0)).any()
