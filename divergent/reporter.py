"""Reporter that prints and stores the progress of a loop after each generation."""

import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

import numpy as np

from divergent.loops._checks import check_population
from divergent.loops._contract import Step
from divergent.validation import brief, check_at_least


class Reporter:
    """Reporter of fitness, genome size and species: prints one line and stores one row of numbers per generation.

    A reporter reads the steps of a loop without changing them. `divergent.plots.draw_progress` plots the stored rows.

    Parameters
    ----------
    species : Species, Reproduction or None, default=None
        Species object of the loop, whose number of species is reported. In `evolve`, the report gives the number of
        species at the last selection of parents.
    index : int, default=0
        Index of the reported fitness value, counted from 0.
    every : int, default=1
        Number of generations between two printed lines; 0 prints nothing. Rows are stored for every generation.
    stream : file-like or None, default=None
        Stream to which lines are printed. None prints to the standard output.

    Attributes
    ----------
    rows : list of dict
        One dictionary per generation with `generation`, `evaluations`, the `best`, `mean` and `std` of the population's
        fitness, the `size` of the best genome, and the number of `species` or None.

    Raises
    ------
    TypeError
        If `stream` has no method `write`.
    ValueError
        If `index` or `every` is not an integer of at least 0.

    See Also
    --------
    History : History of all evaluations, with the parents of each individual.

    Examples
    --------
    >>> import random
    >>> from deap import base, creator, tools
    >>> import divergent
    >>> creator.create("ReporterFitness", divergent.Fitness, weights=(1.0,))
    >>> creator.create("ReporterBits", list, fitness=creator.ReporterFitness)
    >>> toolbox = base.Toolbox()
    >>> toolbox.register("evaluate", lambda bits: (sum(bits),))
    >>> toolbox.register("mate", tools.cxOnePoint)
    >>> toolbox.register("mutate", tools.mutFlipBit, indpb=0.1)
    >>> toolbox.register("select", tools.selTournament, tournsize=3)
    >>> random.seed(1)
    >>> population = [creator.ReporterBits(random.choices((0, 1), k=10)) for _ in range(20)]
    >>> reporter = Reporter(every=2)
    >>> for step in reporter.watch(divergent.evolve(population, toolbox, 5)):
    ...     pass
    generation 0: 20 evaluations, best 8, mean 4.95 +- 1.8, size 10
    generation 2: 53 evaluations, best 9, mean 7.2 +- 1.2, size 10
    generation 4: 84 evaluations, best 10, mean 8.55 +- 1, size 10

    The reporter stores the rows of all five generations:

    >>> len(reporter.rows), reporter.rows[-1]["best"]
    (5, 10.0)
    """

    def __init__(self, species: Any = None, *, index: int = 0, every: int = 1, stream: TextIO | None = None):
        check_at_least(0, index=index, every=every)
        if stream is not None and not callable(getattr(stream, "write", None)):
            raise TypeError(f"stream must be a file open for writing or None, got {brief(stream)}")
        self.species = species
        self.index = index
        self.every = every
        self.stream = stream
        self.rows: list[dict[str, Any]] = []

    def watch(self, steps: Iterable[Step]) -> Iterator[Step]:
        """Yield the steps of a loop and report each generation when it ends.

        Parameters
        ----------
        steps : iterable of Step
            Steps of a loop, such as the generator `evolve`.

        Yields
        ------
        Step
            The unchanged steps.
        """
        for step in steps:
            if step.ends_generation:
                self.note(step)
            yield step

    def note(self, step: Step) -> None:
        """Store and print the report of a generation after its last step.

        Parameters
        ----------
        step : Step
            Last step of the generation.

        Raises
        ------
        TypeError
            If an individual has no fitness.
        ValueError
            If the population is empty, or an individual has no fitness value at `index`.
        """
        check_at_least(0, generation=step.generation, evaluations=step.evaluations)
        for number, individual in enumerate(check_population(step.population)):
            self._check_values(number, individual.fitness.values)
        best = max(step.population, key=lambda individual: individual.fitness.wvalues[self.index])
        values = np.array([individual.fitness.values[self.index] for individual in step.population], dtype=float)
        with np.errstate(invalid="ignore", over="ignore"):  # the standard deviation is nan if a fitness is infinite
            mean, std = float(values.mean()), float(values.std())
        genes = getattr(best, "genes", best)
        row = {
            "generation": step.generation,
            "evaluations": step.evaluations,
            "best": float(best.fitness.values[self.index]),
            "mean": mean,
            "std": std,
            "size": len(genes) if hasattr(genes, "__len__") else None,
            "species": self._count_species(),
        }
        self.rows.append(row)
        if self.every and step.generation % self.every == 0:
            print(_line(row), file=self.stream or sys.stdout)

    def _check_values(self, number: int, values: tuple[float, ...]) -> None:
        """Raise a ValueError unless an individual has the reported fitness value."""
        if not values:
            raise ValueError(f"individual {number} must be evaluated, got no fitness; call toolbox.evaluate first")
        if self.index >= len(values):
            raise ValueError(f"index must be below {len(values)}, the number of fitness values, got {self.index}")

    def _count_species(self) -> int | None:
        """Return the number of species that are not empty, or None if no individual has been assigned to a species."""
        labels = getattr(getattr(self.species, "species", self.species), "labels", None)
        return None if labels is None or not len(labels) else len(set(np.asarray(labels).tolist()))


def _line(row: dict[str, Any]) -> str:
    """Format a stored row as one line of text."""
    parts = [
        f"{row['evaluations']} evaluations",
        f"best {row['best']:.4g}",
        f"mean {row['mean']:.4g} +- {row['std']:.2g}",
        *([] if row["size"] is None else [f"size {row['size']}"]),
        *([] if row["species"] is None else [f"{row['species']} species"]),
    ]
    return f"generation {row['generation']}: {', '.join(parts)}"
