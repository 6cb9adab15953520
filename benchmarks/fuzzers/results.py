"""Fuzzing of compact results: reading damaged files gives values of valid type and range, or raises an error."""

import itertools
import shutil
from functools import partial

from divergent.replicate._experiments import Part
from divergent.replicate._results import collect, read_results, write_results
from divergent.runs import Settings, run
from fuzzers.damage import damaged

DEFAULT_COUNT = 3000


def attacks(rng, folder):
    files = small(folder)
    for number in itertools.count():
        path = folder / f"results-{number % 50:02d}"
        name = sorted(files)[rng.integers(len(files))]
        changed = files | {name: damaged(files[name], rng, [b"", *files.values()])}
        yield partial(check, path, changed), [path.name]


def check(path, files):
    """Read damaged results; a changed digit may remain undetected, but all values must be in range."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    for name, content in files.items():
        (path / name).write_bytes(content)
    runs = read_results(path).runs
    assert runs["solved"].dtype == bool
    assert (runs["evaluations"] >= 1).all()
    assert (runs["evaluations"] <= runs["population"] * runs["generations"]).all()
    return "read"


def small(folder):
    """Return the contents of the result files of a few short runs, by file name."""
    settings = [Settings(maze="medium", search=search, population=20, generations=2) for search in ("novelty", "ssnp")]
    for case, seed in itertools.product(settings, (0, 1)):
        run(
            Settings(maze=case.maze, search=case.search, seed=seed, population=20, generations=2),
            out=folder / "records",
        )
    write_results(collect([Part("", case) for case in settings], folder / "records"), folder / "results")
    return {path.name: path.read_bytes() for path in (folder / "results").iterdir()}
