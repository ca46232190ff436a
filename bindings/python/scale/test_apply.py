"""`apply_edits` on a cluster: Parquet in, Parquet out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cases
import fuzzy_edit
from conftest import batch, by_id
from fuzzy_edit.spark import apply_edits

#: These tests do not depend on time, and the machine may be busy.
NO_HURRY = {"timeout": None}


def stored(spark: Any, folder: Path, name: str, table: pa.Table, parts: int = 3) -> Any:
    """Writes a table as a folder of Parquet files, and reads it into Spark."""
    (folder / name).mkdir()
    for number, part in enumerate(cases.parts(table, parts)):
        pq.write_table(part, folder / name / f"{number}.parquet")
    return spark.read.parquet(str(folder / name))


def written(answers: Any, folder: Path) -> pa.Table:
    """Writes answers as Parquet, and reads them without Spark."""
    answers.write.parquet(str(folder / "answers"))
    table = pq.read_table(folder / "answers")
    assert table.column_names == ["id", "ok", "output", "code", "rule", "strategy", "similarity", "confidence"]
    return table


@pytest.fixture(scope="module")
def expected(edits: pa.Table, files: pa.Table) -> dict[str, dict[str, Any]]:
    answers = batch(cases.with_contents(edits, files))
    # Without these, the comparisons would test little.
    assert {answer["code"] for answer in answers.values()} > {None, "not_found"}
    assert {answer["rule"] for answer in answers.values()} > {None, "not-found"}
    assert {answer["strategy"] for answer in answers.values()} > {"exact", "alignment"}
    return answers


def test_rows_with_their_texts_are_answered_as_batch_does(spark, edits, files, expected, tmp_path):
    rows = cases.with_contents(edits, files).drop_columns(["path"])
    answers = apply_edits(stored(spark, tmp_path, "edits", rows), **NO_HURRY)
    assert by_id(written(answers, tmp_path)) == expected


def test_rows_beside_their_files_are_answered_as_batch_does(spark, edits, files, expected, tmp_path):
    edits = stored(spark, tmp_path, "edits", edits)
    files = stored(spark, tmp_path, "files", files)
    assert by_id(written(apply_edits(edits, files, **NO_HURRY), tmp_path)) == expected


def broken(text: bytes) -> pa.Array:
    """Makes a string with bytes that are not UTF-8, which Parquet and Spark allow."""
    return pa.StringArray.from_buffers(1, pa.py_buffer(bytes([0, 0, 0, 0, len(text), 0, 0, 0])), pa.py_buffer(text))


#: A surrogate, half of a character beyond the basic plane, encoded like a character.
SURROGATE = b"\xed\xa0\x80"


def bad_rows() -> tuple[pa.Table, dict[str, str]]:
    """Makes a row for each reason not to try an edit, and the expected code of each row."""
    good = {"id": "", "content": "a\nb\n", "old": "b", "new": "c", "replace_all": None}
    rows = {
        "no content": ({"content": None}, "bad_input"),
        "no old": ({"old": None}, "bad_input"),
        "no new": ({"new": None}, "bad_input"),
        "empty old": ({"old": ""}, "empty_old"),
        "large content": ({"content": "x" * 2_000}, "too_large"),
        "large new": ({"new": "x" * 2_000}, "too_large"),
        "grows": ({"content": "b" * 900, "new": "xxx", "replace_all": True}, "too_large"),
    }
    table = pa.Table.from_pylist([{**good, **row, "id": name} for name, (row, _) in rows.items()], schema=ROW)
    codes = {name: code for name, (_, code) in rows.items()}
    for column in ("content", "old", "new"):
        row = pa.Table.from_pylist([{**good, "id": f"surrogate in {column}"}], schema=ROW)
        table = pa.concat_tables([table, row.set_column(ROW.get_field_index(column), column, broken(SURROGATE))])
        codes[f"surrogate in {column}"] = "bad_input"
    return table, codes


ROW = pa.schema([(name, pa.string()) for name in ("id", "content", "old", "new")] + [("replace_all", pa.bool_())])


def test_a_bad_row_is_answered_with_a_code_and_spoils_no_other(spark, edits, files, tmp_path):
    bad, codes = bad_rows()
    small = pa.table({"path": ["small"], "content": ["one\ntwo\n"]}, cases.FILE)
    good = cases.with_contents(cases.edits(small, 50), small).select(ROW.names)
    rows = pa.concat_tables([good.slice(0, 25), bad, good.slice(25)])
    frame = stored(spark, tmp_path, "edits", rows, parts=1)
    answers = by_id(written(apply_edits(frame, max_bytes=1_000, **NO_HURRY), tmp_path))
    assert {name: answers.pop(name)["code"] for name in codes} == codes
    assert answers == batch(good)


def test_files_that_are_missing_or_named_twice_are_answered_with_a_code(spark, tmp_path):
    row = {"old": "b", "new": "c", "replace_all": None}
    rows = [{"id": name, "path": path, **row} for name, path in CASES_OF_PATHS]
    edits = pa.Table.from_pylist(rows, cases.EDIT).drop_columns(["expected", "drift"])
    paths = ["a", "b", "b", "d", None, "broken", "unused"]
    contents = ["a\nb\n", "b", "b", None, "b", None, "b"]
    files = pa.table({"path": paths, "content": contents}, cases.FILE)
    with_broken = pa.concat_arrays([files["content"].combine_chunks()[:5], broken(SURROGATE), pa.array(["b"])])
    files = files.set_column(1, "content", with_broken)
    for chunk in (10_000, 1):
        folder = tmp_path / str(chunk)
        folder.mkdir()
        frames = stored(spark, folder, "edits", edits), stored(spark, folder, "files", files, parts=1)
        answers = by_id(written(apply_edits(*frames, chunk=chunk, **NO_HURRY), folder))
        codes = {name: answer["code"] for name, answer in answers.items()}
        assert codes == {
            "once": None,
            "once more": None,
            "twice": "bad_input",
            "missing": "missing",
            "no path": "bad_input",
            "no content": "bad_input",
            "surrogate": "bad_input",
        }
        assert answers["once"]["output"] == answers["once more"]["output"] == "a\nc\n"


CASES_OF_PATHS = [
    ("once", "a"),
    ("once more", "a"),
    ("twice", "b"),
    ("missing", "c"),
    ("no path", None),
    ("no content", "d"),
    ("surrogate", "broken"),
]


def test_a_file_with_half_of_all_edits_is_shared_by_several_tasks(spark, files, tmp_path):
    from pyspark.sql import functions as F

    edits = cases.edits(files, 1200, seed=3, hot=0.5)
    expected = batch(cases.with_contents(edits, files))
    hot = {row["id"] for row in edits.to_pylist() if row["path"] == cases.path(0)}
    assert len(hot) > 500
    edits, files = stored(spark, tmp_path, "edits", edits), stored(spark, tmp_path, "files", files)
    answers = apply_edits(edits, files, chunk=50, **NO_HURRY).withColumn("task", F.spark_partition_id())
    answers.write.parquet(str(tmp_path / "answers"))
    answers = by_id(pq.read_table(tmp_path / "answers"))
    tasks = [answer.pop("task") for name, answer in answers.items() if name in hot]
    for answer in answers.values():
        answer.pop("task", None)
    assert answers == expected
    # With at least twelve parts on eight tasks, no task has nearly all of them.
    assert len(set(tasks)) >= 4
    assert max(tasks.count(task) for task in tasks) < len(hot) / 2


def test_an_executor_that_is_killed_changes_nothing(spark, edits, files, expected, tmp_path):
    edits, files = stored(spark, tmp_path, "edits", edits), stored(spark, tmp_path, "files", files)
    answers = apply_edits(edits, files, **NO_HURRY)
    killed = tmp_path / "killed"

    def kill(batches):
        """Kills the executor after its first batch of results was passed on; the repeated task does not."""
        for number, batch in enumerate(batches):
            yield batch
            if batch.num_rows and not killed.exists():
                # The parent is the daemon of the workers, whose parent is the executor.
                with open(f"/proc/{os.getppid()}/stat") as stat:
                    executor = int(stat.read().rsplit(")", 1)[1].split()[1])
                with open(f"/proc/{executor}/cmdline") as line:
                    assert "CoarseGrainedExecutorBackend" in line.read()
                killed.write_text(str(executor))
                os.kill(executor, signal.SIGKILL)

    table = written(answers.mapInArrow(kill, answers.schema), tmp_path)
    assert not Path(f"/proc/{killed.read_text()}").exists()
    assert by_id(table) == expected


def test_what_makes_no_sense_is_refused_before_a_job_runs(spark):
    edits = spark.createDataFrame([(1, "a", "b", "c")], "id long, content string, old string, new string")
    for ask, said in [
        (lambda: apply_edits(edits.drop("old")), "edits has no column 'old'"),
        (lambda: apply_edits(edits, edits.select("content")), "edits has no column 'path'"),
        (lambda: apply_edits(edits.withColumnRenamed("content", "path"), edits), "files has no column 'path'"),
        (lambda: apply_edits(edits.withColumn("old", edits.id)), "is of bigint, not of strings"),
        (lambda: apply_edits(edits, ladder="rope"), "no ladder named `rope`"),
        (lambda: apply_edits(edits, chunk=0), "chunk is 0"),
    ]:
        with pytest.raises(fuzzy_edit.FuzzyEditError, match=said) as raised:
            ask()
        assert raised.value.code == "bad_input"


def test_the_memory_of_a_worker_does_not_grow_with_its_partition():
    # 640 MB of contents in the form that a worker receives, and the same amount of output.
    program = """
        import resource, sys
        import pyarrow as pa
        from fuzzy_edit.spark._answer import answer_rows

        content = "x = 1\\n" * 10_000 + "y = 2\\n"
        settings = {"ladder": "conservative", "timeout": None}

        def batches(count):
            for _ in range(count):
                row = {"content": content, "old": "y = 2", "new": "y = 3"}
                yield pa.RecordBatch.from_pylist([{"id": number, **row} for number in range(500)])

        def peak(count):
            bytes = sum(len(batch["output"][0].as_py()) for batch in answer_rows(batches(count), settings))
            assert bytes
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        print(peak(2), peak(20))
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    peaks = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()
    first, last = (int(kilobytes) for kilobytes in peaks)
    assert last < first + 100_000, peaks


PLACES = pa.schema(
    [(name, pa.string()) for name in ("id", "content", "new", "old", "first", "last", "after")]
    + [("expected_lines", pa.int64()), ("lines", pa.list_(pa.int64()))]
)


def test_rows_that_name_lines_are_answered_as_a_table_is(spark, tmp_path):
    content = "a\nend\nb\nend\n"
    rows = [
        {"old": "b"},
        {"first": "b", "last": "end"},
        {"first": "a", "last": "end"},
        {"first": "a", "last": "end", "expected_lines": 4},
        {"after": "b"},
        {"first": "b", "lines": [1, 2]},
        {"old": "b", "after": "b"},
        {},
    ]
    rows = [{"id": str(number), "content": content, "new": "x", **row} for number, row in enumerate(rows)]
    table = pa.Table.from_pylist(rows, PLACES)
    expected = by_id(pa.table(fuzzy_edit.apply_batch(table)).drop_columns(["proposal"]))
    codes = [expected[str(number)]["code"] for number in range(len(rows))]
    assert codes == [None, None, "ambiguous", None, None, None, "bad_input", "bad_input"]
    answers = apply_edits(stored(spark, tmp_path, "edits", table, parts=2), **NO_HURRY)
    assert by_id(written(answers, tmp_path)) == expected

    # Beside their files, and without a column of old texts.
    named = table.slice(1, 5).drop_columns(["old"])
    edits = named.drop_columns(["content"]).append_column("path", pa.array(["f"] * 5))
    files = pa.table({"path": ["f"], "content": [content]}, cases.FILE)
    folder = tmp_path / "beside"
    folder.mkdir()
    frames = stored(spark, folder, "edits", edits, parts=1), stored(spark, folder, "files", files, parts=1)
    assert by_id(written(apply_edits(*frames, **NO_HURRY), folder)) == {str(n): expected[str(n)] for n in range(1, 6)}

    # A quote that is not UTF-8 is no absent one.
    broken_last = table.slice(5, 1).set_column(PLACES.get_field_index("last"), "last", broken(SURROGATE))
    folder = tmp_path / "broken"
    folder.mkdir()
    answers = apply_edits(stored(spark, folder, "edits", broken_last, parts=1), **NO_HURRY)
    assert [answer["code"] for answer in by_id(written(answers, folder)).values()] == ["bad_input"]
    for name, values in [("after", [1]), ("lines", ["1"]), ("expected_lines", ["1"])]:
        wrong = spark.createDataFrame([("1", "c", "n", *values)], ["id", "content", "new", name])
        with pytest.raises(fuzzy_edit.FuzzyEditError, match=name):
            apply_edits(wrong)
