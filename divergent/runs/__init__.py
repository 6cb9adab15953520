"""Runs on problems and mazes: settings, single runs, batches of runs, records and replay."""

from divergent.runs._evaluation import EvaluationError
from divergent.runs._many import run_many
from divergent.runs._maze_plan import MazePlan
from divergent.runs._maze_record import MazeRecord
from divergent.runs._plan import Plan, ProblemPlan
from divergent.runs._replay import replay
from divergent.runs.batch import Finished, run_batch
from divergent.runs.build import Parts, assemble
from divergent.runs.execution import make_run, run
from divergent.runs.problem_files import load_problem
from divergent.runs.record import ProblemRecord, Record, read
from divergent.runs.settings import Settings

__all__ = [
    "EvaluationError",
    "Finished",
    "MazePlan",
    "MazeRecord",
    "Parts",
    "Plan",
    "ProblemPlan",
    "ProblemRecord",
    "Record",
    "Settings",
    "assemble",
    "load_problem",
    "make_run",
    "read",
    "replay",
    "run",
    "run_batch",
    "run_many",
]
