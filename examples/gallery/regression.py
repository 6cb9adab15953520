"""Symbolic regression by genetic programming, with the vector of errors as behaviour.

The command `divergent run examples/gallery/regression.py` executes the runs.

The target is Koza's quartic, x^4 + x^3 + x^2 + x, at 20 points from -1 to 1. Formulas consist of x, addition,
subtraction, multiplication, and a division that returns 1 if the divisor is 0. The fitness is the mean absolute error,
which is minimised; an error below 0.01 solves the problem. Since errors are unbounded, the behaviour contains the
scaled error e / (1 + abs(e)) for each error e.

The target is from "Genetic Programming" (Koza, 1992). Novelty search with errors as behaviour is from "Searching for
novel regression functions" (Martinez, Naredo, Trujillo and Galvan-Lopez, CEC 2013).
"""

from functools import partial

import numpy as np
from deap import creator, gp
from numba import njit
from trees import make_toolbox, numbered, primitives

import divergent

X = np.linspace(-1, 1, 20)
TARGET = X**4 + X**3 + X**2 + X
ARITY = {"add": 2, "subtract": 2, "multiply": 2, "divide": 2, "x": 0}
KNOWN = primitives("regression", ARITY)
LARGEST = 1e6  # error that replaces larger errors and NaN

creator.create("MeanError", divergent.Fitness, weights=(-1.0,))
creator.create("Formula", gp.PrimitiveTree, fitness=creator.MeanError)


@njit(cache=True, error_model="numpy")
def compute(formula, x):
    """Compute the values of a formula in prefix order, from its end, so that arguments precede their operator."""
    stack, height = np.empty((len(formula), len(x))), 0
    for place in range(len(formula) - 1, -1, -1):
        name = formula[place]
        if name == 4:
            stack[height] = x
            height += 1
            continue
        height -= 1
        first, second = stack[height], stack[height - 1]
        for point in range(len(x)):
            a, b = first[point], second[point]
            if name == 0:
                second[point] = a + b
            elif name == 1:
                second[point] = a - b
            elif name == 2:
                second[point] = a * b
            else:
                second[point] = a / b if b != 0 else 1.0
    return stack[0]


def evaluate(tree):
    errors = compute(numbered(tree, ARITY), X) - TARGET
    errors = np.where(np.abs(errors) < LARGEST, errors, LARGEST)
    return divergent.Outcome((float(np.abs(errors).mean()),), behaviour=errors / (1 + np.abs(errors)))


problem = divergent.Problem(
    "regression",
    partial(make_toolbox, KNOWN, creator.Formula, evaluate),
    solved=lambda values: values[0] < 0.01,
    defaults={"population": 500, "generations": 50, "loop": "plus", "cxpb": 0.9, "mutpb": 0.1},
    title="Symbolic regression of a quartic",
)
