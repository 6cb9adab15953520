"""Checkpoints of maze runs."""

from pathlib import Path
from typing import Any

import numpy as np

from divergent.individual import Outcome
from divergent.neat import Genome
from divergent.persistence._checkpoint import damaged, read_notes, write_notes
from divergent.validation import brief

ARRAYS = {"members": 1, "genes": 2, "lengths": 1, "fitness": 2, "behaviours": 2, "positions": 2}  # and their dimensions


def checkpoint_path(folder: Path) -> Path:
    """Return the path of the checkpoint of a run, next to the folder of its record."""
    return folder.with_name(folder.name + ".checkpoint.npz")


def save(path: Path, notes: dict[str, Any], population: list[Genome], positions: np.ndarray) -> None:
    """Replace the checkpoint: JSON notes, the evaluated population, the final positions so far.

    A genome that was selected several times is stored once, so that it is one object again after loading.
    """
    genomes = list({id(genome): genome for genome in population}.values())
    index = {id(genome): number for number, genome in enumerate(genomes)}
    write_notes(
        path,
        notes,
        members=np.array([index[id(genome)] for genome in population]),
        genes=np.concatenate([genome.genes for genome in genomes]),
        lengths=np.array([len(genome.genes) for genome in genomes]),
        fitness=np.array([genome.fitness.values for genome in genomes]),
        behaviours=np.array([genome.fitness.behaviour for genome in genomes]),
        positions=positions,
    )


def load(path: Path, inputs: int, outputs: int) -> tuple[dict[str, Any], list[Genome], np.ndarray]:
    """Read the notes, the population and the positions of a checkpoint; a ValueError if it is damaged."""
    notes, arrays = read_notes(path)
    try:
        _check(arrays)
        return notes, _population(arrays, inputs, outputs), arrays["positions"]
    except ValueError as error:
        raise damaged(path, error) from error


def _check(arrays: dict[str, np.ndarray]) -> None:
    """Raise an error unless the arrays describe a population and its positions."""
    if arrays.keys() != ARRAYS.keys():
        raise ValueError(f"arrays must be {', '.join(ARRAYS)}, got {', '.join(arrays) or 'nothing'}")
    for name, dimensions in ARRAYS.items():
        kind = "i" if name in ("members", "lengths") else "f"
        if arrays[name].ndim != dimensions or arrays[name].dtype.kind != kind:
            raise ValueError(
                f"{name} must have {dimensions} dimensions of type {kind}, "
                f"got shape {arrays[name].shape} of {arrays[name].dtype}"
            )
        if kind == "f" and not np.isfinite(arrays[name]).all():
            raise ValueError(f"{name} must be finite numbers, got nan or infinity")
    lengths, size = arrays["lengths"], len(arrays["lengths"])
    if not size or (lengths < 0).any() or sum(lengths.tolist()) != len(arrays["genes"]):
        raise ValueError(f"lengths must add up to {len(arrays['genes'])} genes, got {brief(lengths.tolist())}")
    if sorted(set(arrays["members"].tolist())) != list(range(size)):
        raise ValueError(
            f"members must contain each index from 0 to {size - 1}, got {brief(arrays['members'].tolist())}"
        )
    for name in ("fitness", "behaviours"):
        if len(arrays[name]) != size:
            raise ValueError(f"{name} must have one row for each of {size} genomes, got {len(arrays[name])}")


def _population(arrays: dict[str, np.ndarray], inputs: int, outputs: int) -> list[Genome]:
    """Build the evaluated population from the arrays of a checkpoint."""
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
