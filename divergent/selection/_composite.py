"""Base class of strategies that combine other strategies."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from divergent._behaviours import join_behaviours
from divergent.individual import Outcomes
from divergent.selection._strategy import Strategy
from divergent.selection._validation import check_outcomes
from divergent.validation import brief, check_instance


class CompositeStrategy(Strategy):
    """Base class of strategies that combine the scores of several component strategies.

    The attribute `learns_from` is "offspring" if at least one component strategy is updated from offspring.

    Parameters
    ----------
    parts : iterable of Strategy
        Component strategies, whose scores are combined.

    Attributes
    ----------
    parts : list of Strategy
        Component strategies, in order.
    """

    def __init__(self, parts: Iterable[Strategy]):
        super().__init__()
        self.parts = list(parts)
        name = type(self).__name__
        if not self.parts:
            raise ValueError(f"composite strategy {name} must have at least one strategy, got none")
        for part in self.parts:
            check_instance(part)
            if not isinstance(part, Strategy):
                raise TypeError(
                    f"parts of the composite strategy {name} must be strategies, got {part!r:.60} "
                    f"of type {type(part).__name__}"
                )
        if any(part.learns_from == "offspring" for part in self.parts):
            self.learns_from = "offspring"
        self.ancestors = max(part.ancestors for part in self.parts)

    def learn(self, outcomes: Outcomes) -> None:
        for part in self.parts:
            part.learn(outcomes)

    @property
    def remembers(self) -> bool:
        """Whether the composite strategy or any component strategy has state that `reset` clears."""
        return super().remembers or any(part.remembers for part in self.parts)

    def reset(self) -> None:
        """Clear the memory of the composite strategy and of its component strategies."""
        for part in self.parts:
            part.reset()
        super().reset()

    def state(self) -> dict[str, Any]:
        return super().state() | {"parts": [part.state() for part in self.parts]}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        states = state.get("parts")
        if not isinstance(states, list) or len(states) != len(self.parts):
            raise ValueError(
                f"state of the composite strategy {type(self).__name__} must contain the states of its "
                f"{len(self.parts)} component strategies, got {brief(states)}; "
                "construct the composite strategy with the same components"
            )
        for part, part_state in zip(self.parts, states, strict=True):
            part.restore(part_state)

    def part_scores(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray:
        """Return the scores of m outcomes by each of p component strategies, shape (p, m)."""
        return np.array([part.score(outcomes, among) for part in self.parts])


def concatenate(outcomes: Outcomes, among: Outcomes | None) -> Outcomes:
    """Concatenate the outcomes of the rest of the population (`among`) and the outcomes to score (`outcomes`)."""
    check_outcomes(outcomes, objects=True)
    if among is None:
        return outcomes
    check_outcomes(among, objects=True)
    first, second = among.behaviours, outcomes.behaviours
    if first.ndim == second.ndim == 2 and first.shape[1] != second.shape[1]:
        raise ValueError(
            "behaviours must have as many dimensions as the rest of the population, "
            f"{first.shape[1]}, got {second.shape[1]}"
        )
    ancestors = None
    if among.ancestors is not None and outcomes.ancestors is not None:
        ancestors = np.concatenate([among.ancestors, outcomes.ancestors])
    return Outcomes(np.concatenate([among.fitness, outcomes.fitness]), join_behaviours(first, second), ancestors)
