"""Novelty search for programs of an artificial ant, which are DEAP trees.

The ant moves on a torus of 10 x 10 grid cells and eats the food in the cells that it visits. The leaves of a program
tree are actions. An inner node executes two branches in sequence, or one of two branches, depending on whether there is
food ahead. The behaviour of a program is the set of visited grid cells.
"""

import random

import numpy as np
from deap import algorithms, base, creator, gp, tools

import divergent
from divergent.selection import Novelty, by_score

SIZE = 10
MOVES = 100
FOOD = {(0, 1), (0, 2), (0, 3), (1, 3), (2, 3), (3, 3), (3, 5), (3, 6), (5, 6), (6, 6), (7, 6), (7, 8), (7, 9), (9, 9)}


class Ant:
    """Simulator of an ant that repeats its program until all moves are used."""

    def __init__(self):
        self.place, self.heading, self.moves = (0, 0), (0, 1), 0
        self.food, self.visited = set(FOOD), np.zeros((SIZE, SIZE))

    def ahead(self):
        return (self.place[0] + self.heading[0]) % SIZE, (self.place[1] + self.heading[1]) % SIZE

    def act(self, action):
        if self.moves < MOVES:
            self.moves += 1
            if action == "forward":
                self.place = self.ahead()
                self.visited[self.place] = 1
                self.food.discard(self.place)
            else:
                turn = 1 if action == "left" else -1
                self.heading = (-turn * self.heading[1], turn * self.heading[0])

    def run(self, program):
        while self.moves < MOVES:
            program(self)
        return self


def if_food(then, otherwise):
    return lambda ant: then(ant) if ant.ahead() in ant.food else otherwise(ant)


def sequence(first, second):
    return lambda ant: (first(ant), second(ant))


def forward(ant):
    ant.act("forward")


def left(ant):
    ant.act("left")


def right(ant):
    ant.act("right")


primitives = gp.PrimitiveSet("ant", 0)
primitives.addPrimitive(if_food, 2)
primitives.addPrimitive(sequence, 2)
for action in (forward, left, right):
    primitives.addTerminal(action, name=action.__name__)
    primitives.context[action.__name__] = action

creator.create("Eaten", divergent.Fitness, weights=(1.0,))
creator.create("Program", gp.PrimitiveTree, fitness=creator.Eaten)


def evaluate(tree):
    ant = Ant().run(gp.compile(tree, primitives))
    return divergent.Outcome((len(FOOD) - len(ant.food),), behaviour=ant.visited.ravel())


def most_eaten(strategy, seed, generations=20):
    """Return the number of food pellets that the best program of a run eats."""
    random.seed(seed)
    toolbox = base.Toolbox()
    toolbox.register("expr", gp.genFull, pset=primitives, min_=0, max_=2)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", gp.cxOnePoint)
    toolbox.register("mutate", gp.mutUniform, expr=toolbox.expr, pset=primitives)
    for operator in ("mate", "mutate"):
        toolbox.decorate(operator, gp.staticLimit(key=len, max_value=40))
    toolbox.register("select", by_score, strategy=strategy, select=tools.selTournament, tournsize=3)
    ants = [creator.Program(gp.genHalfAndHalf(primitives, 1, 3)) for _ in range(60)]
    best = tools.HallOfFame(1)
    algorithms.eaMuPlusLambda(
        ants, toolbox, mu=60, lambda_=60, cxpb=0.6, mutpb=0.4, ngen=generations, halloffame=best, verbose=False
    )
    return int(best[0].fitness.values[0])


if __name__ == "__main__":
    print(f"{most_eaten(Novelty(neighbours=5, threshold=2, rng=np.random.default_rng(1)), 1)} of {len(FOOD)} eaten")
