"""A loop of one's own, kept in a file: killed at any moment, it goes on as if nothing had happened."""

import array
import glob
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from divergent.loops import Step
from divergent.persistence.files import parse_object, read_sealed_npz, write_sealed_npz
from divergent.persistence.serialization import from_plain, to_plain
from divergent.validation import brief, check_at_least
from divergent.version import __version__

KIND = "divergent.Checkpoint"
MODULES = {"random": random, "numpy.random": np.random}  # which everybody may draw from, as DEAP's own tools do
OF_FILES = (TypeError, LookupError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What a file with other content than it should have makes those raise who are restored from it."""


class Start(NamedTuple):
    """Where a loop begins, or goes on."""

    population: list
    done: int
    """How many generations are done, for `evolve` and `steady_state`."""
    evaluations: int
    """How many evaluations are done, for `evolve`."""
    notes: Any
    """What was given to `Checkpoint.save`; None at the beginning."""


class Checkpoint:
    """A file that keeps a loop: its population and everything that changes while it runs.

    A loop that was stopped, and is started again with the same program, ends exactly as if it had never been stopped.
    The file always holds the whole of the newest checkpoint, whenever the process is killed. It is JSON in an npz file
    with a digest, checked when it is read, and nothing in it is executed.

    Python's module `random` and numpy's `numpy.random`, which DEAP's own tools draw from, are kept without being named.

    Parameters
    ----------
    path
        The file, for one process at a time.
    settings
        Plain data that decides the run, for instance its seed and rates: a checkpoint of others is refused.
    dump, load
        How individuals are kept: `dump(individual)` gives plain data (None, numbers, strings, lists, tuples,
        dictionaries, arrays of numbers), `load(data)` makes the individual again; the fitness is kept beside. None for
        genomes and for individuals made from lists, numpy's arrays or Python's, which are kept with all attributes.
    parts
        What else changes in the course of the run, each by a name of its own: whatever has `state` and `restore`
        (strategies, species, innovations), and generators (numpy's, or a `random.Random`).

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
        **parts: Any,
    ):
        if (dump is None) != (load is None):
            raise ValueError(f"dump and load are given together or not at all, got {brief(dump)} and {brief(load)}")
        for name, part in parts.items():
            if isinstance(part, type) or _way(part) is None:
                raise TypeError(
                    f"{name} must have state and restore, or be a generator of numpy or Python, got {brief(part)}"
                )
        self.path = Path(path)
        self.settings = to_plain(settings)
        self.parts = parts
        self._dump, self._load = dump, load

    def save(self, step: Step, notes: Any = None) -> None:
        """Keep the loop as it is after a step, in place of the checkpoint before.

        Parameters
        ----------
        step
            What the loop yielded; in `steady_state` one that ends a generation (`step.ends_generation`).
        notes
            What you want back from `restore`: plain data, and individuals, such as the best so far.
        """
        if not step.ends_generation:
            raise ValueError("a loop goes on from the end of a generation: save a step whose ends_generation is True")
        check_at_least(0, generation=step.generation, evaluations=step.evaluations)
        people = _People(step.population, self._dump)
        content = {
            "kind": KIND,
            "run": self._run(step.population),
            "generation": int(step.generation),
            "evaluations": int(step.evaluations),
            "population": [people.number(one) for one in step.population],
            "notes": to_plain(notes, people.number),
            "parts": {name: _state(part, step.population) for name, part in self.parts.items()},
            "modules": {name: _state(module, ()) for name, module in MODULES.items()},
        }
        write_notes(self.path, content | {"individuals": people.kept})

    def restore(self, population: list) -> Start:
        """Where to begin: with the population given if there is no checkpoint, else where the newest one was saved.

        Everything is made first, as for a new run, and is then changed to what it was. A file that is damaged, or the
        checkpoint of another run, is refused with a ValueError and kept.
        """
        here = self._run(population)
        for left in glob.glob(f"{glob.escape(str(self.path))}.*.writing"):  # by whoever was killed while saving
            Path(left).unlink(missing_ok=True)
        if not self.path.exists():
            return Start(population, 0, 0, None)
        content, _ = read_notes(self.path)
        if content.get("kind") != KIND:
            raise ValueError(f"{self.path}: this is not the checkpoint of a loop; choose another file")
        differences = _differences(content.get("run"), here)
        if differences:
            raise ValueError(
                f"{self.path}: is the checkpoint of another run: {differences}; choose another file, or remove it"
            )
        try:
            return self._restored(content, type(population[0]))
        except OF_FILES as error:
            raise damaged(self.path, error) from error

    def _restored(self, content, kind):
        individuals = [_individual(row, kind, self._load) for row in content["individuals"]]
        population = [individuals[number] for number in _numbers(content["population"], len(individuals))]
        if len(population) != content["run"]["individuals"]:
            raise ValueError(f"{content['run']['individuals']!r} individuals are told, there are {len(population)}")
        check_at_least(0, generation=content["generation"], evaluations=content["evaluations"])
        notes = from_plain(content["notes"], lambda number: individuals[_numbers([number], len(individuals))[0]])
        for name, part in self.parts.items():
            _restore(part, content["parts"][name], population)
        for name, module in MODULES.items():
            _restore(module, content["modules"][name], ())
        return Start(population, content["generation"] + 1, content["evaluations"], notes)

    def _run(self, population):
        """What must be the same when a loop goes on."""
        if not isinstance(population, list) or not population:
            raise ValueError(f"a population is a list of at least one individual, got {brief(population)}")
        return {
            "individuals": len(population),
            "class": type(population[0]).__name__,
            "parts": {name: type(part).__name__ for name, part in self.parts.items()},
            "settings": self.settings,
        }


def write_notes(path: Path, notes: dict[str, Any], **arrays: np.ndarray) -> None:
    """Write a checkpoint in place of the one before: JSON notes with the version, and arrays."""
    text = json.dumps({"version": __version__} | notes)
    write_sealed_npz(path, notes=np.frombuffer(text.encode(), dtype=np.uint8), **arrays)


def read_notes(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read back what `write_notes` wrote, every byte of it; anything else, or of another version, is refused."""
    try:
        arrays = read_sealed_npz(path)
        text = arrays.pop("notes", None)
        if text is None or text.ndim != 1 or text.dtype != np.uint8:
            raise ValueError("it has no notes")
        notes = parse_object(text.tobytes().decode(), "notes")
    except ValueError as error:
        raise damaged(path, error) from error
    version = notes.pop("version", None)
    if version != __version__:
        raise ValueError(
            f"{path}: begun with version {version!r:.40} of divergent, this is {__version__}; "
            "remove it to begin this run again"
        )
    return notes, arrays


def damaged(path: Path, error: Exception) -> ValueError:
    """The refusal of a checkpoint that cannot be gone on from."""
    reason = " ".join(str(error).removeprefix(f"{path}: ").split())[:300]
    return ValueError(f"{path}: the checkpoint is truncated or damaged ({reason}); remove it to begin this run again")


class _People:
    """Individuals as plain data: each once, since selectors may choose one several times, and it stays one."""

    def __init__(self, population, dump):
        self.kept = []
        self._kind = type(population[0])
        self._dump = dump
        self._numbers = {}
        self._known = None  # the attributes that an individual's content makes again

    def number(self, individual):
        """The place of an individual among those that are kept."""
        # two with one id are one, for the population and the notes hold them while this is asked
        if id(individual) not in self._numbers:
            if not hasattr(getattr(individual, "fitness", None), "wvalues"):
                raise TypeError(
                    f"only plain data and individuals with a DEAP fitness are kept, got {brief(individual)}"
                )
            if self._dump is None and type(individual) is not self._kind:
                raise TypeError(f"individuals are all of one class, {self._kind.__name__}, got {brief(individual)}")
            self._numbers[id(individual)] = len(self.kept)
            self.kept.append(self._row(individual))
        return self._numbers[id(individual)]

    def _row(self, individual):
        if self._dump is not None:
            content, attributes = to_plain(self._dump(individual)), {}
        else:
            content = _content(individual)
            if self._known is None:
                made = vars(_made(self._kind, content)) if hasattr(individual, "to_json") else {}
                self._known = {*made, "fitness"}
            attributes = {name: value for name, value in vars(individual).items() if name not in self._known}
        fitness = dict(vars(individual.fitness))
        if "behaviour" in fitness:
            fitness["behaviour"] = _bare(fitness["behaviour"])
        return {"content": content, "attributes": to_plain(attributes), "fitness": to_plain(fitness)}


def _bare(behaviour):
    """A behaviour without what else it is: often it is the individual itself."""
    if isinstance(behaviour, np.ndarray | array.array):
        return np.asarray(behaviour)
    return next((kind(behaviour) for kind in (list, tuple) if isinstance(behaviour, kind)), behaviour)


def _content(individual):
    """An individual of a kind that is known, as plain data."""
    if hasattr(individual, "to_json"):
        return json.loads(individual.to_json())
    if isinstance(individual, np.ndarray):
        return to_plain(np.asarray(individual))
    if isinstance(individual, list | array.array):
        return to_plain(list(individual))
    raise TypeError(
        f"individuals are genomes, lists or arrays, or are kept by a dump and a load of yours; got {brief(individual)}"
    )


def _made(kind, content):
    if hasattr(kind, "from_json"):
        return kind.from_json(content)
    value = from_plain(content)
    made = kind(value)
    if isinstance(value, np.ndarray) and (made.dtype != value.dtype or made.shape != value.shape):
        raise ValueError(
            f"{kind.__name__} makes {made.dtype} {made.shape} of {value.dtype} {value.shape}: give dump and load"
        )
    return made


def _individual(row, kind, load):
    one = _made(kind, row["content"]) if load is None else load(from_plain(row["content"]))
    for name, value in from_plain(row["attributes"]).items():
        setattr(one, name, value)
    fitness = from_plain(row["fitness"])
    found = fitness.get("wvalues", ())
    if not isinstance(found, tuple) or len(found) not in (0, len(one.fitness.weights)):
        raise ValueError(f"a fitness has one value for each of {len(one.fitness.weights)} weights, got {brief(found)}")
    for name, value in fitness.items():
        setattr(one.fitness, name, value)
    return one


def _numbers(values, size):
    """Places in a list of a size."""
    for value in values:
        if type(value) is not int or not 0 <= value < size:
            raise ValueError(f"individuals are numbered from 0 to {size - 1}, got {brief(value)}")
    return values


WAYS: dict[tuple[str, ...], tuple[Callable, Callable]] = {
    ("state", "restore"): (lambda part: part.state(), lambda part, state: part.restore(state)),
    ("getstate", "setstate"): (lambda part: part.getstate(), lambda part, state: part.setstate(state)),
    ("get_state", "set_state"): (lambda part: part.get_state(legacy=False), lambda part, state: part.set_state(state)),
    ("bit_generator",): (
        lambda part: part.bit_generator.state,
        lambda part, state: setattr(part.bit_generator, "state", state),
    ),
}
"""By the attributes that a part has: how its state is taken, and how it is given back."""


def _way(part):
    return next((way for names, way in WAYS.items() if all(hasattr(part, name) for name in names)), None)


def _state(part, population):
    take, _ = _way(part)
    # a loop of single births divides the population as it stands, a generational one will divide it anew
    divided = hasattr(part, "divides") and part.divides(population)
    return {"state": to_plain(take(part)), "divided": divided}


def _restore(part, kept, population):
    _, give = _way(part)
    state = from_plain(kept["state"])
    if kept["divided"] is True:
        part.restore(state, population)
    else:
        give(part, state)


def _differences(there, now):
    """What another run has that this one has not, in words."""
    if not isinstance(there, dict):
        return f"it is of {brief(there)}"
    return "; ".join(
        f"{name} {brief(there.get(name))} there, {brief(now[name])} here"
        for name in now
        if there.get(name) != now[name]
    )
