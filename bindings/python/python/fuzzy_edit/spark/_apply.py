"""`apply_edits`: edits of the texts of a table."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from ._answer import answer_rows
from ._columns import PLACES, checked, refused, require
from ._files import answer_beside, beside

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: Tasks per core: several, so that the other cores have work during a long task.
TASKS_PER_CORE = 8

#: The columns of the result, after the id, as a Spark schema.
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
    """Applies every edit of a table to its text, and returns a table of results; no file is written.

    >>> edits, files = spark.read.parquet("edits.parquet"), spark.read.parquet("files.parquet")
    >>> apply_edits(edits, files).groupBy("code").count().show()

    :param edits: ``id, old, new[, replace_all]`` with ``path``, or with ``content`` if there is no ``files``. The id
        may have any type. Where ``old`` is null or missing, ``first``, ``last``, ``expected_lines``, ``after``,
        ``before`` and ``lines`` (an array of two numbers) say where, as in :func:`fuzzy_edit.apply_batch`.
    :param files: ``path, content``; each text is sent to Python once, with its edits. In this case Spark reads
        ``edits`` twice, once only for its paths.
    :param chunk: the maximum number of edits of one file per task. A file with more edits is sent to several tasks.
    :param partitions: the number of tasks if there is ``files``. The default is eight for each core that Spark
        reports, and at most ``spark.sql.shuffle.partitions``. Without ``files`` the partitions of ``edits`` do not
        change.
    :param ladder: this and the following parameters: see :func:`fuzzy_edit.apply_batch`.
    :returns: ``id, ok, output, code, rule, strategy, similarity, confidence``, a row for each edit, in any order,
        with the values that ``fuzzy-edit batch`` prints. A row that cannot be tried gets a code, too: ``bad_input`` if a
        text is null or not UTF-8, or if ``files`` has the path twice; ``missing`` if ``files`` lacks the path;
        ``too_large``.
    :raises FuzzyEditError: if a table lacks one of these columns or a setting is invalid, before any job runs.

    The memory of a worker does not grow with its partition. It holds one batch from Spark
    (``spark.sql.execution.arrow.maxRecordsPerBatch`` and ``maxBytesPerBatch``), one more file, and the texts of the
    current step: 16 MiB, or a single larger edit, whose texts ``max_bytes`` limits.
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
    has_place = any(name in edits.columns for name in PLACES)
    names = ["id", "content" if files is None else "path", "new"]
    edits = _asked(edits, "edits", names if has_place and "old" not in edits.columns else [*names, "old"])
    schema = _schema(edits)
    if files is None:
        return edits.mapInArrow(functools.partial(answer_rows, settings=settings), schema)
    files = _asked(files, "files", ["path", "content"])
    rows = beside(edits, files, chunk, partitions or _tasks(edits.sparkSession))
    return rows.mapInArrow(functools.partial(answer_beside, settings=settings), schema)


def _asked(frame: DataFrame, what: str, names: list[str]) -> DataFrame:
    """Selects the required columns of a table, with texts as strings."""
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
        columns.extend(_places(frame))
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


def _places(frame: DataFrame) -> list[Any]:
    """Returns the columns of `frame` that say where, beside a column of old texts."""
    from pyspark.sql import functions as F
    from pyspark.sql.types import ArrayType, IntegralType, NullType, StringType

    columns = [] if "old" in frame.columns else [F.lit(None).cast("string").alias("old")]
    for name, kind in PLACES.items():
        if name not in frame.columns:
            continue
        require(frame, "edits", [name])
        given = frame.schema[name].dataType
        item = given.elementType if kind.startswith("array") and isinstance(given, ArrayType) else given
        is_item = isinstance(item, StringType if kind == "string" else IntegralType)
        is_right = is_item and isinstance(given, ArrayType) == kind.startswith("array")
        if not (is_right or isinstance(given, NullType)):
            raise refused(f"the column {name!r} is of {given.simpleString()}, not of {kind}", "Cast it.")
        columns.append(F.col(name).cast(kind).alias(name))
    return columns


def _tasks(spark: Any) -> int:
    """Returns the number of tasks: enough that all cores finish at about the same time, few enough that the cost of
    starting them is small."""
    most = int(spark.conf.get("spark.sql.shuffle.partitions"))
    grows = spark.conf.get("spark.dynamicAllocation.enabled", "false") == "true"
    # A session of Spark Connect does not report cores, and a cluster with dynamic allocation may get more later.
    context = None if grows else getattr(spark, "_sc", None)
    return min(most, TASKS_PER_CORE * context.defaultParallelism) if context else most


def _schema(edits: DataFrame) -> Any:
    from pyspark.sql.types import StructField, StructType

    return StructType([StructField("id", edits.schema["id"].dataType), *StructType.fromDDL(ANSWERS).fields])
