"""Measure the CPU time of a simulation step for three network sizes, three mazes and two robots.

Run the script with ``python benchmarks/rollout.py``. The script also measures a controller that is a callable but not a
`Network`, and the time from the start of Python to the first outcome. Each number is the smallest CPU time of several
repeats in one thread.
"""

import os
import subprocess
import sys
import tempfile
import time
from types import SimpleNamespace

import numpy as np

from divergent.maze import ROBOTS, MazeTask, drive, read_maze
from divergent.neat.network import express

MAZES = ("medium", "hard", "extremely_hard")
NETWORKS = 100
SIZES = {13: 1, 42: 4, 100: 10}  # maps numbers of connections to typical numbers of hidden nodes
START = (
    "from types import SimpleNamespace; import numpy as np; from divergent.maze import MazeTask; "
    "MazeTask('hard')(SimpleNamespace(genes=np.array([(0, 0, 11, 1.0, 1)]), inputs=11, outputs=2))"
)


def main():
    rng = np.random.default_rng(0)
    genomes = {size: [random_genome(size, hidden, rng) for _ in range(NETWORKS)] for size, hidden in SIZES.items()}
    print(f"{NETWORKS} random networks of each size; evaluation (express, drive, outcome), ns of CPU per step")
    print(f"{'maze':16s}{'robot':12s}" + "".join(f"{f'{size} connections':>18s}" for size in SIZES))
    for maze in MAZES:
        for robot in ROBOTS:
            task = MazeTask(maze, robot=robot)
            times = [evaluation(task, group) for group in genomes.values()]
            print(f"{maze:16s}{robot:12s}" + "".join(f"{1e9 * time:18.0f}" for time in times))
    hard = read_maze("hard")
    networks = [express(genome) for genome in genomes[42][:5]]
    steps = sum(drive(network, hard, 400).steps for network in networks)
    plain = least(lambda: [drive(plainly(network), hard, 400) for network in networks], 3) / steps
    print(f"plain path, for any callable, hard maze, 42 connections: {1e9 * plain:.0f}")
    one_step = MazeTask(hard, steps=1)
    print(f"evaluation of 1 step, so mostly what surrounds a rollout: {1e6 * least_call(one_step, genomes[42]):.1f} us")
    print(f"express at 42 connections: {1e6 * least_call(express, genomes[42]):.1f} us")
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}
        print(f"first start until the first outcome, everything compiled: {start(environment):.1f} s of CPU")
        again = min(start(environment) for _ in range(3))
        print(f"later starts, compiled code read from disk: {again:.1f} s of CPU")


def random_genome(connections, hidden, rng):
    nodes = 13 + hidden
    links = {(int(rng.integers(11)), node) for node in range(13, nodes)}
    links |= {(node, output) for node in range(13, nodes) for output in (11, 12)}
    while len(links) < connections:
        links.add((int(rng.integers(nodes)), int(rng.integers(11, nodes))))
    genes = [(number, *link, rng.normal(), 1) for number, link in enumerate(sorted(links))]
    return SimpleNamespace(genes=np.array(genes, dtype=float), inputs=11, outputs=2)


def evaluation(task, genomes):
    """Return the CPU time of complete evaluations, from genes to outcome, in seconds per simulation step."""
    steps = sum(task.rollout(genome).steps for genome in genomes)
    return least(lambda: task.many(genomes), 15) / steps


def plainly(network):
    """Return the activation of a network as a callable that is not a `Network`."""
    network.reset()
    return network.activate


def least(function, repeats):
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        function()
        times.append(time.process_time() - begin)
    return min(times)


def least_call(function, genomes):
    return least(lambda: [function(genome) for genome in genomes for _ in range(5)], 15) / (5 * len(genomes))


def start(environment):
    begin = os.times()
    subprocess.run([sys.executable, "-c", START], env=environment, check=True)
    end = os.times()
    return end.children_user + end.children_system - begin.children_user - begin.children_system


if __name__ == "__main__":
    main()
