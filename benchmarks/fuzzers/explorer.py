"""Fuzzing of the explorer: a hostile run record or history gives a complete page or a one-line error message."""

import contextlib
import io
import itertools
import json
import random
import re
import shutil
from functools import partial
from types import SimpleNamespace

import numpy as np

from divergent import History, Outcome, Step
from divergent.explore import main
from divergent.explorer import explore
from divergent.individual import MaximisedFitness
from divergent.runs import run
from divergent.runs.record import MACHINE, TEXT
from fuzzers.damage import NUMBERS, text_of
from fuzzers.records import forged_arrays, forged_text, small, with_digest

DEFAULT_COUNT = 1500
NAMES = (
    "<!--<script>", "</script><script>alert(1)</script>", "<", "&lt;", "{script}", "{title}", "\ud800", "\udfff\ud800",
    "\x1b[2J\x1b]0;title\x07", "\x9b31m", "two\nlines", "\r", "\0", "\u2028", "\u202e", "", " ", "a" * 10_000,
    "outskirts", "__proto__", "constructor", "../../etc/passwd", "generated:1", "hard", "surprise", "original",
)  # fmt: skip
NAMED = (("settings", "maze"), ("settings", "search"), ("settings", "robot"), ("maze", "name"), ("version",))


def attacks(rng, folder):
    records = [run(settings).files() for settings in small()]
    for number in itertools.count():
        files, path = dict(records[rng.integers(len(records))]), folder / f"seed-{number % 50:04d}"
        way = rng.integers(6)
        if way == 5:
            yield partial(show, random.Random(int(rng.integers(2**32))), folder / "history.html"), []
            continue
        forger = (hostile_names, hostile_options, forged_text, forged_text, forged_arrays)[way]
        files |= forger(files, rng)
        # machine.json is deleted, because its digest of the original record makes reading the hostile record fail
        del files[MACHINE]
        yield partial(command, path, files), [path.name]


def hostile_names(files, rng):
    """Return the text of a run record with hostile names, such as the maze name, and a valid digest."""
    lines = [json.loads(line) for line in files[TEXT].splitlines()[:-1]]
    for place in rng.permutation(len(NAMED))[: rng.integers(1, 3)]:
        *outer, last = NAMED[place]
        holder = lines[0][outer[0]] if outer else lines[0]
        holder[last] = NAMES[rng.integers(len(NAMES))]
    return {TEXT: with_digest("".join(text_of(line) + "\n" for line in lines))}


def hostile_options(files, rng):
    """Return the text of a run record with a hostile option of the search, and a valid digest."""
    lines = [json.loads(line) for line in files[TEXT].splitlines()[:-1]]
    options = lines[0]["settings"]["options"]
    known = [*options, *NAMES]
    value = (*NUMBERS, *NAMES, None, [], {}, True)[rng.integers(len(NUMBERS) + len(NAMES) + 4)]
    options[known[rng.integers(len(known))]] = value
    return {TEXT: with_digest("".join(text_of(line) + "\n" for line in lines))}


def hostile_history(chance):
    """Return a history of individuals with extreme numbers as fitness, behaviour and score."""
    width, count, history = chance.randint(1, 4), chance.randint(1, 7), History()
    numbers = [float(number) for number in NUMBERS if not isinstance(number, int) or abs(number) < 10**300]
    edges = chance.sample(numbers, 3) if chance.random() < 0.7 else [0.0, 1.0, 2.5]
    for generation in range(chance.randint(1, 3)):
        individuals = [SimpleNamespace(fitness=MaximisedFitness()) for _ in range(count)]
        for individual in individuals:
            behaviour = [chance.choice(edges) for _ in range(width)]
            individual.fitness.values = Outcome((chance.choice(edges),), behaviour=behaviour)
            individual.fitness.score = chance.choice(edges)
        history.note(Step(generation, count * (generation + 1), individuals, individuals))
    return history


def command(path, files):
    """Run the command that writes the explorer page of a run record; its output must have no control characters."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    for name, content in files.items():
        (path / name).write_bytes(content)
    page, out, error = path / "page.html", io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        status = main([str(path), "--out", str(page)])
    printed = out.getvalue() + error.getvalue()
    assert printed.replace("\n", "").isprintable(), f"control characters: {printed!r}"
    if status:
        assert not page.exists(), "a page in spite of an error"
        raise ValueError(error.getvalue().removesuffix("\n"))
    check(page)
    return "record alone" if "could not be repeated" in error.getvalue() else "repeated"


def show(chance, page):
    """Write the explorer page of a hostile history and check the page."""
    explore(hostile_history(chance), out=page)
    check(page)
    return "history"


def check(page):
    """Check that an explorer page has only the HTML elements of the template, and JSON data without `<`."""
    text = page.read_text(encoding="utf-8")
    assert text.count("<script") == text.count("</script>") == 3, "other elements than the template's"
    assert text.count("<title>") == 1, "other elements than the template's"
    description = re.search(r'<script type="application/json" id="description">(.*?)</script>', text, re.DOTALL)[1]
    assert "<" not in description, "a bracket in the data"
    (shown,) = json.loads(description, parse_constant=lambda word: 1 / 0)["runs"]
    dimensions = shown["dimensions"]
    lengths = {shown["arrays"][f"behaviour{place}"]["length"] for place in range(len(dimensions))}
    assert lengths == {shown["evaluations"]}, "another number of points"
    limits = [(dimension["low"], dimension["high"]) for dimension in dimensions]
    assert np.isfinite(limits).all(), "a plane without bounds"
