"""Replication of the paper "Surprise Search for Evolutionary Divergence": numbers, experiments, claims and a report.

The module `paper` contains the numbers that the replicated paper reports. `EXPERIMENTS`, `experiment_of` and `parts_of`
define the experiments. `Results`, `collect`, `read_results` and `write_results` store compact results of the runs.
`CLAIMS` lists the claims of the paper, each with the statistical test that decides the claim. `Replication`,
`read_replication` and `report` compare the results with the paper. The command-line interface is
`python -m divergent.replicate`.
"""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent.replicate._claims import CLAIMS as CLAIMS
    from divergent.replicate._experiments import (
        EXPERIMENTS as EXPERIMENTS,
        experiment_of as experiment_of,
        parts_of as parts_of,
    )
    from divergent.replicate._replication import Replication as Replication, read_replication as read_replication
    from divergent.replicate._report import report as report
    from divergent.replicate._results import (
        Results as Results,
        collect as collect,
        read_results as read_results,
        write_results as write_results,
    )

__getattr__, __dir__, __all__ = lazy_index(
    __name__,
    {
        "_claims": ("CLAIMS",),
        "_experiments": ("EXPERIMENTS", "experiment_of", "parts_of"),
        "_replication": ("Replication", "read_replication"),
        "_report": ("report",),
        "_results": ("Results", "collect", "read_results", "write_results"),
    },
)  # fmt: skip
