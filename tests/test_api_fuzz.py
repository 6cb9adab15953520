"""Hostile arguments, some of the many that benchmarks/fuzzers/api.py tries, cannot crash or hang a public function."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import divergent
from divergent import maze, neat, selection

if sys.platform != "linux":
    pytest.skip("limits of memory are enforced on Linux only", allow_module_level=True)

FUZZER = Path(__file__).parents[1] / "benchmarks" / "fuzzers" / "api.py"

specification = importlib.util.spec_from_file_location("fuzz_api", FUZZER)
api = importlib.util.module_from_spec(specification)
specification.loader.exec_module(api)


def test_hostile_calls_raise_a_clear_error_or_return_the_right_answer():
    assert list(api.fuzz(150, seed=7)) == []


def test_targets_with_valid_arguments_return_the_right_answer():
    never_right = {target.name for target in api.targets() if target.name.endswith("before assign")}
    wrong = [api.attempt(api.Call(target, {})) for target in api.targets() if target.name not in never_right]
    assert [result for result in wrong if result.kind != api.RIGHT] == []


@pytest.mark.parametrize("part", [divergent, neat, selection, maze])
def test_targets_call_every_public_function_and_class(part):
    source = "".join(file.read_text() for file in (FUZZER.parent / "api_targets").glob("*.py"))
    by_registry = {*selection.PREDICTORS.values()}  # every entry is a target
    ours = [name for name in part.__all__ if callable(getattr(part, name)) and getattr(part, name) not in by_registry]
    elsewhere = {
        "Settings",
        "read",
        "run",
        "run_many",
        "report",
        "History",
        "explore",
    }  # files and runs have fuzzers of their own
    values = {"Compatibility", "Diversity", "Rollout", "Strategy", "Outcome", "Fitness", "Step"}  # what others return
    assert [name for name in ours if name not in elsewhere | values and name not in source] == []


def test_survey_with_a_crash_and_a_hang_reports_both_and_continues(tmp_path):
    code = (
        f"import os, sys; sys.path.insert(0, {str(FUZZER.parent)!r}); import api\n"
        "api.SECONDS = 1\n"
        "def spin(hostile):\n    while True: pass\n"
        "found = [api.Target('killed', lambda hostile: os.abort(), {'hostile': (int, 'nothing')}),\n"
        "         api.Target('endless', spin, {'hostile': (int, 'nothing')}),\n"
        "         api.Target('harmless', lambda hostile: 1, {'hostile': (int, 'nothing')})]\n"
        "api.targets = lambda: found\n"
        "api.__file__ = __file__\n"
        "if sys.argv[1:2] == ['child']: api._child(*map(int, sys.argv[2:]))\n"
        "else: print(sorted((result.call.split('(')[0], result.kind) for result in api.survey(3, 0)))\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    printed = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == str([("endless", "time-out"), ("harmless", api.RIGHT), ("killed", "SIGABRT")])
