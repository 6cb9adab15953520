"""The network of a solution

The figure shows the network of a controller that solves the medium maze, with sensor inputs on the left and motor
outputs on the right.

Tags: NEAT, network, maze
"""

from matplotlib import pyplot

from divergent import Settings, run
from divergent.plots import draw_network, robot_labels

record = run(Settings(maze="medium", search="surprise", seed=1, generations=100))
figure, axes = pyplot.subplots(figsize=(8, 6), layout="constrained")
draw_network(record.solution, ax=axes, labels=robot_labels())
pyplot.show()
