"""The robot and its sensors

Six rangefinders measure distances to walls, and four radars detect the direction of the goal.

Tags: maze, robot, sensors
"""

from matplotlib import pyplot

from divergent.maze import read_maze, sense, shortest_path
from divergent.plots import draw_maze, draw_robot, robot_labels

maze = read_maze("hard")
position, heading = (105.0, 155.0), 0.0
figure, axes = pyplot.subplots(figsize=(5, 5), layout="constrained")
draw_robot(maze, position, heading, ax=draw_maze(maze, ax=axes, path=shortest_path(maze)[1]))
axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=3, frameon=False)
labels = robot_labels()
for node, value in enumerate(sense(maze, position, heading)):
    print(f"{labels[node]:17} {value:.2f}")
pyplot.show()
