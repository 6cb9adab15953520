"""Keep what an interrupted run needs to go on as if nothing had happened."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from divergent.individual import Outcome
from divergent.neat import Genome
from divergent.runs.record import write_whole
from divergent.storage import parse_object, read_sealed_npz, seal

ARRAYS = {"notes": 1, "genes": 2, "lengths": 1, "fitness": 2, "behaviours": 2, "positions": 2}  # and their dimensions


def save(path: Path, notes: dict[str, Any], population: list[Genome], positions: np.ndarray) -> None:
    """Write a checkpoint in place of the one before: JSON notes, the evaluated population, positions so far."""
    buffer = io.BytesIO()
    np.savez(
        buffer,
        notes=np.frombuffer(json.dumps(notes).encode(), dtype=np.uint8),
        genes=np.concatenate([genome.genes for genome in population]),
        lengths=np.array([len(genome.genes) for genome in population]),
        fitness=np.array([genome.fitness.values for genome in population]),
        behaviours=np.array([genome.fitness.behaviour for genome in population]),
        positions=positions,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, seal(buffer.getvalue()))


def load(path: Path, inputs: int, outputs: int) -> tuple[dict[str, Any], list[Genome], np.ndarray]:
    """Read back what `save` wrote, every byte of it; anything else is refused."""
    try:
        arrays = read_sealed_npz(path)
        _check(arrays)
        notes = parse_object(arrays["notes"].tobytes().decode(), "notes")
        return notes, _population(arrays, inputs, outputs), arrays["positions"]
    except ValueError as error:
        raise damaged(path, error) from error


def damaged(path: Path, error: Exception) -> ValueError:
    """The refusal of a checkpoint that cannot be gone on from."""
    reason = " ".join(str(error).removeprefix(f"{path}: ").split())[:300]
    return ValueError(f"{path}: the checkpoint is truncated or damaged ({reason}); remove it to begin this run again")


def _check(arrays: dict[str, np.ndarray]) -> None:
    if arrays.keys() != ARRAYS.keys():
        raise ValueError(f"it has {', '.join(ARRAYS)}; got {', '.join(arrays) or 'nothing'}")
    for name, dimensions in ARRAYS.items():
        kind = {"notes": "u", "lengths": "i"}.get(name, "f")
        if arrays[name].ndim != dimensions or arrays[name].dtype.kind != kind:
            raise ValueError(f"{name} has shape {arrays[name].shape} and type {arrays[name].dtype}")
        if kind == "f" and not np.isfinite(arrays[name]).all():
            raise ValueError(f"{name} has numbers that are not finite")
    lengths, size = arrays["lengths"], len(arrays["lengths"])
    if not size or (lengths < 0).any() or sum(lengths.tolist()) != len(arrays["genes"]):
        raise ValueError(f"{len(arrays['genes'])} genes do not make up {size} genomes")
    for name in ("fitness", "behaviours"):
        if len(arrays[name]) != size:
            raise ValueError(f"{name} are one row for each of {size} genomes, got {len(arrays[name])}")


def _population(arrays: dict[str, np.ndarray], inputs: int, outputs: int) -> list[Genome]:
    population = []
    for genes, fitness, behaviour in zip(
        np.split(arrays["genes"], np.cumsum(arrays["lengths"])[:-1]),
        arrays["fitness"].tolist(),
        arrays["behaviours"],
        strict=True,
    ):
        genome = Genome(genes.copy(), inputs, outputs)
        genome.fitness.values = Outcome(fitness, behaviour=behaviour)
        population.append(genome)
    return population
