"""Replication of the paper: its numbers, its experiments, and a report that compares our numbers with the paper's.

Numbers of the paper: the module `paper`. Experiments: `EXPERIMENTS`, `experiment_of`, `parts_of`. Compact results:
`Results`, `collect`, `read_results`, `write_results`. Claims of the paper with the rules that decide them: `CLAIMS`.
Report: `Replication`, `read_replication`, `report`. The command is `python -m divergent.replicate`.
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
