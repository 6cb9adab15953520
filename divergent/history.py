"""What a loop did, birth by birth: an observer of `evolve` and `steady_state`."""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from deap import base

from divergent.individual import row_of
from divergent.loops import Step

NOBODY = -1
REMEMBERED = ("centroids", "predictions", "occupied", "archive", "threshold")  # of a strategy, where it has them


class Generation(NamedTuple):
    """What was so when a generation began to be born."""

    number: int
    first: int
    """The number of its first birth."""
    species: dict[int, int]
    """Members by species; empty where there are no species."""
    memory: dict[str, Any]
    """Copies of what the strategy remembered: what those who were born in this generation were judged by."""


class History:
    """Everything that happened in a loop, as arrays with one row a birth, in order.

    Parameters
    ----------
    toolbox
        The loop's toolbox, which tells who came of whom: its `breed`, `clone`, `mate` and `mutate`, where it has them,
        are replaced by ones that take note and do the same. None leaves parents unknown.
    strategy
        Whose memory to keep for each generation; None for none.
    species
        Who says which species an individual is of: its `labels`, one for each member of the population, and its `ids`,
        lasting numbers in the order of labels. None for no species.
    size
        A callable that tells the size of an individual's genome. None: its number of genes if it has `genes`, its
        length if it has one, else 0.

    Attributes
    ----------
    generations : list of Generation
        The species and the memory when each generation began.
    minimised : bool
        Whether smaller fitness values are better.
    strategy
        The strategy whose memory is kept.

    Examples
    --------
    >>> import random
    >>> from deap import base, creator, tools
    >>> import divergent
    >>> from divergent.selection import Surprise
    >>> creator.create("Near", divergent.Fitness, weights=(-1.0,))
    >>> creator.create("Point", list, fitness=creator.Near)
    >>> toolbox = base.Toolbox()
    >>> toolbox.register("evaluate", lambda point: divergent.Outcome((abs(point[0]),), behaviour=point))
    >>> toolbox.register("mate", tools.cxUniform, indpb=0.5)
    >>> toolbox.register("mutate", tools.mutGaussian, mu=0.0, sigma=0.1, indpb=1.0)
    >>> random.seed(1)
    >>> points = [creator.Point([random.random(), random.random()]) for _ in range(20)]
    >>> strategy = Surprise(clusters=4, rng=np.random.default_rng(1))
    >>> history = History(toolbox, strategy=strategy)
    >>> for step in history.watch(divergent.steady_state(points, toolbox, strategy, generations=5)):
    ...     pass
    >>> len(history), history.behaviours.shape, len(history.generations)
    (100, (100, 2), 5)
    >>> bool((history.parents[20:, 0] >= 0).all())
    True
    """

    def __init__(
        self,
        toolbox: base.Toolbox | None = None,
        *,
        strategy: Any = None,
        species: Any = None,
        size: Callable[[Any], int] | None = None,
    ):
        self.generations: list[Generation] = []
        self.minimised = False
        self.strategy = strategy
        self._species = species
        self._size = size or _size
        self._behaviours: list[np.ndarray] = []
        self._fitness: list[float] = []
        self._scores: list[float] = []
        self._parents: list[tuple[int, int]] = []
        self._sizes: list[int] = []
        self._labels: list[int] = []
        # individuals need not be hashable, so they are known by their id, which is theirs as long as they are kept here
        self._numbers: dict[int, tuple[Any, int]] = {}
        self._bred: dict[int, tuple[Any, tuple[int, ...]]] = {}
        self._unscored: list[tuple[int, Any]] = []
        if toolbox is not None:
            self._listen(toolbox)

    def watch(self, steps: Iterable[Step]) -> Iterator[Step]:
        """Pass on what a loop yields, noting each step first."""
        for step in steps:
            self.note(step)
            yield step

    def note(self, step: Step) -> None:
        """Take down one step of a loop."""
        first = len(self)
        for number, individual in self._unscored:
            self._scores[number] = _score(individual)  # a generation is scored when the next one is selected
        self._unscored = []
        labels, ids = self._species_now()
        places = (
            {id(individual): place for place, individual in enumerate(step.population)} if labels is not None else {}
        )
        for individual in step.born:
            mother, father = self._parents_of(individual)
            place = places.get(id(individual))
            if labels is None:
                label = NOBODY
            elif place is None:  # it died as it was born
                label = self._labels[mother] if mother != NOBODY else NOBODY
            else:
                label = int(ids[labels[place]])
            self._note(individual, mother, father, label)
        if not self.generations or self.generations[-1].number != step.generation:
            sizes = np.bincount(labels, minlength=len(ids)).tolist() if labels is not None else []
            members = {int(one): size for one, size in zip(ids, sizes, strict=True) if size}
            self.generations.append(Generation(step.generation, first, members, self._memory()))
            self._numbers = {id(one): (one, self._number_of(one)) for one in step.population}
        self._bred = {}

    def __len__(self) -> int:
        return len(self._fitness)

    @property
    def behaviours(self) -> np.ndarray:
        """What each did, shape (n, d); d is 0 for a task without behaviours."""
        return np.array(self._behaviours).reshape(len(self), -1) if self._behaviours else np.empty((0, 0))

    @property
    def fitness(self) -> np.ndarray:
        """The first fitness value of each, as the task gave it."""
        return np.array(self._fitness)

    @property
    def scores(self) -> np.ndarray:
        """What the search thought of each when it first scored it, the first of several; nan for those it did not."""
        return np.array(self._scores)

    @property
    def parents(self) -> np.ndarray:
        """The numbers of mother and father, shape (n, 2); -1 where there is none or nobody knows."""
        return np.array(self._parents, dtype=int).reshape(len(self), 2)

    @property
    def sizes(self) -> np.ndarray:
        """The size of each genome."""
        return np.array(self._sizes, dtype=int)

    @property
    def species(self) -> np.ndarray:
        """The species that each joined, or its mother's if it died as it was born; -1 where there are none."""
        return np.array(self._labels, dtype=int)

    def ancestors(self, number: int) -> list[int]:
        """The mother of a birth, her mother and so on, the nearest first.

        Examples
        --------
        >>> History().ancestors(0)
        Traceback (most recent call last):
        ...
        ValueError: births are numbered from 0 to -1, got 0
        """
        if not 0 <= number < len(self):
            raise ValueError(f"births are numbered from 0 to {len(self) - 1}, got {number}")
        line = []
        while (number := self._parents[number][0]) != NOBODY:
            line.append(number)
        return line

    def _note(self, individual, mother, father, label):
        number = len(self)
        self.minimised = individual.fitness.weights[0] < 0
        score = _score(individual)
        if math.isnan(score):
            self._unscored.append((number, individual))
        self._behaviours.append(row_of(individual.fitness, f"birth {number}")[1].copy())
        self._fitness.append(float(individual.fitness.values[0]))
        self._scores.append(score)
        self._parents.append((mother, father))
        self._sizes.append(self._size(individual))
        self._labels.append(label)
        self._numbers[id(individual)] = individual, number

    def _memory(self):
        found = {name: getattr(self.strategy, name, None) for name in REMEMBERED}
        if isinstance(found["centroids"], list):  # of several generations; the last ones were kept when they were new
            found["centroids"] = found["centroids"][-1] if found["centroids"] else None
        if getattr(getattr(self.strategy, "scale", None), "kind", "none") != "none":
            found["threshold"] = None  # it is of scaled distances, and means nothing beside the behaviours
        return {name: np.array(value) for name, value in found.items() if value is not None}

    def _species_now(self):
        labels = getattr(self._species, "labels", None)
        if labels is None:
            return None, ()
        labels = np.asarray(labels)
        ids = getattr(self._species, "ids", None)
        return labels, np.arange(labels.max() + 1) if ids is None else ids

    def _number_of(self, individual):
        if id(individual) in self._numbers:
            return self._numbers[id(individual)][1]
        origins = self._bred.get(id(individual), (None, ()))[1]
        return origins[0] if origins else NOBODY  # a copy that was not changed

    def _parents_of(self, child):
        origins = self._bred.get(id(child), (None, ()))[1]
        mother, father = (*origins, NOBODY, NOBODY)[:2]
        return mother, father

    def _listen(self, toolbox):
        """Replace the toolbox's operators by ones that note whom they made of whom."""
        plain = {name: getattr(toolbox, name) for name in ("clone", "mate", "mutate") if hasattr(toolbox, name)}
        breed = getattr(toolbox, "breed", None)
        for name, operator in plain.items():
            toolbox.register(name, self._noting(operator))
        noting = {name: getattr(toolbox, name) for name in plain}

        def breed_noting(mother, father):
            # it may look operators up, and be faster with those it knows
            ours = [name for name in plain if getattr(toolbox, name) is noting[name]]
            vars(toolbox).update({name: plain[name] for name in ours})
            try:
                child = breed(mother, father)
            finally:
                vars(toolbox).update({name: noting[name] for name in ours})
            self._trace((child,), (mother, father))
            return child

        if breed is not None:
            toolbox.register("breed", breed_noting)

    def _noting(self, operator):
        def noting(*individuals, **options):
            made = operator(*individuals, **options)
            self._trace(made if isinstance(made, tuple) else (made,), individuals)
            return made

        return noting

    def _trace(self, made, sources):
        origins: list[int] = []
        for source in sources:
            if id(source) in self._bred:
                origins += self._bred[id(source)][1]
            elif id(source) in self._numbers:
                origins.append(self._numbers[id(source)][1])
        known = tuple(dict.fromkeys(number for number in origins if number != NOBODY))
        for position, one in enumerate(made):
            # the second child of a crossover has the second parent as its mother
            self._bred[id(one)] = one, known[position:] + known[:position] if len(known) == 2 else known


def _score(individual):
    score = individual.fitness.score
    return float(score[0] if isinstance(score, tuple) else score)


def _size(individual):
    genes = getattr(individual, "genes", individual)
    return len(genes) if hasattr(genes, "__len__") else 0
