"""Hostile argument values for fuzzed functions, such as invalid mazes; `POOLS` groups the values by argument type."""

import copy
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from deap import base, tools

import divergent
from divergent import maze, neat, selection
from fuzzers.api_targets.hostile import ARRAYS, GENOMES, OUTCOMES, POPULATIONS, SCALARS, WALKERS, read_only
from fuzzers.api_targets.values import box, divided, genome, genomes, outcomes, rng, toolbox, value


def box_with(**parts):
    return lambda: box()._replace(**parts)


MAZES = {
    "None": value(None),
    "text": value("text"),
    "5": value(5),
    "()": tuple,
    "object()": object,
    "class": lambda: maze.Maze,
    "a name": lambda: "hard",
    "name None": box_with(name=None),
    "name $x^$": box_with(name="$x^$"),
    "start None": box_with(start=None),
    "start 3 numbers": box_with(start=(1.0, 2.0, 3.0)),
    "start nan": box_with(start=(math.nan, 20.0)),
    "start inf": box_with(start=(math.inf, 20.0)),
    "start far": box_with(start=(1e300, -1e300)),
    "start in a wall": box_with(start=(50.0, 20.0)),
    "start outside": box_with(start=(-50.0, 20.0)),
    "start text": box_with(start="ab"),
    "start array": box_with(start=np.array([20.0, 20.0])),
    "heading None": box_with(heading=None),
    "heading nan": box_with(heading=math.nan),
    "heading inf": box_with(heading=math.inf),
    "heading 1e300": box_with(heading=1e300),
    "heading -1e-320": box_with(heading=-1e-320),
    "heading text": box_with(heading="east"),
    "goal nan": box_with(goal=(math.nan, 1.0)),
    "goal far": box_with(goal=(1e308, 1e308)),
    "goal at start": box_with(goal=(20.0, 20.0)),
    "goal on a wall": box_with(goal=(50.0, 20.0)),
    "goal None": box_with(goal=None),
    "goal 1 number": box_with(goal=(1.0,)),
    "walls None": box_with(walls=None),
    "walls text": box_with(walls="walls"),
    "no walls": box_with(walls=np.empty((0, 4))),
    "walls (0,)": box_with(walls=np.empty(0)),
    "walls (3,)": box_with(walls=np.ones(3)),
    "walls (5, 3)": box_with(walls=np.ones((5, 3))),
    "walls (5, 5)": box_with(walls=np.ones((5, 5))),
    "walls (2, 4, 4)": box_with(walls=np.ones((2, 4, 4))),
    "a point as a wall": box_with(walls=np.array([[50.0, 50.0, 50.0, 50.0]])),
    "a tiny wall": box_with(walls=np.array([[50.0, 50.0, 50.0 + 1e-13, 50.0]])),
    "a tinier wall": box_with(walls=np.array([[0.0, 0.0, 1e-300, 0.0]])),
    "a wall of nan": box_with(walls=np.array([[math.nan] * 4])),
    "a wall to infinity": box_with(walls=np.array([[0.0, 0.0, math.inf, 0.0]])),
    "a huge wall": box_with(walls=np.array([[-1e308, 0.0, 1e308, 0.0]])),
    "walls of objects": box_with(walls=np.array([[None] * 4])),
    "walls of texts": box_with(walls=[["a"] * 4]),
    "one wall": box_with(walls=np.array([[0.0, 0.0, 100.0, 0.0]])),
    "the same wall twice": box_with(walls=np.array([[0.0, 0.0, 100.0, 0.0]] * 2)),
    "walls as lists": box_with(walls=[[0, 0, 100, 0]]),
    "integers": box_with(walls=np.array([[0, 0, 100, 0]])),
    "walls in Fortran's order": box_with(walls=np.asfortranarray(box().walls)),
    "walls read-only": box_with(walls=read_only(box().walls)),
    "20,000 walls": box_with(walls=np.tile([[0.0, 0.0, 100.0, 0.0]], (20_000, 1))),
}

WEIGHTS = {
    "10**7 nodes": lambda: np.broadcast_to(0.0, ((10**7 - 11) // 8 + 1, 10**7, 8)),
    "6,000 nodes": lambda: np.broadcast_to(0.0, (749, 6000, 8)),
    "too few": lambda: np.zeros((1, 11, 8)),
    "nothing": lambda: np.zeros((0, 11, 8)),
    "blocks of 7": lambda: np.zeros((1, 13, 7)),
    "another block": lambda: np.zeros((2, 13, 8)),
    "of nan": lambda: np.full((1, 13, 8), math.nan),
    "of inf": lambda: np.full((1, 13, 8), math.inf),
    "of 1e308": lambda: np.full((1, 13, 8), 1e308),
    "of objects": lambda: np.full((1, 13, 8), None),
    "complex": lambda: np.full((1, 13, 8), 1j),
    "strided": lambda: np.zeros((1, 13, 16))[:, :, ::2],
    "Fortran": lambda: np.asfortranarray(np.zeros((1, 13, 8))),
    "lists": lambda: np.zeros((1, 13, 8)).tolist(),
    "read-only": lambda: read_only(np.zeros((1, 13, 8))),
} | ARRAYS

GENES = {
    "rows": lambda: genome()().genes,
    "backwards": lambda: genome()().genes[::-1],
    "doubled": lambda: np.repeat(genome()().genes, 2, axis=0),
    "of nan": lambda: np.full((2, 5), math.nan),
    "10**400": lambda: [[10**400, 0, 3, 1.0, 1]],
    "2**31 - 1": lambda: [[2**31 - 1, 0, 2**31 - 1, 1.0, 1]],
    "one row": lambda: [0, 0, 3, 1.0, 1],
    "six columns": lambda: np.zeros((2, 6)),
    "texts": lambda: [["0", "0", "3", "1", "1"]],
    "shape (0, 7)": lambda: np.empty((0, 7)),
    "shape (1, 1, 5)": lambda: np.array([[[0, 0, 3, 1.0, 1]]]),
} | ARRAYS


def walker_strategy(scores):
    """Return a custom strategy class that returns the given scores."""

    class Own(selection.Strategy):
        def score(self, outcomes, among=None):
            return scores(len(outcomes.fitness))

    return Own


STRATEGIES = {
    "None": value(None),
    "text": value("novelty"),
    "5": value(5),
    "[]": list,
    "class": lambda: selection.Novelty,
    "object()": object,
    "scores None": walker_strategy(lambda size: None),
    "scores nan": walker_strategy(lambda size: np.full(size, math.nan)),
    "too few scores": walker_strategy(lambda size: np.zeros(max(0, size - 1))),
    "too many scores": walker_strategy(lambda size: np.zeros(size + 1)),
    "scores text": walker_strategy(lambda size: "x" * size),
    "a list of classes": lambda: [selection.Novelty],
    "a list of None": lambda: [None],
    "two": lambda: [selection.Novelty(), selection.Objective()],
    "wide": lambda: selection.SurpriseRandom(bounds=((0, 0, 0), (1, 1, 1))),
    "many clusters": lambda: selection.Surprise(clusters=50),
    "a heatmap": lambda: selection.Surprise(deviation="heatmap", bounds=((0, 0), (1, 1))),
}

SELECTORS = {
    "None": value(None),
    "text": value("best"),
    "gives None": lambda: lambda individuals, k: None,
    "gives numbers": lambda: lambda individuals, k: list(range(k)),
    "gives one": lambda: lambda individuals, k: individuals[0],
    "gives too many": lambda: lambda individuals, k: individuals * 3,
    "gives strangers": lambda: lambda individuals, k: [object()],
    "selNSGA2": lambda: tools.selNSGA2,
    "selRoulette": lambda: tools.selRoulette,
    "selSPEA2": lambda: tools.selSPEA2,
    "selLexicase": lambda: tools.selLexicase,
    "selTournamentDCD": lambda: tools.selTournamentDCD,
    "a number's": lambda: len,
}


def toolbox_with(**operators):
    def make():
        made = toolbox()
        for name, operator in operators.items():
            made.register(name, operator) if operator else made.unregister(name)
        return made

    return make


TOOLBOXES = {
    "None": value(None),
    "text": value("toolbox"),
    "class": lambda: base.Toolbox,
    "empty": base.Toolbox,
    "no evaluate": toolbox_with(evaluate=None),
    "no mate": toolbox_with(mate=None),
    "no select": toolbox_with(select=None),
    "evaluates to None": toolbox_with(evaluate=lambda walker: None),
    "evaluates to a number": toolbox_with(evaluate=lambda walker: 1.0),
    "evaluates to a tuple": toolbox_with(evaluate=lambda walker: (1.0,)),
    "evaluates to nan": toolbox_with(evaluate=lambda walker: divergent.Outcome((math.nan,), (0.0, 1.0))),
    "evaluates to text": toolbox_with(evaluate=lambda walker: "ab"),
    "evaluates to nothing": toolbox_with(evaluate=lambda walker: ()),
    "selects None": toolbox_with(select=lambda individuals, k: None),
    "selects no individual": toolbox_with(select=lambda individuals, k: []),
    "mates to None": toolbox_with(mate=lambda a, b: None),
    "breeds None": toolbox_with(breed=lambda a, b: None),
    "maps to nothing": toolbox_with(map=lambda function, items: []),
}


def state_with(maker, name, change):
    def make():
        state = copy.deepcopy(maker())
        changed = change(state.get(name)) if isinstance(state, dict) else None
        if changed is KeyError:
            del state[name]
        else:
            state[name] = changed
        return state

    return make


def hostile_states(maker):
    """Return invalid saved states of an object: values of other types, and valid states with one changed entry."""
    states: dict[str, Callable[[], Any]] = {
        "None": value(None),
        "text": value("text"),
        "5": value(5),
        "[]": list,
        "{}": dict,
        "object()": object,
    }
    array = {"array": [1.0, 2.0, 3.0], "shape": [1, 3], "dtype": "<f8"}
    changes = {
        "gone": lambda old: KeyError,
        "None": lambda old: None,
        "text": lambda old: "x",
        "-1": lambda old: -1,
        "nan": lambda old: math.nan,
        "10**400": lambda old: 10**400,
        "[]": lambda old: [],
        "{}": lambda old: {},
        "[None]": lambda old: [None],
        "[[0, 1]]": lambda old: [[0, 1]],
        "another array": lambda old: array,
        "a list of arrays": lambda old: [array, array],
        "of a wrong shape": lambda old: array | {"shape": [7, 7]},
        "of a shape of texts": lambda old: array | {"shape": "x"},
        "of no type": lambda old: array | {"dtype": "nonsense"},
        "of objects": lambda old: array | {"dtype": "O"},
        "of nan": lambda old: array | {"array": [math.nan, 1.0, 2.0]},
        "doubled": lambda old: old * 2 if isinstance(old, list) else old,
        "shortened": lambda old: old[:-1] if isinstance(old, list) else old,
        "of large numbers": lambda old: [10**9 for _ in old] if isinstance(old, list) else old,
        "negated": lambda old: [-1 for _ in old] if isinstance(old, list) else old,
    }
    for name in maker():
        for label, change in changes.items():
            states[f"{name} {label}"] = state_with(maker, name, change)
    return states


def learnt(strategy):
    for _ in range(3):
        strategy.score_generation(outcomes()())
    return strategy


LEARNING = {
    "Novelty": lambda: selection.Novelty(neighbours=3, threshold=6.0, scale="range", clusters=3, rng=rng()),
    "Surprise": lambda: selection.Surprise(clusters=4, archived=2, rng=rng()),
    "Surprise(heatmap)": lambda: selection.Surprise(deviation="heatmap", bounds=((0, 0), (100, 100)), rng=rng()),
    "SurpriseNoPrediction": lambda: selection.SurpriseNoPrediction(clusters=4, scale="std", rng=rng()),
    "SurpriseRandom": lambda: selection.SurpriseRandom(clusters=4, bounds=((0, 0), (100, 100)), rng=rng()),
    "Random": lambda: selection.Random(rng=rng()),
    "LocalCompetition": lambda: selection.LocalCompetition(neighbours=3, threshold=6.0, rng=rng()),
    "DominatedNovelty": lambda: selection.DominatedNovelty(neighbours=3, rng=rng()),
    "NoveltyAndSurprise": lambda: selection.NoveltyAndSurprise(neighbours=3, clusters=4, rng=rng()),
    "NoveltyWithCompetition": lambda: selection.NoveltyWithCompetition(neighbours=3, rng=rng()),
    "SurpriseWithCompetition": lambda: selection.SurpriseWithCompetition(neighbours=3, clusters=4, rng=rng()),
    "CoupledWithCompetition": lambda: selection.CoupledWithCompetition(neighbours=3, clusters=4, rng=rng()),
    "NoveltySurpriseAndCompetition": lambda: selection.NoveltySurpriseAndCompetition(clusters=4, rng=rng()),
    "NSGA2Ranking": lambda: selection.NSGA2Ranking([selection.Objective(), selection.Novelty(rng=rng())]),
    "Objective": selection.Objective,
    "Blend": lambda: selection.Blend({selection.Objective(): 1.0, selection.Novelty(): 1.0}),
}

INNOVATIONS = hostile_states(lambda: neat.Innovations(genomes()).state())
TEXTS = {
    "None": value(None),
    "5": value(5),
    "[]": list,
    "''": str,
    "text": value("text"),
    "bytes": value(b"\xff\xfe"),
    "null": value("null"),
    "NaN": value("NaN"),
    "deep": lambda: "[" * 100_000,
    "object()": object,
    "a number": value("1e999"),
    "digits": value("9" * 5000),
    "a tuple": lambda: ("hard",),
    "missing": lambda: "no/such/file.txt",
    "folder": lambda: "/",
    "zero byte": lambda: "a\0b",
    "generated:-1": value("generated:-1"),
    "generated:": value("generated:"),
    "generated:9...": lambda: "generated:" + "9" * 5000,
    "long": lambda: "x" * 100_000,
    "lone surrogate": value("\ud800"),
}


def json_with(**parts):
    return lambda: json.dumps(json.loads(genome()().to_json()) | parts)


JSON = TEXTS | {
    f"{name} {part!r:.30}": json_with(**{name: part})
    for name in ("version", "inputs", "outputs", "hidden", "connections", "bias_node", "hidden_activation", "fitness")
    for part in (
        None,
        -1,
        0,
        1.5,
        "x",
        [],
        {},
        True,
        [None],
        [[0, 0, 3, 1.0, True]],
        [[0, 0, 3, 1e999, True]],
        [[10**400, 0, 3, 1.0, True]],
        10**400,
        2**40,
        [5, 5],
        [10**9],
    )
}

POOLS: dict[str, dict[str, Callable[[], Any]]] = {
    "nothing": {"None": value(None)},
    "own genome": {name: make for name, make in GENOMES.items() if isinstance(make(), divergent.Genome)},
    "own maze": {name: make for name, make in MAZES.items() if isinstance(make(), maze.Maze)},
    "scalar": SCALARS,
    "array": ARRAYS,
    "genome": GENOMES,
    "population": POPULATIONS,
    "walkers": WALKERS,
    "outcomes": OUTCOMES,
    "maze": MAZES,
    "weights": WEIGHTS,
    "genes": GENES,
    "strategy": STRATEGIES,
    "select": SELECTORS,
    "select any number": {
        name: make for name, make in SELECTORS.items() if name != "selTournamentDCD"
    },  # multiples of 4
    "toolbox": TOOLBOXES,
    "text": TEXTS,
    "json": JSON,
    "innovations": INNOVATIONS,
    "species": hostile_states(lambda: divided().state()),
    **{name: hostile_states(lambda maker=maker: learnt(maker()).state()) for name, maker in LEARNING.items()},
}
