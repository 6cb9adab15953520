import io
import random

import matplotlib as mpl
import numpy as np
import pytest
from deap import base, creator, tools

import divergent
from divergent import Outcome, Reporter, Step, neat
from divergent.plots import draw_progress
from divergent.selection import Objective

mpl.use("Agg")
creator.create("ReportedFitness", divergent.Fitness, weights=(-1.0, 1.0))
creator.create("Reported", list, fitness=creator.ReportedFitness)


def individual(first, second, length=2):
    made = creator.Reported([0.0] * length)
    made.fitness.values = (first, second)
    return made


def test_reporter_row_has_statistics_of_the_population():
    population = [individual(4.0, 1.0, length=3), individual(2.0, 5.0), individual(6.0, 3.0)]
    reporter = Reporter(every=0)
    reporter.note(Step(7, 30, population, []))
    (row,) = reporter.rows
    assert row == {
        "generation": 7,
        "evaluations": 30,
        "best": 2.0,  # the first value is minimised
        "mean": 4.0,
        "std": pytest.approx(np.sqrt(8 / 3)),
        "size": 2,
        "species": None,
    }
    second = Reporter(index=1, every=0)
    second.note(Step(7, 30, population, []))
    assert (second.rows[0]["best"], second.rows[0]["mean"]) == (5.0, 3.0)


def test_reporter_prints_a_line_every_so_many_generations():
    stream = io.StringIO()
    reporter = Reporter(every=2, stream=stream)
    steps = [Step(number, number, [individual(1.5, 0.0)], []) for number in range(4)]
    assert list(reporter.watch(steps)) == steps
    assert stream.getvalue().splitlines() == [
        "generation 0: 0 evaluations, best 1.5, mean 1.5 +- 0, size 2",
        "generation 2: 2 evaluations, best 1.5, mean 1.5 +- 0, size 2",
    ]
    assert [row["generation"] for row in reporter.rows] == [0, 1, 2, 3]


def test_reporter_of_single_children_reports_whole_generations():
    toolbox = base.Toolbox()
    toolbox.register("evaluate", lambda point: Outcome((abs(point[0]), 0.0), behaviour=point))
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=1)
    random.seed(1)
    population = [creator.Reported([random.random(), random.random()]) for _ in range(6)]
    reporter = Reporter(every=0)
    steps = divergent.steady_state(population, toolbox, Objective(index=0), generations=3)
    assert sum(1 for _ in reporter.watch(steps)) == 13
    assert [(row["generation"], row["evaluations"]) for row in reporter.rows] == [(0, 6), (1, 12), (2, 18)]


def test_reporter_counts_the_species_of_a_reproduction():
    rng = np.random.default_rng(1)
    toolbox = base.Toolbox()
    neat.register(toolbox, inputs=2, outputs=1, preset="neat2002", rng=rng)
    toolbox.register("evaluate", lambda genome: Outcome((float(np.sum(genome.genes[:, 3])),)))
    reproduction = neat.Reproduction(rng=rng, threshold=0.5)
    stream = io.StringIO()
    reporter = Reporter(reproduction, stream=stream)
    for _ in reporter.watch(divergent.evolve(toolbox.population(n=20), toolbox, 3, survive=reproduction)):
        counts = len(set(reproduction.species.labels.tolist())) if len(reproduction.species.labels) else None
        assert reporter.rows[-1]["species"] == counts
    assert reporter.rows[0]["species"] is None  # the first generation is divided when it is selected
    assert reporter.rows[2]["species"] > 1
    assert stream.getvalue().endswith(" species\n")


def test_reporter_with_wrong_arguments_raises():
    with pytest.raises(ValueError, match="every must be an integer, at least 0, got -1"):
        Reporter(every=-1)
    with pytest.raises(TypeError, match=r"stream must be a file open for writing or None, got 'progress\.txt'"):
        Reporter(stream="progress.txt")


@pytest.mark.parametrize(
    ("index", "population", "message"),
    [
        (2, [individual(1.0, 2.0)], "index must be below 2, the number of fitness values, got 2"),
        (0, [individual(1.0, 2.0), creator.Reported([0.0])], "individual 1 must be evaluated, got no fitness"),
        (0, [], "population must be a list of at least one individual"),
        (0, [3.0], "individual 0 of the population must have a DEAP fitness"),
    ],
)
def test_reporter_note_with_an_invalid_population_raises_and_stores_nothing(index, population, message):
    reporter = Reporter(index=index, every=0)
    with pytest.raises((TypeError, ValueError), match=message):
        reporter.note(Step(0, 1, population, []))
    assert reporter.rows == []


def test_reporter_row_of_infinite_fitness_has_no_deviation():
    reporter = Reporter(index=1, every=0)
    reporter.note(Step(0, 2, [individual(0.0, 1.0), individual(0.0, np.inf)], []))
    assert (reporter.rows[0]["best"], reporter.rows[0]["mean"]) == (np.inf, np.inf)
    assert np.isnan(reporter.rows[0]["std"])


def test_draw_progress_draws_best_mean_and_deviation():
    reporter = Reporter(every=0)
    for number in range(3):
        reporter.note(Step(number, number, [individual(4.0 - number, 0.0), individual(8.0, 0.0)], []))
    ax = draw_progress(reporter)
    best, mean = (line.get_ydata().tolist() for line in ax.lines)
    assert best == [4.0, 3.0, 2.0]
    assert mean == [6.0, 5.5, 5.0]
    assert ax.collections[0].get_paths()[0].vertices[:, 1].max() == pytest.approx(8.0)
    with pytest.raises(ValueError, match="reporter must have recorded a generation, got none"):
        draw_progress(Reporter())


def test_draw_progress_with_a_wide_deviation_ends_the_band_at_the_best():
    reporter = Reporter(every=0)
    reporter.rows = [{"generation": number, "best": 3.0, "mean": 2.5, "std": 1.0} for number in range(2)]
    heights = draw_progress(reporter).collections[0].get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (1.5, 3.0)
