"""Runs on problems and mazes: settings, single runs, batches of runs, records and replay."""

from typing import TYPE_CHECKING

from divergent._lazy import lazy_index

if TYPE_CHECKING:
    from divergent.runs._evaluation import EvaluationError as EvaluationError
    from divergent.runs._many import run_many as run_many
    from divergent.runs._maze_plan import MazePlan as MazePlan
    from divergent.runs._maze_record import MazeRecord as MazeRecord
    from divergent.runs._plan import Plan as Plan, ProblemPlan as ProblemPlan
    from divergent.runs._replay import replay as replay
    from divergent.runs.batch import Finished as Finished, run_batch as run_batch
    from divergent.runs.build import Parts as Parts, assemble as assemble
    from divergent.runs.execution import make_run as make_run, run as run
    from divergent.runs.problem_files import load_problem as load_problem
    from divergent.runs.record import ProblemRecord as ProblemRecord, Record as Record, read as read
    from divergent.runs.settings import Settings as Settings

__getattr__, __dir__, __all__ = lazy_index(
    __name__,
    {
        "_evaluation": ("EvaluationError",),
        "_many": ("run_many",),
        "_maze_plan": ("MazePlan",),
        "_maze_record": ("MazeRecord",),
        "_plan": ("Plan", "ProblemPlan"),
        "_replay": ("replay",),
        "batch": ("Finished", "run_batch"),
        "build": ("Parts", "assemble"),
        "execution": ("make_run", "run"),
        "problem_files": ("load_problem",),
        "record": ("ProblemRecord", "Record", "read"),
        "settings": ("Settings",),
    },
    ("batch", "build", "defaults", "execution", "options", "problem_files", "record", "settings"),
)  # fmt: skip
