"""Compact results of an experiment, computed from its run records.

The file `runs.csv` has one row per run. The file `curves.npz` has the best fitness so far of each run, at equally
spaced evaluations up to the budget. The file `visits.npz` has the number of final positions in each grid cell, by maze
and search. For mazes and searches whose genotypes the paper reports, the file `solutions.csv` has the mean distance of
each solution to the solutions of other runs. The file `genomes.json.xz` has the genomes of the solutions in
`solutions.csv`; results of earlier versions lack `genomes.json.xz`. The file `commands.txt` has the commands that
produce the run records.
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

from divergent.analysis import RUN_COLUMNS, SETTINGS, run_curve, run_row, solution_distances, visits
from divergent.analysis._budgets import CURVE_POINTS
from divergent.neat.genome import WEIGHT, Genome
from divergent.persistence._files import npz, parse_object, read_bytes, read_text, write_whole
from divergent.replicate import _schema as schema
from divergent.replicate import paper
from divergent.replicate._experiments import Part
from divergent.runs._maze_plan import MazePlan
from divergent.runs._maze_record import MazeRecord
from divergent.runs.defaults import POPULATION
from divergent.runs.record import read
from divergent.runs.settings import Settings
from divergent.version import __version__

RUNS, CURVES, VISITS = "runs.csv", "curves.npz", "visits.npz"
SOLUTIONS, GENOMES, COMMANDS = "solutions.csv", "genomes.json.xz", "commands.txt"
LARGEST_GENOMES = 10**8  # size limit of all decompressed genomes in bytes, ten times the size in the largest experiment
WEIGHT_DECIMALS = 6  # number of decimals of connection weights in stored genomes
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
MOST_CELLS = 10_000  # largest accepted number of grid cells of a maze; the mazes of the experiments have about 1,600
NUMBER_BYTES = 4  # largest accepted size in bytes of one number in an array
# pandas types of columns that may have missing values
NUMBERS = {
    "neighbours": "Int64",
    "clusters": "Int64",
    "history": "Int64",
    "weight": "float64",
    "seconds": "float64",
    "cpu_seconds": "float64",
}
OWN = tuple(schema.OWN)  # columns that identify a run, together with its maze and search


class Results(NamedTuple):
    """Tables and arrays that summarise the runs of an experiment.

    Parameters
    ----------
    runs : pandas.DataFrame
        One row per run, with the columns `analysis.RUN_COLUMNS`.
    curves : numpy.ndarray
        Best fitness so far, with one row per run; the columns are equally spaced numbers of evaluations.
    visits : dict of str to numpy.ndarray
        Number of final positions in each grid cell. The array "maze/search" counts final positions of all runs with
        default options. The array "maze/search/seed" counts those of one typical run, the successful run whose
        number of evaluations is closest to that of the run in the paper.
    solutions : pandas.DataFrame
        Mean distance of each solution to the solutions of other runs with the same maze, search and settings; empty if
        the paper does not report genotypes.
    commands : str
        Commands that produce the run records, one per line.
    genomes : mapping of str to str, default={}
        Genomes of the runs in the table `solutions`, as JSON, with the keys "maze/search/seed"; empty in results of
        earlier versions.
    """

    runs: pd.DataFrame
    curves: np.ndarray
    visits: dict[str, np.ndarray]
    solutions: pd.DataFrame
    commands: str
    genomes: Mapping[str, str] = MappingProxyType({})


def collect(parts: Sequence[Part], out: str | os.PathLike, kept: Results | None = None) -> Results:
    """Compute the compact results of an experiment from the records of finished runs.

    Parameters
    ----------
    parts : sequence of Part
        All parts of the experiment, in the order in which the results list them. The runs of a part differ only in
        their seeds.
    out : path_like
        Folder of the run records; if it has no records of a part, the earlier results of the part are kept.
    kept : divergent.replicate.Results or None, default=None
        Earlier results of the experiment.

    Returns
    -------
    Results
        Results of all parts of the experiment.

    Raises
    ------
    ValueError
        If there are no records, or if the earlier results and the records belong to different experiments.

    Notes
    -----
    If `out` has records of all earlier runs of a part, these records replace the earlier results. If `out` has only
    records of additional runs, the additional runs are added to the earlier results. If the earlier results lack
    genomes, the records of all runs are needed to compute distances between solutions.
    """
    collected, known = [], 0
    for part in parts:
        before = None if kept is None else _select_part(kept, part)
        known += 0 if before is None else before.runs["seed"].nunique()
        if (results := _collect_part(part, out, before)) is not None:
            collected.append(results)
    if not collected:
        raise ValueError(
            f"{out}: folder must contain finished run records of this experiment, got none; run the experiment first"
        )
    if kept is not None and known < len(kept.runs):
        others = len(kept.runs) - known
        raise ValueError(
            f"results folder must contain only runs of this experiment, got runs of another experiment ({others}); "
            "use another folder"
        )
    return _concatenate(collected)


def _concatenate(collected: Sequence[Results]) -> Results:
    """Concatenate the results of several parts of an experiment."""
    return Results(
        pd.concat([results.runs for results in collected], ignore_index=True),
        np.concatenate([results.curves for results in collected]),
        {name: counts for results in collected for name, counts in results.visits.items()},
        pd.concat([results.solutions for results in collected], ignore_index=True),
        "".join(results.commands for results in collected),
        {name: genome for results in collected for name, genome in results.genomes.items()},
    )


def _collect_part(part: Part, out: str | os.PathLike, before: Results | None) -> Results | None:
    """Combine the run records and the earlier results of a part of an experiment; return None if both are missing."""
    folders = _record_folders(part, out)
    if before is None:
        return _summarise_records(part, folders)
    seeds = set(before.runs["seed"])
    missing = seeds - folders.keys()  # seeds of runs that have earlier results but no run records
    if not missing:
        return _summarise_records(part, folders)
    if difference := _difference(before.runs, part):
        raise ValueError(
            f"earlier runs of the search {part.settings.search} in the maze {part.settings.maze} must have the "
            f"settings of this experiment, got {difference}; run all {len(seeds)} seeds again, or remove the "
            "results folder"
        )
    if folders and not _has_genomes(before, part):
        raise ValueError(
            f"{Path(out) / part.folder / part.settings.name}: folder must contain records of all {len(seeds)} earlier "
            f"runs, got {len(folders)} record(s), without the record of seed {min(missing)}; run the missing seeds, or "
            "remove the earlier results"
        )
    added = _summarise_records(part, {seed: folder for seed, folder in folders.items() if seed not in seeds})
    return before if added is None else _join(part, before, added)


def known_seeds(kept: Results, part: Part) -> set[int]:
    """Return the seeds of a part of an experiment that have valid earlier results and need not be run again.

    Parameters
    ----------
    kept : divergent.replicate.Results
        Earlier results of the experiment.
    part : divergent.replicate._experiments.Part
        Part of the experiment, with the settings of its runs.

    Returns
    -------
    set of int
        Seeds of earlier runs that this version of the package executed with the settings of the part.
    """
    before = _select_part(kept, part)
    if before is None or not _has_genomes(before, part) or _difference(before.runs, part):
        return set()
    return set(before.runs.loc[before.runs["version"] == __version__, "seed"].tolist())


def write_results(results: Results, folder: str | os.PathLike) -> None:
    """Write compact results to the files of a folder.

    Parameters
    ----------
    results : divergent.replicate.Results
        Results of one experiment.
    folder : path_like
        Output folder of the experiment.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    text = results.runs.replace(schema.STORED_NAMES).to_csv(index=False, lineterminator="\n")
    write_whole(folder / RUNS, text.encode())
    write_whole(folder / CURVES, npz(best_fitness=results.curves))
    write_whole(folder / VISITS, npz(**{name: _narrow(count) for name, count in sorted(results.visits.items())}))
    write_whole(folder / SOLUTIONS, results.solutions.to_csv(index=False, lineterminator="\n").encode())
    write_whole(folder / COMMANDS, results.commands.encode())
    if results.genomes:
        write_whole(
            folder / GENOMES, lzma.compress(json.dumps(dict(sorted(results.genomes.items())), indent=0).encode())
        )


def has_results(folder: str | os.PathLike) -> bool:
    """Return whether a folder contains compact results."""
    return (Path(folder) / RUNS).exists()


def read_results(folder: str | os.PathLike) -> Results:
    """Read the compact results of an experiment.

    Parameters
    ----------
    folder : path_like
        Folder to which `write_results` wrote the results.

    Returns
    -------
    Results
        The results.

    Raises
    ------
    FileNotFoundError
        If a file is missing.
    ValueError
        If a file is damaged, or the files contain different numbers of runs.
    """
    folder = Path(folder)
    for name in (RUNS, CURVES, VISITS, SOLUTIONS, COMMANDS):
        if not (folder / name).is_file():
            raise FileNotFoundError(
                f"{folder}: folder must contain the result file {name}, got no such file; collect the results"
            )
    runs = schema.read_runs(folder / RUNS)
    solutions = schema.read_table(folder / SOLUTIONS, schema.SOLUTIONS)
    curves = schema.read_arrays(
        folder / CURVES, _curves_fault, arrays=1, most=len(runs) * CURVE_POINTS * NUMBER_BYTES
    ).get("best_fitness", np.empty(0))
    if curves.ndim != 2 or len(curves) != len(runs):
        raise ValueError(
            f"{folder / CURVES}: array best_fitness must have one row per run ({len(runs)}), got shape {curves.shape}"
        )
    mazes_and_searches = len(runs[["maze", "search"]].drop_duplicates())
    most = 2 * mazes_and_searches  # final positions are counted in all runs and in one typical run
    counts = schema.read_arrays(folder / VISITS, _visits_fault, arrays=most, most=most * MOST_CELLS * NUMBER_BYTES)
    return Results(runs, curves, counts, solutions, read_text(folder / COMMANDS), _read_genomes(folder / GENOMES))


def _read_genomes(path: Path) -> dict[str, str]:
    """Read the genomes of solutions by maze, search and seed; return an empty dictionary if the file is missing."""
    if not path.exists():
        return {}
    try:
        text = lzma.LZMADecompressor().decompress(read_bytes(path), LARGEST_GENOMES)
    except lzma.LZMAError as error:
        raise ValueError(f"{path}: file must be in xz format, got error: {error}; collect the results again") from error
    genomes = parse_object(text.decode(errors="replace"), str(path))
    for name, genome in genomes.items():
        try:
            Genome.from_json(genome)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}: solution {name!r:.60} must be a valid JSON genome, got error {error}") from error
    return genomes


def _curves_fault(name: str, curves: np.ndarray) -> str | None:
    """Check an array of best-fitness curves, and return the violated rule, or None if the array is valid."""
    if curves.dtype.kind != "f" or not np.isfinite(curves).all():
        return "must be finite numbers"
    return None


def _visits_fault(name: str, counts: np.ndarray) -> str | None:
    """Check an array that counts final positions, and return the violated rule, or None if the array is valid."""
    if counts.dtype.kind != "u" or counts.ndim != 2 or counts.size == 0:
        return f"must be counts in rows and columns, got {counts.dtype} of shape {counts.shape}"
    return None


def _compares_solutions(part: Part) -> bool:
    """Return whether the part has default options and the paper reports the genotypes of its maze and search."""
    return not part.settings.options and (part.settings.maze, part.settings.search) in paper.GENOTYPES


def _has_genomes(results: Results, part: Part) -> bool:
    """Return whether the results have the genomes that are needed to compare their solutions with new solutions."""
    return not _compares_solutions(part) or len(results.genomes) == len(results.solutions)


def _genome_name(record: MazeRecord) -> str:
    """Return the key "maze/search/seed" under which the solution of a run is stored."""
    return f"{record.settings.maze}/{record.settings.search}/{record.settings.seed}"


def _genome_json(genome: Genome) -> str:
    """Return a genome as JSON; rounded weights make the file smaller and hardly change distances."""
    rounded = genome.genes.copy()
    rounded[:, WEIGHT] = rounded[:, WEIGHT].round(WEIGHT_DECIMALS)
    return genome.with_genes(rounded).to_json()


def _summarise_records(part: Part, folders: Mapping[int, Path]) -> Results | None:
    """Compute the results of a part of an experiment from its run records, or return None if none exist."""
    rows, curves, solved, seeds = [], [], [], []
    counts: dict[str, np.ndarray] = {}
    plan = part.settings.resolve()
    key = f"{plan.maze}/{plan.search}"
    reported = paper.ENTROPY.get((plan.maze, plan.search))
    # the typical run is the successful run whose number of evaluations is closest to the number in the paper
    typical, closest = None, np.inf
    for record in _records(part, folders):
        rows.append({name: _round(name, value) for name, value in run_row(record).items()})
        curves.append(run_curve(record))
        seeds.append(record.settings.seed)
        if record.solved and _compares_solutions(part):
            solved.append(record)
        if part.settings.options:
            continue  # final positions of variants are not stored because no figure shows them
        count = visits(record.positions, record.maze.bounds)
        counts[key] = counts.get(key, 0) + count
        if reported and record.solved and abs(record.evaluations - reported.evaluations) < closest:
            typical, closest = (record.settings.seed, count), abs(record.evaluations - reported.evaluations)
    if not rows:
        return None
    if typical is not None:
        counts[f"{key}/{typical[0]}"] = typical[1]
    table = pd.DataFrame(rows, columns=list(RUN_COLUMNS)).astype(NUMBERS)
    best = np.round(np.array(curves), 2).astype("<f4")
    genomes = {_genome_name(record): _genome_json(record.solution) for record in solved}
    names = pd.DataFrame([_own_settings(record.settings) for record in solved], columns=["maze", "search", *OWN])
    return Results(table, best, counts, _solution_table(names, genomes), "".join(_commands(part, seeds)), genomes)


def _select_part(kept: Results, part: Part) -> Results | None:
    """Select the earlier results of a part of an experiment, or return None if there are none."""
    plan = part.settings.resolve()
    values = _settings(plan)
    selected, selected_solutions = (
        (table["maze"] == plan.maze)
        & (table["search"] == plan.search)
        & np.logical_and.reduce([_equal(table[name], values.get(name)) for name in OWN if name != "seed"])
        for table in (kept.runs, kept.solutions)
    )
    if not selected.any():
        return None
    runs = kept.runs[selected]
    key, counts = f"{plan.maze}/{plan.search}", {}
    if not part.settings.options:  # counts of final positions are not stored for variants
        counts = {name: count for name, count in kept.visits.items() if name == key or name.startswith(f"{key}/")}
    commands = "".join(_commands(part, runs["seed"].tolist()))
    solutions = kept.solutions[selected_solutions & _compares_solutions(part)]
    names = [f"{plan.maze}/{plan.search}/{seed}" for seed in solutions["seed"]]
    genomes = {name: kept.genomes[name] for name in names if name in kept.genomes}
    return Results(runs, kept.curves[selected], counts, solutions, commands, genomes)


def _difference(runs: pd.DataFrame, part: Part) -> str | None:
    """Describe the first setting of earlier runs that differs from the experiment's settings, or return None."""
    settings = _settings(part.settings.resolve())
    for name in SETTINGS:
        other = runs[~_equal(runs[name], settings.get(name))]
        if len(other):
            return f"{name} {other[name].iloc[0]} instead of {settings.get(name)}"
    return None


def _join(part: Part, before: Results, more: Results) -> Results:
    """Add the results of additional seeds to earlier results of runs with the same settings."""
    runs = pd.concat([before.runs, more.runs], ignore_index=True)
    if len(versions := sorted(set(runs["version"]))) > 1:
        raise ValueError(
            f"{part.settings.name}: all runs must have the same version of divergent, got {' and '.join(versions)}; "
            "remove the earlier results, or run all seeds again with this version"
        )
    order = np.argsort(runs["seed"], kind="stable")
    runs = runs.iloc[order]
    genomes = dict(before.genomes) | dict(more.genomes)
    names = pd.concat([before.solutions, more.solutions])[["maze", "search", *OWN]].sort_values("seed")
    return Results(
        runs,
        np.concatenate([before.curves, more.curves])[order],
        _add_visits(before.visits, more.visits),
        _solution_table(names, genomes) if genomes else before.solutions,
        "".join(_commands(part, runs["seed"].tolist())),
        genomes,
    )


def _add_visits(before: Mapping[str, np.ndarray], more: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Add the final positions of additional runs to the earlier counts."""
    # the results contain only one typical run per maze and search, so the typical run of earlier results is kept
    typical = {name.rpartition("/")[0] for name in before if name.count("/") == 2}
    sums = {name: counts + more[name] if name in more else counts for name, counts in before.items()}
    return sums | {
        name: counts for name, counts in more.items() if name not in before and name.rpartition("/")[0] not in typical
    }


def _equal(column: pd.Series, value: Any) -> pd.Series:
    """Return a mask of the rows in which a column equals a value; None selects the rows with a missing value."""
    return column.isna() if value is None else (column == value).fillna(False).astype(bool)


def _record_folders(part: Part, out: str | os.PathLike) -> dict[int, Path]:
    """Return the record folder of each finished run of a `Part` (runs that differ only in their seeds), by seed."""
    home = Path(out) / part.folder / part.settings.name
    return {
        int(number): folder
        for folder in sorted(home.glob("seed-*"))
        if (number := folder.name.removeprefix("seed-")).isdecimal() and folder.is_dir()
    }  # only finished run records are folders with a name of the form "seed-NUMBER"


def _records(part: Part, folders: Mapping[int, Path]) -> Iterator[MazeRecord]:
    """Read run records; raise an error if their settings differ from the settings of the experiment."""
    for seed, folder in folders.items():
        record = read(folder)
        expected = dataclasses.replace(part.settings, seed=seed).resolve()
        if differences := record.settings.differences(expected):
            raise ValueError(
                f"{folder}: run record must have the settings of this experiment, got {'; '.join(differences)}; "
                "remove the record"
            )
        yield record


def _solution_table(names: pd.DataFrame, genomes: Mapping[str, str]) -> pd.DataFrame:
    """Return the rows of `solutions.csv`: settings of successful runs, and mean distances between their solutions."""
    solutions = [
        Genome.from_json(genomes[f"{row.maze}/{row.search}/{row.seed}"]) for row in names.itertuples(index=False)
    ]
    kinds = {name: column.kind for name, column in schema.OWN.items()}
    return names.reset_index(drop=True).astype(kinds).join(solution_distances(solutions).round(DECIMALS))


def _own_settings(plan: MazePlan) -> list[Any]:
    """Return the values that identify a run in `solutions.csv`."""
    settings = _settings(plan)
    return [settings.get(name) for name in ("maze", "search", *OWN)]


def _settings(plan: MazePlan) -> dict[str, Any]:
    """Return all settings of a run by name, including the options of the search."""
    settings = plan.to_json()
    return settings | settings.pop("options")


def _round(name: str, value: Any) -> Any:
    """Round a value to the number of decimals that its column has in the result files."""
    return round(value, DECIMALS[name]) if name in DECIMALS else value


def _narrow(counts: np.ndarray) -> np.ndarray:
    """Convert counts to 16-bit integers, or to 32-bit integers if a count is too large."""
    return counts.astype("<u2" if counts.max() < 2**16 else "<u4")


def _commands(part: Part, seeds: Sequence[int]) -> Iterator[str]:
    """Yield the commands that produce the run records, one command per range of consecutive seeds."""
    settings = part.settings
    chosen = settings.resolve()
    own = Settings(maze=chosen.maze, search=chosen.search).resolve().loop
    default = Settings(maze=chosen.maze, search=chosen.search, population=chosen.population, loop=chosen.loop).resolve()
    values, defaults = _settings(chosen), _settings(default) | {"population": POPULATION, "loop": own}
    options = "".join(
        f" --{name.replace('_', '-')} {value}"
        for name, value in values.items()
        if name != "seed" and value is not None and value != defaults.get(name)
    )
    numbers = np.array(seeds, dtype=int)
    for consecutive in np.split(numbers, np.flatnonzero(np.diff(numbers) != 1) + 1) if len(numbers) else ():
        first = f" --seed {consecutive[0]}" if consecutive[0] else ""
        folder = f"runs/{part.folder}".rstrip("/")
        yield (
            f"python -m divergent.run_maze {settings.maze} --search {settings.search} --runs {len(consecutive)}"
            f"{first}{options} --out {folder}\n"
        )
