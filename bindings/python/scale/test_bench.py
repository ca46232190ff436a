"""Checks the measured edits: the drifted edits of labelled cases do not occur exactly in their files."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import bench
import cases

FILE = "def f():\n\treturn  1\n"
LABELLED = [
    {"content": FILE, "old": "    return 1", "new": "    return 2", "expected": "def f():\n\treturn  2\n"},
    {"content": FILE, "old": "return  1", "new": "return 2"},
    {"content": "a  =  1\n", "old": "a = 1", "new": "b = 1", "replace_all": True},
]


def test_edits_that_are_there_as_they_are_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in LABELLED))
    files, edits = cases.drifted(str(path), 5)
    assert files["content"].to_pylist() == [FILE, "a  =  1\n"]
    assert edits["old"].to_pylist() == ["    return 1", "a = 1"] * 2 + ["    return 1"]
    assert len(set(edits["id"].to_pylist())) == 5
    bench.write(tmp_path / "drifted", files, edits)
    bench.local(tmp_path / "drifted", tmp_path / "out", threads=2)
    answers = pq.read_table(tmp_path / "out")
    assert answers["output"].to_pylist()[:2] == ["def f():\n\treturn  2\n", "b  =  1\n"] and answers.num_rows == 5


def test_cases_without_a_slip_are_no_cases(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(LABELLED[1]) + "\n")
    with pytest.raises(SystemExit, match="has no case"):
        cases.drifted(str(path), 5)
