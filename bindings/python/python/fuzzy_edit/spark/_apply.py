"""`apply_edits`: edits of the texts of a table."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from ._answer import answer_rows
from ._columns import checked, refused, require
from ._files import answer_beside, beside

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: Tasks that each core gets, so that one which takes long leaves the other cores something to do.
TASKS_PER_CORE = 8

#: The columns of the answers, after the id, as Spark writes types.
ANSWERS = "ok boolean, output string, code string, rule string, strategy string, similarity double, confidence double"


def apply_edits(
    edits: DataFrame,
    files: DataFrame | None = None,
    *,
    chunk: int = 10_000,
    partitions: int | None = None,
    ladder: str = "adaptive",
    min_confidence: float | None = None,
    raw_endings: bool = False,
    timeout: float | None = 2.0,
    max_bytes: int = 33_554_432,
) -> DataFrame:
    """Makes every edit of a table in its own text, and answers row by row; nothing is written.

    >>> edits, files = spark.read.parquet("edits.parquet"), spark.read.parquet("files.parquet")
    >>> apply_edits(edits, files).groupBy("code").count().show()

    :param edits: ``id, old, new[, replace_all]`` with ``path``, or with ``content`` where there are no ``files``. The
        id may be of any type.
    :param files: ``path, content``; each text is sent to Python once, and its edits beside it. With it ``edits`` is
        read twice, once for its paths alone.
    :param chunk: how many edits of one file go to one task. One with more is sent to several.
    :param partitions: how many tasks share the work when there are ``files``. Unless told, eight for each core that
        Spark knows of, and no more than ``spark.sql.shuffle.partitions``. Without ``files`` the partitions of ``edits``
        stay.
    :param ladder: and what follows it: as of :func:`fuzzy_edit.apply_batch`.
    :returns: ``id, ok, output, code, rule, strategy, similarity, confidence``, a row for each edit, in any order:
        what ``fuzzy-edit batch`` answers. A row that cannot be tried is answered, too: ``bad_input`` where a text is null or
        not UTF-8, or where ``files`` has the path twice; ``missing`` where it does not have it; ``too_large``.
    :raises FuzzyEditError: for a table without these columns and for a setting that makes no sense, before any job
        runs.

    A worker's memory does not grow with its partition: it holds a batch as Spark sends it
    (``spark.sql.execution.arrow.maxRecordsPerBatch`` and ``maxBytesPerBatch``), one more file, and 16 MiB of texts that
    are worked on, or a single edit if that is larger, which ``max_bytes`` bounds.
    """
    settings = checked(
        ladder=ladder,
        min_confidence=min_confidence,
        raw_endings=raw_endings,
        timeout=timeout,
        max_bytes=max_bytes,
    )
    for name, number in (("chunk", chunk), ("partitions", 1 if partitions is None else partitions)):
        if number < 1:
            raise refused(f"{name} is {number}", "Give a number from 1 on.")
    edits = _asked(edits, "edits", ["id", "content" if files is None else "path", "old", "new"])
    schema = _schema(edits)
    if files is None:
        return edits.mapInArrow(functools.partial(answer_rows, settings=settings), schema)
    files = _asked(files, "files", ["path", "content"])
    rows = beside(edits, files, chunk, partitions or _tasks(edits.sparkSession))
    return rows.mapInArrow(functools.partial(answer_beside, settings=settings), schema)


def _asked(frame: DataFrame, what: str, names: list[str]) -> DataFrame:
    """Returns what is asked for of a table, as strings where it is texts."""
    from pyspark.sql import functions as F
    from pyspark.sql.types import NullType, StringType

    require(frame, what, names)
    columns = []
    for name in names:
        kind = frame.schema[name].dataType
        if name != "id" and not isinstance(kind, (StringType, NullType)):
            raise refused(f"the column {name!r} of {what} is of {kind.simpleString()}, not of strings", "Cast it.")
        columns.append(F.col(name) if name == "id" else F.col(name).cast("string").alias(name))
    if what == "edits":
        columns.append(_replace_all(frame))
    return frame.select(*columns)


def _replace_all(frame: DataFrame) -> Any:
    from pyspark.sql import functions as F
    from pyspark.sql.types import BooleanType, NullType

    if "replace_all" not in frame.columns:
        return F.lit(False).alias("replace_all")
    require(frame, "edits", ["replace_all"])
    kind = frame.schema["replace_all"].dataType
    if not isinstance(kind, (BooleanType, NullType)):
        raise refused(f"the column 'replace_all' is of {kind.simpleString()}, not of booleans", "Cast it.")
    return F.col("replace_all").cast("boolean").alias("replace_all")


def _tasks(spark: Any) -> int:
    """Returns how many tasks there should be: enough that all cores end together, few enough that starting them is
    little of the work."""
    most = int(spark.conf.get("spark.sql.shuffle.partitions"))
    grows = spark.conf.get("spark.dynamicAllocation.enabled", "false") == "true"
    # A session of Spark Connect knows no cores, and a cluster that grows has more of them later.
    context = None if grows else getattr(spark, "_sc", None)
    return min(most, TASKS_PER_CORE * context.defaultParallelism) if context else most


def _schema(edits: DataFrame) -> Any:
    from pyspark.sql.types import StructField, StructType

    return StructType([StructField("id", edits.schema["id"].dataType), *StructType.fromDDL(ANSWERS).fields])
