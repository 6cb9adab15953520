"""The knapsack problem with sets as individuals and two fitness values, using DEAP alone."""

import random

from deap import algorithms, base, creator, tools

creator.create("KnapsackFitness", base.Fitness, weights=(-1.0, 1.0))
creator.create("KnapsackSet", set, fitness=creator.KnapsackFitness)
ITEMS = {item: (1 + item * 7 % 10, float(item * 13 % 17)) for item in range(20)}


def evaluate(bag):
    weight, value = (sum(ITEMS[item][place] for item in bag) for place in (0, 1))
    if weight > 50:
        return 1000.0, 0.0
    return weight, value


def cross(first, second):
    kept = set(first)
    first &= second
    second ^= kept
    return first, second


def change(bag):
    bag ^= {random.randrange(len(ITEMS))}
    return (bag,)


def main(generations=40):
    random.seed(1)
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.KnapsackSet(random.sample(range(len(ITEMS)), 5)))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", cross)
    toolbox.register("mutate", change)
    toolbox.register("select", tools.selNSGA2)
    front = tools.ParetoFront()
    population = toolbox.population(n=50)
    algorithms.eaMuPlusLambda(population, toolbox, 50, 50, 0.7, 0.2, generations, halloffame=front, verbose=False)
    return max(bag.fitness.values[1] for bag in front)


if __name__ == "__main__":
    print(main())
