"""Fuzz the package with damaged files, hostile environments and killed runs: python benchmarks/fuzz.py [SUBJECT ...].

SUBJECT is the name of a module in `benchmarks/fuzzers/` that defines a function `attacks`. Each module defines its
default number of inputs as the constant `DEFAULT_COUNT`; None means all possible inputs. The same seed gives the same
inputs. Each module is run in a separate process, so that a crash or a hang is counted as a fault. If a module raises
`unittest.SkipTest`, the module is skipped and the reason is printed. The exit status is 1 if there are any faults.
"""

import argparse
import collections
import importlib
import itertools
import json
import subprocess
import sys
import tempfile
import time
import traceback
import unittest
import warnings
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
FAULTS = ("tracebacks", "unclear", "silent", "crashed")
SECONDS = 7200  # time limit for one module of `benchmarks/fuzzers/`, in seconds


def subjects():
    """Return the names of all modules in `benchmarks/fuzzers/` that define a function `attacks`."""
    files = sorted((HERE / "fuzzers").glob("*.py"))
    return [file.stem for file in files if "\ndef attacks(" in file.read_text(encoding="utf-8")]


def attack(subject, count, seed):
    """Run one module of `benchmarks/fuzzers/` in this process and classify the result of each input.

    Return the number of inputs with each kind of result, a list of faults, and the reason if the module was skipped.
    For each input, the module yields a function to call and the words that an error message must contain. A
    ValueError, TypeError or OSError counts as clear if its message is one line with all required words. An
    AssertionError means that the package accepted damaged input without an error.
    """
    module = importlib.import_module(f"fuzzers.{subject}")
    try:
        return *_attack(subject, module, count, seed), ""
    except unittest.SkipTest as reason:
        return collections.Counter(), [], str(reason)


def _attack(subject, module, count, seed):
    ends, messages = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        attacks = module.attacks(np.random.default_rng(seed), Path(folder))
        for number, (does, named) in enumerate(itertools.islice(attacks, count or module.DEFAULT_COUNT)):
            try:
                end = does()
            except AssertionError as difference:
                end, message = "silent", str(difference)
            except (ValueError, TypeError, OSError) as error:
                message = str(error)
                clear = (
                    message and "\n" not in message and all(word in message for word in named) and len(message) < 2000
                )
                end = "rejected" if clear else "unclear"
            except Exception:
                end, message = "tracebacks", traceback.format_exc(limit=-3)
            ends[end] += 1
            if end in FAULTS:
                messages.append(f"{subject}, input {number}: {end}: {message:.1000}")
    return ends, messages


def attack_apart(subject, count, seed):
    """Run one module of `benchmarks/fuzzers/` in a child process, which may crash or hang."""
    command = [sys.executable, "-X", "faulthandler", __file__, subject, "--here", "--count", str(count)]
    try:
        done = subprocess.run(
            [*command, "--seed", str(seed)], capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return collections.Counter(crashed=1), [f"{subject}: hung for {SECONDS} s"], ""
    if done.returncode not in (0, 1) or not done.stdout:
        return collections.Counter(crashed=1), [f"{subject}: exit status {done.returncode}: {done.stderr[-2000:]}"], ""
    ends, messages, skipped = json.loads(done.stdout)
    return collections.Counter(ends), messages, skipped


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument(
        "subjects", nargs="*", metavar="SUBJECT", help=f"{', '.join(subjects())}; all if none is named"
    )
    options.add_argument("--count", type=int, default=0, help="inputs per subject (default: by subject)")
    options.add_argument("--seed", type=int, default=0, help="random seed of the inputs (default: 0)")
    options.add_argument("--here", action="store_true", help="run in this process and print the counts as JSON")
    chosen = options.parse_args()
    if unknown := set(chosen.subjects) - set(subjects()):
        options.error(f"unknown subject {min(unknown)!r}; choose from {', '.join(subjects())}")
    if chosen.here:
        ends, messages, skipped = attack(chosen.subjects[0], chosen.count, chosen.seed)
        print(json.dumps((ends, messages, skipped)))
        return bool(messages)
    everything, total = [], collections.Counter()
    print(
        f"{'subject':<18}{'inputs':>8}{'rejected':>9}" + "".join(f"{name:>12}" for name in FAULTS) + "  seconds  else"
    )
    for subject in chosen.subjects or subjects():
        began = time.perf_counter()
        ends, messages, skipped = attack_apart(subject, chosen.count, chosen.seed)
        if skipped:
            print(f"{subject:<18}skipped: {skipped}", flush=True)
            continue
        others = ", ".join(f"{word} {ends[word]}" for word in sorted(set(ends) - {*FAULTS, "rejected"}))
        row = f"{subject:<18}{ends.total():>8,}{ends['rejected']:>9,}" + "".join(f"{ends[name]:>12}" for name in FAULTS)
        print(f"{row}{time.perf_counter() - began:>9.0f}  {others}", flush=True)
        everything += messages
        total += ends
    print(f"{'all':<18}{total.total():>8,}{total['rejected']:>9,}" + "".join(f"{total[name]:>12}" for name in FAULTS))
    for message in everything[:50]:
        print(message, file=sys.stderr)
    return bool(everything)


if __name__ == "__main__":
    sys.exit(main())
