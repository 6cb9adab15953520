"""Draw the network that a genome encodes."""

from collections.abc import Iterable, Mapping, Sequence
from graphlib import TopologicalSorter
from typing import Any, NamedTuple

import numpy as np

from divergent.neat.activation import SIGMOID
from divergent.neat.genome import ENABLED, SOURCE, TARGET, WEIGHT, Genome, own_activations, sources
from divergent.plots._style import choose_axes, mark_colour

KINDS = {"input": "#d9e6f2", "bias": "#d8d8d8", "hidden": "#ffffff", "output": "#f6dfc6"}
POSITIVE, NEGATIVE, DISABLED = mark_colour("positive"), mark_colour("negative"), "#808080"
DASHED, DOTTED = (0, (4, 2)), (0, (1, 2))  # line styles of negative weights and of disabled connections
MANY = 40  # number of connections above which lines are thinner
BENDS = (0.0, 0.06, -0.06, 0.12, -0.12, 0.2, -0.2)  # curvatures to try for a connection, a straight line first
WIDE = np.array([1.4, 1.0])  # factors that convert relative node positions (0 to 1) to distances in the drawing
CLEAR = 0.05  # sufficient distance between a connection and other nodes


def draw_network(genome: Genome, ax: Any = None, labels: Mapping[int, str] | None = None) -> Any:
    """Draw the network of a genome in layers: inputs on the left, hidden nodes by depth, outputs on the right.

    Width and opacity of a connection show the absolute value of its weight. Positive weights are blue; negative weights
    are vermilion and dashed. Disabled connections are grey and dotted; recurrent connections are strongly curved. The
    legend names activation functions other than the default sigmoid. A node with its own activation function is
    labelled with the name of this function.

    Parameters
    ----------
    genome : Genome
        The genome to draw.
    ax : matplotlib.axes.Axes or None, default=None
        The axes to draw on; None creates a figure whose height grows with the number of nodes.
    labels : mapping of int to str or None, default=None
        Labels by node id; inputs and outputs without a label are numbered. Node ids are assigned in this order: inputs,
        bias node if there is one, outputs, hidden nodes. The function `divergent.plots.robot_labels` returns the labels
        of the maze robot.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Examples
    --------
    The first output has node id 2 if there are two inputs and no bias node:

    >>> import numpy as np
    >>> genome = Genome.start(2, 1, hidden=0, rng=np.random.default_rng(0))
    >>> ax = draw_network(genome, labels={2: "push"})
    >>> [text.get_text() for text in ax.texts][1:]
    ['input 1', 'push']
    """
    kinds, links = _kinds(genome), _links(genome)
    places = _places(kinds, links)
    crowd = max(genome.inputs, genome.outputs, len(genome.nodes) // 3)
    ax = choose_axes(ax, size=(7, float(np.clip(0.33 * crowd, 4.5, 12))))
    radius = float(np.clip(20 * ax.figure.get_figheight() / crowd, 3, 7))  # in points
    _draw_links(ax, links, places, radius)
    for kind, colour in KINDS.items():
        nodes = [places[node] for node in places if kinds[node] == kind]
        ax.scatter(
            *np.reshape(nodes, (-1, 2)).T,
            s=(2 * radius) ** 2,
            color=colour,
            edgecolors="#444444",
            linewidths=0.8,
            zorder=3,
        )
    for node, text in (_numbers(genome) | _activation_labels(genome) | dict(labels or {})).items():
        if node in places:
            _write(ax, kinds[node], places[node], text, radius)
    _explain(ax, links, genome)
    ax.margins(x=0.28, y=0.08)
    ax.set_axis_off()
    return ax


class _Link(NamedTuple):
    """Connection of a genome with the attributes that are drawn."""

    source: int
    target: int
    weight: float
    enabled: bool
    recurrent: bool


def _links(genome: Genome) -> list[_Link]:
    return [
        _Link(int(gene[SOURCE]), int(gene[TARGET]), gene[WEIGHT], bool(gene[ENABLED]), recurrent)
        for gene, recurrent in zip(genome.genes.tolist(), genome.recurrent.tolist(), strict=True)
    ]


def _kinds(genome: Genome) -> dict[int, str]:
    """Return the kind of each node by id: "input", "bias", "output" or "hidden"."""
    first = sources(genome)
    kinds = dict.fromkeys(range(genome.inputs), "input") | dict.fromkeys(range(genome.inputs, first), "bias")
    kinds |= dict.fromkeys(range(first, first + genome.outputs), "output")
    return kinds | dict.fromkeys(genome.hidden.tolist(), "hidden")


def _numbers(genome: Genome) -> dict[int, str]:
    first = sources(genome)
    inputs = {node: f"input {node}" for node in range(genome.inputs)}
    bias = dict.fromkeys(range(genome.inputs, first), "bias")
    return inputs | bias | {first + number: f"output {number}" for number in range(genome.outputs)}


def _activation_labels(genome: Genome) -> dict[int, str]:
    """Return labels for the nodes whose activation function differs from the default of the genome."""
    numbers = _numbers(genome)
    own = own_activations(genome).items()
    return {node: f"{numbers[node]}: {kind}" if node in numbers else str(kind) for node, kind in own}


def _draw_links(ax: Any, links: Sequence[_Link], places: Mapping[int, tuple[float, float]], radius: float) -> None:
    from matplotlib.patches import FancyArrowPatch

    strongest = max((abs(link.weight) for link in links), default=0.0) or 1.0
    thin = min(1.0, (MANY / max(len(links), 1)) ** 0.5)
    for link in sorted(links, key=lambda link: (link.enabled, abs(link.weight))):
        strength = abs(link.weight) / strongest
        faintest = 0.55 * thin
        look = {
            "arrowstyle": "-|>",
            "mutation_scale": 5 + 3 * thin,
            "linewidth": 0.4 + 2.6 * thin * strength,
            "color": POSITIVE if link.weight > 0 else NEGATIVE,
            "linestyle": "-" if link.weight > 0 else DASHED,
            "alpha": faintest + (1 - faintest) * strength,
        }
        if not link.enabled:
            look |= {"linewidth": 0.4 + 0.7 * thin, "color": DISABLED, "alpha": 0.9 * thin, "linestyle": DOTTED}
        if link.source == link.target:
            around = _points_around(ax, places[link.source])
            ax.add_patch(FancyArrowPatch(path=_loop(radius), transform=around, **look))
            continue
        ax.add_patch(
            FancyArrowPatch(
                places[link.source],
                places[link.target],
                connectionstyle=f"arc3,rad={_bend(places, link.source, link.target, link.recurrent)}",
                shrinkA=radius,
                shrinkB=radius,
                **look,
            )
        )


def _bend(places: Mapping[int, tuple[float, float]], source: int, target: int, recurrent: bool) -> float:
    """Return a curvature that keeps a connection away from other nodes.

    Recurrent connections and connections within a layer are strongly curved.
    """
    if recurrent or places[source][0] == places[target][0]:
        return 0.35
    others = WIDE * np.array([place for node, place in places.items() if node not in (source, target)]).reshape(-1, 2)
    start, end = WIDE * np.array(places[source]), WIDE * np.array(places[target])
    return max(BENDS, key=lambda bend: (min(_clearance(start, end, bend, others), CLEAR), -abs(bend)))


def _clearance(start: np.ndarray, end: np.ndarray, bend: float, others: np.ndarray) -> float:
    """Return the distance between a curved connection and the nearest other node."""
    across = end - start
    middle = (start + end) / 2 + bend * np.array([across[1], -across[0]])
    share = np.linspace(0, 1, 25)[:, None]
    way = (1 - share) ** 2 * start + 2 * share * (1 - share) * middle + share**2 * end
    return float(np.linalg.norm(way[:, None] - others, axis=2).min(initial=np.inf))


def _loop(radius: float) -> Any:
    """Return the path of a self-connection, a loop on top of a node at the origin, in points (1/72 inch)."""
    from matplotlib.path import Path

    x, y = 0.6 * radius, 0.8 * radius  # the loop starts and ends on the edge of the node
    return Path(
        [(-x, y), (-2.6 * radius, 3.6 * radius), (2.6 * radius, 3.6 * radius), (x, y)],
        [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4],
    )


def _points_around(ax: Any, place: tuple[float, float]) -> Any:
    """Return the matplotlib transform for offsets from a position on the axes, in points (1/72 inch)."""
    from matplotlib.transforms import Affine2D, ScaledTranslation

    return Affine2D().scale(1 / 72) + ax.figure.dpi_scale_trans + ScaledTranslation(*place, ax.transData)


def _write(ax: Any, kind: str, place: tuple[float, float], text: str, radius: float) -> None:
    away = radius + 3
    side = {"output": ((away, 0), "left"), "hidden": ((0, away), "center")}
    offset, alignment = side.get(kind, ((-away, 0), "right"))
    ax.annotate(
        text,
        place,
        xytext=offset,
        textcoords="offset points",
        ha=alignment,
        va="center" if kind != "hidden" else "bottom",
        fontsize=8,
        color="#333333",
    )


def _explain(ax: Any, links: Sequence[_Link], genome: Genome) -> None:
    """Add a legend that explains the kinds of connections and names activation functions other than the sigmoid."""
    from matplotlib.lines import Line2D

    on = [link for link in links if link.enabled]
    handles = []
    if any(link.weight > 0 for link in on):
        handles.append(Line2D([], [], color=POSITIVE, linewidth=2, label="positive weight"))
    if any(link.weight <= 0 for link in on):
        handles.append(Line2D([], [], color=NEGATIVE, linewidth=2, linestyle=DASHED, label="negative weight"))
    if any(link.recurrent for link in links):
        bent = Line2D([], [], color="#444444", marker=r"$\curvearrowright$", markersize=11, linestyle="none")
        bent.set_label("strongly curved: recurrent")
        handles.append(bent)
    if len(on) < len(links):
        handles.append(Line2D([], [], color=DISABLED, linewidth=1, linestyle=DOTTED, label="disabled"))
    for nodes, activation in (("hidden", genome.hidden_activation), ("output", genome.output_activation)):
        if activation != SIGMOID and (nodes == "output" or len(genome.hidden)):
            dot = Line2D(
                [], [], color=KINDS[nodes], marker="o", markeredgecolor="#444444", markersize=7, linestyle="none"
            )
            dot.set_label(f"{nodes}: {activation}")
            handles.append(dot)
    if handles:
        ax.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=2, frameon=False, fontsize=8)


def _places(kinds: Mapping[int, str], links: Sequence[_Link]) -> dict[int, tuple[float, float]]:
    """Return node positions: one column per layer, hidden nodes sorted by the mean height of connected nodes."""
    layers = _layers(kinds, links)
    last = max(layers.values())
    columns = [[node for node in kinds if layers[node] == layer] for layer in range(last + 1)]
    heights = {node: height for column in columns for node, height in _evenly(column).items()}
    for _ in range(4):
        for layer in range(1, last):
            columns[layer].sort(key=lambda node: -_mean_height(_linked(links, node), heights))
            heights |= _evenly(columns[layer], shift=_shift(layer, len(columns[layer])))
    return {node: (layers[node] / last, height) for node, height in heights.items()}


def _evenly(column: list[int], shift: float = 0.0) -> dict[int, float]:
    return {node: 1.0 - (position + 0.5) / len(column) + shift for position, node in enumerate(column)}


def _shift(layer: int, count: int) -> float:
    """Return the vertical shift of a layer; different shifts keep connections away from nodes of other layers."""
    return (0.3, -0.2, 0.1, -0.3, 0.2, -0.1)[layer % 6] / count


def _linked(links: Iterable[_Link], node: int) -> list[int]:
    before = [link.source for link in links if link.target == node]
    return before + [link.target for link in links if link.source == node]


def _mean_height(nodes: Iterable[int], heights: Mapping[int, float]) -> float:
    known = [heights[node] for node in nodes]
    return float(np.mean(known)) if known else 0.5


def _layers(kinds: Mapping[int, str], links: Iterable[_Link]) -> dict[int, int]:
    """Return the layer of each node; layer 0 contains the inputs, the last layer contains the outputs.

    The layer number of a hidden node is one more than the largest layer number of its sources. Recurrent connections
    do not affect layers.
    """
    before: dict[int, list[int]] = {node: [] for node in kinds}
    for link in links:
        if not link.recurrent:
            before[link.target].append(link.source)
    layers: dict[int, int] = {}
    for node in TopologicalSorter(before).static_order():
        earlier = [layers[other] for other in before[node] if kinds[other] != "output"]
        layers[node] = 0 if kinds[node] in ("input", "bias") else 1 + max(earlier, default=0)
    last = max((layers[node] for node in kinds if kinds[node] == "hidden"), default=0)
    return layers | {node: 1 + last for node in kinds if kinds[node] == "output"}
