"""Turn the records of an experiment into compact results that can be kept with the code.

A folder of results holds `runs.csv` (a row a run), `curves.npz` (best fitness so far, a row a run in the same order, at
equally spaced evaluations up to the budget), `visits.npz` (final positions counted in cells, for each maze and search),
`solutions.csv` (where the paper tells of genotypes, a row a run that solved: how far its solution is from those of the
other runs), `genomes.json.xz` (these solutions, by maze, search and seed; earlier results have none) and `commands.txt`
(what makes the records again).
"""

import dataclasses
import json
import lzma
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from divergent.analysis import RUN_COLUMNS, SETTINGS, between, run_curve, run_row, visits
from divergent.analysis.tables import POINTS
from divergent.neat import Genome
from divergent.neat.genome import WEIGHT
from divergent.persistence.files import parse_object, read_bytes, read_text, write_whole
from divergent.replicate import paper, schema
from divergent.replicate.experiments import Part
from divergent.runs.defaults import POPULATION
from divergent.runs.record import Record, npz, read
from divergent.runs.settings import Plan, Settings
from divergent.version import __version__

RUNS, CURVES, VISITS = "runs.csv", "curves.npz", "visits.npz"
SOLUTIONS, GENOMES, COMMANDS = "solutions.csv", "genomes.json.xz", "commands.txt"
LARGEST_GENOMES = 10**8  # bytes of JSON: ten times what the largest experiment has
WEIGHT_DECIMALS = 6  # of the solutions that are kept
DECIMALS = {
    "best_fitness": 4,
    "entropy": 6,
    "coverage": 4,
    "qd_score": 2,
    "compatibility": 4,
    "disjoint": 4,
    "excess": 4,
    "weight_difference": 6,
}
MOST_CELLS = 10_000  # of a maze in which visits are counted; those of the experiments have about 1,600
WIDEST_NUMBER = 4  # bytes, in the arrays of results
# not of every search, or not of every record
NUMBERS = {
    "neighbours": "Int64",
    "clusters": "Int64",
    "history": "Int64",
    "weight": "float64",
    "seconds": "float64",
    "cpu_seconds": "float64",
}
OWN = tuple(schema.OWN)  # what tells runs of a search in a maze apart


class Results(NamedTuple):
    """The compact results of an experiment."""

    runs: pd.DataFrame
    curves: np.ndarray
    """Best fitness so far, shape (runs, points)."""

    visits: dict[str, np.ndarray]
    """Counts by "maze/search" of all runs, and by "maze/search/seed" of a typical run where the paper shows one; none
    where an experiment has variants."""

    solutions: pd.DataFrame
    """How far each solution is from those of the other runs of its maze, search and settings, see `analysis.between`,
    where the paper tells of genotypes."""

    commands: str

    genomes: Mapping[str, str] = MappingProxyType({})
    """The solutions that `solutions` compares, as JSON by "maze/search/seed"; empty in results of before."""


def collect(parts: Sequence[Part], out: str | os.PathLike, kept: Results | None = None) -> Results:
    """Turn every finished record of an experiment's parts into results, on top of those that are kept already.

    Parameters
    ----------
    parts
        All parts of the experiment, which also says in what order they are kept.
    out
        The folder of the records. A part without any there stays as it is kept.
    kept
        Results of before. A part with records of all its kept runs is replaced as a whole, which it must be if its
        settings have changed since. With records of other runs it is added to, except where solutions are compared with
        each other and their genomes are not kept: then all records are needed.
    """
    found, taken = [], 0
    for part in parts:
        before = None if kept is None else _of_part(kept, part)
        known = set() if before is None else set(before.runs["seed"])
        taken += len(known)
        folders = _folders(part, out)
        lost = known - folders.keys()
        if before and lost and (difference := _difference(before.runs, part)):
            raise ValueError(
                f"the kept runs of {part.settings.search} on {part.settings.maze} are not of this experiment: "
                f"{difference}; run their {len(known)} seeds again, or remove the folder of results"
            )
        if before and folders and lost and not _has_genomes(before, part):
            raise ValueError(
                f"{Path(out) / part.folder / part.settings.name}: {len(folders)} records of a part of which "
                f"{len(known)} runs are kept, seed {min(lost)} is missing; finish them, or remove what is kept"
            )
        adding = {seed: folder for seed, folder in folders.items() if not lost or seed not in known}
        here = _collected(part, adding)
        if here and before and lost:
            here = _joined(part, before, here)
        if chosen := here or before:
            found.append(chosen)
    if not found:
        raise ValueError(f"{out}: no finished records of this experiment there")
    if kept is not None and taken < len(kept.runs):
        raise ValueError(f"{len(kept.runs) - taken} of the runs that are kept are not of this experiment; remove them")
    return Results(
        pd.concat([one.runs for one in found], ignore_index=True),
        np.concatenate([one.curves for one in found]),
        {name: counts for one in found for name, counts in one.visits.items()},
        pd.concat([one.solutions for one in found], ignore_index=True),
        "".join(one.commands for one in found),
        {name: genome for one in found for name, genome in one.genomes.items()},
    )


def known_seeds(kept: Results, part: Part) -> set[int]:
    """The seeds of a part that need not be run again, since `collect` can do with what is kept of them."""
    before = _of_part(kept, part)
    if before is None or not _has_genomes(before, part) or _difference(before.runs, part):
        return set()
    return set(before.runs.loc[before.runs["version"] == __version__, "seed"].tolist())


def write_results(results: Results, folder: str | os.PathLike) -> None:
    """Write compact results as files."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    text = results.runs.replace(schema.STORED_NAMES).to_csv(index=False, lineterminator="\n")
    write_whole(folder / RUNS, text.encode())
    write_whole(folder / CURVES, npz(best_fitness=results.curves))
    write_whole(folder / VISITS, npz(**{name: _small(count) for name, count in sorted(results.visits.items())}))
    write_whole(folder / SOLUTIONS, results.solutions.to_csv(index=False, lineterminator="\n").encode())
    write_whole(folder / COMMANDS, results.commands.encode())
    if results.genomes:
        write_whole(
            folder / GENOMES, lzma.compress(json.dumps(dict(sorted(results.genomes.items())), indent=0).encode())
        )


def has_results(folder: str | os.PathLike) -> bool:
    """Whether there is a folder of results."""
    return (Path(folder) / RUNS).exists()


def read_results(folder: str | os.PathLike) -> Results:
    """Read back what `write_results` wrote; what is missing, damaged or does not fit is named in the error."""
    folder = Path(folder)
    for name in (RUNS, CURVES, VISITS, SOLUTIONS, COMMANDS):
        if not (folder / name).is_file():
            raise FileNotFoundError(f"{folder}: no results there, {name} is missing; collect them from records")
    runs = schema.read_runs(folder / RUNS)
    solutions = schema.read_table(folder / SOLUTIONS, schema.SOLUTIONS)
    curves = schema.read_arrays(
        folder / CURVES, _fault_of_curves, arrays=1, most=len(runs) * POINTS * WIDEST_NUMBER
    ).get("best_fitness", np.empty(0))
    if curves.ndim != 2 or len(curves) != len(runs):
        raise ValueError(f"{folder / CURVES}: best_fitness needs {len(runs)} rows, one a run; got shape {curves.shape}")
    mazes_and_searches = len(runs[["maze", "search"]].drop_duplicates())
    most = 2 * mazes_and_searches  # all runs, and a typical run
    counts = schema.read_arrays(folder / VISITS, _fault_of_visits, arrays=most, most=most * MOST_CELLS * WIDEST_NUMBER)
    return Results(runs, curves, counts, solutions, read_text(folder / COMMANDS), _read_genomes(folder / GENOMES))


def _read_genomes(path: Path) -> dict[str, str]:
    """The solutions of a folder of results by maze, search and seed; none where the file is missing."""
    if not path.exists():
        return {}
    try:
        text = lzma.LZMADecompressor().decompress(read_bytes(path), LARGEST_GENOMES)
    except lzma.LZMAError as error:
        raise ValueError(f"{path}: damaged, {error}; collect the results again") from error
    genomes = parse_object(text.decode(errors="replace"), str(path))
    for name, genome in genomes.items():
        try:
            Genome.from_json(genome)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}: {name!r:.60} is not a genome: {error}") from error
    return genomes


def _fault_of_curves(name: str, curves: np.ndarray) -> str | None:
    if curves.dtype.kind != "f" or not np.isfinite(curves).all():
        return "must be finite numbers"
    return None


def _fault_of_visits(name: str, counts: np.ndarray) -> str | None:
    if counts.dtype.kind != "u" or counts.ndim != 2 or counts.size == 0:
        return f"must be counts in rows and columns, got {counts.dtype} of shape {counts.shape}"
    return None


def _compares_solutions(part: Part) -> bool:
    """Whether the solutions of a part's runs are compared with each other."""
    return not part.settings.options and (part.settings.maze, part.settings.search) in paper.GENOTYPES


def _has_genomes(results: Results, part: Part) -> bool:
    """Whether the solutions of a part can be compared with those of further runs."""
    return not _compares_solutions(part) or len(results.genomes) == len(results.solutions)


def _genome_name(record: Record) -> str:
    return f"{record.settings.maze}/{record.settings.search}/{record.settings.seed}"


def _genome_json(genome: Genome) -> str:
    """A genome with rounded weights, which distances hardly depend on and which take most of the room."""
    rounded = genome.genes.copy()
    rounded[:, WEIGHT] = rounded[:, WEIGHT].round(WEIGHT_DECIMALS)
    return genome.with_genes(rounded).to_json()


def _collected(part: Part, folders: Mapping[int, Path]) -> Results | None:
    """The results of these records of a part; None without any."""
    rows, curves, solved, seeds = [], [], [], []
    counts: dict[str, np.ndarray] = {}
    plan = part.settings.resolve()
    key = f"{plan.maze}/{plan.search}"
    wanted = paper.ENTROPY.get((plan.maze, plan.search))
    shown, closest = None, np.inf
    for record in _records(part, folders):
        rows.append({name: _short(name, value) for name, value in run_row(record).items()})
        curves.append(run_curve(record))
        seeds.append(record.settings.seed)
        if record.solved and _compares_solutions(part):
            solved.append(record)
        if part.settings.options:
            continue  # nobody asks where the robots of a variant ended
        here = visits(record.positions, record.maze.bounds)
        counts[key] = counts.get(key, 0) + here
        if wanted and record.solved and abs(record.evaluations - wanted.evaluations) < closest:
            shown, closest = (record.settings.seed, here), abs(record.evaluations - wanted.evaluations)
    if not rows:
        return None
    if shown is not None:
        counts[f"{key}/{shown[0]}"] = shown[1]
    table = pd.DataFrame(rows, columns=list(RUN_COLUMNS)).astype(NUMBERS)
    best = np.round(np.array(curves), 2).astype("<f4")
    genomes = {_genome_name(record): _genome_json(record.solution) for record in solved}
    names = pd.DataFrame([_own_settings(record.settings) for record in solved], columns=["maze", "search", *OWN])
    return Results(table, best, counts, _between(names, genomes), "".join(_commands(part, seeds)), genomes)


def _of_part(kept: Results, part: Part) -> Results | None:
    """The results of a part among those that are kept; None without any."""
    plan = part.settings.resolve()
    told = _settings(plan)
    mine, solved_mine = (
        (table["maze"] == plan.maze)
        & (table["search"] == plan.search)
        & np.logical_and.reduce([_equal(table[name], told.get(name)) for name in OWN if name != "seed"])
        for table in (kept.runs, kept.solutions)
    )
    if not mine.any():
        return None
    runs = kept.runs[mine]
    key, counts = f"{plan.maze}/{plan.search}", {}
    if not part.settings.options:  # of variants none are kept
        counts = {name: count for name, count in kept.visits.items() if name == key or name.startswith(f"{key}/")}
    commands = "".join(_commands(part, runs["seed"].tolist()))
    solutions = kept.solutions[solved_mine & _compares_solutions(part)]
    names = [f"{plan.maze}/{plan.search}/{seed}" for seed in solutions["seed"]]
    genomes = {name: kept.genomes[name] for name in names if name in kept.genomes}
    return Results(runs, kept.curves[mine], counts, solutions, commands, genomes)


def _difference(runs: pd.DataFrame, part: Part) -> str | None:
    """The first setting in which runs differ from a part, with both values; None without any."""
    settings = _settings(part.settings.resolve())
    for name in SETTINGS:
        other = runs[~_equal(runs[name], settings.get(name))]
        if len(other):
            return f"{name} {other[name].iloc[0]} there, {settings.get(name)} now"
    return None


def _joined(part: Part, before: Results, more: Results) -> Results:
    """The results of a part with those of other seeds."""
    runs = pd.concat([before.runs, more.runs], ignore_index=True)
    if len(versions := sorted(set(runs["version"]))) > 1:
        raise ValueError(
            f"{part.settings.name}: runs of versions {' and '.join(versions)}, which may give different results; "
            f"remove what is kept, or run all seeds again"
        )
    order = np.argsort(runs["seed"], kind="stable")
    runs = runs.iloc[order]
    genomes = dict(before.genomes) | dict(more.genomes)
    names = pd.concat([before.solutions, more.solutions])[["maze", "search", *OWN]].sort_values("seed")
    return Results(
        runs,
        np.concatenate([before.curves, more.curves])[order],
        _added_visits(before.visits, more.visits),
        _between(names, genomes) if genomes else before.solutions,
        "".join(_commands(part, runs["seed"].tolist())),
        genomes,
    )


def _added_visits(before: Mapping[str, np.ndarray], more: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Counts of all runs added up; the typical run stays the one that was chosen first."""
    typical = {name.rpartition("/")[0] for name in before if name.count("/") == 2}
    added = {name: counts + more[name] if name in more else counts for name, counts in before.items()}
    return added | {
        name: counts for name, counts in more.items() if name not in before and name.rpartition("/")[0] not in typical
    }


def _equal(column: pd.Series, value: Any) -> pd.Series:
    """Where a column has a value; None is a missing one."""
    return column.isna() if value is None else (column == value).fillna(False).astype(bool)


def _folders(part: Part, out: str | os.PathLike) -> dict[int, Path]:
    """The finished records of a part, by seed."""
    home = Path(out) / part.folder / part.settings.name
    return {
        int(number): folder
        for folder in sorted(home.glob("seed-*"))
        if (number := folder.name.removeprefix("seed-")).isdecimal() and folder.is_dir()
    }  # and no picture, checkpoint or record that is being written


def _records(part: Part, folders: Mapping[int, Path]) -> Iterator[Record]:
    for seed, folder in folders.items():
        record = read(folder)
        expected = dataclasses.replace(part.settings, seed=seed).resolve()
        if differences := record.settings.differences(expected):
            raise ValueError(f"{folder}: not a run of this experiment: {'; '.join(differences)}")
        yield record


def _between(names: pd.DataFrame, genomes: Mapping[str, str]) -> pd.DataFrame:
    """The rows of a part in `solutions.csv`: the settings of each solved run, and the distances of its solution."""
    solutions = [
        Genome.from_json(genomes[f"{row.maze}/{row.search}/{row.seed}"]) for row in names.itertuples(index=False)
    ]
    kinds = {name: column.kind for name, column in schema.OWN.items()}
    return names.reset_index(drop=True).astype(kinds).join(between(solutions).round(DECIMALS))


def _own_settings(plan: Plan) -> list[Any]:
    """What tells a run apart in `solutions.csv`."""
    settings = _settings(plan)
    return [settings.get(name) for name in ("maze", "search", *OWN)]


def _settings(plan: Plan) -> dict[str, Any]:
    """All settings by name, the options of the search among them."""
    told = plan.to_json()
    return told | told.pop("options")


def _short(name: str, value: Any) -> Any:
    return round(value, DECIMALS[name]) if name in DECIMALS else value


def _small(counts: np.ndarray) -> np.ndarray:
    return counts.astype("<u2" if counts.max() < 2**16 else "<u4")


def _commands(part: Part, seeds: Sequence[int]) -> Iterator[str]:
    """The commands that make a part's records, one for each stretch of seeds without a gap."""
    settings = part.settings
    chosen = settings.resolve()
    own = Settings(maze=chosen.maze, search=chosen.search).resolve().loop
    usual = Settings(maze=chosen.maze, search=chosen.search, population=chosen.population, loop=chosen.loop).resolve()
    there, usually = _settings(chosen), _settings(usual) | {"population": POPULATION, "loop": own}
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
