"""Runs in mazes: settings, the plan and the parts made of them, one run or many, records, checkpoints, repeats."""

from divergent.runs.assembly import Parts, assemble
from divergent.runs.many import Finished, run_many
from divergent.runs.record import Record, read
from divergent.runs.replaying import replay
from divergent.runs.running import Run, run
from divergent.runs.settings import Plan, Settings

__all__ = ["Finished", "Parts", "Plan", "Record", "Run", "Settings", "assemble", "read", "replay", "run", "run_many"]
