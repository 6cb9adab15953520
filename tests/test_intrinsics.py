"""LLVM instructions and whole runs give the results of plain Python."""

import json
import math
import os
import platform
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from divergent import _intrinsics as intrinsics
from divergent.neat._random import source_of

WORDS = st.integers(0, 2**64 - 1)
NUMBERS = st.floats(-1e300, 1e300)


def compiled(function):
    """A compiled function that only calls an intrinsic, which Python itself cannot call."""
    return njit(lambda *arguments: function(*arguments))


COUNT_ONES = compiled(intrinsics.count_ones)
FIRST_ONE = compiled(intrinsics.first_one)
LARGER = compiled(intrinsics.larger)
SMALLER = compiled(intrinsics.smaller)
IF_NEGATIVE = compiled(intrinsics.if_negative)
POWER_OF_TWO = compiled(intrinsics.power_of_two)
UNIFORM = compiled(intrinsics.uniform)
SUM_BLOCK = compiled(intrinsics.sum_block)
ADD_SQUARES = compiled(intrinsics.add_squares)


@pytest.mark.parametrize(("bits", "count"), [(0, 0), (0b1011, 3), (2**63, 1), (2**64 - 1, 64)])
def test_count_ones_of_known_words_returns_number_of_set_bits(bits, count):
    assert COUNT_ONES(np.uint64(bits)) == intrinsics.count_ones_reference(np.uint64(bits)) == count


@pytest.mark.parametrize(("bits", "position"), [(1, 0), (0b1000, 3), (0b1010, 1), (2**63, 63)])
def test_first_one_of_known_words_is_the_lowest_bit(bits, position):
    assert FIRST_ONE(np.uint64(bits)) == intrinsics.first_one_reference(np.uint64(bits)) == position


@given(WORDS)
def test_bit_instructions_on_any_word_equal_their_references(bits):
    word = np.uint64(bits)
    assert COUNT_ONES(word) == intrinsics.count_ones_reference(word)
    if bits:
        assert FIRST_ONE(word) == intrinsics.first_one_reference(word)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_comparisons_of_any_numbers_equal_their_references(first, second, third):
    assert LARGER(first, second) == intrinsics.larger_reference(first, second) == max(first, second)
    assert SMALLER(first, second) == intrinsics.smaller_reference(first, second) == min(first, second)
    assert IF_NEGATIVE(first, second, third) == intrinsics.if_negative_reference(first, second, third)


def test_if_negative_at_zero_is_the_alternative():
    for zero in (0.0, -0.0):
        assert IF_NEGATIVE(zero, 1.0, 2.0) == intrinsics.if_negative_reference(zero, 1.0, 2.0) == 2.0
    assert IF_NEGATIVE(-1e-300, 1.0, 2.0) == intrinsics.if_negative_reference(-1e-300, 1.0, 2.0) == 1.0


def test_power_of_two_of_every_normal_exponent_is_exact():
    for exponent in range(-1022, 1024):
        shifted = intrinsics.TO_INTEGER + exponent
        assert POWER_OF_TWO(shifted) == intrinsics.power_of_two_reference(shifted) == math.ldexp(1.0, exponent)


def test_uniform_draws_the_numbers_of_the_generator():
    expected = np.random.default_rng(3).random(6).tolist()
    rng = np.random.default_rng(3)
    source = source_of(rng)
    drawn = [draw(*source) for _ in range(3) for draw in (UNIFORM, intrinsics.uniform_reference)]
    assert drawn == expected


@pytest.mark.parametrize("sources", [1, 2, 11, 12])
def test_sum_block_of_integers_is_the_matrix_product(sources):
    rng = np.random.default_rng(sources)
    weights = rng.integers(-9, 10, (3, sources, 8)).astype(float)
    activations = rng.integers(-9, 10, sources).astype(float)
    for sum_block in (SUM_BLOCK, intrinsics.sum_block_reference):
        sums = np.full(24, np.nan)
        for block in range(3):
            sum_block(weights, block, activations, sums)
        assert sums.tolist() == np.einsum("bji,j->bi", weights, activations).ravel().tolist()


@pytest.mark.parametrize("sources", [11, 40])
def test_sum_block_of_floats_differs_from_its_reference_by_fused_roundings_only(sources):
    rng = np.random.default_rng(sources)
    weights, activations = rng.normal(size=(1, sources, 8)), rng.normal(size=sources)
    sums, expected = np.empty(8), np.empty(8)
    SUM_BLOCK(weights, 0, activations, sums)
    intrinsics.sum_block_reference(weights, 0, activations, expected)
    bound = sources * np.finfo(float).eps * (np.abs(weights[0]) * np.abs(activations)[:, None]).sum(axis=0)
    assert (np.abs(sums - expected) <= bound).all()


@pytest.mark.parametrize("step", [1, 2])
def test_add_squares_of_rows_with_any_stride_equals_its_reference(step):
    rng = np.random.default_rng(step)
    x, y = rng.normal(size=(2, 40 * step))[:, ::step]
    sums = tuple(rng.normal(size=8).tolist())
    actual = ADD_SQUARES(sums, x, y, 5)
    assert actual == intrinsics.add_squares_reference(sums, x, y, 5)
    assert actual == pytest.approx(np.array(sums) + ((x[5:37] - y[5:37]) ** 2).reshape(4, 8).sum(axis=0))


STEADY_STATE = """
import json

import numpy as np
from deap import base

from divergent import Outcome, neat, steady_state
from divergent.selection import Novelty, Surprise


def evaluate(genome):
    weights = genome.genes[:, 3]
    return Outcome((float(weights.sum()),), (float(weights[::2].sum()), float(weights[1::2].sum())))


finals = []
for strategy in (Surprise(clusters=3), Novelty(neighbours=3)):
    rng = strategy.rng = np.random.default_rng(2)
    toolbox = base.Toolbox()
    neat.register(toolbox, inputs=3, outputs=1, node_rate=0.2, connection_rate=0.3, rng=rng)
    toolbox.register("evaluate", evaluate)
    population = toolbox.population(n=12)
    steps = steady_state(population, toolbox, strategy, neat.Species(rng=rng), generations=6)
    behaviours = [genome.fitness.behaviour for step in steps for genome in step.offspring]
    finals.append([behaviours, [genome.genes.tolist() for genome in population], strategy.state()])
print(json.dumps(finals, default=np.ndarray.tolist))
"""

MAZE = """
import json
from divergent import Settings, run

records = []
for search in ("surprise", "novelty"):
    record = run(Settings(maze="medium", search=search, population=12, generations=4, steps=20, seed=1))
    *lines, _ = record.files()["record.jsonl"].splitlines()
    records.append([[json.loads(line) for line in lines], record.positions.tolist(), record.trail.tolist()])
print(json.dumps(records))
"""


def output_of(program, **environment):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], env=os.environ | environment, capture_output=True, text=True,
        timeout=600, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def numbers_of(value):
    """All numbers of a JSON value in order, and everything else as it is."""
    if isinstance(value, dict):
        value = [item for pair in value.items() for item in pair]
    return [number for item in value for number in numbers_of(item)] if isinstance(value, list) else [value]


needs_numpy_2 = pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="scalars promote differently")


@needs_numpy_2
def test_steady_state_without_jit_equals_the_compiled_run_to_the_last_bit():
    assert output_of(STEADY_STATE, NUMBA_DISABLE_JIT="1") == output_of(STEADY_STATE)


@needs_numpy_2
def test_maze_run_without_jit_equals_the_compiled_record_up_to_fused_roundings():
    plain, fused = (numbers_of(output_of(MAZE, **setting)) for setting in ({"NUMBA_DISABLE_JIT": "1"}, {}))
    assert len(plain) == len(fused)
    for number, expected in zip(plain, fused, strict=True):
        assert number == (pytest.approx(expected, rel=1e-6) if isinstance(expected, float) else expected)


@needs_numpy_2
@pytest.mark.slow
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="other processors always fuse")
def test_maze_run_without_jit_equals_the_compiled_record_without_fusing_to_the_last_bit(tmp_path):
    unfused = {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    assert output_of(MAZE, NUMBA_DISABLE_JIT="1") == output_of(MAZE, **unfused)
