"""Novelty search for strings of different lengths, with the edit distance as behaviour distance.

The command `divergent run examples/problems/strings.py` executes the runs. The goal is a balanced string of up to 24
brackets that is as long as possible. The behaviour is the string itself, and novelty search compares strings by their
Levenshtein distance.
"""

import random
from functools import lru_cache, partial

from deap import base, creator

import divergent
from divergent.selection import Novelty, Objective

LETTERS, LONGEST = "()[]", 24
CLOSES = {")": "(", "]": "["}

creator.create("BracketScore", divergent.Fitness, weights=(1.0,))
creator.create("Brackets", list, fitness=creator.BracketScore)


@lru_cache(maxsize=200_000)
def edit_distance(first, second):
    """Return the Levenshtein distance between two strings."""
    row = list(range(len(second) + 1))
    for place, letter in enumerate(first, start=1):
        corner, row[0] = row[0], place
        for column, other in enumerate(second, start=1):
            corner, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, corner + (letter != other))
    return float(row[-1])


def balanced_prefix(text):
    """Return the length of the longest prefix that is balanced."""
    stack, longest = [], 0
    for place, letter in enumerate(text, start=1):
        if letter in CLOSES:
            if not stack or stack.pop() != CLOSES[letter]:
                break
        else:
            stack.append(letter)
        if not stack:
            longest = place
    return longest


def evaluate(letters):
    text = "".join(letters)
    return divergent.Outcome((float(balanced_prefix(text)),), behaviour=text)


def cross(first, second):
    cut, other = random.randint(0, len(first)), random.randint(0, len(second))
    first[cut:], second[other:] = second[other:], first[cut:]
    del first[LONGEST:], second[LONGEST:]
    return first, second


def change(letters):
    place = random.randint(0, len(letters))
    operation = random.choice(("insert", "delete", "replace"))
    if operation == "insert" and len(letters) < LONGEST:
        letters.insert(place, random.choice(LETTERS))
    elif letters:
        letters[place : place + 1] = random.choice(LETTERS) if operation == "replace" and place < len(letters) else ""
    return (letters,)


def make_toolbox(rng):
    toolbox = base.Toolbox()
    toolbox.register("population", lambda n: [creator.Brackets(random.choices(LETTERS, k=4)) for _ in range(n)])
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", cross)
    toolbox.register("mutate", change)
    return toolbox


problem = divergent.Problem(
    "strings",
    make_toolbox,
    solved=lambda values: values[0] == LONGEST,
    defaults={"population": 60, "generations": 100, "loop": "plus", "cxpb": 0.3, "mutpb": 0.7},
    searches={"objective": Objective, "novelty": partial(Novelty, distance=edit_distance, neighbours=5)},
    title="Balanced brackets",
)
