"""Applies the edits of the rows that a Spark worker receives, in memory that does not grow with their number."""

from __future__ import annotations

from typing import Any, Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import fuzzy_edit

from ._columns import PLACES, threads

#: Bytes of texts per step, inputs and outputs together. A row that needs more is a step of its own.
STEP_BYTES = 16 << 20

#: The columns of texts that every table has.
TEXTS = ("content", "old", "new")

#: The columns of texts that a table may have.
QUOTES = tuple(name for name, kind in PLACES.items() if kind == "string")

#: The columns of the result, after the id.
ANSWERS = {
    "ok": pa.bool_(),
    "output": pa.string(),
    "code": pa.string(),
    "rule": pa.string(),
    "strategy": pa.string(),
    "similarity": pa.float64(),
    "confidence": pa.float64(),
}


def answer_rows(batches: Iterable[pa.RecordBatch], settings: dict[str, Any]) -> Iterator[pa.RecordBatch]:
    """Applies the edits of rows that contain their texts: `id`, `content`, `old`, `new`, `replace_all`, and others."""
    for batch in batches:
        for first, last in steps(costs(batch)):
            yield from answer(batch.slice(first, last - first), settings)


def answer(rows: pa.RecordBatch, settings: dict[str, Any]) -> list[pa.RecordBatch]:
    """Applies the edits of rows in one step. A row with a text that is not UTF-8 gets `bad_input`; other rows do not."""
    try:
        return _answer(rows, settings)
    except (fuzzy_edit.FuzzyEditError, pa.ArrowException, OSError):
        # One bad text makes `apply_batch` fail for the whole table, and Spark allows any bytes in a string.
        mended = without_broken_texts(rows)
        if mended is None:
            raise
        return _answer(mended, settings)


def _answer(rows: pa.RecordBatch, settings: dict[str, Any]) -> list[pa.RecordBatch]:
    stream = fuzzy_edit.apply_batch(rows, threads=threads(), **settings)
    # Rebuilt so that every batch has the same schema: the type of a column may be null in one table and not in another.
    return [
        pa.RecordBatch.from_pydict({name: batch.column(name) for name in ("id", *ANSWERS)})
        for batch in pa.RecordBatchReader.from_stream(stream)
    ]


def refuse(ids: pa.Array, code: str) -> pa.RecordBatch:
    """Returns the results of rows that cannot be tried."""
    columns = {name: pa.nulls(len(ids), kind) for name, kind in ANSWERS.items()}
    columns["ok"] = pa.repeat(False, len(ids))
    columns["code"] = pa.repeat(code, len(ids))
    return pa.RecordBatch.from_pydict({"id": ids, **columns})


def without_broken_texts(rows: pa.RecordBatch) -> pa.RecordBatch | None:
    """Returns the rows with null for every text that is not UTF-8, or None if all texts are UTF-8.

    A quote that is null is an absent one, so that a row with a broken quote loses its new text, too.
    """
    columns = {name: rows.column(name) for name in rows.schema.names}
    is_broken = False
    for name in (*TEXTS, *(name for name in QUOTES if name in columns)):
        column = columns[name]
        texts = column.dictionary if isinstance(column, pa.DictionaryArray) else column
        try:
            texts.validate(full=True)
        except pa.ArrowInvalid:
            is_broken = True
            texts = pa.array([decoded(text) for text in texts.cast(pa.large_binary()).to_pylist()], pa.string())
            if name in QUOTES:
                is_kept = pc.or_(texts.is_valid(), column.is_null())
                columns["new"] = pc.if_else(is_kept, columns["new"], pa.scalar(None, columns["new"].type))
        if isinstance(column, pa.DictionaryArray):
            columns[name] = pa.DictionaryArray.from_arrays(column.indices, texts)
        else:
            columns[name] = texts
    return pa.RecordBatch.from_pydict(columns) if is_broken else None


def decoded(text: bytes | None) -> str | None:
    """Decodes bytes; returns None if they are not UTF-8."""
    try:
        return None if text is None else text.decode()
    except UnicodeDecodeError:
        return None


def lengths(column: pa.Array) -> np.ndarray:
    """Returns the number of bytes of each text; 0 for null."""
    if isinstance(column, pa.DictionaryArray):
        return np.append(lengths(column.dictionary), 0)[column.indices.fill_null(len(column.dictionary)).to_numpy()]
    return pc.binary_length(column).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)


def costs(rows: pa.RecordBatch) -> np.ndarray:
    """Estimates the bytes of the inputs and the output of each row."""
    content, old, new = (lengths(rows.column(name)) for name in TEXTS)
    places = np.ones_like(content)
    if "replace_all" in rows.schema.names:
        everywhere = rows.column("replace_all").fill_null(False).to_numpy(zero_copy_only=False)
        places = np.where(everywhere, content // np.maximum(old, 1), 1)
    return 2 * content + old + places * new


def steps(costs: np.ndarray) -> Iterator[tuple[int, int]]:
    """Splits rows into steps of at most `STEP_BYTES`, or of a single row."""
    ends = np.cumsum(costs)
    first = 0
    while first < len(ends):
        spent = ends[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(ends, spent + STEP_BYTES, side="right")))
        yield first, last
        first = last
