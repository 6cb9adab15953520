"""Keep what an interrupted run needs to go on as if nothing had happened."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from divergent.individual import Outcome
from divergent.neat import Genome
from divergent.runs.record import write_whole


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
    write_whole(path, buffer.getvalue())


def load(path: Path, inputs: int, outputs: int) -> tuple[dict[str, Any], list[Genome], np.ndarray]:
    """Read back what `save` wrote."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        notes = json.loads(arrays["notes"].tobytes())
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
        return notes, population, arrays["positions"]
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(
            f"{path}: the checkpoint is truncated or damaged ({error}); remove it to begin this run again"
        ) from error
