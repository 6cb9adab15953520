"""Checks that the generation statistics in a record are consistent with the result and the settings."""

from typing import TYPE_CHECKING, Any

from divergent.validation import brief, check_at_least, check_number

if TYPE_CHECKING:
    from divergent.runs._plan import Plan


def check_rows(
    plan: "Plan",
    rows: list[dict[str, Any]],
    evaluations: int,
    best_fitness: float | None,
    names: tuple[tuple[str, ...], tuple[str, ...]],
    *,
    strict: bool = False,
) -> None:
    """Raise a ValueError unless the generation statistics of a run (`rows`) are consistent with its result.

    If `strict` is True, as for mazes, all statistics must be finite and the best fitness must never decrease.
    """
    check_at_least(1, evaluations=evaluations)
    if strict or best_fitness is not None:
        check_number(best_fitness=best_fitness)
    if not 1 <= len(rows) <= plan.generations:
        raise ValueError(
            f"the number of recorded generations must be within the limit of {plan.generations} generations, "
            f"from 1 to {plan.generations}, got {len(rows)}"
        )
    row_evaluations, row_fitness = 0, None
    for number, row in enumerate(rows):
        _check_row(number, row, *names, strict=strict)
        evaluated = row["evaluations"] - row_evaluations
        worse = strict and row_fitness is not None and row["best_fitness"] < row_fitness
        if not 0 <= evaluated <= plan.population or worse:
            raise ValueError(
                f"generation {number}: evaluations and best_fitness must not decrease, and evaluations must "
                f"increase by at most the population size {plan.population}, got {row}"
            )
        row_evaluations, row_fitness = row["evaluations"], row["best_fitness"]
    if row_evaluations != evaluations or row_fitness != best_fitness:
        raise ValueError(
            f"statistics of the last generation must equal the result of the run, {evaluations} evaluations and "
            f"best fitness {best_fitness}, got {row_evaluations} evaluations and best fitness {row_fitness}"
        )


def _check_row(
    number: int, row: dict[str, Any], counts: tuple[str, ...], measures: tuple[str, ...], *, strict: bool
) -> None:
    """Raise an error unless the statistics of a generation are valid and have the correct generation number."""
    named: dict[str, Any] = {name: row.get(name) for name in (*counts, *measures)}
    check_at_least(0, **{f"{name} of row {number}": named[name] for name in counts})
    valid = [name for name in measures if strict or named[name] is not None]
    check_number(**{f"{name} of row {number}": named[name] for name in valid})
    if row["generation"] != number:
        raise ValueError(
            f"generation numbers must be consecutive: row {number} of the statistics must have generation {number}, "
            f"got {row['generation']}"
        )


def check_end(record: Any) -> None:
    """Raise an error unless the result of a record is valid and an unsuccessful run has all its generations."""
    plan = record.settings
    if not isinstance(record.version, str):
        raise ValueError(f"version must be a string, got {brief(record.version)}")
    if not isinstance(record.solved, bool):
        raise ValueError(f"solved must be true or false, got {brief(record.solved)}")
    if not record.solved and len(record.rows) < plan.generations:
        raise ValueError(
            f"an unsuccessful run must have statistics of all {plan.generations} generations, got {len(record.rows)}"
        )
