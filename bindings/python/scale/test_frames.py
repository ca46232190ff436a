"""Typical tables of pandas and polars."""

from __future__ import annotations

from typing import Any

import fuzzy_edit
import pandas
import polars
import pyarrow as pa
import pytest

TEXTS = {"content": ["a  b", "x"], "old": ["a b", "y"], "new": ["c", "d"]}


def answered(table: Any) -> pa.Table:
    return pa.table(fuzzy_edit.apply_batch(table))


@pytest.mark.parametrize(
    "column, value",
    [("replace_all", None), ("id", None), ("beside", None), ("beside", [])],
    ids=str,
)
def test_a_column_of_polars_without_a_type(column: str, value: Any) -> None:
    frame = polars.DataFrame(TEXTS).with_columns(polars.lit(value).alias(column))
    answers = answered(frame)
    assert answers["output"].to_pylist() == ["c", None]
    if column == "id":
        assert answers["id"].to_pylist() == [None, None]


def test_texts_of_polars_that_are_all_null() -> None:
    frame = polars.DataFrame(TEXTS).with_columns(new=polars.lit(None))
    assert answered(frame)["code"].to_pylist() == ["bad_input"] * 2


def test_columns_of_pandas_that_are_all_nan() -> None:
    frame = pandas.DataFrame(TEXTS).assign(replace_all=float("nan"))
    assert answered(frame)["output"].to_pylist() == ["c", None]
    with pytest.raises(fuzzy_edit.FuzzyEditError, match='"new" is of Float64.*all NaN'):
        answered(pandas.DataFrame(TEXTS).assign(new=float("nan")))


def test_the_index_of_pandas() -> None:
    """An index with the name `id` is the id, unless a column has that name."""
    frame = pandas.DataFrame(TEXTS, index=pandas.Index([7, 8], name="id"))
    assert answered(frame)["id"].to_pylist() == [7, 8]
    assert answered(frame.assign(id=["a", "b"]))["id"].to_pylist() == ["a", "b"]
    assert "id" not in answered(pandas.DataFrame(TEXTS, index=[7, 8])).column_names
