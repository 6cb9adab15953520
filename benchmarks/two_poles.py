"""Double pole balancing with Wieland's equations of motion: a network pushes the cart so that neither pole falls.

Lengths are in metres, masses in kilograms, and angles in radians from upright. A state is the position and velocity of
the cart, then the angle and angular velocity of the long and the short pole. In each time step of 0.02 s, one
activation pass of the network sets a force of up to 10 N. The first input is a bias of 0.5. The simulation and the
network are compiled together, so that 100,000 time steps take less than 0.1 s.
"""

import math

import numpy as np

from divergent import neat
from divergent.neat._network_kernels import NODES_PER_BLOCK, compiled, propagate

LENGTHS = 0.5, 0.05  # half of the length of each pole in metres
MASSES = 0.1, 0.01
CART = 1.0
GRAVITY = 9.8
HINGE = 0.000002  # friction
STRONGEST = 10.0  # push, in newtons
DURATION = 0.01  # duration of an integration step in seconds; a time step has two integration steps
TRACK = 2.4  # to either side
FALLEN = math.radians(36)
TILTED = 0.0, 0.0, 0.07, 0.0, 0.0, 0.0  # initial state with the long pole at 4 degrees
BIAS = 0.5
SEEN = 4.8, 2.0, 0.52, 2.0, 0.52, 2.0  # divisors that scale the state variables to network inputs

SEEING_ALL, SEEING_PLACES = 7, 4  # numbers of network inputs with and without velocities, including the bias
DAMPED = 100  # Gruau's fitness sums the motion over the last 100 time steps
OFTEN = 1000  # Gruau's fitness and each generalisation test simulate at most this number of time steps


@compiled
def _derive(state, force, slopes):
    """Compute the time derivatives of the state variables under a force on the cart."""
    push, mass = force, CART
    for pole in range(2):
        sine, cosine, turning = math.sin(state[2 + 2 * pole]), math.cos(state[2 + 2 * pole]), state[3 + 2 * pole]
        drag = HINGE * turning / (MASSES[pole] * LENGTHS[pole]) - GRAVITY * sine
        push += MASSES[pole] * (LENGTHS[pole] * turning**2 * sine + 0.75 * cosine * drag)
        mass += MASSES[pole] * (1.0 - 0.75 * cosine**2)
    slopes[0] = state[1]
    slopes[1] = push / mass
    for pole in range(2):
        sine, cosine, turning = math.sin(state[2 + 2 * pole]), math.cos(state[2 + 2 * pole]), state[3 + 2 * pole]
        drag = HINGE * turning / (MASSES[pole] * LENGTHS[pole]) - GRAVITY * sine
        slopes[2 + 2 * pole] = turning
        slopes[3 + 2 * pole] = -0.75 * (slopes[1] * cosine + drag) / LENGTHS[pole]


@compiled
def advance(state, force, slopes):
    """Advance a state by one Runge-Kutta step of fourth order; `slopes` is a buffer for five states."""
    between = slopes[4]
    _derive(state, force, slopes[0])
    for stage in range(1, 4):
        share = DURATION if stage == 3 else DURATION / 2
        for number in range(6):
            between[number] = state[number] + share * slopes[stage - 1, number]
        _derive(between, force, slopes[stage])
    for number in range(6):
        middle = slopes[1, number] + slopes[2, number]
        state[number] += DURATION / 6 * (slopes[0, number] + 2.0 * middle + slopes[3, number])


@compiled
def balance(weights, inputs, start, most, motion):
    """Return the number of time steps, up to `most`, for which the poles stay up and the cart stays on the track.

    In each time step, the ring buffer `motion` receives the sum of the absolute values of four state variables. The
    four state variables are the position and velocity of the cart, and the angle and angular velocity of the long pole.
    """
    nodes = weights.shape[0] * NODES_PER_BLOCK
    activations, sums = np.zeros(inputs + nodes), np.zeros(nodes)
    state, slopes = start.copy(), np.empty((5, 6))
    activations[0] = BIAS
    skip = 1 if inputs == SEEING_ALL else 2
    for decision in range(most):
        for number in range(0, 6, skip):
            activations[1 + number // skip] = state[number] / SEEN[number]
        propagate(weights, activations, sums, inputs, None)
        force = 2.0 * STRONGEST * (activations[inputs] - 0.5)
        for _ in range(2):
            advance(state, force, slopes)
        if not (abs(state[0]) < TRACK and abs(state[2]) < FALLEN and abs(state[4]) < FALLEN):
            return decision
        motion[decision % len(motion)] = abs(state[0]) + abs(state[1]) + abs(state[2]) + abs(state[3])
    return most


def decisions(genome, most, start=TILTED, motion=1):
    """Return the number of time steps for which a genome balances the poles, and the motion in the last time steps."""
    moved = np.zeros(motion)
    return balance(neat.express(genome).weights, genome.inputs, np.array(start), most, moved), moved


def calmness(genome):
    """Return Gruau's fitness, which rewards balancing time and, with a larger weight, little motion."""
    up, motion = decisions(genome, OFTEN, motion=DAMPED)
    return 0.1 * up / OFTEN + (0.9 * 0.75 / motion.sum() if up >= DAMPED else 0.0)


def many_starts():
    """Return 625 initial states: all combinations of five values of each state variable of cart and long pole."""
    shares = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
    ranges = 2.16, 1.35, math.radians(3.6), math.radians(8.6)
    grid = np.meshgrid(*((2.0 * shares - 1.0) * most for most in ranges), indexing="ij")
    return np.column_stack([*(values.ravel() for values in grid), np.zeros((625, 2))])


def starts_mastered(genome):
    """Return the number of the 625 initial states from which the poles stay up for 1,000 time steps."""
    weights, motion = neat.express(genome).weights, np.zeros(1)
    return sum(balance(weights, genome.inputs, start, OFTEN, motion) == OFTEN for start in many_starts())
