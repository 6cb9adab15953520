"""A scene as data for a page: what is plain as JSON, what is much as a bundle of arrays."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divergent.explorer._array_bundle import Bundle
from divergent.explorer._descriptions import sentence_of
from divergent.explorer._rerun import GRID, TRAIL_POINTS, Robot
from divergent.explorer._scene import Scene


def bundle_of(scene: Scene) -> tuple[dict[str, Any], str]:
    """What the page's script reads: a description, and the text of its arrays."""
    history, bundle = scene.history, Bundle()
    left, top, right, bottom = scene.bounds
    numbers = np.arange(len(history))
    bundle.add_measured("x", scene.points[:, 0], left, right)
    bundle.add_measured("y", scene.points[:, 1], top, bottom)
    bundle.add_measured("quality", scene.qualities)
    bundle.add_measured("score", history.scores)
    parents = history.parents
    for name, column in (("firstParent", parents[:, 0]), ("secondParent", parents[:, 1])):
        bundle.add(name, np.where(column < 0, 0, numbers - column), np.int32)  # how many births before
    bundle.add("size", history.sizes.clip(0, 65535), np.uint16)
    bundle.add("species", history.species, np.int32)
    bundle.add("first", [one.first for one in history.generations], np.int32)
    bundle.add("generation", [one.number for one in history.generations], np.int32)
    _add_species(bundle, history.generations)
    _add_memory(bundle, scene)
    if scene.trails is not None:
        start = np.zeros((len(scene.trails), 1, 2), dtype=np.uint8)
        bundle.add(
            "trails", np.diff(scene.trails, axis=1, prepend=start), np.uint8
        )  # changes compress better, modulo 256
    _add_robots(bundle, scene.robots)
    description = {
        "title": scene.title,
        "facts": scene.facts,
        "search": scene.search,
        "sentence": sentence_of(scene.search, maze=scene.maze is not None),
        "offspring": len(history),
        "bounds": scene.bounds,
        "axes": scene.axes,
        "measure": scene.measure,
        "smaller": scene.smaller,
        "solution": scene.solution,
        "remark": scene.remark,
        "maze": scene.maze,
        "trailPoints": TRAIL_POINTS,
        "grid": GRID,
        "roles": [robot.role for robot in scene.robots.values()],
        "arrays": bundle.table,
    }
    return description, bundle.text()


def _add_species(bundle: Bundle, generations: Sequence[Any]) -> None:
    """Pairs of species and size, and how many pairs each generation has."""
    bundle.add("riverCount", [len(one.species) for one in generations], np.int32)
    bundle.add("riverSpecies", [name for one in generations for name in one.species], np.int32)
    bundle.add("riverSize", [size for one in generations for size in one.species.values()], np.int32)


def _add_memory(bundle: Bundle, scene: Scene) -> None:
    """Centroids, predictions and the archive, as places in the plane; how many there are in each generation."""
    generations = scene.history.generations
    width = scene.history.behaviours.shape[1]

    def places(name: str, rows: list[np.ndarray]) -> None:
        flat = scene.project(np.vstack(rows)) if rows else np.empty((0, 2))
        bundle.add_measured(f"{name}X", flat[:, 0])  # a prediction may lie outside the bounds
        bundle.add_measured(f"{name}Y", flat[:, 1])

    def remembered(one: Any, name: str) -> np.ndarray:
        found = one.memory.get(name)
        # what a heatmap predicts is no behaviour
        return found if found is not None and found.ndim == 2 and found.shape[1] == width else np.empty((0, width))

    for name in ("centroids", "predictions"):
        rows = [remembered(one, name) for one in generations]
        bundle.add(f"{name}Count", [len(part) for part in rows], np.int32)
        places(name, [part for part in rows if len(part)])
    occupied = [one.memory.get("occupied", np.empty(0)) for one in generations]
    bundle.add("occupiedCount", [len(part) for part in occupied], np.int32)
    bundle.add("occupied", np.concatenate(occupied) if occupied else (), np.uint8)
    entries, joined, left_at = _lives([remembered(one, "archive") for one in generations])
    places("archive", [np.array(entries)] if entries else [])
    bundle.add("archiveFrom", joined, np.int32)
    bundle.add("archiveTo", left_at, np.int32)
    # in a projection of more numbers than two, distances are others than on the plane
    reaches = [float(one.memory.get("threshold", 0.0)) if width == 2 else 0.0 for one in generations]
    bundle.add("threshold", reaches, np.float32)


def _lives(archives: Sequence[np.ndarray]) -> tuple[list[np.ndarray], list[int], list[int]]:
    """Everything that was ever archived, with the generation it was first there and the first without it.

    Archives grow at the end and lose the oldest, so each is an end of the one before, with something added.
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


def _add_robots(bundle: Bundle, robots: Mapping[int, Robot]) -> None:
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
