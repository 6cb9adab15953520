"""Activation functions of nodes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from divergent.validation import LARGEST, brief, is_finite, is_integer

FUNCTIONS = {
    "sigmoid": "1 / (1 + exp(-x))",
    "tanh": "the hyperbolic tangent of x",
    "relu": "x, but 0 where that is negative",
    "sine": "the sine of x",
    "gaussian": "exp(-x * x)",
    "identity": "x",
    "absolute": "the absolute value of x",
    "step": "1 where x is above 0, else 0",
}
"""Functions of `Activation`; x is the slope times the weighted sum."""

SLOPE = 4.924273  # slope of the sigmoid in Lehman's maze experiments
MAX_SLOPE = 1e6
NO_SET: tuple["Activation", ...] = ()
"""Empty set of activations: nodes do not draw their activation."""


@dataclass(frozen=True)
class Activation:
    """An activation function with a slope.

    Parameters
    ----------
    function : str
        One of `FUNCTIONS`: sigmoid, tanh, relu, sine, gaussian, identity, absolute, step. The values of relu, identity
        and absolute are limited to plus and minus 1e30, so that activations in cycles cannot grow to infinity.
    slope : float or None, default=None
        Factor by which the weighted sum is multiplied. None uses 4.924273 for the sigmoid, as in the maze experiments,
        and 1 for all other functions.

    Raises
    ------
    ValueError
        If the function is unknown, or the slope is not a number from -1e6 to 1e6.

    Examples
    --------
    >>> Activation("tanh")
    Activation(function='tanh', slope=1.0)

    The default slope of the sigmoid is the slope in the maze experiments:

    >>> Activation("sigmoid"),  Activation("sigmoid", slope=1)
    (Activation(function='sigmoid', slope=4.924273), Activation(function='sigmoid', slope=1.0))
    """

    function: str
    slope: float = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if not isinstance(self.function, str) or self.function not in FUNCTIONS:
            raise ValueError(
                f"function must be the name of an activation function, one of {', '.join(FUNCTIONS)}, "
                f"got {brief(self.function)}"
            )
        slope = self.slope
        if slope is None:
            slope = SLOPE if self.function == "sigmoid" else 1.0
        if not is_finite(slope) or isinstance(slope, bool) or not abs(slope) <= MAX_SLOPE:
            raise ValueError(
                f"slope must be a finite number within the bounds {-MAX_SLOPE:g} and {MAX_SLOPE:g}, got {brief(slope)}"
            )
        object.__setattr__(self, "slope", float(slope))

    def __deepcopy__(self, memo: dict) -> "Activation":
        return self  # immutable

    def to_json(self) -> dict[str, Any]:
        """Return the activation as JSON-serialisable data.

        Returns
        -------
        dict
            Dictionary with the keys `function` and `slope`.

        See Also
        --------
        Activation.from_json : Read the data.
        """
        return {"function": self.function, "slope": self.slope}

    @classmethod
    def from_json(cls, data: Any) -> "Activation":
        """Create an activation from the result of `to_json`.

        Parameters
        ----------
        data : mapping
            Dictionary with the keys `function` and `slope`.

        Returns
        -------
        Activation
            The activation.

        Raises
        ------
        ValueError
            If a key or a value is invalid.
        """
        if not isinstance(data, Mapping) or data.keys() != {"function", "slope"} or data["slope"] is None:
            raise ValueError(f"an activation must have the keys function and slope, got {brief(data)}")
        return cls(data["function"], data["slope"])

    def __str__(self) -> str:
        default = self == Activation(self.function)
        return self.function if default else f"{self.function}, slope {self.slope:g}"


SIGMOID = Activation("sigmoid")
"""Default activation of all nodes."""


def as_activation(name: str, activation: Activation | str) -> Activation:
    """Convert the name of a function to an `Activation` with the default slope; errors refer to argument `name`."""
    if isinstance(activation, Activation):
        return activation
    if not isinstance(activation, str):
        raise TypeError(
            f"argument {name} must be an Activation or the name of an activation function, got {brief(activation)}"
        )
    return SIGMOID if activation == SIGMOID.function else Activation(activation)


def as_activations(name: str, activations: Sequence[Activation | str]) -> tuple[Activation, ...]:
    """Return a set of distinct activations as a tuple; error messages refer to the argument `name`."""
    if isinstance(activations, str | Activation) or not isinstance(activations, Sequence):
        raise TypeError(f"argument {name} must be a sequence of activations, got {brief(activations)}; pass a tuple")
    kinds = tuple(as_activation(name, activation) for activation in activations)
    if len(set(kinds)) < len(kinds):
        raise ValueError(
            f"activations in the argument {name} must be distinct, got {brief(activations)}; remove the duplicates"
        )
    return kinds


def draw_activation(activations: Sequence[Activation], draw: float) -> Activation:
    """Select one of the activations by `draw`, a uniform random number from 0 to 1."""
    return activations[int(draw * len(activations))]


def as_node_activations(activations: Any, sources: int) -> dict[int, Activation]:
    """Return the activations of individual nodes as a dictionary from node id to `Activation`."""
    if not isinstance(activations, Mapping):
        raise TypeError(f"node_activations must be a mapping of node ids to activations, got {brief(activations)}")
    for node in activations:
        if not is_integer(node) or not sources <= node <= LARGEST:
            raise ValueError(
                f"node_activations must have node ids from {sources}, the id of the first output, to {LARGEST}, "
                f"got {brief(node)}"
            )
    return {int(node): as_activation("node_activations", kind) for node, kind in activations.items()}
