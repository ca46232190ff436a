"""Edits in tables: every supported type of column, and invalid columns."""

import fuzzy_edit
import pyarrow as pa
import pytest
from fuzzy_edit import FuzzyEditError
from test_texts import has_failpoints

TEXTS = {"content": ["a  b", "x", "ä\nä"], "old": ["a b", "y", "ä"], "new": ["c", "d", "ö"]}


def answered(table, **settings):
    return pa.table(fuzzy_edit.apply_batch(table, **settings))


def test_columns_of_answers():
    answers = answered(pa.table({"id": [7, 8, 9], **TEXTS}))
    assert answers.column_names == [
        "id",
        "ok",
        "output",
        "code",
        "rule",
        "strategy",
        "similarity",
        "confidence",
        "proposal",
    ]
    assert answers["id"].to_pylist() == [7, 8, 9]
    assert answers["output"].to_pylist() == ["c", None, None]
    assert answers["code"].to_pylist() == [None, "not_found", "ambiguous"]
    assert answers["rule"].to_pylist() == [None, "not-found", "several-places"]
    assert "id" not in answered(pa.table(TEXTS)).column_names


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int8(), pa.string()),
        pa.dictionary(pa.uint32(), pa.large_string()),
    ],
    ids=str,
)
def test_kinds_of_text(kind):
    columns = {name: pa.array(texts + [None], pa.string()).cast(kind) for name, texts in TEXTS.items()}
    replace_all = pa.array([None, False, True, True])
    answers = answered(pa.table({**columns, "replace_all": replace_all}))
    assert answers["output"].to_pylist() == ["c", None, "ö\nö", None]
    assert answers["code"].to_pylist() == [None, "not_found", None, "bad_input"]


TWICE = "a\nend\nb\nend\n"


@pytest.mark.parametrize("pair", [pa.list_(pa.int64()), pa.large_list(pa.int32()), pa.list_(pa.uint32(), 2)], ids=str)
@pytest.mark.parametrize("count", [pa.int64(), pa.uint32(), pa.float64()], ids=str)
def test_columns_that_say_where(pair, count):
    rows = [
        ({"old": "b"}, "a\nend\nx\nend\n"),
        ({"first": "b", "last": "end"}, "a\nend\nx\n"),
        ({"first": "a", "last": "end"}, "ambiguous"),
        ({"first": "a", "last": "end", "expected_lines": 4}, "x\n"),
        ({"after": "b"}, "a\nend\nb\nx\nend\n"),
        ({"before": "b"}, "a\nend\nx\nb\nend\n"),
        ({"first": "b", "lines": [2, 3]}, "a\nend\nx\n"),
        ({"lines": [2, 3]}, "bad_input"),
        ({"old": "b", "after": "b"}, "bad_input"),
        ({"first": "b"}, "bad_input"),
        ({"replace_all": True, "after": "b"}, "bad_input"),
        ({}, "bad_input"),
    ]
    schema = pa.schema(
        [(name, pa.string()) for name in ["content", "new", "old", "first", "last", "after", "before"]]
        + [("expected_lines", count), ("lines", pair), ("replace_all", pa.bool_())]
    )
    table = pa.Table.from_pylist([{"content": TWICE, "new": "x", **row} for row, _ in rows], schema)
    answers = answered(table)
    said = [output or code for output, code in zip(answers["output"].to_pylist(), answers["code"].to_pylist(), strict=True)]
    assert said == [expected for _, expected in rows]
    # Without a column of old texts.
    assert answered(table.select(["content", "new", "after"]).slice(4, 1))["ok"].to_pylist() == [True]


def test_numbers_that_count_no_lines_are_bad_input():
    columns = {"content": [TWICE] * 4, "new": ["x"] * 4, "first": ["b"] * 4, "last": ["end"] * 4}
    answers = answered(pa.table({**columns, "expected_lines": [2.0, 2.5, -1.0, float("nan")]}))
    assert answers["code"].to_pylist() == [None, "bad_input", "bad_input", None]
    answers = answered(pa.table({**columns, "lines": [[3, 4], [3], [3, None], None]}))
    assert answers["code"].to_pylist() == [None, "bad_input", "bad_input", None]
    for name, values in [("expected_lines", ["2"] * 4), ("lines", [3] * 4), ("lines", [["3", "4"]] * 4), ("after", [1] * 4)]:
        with pytest.raises(FuzzyEditError, match=name):
            answered(pa.table({**columns, name: values}))


def test_parts_of_tables_and_many_batches():
    rows = 10_000
    table = pa.table(
        {
            "id": range(rows),
            "content": [f"a = {n}\nb = {n}\n" for n in range(rows)],
            "old": [f"a  = {n}" if n % 3 else "no such text" for n in range(rows)],
            "new": [f"a = {n}0" for n in range(rows)],
        }
    )
    for threads in [1, 3]:
        answers = answered(table.slice(17, 9000), threads=threads)
        assert answers["id"].to_pylist() == list(range(17, 9017))
        for n, output in zip(answers["id"].to_pylist(), answers["output"].to_pylist(), strict=True):
            assert output == (f"a = {n}0\nb = {n}\n" if n % 3 else None)
    reader = pa.RecordBatchReader.from_stream(fuzzy_edit.apply_batch(table))
    assert reader.read_next_batch().num_rows < rows


def test_a_stream_is_read_once_and_as_it_is_asked_for():
    taken = []

    def batches():
        for n in range(3):
            taken.append(n)
            yield pa.record_batch({"content": [f"{n}"], "old": [f"{n}"], "new": ["x"]})

    schema = pa.schema([(name, pa.string()) for name in ["content", "old", "new"]])
    answers = fuzzy_edit.apply_batch(pa.RecordBatchReader.from_batches(schema, batches()))
    assert taken == []
    reader = pa.RecordBatchReader.from_stream(answers)
    assert reader.read_next_batch()["output"].to_pylist() == ["x"] and taken == [0]
    with pytest.raises(FuzzyEditError, match="read already"):
        pa.table(answers)
    assert reader.read_all().num_rows == 2


def test_an_error_of_the_reader_ends_the_stream():
    def batches():
        yield pa.record_batch({"content": ["a"], "old": ["a"], "new": ["x"]})
        raise RuntimeError("the disk is gone")

    schema = pa.schema([(name, pa.string()) for name in ["content", "old", "new"]])
    reader = pa.RecordBatchReader.from_stream(
        fuzzy_edit.apply_batch(pa.RecordBatchReader.from_batches(schema, batches()))
    )
    assert reader.read_next_batch().num_rows == 1
    with pytest.raises((pa.ArrowException, OSError, RuntimeError), match="the disk is gone"):
        reader.read_next_batch()


@pytest.mark.parametrize(
    "table",
    [
        3,
        pa.table({"content": ["a"], "old": ["a"]}),
        pa.table({"content": [1], "old": ["a"], "new": ["b"]}),
        pa.table({**TEXTS, "replace_all": [1, 0, 1]}),
        pa.table([["a"], ["a"], ["b"], ["c"]], names=["content", "old", "new", "new"]),
        pa.chunked_array([[1, 2]]),
    ],
    ids=["int", "missing", "number", "no boolean", "twice", "no table"],
)
def test_tables_that_make_no_sense(table):
    with pytest.raises(FuzzyEditError) as caught:
        fuzzy_edit.apply_batch(table)
    assert caught.value.code == "bad_input"


@pytest.mark.parametrize(
    "setting, message",
    [
        ({"threads": 0}, "threads is 0"),
        ({"threads": -1}, "threads is -1"),
        ({"threads": 1 << 70}, "threads is"),
        ({"max_bytes": 1 << 70}, "max_bytes is"),
        ({"timeout": -1.0}, "timeout is -1"),
    ],
    ids=str,
)
def test_settings_that_make_no_sense(setting, message):
    with pytest.raises(FuzzyEditError, match=message) as caught:
        fuzzy_edit.apply_batch(pa.table(TEXTS), **setting)
    assert caught.value.code == "bad_input" and caught.value.next_step


def test_settings_of_another_type_are_named():
    for name in ["threads", "timeout", "max_bytes", "ladder"]:
        with pytest.raises(TypeError) as caught:
            fuzzy_edit.apply_batch(pa.table(TEXTS), **{name: [1]})
        assert str(caught.value).startswith(f"{name} is of type list, not ")


def test_columns_without_a_value():
    """Columns of `polars.lit(None)` have the null type; columns of NaN alone in pandas are numeric."""
    nulls, nans = pa.nulls(3), pa.array([float("nan")] * 3)
    no_numbers = pa.array([None] * 3, pa.float64())
    for flags in [nulls, nans, no_numbers]:
        answers = answered(pa.table({**TEXTS, "replace_all": flags, "id": flags}))
        assert answers["output"].to_pylist() == ["c", None, None]
    for texts in [nulls]:
        assert answered(pa.table({**TEXTS, "new": texts}))["code"].to_pylist() == ["bad_input"] * 3
    for numbers in [nans, no_numbers]:
        with pytest.raises(FuzzyEditError, match='"new" is of Float64, not of strings.*all NaN'):
            fuzzy_edit.apply_batch(pa.table({**TEXTS, "new": numbers}))
    with pytest.raises((pa.ArrowException, OSError), match='"replace_all" has numbers, not booleans'):
        answered(pa.table({**TEXTS, "replace_all": [1.0, 0.0, None]}))


def test_malformed_memory_is_an_error():
    """Offsets outside the text, bytes that are not UTF-8, keys without a value."""
    good = pa.array(["a", "b", "c"])
    text = pa.py_buffer(b"abc")
    # pyarrow itself checks only the first and the last offset.
    offsets = pa.py_buffer(b"\0\0\0\0\x70\0\0\x70\2\0\0\0\3\0\0\0")
    bad_offsets = pa.Array.from_buffers(pa.string(), 3, [None, offsets, text])
    offsets = pa.py_buffer(b"\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0")
    no_utf8 = pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"a\xffc")])
    no_value = pa.DictionaryArray.from_arrays(pa.array([0, 9, -1], pa.int8()), good, safe=False)
    for bad in [bad_offsets, no_utf8, no_value]:
        table = pa.table({"content": bad, "old": good, "new": good})
        with pytest.raises((pa.ArrowException, OSError)):
            answered(table)


def test_limits_are_those_of_a_row():
    table = pa.table({"content": ["a" * 100, "a"], "old": ["a", "a"], "new": ["b", "b"]})
    assert answered(table, max_bytes=50)["code"].to_pylist() == ["too_large", None]


def test_empty_tables():
    table = pa.table(TEXTS).slice(0, 0)
    assert answered(table).num_rows == 0
    assert answered(pa.table({name: pa.nulls(2) for name in TEXTS}))["code"].to_pylist() == ["bad_input"] * 2


@pytest.mark.skipif(not has_failpoints(), reason="built without failpoints")
def test_a_row_that_panics_fails_no_other(monkeypatch):
    monkeypatch.setenv("FUZZY_EDIT_PANICS", "1")
    table = pa.table({"content": ["a", "b"] * 40, "old": ["please panic", "b"] * 40, "new": ["c", "d"] * 40})
    answers = answered(table, ladder="registered", threads=2)
    assert answers["code"].to_pylist() == ["internal", None] * 40
    assert answers["output"].to_pylist() == [None, "d"] * 40
