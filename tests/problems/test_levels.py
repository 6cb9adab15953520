"""Grid levels: constraints, behaviours, operators and images, against a reference in networkx."""

import random

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divergent.constrained import FeasibleInfeasible
from divergent.loops import evolve
from divergent.problems import levels
from divergent.problems.levels import HEIGHT, LEVELS, WIDTH, Level, analyse, evaluate, random_level, render
from divergent.selection import Novelty

SEEDS = st.integers(0, 10_000)


def serpentine():
    """Walls in every second row with a gap at alternating ends."""
    grid = np.zeros((HEIGHT, WIDTH), dtype=int)
    grid[1:-1:2] = 1
    grid[1:-1:4, -1] = 0
    grid[3:-1:4, 0] = 0
    return grid


def graph_of(level):
    grid = np.array(level).reshape(HEIGHT, WIDTH)
    grid[0, 0] = grid[-1, -1] = 0
    graph = networkx.grid_2d_graph(HEIGHT, WIDTH)
    graph.remove_nodes_from([tuple(wall) for wall in np.argwhere(grid == 1).tolist()])
    return graph


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.floats(0.05, 0.7))
def test_analyse_of_random_levels_equals_networkx(seed, walls):
    level = random_level(np.random.default_rng(seed), walls)
    graph, structure = graph_of(level), analyse(level)
    lengths = networkx.single_source_shortest_path_length(graph, (0, 0))
    assert structure.path == lengths.get((HEIGHT - 1, WIDTH - 1), -1)
    assert structure.floor == pytest.approx(len(graph) / (HEIGHT * WIDTH))
    assert structure.isolated == pytest.approx(1 - len(lengths) / len(graph))
    nearest = min(HEIGHT - 1 - row + WIDTH - 1 - column for row, column in lengths)
    assert structure.gap == (0 if structure.path >= 0 else nearest)
    for (row, column), length in lengths.items():
        assert structure.distances[row, column] == length
    path = levels.shortest_path(level)
    assert len(path) == structure.path + 1
    assert networkx.is_path(graph, path) if path else structure.path == -1


def test_evaluate_of_a_serpentine_is_feasible_with_its_path_length():
    outcome = evaluate(Level(serpentine().ravel().tolist()))
    length = networkx.shortest_path_length(graph_of(serpentine().ravel()), (0, 0), (HEIGHT - 1, WIDTH - 1))
    assert outcome.violation == 0
    assert outcome == (length,)
    assert length > 100
    assert outcome.behaviour[0] == length


@pytest.mark.parametrize(
    ("change", "least"),
    [
        (lambda grid: grid.fill(0), 0.3),  # too much floor, too short a path
        (lambda grid: grid.__setitem__((slice(None), 10), 1), 1.0),  # start and exit are not connected
        (lambda grid: (grid.__setitem__((0, slice(5, 8)), 1), grid.__setitem__((0, 6), 0)), 0.01),  # an isolated tile
    ],
)
def test_evaluate_of_a_level_that_breaks_a_rule_has_a_violation(change, least):
    grid = serpentine()
    change(grid)
    assert evaluate(Level(grid.ravel().tolist())).violation >= least


def test_symmetry_of_a_mirrored_level_is_one():
    half = np.random.default_rng(1).integers(0, 2, (HEIGHT, WIDTH // 2))
    half[0, 0] = half[-1, 0] = 0
    grid = np.hstack([half, half[:, ::-1]])
    assert analyse(Level(grid.ravel().tolist())).symmetry == 1


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_operators_keep_the_number_and_kinds_of_tiles(seed):
    random.seed(seed)
    rng = np.random.default_rng(seed)
    first, second = random_level(rng), random_level(rng)
    before = sorted(zip(first, second, strict=True)), list(first), list(second)
    first_child, second_child = levels.exchange_rectangle(first, second)
    assert first_child is first
    assert all({a, b} == {c, d} for a, b, c, d in zip(first_child, second_child, before[1], before[2], strict=True))
    (changed,) = levels.change_tiles(first_child)
    assert changed is first_child
    assert Level(changed) == changed


def test_render_shows_every_tile_in_its_colour():
    image = render(Level(serpentine().ravel().tolist()), scale=3)
    assert image.shape == (HEIGHT * 3, WIDTH * 3, 3)
    tiles = image[1::3, 1::3]
    assert (tiles[serpentine() == 1] == levels.COLOURS[1]).all()
    assert (tiles == levels.COLOURS[2]).all(axis=2).sum() == analyse(Level(serpentine().ravel().tolist())).path - 1
    assert (tiles[0, 0] == levels.COLOURS[3]).all()


def test_level_with_wrong_tiles_raises():
    with pytest.raises(ValueError, match="tiles must be 240 numbers, each 0 or 1"):
        Level([0] * 10)
    with pytest.raises(ValueError, match="tiles must be 240 numbers, each 0 or 1"):
        Level([2] * 240)


def test_feasible_infeasible_from_infeasible_levels_finds_feasible_levels():
    random.seed(1)
    toolbox = LEVELS.toolbox(np.random.default_rng(1))
    start = toolbox.population(n=60)
    survive = FeasibleInfeasible(Novelty(), cxpb=0.6, mutpb=0.9)
    steps = list(evolve(start, toolbox, 40, survive=survive))
    counts = [sum(level.fitness.violation == 0 for level in step.population) for step in steps]
    assert counts[0] == 0
    assert counts[-1] > 10
