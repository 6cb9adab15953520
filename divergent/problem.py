"""The class `Problem`, which defines a problem for runs, records, figures and reports."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from re import fullmatch
from typing import Any

import numpy as np
from deap import base

from divergent.validation import brief, check_at_least, check_number, check_rate

LOOPS = ("steady", "generational", "plus", "comma")
PROBLEM_LOOPS = (*LOOPS, "fi2pop", "custom")
"""Loops that a problem can use; runs in a maze support only the first four."""
DEFAULTS = ("population", "generations", "loop", "learn_from", "refresh", "batch", "cxpb", "mutpb")
"""Settings of a run for which a problem may define defaults."""
SMALLEST = {"population": 2, "generations": 1, "refresh": 1, "batch": 1}
NAME = r"\w[\w .,+-]*"  # pattern of names that are valid folder names on every operating system
LONGEST_NAME = 80
OPTIONAL_CALLABLES = ("solved", "draw", "render", "species", "save", "load", "survive")


@dataclass(frozen=True, eq=False)
class Problem:
    """Optimisation or exploration problem with its toolbox, on which any search can be run.

    Parameters
    ----------
    name : str
        Name of the problem: letters, digits, spaces and `_.,+-`. Records are written to a folder of this name.
    toolbox : callable
        `toolbox(rng)` returns a `deap.base.Toolbox` with `population(n=...)`, `evaluate`, and either `mate` and
        `mutate` or `breed` (see `divergent.neat.register`). `evaluate` returns an `Outcome`. If `select` is registered,
        it selects parents by score in the generational, plus, comma and fi2pop loops. Draw random numbers from `rng` or
        from the module `random`. A run seeds the module `random` and restores its state after every step.
    solved : callable or None, default=None
        `solved(values)` returns whether the fitness values of an individual solve the problem; the run ends when a
        solution is found. If None, no run ends early.
    defaults : mapping, default={}
        Default values of the settings of a run, by the name of the setting. The settings are `population`,
        `generations`, `loop`, `learn_from`, `refresh`, `batch`, `cxpb` and `mutpb`. The loop is "steady",
        "generational", "plus", "comma", "fi2pop" (`FeasibleInfeasible`, for problems with constraints) or "custom"
        (defined by the argument `survive`).
    searches : mapping, default={}
        Searches of this problem by name, in addition to `divergent.selection.SEARCHES`. Each search is a strategy
        class, or a `functools.partial` of a strategy class with options. A batch of runs uses the searches
        in `searches` by default, unless `searches` is empty.
    axes : sequence of str, default=()
        Names of the dimensions of the behaviour (behaviour descriptor).
    limits : sequence of tuple, default=()
        Lower and upper limit of each dimension of the behaviour.
    draw : callable or None, default=None
        `draw(axes)` draws the background of a behaviour map on matplotlib axes.
    render : callable or None, default=None
        `render(individual)` returns an image array or a matplotlib figure of one individual.
    species : callable or None, default=None
        `species(rng)` returns the species of the steady loop, such as a `divergent.neat.Species`. None disables
        speciation.
    save : callable or None, default=None
        `save(individual)` returns JSON-serialisable data without the fitness. None uses the built-in conversion of
        lists, arrays, sets, trees of genetic programming and NEAT genomes.
    load : callable or None, default=None
        `load(data)` restores the individual from the data that `save` returned.
    title : str, default=""
        Title in figures and reports. An empty title is replaced by the problem's name.
    survive : callable or None, default=None
        `survive(strategy, rng)` returns the survivor selection of the "custom" loop. If `survive` is given, "custom" is
        the default loop. The survivor selection is called with the evaluated population and the toolbox and returns the
        next generation, as in `evolve`. Checkpoints include the survivor selection if it has the methods `state` and
        `restore`. An example of a survivor selection is ``neat.Reproduction(strategy=strategy, rng=rng)``.

    Raises
    ------
    TypeError
        If an argument that must be callable is not callable.
    ValueError
        If another argument is invalid.

    See Also
    --------
    divergent.run : Run one search on a problem.
    divergent.run_many : Run several searches with many seeds.

    Examples
    --------
    Minimise the distance between a point and the line x = 8:

    >>> import random
    >>> from deap import base, creator, tools
    >>> import divergent
    >>> creator.create("Shorter", divergent.Fitness, weights=(-1.0,))
    >>> creator.create("Place", list, fitness=creator.Shorter)
    >>> def make_toolbox(rng):
    ...     toolbox = base.Toolbox()
    ...     toolbox.register("individual", lambda: creator.Place(rng.normal(size=2).tolist()))
    ...     toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    ...     toolbox.register("evaluate", lambda place: divergent.Outcome((abs(place[0] - 8),), behaviour=place))
    ...     toolbox.register("mate", tools.cxUniform, indpb=0.5)
    ...     toolbox.register("mutate", tools.mutGaussian, mu=0.0, sigma=1.0, indpb=1.0)
    ...     return toolbox
    >>> problem = Problem(
    ...     "places", make_toolbox, solved=lambda values: values[0] < 0.1,
    ...     defaults=dict(population=20, generations=50), axes=("x", "y"), limits=((-10, 10), (-10, 10)),
    ... )
    >>> problem.bounds
    ((-10.0, -10.0), (10.0, 10.0))
    """

    name: str
    toolbox: Callable[[np.random.Generator], base.Toolbox]
    solved: Callable[[Sequence[float]], bool] | None = None
    defaults: Mapping[str, Any] = field(default_factory=dict)
    searches: Mapping[str, Any] = field(default_factory=dict)
    axes: Sequence[str] = ()
    limits: Sequence[tuple[float, float]] = ()
    draw: Callable[[Any], Any] | None = None
    render: Callable[[Any], Any] | None = None
    species: Callable[[np.random.Generator], Any] | None = None
    save: Callable[[Any], Any] | None = None
    load: Callable[[Any], Any] | None = None
    title: str = ""
    survive: Callable[[Any, np.random.Generator], Any] | None = None

    def __post_init__(self) -> None:
        check_name("name", self.name)
        if not callable(self.toolbox):
            raise TypeError(f"toolbox must be a callable that returns a toolbox, got {brief(self.toolbox)}")
        for name in OPTIONAL_CALLABLES:
            if getattr(self, name) is not None and not callable(getattr(self, name)):
                raise TypeError(f"{name} must be callable or None, got {brief(getattr(self, name))}")
        if (self.save is None) != (self.load is None):
            raise ValueError(f"save and load must be passed together, got {brief(self.save)} and {brief(self.load)}")
        if not isinstance(self.title, str):
            raise ValueError(f"title must be a string, got {brief(self.title)}")
        if not isinstance(self.searches, Mapping):
            raise ValueError(f"searches must be a mapping from names to strategy classes, got {brief(self.searches)}")
        for name, strategy in self.searches.items():
            check_name("name in searches", name)
            if not callable(strategy):
                raise TypeError(f"values of searches must be strategy classes, got {brief(strategy)} for {name!r}")
        _check_defaults(self.defaults)
        if self.defaults.get("loop") == "custom" and self.survive is None:
            raise ValueError('survive must be a callable if the loop is "custom", got None')
        limits = _check_limits(self.axes, self.limits)
        # object.__setattr__ stores normalised values, because the dataclass is frozen
        for name, value in (("title", self.title or self.name), ("axes", tuple(self.axes)), ("limits", limits)):
            object.__setattr__(self, name, value)

    @property
    def bounds(self) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        """Lower limits and upper limits of all behaviour dimensions, as two tuples; None if no limits are given."""
        if not self.limits:
            return None
        return tuple(low for low, _ in self.limits), tuple(high for _, high in self.limits)


def check_name(argument: str, name: Any) -> None:
    """Raise a ValueError unless a name is a valid folder name on every operating system."""
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not fullmatch(NAME, name) or name[-1] in " .":
        raise ValueError(
            f"{argument} must have at most {LONGEST_NAME} characters (letters, digits, spaces or _.,+-), begin with a "
            f"letter, digit or _, and not end with a space or dot, got {brief(name)}"
        )


def _check_defaults(defaults: Any) -> None:
    """Raise an error unless the defaults are valid settings of a run."""
    if not isinstance(defaults, Mapping):
        raise ValueError(f"defaults must be a mapping from settings to values, got {brief(defaults)}")
    for name, value in defaults.items():
        if name not in DEFAULTS:
            raise ValueError(
                f"names in defaults must be settings of a run, among {', '.join(DEFAULTS)}, got {brief(name)}; "
                "to set options of a search, pass a functools.partial of its strategy class in the argument searches"
            )
        if name in SMALLEST:
            check_at_least(SMALLEST[name], **{name: value})
        if name in ("cxpb", "mutpb"):
            check_rate(**{name: value})
    if (loop := defaults.get("loop", LOOPS[0])) not in PROBLEM_LOOPS:
        raise ValueError(f"loop must be the name of a loop, one of {', '.join(PROBLEM_LOOPS)}, got {brief(loop)}")


def _check_limits(axes: Any, limits: Any) -> tuple[tuple[float, float], ...]:
    """Return the limits of the behaviour as pairs of floats; raise an error unless each axis has one valid pair."""
    if isinstance(axes, str) or not isinstance(axes, Sequence) or not all(isinstance(axis, str) for axis in axes):
        raise ValueError(f"axes must be a sequence of names of the behaviour's dimensions, got {brief(axes)}")
    rule = "limits must be one pair (lower, upper) for each behaviour dimension"
    if (
        not isinstance(limits, Sequence | np.ndarray)
        or isinstance(limits, str | bytes)
        or getattr(limits, "ndim", 1) == 0
    ):
        raise ValueError(f"{rule}, got {brief(limits)}")
    pairs = []
    for position, pair in enumerate(limits):
        if not isinstance(pair, Sequence | np.ndarray) or len(pair) != 2:
            raise ValueError(f"{rule}, got {brief(pair)}")
        low, high = pair
        check_number(**{f"lower limit {position}": low, f"upper limit {position}": high})
        if not low < high:
            raise ValueError(f"lower limit {position} must be below the upper limit {high:g}, got {low:g}")
        pairs.append((float(low), float(high)))
    if axes and pairs and len(axes) != len(pairs):
        raise ValueError(f"limits must have one pair for each of the {len(axes)} axes, got {len(pairs)}")
    return tuple(pairs)
