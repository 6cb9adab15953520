"""The Santa Fe ant by genetic programming: 89 pellets on a trail with gaps and corners, 600 moves.

An ant on a torus of 32 x 32 cells senses only whether there is food ahead. Its program, a tree, is repeated.
The behaviour is the food eaten after each eighth of the moves.

J. R. Koza, Genetic Programming, 1992; J. Lehman and K. O. Stanley, Efficiently Evolving Programs through the Search for
Novelty, GECCO 2010.
"""

import numpy as np
from deap import creator, gp
from numba import njit
from searches import SEARCHES, run_search
from trees import numbered, primitives, seeded, toolbox_for

import divergent

PUBLISHED = "novelty outperforms fitness and evolves smaller trees (Lehman and Stanley 2010)"
MEASURE = "pellets of 89"
SIZE = "nodes"
POPULATION, GENERATIONS, MOVES, SAMPLES = 500, 50, 600, 8
TRAIL = [
    ".###............................", "...#............................", "...#.....................###....",
    "...#....................#....#..", "...#....................#....#..", "...####.#####........##.........",
    "............#................#..", "............#.......#...........", "............#.......#........#..",
    "............#.......#...........", "....................#...........", "............#................#..",
    "............#...................", "............#.......#.....###...", "............#.......#..#........",
    ".................#..............", "................................", "............#...........#.......",
    "............#...#..........#....", "............#...#...............", "............#...#...............",
    "............#...#.........#.....", "............#..........#........", "............#...................",
    "...##..#####....#...............", ".#..............#...............", ".#..............#...............",
    ".#......#######.................", ".#.....#........................", ".......#........................",
    "..####..........................", "................................",
]  # fmt: skip
FOOD = np.array([[cell == "#" for cell in row] for row in TRAIL])
ARITY = {"if_food": 2, "both": 2, "three": 3, "forward": 0, "left": 0, "right": 0}
KNOWN = primitives("santa_fe", ARITY)

creator.create("Pellets", divergent.Fitness, weights=(1.0,))
creator.create("Ant", gp.PrimitiveTree, fitness=creator.Pellets)


@njit(cache=True)
def walk(program, arity, food, moves, samples):
    """Return the food eaten after each of `samples` equal parts of the moves."""
    ends = np.empty(len(program), np.int64)  # end of the subtree that starts at each node
    for place in range(len(program) - 1, -1, -1):
        end = place + 1
        for _ in range(arity[program[place]]):
            end = ends[end]
        ends[place] = end
    size, row, column, down, along = len(food), 0, 0, 0, 1
    eaten, made, waiting, waits = np.zeros(samples), 0, np.empty(3 * len(program) + 3, np.int64), 0
    total = 0
    while made < moves:
        if waits == 0:
            waiting[0], waits = 0, 1
        waits -= 1
        place = waiting[waits]
        name = program[place]
        if name == 0:  # food ahead: the first branch, else the second
            ahead = food[(row + down) % size, (column + along) % size]
            waiting[waits] = place + 1 if ahead else ends[place + 1]
            waits += 1
        elif name <= 2:  # the stack holds arguments in reverse order
            child = place + 1
            for number in range(arity[name]):
                waiting[waits + arity[name] - 1 - number] = child
                child = ends[child]
            waits += arity[name]
        else:
            if name == 3:
                row, column = (row + down) % size, (column + along) % size
                total += food[row, column]
                food[row, column] = False
            else:
                down, along = (-along, down) if name == 4 else (along, -down)
            eaten[made * samples // moves] = total
            made += 1
    return eaten


def evaluate(tree):
    eaten = walk(numbered(tree, ARITY), np.array(list(ARITY.values())), FOOD.copy(), MOVES, SAMPLES)
    return divergent.Outcome((float(eaten[-1]),), behaviour=eaten)


def run(search, seed, generations=GENERATIONS):
    rng = seeded(seed)
    toolbox = toolbox_for(KNOWN, creator.Ant, evaluate)
    strategy = SEARCHES[search](rng=rng)
    population = toolbox.population(n=POPULATION)
    return run_search(strategy, population, toolbox, generations, lambda values: values[0] == 89, cxpb=0.9, mutpb=0.1)


if __name__ == "__main__":
    for search in SEARCHES:
        print(search, run(search, seed=0))
