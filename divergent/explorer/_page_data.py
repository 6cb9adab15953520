"""Convert the page content of a run to JSON and compressed arrays, which the script of the page reads."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from divergent.explorer._array_bundle import Bundle
from divergent.explorer._descriptions import name_of, sentence_of
from divergent.explorer._scene import GRID, Scene
from divergent.history import Generation


def bundle_of(scene: Scene, level: int = 9) -> tuple[dict[str, Any], bytes]:
    """Convert the page content of a run to the data that the script of the page reads.

    Parameters
    ----------
    scene : Scene
        Page content of a run.
    level : int, default=9
        Compression level from 1 (fastest) to 9 (smallest).

    Returns
    -------
    tuple of dict and bytes
        JSON-serialisable description, and compressed arrays; the entry "arrays" of the description lists the arrays.
    """
    history, bundle = scene.history, Bundle()
    numbers = np.arange(len(history))
    for place, dimension in enumerate(scene.dimensions):
        bundle.add_measured(f"behaviour{place}", scene.values[:, place], dimension.low, dimension.high)
    bundle.add_measured("quality", scene.qualities)
    bundle.add_measured("score", history.scores)
    parents = history.parents
    for name, column in (("firstParent", parents[:, 0]), ("secondParent", parents[:, 1])):
        bundle.add(name, np.where(column < 0, 0, numbers - column), np.int32)  # differences compress well
    bundle.add("size", history.sizes.clip(0, 65535), np.uint16)
    bundle.add("species", history.species, np.int32)
    bundle.add("first", [generation.first for generation in history.generations], np.int32)
    bundle.add("generation", [generation.number for generation in history.generations], np.int32)
    add_species(bundle, history.generations)
    add_memory(bundle, history.generations, history.behaviours.shape[1], scene.expand, len(scene.dimensions))
    if scene.trails is not None:
        start = np.zeros((len(scene.trails), 1, 2), dtype=np.uint8)
        # differences between successive positions, modulo 256, compress better than the positions
        bundle.add("trails", np.diff(scene.trails, axis=1, prepend=start), np.uint8)
    _add_robots(bundle, scene.robots)
    description = {
        "title": scene.title,
        "facts": scene.facts,
        "search": scene.search,
        "searchName": name_of(scene.search) if scene.search else "",
        "sentence": sentence_of(scene.search, maze=scene.maze is not None),
        "settings": scene.settings,
        "evaluations": len(history),
        "dimensions": [dimension._asdict() for dimension in scene.dimensions],
        "plane": scene.plane,
        "measure": scene.measure,
        "smaller": scene.smaller,
        "solution": scene.solution,
        "remark": scene.remark,
        "maze": scene.maze,
        "background": scene.background,
        "backgroundPlane": scene.plane,
        "images": scene.images,
        "trailPoints": 0 if scene.trails is None else scene.trails.shape[1],
        "grid": GRID,
        "roles": [robot.role for robot in scene.robots.values()],
        "arrays": bundle.table,
    }
    return description, bundle.content(level)


def add_species(bundle: Bundle, generations: Sequence[Generation]) -> None:
    """Add the ids and sizes of the species in each generation to a bundle of arrays."""
    bundle.add("riverCount", [len(generation.species) for generation in generations], np.int32)
    bundle.add("riverSpecies", [name for generation in generations for name in generation.species], np.int32)
    bundle.add("riverSize", [size for generation in generations for size in generation.species.values()], np.int32)


def add_memory(
    bundle: Bundle,
    generations: Sequence[Generation],
    width: int,
    expand: Callable[[np.ndarray], np.ndarray],
    dimensions: int,
) -> None:
    """Add the centroids, predictions and archive entries of each generation to a bundle of arrays.

    Parameters
    ----------
    bundle : Bundle
        Bundle to which arrays are added.
    generations : sequence of Generation
        Generations with copies of the strategy's state.
    width : int
        Number of behaviour dimensions. Arrays whose number of columns is not equal to `width` are omitted.
    expand : callable
        Function that maps behaviours of shape (m, width) to the dimensions that the page shows.
    dimensions : int
        Number of dimensions that the page shows.
    """

    def add_behaviours(name: str, parts: list[np.ndarray]) -> None:
        rows = expand(np.vstack(parts)) if parts else np.empty((0, dimensions))
        for place in range(dimensions):
            # predictions may lie outside the limits of the page, so values are not clipped
            bundle.add_measured(f"{name}{place}", rows[:, place])

    for name in ("centroids", "predictions"):
        rows = [remembered(generation, name, width) for generation in generations]
        bundle.add(f"{name}Count", [len(part) for part in rows], np.int32)
        add_behaviours(name, [part for part in rows if len(part)])
    occupied = [generation.memory.get("occupied", np.empty(0)) for generation in generations]
    bundle.add("occupiedCount", [len(part) for part in occupied], np.int32)
    bundle.add("occupied", np.concatenate(occupied) if occupied else (), np.uint8)
    entries, joined, left_at = _lives([remembered(generation, "archive", width) for generation in generations])
    add_behaviours("archive", [np.array(entries)] if entries else [])
    bundle.add("archiveFrom", joined, np.int32)
    bundle.add("archiveTo", left_at, np.int32)
    bundle.add("threshold", [float(generation.memory.get("threshold", 0.0)) for generation in generations], np.float32)


def remembered(generation: Generation, name: str, width: int) -> np.ndarray:
    """Return behaviours that the strategy stored in a generation, such as its archive; empty if there are none."""
    rows = generation.memory.get(name)
    return rows if rows is not None and rows.ndim == 2 and rows.shape[1] == width else np.empty((0, width))


def _lives(archives: list[np.ndarray]) -> tuple[list[np.ndarray], list[int], list[int]]:
    """Return all archive entries, with the generations in which each entry was added and removed.

    New entries are appended and the oldest entries are removed, so the archives of consecutive generations overlap.
    """
    entries: list[np.ndarray] = []
    joined: list[int] = []
    left: list[int] = []
    alive: list[int] = []
    before = np.empty((0, 0))
    for generation, archive in enumerate(archives):
        lost = 0
        while lost < len(before) and not np.array_equal(before[lost:], archive[: len(before) - lost]):
            lost += 1
        for entry in alive[:lost]:
            left[entry] = generation
        added = archive[len(before) - lost :]
        alive = alive[lost:] + list(range(len(entries), len(entries) + len(added)))
        entries += list(added)
        joined += [generation] * len(added)
        left += [len(archives)] * len(added)
        before = archive
    return entries, joined, left


def _add_robots(bundle: Bundle, robots: dict[int, Any]) -> None:
    """Add the complete trajectories and the network connections of selected robots to the arrays of the page."""
    bundle.add("robots", list(robots), np.int32)
    bundle.add("robotSteps", [len(robot.moves) for robot in robots.values()], np.int32)
    moves = [robot.moves for robot in robots.values()]
    for column, name in enumerate(("moveX", "moveY", "moveHeading")):
        bundle.add(name, np.concatenate([part[:, column] for part in moves]) if moves else (), np.int8)
    links = [robot.links for robot in robots.values()]
    bundle.add("robotLinks", [len(part) for part in links], np.int32)
    rows = np.concatenate(links) if links else np.empty((0, 3))
    bundle.add("linkSource", rows[:, 0], np.int32)
    bundle.add("linkTarget", rows[:, 1], np.int32)
    bundle.add("linkWeight", rows[:, 2], np.float32)
