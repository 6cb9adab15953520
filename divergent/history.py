"""History of all evaluations of a loop, recorded from the steps of `evolve` or `steady_state`."""

import json
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from divergent._behaviours import stack_behaviours
from divergent._lineage import UNKNOWN
from divergent.individual import pack
from divergent.loops._contract import Step
from divergent.persistence._files import parse_object, read_sealed_npz, write_sealed_npz
from divergent.persistence._serialization import ArrayPool, from_jsonable, to_jsonable
from divergent.selection._deap_selector import ScoredIndividual

REMEMBERED = ("centroids", "predictions", "occupied", "archive", "threshold")  # copied from strategies

FILE_KIND, FILE_FORMAT = "divergent.History", 1


class Generation(NamedTuple):
    """State of a search after the first step of a generation."""

    number: int
    first: int
    """Row of the first child of the generation."""
    species: dict[int, int]
    """Sizes of the species by id; empty if there are no species."""
    memory: dict[str, Any]
    """Copies of the strategy's state, such as its archive, by which the offspring of this generation were scored."""


class History:
    """All individuals that a loop evaluated, as arrays with one row per evaluation.

    Recording does not modify the steps, the strategy or the species.

    Parameters
    ----------
    strategy : Strategy or None, default=None
        Strategy whose state, such as its archive or centroids, is copied after the first step of each generation.
    species : Species or None, default=None
        The species of the loop. The attribute `labels` contains the species index of each individual, and `ids` the
        permanent id of each species. The order of `labels` is the order of ``species.individuals``, or the order of the
        population if `species` has no attribute `individuals`.
    size : callable or None, default=None
        Function that returns the size of an individual's genome. None uses the length of the attribute `genes`, or the
        length of the individual if it has no `genes`. The size is 0 if the length is undefined.
    keep : bool, default=False
        Whether to keep all individuals, for example for the renderings of `divergent.explore`.

    Attributes
    ----------
    generations : list of Generation
        Sizes of the species and state of the strategy after the first step of each generation.
    individuals : list
        All individuals in the order of evaluation; empty unless `keep` is true.
    minimised : bool
        Whether smaller fitness values are better.
    strategy
        The strategy whose state is copied.

    Examples
    --------
    Record five generations of surprise search:

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
    >>> history = History(strategy=strategy)
    >>> for step in history.watch(divergent.steady_state(points, toolbox, strategy, generations=5)):
    ...     pass
    >>> len(history), history.behaviours.shape, len(history.generations)
    (100, (100, 2), 5)

    All individuals after the initial population have a first parent:

    >>> bool((history.parents[20:, 0] >= 0).all())
    True
    """

    def __init__(
        self,
        *,
        strategy: Any = None,
        species: Any = None,
        size: Callable[[Any], int] | None = None,
        keep: bool = False,
    ):
        self.generations: list[Generation] = []
        self.individuals: list[Any] = []
        self.minimised = False
        self._keep = keep
        self.strategy = strategy
        self._species = species
        self._size = size or genome_size
        self._behaviours: list[Any] = []
        self._fitness: list[float] = []
        self._scores: list[float] = []
        self._parents: list[tuple[int, int]] = []
        self._sizes: list[int] = []
        self._labels: list[int] = []
        self._rows: dict[int, int] = {}  # maps the evaluation number of each individual to its row
        self._unscored: list[tuple[int, Any]] = []
        # individuals that have no species yet, keyed by `id` because individuals need not be hashable
        self._unassigned: dict[int, tuple[Any, int]] = {}

    def watch(self, steps: Iterable[Step]) -> Iterator[Step]:
        """Record and yield each step of a loop.

        Parameters
        ----------
        steps : iterable of Step
            Steps of a loop, for example the generator that `evolve` returns.

        Yields
        ------
        Step
            The unchanged steps.
        """
        for step in steps:
            self.note(step)
            yield step

    def note(self, step: Step) -> None:
        """Record one step of a loop.

        Parameters
        ----------
        step : Step
            One step of the loop, with the offspring and their parents.
        """
        first = len(self)
        for number, individual in self._unscored:
            # a generational loop scores individuals one step later, when it selects the next generation
            self._scores[number] = _score(individual)
        self._unscored = []
        parents = step.parents or [()] * len(step.offspring)
        number = step.evaluations - len(step.offspring)
        for individual, numbers in zip(step.offspring, parents, strict=True):
            self._note(individual, number, numbers)
            number += 1
        self._note_species(step, first)
        if not self.generations or self.generations[-1].number != step.generation:
            sizes = Counter(self._division(step.population)[1])
            self.generations.append(Generation(step.generation, first, dict(sorted(sizes.items())), self._memory()))

    def __len__(self) -> int:
        return len(self._fitness)

    @property
    def behaviours(self) -> np.ndarray:
        """Behaviours of all n individuals, shape (n, d), or an object array unless they are vectors of equal length.

        The number d of dimensions is 0 if the task has no behaviours.
        """
        return stack_behaviours(self._behaviours)

    @property
    def fitness(self) -> np.ndarray:
        """First fitness value of each individual as returned by the evaluation, not multiplied by its weight."""
        return np.array(self._fitness)

    @property
    def scores(self) -> np.ndarray:
        """First score that each individual received; nan if the individual was never scored.

        If several strategies score an individual, the score of the first strategy is recorded.
        """
        return np.array(self._scores)

    @property
    def parents(self) -> np.ndarray:
        """History rows of the two parents of each individual, shape (n, 2); -1 denotes a missing or unknown parent."""
        return np.array(self._parents, dtype=int).reshape(len(self), 2)

    @property
    def sizes(self) -> np.ndarray:
        """Genome size of each individual."""
        return np.array(self._sizes, dtype=int)

    @property
    def species(self) -> np.ndarray:
        """Species id of each individual.

        An individual of unknown species has the species id of its first parent, or -1 if there is none.
        """
        labels = np.array(self._labels, dtype=int)
        for _, number in self._unassigned.values():
            labels[number] = self._of_first_parent(number, labels)
        return labels

    def save(self, path: str | os.PathLike) -> None:
        """Write the history to an npz file that contains JSON, arrays and a digest.

        Kept individuals (``keep=True``), the strategy and the species object are not written.

        Parameters
        ----------
        path : str or os.PathLike
            Path of the file; an existing file is replaced atomically.

        Raises
        ------
        TypeError
            If behaviours are objects that JSON cannot represent.

        See Also
        --------
        History.load : Read the file.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     History().save(f"{folder}/history.npz")
        ...     len(History.load(f"{folder}/history.npz"))
        0
        """
        pool = ArrayPool()
        generations = [
            {"number": row.number, "first": row.first, "species": list(row.species.items()), "memory": row.memory}
            for row in self.generations
        ]
        columns = {name: getattr(self, name) for name in ("fitness", "scores", "parents", "sizes", "species")}
        content = {
            "kind": FILE_KIND,
            "format": FILE_FORMAT,
            "minimised": bool(self.minimised),
            "generations": to_jsonable(generations, pool=pool),
            "behaviours": to_jsonable(self.behaviours, pool=pool),
            **{name: to_jsonable(column, pool=pool) for name, column in columns.items()},
        }
        notes = np.frombuffer(json.dumps(content).encode(), dtype=np.uint8)
        write_sealed_npz(Path(path), notes=notes, **pool.arrays())

    @classmethod
    def load(cls, path: str | os.PathLike) -> "History":
        """Read a history from a file that `save` wrote, without executing code from the file.

        Parameters
        ----------
        path : str or os.PathLike
            Path of the file.

        Returns
        -------
        History
            The history, for analysis and plots. Do not record further steps in a loaded history, because their parents
            cannot be identified.

        Raises
        ------
        ValueError
            If the file is damaged or is not a history.

        See Also
        --------
        History.save : Write the file.
        """
        arrays = read_sealed_npz(path)
        try:
            content = parse_object(arrays.pop("notes").tobytes().decode(), path)
            if (content["kind"], content["format"]) != (FILE_KIND, FILE_FORMAT):
                raise ValueError(
                    f"kind and format of a history file must be {FILE_KIND!r} and {FILE_FORMAT}, "
                    "got another kind or format"
                )
            return cls()._filled(content, ArrayPool(arrays))
        except (TypeError, LookupError, ValueError, AttributeError) as error:
            raise ValueError(
                f"{path}: file must be a history written by History.save, got a file that cannot be read: {error}"
            ) from error

    def _filled(self, content: dict[str, Any], pool: ArrayPool) -> "History":
        """Fill an empty history with the content of a saved file."""
        names = ("behaviours", "fitness", "scores", "parents", "sizes", "species")
        columns = {name: from_jsonable(content[name], pool=pool) for name in names}
        if len({len(column) for column in columns.values()}) != 1:
            raise ValueError("columns must have one row for each evaluation, got columns of different lengths")
        behaviours, parents = columns["behaviours"], columns["parents"]
        self.minimised = content["minimised"] is True
        self._behaviours = list(behaviours)
        self._parents = [(int(first), int(second)) for first, second in parents]
        self._fitness, self._scores = columns["fitness"].tolist(), columns["scores"].tolist()
        self._sizes, self._labels = columns["sizes"].tolist(), columns["species"].tolist()
        for row in from_jsonable(content["generations"], pool=pool):
            sizes = {int(species): int(size) for species, size in row["species"]}
            memory = {name: np.asarray(value) for name, value in row["memory"].items()}
            self.generations.append(Generation(row["number"], row["first"], sizes, memory))
        return self

    def ancestors(self, number: int) -> list[int]:
        """Return the ancestors of an individual along the line of first parents, nearest ancestor first.

        Parameters
        ----------
        number : int
            Row of the individual in the history, counted from 0.

        Returns
        -------
        list of int
            Rows of the ancestors in the history.

        Raises
        ------
        ValueError
            If the history has no row with this number.

        Examples
        --------
        The second individual is a child of the first individual:

        >>> from types import SimpleNamespace
        >>> from divergent.individual import MaximisedFitness
        >>> parent, child = (SimpleNamespace(fitness=MaximisedFitness((1.0,))) for _ in range(2))
        >>> history = History()
        >>> history.note(Step(0, 1, [parent], [parent]))
        >>> history.note(Step(1, 2, [child], [child], parents=[(0,)]))
        >>> history.ancestors(1)
        [0]
        """
        if not 0 <= number < len(self):
            raise ValueError(
                f"number must belong to a recorded evaluation, got {number}; the history has {len(self)} evaluations"
            )
        line = []
        while (number := self._parents[number][0]) != UNKNOWN:
            line.append(number)
        return line

    def _note(self, individual: Any, number: int, parents: Sequence[int]) -> None:
        row = len(self)
        first, second = (*(self._rows.get(parent, UNKNOWN) for parent in parents), UNKNOWN, UNKNOWN)[:2]
        self._rows[number] = row
        self.minimised = individual.fitness.weights[0] < 0
        score = _score(individual)
        if math.isnan(score):
            self._unscored.append((row, individual))
        self._behaviours.append(_behaviour_row(individual))
        self._fitness.append(float(individual.fitness.values[0]))
        self._scores.append(score)
        self._parents.append((first, second))
        self._sizes.append(self._size(individual))
        if self._keep:
            self.individuals.append(individual)
        self._labels.append(UNKNOWN)

    def _memory(self) -> dict[str, np.ndarray]:
        memory = {name: getattr(self.strategy, name, None) for name in REMEMBERED}
        # A strategy may store the centroids of several generations as a list, the newest centroids last.
        if isinstance(memory["centroids"], list):
            memory["centroids"] = memory["centroids"][-1] if memory["centroids"] else None
        if getattr(getattr(self.strategy, "scale", None), "kind", "none") != "none":
            # If a strategy scales behaviours, its archive threshold does not apply to the unscaled recorded behaviours.
            memory["threshold"] = None
        return {name: np.array(value) for name, value in memory.items() if value is not None}

    def _note_species(self, step: Step, first: int) -> None:
        """Record the species of the offspring and of earlier individuals that had no species yet.

        A generational loop assigns an individual to a species one step after its evaluation, when parents are selected.
        An individual that is removed before this assignment receives the species of its first parent.
        """
        late, self._unassigned = self._unassigned, {}
        if step.species:
            self._labels[first:] = step.species
            late = {number: (None, number) for number in range(first, len(self)) if self._labels[number] == UNKNOWN}
        else:
            individuals, members = self._division(step.population)
            places = {id(individual): place for place, individual in enumerate(individuals)}
            offspring = {id(child): (child, number) for number, child in enumerate(step.offspring, first)}
            for key, (individual, number) in (late | offspring).items():
                if key in places:
                    self._labels[number] = members[places[key]]
                elif key in offspring:
                    self._unassigned[key] = individual, number
        for _, number in late.values():
            if self._labels[number] == UNKNOWN:
                self._labels[number] = self._of_first_parent(number, self._labels)

    def _division(self, population: Sequence[Any]) -> tuple[Sequence[Any], list[int]]:
        """Return the individuals of the most recent speciation, and the species id of each individual."""
        labels = getattr(self._species, "labels", ())
        if not len(labels):
            return (), []
        ids = getattr(self._species, "ids", None)
        individuals = getattr(self._species, "individuals", None)
        # DEAP selectors receive `ScoredIndividual` wrappers instead of the individuals
        divided = population if individuals is None else individuals
        divided = [member.individual if isinstance(member, ScoredIndividual) else member for member in divided]
        return divided, np.asarray(labels if ids is None else np.asarray(ids)[labels]).tolist()

    def _of_first_parent(self, number: int, labels: Sequence[int] | np.ndarray) -> int:
        parent = self._parents[number][0]
        return UNKNOWN if parent == UNKNOWN else labels[parent]


def _behaviour_row(individual: Any) -> Any:
    """Return the behaviour of an individual as a float vector, or unchanged if the behaviour is not numeric."""
    behaviour = individual.fitness.behaviour
    # Float vectors, such as behaviours in mazes, are copied directly, because `pack` takes ten times as long.
    is_vector = type(behaviour) is np.ndarray and behaviour.dtype == float and behaviour.ndim == 1
    if is_vector and all(map(math.isfinite, behaviour.tolist())):
        return behaviour.copy()
    return pack([individual]).behaviours[0]


def _score(individual: Any) -> float:
    score = individual.fitness.score
    return float(score[0] if isinstance(score, tuple) else score)


def genome_size(individual: Any) -> int:
    """Return the number of genes, or the length of an individual without the attribute `genes`; 0 if undefined."""
    genes = getattr(individual, "genes", individual)
    return len(genes) if hasattr(genes, "__len__") else 0
