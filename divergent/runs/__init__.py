"""Runs in mazes: settings and plans, components, single runs and batches, records, repeats."""

from divergent.runs._replay import replay
from divergent.runs.batch import Finished, run_many
from divergent.runs.build import Parts, assemble
from divergent.runs.execution import Run, run
from divergent.runs.record import Record, read
from divergent.runs.settings import Plan, Settings

__all__ = ["Finished", "Parts", "Plan", "Record", "Run", "Settings", "assemble", "read", "replay", "run", "run_many"]
