"""Draw genomes as networks."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from divergent.neat.genome import Genome

MAZE_ROBOT = {
    0: "bias",
    1: "wall -90°",
    2: "wall -45°",
    3: "wall 0°",
    4: "wall 45°",
    5: "wall 90°",
    6: "wall 180°",
    7: "goal front",
    8: "goal 45-135°",
    9: "goal rear",
    10: "goal 225-315°",
    11: "turn",
    12: "speed",
}
"""What the inputs and outputs of the maze robot's network are."""

KINDS = {"input": "#d9e6f2", "hidden": "#ffffff", "output": "#f6dfc6"}


def draw_network(genome: Genome, ax: Any = None, labels: Mapping[int, str] | None = None) -> Any:
    """Draw a genome in layers: inputs on the left, hidden nodes by how many links they are away, outputs on the right.

    A link is as wide as its weight is large, red if it is positive and blue if it is negative; a disabled link is faint
    and dashed, a recurrent one bent.

    Parameters
    ----------
    ax
        The matplotlib axes to draw on; None makes new ones.
    labels
        What to write beside nodes, by id. None labels the sensors and motors of a network with 11 inputs and 2 outputs,
        the maze robot's, and otherwise numbers inputs and outputs.

    Returns
    -------
    The axes.
    """
    import matplotlib.pyplot as plt
    import networkx as nx

    if ax is None:
        _, ax = plt.subplots(figsize=(7, 5), layout="constrained")
    graph = genome.to_networkx()
    places = _places(graph)
    if labels is None:
        labels = _labels(genome)

    strongest = max((abs(weight) for _, _, weight in graph.edges(data="weight")), default=0.0) or 1.0
    colours = plt.get_cmap("coolwarm")
    for source, target, link in sorted(graph.edges(data=True), key=lambda edge: edge[2]["enabled"]):
        strength = link["weight"] / strongest
        aside = places[source][0] == places[target][0]  # straight, it would run through the nodes between
        nx.draw_networkx_edges(
            graph,
            places,
            edgelist=[(source, target)],
            ax=ax,
            width=0.4 + 2.6 * abs(strength),
            edge_color=[colours(0.5 + 0.5 * np.sign(strength) * (0.35 + 0.65 * abs(strength)))],
            alpha=1.0 if link["enabled"] else 0.25,
            style="solid" if link["enabled"] else "dashed",
            arrowsize=8,
            node_size=220,
            connectionstyle="arc3,rad=0.35" if link["recurrent"] or aside else "arc3",
        )
    for kind, colour in KINDS.items():
        nodes = [node for node, one in graph.nodes(data="kind") if one == kind]
        drawn = nx.draw_networkx_nodes(
            graph, places, nodelist=nodes, ax=ax, node_color=colour, edgecolors="#444444", linewidths=0.8, node_size=220
        )
        drawn.set_zorder(3)
    for node, text in labels.items():
        if node in places:
            _write(ax, graph.nodes[node]["kind"], places[node], text)
    ax.margins(x=0.28, y=0.08)
    ax.set_axis_off()
    return ax


def _labels(genome: Genome) -> dict[int, str]:
    if (genome.inputs, genome.outputs) == (11, 2):
        return MAZE_ROBOT
    inputs = {node: f"input {node}" for node in range(genome.inputs)}
    return inputs | {genome.inputs + number: f"output {number}" for number in range(genome.outputs)}


def _write(ax: Any, kind: str, place: tuple[float, float], text: str) -> None:
    side = {"input": ((-11, 0), "right"), "output": ((11, 0), "left"), "hidden": ((0, 11), "center")}
    offset, alignment = side[kind]
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


def _places(graph: Any) -> dict[int, tuple[float, float]]:
    """Where each node is drawn: a column for each layer, hidden nodes sorted by the height of the nodes they hear."""
    layers = _layers(graph)
    last = max(layers.values())
    heights: dict[int, float] = {}
    for layer in range(last + 1):
        column = [node for node in graph if layers[node] == layer]
        if 0 < layer < last:
            column.sort(key=lambda node: -_mean_height(graph.predecessors(node), heights))
        shift = 0.06 * (-1) ** layer if 0 < layer < last else 0.0  # so that links pass beside the nodes between
        for position, node in enumerate(column):
            heights[node] = 1.0 - (position + 0.5) / len(column) + shift
    return {node: (layers[node] / last, height) for node, height in heights.items()}


def _mean_height(nodes: Iterable[int], heights: Mapping[int, float]) -> float:
    known = [heights[node] for node in nodes if node in heights]
    return float(np.mean(known)) if known else 0.5


def _layers(graph: Any) -> dict[int, int]:
    """Inputs 0; a hidden node one more than the last of its sources; outputs after all of them."""
    import networkx as nx

    forward = nx.DiGraph()
    forward.add_nodes_from(graph)
    forward.add_edges_from(edge for edge in graph.edges if not graph.edges[edge]["recurrent"])
    layers: dict[int, int] = {}
    for node in nx.topological_sort(forward):
        kind = graph.nodes[node]["kind"]
        before = [layers[other] for other in forward.predecessors(node) if graph.nodes[other]["kind"] != "output"]
        layers[node] = 0 if kind == "input" else 1 + max(before, default=0)
    hidden = [layers[node] for node in graph if graph.nodes[node]["kind"] == "hidden"]
    for node in graph:
        if graph.nodes[node]["kind"] == "output":
            layers[node] = 1 + max(hidden, default=0)
    return layers
