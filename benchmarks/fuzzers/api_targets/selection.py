"""Functions of `divergent.selection` and `divergent.neighbours` to be fuzzed."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from deap import tools

import divergent
from divergent import selection
from divergent.neighbours import NeighbourIndex, Scale
from divergent.selection._partitions import GridPartition
from fuzzers.api_targets.pools import LEARNING, learnt
from fuzzers.api_targets.target import (
    NOT_GIVEN,
    Target,
    all_finite,
    anything,
    at_least_0,
    clustered,
    constructor,
    no_nan,
    nothing,
)
from fuzzers.api_targets.values import Walker, outcomes, rows, tracks, value, walked


def restored(strategy, state):
    made = strategy()
    made.restore(state)
    first = made.score(outcomes()())
    made.learn(outcomes()())
    return np.concatenate([first, made.score_generation(outcomes()())])


def strategy_targets() -> Iterator[Target]:
    for name, make in LEARNING.items():
        # The scores of `Objective` are fitness values, which may be infinite; all other scores must be finite.
        right = no_nan if name == "Objective" else all_finite
        yield Target(
            f"{name}.restore",
            lambda state, make=make: restored(make, state),
            {"state": (lambda make=make: learnt(make()).state(), name)},
            right,
        )
        for learned, label in ((lambda make=make: learnt(make()), f"{name} that has learnt"), (make, name)):
            yield Target(
                f"{label}.score",
                lambda outcomes, among, learned=learned: learned().score(outcomes, among),
                {"outcomes": (outcomes(), "outcomes"), "among": (value(None), "outcomes")},
                right,
            )
            yield Target(
                f"{label}.follow",
                lambda outcomes, learned=learned: learned().score_generation(outcomes),
                {"outcomes": (outcomes(), "outcomes")},
                right,
            )
        yield Target(
            f"{name}.__call__",
            lambda individuals, make=make: make()(individuals),
            {"individuals": (walked, "walkers")},
            right,
        )


def selection_targets() -> Iterator[Target]:
    yield Target(
        "kmeans",
        selection.kmeans,
        {"behaviours": (rows(), "array"), "seeds": (rows(4), "array"), "iterations": (value(9), "scalar")},
        clustered,
    )
    for width in (2, 3, 9, 80):
        good = {
            "points": (rows(500, width), "array"),
            "queries": (rows(12, width), "array"),
            "count": (value(3), "scalar"),
            "among": (rows(5, width), "array"),
            "distance": (value("euclidean"), "scalar"),
        }
        yield Target(
            f"Points.mean_nearest of {width}",
            lambda points, queries, count, among, distance: NeighbourIndex(points, distance).mean_nearest(
                queries, count, among
            ),
            good,
            at_least_0,
        )
        without = {name: argument for name, argument in good.items() if name != "among"}
        yield Target(
            f"Points.mean_nearest_of_all of {width}",
            lambda points, queries, count, distance: NeighbourIndex(points, distance).mean_nearest_of_all(
                queries, count
            ),
            without,
            at_least_0,
        )
        yield Target(
            f"NeighbourIndex.select_by_threshold of {width}",
            lambda points, queries, threshold: NeighbourIndex(points).select_by_threshold(queries, threshold),
            {"points": good["points"], "queries": good["queries"], "threshold": (value(3.0), "scalar")},
            anything,
        )
        yield Target(
            f"Points.extended of {width}",
            lambda points, queries, width=width: (
                NeighbourIndex(rows(500, width)()).extended(points).mean_nearest(queries, 3)
            ),
            {"points": (rows(600, width), "array"), "queries": good["queries"]},
            at_least_0,
        )
    yield Target(
        "Nearest",
        lambda neighbours, distance, behaviours, predictions: selection.Nearest(neighbours, distance)(
            behaviours, predictions
        ),
        {
            "neighbours": (value(2), "scalar"),
            "distance": (value("cityblock"), "scalar"),
            "behaviours": (rows(), "array"),
            "predictions": (rows(5), "array"),
        },
        at_least_0,
    )
    good = {
        "bounds": (value(((0, 0), (100, 100))), "array"),
        "cells": (value(3), "scalar"),
        "behaviours": (rows(), "array"),
    }
    yield Target(
        "GridPartition",
        lambda bounds, cells, behaviours: GridPartition(bounds, cells).cell_indices(behaviours),
        good,
        at_least_0,
    )
    yield Target(
        "Heatmap",
        lambda bounds, cells, behaviours, predictions: selection.Heatmap(bounds, cells)(behaviours, predictions),
        good | {"predictions": (rows(9, 1), "array")},
        all_finite,
    )

    def scale(kind, behaviours):
        made = Scale(kind)
        made.learn(behaviours)
        return made.factors()

    yield Target("Scale", scale, {"kind": (value("range"), "scalar"), "behaviours": (rows(), "array")}, all_finite)
    for name, predictor in (selection.PREDICTORS | {"least_squares": selection.least_squares}).items():
        yield Target(name, predictor, {"tracks": (tracks, "array")}, all_finite)
    yield Target("linear of tracks", selection.linear, {"tracks": (tracks, "weights")}, all_finite)
    yield Target(
        "polynomial",
        lambda degree: selection.polynomial(degree)(tracks()),
        {"degree": (value(2), "scalar")},
        all_finite,
    )

    def fitted(predictor, estimator, tracks):
        from sklearn.linear_model import LinearRegression

        return predictor(LinearRegression() if estimator is NOT_GIVEN else estimator)(tracks)

    for predictor in (selection.regressor, selection.shared):
        yield Target(
            predictor.__name__,
            partial(fitted, predictor),
            {"estimator": (value(NOT_GIVEN), "scalar"), "tracks": (tracks, "array")},
            all_finite,
        )
    for made in (
        selection.Novelty,
        selection.LocalCompetition,
        selection.DominatedNovelty,
        selection.NoveltyAndSurprise,
        selection.NoveltyWithCompetition,
        selection.SurpriseWithCompetition,
        selection.CoupledWithCompetition,
        selection.NoveltySurpriseAndCompetition,
        selection.Surprise,
        selection.SurpriseNoPrediction,
        selection.Random,
    ):
        yield constructor(made)
    yield constructor(selection.SurpriseRandom, bounds=(value(((0, 0), (9, 9))), "array"))
    yield Target(
        "Novelty in use",
        lambda **given: learnt(selection.Novelty(**given)).score(outcomes()()),
        {
            "distance": (value("cityblock"), "scalar"),
            "threshold": (value(1.0), "scalar"),
            "archived": (value(2), "scalar"),
            "neighbours": (value(3), "scalar"),
        },
        all_finite,
    )
    yield Target(
        "Surprise in use",
        lambda **given: learnt(selection.Surprise(**given)).score(outcomes()()),
        {
            "clusters": (value(4), "scalar"),
            "neighbours": (value(2), "scalar"),
            "history": (value(3), "scalar"),
            "predictor": (value("linear"), "scalar"),
            "clustering": (value(selection.kmeans), "scalar"),
            "deviation": (value("nearest"), "scalar"),
            "distance": (value("cityblock"), "scalar"),
            "groups": (value(None), "scalar"),
        },
        all_finite,
    )
    yield Target(
        "Blend",
        lambda strategy, weight: learnt(selection.Blend({strategy: weight})).score(outcomes()()),
        {"strategy": (selection.Objective, "strategy"), "weight": (value(1.0), "scalar")},
        all_finite,
    )
    yield Target(
        "Blend of",
        lambda parts: selection.Blend(parts),
        {"parts": (lambda: {selection.Objective(): 1.0}, "scalar")},
        anything,
    )
    good = {
        "individuals": (walked, "walkers"),
        "k": (value(4), "scalar"),
        "strategy": (selection.Novelty, "strategy"),
        "select": (value(tools.selBest), "select"),
    }
    yield Target(
        "by_score",
        divergent.by_score,
        good,
        lambda chosen: all(isinstance(individual, Walker) for individual in chosen),
    )
    yield Target(
        "update_by_score",
        selection.update_by_score,
        {
            "individuals": (walked, "walkers"),
            "strategy": (selection.Novelty, "strategy"),
            "update": (value(list), "scalar"),
            "learn": (value(True), "scalar"),
        },
        nothing,
    )
    yield Target(
        "check_strategy",
        selection.check_strategy,
        {
            "strategy": (selection.Objective, "strategy"),
            "individuals": (value(12), "scalar"),
            "dimensions": (value(2), "scalar"),
            "seed": (value(0), "scalar"),
        },
        nothing,
        (AssertionError,),
    )
    yield from strategy_targets()
