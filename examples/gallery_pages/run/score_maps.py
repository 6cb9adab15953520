"""Score maps of two strategies

A strategy can score any point of the behaviour space; surprise search and novelty search assign different scores to the
same point.

White dots mark the behaviours of the current population.

Tags: surprise, novelty, score
"""

import numpy as np
from matplotlib import pyplot

from divergent import Outcomes
from divergent.selection import Novelty, Surprise

rng = np.random.default_rng(1)


def generation(t):
    right = rng.normal((2 + 1.5 * t, 2), 0.35, (60, 2))
    up = rng.normal((8, 4 + 1.5 * t), 0.35, (60, 2))
    return Outcomes(fitness=np.zeros(120), behaviours=np.concatenate([right, up]))


strategies = {
    "surprise": Surprise(clusters=2, neighbours=1, rng=rng),
    "novelty": Novelty(archiving="none", rng=rng),
}
x, y = np.meshgrid(np.linspace(0, 10, 100), np.linspace(0, 10, 100))
points = Outcomes(fitness=np.zeros(x.size), behaviours=np.column_stack([x.ravel(), y.ravel()]))
generations = [generation(t) for t in range(3)]
figure, panels = pyplot.subplots(1, 2, figsize=(9, 4), layout="constrained", sharey=True)
for axes, (name, strategy) in zip(panels, strategies.items(), strict=True):
    for outcomes in generations[:2]:
        strategy.learn(outcomes)
    scores = strategy.score(points, among=generations[2]).reshape(x.shape)
    colours = axes.contourf(x, y, scores, levels=np.arange(0, 10), cmap="cividis")
    axes.scatter(*generations[2].behaviours.T, s=5, color="white")
    axes.set(title=name, aspect="equal", xlabel="first dimension")
panels[0].set_ylabel("second dimension")
figure.colorbar(colours, ax=panels, label="score")
pyplot.show()
