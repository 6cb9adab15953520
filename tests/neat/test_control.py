"""Balancing two poles on a cart: a classic control task through the same operators, with nothing of mazes in it."""

import math
import random

import numpy as np
import pytest
from deap import algorithms, base, tools

from divergent.neat import express, register

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
    """How many decisions, 0.02 seconds each, the poles stay up; the long pole starts at 4 degrees."""
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


def test_two_poles_left_alone_fall():
    state = [0.0, 0.0, math.radians(4), 0.0, 0.0, 0.0]
    for _ in range(200):
        state = advance(state, 0.0)
    assert state[2] > FALLEN


def test_a_hanging_pole_keeps_swinging_as_wide_as_it_began():
    state = [0.0, 0.0, math.pi + 0.1, 0.0, math.pi, 0.0]
    largest = 0.0
    for _ in range(2000):
        state = advance(state, 0.0)
        largest = max(largest, abs(state[2] - math.pi))
    assert largest == pytest.approx(0.1, abs=0.005)


def test_two_poles_are_balanced_by_a_stock_loop():
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
