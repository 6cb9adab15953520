"""Keep what an interrupted run needs to go on as if nothing had happened."""

from pathlib import Path
from typing import Any

import numpy as np

from divergent.individual import Outcome
from divergent.neat import Genome
from divergent.persistence.checkpoint import damaged, read_notes, write_notes
from divergent.validation import brief

ARRAYS = {"members": 1, "genes": 2, "lengths": 1, "fitness": 2, "behaviours": 2, "positions": 2}  # and their dimensions


def place_of(folder: Path) -> Path:
    """Where the checkpoint of a run is whose record will be in a folder."""
    return folder.with_name(folder.name + ".checkpoint.npz")


def save(path: Path, notes: dict[str, Any], population: list[Genome], positions: np.ndarray) -> None:
    """Write a checkpoint in place of the one before: JSON notes, the evaluated population, positions so far.

    A genome that a selector has chosen several times is kept once, and stays one.
    """
    kept = list({id(genome): genome for genome in population}.values())
    place = {id(genome): number for number, genome in enumerate(kept)}
    write_notes(
        path,
        notes,
        members=np.array([place[id(genome)] for genome in population]),
        genes=np.concatenate([genome.genes for genome in kept]),
        lengths=np.array([len(genome.genes) for genome in kept]),
        fitness=np.array([genome.fitness.values for genome in kept]),
        behaviours=np.array([genome.fitness.behaviour for genome in kept]),
        positions=positions,
    )


def load(path: Path, inputs: int, outputs: int) -> tuple[dict[str, Any], list[Genome], np.ndarray]:
    """Read back what `save` wrote, every byte of it; anything else is refused."""
    notes, arrays = read_notes(path)
    if "members" not in arrays and "lengths" in arrays:  # where everybody is there once, as in earlier checkpoints
        arrays["members"] = np.arange(arrays["lengths"].size)
    try:
        _check(arrays)
        return notes, _population(arrays, inputs, outputs), arrays["positions"]
    except ValueError as error:
        raise damaged(path, error) from error


def _check(arrays: dict[str, np.ndarray]) -> None:
    if arrays.keys() != ARRAYS.keys():
        raise ValueError(f"it has {', '.join(ARRAYS)}; got {', '.join(arrays) or 'nothing'}")
    for name, dimensions in ARRAYS.items():
        kind = "i" if name in ("members", "lengths") else "f"
        if arrays[name].ndim != dimensions or arrays[name].dtype.kind != kind:
            raise ValueError(f"{name} has shape {arrays[name].shape} and type {arrays[name].dtype}")
        if kind == "f" and not np.isfinite(arrays[name]).all():
            raise ValueError(f"{name} has numbers that are not finite")
    lengths, size = arrays["lengths"], len(arrays["lengths"])
    if not size or (lengths < 0).any() or sum(lengths.tolist()) != len(arrays["genes"]):
        raise ValueError(f"{len(arrays['genes'])} genes do not make up {size} genomes")
    if sorted(set(arrays["members"].tolist())) != list(range(size)):
        raise ValueError(
            f"each of {size} genomes is a member, and nobody else; got {brief(arrays['members'].tolist())}"
        )
    for name in ("fitness", "behaviours"):
        if len(arrays[name]) != size:
            raise ValueError(f"{name} are one row for each of {size} genomes, got {len(arrays[name])}")


def _population(arrays: dict[str, np.ndarray], inputs: int, outputs: int) -> list[Genome]:
    genomes = []
    for genes, fitness, behaviour in zip(
        np.split(arrays["genes"], np.cumsum(arrays["lengths"])[:-1]),
        arrays["fitness"].tolist(),
        arrays["behaviours"],
        strict=True,
    ):
        genome = Genome(genes.copy(), inputs, outputs)
        genome.fitness.values = Outcome(fitness, behaviour=behaviour)
        genomes.append(genome)
    return [genomes[number] for number in arrays["members"].tolist()]
