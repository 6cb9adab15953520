"""Write docs/explorers/arm.explorer: novelty and surprise search with a planar robot arm.

An arm of eight links reaches for points of a disc. The behaviour is the position of the hand and of the elbow; the
fitness is 1 for a smooth arm, whose joints all bend alike. python docs/explorers/arm.py
"""

import sys
from pathlib import Path

import numpy as np
from deap import base, creator, tools

import divergent
from divergent.explorer import page_data
from divergent.selection import Novelty, Strategy, Surprise

LINKS = 8
BEND = np.pi / 3  # largest bend of a joint
POPULATION = 100
OUT = Path(__file__).with_suffix(".explorer")

creator.create("Smooth", divergent.Fitness, weights=(1.0,))
creator.create("Arm", list, fitness=creator.Smooth)


def joints(arm: list[float]) -> np.ndarray:
    """Return the positions of the shoulder, all joints and the hand; the stretched arm has length 1."""
    angles = np.cumsum(np.clip(arm, -1.0, 1.0) * BEND)
    links = np.column_stack([np.cos(angles), np.sin(angles)]) / LINKS
    return np.vstack([np.zeros(2), np.cumsum(links, axis=0)])


def evaluate(arm: list[float]) -> divergent.Outcome:
    """Return the smoothness of an arm, and the positions of its hand and elbow."""
    places = joints(arm)
    return divergent.Outcome(
        (float(1.0 - np.std(np.clip(arm, -1.0, 1.0))),), behaviour=[*places[-1], *places[LINKS // 2]]
    )


def toolbox(rng: np.random.Generator) -> base.Toolbox:
    """Return the operators."""
    box = base.Toolbox()
    box.register("individual", lambda: creator.Arm(rng.uniform(-0.1, 0.1, LINKS).tolist()))
    box.register("population", tools.initRepeat, list, box.individual)
    box.register("evaluate", evaluate)
    box.register("mate", lambda first, second: (first, second))

    def mutate(arm: list[float]) -> tuple[list[float]]:
        arm[:] = np.clip(np.array(arm) + rng.normal(0.0, 0.15, LINKS) * (rng.random(LINKS) < 0.3), -1, 1).tolist()
        return (arm,)

    box.register("mutate", mutate)
    return box


def draw(axes) -> None:
    """Draw the disc that the hand can reach, and the shoulder."""
    from matplotlib.patches import Circle

    axes.add_patch(Circle((0, 0), 1, facecolor="#8A94A3", alpha=0.12, edgecolor="#5B626C", linewidth=2))
    axes.plot(0, 0, "o", color="#5B626C", markersize=9)


def render(arm: list[float]):
    """Draw one arm."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.2, 3.2), dpi=80, layout="constrained")
    axes = figure.add_subplot()
    axes.plot(*joints(arm).T, "o-", color="#0072B2", linewidth=3, markersize=5)
    axes.plot(0, 0, "o", color="#1B1D21", markersize=9)
    axes.set(xlim=(-1.05, 1.05), ylim=(-1.05, 1.05), aspect="equal", xticks=[], yticks=[])
    return figure


PROBLEM = divergent.Problem(
    "arm",
    toolbox,
    title="Planar arm",
    axes=("hand x", "hand y", "elbow x", "elbow y"),
    limits=((-1.05, 1.05),) * 2 + ((-0.55, 0.55),) * 2,
    draw=draw,
    render=render,
)


def run(strategy: Strategy, rng: np.random.Generator, generations: int) -> divergent.History:
    """Return the history of a steady-state run."""
    box = toolbox(rng)
    history = divergent.History(strategy=strategy, keep=True)
    loop = divergent.steady_state(box.population(n=POPULATION), box, strategy, generations=generations)
    for _ in history.watch(loop):
        pass
    return history


def main(generations: int = 80, out: Path = OUT) -> None:
    """Run both searches and write the data of their page."""
    histories = []
    for seed, kind in ((1, Novelty), (2, Surprise)):
        rng = np.random.default_rng(seed)
        options = {"threshold": 0.1} if kind is Novelty else {"clusters": 30}
        histories.append(run(kind(**options, rng=rng), rng, generations))
    title = "Novelty search and surprise search with a planar arm"
    page_data(*histories, problem=PROBLEM, title=title).write(out)


if __name__ == "__main__":
    main(*[int(argument) for argument in sys.argv[1:]])
