"""Compiled mass-spring simulation of two-dimensional voxel bodies.

A voxel has a point mass at each corner and springs along its four edges and two diagonals. Neighbouring voxels share
corners and edges, where masses and stiffnesses add up. A sine wave changes the rest lengths of the springs
of active voxels, in phase or in antiphase. The ground is the line y = 0, and the y axis points up. Time integration
uses the semi-implicit Euler method.
"""

from typing import NamedTuple

import numpy as np

from divergent._compile import njit

EMPTY, SOFT, STIFF, ACTIVE, ANTIPHASE = range(5)
MATERIALS = ("empty", "soft", "stiff", "active", "antiphase")

SIDE = 0.1  # side length of a voxel at rest, in metres
VOXEL_MASS = 0.1  # mass of a voxel in kg, a quarter at each corner
STIFFNESS = np.array([0.0, 200.0, 800.0, 400.0, 400.0])  # stiffness of each spring of a voxel in N/m, by material
DAMPING_RATIO = 0.004  # damping of a spring divided by its stiffness, in seconds
AMPLITUDE = 0.25  # largest relative change of the rest lengths of an active voxel's springs
FREQUENCY = 2.0  # frequency of the actuation in Hz
GRAVITY = 9.81  # m/s2
GROUND_STIFFNESS = 2000.0  # contact stiffness normal to the ground in N/m
ANCHOR_STIFFNESS = 1000.0  # contact stiffness along the ground, until the corner slips, in N/m
GROUND_DAMPING = 5.0  # contact damping, normal to the ground and along the ground, in N s/m
FRICTION = 0.8  # coefficient of Coulomb friction
TIME_STEP = 0.001  # s
SETTLING = 0.5  # duration of the settling phase, which has no actuation, in seconds
SHORTEST = 1e-9  # length in metres below which a spring has no direction and exerts no force
FASTEST = 50.0  # speed in m/s above which a simulation counts as unstable and ends


class Body(NamedTuple):
    """A voxel body as arrays: point masses at rest on the ground, and the springs between the masses."""

    positions: np.ndarray
    """Positions of the corners in metres, shape (n, 2)."""
    masses: np.ndarray
    """Point masses of the corners in kilograms, shape (n,)."""
    ends: np.ndarray
    """Indices of the two corners of each spring, shape (s, 2)."""
    lengths: np.ndarray
    """Rest lengths of the springs in metres, shape (s,)."""
    stiffness: np.ndarray
    """Stiffnesses of the springs in N/m, shape (s,)."""
    amplitudes: np.ndarray
    """Relative change of each rest length at the crest of the actuation, shape (s,); negative in antiphase."""


def voxel_corners(voxels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Assign a number to each corner of the non-empty voxels; a corner of several voxels has one number.

    Parameters
    ----------
    voxels : ndarray of int, shape (rows, columns)
        Material index of each voxel, checked by the caller; the last row is the lowest.

    Returns
    -------
    tuple of ndarray
        Material of each non-empty voxel, shape (v,); numbers of the four corners of each voxel, shape (v, 4); grid
        coordinates of each corner, shape (n, 2). The four corners of a voxel are ordered bottom left, bottom right, top
        left, top right.
    """
    rows, columns = np.nonzero(voxels)
    if len(rows) == 0:
        return np.empty(0, np.int64), np.empty((0, 4), np.int64), np.empty((0, 2), np.int64)
    heights, lefts = rows.max() - rows, columns - columns.min()
    width = int(lefts.max()) + 2
    corners = (heights[:, None] + [0, 0, 1, 1]) * width + lefts[:, None] + [0, 1, 0, 1]
    used, numbers = np.unique(corners, return_inverse=True)
    return voxels[rows, columns], numbers.reshape(corners.shape), np.column_stack([used % width, used // width])


def build_body(voxels: np.ndarray) -> Body:
    """Build the point masses and springs of a lattice of voxels.

    Parameters
    ----------
    voxels : ndarray of int, shape (rows, columns)
        Material index of each voxel, checked by the caller; the last row is the lowest.

    Returns
    -------
    Body
        The body, with its lowest voxel on the ground and its leftmost voxel at x = 0.
    """
    materials, corners, places = voxel_corners(voxels)
    if len(materials) == 0:
        return Body(np.empty((0, 2)), np.empty(0), np.empty((0, 2), np.int64), np.empty(0), np.empty(0), np.empty(0))
    positions = places * SIDE
    masses = np.bincount(corners.ravel(), minlength=len(places)) * (VOXEL_MASS / 4)
    pairs = np.array([(0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)])
    springs = corners[:, pairs].reshape(-1, 2)
    each = np.repeat(materials, len(pairs))
    stiffness = STIFFNESS[each]
    amplitude = np.where(each == ACTIVE, AMPLITUDE, np.where(each == ANTIPHASE, -AMPLITUDE, 0.0))
    ends, which = np.unique(springs, axis=0, return_inverse=True)
    which = which.ravel()
    total = np.bincount(which, stiffness, len(ends))
    # Parallel springs are merged; the rest length is the mean of their rest lengths, weighted by stiffness.
    amplitudes = np.bincount(which, stiffness * amplitude, len(ends)) / total
    lengths = np.linalg.norm(positions[ends[:, 0]] - positions[ends[:, 1]], axis=1)
    return Body(positions, masses, ends, lengths, total, amplitudes)


def largest_stable_step(body: Body) -> float:
    """Return a time step in seconds below which the semi-implicit Euler method is guaranteed to be stable.

    Let w be the largest angular frequency of the undamped body, and b = DAMPING_RATIO * w. Since damping is
    proportional to stiffness, the method is stable for time steps below (sqrt(b**2 + 4) - b) / w. Gershgorin's theorem
    gives an upper bound of w.
    """
    if len(body.masses) == 0:
        return np.inf
    springs = np.bincount(body.ends.ravel(), np.repeat(body.stiffness, 2), len(body.masses))
    at_corner = springs + (GROUND_STIFFNESS + ANCHOR_STIFFNESS) / 2
    frequency = float(np.sqrt((2 * at_corner / body.masses).max()))
    damped = DAMPING_RATIO * frequency
    return (np.sqrt(damped**2 + 4) - damped) / frequency


@njit(cache=True)
def add_spring_forces(
    x: np.ndarray, y: np.ndarray, vx: np.ndarray, vy: np.ndarray, ends: np.ndarray, lengths: np.ndarray,
    stiffness: np.ndarray, amplitudes: np.ndarray, wave: float, fx: np.ndarray, fy: np.ndarray,
) -> None:  # fmt: skip
    """Add the forces of all springs to (fx, fy); `wave` is the actuation, from -1 to 1."""
    for s in range(ends.shape[0]):
        a, b = ends[s, 0], ends[s, 1]
        across, up = x[b] - x[a], y[b] - y[a]
        length = np.sqrt(across * across + up * up)
        if length < SHORTEST:
            continue
        inverse = 1.0 / length
        across *= inverse
        up *= inverse
        stretch = length - lengths[s] * (1.0 + amplitudes[s] * wave)
        speed = (vx[b] - vx[a]) * across + (vy[b] - vy[a]) * up
        pull = stiffness[s] * (stretch + DAMPING_RATIO * speed)
        fx[a] += pull * across
        fy[a] += pull * up
        fx[b] -= pull * across
        fy[b] -= pull * up


@njit(cache=True)
def add_ground_forces(
    x: np.ndarray, y: np.ndarray, vx: np.ndarray, vy: np.ndarray, anchors: np.ndarray, fx: np.ndarray, fy: np.ndarray
) -> None:
    """Add the normal and friction forces of the ground to the forces (fx, fy) on the corners of voxels.

    Friction is modelled by a horizontal spring between each corner that touches the ground and an anchor point. At the
    friction limit, the corner slips and its anchor point follows. The array `anchors` contains NaN for corners above
    the ground, which have no anchor point.
    """
    for i in range(x.shape[0]):
        depth = -y[i]
        if depth <= 0.0:
            anchors[i] = np.nan
            continue
        # the normal force is at least 0, because the ground does not pull the body down
        normal = max(0.0, GROUND_STIFFNESS * depth - GROUND_DAMPING * vy[i])
        fy[i] += normal
        if np.isnan(anchors[i]):
            anchors[i] = x[i]
        held = -ANCHOR_STIFFNESS * (x[i] - anchors[i]) - GROUND_DAMPING * vx[i]
        limit = FRICTION * normal
        if abs(held) > limit:
            held = limit if held > 0.0 else -limit
            anchors[i] = x[i] + held / ANCHOR_STIFFNESS
        fx[i] += held


@njit(cache=True)
def simulate(
    body: Body, steps: int, time_step: float, settling: float, gravity: float, ground: bool, frames: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int]:
    """Simulate a body from rest and sample the positions of its corners.

    Parameters
    ----------
    body : Body
        The body; its arrays are not changed.
    steps : int
        Number of time steps.
    time_step : float
        Duration of a time step in seconds.
    settling : float
        Duration in seconds before the actuation begins.
    gravity : float
        Gravitational acceleration in m/s2.
    ground : bool
        Whether the ground exerts contact forces.
    frames : ndarray, shape (m, n, 2)
        Output array; frame j is filled with the positions of the corners after `(j + 1) * steps // m` steps.

    Returns
    -------
    tuple of (ndarray, ndarray, int)
        Final positions and velocities, shape (n, 2), and the number of completed steps, which is below `steps` if the
        simulation became unstable.
    """
    x, y = body.positions[:, 0].copy(), body.positions[:, 1].copy()
    vx, vy = np.zeros_like(x), np.zeros_like(x)
    fx, fy = np.zeros_like(x), np.zeros_like(x)
    anchors = np.full(x.shape[0], np.nan)
    frame, done, begin = 0, steps, settling / time_step
    for step in range(steps):
        wave = np.sin(2.0 * np.pi * FREQUENCY * (step - begin) * time_step) if step > begin else 0.0
        for i in range(x.shape[0]):
            fx[i] = 0.0
            fy[i] = -gravity * body.masses[i]
        add_spring_forces(x, y, vx, vy, body.ends, body.lengths, body.stiffness, body.amplitudes, wave, fx, fy)
        if ground:
            add_ground_forces(x, y, vx, vy, anchors, fx, fy)
        fastest = 0.0
        for i in range(x.shape[0]):
            gain = time_step / body.masses[i]
            vx[i] += gain * fx[i]
            vy[i] += gain * fy[i]
            x[i] += time_step * vx[i]
            y[i] += time_step * vy[i]
            fastest = max(fastest, abs(vx[i]), abs(vy[i]))
        if not fastest < FASTEST:
            done = step
            break
        while frame < frames.shape[0] and step + 1 >= (frame + 1) * steps // frames.shape[0]:
            frames[frame, :, 0] = x
            frames[frame, :, 1] = y
            frame += 1
    return np.column_stack((x, y)), np.column_stack((vx, vy)), done
