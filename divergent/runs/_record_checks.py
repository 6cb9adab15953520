"""Checks that the rows of a record (one for each generation) are consistent with the result and the plan."""

from typing import Any

from divergent.runs._plan import Plan
from divergent.validation import brief, check_at_least, check_number


def check_rows(
    plan: Plan,
    rows: list[dict[str, Any]],
    evaluations: int,
    best_fitness: float | None,
    names: tuple[tuple[str, ...], tuple[str, ...]],
    *,
    strict: bool = False,
) -> None:
    """Raise a ValueError unless the rows of a run (one for each generation) and its result are consistent.

    If `strict` is True, as for mazes, all statistics must be finite and the best fitness must never decrease.
    """
    check_at_least(1, evaluations=evaluations)
    if strict or best_fitness is not None:
        check_number(best_fitness=best_fitness)
    if not 1 <= len(rows) <= plan.generations:
        raise ValueError(
            f"a run of {plan.generations} generations must have 1 to {plan.generations} rows, got {len(rows)}"
        )
    row_evaluations, row_fitness = 0, None
    for number, row in enumerate(rows):
        _check_row(number, row, *names, strict=strict)
        evaluated = row["evaluations"] - row_evaluations
        worse = strict and row_fitness is not None and row["best_fitness"] < row_fitness
        if not 0 <= evaluated <= plan.population or worse:
            raise ValueError(
                f"row {number} must have 0 to {plan.population} more evaluations than the previous row and no lower "
                f"best_fitness, got {row}"
            )
        row_evaluations, row_fitness = row["evaluations"], row["best_fitness"]
    if row_evaluations != evaluations or row_fitness != best_fitness:
        raise ValueError(
            f"the last row must have {evaluations} evaluations and fitness {best_fitness} as in the result, "
            f"got {row_evaluations} and {row_fitness}"
        )


def _check_row(
    number: int, row: dict[str, Any], counts: tuple[str, ...], measures: tuple[str, ...], *, strict: bool
) -> None:
    """Raise an error unless the row of a generation has valid numbers and the correct generation number."""
    named: dict[str, Any] = {name: row.get(name) for name in (*counts, *measures)}
    check_at_least(0, **{f"{name} of row {number}": named[name] for name in counts})
    valid = [name for name in measures if strict or named[name] is not None]
    check_number(**{f"{name} of row {number}": named[name] for name in valid})
    if row["generation"] != number:
        raise ValueError(f"generation of row {number} must be {number}, got {row['generation']}")


def check_end(record: Any) -> None:
    """Raise an error unless the result of a record is consistent with its rows and its plan."""
    plan = record.settings
    if not isinstance(record.version, str):
        raise ValueError(f"version must be a string, got {brief(record.version)}")
    if not isinstance(record.solved, bool):
        raise ValueError(f"solved must be true or false, got {brief(record.solved)}")
    if not record.solved and len(record.rows) < plan.generations:
        raise ValueError(f"an unsolved run must have {plan.generations} rows, got {len(record.rows)}")
