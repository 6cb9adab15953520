"""Soft robots: decoding, invalid bodies, fitness and behaviour; `test_soft_body.py` tests the physics."""

import importlib.util
import pickle
import re
import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from documents import HOME
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

mpl.use("Agg")

import matplotlib.pyplot as plt
from PIL import Image

from divergent import neat, steady_state
from divergent.problems import _soft_body, soft_robots
from divergent.problems._soft_body import ACTIVE, ANTIPHASE, SIDE, SOFT, STIFF
from divergent.problems.robot_figures import animate_walk, draw_robot, draw_walk
from divergent.problems.soft_robots import (
    INPUTS,
    OUTPUTS,
    SoftRobotTask,
    decode,
    largest_component,
    lattice_points,
    morphology,
    walk,
)
from divergent.selection import Novelty

WALKER = np.array([[SOFT, STIFF, SOFT], [ACTIVE, 0, ANTIPHASE]])


def genome_of(weights):
    """Return a genome whose outputs are the tanh of linear functions of x, y, distance and bias."""
    genes = [
        (number, number // len(OUTPUTS), 4 + number % len(OUTPUTS), weight, 1)
        for number, weight in enumerate(np.asarray(weights, dtype=float).ravel())
    ]
    return neat.Genome(genes, len(INPUTS), len(OUTPUTS), bias_node=True, output_activation="tanh")


def test_lattice_points_are_the_coordinates_row_by_row_from_the_top():
    points = lattice_points(3)
    assert points[:, 0].tolist() == [-1, 0, 1] * 3
    assert points[:, 1].tolist() == [1] * 3 + [0] * 3 + [-1] * 3
    assert points[4].tolist() == [0, 0, 0]


def test_decode_takes_the_material_with_the_largest_output():
    outputs = np.array([[1, 0, 0, 5, 1], [0, 9, 0, 0, 0], [0.1, 0, 0, 0, 3], [-1, 1, 1, 1, 1]], dtype=float)
    assert decode(outputs, 2).tolist() == [[ACTIVE, 0], [ANTIPHASE, 0]]


def test_decode_of_nan_is_empty():
    assert not decode(np.full((4, 5), np.nan), 2).any()


def test_task_body_of_a_linear_network_is_a_half_plane():
    weights = np.zeros((4, 5))
    weights[1, 0] = -1.0  # present where y is below 0
    weights[0, 3], weights[0, 4] = -1.0, 1.0  # active on the left, antiphase on the right
    body = SoftRobotTask(4).body(genome_of(weights))
    assert body.tolist() == [[0] * 4, [0] * 4, [3, 3, 4, 4], [3, 3, 4, 4]]


def test_largest_component_is_connected_by_edges_only():
    voxels = np.array([[1, 0, 0], [0, 2, 2], [0, 0, 0]])
    assert largest_component(voxels).tolist() == [[0, 0, 0], [0, 2, 2], [0, 0, 0]]


def test_largest_component_breaks_ties_by_the_first_voxel():
    assert largest_component(np.array([[0, 1, 0, 2], [3, 0, 0, 2], [3, 1, 0, 0]])).tolist() == [
        [0, 0, 0, 0],
        [3, 0, 0, 0],
        [3, 1, 0, 0],
    ]
    assert largest_component(np.array([[1, 0, 2]])).tolist() == [[1, 0, 0]]


@settings(max_examples=50)
@given(arrays.arrays(np.int64, (5, 5), elements=st.integers(0, 4)))
def test_largest_component_of_any_body_is_a_part_and_stays_the_same(voxels):
    body = largest_component(voxels)
    assert ((body == voxels) | (body == 0)).all()
    assert np.array_equal(largest_component(body), body)
    assert body.any() == voxels.any()


@pytest.mark.parametrize("voxels", [np.zeros((5, 5), int), np.full((5, 5), SOFT), np.full((3, 2), STIFF)])
def test_walk_of_a_body_without_active_voxels_stands_still(voxels):
    motion = walk(voxels)
    assert motion.distance == 0.0
    assert motion.trace.shape == (18, 2)
    assert not motion.trace.any()


@pytest.mark.parametrize(
    "voxels", [[[ACTIVE]], np.full((5, 5), ACTIVE), [[ACTIVE, 0, ANTIPHASE]], np.full((1, 10), ANTIPHASE)]
)
def test_walk_of_hostile_bodies_is_finite(voxels):
    motion = walk(voxels)
    assert np.isfinite(motion.trace).all()
    assert np.isfinite(motion.distance)


@settings(max_examples=15)
@given(arrays.arrays(np.int64, (5, 5), elements=st.integers(0, 4)))
def test_walk_of_any_body_is_finite(voxels):
    motion = walk(voxels, seconds=2.0)
    assert np.isfinite(motion.trace).all()
    assert motion.distance == abs(motion.trace[-1, 0])


def test_walk_measures_the_centre_of_mass_in_sides_of_the_lattice():
    lattice = np.zeros((6, 6), int)
    lattice[-2:, :3] = WALKER
    frames, stable = soft_robots.simulate_frames(WALKER, 20, 5.0)
    masses = _soft_body.build_body(WALKER).masses
    moved = (frames[-1] - frames[1]).T @ masses / masses.sum()
    assert stable
    assert walk(WALKER).trace[-1].tolist() == pytest.approx((moved / (3 * SIDE)).tolist())
    assert walk(lattice).distance == pytest.approx(walk(WALKER).distance / 2)


def test_walk_of_mirrored_bodies_is_mirrored_at_first():
    first, second = walk(WALKER).trace, walk(WALKER[:, ::-1]).trace
    assert first[0] == pytest.approx(second[0] * [-1, 1], abs=1e-6)


def test_walk_of_an_unstable_simulation_stands_still(monkeypatch):
    soft_robots._walk.cache_clear()
    monkeypatch.setattr(soft_robots, "simulate", lambda *arguments: (None, None, 17))
    assert walk(WALKER).distance == 0.0
    soft_robots._walk.cache_clear()


@pytest.mark.parametrize(
    "voxels", [[1, 2], [[5]], [[-1]], [[1.0]], [["a"]], [[]], np.ones((51, 1), int), [[1], [1, 2]]]
)
def test_walk_of_invalid_voxels_raises(voxels):
    with pytest.raises(ValueError, match="voxels must be"):
        walk(voxels)


@pytest.mark.parametrize("seconds", [0.5, 61.0, 1.1, np.nan, np.inf, "5"])
def test_walk_with_invalid_seconds_raises(seconds):
    with pytest.raises(ValueError, match="seconds must be"):
        walk(WALKER, seconds=seconds)


def test_task_behaviour_is_the_trace_or_the_morphology():
    weights = np.zeros((4, 5))
    weights[3, 0], weights[0, 3], weights[0, 4] = 1.0, -1.0, 1.0
    genome = genome_of(weights)
    trace, features = SoftRobotTask(4)(genome), SoftRobotTask(4, behaviour="morphology")(genome)
    assert trace.behaviour.tolist() == walk([[3, 3, 4, 4]] * 4).trace.ravel().tolist()
    assert tuple(features.behaviour) == (1.0, 1.0)
    assert trace[0] == features[0] == abs(trace.behaviour[-2])


def test_morphology_of_an_empty_body_is_0():
    assert morphology(np.zeros((3, 3), int)) == (0.0, 0.0)
    assert morphology(WALKER) == (5 / 6, 2 / 5)


@pytest.mark.parametrize("weight", [1e308, -1e308, 5e-324])
def test_task_of_extreme_weights_has_a_finite_outcome(weight):
    outcome = SoftRobotTask(3, seconds=1.0)(genome_of(np.full((4, 5), weight)))
    assert np.isfinite(outcome[0])
    assert np.isfinite(outcome.behaviour).all()


def test_task_of_a_nan_weight_raises():
    genome = genome_of(np.ones((4, 5)))
    genome.genes[3, 3] = np.nan
    with pytest.raises(ValueError, match="weights of genes must be finite"):
        SoftRobotTask(3)(genome)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"size": 1}, "size must be"), ({"size": 51}, "size must be"),
     ({"behaviour": "gait"}, "behaviour must be the name of a behaviour descriptor, one of "),
     ({"seconds": 0.3}, "seconds must be")],
)  # fmt: skip
def test_task_with_invalid_arguments_raises(arguments, message):
    with pytest.raises(ValueError, match=message):
        SoftRobotTask(**arguments)


def test_problem_runs_in_the_steady_loop_and_pickles():
    problem = soft_robots.soft_robots(4, seconds=1.0)
    assert len(problem.axes) == 4
    rng = np.random.default_rng(1)
    toolbox, species = pickle.loads(pickle.dumps(problem.toolbox))(rng), problem.species(rng)
    *_, step = steady_state(toolbox.population(n=10), toolbox, Novelty(rng=rng), species, generations=3)
    assert step.evaluations == 30
    assert all(len(genome.fitness.behaviour) == 4 for genome in step.population)
    assert type(problem.render(step.population[0])).__name__ == "Figure"
    plt.close("all")


PROGRAM = """
import numpy as np
import pandas as pd
from divergent.problems.soft_robots import soft_robots
toolbox = soft_robots(5).toolbox(np.random.default_rng(7))
outcomes = [toolbox.evaluate(genome) for genome in toolbox.population(n=6)]
print(b"".join(np.append(outcome.behaviour, outcome[0]).tobytes() for outcome in outcomes).hex())
"""


def test_evaluations_are_bit_identical_across_processes():
    texts = {subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True).stdout for _ in range(2)}
    assert len(texts) == 1
    assert len(next(iter(texts))) > 1000


def test_draw_walk_and_draw_robot_show_every_voxel():
    ax = draw_robot(WALKER, legend=True)
    assert [len(group.get_paths()) for group in ax.collections] == [5]
    ax = draw_walk(WALKER, seconds=1.0, bodies=3)
    assert [len(group.get_paths()) for group in ax.collections] == [5] * 3
    grounds = [line.get_ydata()[0] for line in ax.lines]
    tops = [max(path.vertices[:, 1].max() for path in group.get_paths()) for group in ax.collections]
    assert all(top < ground for top, ground in zip(tops[1:], grounds[:-1], strict=True))
    draw_robot(np.zeros((2, 2), int))
    plt.close("all")


def test_animate_walk_writes_a_gif(tmp_path):
    animate_walk(WALKER, tmp_path / "walk.gif", seconds=1.0, frames=8, width=200)
    with Image.open(tmp_path / "walk.gif") as image:
        assert (image.format, image.n_frames, image.size[0]) == ("GIF", 8, 200)
    with pytest.raises(ValueError, match="voxels must contain at least one non-empty voxel, got only empty voxels"):
        animate_walk([[0]], tmp_path / "empty.gif")


def test_data_sheet_has_the_constants_of_the_simulation():
    page = (HOME / "docs" / "benchmarks" / "soft_robots.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \| `(\w+)` \|$", page, flags=re.MULTILINE)
    assert len(rows) == 15
    for text, name in rows:
        value = getattr(_soft_body, name, None)
        value = getattr(soft_robots, name) if value is None else value
        numbers = [float(number) for number in re.findall(r"\d+(?:\.\d+)?(?![\d²])", text.split("(")[0])]
        expected = list(value[1:]) if name == "STIFFNESS" else [value]
        assert numbers[: len(expected)] == expected, name
    assert f"version number of the task is {soft_robots.VERSION}." in page


@pytest.fixture(scope="module")
def experiment():
    specification = importlib.util.spec_from_file_location("experiment", HOME / "benchmarks" / "soft_robots.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_experiment_mean_voxel_distance_is_the_mean_over_pairs(experiment):
    bodies = np.array([[[1, 1]], [[1, 2]], [[3, 2]]])
    assert experiment.mean_voxel_distance(bodies) == pytest.approx((0.5 + 1.0 + 0.5) / 3)
    assert experiment.mean_voxel_distance(bodies[:1]) == 0.0


def test_experiment_coverage_counts_cells_of_the_grid(experiment):
    bodies = np.array([[[1, 1], [1, 1]], [[1, 1], [1, 1]], [[3, 3], [3, 3]], [[0, 0], [0, 3]]])
    assert experiment.coverage(bodies) == 3 / 100


def test_experiment_results_are_complete_and_those_of_the_page(experiment):
    runs = pd.read_csv(experiment.RESULTS / "runs.csv")
    curves = pd.read_csv(experiment.RESULTS / "curves.csv")
    assert not runs.duplicated(["size", "search", "seed"]).any()
    assert curves.iloc[:, -1].tolist() == pytest.approx(runs["distance"].tolist(), abs=1e-4)
    assert set(runs["task_version"]) == {soft_robots.VERSION}
    assert experiment.block(runs) in experiment.PAGE.read_text(encoding="utf-8")
    for size, group in runs.groupby("size"):
        with np.load(experiment.RESULTS / f"bodies_{size}.npz") as bodies:
            for row in group.itertuples():
                best = bodies[f"{row.search}_{row.seed}"]
                assert experiment.mean_voxel_distance(best) == pytest.approx(row.diversity, abs=1e-5)
