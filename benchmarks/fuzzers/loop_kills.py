"""Custom loops that are killed several times; a restarted program must give the result of an uninterrupted program."""

import itertools
import json
import os
import random
import shutil
import signal
import time
from functools import partial

import numpy as np
from deap import base, creator, tools

import divergent
from divergent import neat
from divergent.selection import Novelty, Random, Surprise

DEFAULT_COUNT = 60
KILLS = 4
GENERATIONS = 24

# A fitness weight of -0.1 causes rounding errors, which must not change the result of a resumed run.
creator.create("LoopLeast", divergent.Fitness, weights=(-0.1,))
creator.create("LoopPoint", list, fitness=creator.LoopLeast)
creator.create("LoopVector", np.ndarray, fitness=creator.LoopLeast)
creator.create("LoopGenome", divergent.Genome, fitness=creator.LoopLeast)


def networks(seed):
    """Return a NEAT toolbox, its innovations and its random generator.

    The task of the evolved networks is to reproduce one of their inputs.
    """
    rng = np.random.default_rng(seed)
    toolbox = base.Toolbox()
    innovations = neat.register(toolbox, inputs=3, outputs=1, genome=creator.LoopGenome, node_rate=0.1, rng=rng)

    def evaluate(genome):
        network = neat.express(genome)
        answers = []
        for inputs in itertools.product((0.0, 1.0), repeat=2):
            network.reset()
            answers.append(float(network.activate((1.0, *inputs), passes=3)[0]))
        return divergent.Outcome((float(np.abs(np.array(answers) - (0, 0, 1, 1)).sum()),), answers)

    toolbox.register("evaluate", evaluate)
    return toolbox, innovations, rng


def points(seed, kind):
    """Return a toolbox and a population of points in the plane; the behaviour of a point is its position."""
    random.seed(seed)
    toolbox = base.Toolbox()
    toolbox.register("evaluate", lambda point: divergent.Outcome((abs(point[0]) + abs(point[1]),), behaviour=point))
    toolbox.register("mate", tools.cxBlend if kind is creator.LoopPoint else mixed, alpha=0.3)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.5, indpb=0.7)
    return toolbox, [kind([random.uniform(-5, 5), random.uniform(-5, 5)]) for _ in range(30)]


def mixed(first, second, alpha):
    """Cross two arrays: the children are the mean of the parents plus or minus noise from NumPy's global generator."""
    middle = (first + second) / 2
    first[:], second[:] = middle + alpha * np.random.random(2), middle - alpha * np.random.random(2)  # noqa: NPY002
    return first, second


def steady(path, seed):
    """Run the steady-state loop with NEAT and species."""
    toolbox, innovations, rng = networks(seed)
    strategy, species = Surprise(clusters=8, rng=rng), neat.Species(target=6, rng=rng)
    kept = divergent.Checkpoint(
        path, settings=seed, strategy=strategy, species=species, innovations=innovations, rng=rng
    )
    start = kept.restore(toolbox.population(n=30))
    steps = divergent.steady_state(
        start.population, toolbox, strategy, species, generations=GENERATIONS, done=start.done
    )
    return run_loop(steps, kept, start)


def plus(path, seed):
    """Run a (mu + lambda) loop with tournament selection by score, which may select an individual several times."""
    toolbox, population = points(seed, creator.LoopPoint)
    rng = np.random.default_rng(seed)
    strategy = Surprise(clusters=8, rng=rng) if seed // len(PROGRAMS) % 2 else Random(rng=rng)
    toolbox.register("select", divergent.by_score, strategy=strategy, select=tools.selTournament, tournsize=3)
    kept = divergent.Checkpoint(path, settings=seed, strategy=strategy)
    start = kept.restore(population)
    return run_loop(
        divergent.evolve(
            start.population, toolbox, GENERATIONS, survive="plus", done=start.done, evaluations=start.evaluations
        ),
        kept,
        start,
    )


def arrays(path, seed):
    """Run a generational loop with arrays as individuals and two objectives, novelty and surprise."""
    np.random.seed(seed)  # noqa: NPY002
    toolbox, population = points(seed, creator.LoopVector)
    toolbox.register("clone", cloned)
    novelty, surprise = Novelty(rng=np.random.default_rng(seed)), Surprise(clusters=5, rng=np.random.default_rng(seed))
    toolbox.register("select", divergent.by_score, strategy=[novelty, surprise], select=tools.selNSGA2)
    kept = divergent.Checkpoint(path, settings=seed, novelty=novelty, surprise=surprise)
    start = kept.restore(population)
    return run_loop(
        divergent.evolve(start.population, toolbox, GENERATIONS, done=start.done, evaluations=start.evaluations),
        kept,
        start,
    )


def cloned(vector):
    """Return a copy of an array individual with its fitness."""
    duplicate = creator.LoopVector(vector)
    vars(duplicate.fitness).update(vars(vector.fitness))
    return duplicate


def species(path, seed):
    """Run a generational loop that selects NEAT genomes within species and varies them by DEAP's functions."""
    random.seed(seed)
    toolbox, innovations, rng = networks(seed)
    groups = neat.Species(target=6, rng=rng)
    toolbox.register("select", neat.select, species=groups)
    kept = divergent.Checkpoint(path, settings=seed, groups=groups, innovations=innovations, rng=rng)
    start = kept.restore(toolbox.population(n=30))
    return run_loop(
        divergent.evolve(start.population, toolbox, GENERATIONS, done=start.done, evaluations=start.evaluations),
        kept,
        start,
    )


PROGRAMS = (steady, plus, arrays, species)


def run_loop(steps, kept, start):
    """Run a loop with a checkpoint every second generation; return its populations and three best individuals."""
    rows, best = start.notes or ([], [])
    for step in steps:
        best = sorted([*best, *step.offspring], key=lambda individual: individual.fitness.values)[:3]
        if step.ends_generation:
            rows.append([step.generation, step.evaluations, [written(individual) for individual in step.population]])
            if step.generation % 2:
                kept.save(step, notes=(rows, best))
    return json.dumps([rows, [written(individual) for individual in best]])


def written(individual):
    content = individual.genes.tolist() if hasattr(individual, "genes") else [float(number) for number in individual]
    return [
        content,
        individual.fitness.wvalues,
        list(map(float, individual.fitness.behaviour)),
        repr(individual.fitness.score),
    ]


def attacks(rng, folder):
    for number in itertools.count():
        program = PROGRAMS[number % len(PROGRAMS)]
        yield partial(kill, program, number, folder / f"{number}", rng.random(KILLS) / 2), []


def kill(program, seed, folder, moments):
    """Kill and resume a program several times; compare its result with that of an uninterrupted program."""
    folder.mkdir()
    began = time.perf_counter()
    whole = program(folder / "whole.npz", seed)
    seconds = time.perf_counter() - began
    ends = []
    for moment in (*moments, None):
        child = os.fork()
        if child == 0:
            (folder / "end").write_text(program(folder / "killed.npz", seed))
            os._exit(0)
        if moment is not None:
            time.sleep(seconds * moment)
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        ends.append("killed" if os.WIFSIGNALED(status) else "ended")
        if ends[-1] == "ended":
            break
    assert (folder / "end").read_text() == whole, f"another end of {program.__name__}, seed {seed}, after {ends}"
    shutil.rmtree(folder)
    return f"killed {ends.count('killed')} times"
