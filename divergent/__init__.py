"""Divergent evolutionary search on DEAP: surprise, novelty and NEAT as interchangeable parts."""

from divergent.individual import Fitness, Outcome, Outcomes, Score, pack

__version__ = "0.1.0"

__all__ = ["Fitness", "Outcome", "Outcomes", "Score", "__version__", "pack"]
