"""Replay short recorded runs of every search, maze, robot, loop and behaviour: refactoring must not change a result.

`tests/data/replay.json` holds complete settings and hashes of rows, result and positions. A deliberate change of rules
records the affected runs again with `python tests/test_replay.py` and is marked "Results change" in the changelog.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
import numpy as np
import pytest

from divergent.runs import Settings, run
from divergent.runs.settings import Plan
from divergent.selection import SEARCHES

DATA = Path(__file__).parent / "data" / "replay.json"


def processor() -> str:
    """The processor as LLVM names it; compiled floating-point code differs between processors."""
    return llvmlite.binding.get_host_cpu_name()


def fingerprint(record: Any) -> dict[str, str]:
    """Hashes of the rows, the result and the positions of a record."""
    rows = [sorted(row.items()) for row in record.rows]
    result = [record.solved, record.evaluations, record.best_fitness, sorted(record.diversity.items())]
    genes = np.ascontiguousarray(record.solution.genes, dtype="<f8").tobytes()
    return {
        "rows": _hash(repr(rows).encode()),
        "result": _hash(repr(result).encode() + genes + record.trail.astype("<f4").tobytes()),
        "positions": _hash(record.positions.astype("<f4").tobytes()),
    }


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def cases() -> list[Settings]:
    """The settings of the recorded runs."""
    small = {"population": 60, "generations": 25, "steps": 200}
    chosen = [Settings(maze="hard", search=search, seed=1, **small) for search in SEARCHES]
    chosen += [
        Settings(maze=maze, search=search, seed=2, **small)
        for maze in ("medium", "very_hard", "extremely_hard", "generated:3")
        for search in ("objective", "novelty", "surprise")
    ]
    chosen += [
        Settings(maze=maze, search=search, seed=3, robot="five-rangefinder", **small)
        for maze in ("medium", "hard")
        for search in ("novelty", "surprise")
    ]
    chosen += [
        Settings(maze="hard", search=search, seed=4, loop=loop, **small)
        for loop in ("generational", "plus")
        for search in ("novelty", "surprise")
    ]
    chosen += [
        Settings(maze="hard", search=search, seed=5, behaviour="trail:10", **small)
        for search in ("novelty", "surprise")
    ]
    chosen += [
        Settings(maze="hard", search="surprise", seed=6, learn_from="population", **small),
        Settings(maze="hard", search="surprise", seed=6, predictor="quadratic", history=4, **small),
        Settings(maze="hard", search="surprise", seed=6, deviation="heatmap", **small),
        Settings(maze="hard", search="novelty", seed=6, archiving="fixed", **small),
        Settings(maze="hard", search="novelty", seed=6, clusters=20, **small),
        Settings(maze="hard", search="novelty", seed=7, population=2000, generations=3, steps=100),
    ]
    return chosen


def recorded() -> list[dict[str, Any]]:
    return json.loads(DATA.read_text())["runs"] if DATA.exists() else []


def _name(case: dict[str, Any]) -> str:
    settings = case["settings"]
    return "-".join(str(settings[name]) for name in ("maze", "search", "loop", "behaviour", "seed"))


@pytest.mark.slow
@pytest.mark.parametrize("case", recorded(), ids=_name)
def test_run_replayed_gives_the_recorded_hashes(case):
    made_on = json.loads(DATA.read_text())["made_on"]
    here = {"processor": processor(), "numba": numba.__version__.rsplit(".", 1)[0]}
    if here != made_on:
        pytest.skip(f"recorded on {made_on}, this is {here}: last bits of compiled code may differ")
    assert fingerprint(run(Plan.from_json(case["settings"]))) == case["hashes"]


def record_again() -> None:
    """Write the data file from the present code."""
    runs = []
    for settings in cases():
        plan = settings.resolve()
        runs.append({"settings": plan.to_json(), "hashes": fingerprint(run(plan))})
    made_on = {"processor": processor(), "numba": numba.__version__.rsplit(".", 1)[0]}
    lines = ",\n".join("  " + json.dumps(entry) for entry in runs)
    DATA.write_text(f'{{\n "made_on": {json.dumps(made_on)},\n "runs": [\n{lines}\n ]\n}}\n')


if __name__ == "__main__":
    record_again()
