"""Sample records with a given end."""

import dataclasses


def ended(record, *, solved, evaluations=None):
    """A consistent record whose run solved the maze after a number of evaluations, or did not solve it."""
    evaluations = record.evaluations if evaluations is None else evaluations
    fitness = 297.0 if solved else record.best_fitness
    before = [row for row in record.rows if row["evaluations"] < evaluations]
    last = record.rows[len(before)] | {"evaluations": evaluations, "best_fitness": fitness}
    return dataclasses.replace(
        record,
        solved=solved,
        evaluations=evaluations,
        best_fitness=fitness,
        rows=[*before, last],
        positions=record.positions[:evaluations],
    )
