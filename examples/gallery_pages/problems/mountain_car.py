"""Mountain car

Novelty search reaches the flag in MountainCarContinuous, a gymnasium environment in which every push reduces the
return.

The behaviour descriptor has two dimensions, the leftmost and the rightmost position of the car. The position of the
flag is 0.45.

Tags: gymnasium, NEAT, novelty, deception
"""

import numpy as np
from deap import base
from matplotlib import pyplot

import divergent
from divergent import neat
from divergent.problems.gymnasium import GymTask
from divergent.selection import Novelty

FLAG = 0.45


def extremes(episode):
    positions = episode.observations[:, 0]
    return positions.min(), positions.max()


rng = np.random.default_rng(4)
task = GymTask("MountainCarContinuous-v0", steps=200, behaviour=extremes)
toolbox = base.Toolbox()
neat.register(toolbox, inputs=task.inputs, outputs=task.outputs, rng=rng)
toolbox.register("evaluate", task)
strategy = Novelty(neighbours=5, threshold=0.01, rng=rng)
behaviours, generations = [], []
species = neat.Species(target=5, rng=rng)
population = toolbox.population(n=30)
for step in divergent.steady_state(population, toolbox, strategy, species, generations=12):
    behaviours += [individual.fitness.behaviour for individual in step.offspring]
    generations += [step.generation] * len(step.offspring)

behaviours = np.array(behaviours)
figure, axes = pyplot.subplots(figsize=(6, 4.5), layout="constrained")
points = axes.scatter(*behaviours.T, c=generations, s=14, cmap="viridis")
axes.axhline(FLAG, color="black", linewidth=1)
axes.text(behaviours[:, 0].max(), FLAG + 0.01, "flag", ha="right")
axes.set(xlabel="leftmost position", ylabel="rightmost position")
axes.set_title(f"{(behaviours[:, 1] > FLAG).sum()} cars reach the flag")
figure.colorbar(points, label="generation")
pyplot.show()
