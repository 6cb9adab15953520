"""What a node makes of the sum of what it is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from divergent.validation import brief, is_finite

FUNCTIONS = {
    "sigmoid": "1 / (1 + exp(-x))",
    "tanh": "the hyperbolic tangent of x",
    "relu": "x, but 0 where that is negative",
    "sine": "the sine of x",
    "gaussian": "exp(-x * x)",
    "identity": "x",
}
"""The functions of `Activation`, x being the slope times the sum."""

SLOPE = 4.924273  # of the sigmoid, as in the NEAT of the maze experiments
STEEPEST = 1e6


@dataclass(frozen=True)
class Activation:
    """A function of a node's sum.

    Parameters
    ----------
    function
        One of `FUNCTIONS`: sigmoid, tanh, relu, sine, gaussian, identity. relu and identity are kept within plus and
        minus 1e30, since what goes round in a cycle would grow for ever.
    slope
        What the sum is multiplied by first. None: 4.924273 for the sigmoid, as in the maze experiments; else 1.

    Examples
    --------
    >>> Activation("tanh")
    Activation(function='tanh', slope=1.0)
    >>> Activation("sigmoid"), Activation("sigmoid", slope=1)
    (Activation(function='sigmoid', slope=4.924273), Activation(function='sigmoid', slope=1.0))
    """

    function: str
    slope: float = None  # type: ignore[assignment]  # a number once it is made

    def __post_init__(self):
        if not isinstance(self.function, str) or self.function not in FUNCTIONS:
            raise ValueError(f"unknown activation {brief(self.function)}; choose from {', '.join(FUNCTIONS)}")
        slope = self.slope
        if slope is None:
            slope = SLOPE if self.function == "sigmoid" else 1.0
        if not is_finite(slope) or isinstance(slope, bool) or not abs(slope) <= STEEPEST:
            raise ValueError(f"the slope of an activation must be a number, at most {STEEPEST:g}, got {brief(slope)}")
        object.__setattr__(self, "slope", float(slope))

    def __deepcopy__(self, memo: dict) -> "Activation":
        return self  # it never changes

    def to_json(self) -> dict[str, Any]:
        """Plain data for `from_json`."""
        return {"function": self.function, "slope": self.slope}

    @classmethod
    def from_json(cls, data: Any) -> "Activation":
        """Read what `to_json` gave."""
        if not isinstance(data, Mapping) or data.keys() != {"function", "slope"} or data["slope"] is None:
            raise ValueError(f"an activation is an object of function and slope, got {brief(data)}")
        return cls(data["function"], data["slope"])

    def __str__(self) -> str:
        usual = self == Activation(self.function)
        return self.function if usual else f"{self.function}, slope {self.slope:g}"


SIGMOID = Activation("sigmoid")
"""Of all nodes, unless another one is chosen."""


def as_activation(name: str, activation: Activation | str) -> Activation:
    """An activation, or the one that a function's name means; `name` is that of the argument, for a refusal."""
    if isinstance(activation, Activation):
        return activation
    if not isinstance(activation, str):
        raise TypeError(f"{name} must be an Activation or the name of one, got {brief(activation)}")
    return SIGMOID if activation == SIGMOID.function else Activation(activation)
