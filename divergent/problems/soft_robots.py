"""Soft robots: two-dimensional voxel bodies, encoded by CPPNs, that evolve to move far on flat ground.

`soft_robots` returns the `divergent.Problem`. `SoftRobotTask` evaluates genomes, and `walk` simulates a body. `decode`
and `largest_component` convert the outputs of a network to a body. `divergent.problems.robot_figures` draws bodies.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from deap import base

from divergent import neat
from divergent.individual import Outcome
from divergent.problem import Problem
from divergent.problems._soft_body import (
    ACTIVE,
    ANTIPHASE,
    GRAVITY,
    MATERIALS,
    SETTLING,
    SIDE,
    TIME_STEP,
    build_body,
    simulate,
)
from divergent.validation import brief, check_at_least, is_finite

VERSION = 1
"""Version of the task: physics, decoding and fitness. Results of different versions must not be compared."""

BEHAVIOURS = ("trace", "morphology")
INTERVAL = 0.25  # seconds between two samples of the trace
SECONDS = 5.0  # default duration of a simulation in seconds, including the settling phase
LARGEST_LATTICE = 50  # largest number of voxels along a side of the lattice
LONGEST = 60.0  # longest duration of a simulation in seconds
INPUTS = ("x", "y", "distance from the centre")
OUTPUTS = ("present", *MATERIALS[1:])
ACTIVATIONS = ("sine", "gaussian", "sigmoid", "tanh", "absolute", "identity")
CACHED = 4096  # number of cached motions; a cache saves time because many genomes encode the same body

OPERATORS: dict[str, Any] = {
    "hidden": 0,
    "bias_node": True,
    "output_activation": "tanh",
    "activations": ACTIVATIONS,
    "feed_forward": True,
    "node_rate": 0.1,
    "connection_rate": 0.15,
    "weight_rate": 0.8,
    "out_weight": 1.0,
    "limit": 5.0,
}
"""Options of `neat.register` for the genomes of robots."""


class Motion(NamedTuple):
    """The motion of a soft robot's body.

    Parameters
    ----------
    distance : float
        Horizontal distance that the centre of mass moves after the settling phase, in body lengths.
    trace : numpy.ndarray
        Positions of the centre of mass relative to its position after the settling phase, in body lengths, shape
        (samples, 2).
    """

    distance: float
    trace: np.ndarray


def lattice_points(size: int) -> np.ndarray:
    """Return the CPPN inputs for each voxel of a square lattice, row by row from the top.

    Parameters
    ----------
    size : int
        Number of voxels along each side of the lattice.

    Returns
    -------
    numpy.ndarray
        Array of shape (size * size, 3): x and y from -1 to 1, and the distance from the centre of the lattice.

    Examples
    --------
    >>> lattice_points(3)[:2].round(3).tolist()
    [[-1.0, 1.0, 1.414], [0.0, 1.0, 1.0]]
    """
    check_at_least(1, size=size)
    axis = np.linspace(-1.0, 1.0, size) if size > 1 else np.zeros(1)
    y, x = np.meshgrid(axis[::-1], axis, indexing="ij")
    return np.column_stack([x.ravel(), y.ravel(), np.hypot(x, y).ravel()])


def decode(outputs: np.ndarray, size: int) -> np.ndarray:
    """Convert CPPN outputs to the voxels of a lattice; the voxels may form several connected components.

    Parameters
    ----------
    outputs : numpy.ndarray
        Array of shape (size * size, 5): one presence output, then one output for each material. A voxel is empty
        unless its presence output is above 0. The largest material output determines the material of a voxel.
    size : int
        Number of voxels along each side of the lattice.

    Returns
    -------
    numpy.ndarray
        Material of each voxel as an index of `MATERIALS`, shape (size, size); the last row is the lowest.
    """
    material = 1 + outputs[:, 1:].argmax(axis=1)
    return np.where(outputs[:, 0] > 0.0, material, 0).reshape(size, size)


def largest_component(voxels: np.ndarray) -> np.ndarray:
    """Keep the largest component of voxels that are connected by edges; all other voxels become empty.

    Parameters
    ----------
    voxels : numpy.ndarray
        Material index of each voxel, shape (rows, columns).

    Returns
    -------
    numpy.ndarray
        A copy of the voxels with one component. If several components have the largest size, the first from the top is
        kept.

    Examples
    --------
    >>> largest_component(np.array([[1, 0, 2], [1, 0, 0], [0, 3, 0]])).tolist()
    [[1, 0, 0], [1, 0, 0], [0, 0, 0]]
    """
    from scipy.ndimage import label

    labels, count = label(voxels != 0)
    if count < 2:
        return voxels.copy()
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    return np.where(labels == sizes.argmax(), voxels, 0)


def check_voxels(voxels: Any) -> np.ndarray:
    """Validate voxels and convert them to an array of integers.

    Parameters
    ----------
    voxels : array_like
        Material index of each voxel, shape (rows, columns).

    Returns
    -------
    numpy.ndarray
        Material index of each voxel.

    Raises
    ------
    ValueError
        If the lattice is not two-dimensional, has more than 50 voxels along a side, or contains an unknown material.
    """
    try:
        array = np.asarray(voxels)
    except ValueError:
        array = np.empty(0)
    if array.ndim != 2 or array.dtype.kind not in "iu" or max(array.shape) > LARGEST_LATTICE or 0 in array.shape:
        raise ValueError(
            f"voxels must be rows of integers, at most {LARGEST_LATTICE} rows and columns, got {brief(voxels)}"
        )
    if array.min() < 0 or array.max() >= len(MATERIALS):
        raise ValueError(
            f"voxels must be material indices from 0 to {len(MATERIALS) - 1}, "
            f"got values from {array.min()} to {array.max()}"
        )
    return array.astype(np.int64)


def walk(voxels: Any, *, seconds: float = SECONDS) -> Motion:
    """Simulate a body and return its motion.

    Distance and trace are 0 if the body is empty or has no active voxel, or if its simulation becomes unstable. A body
    may have several components; call `largest_component` first to keep only the largest component.

    Parameters
    ----------
    voxels : array_like
        Material index of each voxel, shape (rows, columns); the last row is the lowest.
    seconds : float, default=5.0
        Duration of the simulation, a multiple of 0.25 s from 1 s to 60 s. The duration includes a settling phase of
        0.5 s without actuation.

    Returns
    -------
    Motion
        Distance and trace in body lengths; a body length is the longer side of the lattice.

    Raises
    ------
    ValueError
        If `voxels` or `seconds` is invalid.

    Examples
    --------
    >>> motion = walk([[1, 2, 1], [3, 0, 4]])
    >>> motion.trace.shape, motion.distance > 1
    ((18, 2), True)
    """
    voxels = check_voxels(voxels)
    samples = seconds / INTERVAL if is_finite(seconds) else 0.5
    if samples != int(samples) or not 1.0 <= seconds <= LONGEST:
        raise ValueError(f"seconds must be a multiple of {INTERVAL} from 1 to {LONGEST:g}, got {brief(seconds)}")
    return _walk(voxels.tobytes(), voxels.shape, int(samples))


@lru_cache(maxsize=CACHED)
def _walk(data: bytes, shape: tuple[int, int], samples: int) -> Motion:
    """Simulate a body and cache its motion; see `walk`."""
    voxels = np.frombuffer(data, np.int64).reshape(shape)
    settled = round(SETTLING / INTERVAL)  # number of trace samples before the actuation begins
    trace = np.zeros((samples - settled, 2))
    trace.flags.writeable = False
    still = Motion(0.0, trace)
    if not ((voxels == ACTIVE) | (voxels == ANTIPHASE)).any():
        return still
    frames, complete = simulate_frames(voxels, samples, samples * INTERVAL)
    if not complete:
        return still
    masses = build_body(voxels).masses
    centres = np.einsum("i,tij->tj", masses, frames) / masses.sum()
    trace = (centres[settled:] - centres[settled - 1]) / (max(shape) * SIDE)
    trace.flags.writeable = False
    return Motion(abs(float(trace[-1, 0])), trace)


def simulate_frames(voxels: np.ndarray, count: int, seconds: float) -> tuple[np.ndarray, bool]:
    """Simulate a body and sample the positions of its voxel corners.

    Parameters
    ----------
    voxels : numpy.ndarray
        Material index of each voxel.
    count : int
        Number of samples at equal intervals; the last sample is at the end of the simulation.
    seconds : float
        Duration of the simulation in seconds, including the settling phase.

    Returns
    -------
    tuple of (numpy.ndarray, bool)
        Positions of the corners in metres, shape (count, corners, 2), and whether the simulation stayed stable.
    """
    body, steps = build_body(voxels), round(seconds / TIME_STEP)
    frames = np.zeros((count, len(body.masses), 2))
    done = simulate(body, steps, TIME_STEP, SETTLING, GRAVITY, True, frames)[2]
    return frames, bool(done == steps and np.isfinite(frames).all())


def morphology(voxels: np.ndarray) -> tuple[float, float]:
    """Compute the behaviour "morphology" of a body.

    Parameters
    ----------
    voxels : numpy.ndarray
        Material index of each voxel.

    Returns
    -------
    tuple of float
        The fraction of lattice voxels that are not empty, and the fraction of body voxels that are active.

    Examples
    --------
    >>> morphology(np.array([[0, 3], [1, 4]]))
    (0.75, 0.6666666666666666)
    """
    filled = int(np.count_nonzero(voxels))
    active = int(np.count_nonzero(voxels == ACTIVE) + np.count_nonzero(voxels == ANTIPHASE))
    return filled / voxels.size, active / filled if filled else 0.0


class SoftRobotTask:
    """Evaluation of genomes as soft robots; the fitness is the distance moved in body lengths.

    The CPPN of a genome is evaluated at the coordinates of each voxel. The largest connected component of the voxels is
    the body. The fitness is 0 if the body is empty or has no active voxel, or if its simulation becomes unstable.

    Parameters
    ----------
    size : int, default=5
        Number of voxels along each side of the lattice; the side is one body length.
    behaviour : {"trace", "morphology"}, default="trace"
        Behaviour (behaviour descriptor): "trace" is the centre of mass (x, y) every 0.25 s after the settling phase,
        in body lengths; "morphology" is the filled fraction of the lattice and the active fraction of the body.
    seconds : float, default=5.0
        Duration of a simulation, see `walk`.

    Raises
    ------
    ValueError
        If `size`, `behaviour` or `seconds` is invalid.

    References
    ----------
    N. Cheney, R. MacCurdy, J. Clune and H. Lipson, "Unshackling evolution: evolving soft robots with multiple materials
    and a powerful generative encoding", GECCO 2013.

    Examples
    --------
    >>> task = SoftRobotTask(size=5)
    >>> toolbox = base.Toolbox()
    >>> innovations = neat.register(toolbox, len(INPUTS), len(OUTPUTS), rng=np.random.default_rng(1), **OPERATORS)
    >>> genome = toolbox.individual()
    >>> task.body(genome).shape, len(task(genome).behaviour)
    ((5, 5), 36)
    """

    def __init__(self, size: int = 5, *, behaviour: str = "trace", seconds: float = SECONDS):
        check_at_least(2, size=size)
        if size > LARGEST_LATTICE:
            raise ValueError(f"size must be at most {LARGEST_LATTICE}, got {size}")
        if behaviour not in BEHAVIOURS:
            raise ValueError(
                f"behaviour must be the name of a behaviour descriptor, one of {', '.join(BEHAVIOURS)}, "
                f"got {brief(behaviour)}"
            )
        walk(np.zeros((size, size), np.int64), seconds=seconds)  # checks the duration
        self.size, self.behaviour, self.seconds = int(size), behaviour, float(seconds)
        self._points = lattice_points(self.size)

    def body(self, genome: Any) -> np.ndarray:
        """Decode a genome to the voxels of its body.

        Parameters
        ----------
        genome : Genome
            A feed-forward genome with three inputs, a bias and five outputs.

        Returns
        -------
        numpy.ndarray
            Material index of each voxel, shape (size, size).
        """
        outputs = neat.express(genome).many(self._points)
        return largest_component(decode(outputs, self.size))

    def __call__(self, genome: Any) -> Outcome:
        """Evaluate a genome and return its fitness and behaviour."""
        voxels = self.body(genome)
        motion = walk(voxels, seconds=self.seconds)
        behaviour = motion.trace.ravel() if self.behaviour == "trace" else morphology(voxels)
        return Outcome((motion.distance,), behaviour=behaviour)

    def __repr__(self) -> str:
        return f"SoftRobotTask(size={self.size}, behaviour={self.behaviour!r}, seconds={self.seconds:g})"


def make_toolbox(rng: np.random.Generator, *, task: SoftRobotTask) -> base.Toolbox:
    """Create a DEAP toolbox with the operators of CPPN-NEAT and a soft robot task.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of random numbers.
    task : SoftRobotTask
        The evaluation.

    Returns
    -------
    deap.base.Toolbox
        The toolbox with `population`, `evaluate`, `mate`, `mutate` and `breed`.
    """
    toolbox = base.Toolbox()
    neat.register(toolbox, len(INPUTS), len(OUTPUTS), rng=rng, **OPERATORS)
    toolbox.register("evaluate", task)
    return toolbox


def make_species(rng: np.random.Generator) -> neat.Species:
    """Create the object that divides a population of 50 genomes into species.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    Species
        Speciation with a target of 8 species.
    """
    return neat.Species(target=8, rng=rng)


def soft_robots(size: int = 5, *, behaviour: str = "trace", seconds: float = SECONDS) -> Problem:
    """Create the problem of evolving soft robots on a square lattice.

    Parameters
    ----------
    size : int, default=5
        Number of voxels along each side of the lattice.
    behaviour : {"trace", "morphology"}, default="trace"
        Behaviour (behaviour descriptor): the positions of the centre of mass over time, or features of the body.
    seconds : float, default=5.0
        Duration of one simulation, including a settling phase of 0.5 s, see `walk`.

    Returns
    -------
    Problem
        The problem, with defaults of 50 individuals, 100 generations and the steady-state loop with speciation.

    See Also
    --------
    SoftRobotTask : The evaluation.

    Examples
    --------
    >>> problem = soft_robots(5, behaviour="morphology")
    >>> problem.name, problem.axes
    ('soft_robots_5', ('filled', 'active'))
    """
    task = SoftRobotTask(size, behaviour=behaviour, seconds=seconds)
    axes: Sequence[str] = ("filled", "active")
    limits: Sequence[tuple[float, float]] = ((0.0, 1.0), (0.0, 1.0))
    if behaviour == "trace":
        times = INTERVAL * np.arange(1, len(walk(np.zeros((size, size), np.int64), seconds=seconds).trace) + 1)
        axes, limits = [f"{axis} after {time:g} s" for time in times for axis in "xy"], ()
    return Problem(
        f"soft_robots_{size}",
        partial(make_toolbox, task=task),
        defaults={"population": 50, "generations": 100, "loop": "steady"},
        axes=axes,
        limits=limits,
        render=partial(_render, task=task),
        species=make_species,
        title=f"Soft robots, {size} x {size} voxels",
    )


def _render(genome: Any, *, task: SoftRobotTask) -> Any:
    """Draw the body of a genome at several time steps and return the figure."""
    from divergent.problems.robot_figures import draw_walk

    return draw_walk(task.body(genome), seconds=task.seconds).figure
