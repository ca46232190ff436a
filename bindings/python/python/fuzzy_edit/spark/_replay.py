"""`replay`: counts how each ladder would have decided recorded edits."""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fuzzy_edit import FuzzyEditError, apply
from fuzzy_edit._native import decided_by, verdict

from ._answer import answer, costs, steps, without_broken_texts
from ._columns import PLACES, checked, refused, require

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: The optional columns of a log and their types; a missing column is null.
OPTIONAL = {
    "replace_all": "boolean",
    "line": "long",
    "expected": "string",
    "expected_kind": "string",
    "accept_noop": "boolean",
    "drift": "string",
    "edit_hash": "string",
    "old": "string",
    **PLACES,
}

#: The verdicts, and the counted columns.
WORTH = ("right", "wrong", "missed", "whitespace")
COUNTS = ("edits", "matched", "ambiguous", *WORTH)

#: The number of distinct counts at which a worker returns its counts and starts again.
KINDS = 10_000


def replay(
    logs: DataFrame,
    ladders: Sequence[str] = ("adaptive",),
    *,
    timeout: float | None = 2.0,
    max_bytes: int = 33_554_432,
) -> DataFrame:
    """Decides recorded edits by several ladders, and counts the results.

    >>> table = replay(spark.read.parquet("logs.parquet"), ladders=["adaptive", "conservative"])
    >>> table.where("by = 'all'").show()

    :param logs: ``content, old, new`` and optionally ``replace_all``, ``line``, ``drift``, the columns that say where
        instead of ``old`` (see :func:`apply_edits`), and the label: ``expected``, ``expected_kind`` and
        ``accept_noop``. With a column ``expected`` every row is labelled (null for a refusal), except
        rows whose ``expected_kind`` is ``span`` or ``unlabelled``.
    :param ladders: the names of the ladders; ``fuzzy_edit.LADDERS`` lists them.
    :param timeout: this and the following parameter: see :func:`fuzzy_edit.apply_batch`.
    :returns: ``ladder, by, name, edits, matched, ambiguous, right, wrong, missed,
        whitespace``: a row for ``by="all"``; one for
        each strategy that decided (``tier``), each refusal (``code``), and each kind of drift of labelled edits
        (``drift``). Rows that were not tried are counted in ``edits`` by ``"row"``, as ``unreadable`` and
        ``without_texts``. The numbers are those of ``fuzzy-edit replay`` on the same rows; ``edits`` is the number of all
        edits with that name.
    :raises FuzzyEditError: in the same cases as :func:`apply_edits`.
    """
    from pyspark.sql import functions as F

    ladders = [ladders] if isinstance(ladders, str) else list(ladders)
    if not ladders:
        raise refused("no ladder is named", "Name one; fuzzy_edit.LADDERS lists them.")
    settings = [checked(ladder=ladder, timeout=timeout, max_bytes=max_bytes) for ladder in ladders]
    require(logs, "logs", ["content", "new"] if any(name in logs.columns for name in PLACES) else ["content", "old", "new"])
    has_label = "expected" in logs.columns
    columns = [F.col(name).cast("string").alias(name) for name in ("content", "new")]
    for name, kind in OPTIONAL.items():
        column = F.col(name) if name in logs.columns else F.lit(None)
        columns.append(column.cast(kind).alias(name))
    count = functools.partial(count_rows, settings=settings, has_label=has_label)
    schema = "ladder string, by string, name string, " + ", ".join(f"{name} long" for name in COUNTS)
    counted = logs.select(*columns).mapInArrow(count, schema)
    sums = (F.sum(name).alias(name) for name in COUNTS)
    return counted.groupBy("ladder", "by", "name").agg(*sums).orderBy("ladder", "by", "name")


class Tally:
    """Counts by ladder, kind of count (`by`) and name."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str, str | None, str]] = Counter()

    def add(
        self, ladder: str, by: str, names: Sequence[str | None] | None, rows: np.ndarray, **flags: np.ndarray
    ) -> None:
        """Adds the selected rows, and those with each flag, to the counts of their names."""
        for field, flag in {"edits": rows, **flags}.items():
            chosen = np.flatnonzero(rows & flag)
            if names is None:
                self.counts[ladder, by, None, field] += len(chosen)
            else:
                self.counts.update((ladder, by, names[row], field) for row in chosen.tolist())

    def batch(self) -> pa.RecordBatch:
        """Returns the counts, and resets them."""
        keys = sorted({key[:3] for key in self.counts}, key=lambda key: [word or "" for word in key])
        columns: dict[str, Any] = {}
        for index, name in enumerate(("ladder", "by", "name")):
            columns[name] = pa.array([key[index] for key in keys], pa.string())
        for field in COUNTS:
            columns[field] = pa.array([self.counts[(*key, field)] for key in keys], pa.int64())
        self.counts.clear()
        return pa.RecordBatch.from_pydict(columns)


def count_rows(
    batches: Iterable[pa.RecordBatch], settings: list[dict[str, Any]], has_label: bool
) -> Iterator[pa.RecordBatch]:
    """Counts the results of each ladder for the rows of a partition."""
    tally = Tally()
    for batch in batches:
        for first, last in steps(costs(batch)):
            count(tally, batch.slice(first, last - first), settings, has_label)
            if len(tally.counts) > KINDS:
                yield tally.batch()
    yield tally.batch()


def count(tally: Tally, rows: pa.RecordBatch, settings: list[dict[str, Any]], has_label: bool) -> None:
    """Counts the results of each ladder for some rows."""
    rows = without_broken_texts(rows) or rows
    has_content = valid(rows, "content")
    has_place = np.logical_or.reduce([valid(rows, name) for name in ("old", *PLACES)])
    is_edit = has_content & has_place & valid(rows, "new")
    logged = ~has_content & valid(rows, "edit_hash")
    for setting in settings:
        ladder = setting["ladder"]
        for name, which in (("without_texts", logged), ("unreadable", ~is_edit & ~logged)):
            if which.any():
                tally.add(ladder, "row", [name] * rows.num_rows, which)
    edits = rows.filter(pa.array(is_edit))
    if not edits.num_rows:
        return
    edits = edits.append_column("id", pa.array(np.arange(edits.num_rows)))
    drifts = edits.column("drift").to_pylist()
    for setting in settings:
        ladder = setting["ladder"]
        codes, strategies, outputs = answered(edits, setting)
        matched = np.array([code is None for code in codes])
        ambiguous = np.array([code == "ambiguous" for code in codes])
        decided = np.array([strategy is not None for strategy in strategies])
        worth = {name: has_label & flag for name, flag in judged(edits, outputs).items()}
        tally.add(ladder, "all", None, np.ones(edits.num_rows, bool), matched=matched, ambiguous=ambiguous, **worth)
        tally.add(ladder, "tier", strategies, decided, matched=matched, ambiguous=~matched, **worth)
        tally.add(ladder, "code", codes, ~matched)
        labelled = np.logical_or.reduce(list(worth.values()))
        tally.add(ladder, "drift", drifts, labelled & valid(edits, "drift"), **worth)


def answered(edits: pa.RecordBatch, setting: dict[str, Any]) -> tuple[list[str | None], list[str | None], pa.Array]:
    """Returns code, strategy and output of each edit; the strategy also for an ambiguous edit."""
    answers = pa.Table.from_batches(answer(edits, setting))
    codes, strategies = answers["code"].to_pylist(), answers["strategy"].to_pylist()
    output = answers["output"].combine_chunks()
    with_line = np.flatnonzero(valid(edits, "line")).tolist()
    if with_line:
        # A table of edits has no column for lines.
        outputs = output.to_pylist()
        for row in with_line:
            codes[row], strategies[row], outputs[row] = answered_alone(edits.slice(row, 1).to_pylist()[0], setting)
        output = pa.array(outputs, pa.string())
    for row, code in enumerate(codes):
        if code == "ambiguous":
            edit = edits.slice(row, 1).to_pylist()[0]
            asked = (edit[name] for name in ("content", "old", "new"))
            strategies[row] = decided_by(*asked, bool(edit["replace_all"]), edit["line"], **setting, **place(edit))
    return codes, strategies, output


def answered_alone(edit: dict[str, Any], setting: dict[str, Any]) -> tuple[str | None, str | None, str | None]:
    """Applies a single edit with a line."""
    try:
        asked = {"replace_all": bool(edit["replace_all"]), "line": edit["line"], **setting, **place(edit)}
        result = apply(edit["content"], edit["old"], edit["new"], **asked)
    except FuzzyEditError as error:
        return error.code, None, None
    return result.code, result.strategy, result.output


def place(edit: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments that say where, beside the old text."""
    given = {name: edit[name] for name in PLACES if edit[name] is not None}
    return {name: tuple(value) if name == "lines" else value for name, value in given.items()}


def judged(edits: pa.RecordBatch, outputs: pa.Array) -> dict[str, np.ndarray]:
    """Returns a mask of the rows with each verdict; rows without a label have none."""
    names = ("content", "old", "new", "expected", "expected_kind", "accept_noop")
    columns = [edits.column(name).to_pylist() for name in names]
    verdicts = np.array([verdict(*row) for row in zip(*columns, outputs.to_pylist())], object)
    return {name: verdicts == name for name in WORTH}


def valid(rows: pa.RecordBatch, name: str) -> np.ndarray:
    """Returns a mask of the rows where a column is not null."""
    return rows.column(name).is_valid().to_numpy(zero_copy_only=False)
