"""Joins edits and their files: Spark sends each text to Python once, followed by its edits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._answer import answer, costs, refuse, steps


def beside(edits: Any, files: Any, chunk: int, partitions: int) -> Any:
    """Merges both tables into one: each file is followed by its edits in the same partition.

    No group is held in memory, and no text is repeated in each row: both tables are shuffled separately and sorted.
    A file with more than `chunk` edits is sent to several partitions, each with a part of its edits. The part of an
    edit depends only on the edit, so that a repeated task gets the same rows.
    """
    from pyspark.sql import functions as F

    counts = edits.groupBy("path").count().where(F.col("count") > chunk)
    # At most one row per `chunk` edits: small enough to broadcast to every executor.
    hot = F.broadcast(counts.select("path", F.ceil(F.col("count") / chunk).cast("int").alias("parts")))
    parts = F.coalesce("parts", F.lit(1))
    names = [name for name in edits.columns if name != "path"]
    left = edits.join(hot, "path", "left").select(
        "path",
        F.pmod(F.xxhash64("id", "old", "new"), parts).cast("int").alias("part"),
        F.lit(True).alias("is_edit"),
        F.lit(None).cast("string").alias("content"),
        *names,
    )
    right = files.where(F.col("path").isNotNull()).join(hot, "path", "left").select(
        "path",
        F.explode(F.sequence(F.lit(0), parts - 1)).alias("part"),
        F.lit(False).alias("is_edit"),
        "content",
        *(F.lit(None).cast(left.schema[name].dataType).alias(name) for name in names),
    )
    both = right.unionByName(left)
    return both.repartition(partitions, "path", "part").sortWithinPartitions("path", "part", "is_edit")


@dataclass
class _File:
    """The file of the following edits."""

    path: pa.Array
    content: pa.Array
    part: int = -1
    is_twice: bool = False


def answer_beside(batches: Iterable[pa.RecordBatch], settings: dict[str, Any]) -> Iterator[pa.RecordBatch]:
    """Applies the edits of rows in the order of `beside`; holds one batch, and the last file of the previous one."""
    file = _File(pa.nulls(1, pa.string()), pa.nulls(1, pa.string()))
    for batch in batches:
        rows, file = _with_files(batch, file)
        if rows.num_rows:
            yield from _answer_known(rows, settings)


def _with_files(batch: pa.RecordBatch, file: _File) -> tuple[pa.RecordBatch, _File]:
    """Adds to each edit of a batch its file: `content` as a dictionary column, and a `code` if there is no such file."""
    is_edit = batch.column("is_edit").to_numpy(zero_copy_only=False)
    at = pa.array(np.flatnonzero(~is_edit))
    kind = batch.schema.field("path").type
    paths = pa.concat_arrays([file.path.cast(kind), batch.column("path").take(at)])
    contents = pa.concat_arrays([file.content.cast(kind), batch.column("content").take(at)])
    parts = np.append(file.part, batch.column("part").to_numpy().take(at))
    again = pc.equal(paths[1:], paths[:-1]).fill_null(False).to_numpy(zero_copy_only=False)
    is_twice = np.append(file.is_twice, again & (parts[1:] == parts[:-1]))

    edits = batch.filter(batch.column("is_edit"))
    which = np.cumsum(~is_edit)[is_edit]
    of = edits.column("path")
    is_known = pc.equal(paths.take(pa.array(which)), of).fill_null(False).to_numpy(zero_copy_only=False)
    no_path = of.is_null().to_numpy(zero_copy_only=False)
    code = np.where(no_path | (is_known & is_twice[which]), "bad_input", np.where(is_known, "", "missing"))
    others = ("path", "part", "is_edit", "content")
    rows = {name: edits.column(name) for name in edits.schema.names if name not in others}
    rows["content"] = pa.DictionaryArray.from_arrays(pa.array(which.astype(np.int32)), contents)
    rows["code"] = pa.array(code)
    last = _File(paths[-1:], contents[-1:], int(parts[-1]), bool(is_twice[-1]))
    return pa.RecordBatch.from_pydict(rows), last


def _answer_known(rows: pa.RecordBatch, settings: dict[str, Any]) -> Iterator[pa.RecordBatch]:
    code = rows.column("code")
    for refusal in ("bad_input", "missing"):
        ids = rows.column("id").filter(pc.equal(code, refusal))
        if len(ids):
            yield refuse(ids, refusal)
    known = rows.filter(pc.equal(code, "")).drop_columns(["code"])
    for first, last in steps(costs(known)):
        part = known.slice(first, last - first)
        yield from answer(part.set_column(part.schema.get_field_index("content"), "content", _used(part)), settings)


def _used(rows: pa.RecordBatch) -> pa.DictionaryArray:
    """Returns the contents of consecutive rows, with a dictionary of only these contents. The keys are in order."""
    column = rows.column("content")
    keys = column.indices
    first, last = keys[0].as_py(), keys[-1].as_py()
    keys = pc.subtract(keys, first).cast(pa.int32())
    return pa.DictionaryArray.from_arrays(keys, column.dictionary[first : last + 1])
