"""Draw mazes, networks, runs and results with matplotlib; every function `draw_...` returns the drawn axes.

Functions for one run are `draw_run`, `save_run`, `animate_run`, `draw_maze`, `draw_robot`, `draw_network`,
`draw_species`, `draw_surprise`, `draw_elites` and `draw_progress`. Functions for many runs are `draw_efficiency`,
`draw_kaplan_meier`, `draw_variants`, `draw_sensitivity`, `draw_heatmap`, `draw_heatmaps`, `draw_examples`,
`draw_regression`, `draw_features`, `draw_paper_comparison` and `by_maze`. The names `colour`, `line`, `label`, `STYLE`
and `MARKERS` define the style of each search.

Each name is imported on first use, so that drawing one run needs neither pandas nor scipy.
"""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent.plots._elites import draw_elites as draw_elites
    from divergent.plots._maze import draw_maze as draw_maze
    from divergent.plots._network import draw_network as draw_network
    from divergent.plots._progress import draw_progress as draw_progress
    from divergent.plots._results import (
        by_maze as by_maze,
        draw_efficiency as draw_efficiency,
        draw_examples as draw_examples,
        draw_features as draw_features,
        draw_heatmap as draw_heatmap,
        draw_heatmaps as draw_heatmaps,
        draw_kaplan_meier as draw_kaplan_meier,
        draw_paper_comparison as draw_paper_comparison,
        draw_regression as draw_regression,
        draw_sensitivity as draw_sensitivity,
    )
    from divergent.plots._robot import draw_robot as draw_robot, robot_labels as robot_labels
    from divergent.plots._run import animate_run as animate_run, draw_run as draw_run, save_run as save_run
    from divergent.plots._species import draw_species as draw_species
    from divergent.plots._style import (
        MARKERS as MARKERS,
        STYLE as STYLE,
        colour as colour,
        label as label,
        line as line,
    )
    from divergent.plots._surprise import draw_surprise as draw_surprise
    from divergent.plots._variants import draw_variants as draw_variants

__getattr__, __dir__, __all__ = lazy_index(
    __name__,
    {
        "_elites": ("draw_elites",),
        "_maze": ("draw_maze",),
        "_network": ("draw_network",),
        "_progress": ("draw_progress",),
        "_results": (
            "by_maze", "draw_efficiency", "draw_examples", "draw_features", "draw_heatmap", "draw_heatmaps",
            "draw_kaplan_meier", "draw_paper_comparison", "draw_regression", "draw_sensitivity",
        ),
        "_robot": ("draw_robot", "robot_labels"),
        "_run": ("animate_run", "draw_run", "save_run"),
        "_species": ("draw_species",),
        "_style": ("MARKERS", "STYLE", "colour", "label", "line"),
        "_surprise": ("draw_surprise",),
        "_variants": ("draw_variants",),
    },
)  # fmt: skip
