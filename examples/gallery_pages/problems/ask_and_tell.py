"""Ask and tell

`Search.ask` proposes individuals, and `Search.tell` accepts the outcomes of an external program in any order.

Tags: ask and tell, Search, novelty, simulator
"""

import random

import numpy as np
from deap import base, creator, tools
from matplotlib import pyplot

import divergent
from divergent.selection import Novelty

creator.create("Free", divergent.Fitness, weights=(1.0,))
creator.create("Design", list, fitness=creator.Free)
random.seed(3)
toolbox = base.Toolbox()
toolbox.register("mate", tools.cxBlend, alpha=0.2)
toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.3, indpb=1)
start = [creator.Design([random.random(), random.random()]) for _ in range(30)]
search = divergent.Search(start, toolbox, Novelty(rng=np.random.default_rng(3)))
behaviours = []
while search.evaluations < 900:
    designs = search.ask(10)
    random.shuffle(designs)  # an external program can return results in any order
    outcomes = [divergent.Outcome((0.0,), behaviour=np.tanh(design)) for design in designs]
    search.tell(designs, outcomes)
    behaviours += [outcome.behaviour for outcome in outcomes]

figure, axes = pyplot.subplots(figsize=(5.6, 4.6), layout="constrained")
points = axes.scatter(*np.array(behaviours).T, c=range(len(behaviours)), s=10, cmap="viridis")
ticks = (-1, -0.5, 0, 0.5, 1)
axes.set(aspect="equal", xticks=ticks, yticks=ticks, title="behaviours")
axes.set(xlabel="first dimension", ylabel="second dimension")
figure.colorbar(points, label="evaluation")
pyplot.show()
