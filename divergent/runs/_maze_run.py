"""Execution of one run in a maze."""

from typing import Any

import numpy as np

from divergent import neat
from divergent.individual import pack
from divergent.loops._contract import Step
from divergent.maze._maze import BEST
from divergent.maze._problem import MazeProblem
from divergent.maze._rollout import INPUTS, OUTPUTS
from divergent.maze._rules import RULES
from divergent.runs._maze_plan import MazePlan
from divergent.runs._maze_record import MazeRecord, check_points, maze_to_json
from divergent.runs._outcome_log import OutcomeLog
from divergent.runs._record_checks import check_rows
from divergent.runs._row_measures import species_count
from divergent.runs.execution import Row, Run
from divergent.version import __version__

MOST_COMPARED = 2000  # largest number of genomes compared for the diversity; the number of pairs grows quadratically


class MazeRun(Run):
    """A run in a maze, which records final positions, the trajectory of the solution and the genotypic diversity.

    Parameters
    ----------
    plan : MazePlan
        Complete settings of the run.
    problem : MazeProblem
        The maze problem that the plan specifies.
    **options
        Options of `Run`.

    See Also
    --------
    divergent.run : Execute a run and return its record.
    """

    plan: MazePlan
    problem: MazeProblem
    outcomes: "PositionLog"

    def make_log(self) -> "PositionLog":
        """Return an empty log of final positions."""
        return PositionLog(self.plan.budget)

    def add(self, step: Step) -> Any:
        """Record the final positions of the offspring; return the first individual that solved the maze, or None."""
        positions, solved = self.outcomes.positions, self.problem.task.solved
        for individual in step.offspring:
            fitness = individual.fitness
            positions[self.evaluations] = fitness.behaviour[-2:]
            first = self.evaluations == 0
            self.evaluations += 1
            if first or fitness.wvalues > self.best.fitness.wvalues:
                self.best = individual
                if solved(fitness.values):
                    return individual
        return None

    def add_row(self, step: Step) -> Row:
        """Append the statistics of a generation to `rows`, and return them."""
        self.population = step.population
        row = {
            "generation": step.generation,
            "evaluations": self.evaluations,
            "best_fitness": self.best.fitness.values[0],
            # `wvalues` equals `values`, because the fitness weight is 1, and is faster to read
            "mean_fitness": float(np.mean([genome.fitness.wvalues[0] for genome in step.population])),
            "mean_connections": float(np.mean([len(genome.genes) for genome in step.population])),
            "species": species_count(self.parts.species),
            "archive": len(getattr(self.parts.strategy, "archive", ())),
        }
        self.rows.append(row)
        return row

    def make_record(self, solved: bool) -> MazeRecord:
        """Create the record of the finished run."""
        rollout = self.problem.task.rollout(self.best)
        assert rollout.trail is not None
        diversity = neat.diversity(self.population[:: -(-len(self.population) // MOST_COMPARED)])
        return MazeRecord(
            settings=self.plan,
            version=__version__,
            maze=self.problem.task.maze,
            rows=self.rows,
            solved=solved,
            evaluations=self.evaluations,
            best_fitness=self.best.fitness.values[0],
            solution=self.best,
            diversity={
                "compatibility": diversity.compatibility,
                "disjoint": diversity.disjoint,
                "excess": diversity.excess,
                "weight_difference": diversity.weight,
            },
            positions=self.outcomes.positions[: self.evaluations],
            trail=rollout.trail,
            machine=self.clock.read() | self.machine,
        )

    def description(self) -> Any:
        """Return the maze as JSON-serialisable data."""
        return maze_to_json(self.problem.task.maze)

    def changes(self, saved: Any) -> str:
        """Return a message if the maze differs from the maze of a record or checkpoint, otherwise ""."""
        return "" if saved == self.description() else f"the maze {self.plan.maze} has changed"

    def force_remedy(self) -> str:
        """Return an empty string: the error message about a changed maze does not recommend the option `force`."""
        return ""

    def check_rows(self, rows: list[Row], evaluations: int) -> None:
        """Raise an error unless the generation statistics of a checkpoint are consistent."""
        best_fitness = self.best.fitness.values[0]
        check_rows(self.plan, rows, evaluations, best_fitness, MazeRecord.row_names, strict=True)

    def check_restored(self) -> None:
        """Raise an error if the restored population, strategy and innovations contradict the maze or each other."""
        outcomes = pack(self.population)
        dimensions = 2 * (self.plan.samples or 1)
        if outcomes.behaviours.shape[1] != dimensions:
            raise ValueError(
                f"the number of behaviour dimensions must be {dimensions}, got {outcomes.behaviours.shape[1]}"
            )
        from_goal = np.hypot(*(outcomes.behaviours[:, -2:] - self.problem.task.maze.goal).T)
        if not np.allclose(outcomes.fitness, BEST - from_goal, rtol=0, atol=1e-6):
            raise ValueError("fitness must be 300 minus the final distance to the goal, got another fitness")
        for genome in (*self.population, self.best):
            if (genome.inputs, genome.outputs) != (INPUTS, OUTPUTS):
                raise ValueError(
                    f"genomes must have the network size that the robot requires, {INPUTS} inputs and "
                    f"{OUTPUTS} outputs, got {genome!r:.60}"
                )
        super().check_restored()
        self._check_innovations()

    def _check_innovations(self) -> None:
        """Raise an error unless the registry of innovations contains the innovation numbers of all genomes."""
        rules = RULES[self.plan.rules]
        # `Innovations` raises an error if genomes have contradictory innovation numbers.
        neat.Innovations([*self.population, self.best], **rules.innovations)
        innovations = self.parts.innovations
        first_node = neat.Innovations(**rules.innovations).next_node
        # If `match_recurrent` is False, each child adds at most one innovation number that is not in the registry.
        # Each new node needs at least one new innovation number, so `next_innovation` limits `next_node`.
        unmatched = innovations.next_innovation - len(innovations)
        most = 0 if innovations.match_recurrent else self.generations_done * self.plan.population
        if not 0 <= unmatched <= most or innovations.next_node > first_node + innovations.next_innovation:
            raise ValueError(
                "next_innovation and next_node must be consistent with the number of registered connections, "
                f"{len(innovations)}, got {innovations.next_innovation} and {innovations.next_node}"
            )
        if not all(innovations.knows(genome) for genome in [*self.population, self.best]):
            raise ValueError("innovations must contain all innovation numbers of the genomes, got an unknown number")


class PositionLog(OutcomeLog):
    """Final positions of all evaluations of a run in a maze.

    Parameters
    ----------
    budget : int
        Largest number of evaluations.
    """

    def __init__(self, budget: int) -> None:
        self.positions = np.empty((budget, 2), dtype=np.float32)

    def state(self, evaluations: int) -> dict[str, Any]:
        """Return the final positions for a checkpoint."""
        return {"positions": self.positions[:evaluations]}

    def restore(self, notes: dict[str, Any], evaluations: int) -> None:
        """Restore the final positions from the data that `state` returned."""
        check_points("positions", notes["positions"], evaluations, evaluations)
        self.positions[:evaluations] = notes["positions"]
