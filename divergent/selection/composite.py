"""What strategies that are made of strategies share: their parts, which learn and are kept together."""

from collections.abc import Iterable

import numpy as np

from divergent.individual import Outcomes
from divergent.loops import check_instance
from divergent.selection._validation import check_outcomes
from divergent.selection.strategy import Strategy


class Compound(Strategy):
    """A strategy made of others; a subclass says how their scores become one.

    It learns from births, in the steady-state loop, if any of its parts does.

    Parameters
    ----------
    parts
        The strategies.

    Attributes
    ----------
    parts : list of Strategy
        The strategies, in order.
    """

    def __init__(self, parts: Iterable[Strategy]):
        super().__init__()
        self.parts = list(parts)
        name = type(self).__name__
        if not self.parts:
            raise ValueError(f"{name} needs at least one strategy, got none")
        for part in self.parts:
            check_instance(part)
            if not isinstance(part, Strategy):
                raise TypeError(f"{name} is made of strategies, got {part!r:.60} of {type(part).__name__}")
        if any(part.learns_from == "offspring" for part in self.parts):
            self.learns_from = "offspring"

    def learn(self, outcomes):
        for part in self.parts:
            part.learn(outcomes)

    @property
    def remembers(self) -> bool:
        """Whether it or any of its parts has a memory."""
        return super().remembers or any(part.remembers for part in self.parts)

    def reset(self) -> None:
        """Forget everything learnt, the parts included."""
        for part in self.parts:
            part.reset()
        super().reset()

    def state(self):
        return super().state() | {"parts": [part.state() for part in self.parts]}

    def restore(self, state):
        super().restore(state)
        inner = state.get("parts")
        if not isinstance(inner, list) or len(inner) != len(self.parts):
            raise ValueError(
                f"a state of this {type(self).__name__} has those of {len(self.parts)} parts, got {inner!r:.60}"
            )
        for part, one in zip(self.parts, inner, strict=True):
            part.restore(one)

    def scores_of_parts(self, outcomes: Outcomes, among: Outcomes | None = None) -> np.ndarray:
        """What each part thinks of each outcome, shape (parts, m)."""
        return np.array([part.score(outcomes, among) for part in self.parts])


def joined(outcomes: Outcomes, among: Outcomes | None) -> Outcomes:
    """A whole population, those who come to the others last; both are refused if they are no outcomes."""
    check_outcomes(outcomes)
    if among is None:
        return outcomes
    check_outcomes(among)
    if among.behaviours.shape[1] != outcomes.behaviours.shape[1]:
        raise ValueError(
            f"behaviours must have one length: {among.behaviours.shape[1]} numbers among the others, "
            f"got {outcomes.behaviours.shape[1]}"
        )
    return Outcomes(*map(np.concatenate, zip(among, outcomes, strict=True)))
