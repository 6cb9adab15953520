"""Replication of the paper: the paper's numbers, the experiments, and a report that compares results with the paper.

The module `paper` has the numbers of the paper. Experiments are in `EXPERIMENTS`, `experiment_of` and `parts_of`.
Compact results are in `Results`, `collect`, `read_results` and `write_results`. The claims of the paper and the rules
that decide them are in `CLAIMS`. The report is in `Replication`, `read_replication` and `report`. The command is
`python -m divergent.replicate`.
"""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent.replicate._claims import CLAIMS as CLAIMS
    from divergent.replicate._experiments import EXPERIMENTS as EXPERIMENTS
    from divergent.replicate._experiments import experiment_of as experiment_of
    from divergent.replicate._experiments import parts_of as parts_of
    from divergent.replicate._replication import Replication as Replication
    from divergent.replicate._replication import read_replication as read_replication
    from divergent.replicate._report import report as report
    from divergent.replicate._results import Results as Results
    from divergent.replicate._results import collect as collect
    from divergent.replicate._results import read_results as read_results
    from divergent.replicate._results import write_results as write_results

_HOMES = {
    "CLAIMS": "_claims",
    "EXPERIMENTS": "_experiments",
    "Replication": "_replication",
    "Results": "_results",
    "collect": "_results",
    "experiment_of": "_experiments",
    "parts_of": "_experiments",
    "read_replication": "_replication",
    "read_results": "_results",
    "report": "_report",
    "write_results": "_results",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = lazy_index(__name__, _HOMES)
