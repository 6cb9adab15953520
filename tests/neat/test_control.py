"""Double pole balancing, a control task without mazes."""

import math
import random
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from deap import algorithms, base, tools

from divergent.neat import Genome, express, register

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def two_poles(monkeypatch):
    """Return the compiled simulation; the functions below are its reference implementation."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    return import_module("two_poles")


POLES = ((0.5, 0.1), (0.05, 0.01))  # half length in metres, mass in kilograms
CART = 1.0  # kilograms
GRAVITY = 9.8
HINGE = 0.000002  # friction
TRACK = 2.4  # metres to either side
FALLEN = math.radians(36)


def accelerations(state, force):
    """Time derivatives of position, angles and their speeds (Wieland's equations of motion)."""
    _, speed, *poles = state
    mass, push, parts = CART, force, []
    for (length, pole_mass), angle, turning in zip(POLES, poles[::2], poles[1::2], strict=True):
        sine, cosine = math.sin(angle), math.cos(angle)
        drag = HINGE * turning / (pole_mass * length) - GRAVITY * sine
        push += pole_mass * (length * turning**2 * sine + 0.75 * cosine * drag)
        mass += pole_mass * (1 - 0.75 * cosine**2)
        parts.append((length, turning, cosine, drag))
    change = push / mass
    slopes = [speed, change]
    for length, turning, cosine, drag in parts:
        slopes += [turning, -0.75 * (change * cosine + drag) / length]
    return slopes


def advance(state, force, duration=0.01):
    """One step of the Runge-Kutta method of fourth order."""

    def moved(slopes, share):
        return [value + share * duration * slope for value, slope in zip(state, slopes, strict=True)]

    first = accelerations(state, force)
    second = accelerations(moved(first, 0.5), force)
    third = accelerations(moved(second, 0.5), force)
    fourth = accelerations(moved(third, 1.0), force)
    mean = [(a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(first, second, third, fourth, strict=True)]
    return moved(mean, 1.0)


def balance(genome, steps=500):
    """Return the number of decisions, 0.02 seconds each, until a pole falls; the long pole starts at 4 degrees."""
    network = express(genome)
    state = [0.0, 0.0, math.radians(4), 0.0, 0.0, 0.0]
    for step in range(steps):
        x, speed, long, long_speed, short, short_speed = state
        senses = (1.0, x / TRACK, speed / 1.5, long / FALLEN, long_speed / 2, short / FALLEN, short_speed / 2)
        force = 20.0 * (float(network.activate(senses)[0]) - 0.5)
        state = advance(advance(state, force), force)
        if abs(state[0]) > TRACK or abs(state[2]) > FALLEN or abs(state[4]) > FALLEN:
            return (float(step),)
    return (float(steps),)


def test_poles_without_force_fall():
    state = [0.0, 0.0, math.radians(4), 0.0, 0.0, 0.0]
    for _ in range(200):
        state = advance(state, 0.0)
    assert state[2] > FALLEN


def test_hanging_pole_keeps_its_amplitude():
    state = [0.0, 0.0, math.pi + 0.1, 0.0, math.pi, 0.0]
    largest = 0.0
    for _ in range(2000):
        state = advance(state, 0.0)
        largest = max(largest, abs(state[2] - math.pi))
    assert largest == pytest.approx(0.1, abs=0.005)


def test_deap_loop_solves_double_pole_balancing():
    random.seed(5)
    toolbox = base.Toolbox()
    register(toolbox, 7, 1, hidden=0, power=1.5, limit=8.0, rng=np.random.default_rng(5))
    toolbox.register("evaluate", balance)
    toolbox.register("select", tools.selTournament, tournsize=3)
    best = tools.HallOfFame(1)
    population = toolbox.population(n=150)
    for _ in range(10):
        population, _ = algorithms.eaMuPlusLambda(
            population, toolbox, 150, 150, cxpb=0.3, mutpb=0.7, ngen=1, halloffame=best, verbose=False
        )
        if best[0].fitness.values[0] == 500:
            break
    assert balance(best[0], steps=2000) == (2000.0,)


def test_compiled_poles_equal_the_reference(two_poles):
    rng = np.random.default_rng(3)
    for _ in range(20):
        state = rng.uniform(-0.6, 0.6, 6)
        force = float(rng.uniform(-10, 10))
        expected = advance(state.tolist(), force)
        two_poles.advance(state, force, np.empty((5, 6)))
        assert state == pytest.approx(expected, rel=1e-12)


def test_poles_with_mirrored_state_move_symmetrically(two_poles):
    right, left = np.array([0.1, 0.0, 0.05, 0.0, 0.02, 0.0]), -np.array([0.1, 0.0, 0.05, 0.0, 0.02, 0.0])
    for _ in range(50):
        two_poles.advance(right, 4.0, np.empty((5, 6)))
        two_poles.advance(left, -4.0, np.empty((5, 6)))
    assert left.tolist() == (-right).tolist()


def pusher(inputs):
    """Return a genome that pushes by the angle of the long pole, and by its angular velocity if that is an input."""
    links = {7: {3: 2.0, 4: 1.5}, 4: {2: 2.0}}[inputs]
    return Genome([[n, n, inputs, weight, 1.0] for n, weight in sorted(links.items())], inputs=inputs, outputs=1)


@pytest.mark.parametrize("inputs", [7, 4])
def test_compiled_balancing_equals_the_reference(two_poles, inputs):
    genome = pusher(inputs)
    network, state, motion = express(genome), list(two_poles.TILTED), []
    while len(motion) < 1000:
        seen = [value / scale for value, scale in zip(state, two_poles.SEEN, strict=True)]
        senses = [two_poles.BIAS, *(seen if inputs == 7 else seen[::2])]
        force = 20.0 * (float(network.activate(senses)[0]) - 0.5)
        state = advance(advance(state, force), force)
        if abs(state[0]) > TRACK or abs(state[2]) > FALLEN or abs(state[4]) > FALLEN:
            break
        motion.append(sum(map(abs, state[:4])))
    up, moved = two_poles.decisions(genome, 1000, motion=5)
    assert up == len(motion)
    assert 5 <= up < 1000
    assert sorted(moved) == pytest.approx(sorted(motion[-5:]), rel=1e-6)


def test_calmness_counts_only_after_a_hundred_decisions(two_poles):
    clumsy = Genome([], inputs=4, outputs=1)
    up, _ = two_poles.decisions(clumsy, 1000)
    assert up < 100
    assert two_poles.calmness(clumsy) == pytest.approx(0.1 * up / 1000)


def test_starts_are_625_around_the_centre(two_poles):
    starts = two_poles.many_starts()
    assert starts.shape == (625, 6)
    assert len(np.unique(starts, axis=0)) == 625
    assert starts.mean(axis=0) == pytest.approx(np.zeros(6), abs=1e-12)
    assert starts.max(axis=0) == pytest.approx([0.9 * 2.16, 0.9 * 1.35, math.radians(3.24), math.radians(7.74), 0, 0])
