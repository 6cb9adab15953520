"""Turn the records of an experiment into compact results that can be kept with the code.

A folder of results holds `runs.csv` (a row a run), `curves.npz` (best fitness so far, a row a run in the same order, at
equally spaced evaluations up to the budget), `visits.npz` (final positions counted in cells, for each maze and search),
`solutions.csv` (a row a run that solved: how far its solution is from those of the other runs) and `commands.txt` (what
makes the records again).
"""

import dataclasses
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from divergent.analysis import DIVERSITY, RUN_COLUMNS, between, run_curve, run_row, visits
from divergent.replicate import paper
from divergent.replicate.experiments import Part
from divergent.runs.record import Record, npz, read, write_whole
from divergent.runs.settings import LOOPS, Plan, Settings
from divergent.runs.usual import POPULATION

RUNS, CURVES, VISITS = "runs.csv", "curves.npz", "visits.npz"
SOLUTIONS, COMMANDS = "solutions.csv", "commands.txt"
DECIMALS = {"best_fitness": 4, "entropy": 6, "compatibility": 4, "disjoint": 4, "excess": 4, "weight_difference": 6}
WHOLE = ("neighbours", "clusters", "history")  # numbers that not every search has
OWN = ("clusters", "neighbours", "seed")  # what tells runs of a search in a maze apart
SOLUTION_COLUMNS = ("maze", "search", *OWN, *DIVERSITY)


class Results(NamedTuple):
    """The compact results of an experiment."""

    runs: pd.DataFrame
    curves: np.ndarray
    """Best fitness so far, shape (runs, points)."""

    visits: dict[str, np.ndarray]
    """Counts by "maze/search" of all runs, and by "maze/search/seed" of a typical run where the paper shows one."""

    solutions: pd.DataFrame
    """How far each solution is from those of the other runs of its maze, search and settings: `analysis.between`."""

    commands: str


def collect(parts: Sequence[Part], out: str | os.PathLike) -> Results:
    """Read every finished record of an experiment's parts and keep what its tables and figures need."""
    rows, curves, distances = [], [], []
    commands: list[str] = []
    counts: dict[str, np.ndarray] = {}
    for part in parts:
        key = f"{part.settings.maze}/{part.settings.search}"
        shown, closest = None, np.inf
        seeds, solved = [], []
        for record in _records(part, out):
            row = run_row(record)
            rows.append({name: _short(name, value) for name, value in row.items()})
            curves.append(run_curve(record))
            here = visits(record.positions, record.maze.bounds)
            counts[key] = counts.get(key, 0) + here
            seeds.append(record.settings.seed)
            if record.solved:
                solved.append(record)
            wanted = paper.ENTROPY.get((part.settings.maze, part.settings.search))
            if wanted and record.solved and abs(record.evaluations - wanted.evaluations) < closest:
                shown, closest = (record.settings.seed, here), abs(record.evaluations - wanted.evaluations)
        if shown is not None:
            counts[f"{key}/{shown[0]}"] = shown[1]
        distances.append(_between(solved))
        commands += _commands(part, seeds)
    if not rows:
        raise ValueError(f"{out}: no finished records of this experiment there")
    table = pd.DataFrame(rows, columns=list(RUN_COLUMNS)).astype(dict.fromkeys(WHOLE, "Int64"))
    solutions = pd.concat(distances, ignore_index=True).astype(dict.fromkeys(OWN, "Int64"))
    return Results(table, np.round(np.array(curves), 2).astype("<f4"), counts, solutions, "".join(commands))


def write_results(results: Results, folder: str | os.PathLike) -> None:
    """Write compact results; refused if there are results already with runs that these lack."""
    folder = Path(folder)
    if (folder / RUNS).exists():
        lost = _identities(read_results(folder).runs) - _identities(results.runs)
        if lost:
            raise ValueError(
                f"{folder / RUNS}: {len(lost)} of its runs have no record here, such as {min(lost)}; "
                "choose another folder, or remove it"
            )
    folder.mkdir(parents=True, exist_ok=True)
    text = results.runs.to_csv(index=False, lineterminator="\n")
    write_whole(folder / RUNS, text.encode())
    write_whole(folder / CURVES, npz(best_fitness=results.curves))
    write_whole(folder / VISITS, npz(**{name: _small(count) for name, count in sorted(results.visits.items())}))
    write_whole(folder / SOLUTIONS, results.solutions.to_csv(index=False, lineterminator="\n").encode())
    write_whole(folder / COMMANDS, results.commands.encode())


def read_results(folder: str | os.PathLike) -> Results:
    """Read back what `write_results` wrote; what is missing or does not fit is named in the error."""
    folder = Path(folder)
    for name in (RUNS, CURVES, VISITS, SOLUTIONS, COMMANDS):
        if not (folder / name).is_file():
            raise FileNotFoundError(f"{folder}: no results there, {name} is missing; collect them from records")
    whole = dict.fromkeys(WHOLE, "Int64")
    runs = _table(folder / RUNS, RUN_COLUMNS, whole | {"version": str})
    solutions = _table(folder / SOLUTIONS, SOLUTION_COLUMNS, dict.fromkeys(OWN, "Int64"))
    curves = _arrays(folder / CURVES).get("best_fitness", np.empty(0))
    if curves.ndim != 2 or len(curves) != len(runs):
        raise ValueError(f"{folder / CURVES}: best_fitness needs {len(runs)} rows, one a run; got shape {curves.shape}")
    commands = (folder / COMMANDS).read_text(encoding="utf-8")
    return Results(runs, curves, _arrays(folder / VISITS), solutions, commands)


def _records(part: Part, out: str | os.PathLike) -> Iterator[Record]:
    home = Path(out) / part.folder / part.settings.name
    for folder in sorted(home.glob("seed-*")):
        if not folder.is_dir() or not folder.name.removeprefix("seed-").isdecimal():
            continue  # a picture, a checkpoint or a record that is being written
        record = read(folder)
        expected = dataclasses.replace(part.settings, seed=record.settings.seed).completed()
        if differences := record.settings.differences(expected):
            raise ValueError(f"{folder}: not a run of this experiment: {'; '.join(differences)}")
        yield record


def _between(records: Sequence[Record]) -> pd.DataFrame:
    """The rows of a part in `solutions.csv`."""
    names = ("maze", "search", *OWN)
    kept = [[_settings(record.settings).get(name) for name in names] for record in records]
    distances = between([record.solution for record in records]).round(DECIMALS)
    return pd.DataFrame(kept, columns=list(names)).join(distances)


def _table(path: Path, columns: Sequence[str], types: Mapping[str, Any]) -> pd.DataFrame:
    table = pd.read_csv(path, dtype=types)
    for column in columns:
        if column not in table.columns:
            raise ValueError(f"{path}: column {column!r} is missing")
    return table


def _identities(runs: pd.DataFrame) -> set[str]:
    """A phrase for each run that no other run of the experiment has."""
    return {
        f"{row['search']} on {row['maze']}" + "".join(f", {name} {row[name]}" for name in OWN if pd.notna(row[name]))
        for row in runs.to_dict("records")
    }


def _settings(plan: Plan) -> dict[str, Any]:
    """All settings by name, the options of the search among them."""
    told = plan.to_json()
    return told | told.pop("options")


def _short(name: str, value: Any) -> Any:
    return round(value, DECIMALS[name]) if name in DECIMALS else value


def _small(counts: np.ndarray) -> np.ndarray:
    return counts.astype("<u2" if counts.max() < 2**16 else "<u4")


def _arrays(path: Path) -> dict[str, np.ndarray]:
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except (ValueError, OSError, EOFError) as error:
        raise ValueError(f"{path}: truncated or damaged: {error}") from error


def _commands(part: Part, seeds: Sequence[int]) -> Iterator[str]:
    """The commands that make a part's records, one for each stretch of seeds without a gap."""
    settings = part.settings
    chosen = settings.completed()
    usual = Settings(maze=chosen.maze, search=chosen.search, population=chosen.population, loop=chosen.loop).completed()
    there, usually = _settings(chosen), _settings(usual) | {"population": POPULATION, "loop": LOOPS[0]}
    options = "".join(
        f" --{name.replace('_', '-')} {value}"
        for name, value in there.items()
        if name != "seed" and value is not None and value != usually.get(name)
    )
    numbers = np.array(seeds, dtype=int)
    for stretch in np.split(numbers, np.flatnonzero(np.diff(numbers) != 1) + 1) if len(numbers) else ():
        first = f" --seed {stretch[0]}" if stretch[0] else ""
        folder = f"runs/{part.folder}".rstrip("/")
        yield (
            f"python -m divergent.run_maze {settings.maze} --search {settings.search} --runs {len(stretch)}"
            f"{first}{options} --out {folder}\n"
        )
