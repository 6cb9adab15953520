"""XOR with NEAT

NEAT, as published in 2002, evolves a network that computes XOR.

The left plot shows the output of the network for inputs between -0.2 and 1.2. Black circles mark the inputs with
target 0, and white circles mark the inputs with target 1.

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
    error = sum(abs(network(case)[0] - target) for case, target in CASES.items())
    return Outcome(((4 - error) ** 2,))


rng = np.random.default_rng(2)
toolbox = base.Toolbox()
options = {"preset": "neat2002", "bias_node": True, "feed_forward": True}
neat.register(toolbox, inputs=2, outputs=1, rng=rng, **options)
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
for target, face, edge in ((0, "black", "white"), (1, "white", "black")):
    inputs = [case for case in CASES if CASES[case] == target]
    look = {"s": 110, "facecolor": face, "edgecolor": edge, "linewidth": 1.5, "zorder": 3}
    left.scatter(*np.transpose(inputs), label=f"target {target}", **look)
legend = left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2, frameon=False)
for handle in legend.legend_handles:
    handle.set_edgecolor("black")
left.set(xlabel="first input", ylabel="second input", title=f"{step.evaluations:,} evaluations")
figure.colorbar(colours, label="output")
draw_network(best, ax=right)
pyplot.show()
