"""Checkpoints of custom loops: a run that was killed resumes with exactly the same results."""

import array
import glob
import json
import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from deap import gp

from divergent.loops._contract import Step
from divergent.persistence._files import parse_object, read_sealed_npz, write_sealed_npz
from divergent.persistence._individuals import IndividualFormat
from divergent.persistence._serialization import ArrayPool, from_jsonable, to_jsonable
from divergent.validation import brief, check_at_least
from divergent.version import __version__

KIND = "divergent.Checkpoint"
# global random generators from which DEAP's tools draw, by module name
MODULES = {"random": random, "numpy.random": np.random}
INVALID_CONTENT = (TypeError, LookupError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""Errors that may occur when objects are restored from unexpected content."""


class Resumable(Protocol):
    """Protocol for objects whose progress `Checkpoint.save` can store, such as `divergent.Search`."""

    @property
    def population(self) -> list: ...

    @property
    def generation(self) -> int: ...

    @property
    def evaluations(self) -> int: ...

    def state(self) -> dict[str, Any]: ...

    def restore(self, population: list, state: dict[str, Any]) -> None: ...


class Start(NamedTuple):
    """State from which a loop starts or resumes.

    Parameters
    ----------
    population : list
        Individuals with which the loop starts or resumes.
    done : int
        Number of completed generations, to be passed to `evolve` or `steady_state`.
    evaluations : int
        Number of completed evaluations, to be passed to `evolve`.
    notes : object
        The object passed to `Checkpoint.save` as `notes`; None for a new run.
    """

    population: list
    done: int
    evaluations: int
    notes: Any


class Checkpoint:
    """Checkpoint file of a custom loop, with the population and all stateful components of the loop.

    A loop that is killed and started again by the same program has exactly the same result as an uninterrupted loop.
    The checkpoint file is replaced atomically. The file is an npz file with JSON, arrays and a digest, and reading the
    file executes no code.

    A checkpoint always includes the global random generators of `random` and `numpy.random`, from which DEAP's tools
    draw.

    Parameters
    ----------
    path : str or os.PathLike
        Path of the checkpoint file, which only one process may use at a time.
    settings : object, default=None
        JSON-serialisable data that determines the run, such as seed and rates. If an existing checkpoint has other
        settings, `restore` raises an error.
    dump : callable or None, default=None
        `dump(individual)` returns JSON-serialisable data without the fitness; tuples, sets and arrays of numbers are
        allowed. None uses the built-in conversion of genomes, lists, arrays, sets, dictionaries and trees of genetic
        programming, including their attributes.
    load : callable or None, default=None
        `load(data)` restores the individual from the data that `dump` returned.
    primitives : gp.PrimitiveSetTyped or None, default=None
        Primitive set of genetic programming trees.
    **parts : object
        Stateful components by name: objects with `state` and `restore` (strategies, species, innovations), and random
        generators of NumPy or `random.Random`.

    Raises
    ------
    ValueError
        If only one of `dump` and `load` is passed.
    TypeError
        If a component has no state that can be saved and restored.

    See Also
    --------
    divergent.run : Run a search on a problem; checkpoints are written automatically.

    Examples
    --------
    >>> import tempfile
    >>> from deap import base
    >>> from divergent import Outcome, neat, steady_state
    >>> from divergent.selection import Novelty
    >>> def evolved(path, generations):
    ...     rng = np.random.default_rng(1)
    ...     toolbox = base.Toolbox()
    ...     innovations = neat.register(toolbox, inputs=2, outputs=1, rng=rng)
    ...     toolbox.register("evaluate", lambda genome: Outcome((len(genome),), behaviour=genome.genes[0, 3:4]))
    ...     strategy, species = Novelty(rng=rng), neat.Species(rng=rng)
    ...     checkpoint = Checkpoint(path, strategy=strategy, species=species, innovations=innovations, rng=rng)
    ...     start = checkpoint.restore(toolbox.population(n=10))
    ...     for step in steady_state(
    ...         start.population, toolbox, strategy, species, generations=generations, done=start.done
    ...     ):
    ...         if step.ends_generation and step.generation % 5 == 4:
    ...             checkpoint.save(step)
    ...     return [genome.to_json() for genome in step.population]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     half = evolved(f"{folder}/run.npz", generations=7)
    ...     evolved(f"{folder}/run.npz", generations=12) == evolved(f"{folder}/other.npz", generations=12)
    True
    """

    def __init__(
        self,
        path: str | os.PathLike,
        *,
        settings: Any = None,
        dump: Callable[[Any], Any] | None = None,
        load: Callable[[Any], Any] | None = None,
        primitives: gp.PrimitiveSetTyped | None = None,
        **parts: Any,
    ) -> None:
        if (dump is None) != (load is None):
            raise ValueError(f"dump and load must be passed together, got {brief(dump)} and {brief(load)}")
        for name, part in parts.items():
            if isinstance(part, type) or _state_access(part) is None:
                raise TypeError(
                    f"component {name} must have methods state and restore, or be a NumPy or Python random generator, "
                    f"got {brief(part)}"
                )
        self.path = Path(path)
        self.settings = to_jsonable(settings)
        self.parts = parts
        self._form = dump, load, primitives

    def save(self, step: Step | Resumable, notes: Any = None) -> None:
        """Replace the checkpoint file with the current state of a loop or of a `Search`.

        Parameters
        ----------
        step : Step or Search
            A step of the loop that ends a generation (`step.ends_generation`), or a `divergent.Search`, whose pending
            individuals are saved as well.
        notes : object, default=None
            Data that `restore` returns, such as the best individual so far. Notes consist of JSON-serialisable data and
            individuals.

        Raises
        ------
        ValueError
            If the step does not end a generation.
        TypeError
            If an individual or a note cannot be converted to JSON-serialisable data.
        """
        search = None if isinstance(step, Step) else step
        if isinstance(step, Step) and not step.ends_generation:
            raise ValueError(
                "step must end a generation, got a step within a generation; save steps whose ends_generation is True"
            )
        check_at_least(0, generation=step.generation, evaluations=step.evaluations)
        pool = ArrayPool()
        individuals = _Individuals(step.population, IndividualFormat(type(step.population[0]), *self._form), pool)
        content = {
            "kind": KIND,
            "run": self._run(step.population, search),
            "generation": int(step.generation),
            "evaluations": int(step.evaluations),
            "population": [individuals.index(individual) for individual in step.population],
            "notes": to_jsonable(notes, individuals.index, pool),
            "search": None if search is None else to_jsonable(search.state(), individuals.index, pool),
            "parts": {name: _state(part, step.population, pool) for name, part in self.parts.items()},
            "modules": {name: _state(module, (), pool) for name, module in MODULES.items()},
        }
        write_notes(self.path, content | {"individuals": individuals.rows}, **pool.arrays())

    def restore(self, population: list | Resumable) -> Start:
        """Restore strategy, species and all other saved objects, and return the state from which the loop resumes.

        Before this call, create strategy, species and random generators as for a new run.

        Parameters
        ----------
        population : list or Search
            Initial population, which is returned if there is no checkpoint, or a new `divergent.Search`, which resumes
            the saved search.

        Returns
        -------
        Start
            Population, completed generations and evaluations, and notes.

        Raises
        ------
        ValueError
            If the checkpoint file is damaged or belongs to another run; this error leaves the file unchanged.
        """
        search = None if isinstance(population, list) else population
        first = population if isinstance(population, list) else population.population
        run = self._run(first, search)
        # killed processes may have left temporary files
        for unfinished in glob.glob(f"{glob.escape(str(self.path))}.*.writing"):
            Path(unfinished).unlink(missing_ok=True)
        if not self.path.exists():
            return Start(first, 0, 0, None)
        content, arrays = read_notes(self.path)
        if content.get("kind") != KIND:
            raise ValueError(f"{self.path}: file must be a checkpoint, got a file of another kind; choose another path")
        differences = _differences(content.get("run"), run)
        if differences:
            raise ValueError(
                f"{self.path}: checkpoint must belong to this run, got another run: {differences}; "
                "choose another path, or remove the file"
            )
        try:
            form = IndividualFormat(type(first[0]), *self._form)
            return self._restored(content, form, ArrayPool(arrays), search)
        except INVALID_CONTENT as error:
            raise damaged(self.path, error) from error

    def _restored(
        self, content: dict[str, Any], form: IndividualFormat, pool: ArrayPool, search: Resumable | None
    ) -> Start:
        individuals = [_individual(row, form, pool) for row in content["individuals"]]
        population = [individuals[index] for index in _check_indices(content["population"], len(individuals))]
        if search is None and len(population) != content["run"]["individuals"]:
            raise ValueError(
                f"population must have the saved number of individuals, {content['run']['individuals']!r}, "
                f"got {len(population)}"
            )
        check_at_least(0, generation=content["generation"], evaluations=content["evaluations"])

        def by_index(index: Any) -> Any:
            return individuals[_check_indices([index], len(individuals))[0]]

        notes = from_jsonable(content["notes"], by_index, pool)
        for name, part in self.parts.items():
            _restore(part, content["parts"][name], population, pool)
        for name, module in MODULES.items():
            _restore(module, content["modules"][name], (), pool)
        if search is not None:
            search.restore(population, from_jsonable(content["search"], by_index, pool))
        return Start(population, content["generation"] + 1, content["evaluations"], notes)

    def _run(self, population: list, search: Resumable | None = None) -> dict[str, Any]:
        """Return the properties of a run that must be equal when a loop resumes."""
        if not isinstance(population, list) or not population:
            raise ValueError(f"population must be a list of at least one individual, got {brief(population)}")
        return {
            # the population of a search may shrink, because `Search.forget` discards individuals
            "individuals": len(population) if search is None else None,
            "search": None if search is None else type(search).__name__,
            "class": type(population[0]).__name__,
            "parts": {name: type(part).__name__ for name, part in self.parts.items()},
            "settings": self.settings,
        }


def write_notes(path: Path, notes: dict[str, Any], **arrays: np.ndarray) -> None:
    """Write a checkpoint file that contains arrays, JSON-serialisable notes and the version of the package."""
    text = json.dumps({"version": __version__} | notes)
    write_sealed_npz(path, notes=np.frombuffer(text.encode(), dtype=np.uint8), **arrays)


def read_notes(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read the notes and arrays of a checkpoint file; a damaged file or another package version raises a ValueError."""
    try:
        arrays = read_sealed_npz(path)
        text = arrays.pop("notes", None)
        if text is None or text.ndim != 1 or text.dtype != np.uint8:
            raise ValueError("the file must contain an array of bytes named notes, got none")
        notes = parse_object(text.tobytes().decode(), "notes")
    except ValueError as error:
        raise damaged(path, error) from error
    version = notes.pop("version", None)
    if version != __version__:
        raise ValueError(
            f"{path}: the checkpoint version must be {__version__!r}, got {version!r:.40}; "
            "remove the file to restart the run, or resume the run with that version of divergent"
        )
    return notes, arrays


def damaged(path: Path, error: Exception) -> ValueError:
    """Return a ValueError that reports a truncated or damaged checkpoint file and the reason."""
    reason = " ".join(str(error).removeprefix(f"{path}: ").split())[:300]
    return ValueError(f"{path}: the checkpoint is truncated or damaged ({reason}); remove it to restart the run")


class _Individuals:
    """List of individuals as JSON-serialisable data; each individual is stored once, however often it is referenced."""

    def __init__(self, population: list, form: IndividualFormat, pool: ArrayPool) -> None:
        self.rows: list[dict[str, Any]] = []
        self._form, self._pool = form, pool
        # maps the Python `id` of each individual to the index of its data in `rows`
        self._indices: dict[int, int] = {}

    def index(self, individual: Any) -> int:
        """Return the index of an individual in the stored list; append the individual if it is not stored yet."""
        if id(individual) not in self._indices:
            if not hasattr(getattr(individual, "fitness", None), "wvalues"):
                raise TypeError(
                    "notes must consist of JSON-serialisable data and individuals with a DEAP fitness, "
                    f"got {brief(individual)}"
                )
            self._indices[id(individual)] = len(self.rows)
            self.rows.append(self._row(individual))
        return self._indices[id(individual)]

    def _row(self, individual: Any) -> dict[str, Any]:
        """Return the genotype, the other attributes and the fitness of an individual as JSON-serialisable data."""
        fitness = dict(vars(individual.fitness))
        if "behaviour" in fitness:
            fitness["behaviour"] = _as_base_type(fitness["behaviour"])
        if "ancestors" in fitness:
            fitness["ancestors"] = tuple(map(_as_base_type, fitness["ancestors"]))
        row = self._form.save(individual, self._pool)
        return row | {"fitness": to_jsonable(fitness, pool=self._pool)}


def _as_base_type(behaviour: Any) -> Any:
    """Convert a behaviour of a derived class, such as `creator.Individual`, to its base type, such as list or array."""
    if isinstance(behaviour, np.ndarray | array.array):
        return np.asarray(behaviour)
    kinds = (list, tuple, set, frozenset, str)
    return next((kind(behaviour) for kind in kinds if isinstance(behaviour, kind)), behaviour)


def _individual(row: dict[str, Any], form: IndividualFormat, pool: ArrayPool) -> Any:
    individual = form.load(row, pool)
    fitness = from_jsonable(row["fitness"], pool=pool)
    values, weights = fitness.get("wvalues", ()), individual.fitness.weights
    if not isinstance(values, tuple) or len(values) not in (0, len(weights)):
        raise ValueError(f"the fitness must have {len(weights)} values, one for each weight, got {brief(values)}")
    for name, value in fitness.items():
        setattr(individual.fitness, name, value)
    return individual


def _check_indices(values: list, size: int) -> list:
    """Return the indices unchanged; raise an error unless each is a valid index of a list of `size` items."""
    for value in values:
        if type(value) is not int or not 0 <= value < size:
            raise ValueError(f"index of an individual must be an integer from 0 to {size - 1}, got {brief(value)}")
    return values


STATE_ACCESS: dict[tuple[str, ...], tuple[Callable, Callable]] = {
    ("state", "restore"): (lambda part: part.state(), lambda part, state: part.restore(state)),
    ("getstate", "setstate"): (lambda part: part.getstate(), lambda part, state: part.setstate(state)),
    ("get_state", "set_state"): (lambda part: part.get_state(legacy=False), lambda part, state: part.set_state(state)),
    ("bit_generator",): (
        lambda part: part.bit_generator.state,
        lambda part, state: setattr(part.bit_generator, "state", state),
    ),
}
"""Functions that return and restore the state of an object, by the attributes of the object."""


def _state_access(part: Any) -> tuple[Callable, Callable] | None:
    """Return the functions that get and set the state of an object, or None if the object has no state."""
    for names, functions in STATE_ACCESS.items():
        if all(hasattr(part, name) for name in names):
            return functions
    return None


def _state(part: Any, population: Sequence, pool: ArrayPool) -> dict[str, Any]:
    get_state, _ = _state_access(part) or (None, None)
    assert get_state is not None
    # If the members of the species are the current population, `Species.restore` needs the population as an argument.
    divided = hasattr(part, "divides") and part.divides(population)
    return {"state": to_jsonable(get_state(part), pool=pool), "divided": divided}


def _restore(part: Any, saved: dict[str, Any], population: Sequence, pool: ArrayPool) -> None:
    _, set_state = _state_access(part) or (None, None)
    assert set_state is not None
    state = from_jsonable(saved["state"], pool=pool)
    if saved["divided"] is True:
        part.restore(state, population)
    else:
        set_state(part, state)


def _differences(saved: Any, run: dict[str, Any]) -> str:
    """Describe how the run that wrote a checkpoint differs from the current run."""
    if not isinstance(saved, dict):
        return f"it is of {brief(saved)}"
    return "; ".join(
        f"{name} {brief(saved.get(name))} there, {brief(run[name])} here"
        for name in run
        if saved.get(name) != run[name]
    )
