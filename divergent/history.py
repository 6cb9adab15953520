"""What a loop did, birth by birth: an observer of `evolve` and `steady_state`."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from deap import base

from divergent.individual import pack
from divergent.loops import Step
from divergent.selection.deap_selector import StandIn

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
        What divides the population: after `assign(individuals)` it has `labels`, one for each of them, and `ids`, the
        lasting number of each species in the order of labels. Its `assign` is replaced by one that takes note, too.
        None for no species.
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
    >>> creator.create("Spot", list, fitness=creator.Near)
    >>> toolbox = base.Toolbox()
    >>> toolbox.register("evaluate", lambda point: divergent.Outcome((abs(point[0]),), behaviour=point))
    >>> toolbox.register("mate", tools.cxUniform, indpb=0.5)
    >>> toolbox.register("mutate", tools.mutGaussian, mu=0.0, sigma=0.1, indpb=1.0)
    >>> random.seed(1)
    >>> points = [creator.Spot([random.random(), random.random()]) for _ in range(20)]
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
        self._homeless: dict[int, tuple[Any, int]] = {}  # whose species is not known yet
        self._divided: list | None = None  # whom the species were made of, in the order of their labels
        if toolbox is not None:
            self._listen(toolbox)
        if species is not None:
            self._attend(species)

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
        late, self._homeless = self._homeless, {}
        for individual in step.offspring:
            self._note(individual)
        members = self._note_species(step.population, late)
        if not self.generations or self.generations[-1].number != step.generation:
            sizes = Counter(members.tolist())
            self.generations.append(Generation(step.generation, first, dict(sorted(sizes.items())), self._memory()))
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
        """The species that each joined, or its mother's if it has died or not been divided; -1 where there are none."""
        labels = np.array(self._labels, dtype=int)
        for _, number in self._homeless.values():
            labels[number] = self._of_mother(number, labels)
        return labels

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

    def _note(self, individual):
        number = len(self)
        mother, father = (*self._bred.get(id(individual), (None, ()))[1], NOBODY, NOBODY)[:2]
        self.minimised = individual.fitness.weights[0] < 0
        score = _score(individual)
        if math.isnan(score):
            self._unscored.append((number, individual))
        self._behaviours.append(pack([individual]).behaviours[0])
        self._fitness.append(float(individual.fitness.values[0]))
        self._scores.append(score)
        self._parents.append((mother, father))
        self._sizes.append(self._size(individual))
        self._labels.append(NOBODY)
        self._numbers[id(individual)] = self._homeless[id(individual)] = individual, number

    def _memory(self):
        found = {name: getattr(self.strategy, name, None) for name in REMEMBERED}
        if isinstance(found["centroids"], list):  # of several generations; the last ones were kept when they were new
            found["centroids"] = found["centroids"][-1] if found["centroids"] else None
        if getattr(getattr(self.strategy, "scale", None), "kind", "none") != "none":
            found["threshold"] = None  # it is of scaled distances, and means nothing beside the behaviours
        return {name: np.array(value) for name, value in found.items() if value is not None}

    def _note_species(self, population, late):
        """Note the species of those whose is not known; returns that of each member.

        A steady loop divides the population as it is, a generational one when it selects from it, one step later. Who
        is in no species by then, having died as it was born, is counted to its mother's.
        """
        if not hasattr(self._species, "labels") or (self._divided is None and len(self._species.labels) == 0):
            return np.empty(0, dtype=int)
        labels = np.asarray(self._species.labels)
        ids = getattr(self._species, "ids", None)
        members = labels if ids is None else np.asarray(ids)[labels]
        known = list(map(id, population if self._divided is None else self._divided))
        for key, (_, number) in (late | self._homeless).items():
            if key in known:
                self._labels[number] = int(members[known.index(key)])
                self._homeless.pop(key, None)
        for _, number in late.values():
            if self._labels[number] == NOBODY:
                self._labels[number] = self._of_mother(number, self._labels)
        return members

    def _of_mother(self, number, labels):
        mother = self._parents[number][0]
        return NOBODY if mother == NOBODY else labels[mother]

    def _number_of(self, individual):
        if id(individual) in self._numbers:
            return self._numbers[id(individual)][1]
        origins = self._bred.get(id(individual), (None, ()))[1]
        return origins[0] if origins else NOBODY  # a copy that was not changed

    def _listen(self, toolbox):
        """Replace the toolbox's operators by ones that note whom they made of whom."""
        for name in ("clone", "mate", "mutate", "breed"):
            if hasattr(toolbox, name):
                toolbox.register(name, self._noting(getattr(toolbox, name)))

    def _attend(self, species):
        """Learn whom the species are made of: in a selector they are stand-ins, which know for whom they stand."""
        if not hasattr(species, "labels"):
            return
        assign = species.assign

        def noting(individuals):
            stand_in = len(individuals) and isinstance(individuals[0], StandIn)
            self._divided = [one.individual for one in individuals] if stand_in else individuals
            return assign(individuals)

        species.assign = noting

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
