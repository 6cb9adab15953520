"""XOR with NEAT

NEAT, as published in 2002, evolves a network that computes XOR.

The left plot shows the output of the network for inputs between -0.2 and 1.2. White circles mark the inputs with target
1, and black circles mark the inputs with target 0.

Tags: NEAT, XOR, species
"""

import numpy as np
from deap import base
from matplotlib import pyplot

from divergent import Outcome, evolve, neat
from divergent.plots import draw_network

CASES = {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 0}


def evaluate(genome):
    network = neat.express(genome)
    return Outcome(((4 - sum(abs(network(case)[0] - target) for case, target in CASES.items())) ** 2,))


rng = np.random.default_rng(2)
toolbox = base.Toolbox()
neat.register(toolbox, inputs=2, outputs=1, preset="neat2002", bias_node=True, feed_forward=True, rng=rng)
toolbox.register("evaluate", evaluate)
for step in evolve(toolbox.population(n=150), toolbox, 100, survive=neat.Reproduction(rng=rng)):
    best = max(step.population, key=lambda genome: genome.fitness)
    if best.fitness.values[0] > 15.5:
        break

figure, (left, right) = pyplot.subplots(1, 2, figsize=(9.5, 4), layout="constrained")
network = neat.express(best)
side = np.linspace(-0.2, 1.2, 60)
image = [[network((x, y))[0] for x in side] for y in side]
colours = left.contourf(side, side, image, levels=np.linspace(0, 1, 11), cmap="cividis")
for case, target in CASES.items():
    left.plot(*case, "o", markersize=10, color="black", markerfacecolor="white" if target else "black")
left.set(xlabel="first input", ylabel="second input", title=f"{step.evaluations:,} evaluations")
figure.colorbar(colours, label="output")
draw_network(best, ax=right)
pyplot.show()
