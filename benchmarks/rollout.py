"""Time a simulation step: compiled for networks of three sizes, plain for any callable, and the first start.

Run it with ``python benchmarks/rollout.py``. Times are CPU times of one thread, the least of several repeats.
"""

import os
import subprocess
import sys
import tempfile
import time
from types import SimpleNamespace

import numpy as np

from divergent.maze import MazeTask, drive, read_maze
from divergent.neat.network import express

STEPS = 400
NETWORKS = 200
SIZES = {26: 2, 42: 4, 60: 5}  # connections, and the hidden nodes that networks of that size tend to have
START = (
    "from types import SimpleNamespace; import numpy as np; from divergent.maze import MazeTask; "
    "MazeTask('hard')(SimpleNamespace(genes=np.array([(0, 0, 11, 1.0, 1)]), inputs=11, outputs=2))"
)


def main():
    maze, rng = read_maze("hard"), np.random.default_rng(0)
    task = MazeTask(maze, STEPS)
    print(f"hard maze, {NETWORKS} random networks of each size, ns of CPU per step")
    for connections, hidden in SIZES.items():
        genomes = [random_genome(connections, hidden, rng) for _ in range(NETWORKS)]
        networks = [express(genome) for genome in genomes]
        steps = sum(drive(network, maze, STEPS).steps for network in networks)
        evaluation = least(lambda genomes=genomes: task.many(genomes), repeats=15) / steps
        compiled = least(lambda networks=networks: [drive(network, maze, STEPS) for network in networks], 15) / steps
        some = networks[:5]
        plain_steps = sum(drive(network, maze, STEPS).steps for network in some)
        plain = least(lambda some=some: [drive(plainly(network), maze, STEPS) for network in some], 3) / plain_steps
        print(
            f"  {connections} connections: evaluation (express, drive, outcome) {1e9 * evaluation:6.0f}   "
            f"drive {1e9 * compiled:6.0f}   plain path {1e9 * plain:6.0f}   plain / drive {plain / compiled:5.1f}"
        )
    one_step = MazeTask(maze, steps=1)
    print(f"evaluation of 1 step, so mostly what surrounds a rollout: {1e6 * least_call(one_step, genomes):.1f} us")
    print(f"express at 60 connections: {1e6 * least_call(express, genomes):.1f} us")
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


def plainly(network):
    """The same network as a callable that nothing is known about."""
    network.reset()
    return lambda inputs: network(inputs)


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
