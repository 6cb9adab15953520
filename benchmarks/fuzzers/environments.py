"""Fuzzing of gymnasium environments: hostile observations and rewards must raise clear errors."""

import itertools
import math
from functools import partial

import gymnasium
import numpy as np

from divergent.problems.gymnasium import GymTask

DEFAULT_COUNT = 3000
STEPS = 8
NAME = "Hostile"
BEHAVIOURS = ("final", "cells", "actions")
# functions that replace a valid observation by a hostile observation, by name
OBSERVATIONS = {
    "nan": lambda point: np.where([True, False], np.nan, point),
    "inf": lambda point: point * np.inf,
    "short": lambda point: point[:1],
    "long": lambda point: np.append(point, 0.0),
    "scalar": lambda point: point[0],
    "none": lambda point: None,
    "text": lambda point: "here",
    "nested": lambda point: [[*point]],
    "complex": lambda point: point + 1j,
}
REWARDS = {"nan": math.nan, "none": None, "text": "much", "array": np.ones(2)}


class Hostile(gymnasium.Env):
    """Environment that can return an invalid observation, an invalid reward, or the same array for all observations."""

    def __init__(self, discrete, moment, observation, reward, reused):
        self.observation_space = gymnasium.spaces.Box(-10.0, 10.0, (2,), np.float64)
        box = gymnasium.spaces.Box(-1.0, 1.0, (2,), np.float64)
        self.action_space = gymnasium.spaces.Discrete(3) if discrete else box
        self.moment, self.observation, self.reward, self.reused = moment, observation, reward, reused
        self.buffer = np.zeros(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.time, self.point = 0, np.zeros(2)
        return self._observe(), {}

    def step(self, action):
        self.time += 1
        self.point = self.point + (np.array([1.0, action - 1.0]) if np.ndim(action) == 0 else np.asarray(action))
        wrong = self.time == self.moment and self.reward is not None
        return self._observe(), REWARDS[self.reward] if wrong else 1.0, False, self.time == STEPS, {}

    def _observe(self):
        if self.time == self.moment and self.observation is not None:
            return OBSERVATIONS[self.observation](self.point)
        if not self.reused:
            return self.point.copy()
        self.buffer[:] = self.point
        return self.buffer

    def __repr__(self):
        return NAME


def attacks(rng, folder):
    for _ in itertools.count():
        discrete, moment = bool(rng.integers(2)), int(rng.integers(1, STEPS))
        kind = rng.integers(3)
        observation = list(OBSERVATIONS)[rng.integers(len(OBSERVATIONS))] if kind == 0 else None
        reward = list(REWARDS)[rng.integers(len(REWARDS))] if kind == 1 else None
        make = partial(Hostile, discrete, moment, observation, reward)
        weights = rng.normal(size=(3 if discrete else 2) * 3)
        behaviour = BEHAVIOURS[rng.integers(len(BEHAVIOURS))]
        yield partial(evaluate, make, weights.tolist(), behaviour, kind == 2), ["environment"]


def evaluate(make, weights, behaviour, harmless):
    """Evaluate a policy in an environment; reuse of one array for all observations must not change the outcome."""
    outcome = GymTask(partial(make, True), behaviour=behaviour, steps=STEPS)(weights)
    assert harmless, f"an invalid observation or reward gave {outcome!r}"
    expected = GymTask(partial(make, False), behaviour=behaviour, steps=STEPS)(weights)
    assert outcome == expected
    assert np.array_equal(outcome.behaviour, expected.behaviour), f"{outcome.behaviour}, expected {expected.behaviour}"
    return "equal"
