"""Checks of the columns of tables and of the settings of a search."""

from __future__ import annotations

import functools
from typing import Any, Iterable

from fuzzy_edit import FuzzyEditError, apply


#: The optional columns that say where, instead of an old text, and their types in Spark.
PLACES = {
    "first": "string",
    "last": "string",
    "expected_lines": "long",
    "after": "string",
    "before": "string",
    "lines": "array<long>",
}


def refused(message: str, next_step: str) -> FuzzyEditError:
    """Makes the exception for an invalid request."""
    error = FuzzyEditError(f"{message}. {next_step}")
    error.code, error.message, error.next_step = "bad_input", message, next_step
    return error


def checked(**settings: Any) -> dict[str, Any]:
    """Returns the settings of a search if they are valid; raises before a job starts if not."""
    apply("a", "a", "b", **settings)
    return settings


def require(frame: Any, what: str, names: Iterable[str]) -> None:
    """Raises unless a table has each of these columns exactly once."""
    for name in names:
        found = frame.columns.count(name)
        if found != 1:
            has = "no column" if found == 0 else "several columns"
            raise refused(f"{what} has {has} {name!r}", f"It needs: {', '.join(names)}.")


@functools.lru_cache(maxsize=1)
def threads() -> int:
    """Returns the number of cores of the current task (`spark.task.cpus`)."""
    from pyspark import TaskContext

    task = TaskContext.get()
    return max(1, task.cpus()) if task else 1
